//! The `crawl.log` of Heritrix: twelve columns per URL, including the digest of the response.

use std::num::NonZero;

use lru::LruCache;

use undust_pages::response::Response;
use undust_pages::url_text::{url_text, without_controls, without_fragment};
use undust_util::error::Result;

use super::access_log::parsed;
use super::capture::names_html;
use super::digest::normal;
use super::input::{Found, InputContext};
use super::lines::words;
use super::source::Source;
use super::stamp::begins_like;

/// Largest number of redirects that wait for the line with their target, and of their bytes.
const WAITING: NonZero<usize> = NonZero::new(1 << 16).unwrap();
const WAITING_BYTES: usize = 16 * 1024 * 1024;

/// Whether a line could be one of such a log.
pub(super) fn looks_like(line: &[u8]) -> bool {
    CrawlLogLine::parse(line).is_some()
}

/// Reads a log. The line of a redirect does not name its target, but the line of the target names
/// the redirect. So a redirect is emitted before its target, or at the end if no line names it.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut waiting = Waiting { redirects: LruCache::new(WAITING), bytes: 0 };
    context.each_line(source, |line, number, context| {
        let Some(entry) = line.and_then(CrawlLogLine::parse) else {
            return context.bad_entry(number, "is not a line of a crawl.log");
        };
        waiting.take(entry, context)
    })?;
    waiting.finish(context)
}

/// Redirects whose target is not known yet, by URL.
struct Waiting {
    redirects: LruCache<String, Response>,
    bytes: usize,
}

impl Waiting {
    fn take(&mut self, entry: CrawlLogLine<'_>, context: &mut InputContext<'_>) -> Result<()> {
        let url = url_of(entry.url);
        if entry.path.ends_with(b"R")
            && let Some(mut redirect) = self.redirects.pop(&url_of(entry.referrer))
        {
            redirect.location = Some(url.clone());
            self.let_go(redirect, context)?;
        }
        let Some(response) = entry.response(url) else {
            context.report.not_html += 1;
            return Ok(());
        };
        if !matches!(response.status, 301..=303 | 307 | 308) {
            return (context.emit)(Found::Response(Box::new(response)));
        }
        self.bytes += 2 * response.url.len();
        if let Some((_, old)) = self.redirects.push(response.url.clone(), response) {
            self.let_go(old, context)?;
        }
        while self.bytes > WAITING_BYTES
            && let Some((_, old)) = self.redirects.pop_lru()
        {
            self.let_go(old, context)?;
        }
        Ok(())
    }

    fn let_go(&mut self, redirect: Response, context: &mut InputContext<'_>) -> Result<()> {
        self.bytes -= 2 * redirect.url.len();
        (context.emit)(Found::Response(Box::new(redirect)))
    }

    fn finish(&mut self, context: &mut InputContext<'_>) -> Result<()> {
        while let Some((_, redirect)) = self.redirects.pop_lru() {
            self.let_go(redirect, context)?;
        }
        Ok(())
    }
}

fn url_of(bytes: &[u8]) -> String {
    without_controls(without_fragment(url_text(bytes)))
}

/// One line.
struct CrawlLogLine<'l> {
    time: &'l str,
    /// An HTTP status, or a code of Heritrix: negative, or 1 for a name that was looked up.
    status: i64,
    size: &'l [u8],
    url: &'l [u8],
    /// How the URL was found, one letter per hop: `L` a link, `R` a redirect.
    path: &'l [u8],
    referrer: &'l [u8],
    mime: &'l [u8],
    digest: &'l [u8],
}

impl<'l> CrawlLogLine<'l> {
    fn parse(line: &'l [u8]) -> Option<Self> {
        let mut words = words(line);
        let mut next = || words.next();
        let (time, status, size, url) = (next()?, next()?, next()?, next()?);
        let (path, referrer, mime, thread) = (next()?, next()?, next()?, next()?);
        let (_fetched, digest) = (next()?, next()?);
        let time = std::str::from_utf8(time).ok()?;
        let is_time = time.len() >= 20 && begins_like(time.as_bytes(), b"0000-00-00T00:00:00");
        let is_size = size == b"-" || size.iter().all(u8::is_ascii_digit);
        if !is_time || !is_size || !thread.starts_with(b"#") || memchr::memchr(b':', url).is_none()
        {
            return None;
        }
        let status = parsed(status)?;
        Some(CrawlLogLine { time, status, size, url, path, referrer, mime, digest })
    }

    /// The response; `None` if the content is not HTML, or if the line is not about a page.
    fn response(&self, url: String) -> Option<Response> {
        let status = u16::try_from(self.status).ok().filter(|status| (100..1000).contains(status));
        let status = status.unwrap_or(0);
        let text = |bytes| std::str::from_utf8(bytes).ok();
        let is_page = self.url.starts_with(b"http");
        if !is_page || status == 200 && !text(self.mime).is_some_and(names_html) {
            return None;
        }
        let is_ok = status == 200;
        Some(Response {
            url,
            status,
            digest: text(self.digest).and_then(normal).filter(|_| is_ok),
            length: parsed(self.size).filter(|_| is_ok),
            time: Some(self.time.to_owned()),
            ..Response::default()
        })
    }
}
