//! Bare lists of URLs, one per line.

use undust_pages::response::Response;
use undust_pages::url_text::without_fragment;

use super::input::{Found, InputContext};
use super::source::Source;
use crate::error::{CrawlReason, Result};

/// Whether a line could be one of a list: `scheme://host…`, without white space.
pub(super) fn looks_like(line: &[u8]) -> bool {
    url(line).is_some()
}

fn url(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.trim_ascii()).ok()?;
    // gospider says before a URL where it found it: `[url] - [code-200] - http://…`.
    let url = match line.rsplit_once(" - ") {
        Some((found, url)) if found.starts_with('[') && found.ends_with(']') => url,
        _ => line,
    };
    let (scheme, rest) = url.split_once("://")?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    let names_host = !rest.is_empty() && !rest.starts_with(['/', '?', '#']);
    (is_scheme && names_host && !url.contains(char::is_whitespace)).then_some(url)
}

/// Reads a list: each URL becomes a response of status 200 without content. Other lines are
/// counted. The list is an error without [`lists`](super::options::ReadOptions::lists).
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    if !context.options.lists {
        return Err(context.unusable(CrawlReason::UrlList));
    }
    context.each_line(source, take)
}

fn take(line: Option<&[u8]>, number: u64, context: &mut InputContext<'_>) -> Result<()> {
    let Some(url) = line.and_then(url) else {
        context.report.bad_list_lines += 1;
        return context.note_line(number, "not a URL");
    };
    let url = without_fragment(url.to_owned());
    let response = Response { url, status: 200, is_listed: true, ..Response::default() };
    (context.emit)(Found::Response(Box::new(response)))
}
