//! Sitemaps (sitemaps.org): lists of URLs as their site wants them to be found.

use quick_xml::Reader;
use quick_xml::events::Event;

use undust_pages::response::Response;
use undust_pages::url_text::{without_controls, without_fragment};

use super::feed::xml::{after_declaration, letter_of};
use super::input::{Found, InputContext};
use super::source::{Source, fault};
use crate::error::{CrawlReason, Result};

/// Bytes of a `<url>` or `<loc>` that are kept.
const MOST_URL: usize = 64 * 1024;

/// Whether a line could begin a sitemap, or an index of sitemaps.
pub(super) fn looks_like(line: &[u8]) -> bool {
    let line = after_declaration(line);
    line.starts_with(b"<urlset") || line.starts_with(b"<sitemapindex")
}

/// Reads a sitemap: each `<loc>` becomes a response of status 200 without content. It is an error without
/// [`lists`](super::options::ReadOptions::lists), and so is an index of sitemaps.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut reader = Reader::from_reader(source);
    let (mut buffer, mut url) = (Vec::new(), None::<String>);
    loop {
        buffer.clear();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(quick_xml::Error::Io(error)) => {
                return Err(fault(context.path, std::io::Error::new(error.kind(), error)));
            }
            Err(error) => {
                return context.bad_entry(0, &format!("the sitemap ends here: {error}"));
            }
        };
        match event {
            Event::Start(tag) if tag.name().as_ref() == "sitemapindex" => {
                return Err(context.unusable(CrawlReason::SitemapIndex));
            }
            Event::Start(tag) if tag.name().as_ref() == "loc" => url = Some(String::new()),
            Event::Text(text) => push(&mut url, &text),
            Event::CData(text) => push(&mut url, &text),
            Event::GeneralRef(letter) => push(&mut url, &letter_of(&letter).unwrap_or_default()),
            Event::End(tag) if tag.name().as_ref() == "loc" => {
                let url = url.take().unwrap_or_default();
                take(url.trim(), context)?;
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn push(url: &mut Option<String>, text: &str) {
    if let Some(url) = url.as_mut().filter(|url| url.len() < MOST_URL) {
        url.push_str(text);
    }
}

fn take(url: &str, context: &mut InputContext<'_>) -> Result<()> {
    if !context.options.lists {
        return Err(context.unusable(CrawlReason::UrlList));
    }
    let url = without_controls(without_fragment(url.to_owned()));
    let response = Response { url, status: 200, is_listed: true, ..Response::default() };
    (context.emit)(Found::Response(Box::new(response)))
}
