//! Turns a WARC record into a [`Response`]: the answer of the server, and the content of the page.

use std::borrow::Cow;

use url::Url;

use undust_pages::response::Response;
use undust_pages::url_text::{url_text, without_fragment};

use super::digest::{normal, sha1};
use super::http::{Body, HttpResponse};
use super::input::RawPage;
use super::no_vary_search;
use super::options::ReadOptions;
use super::record::{Headers, RecordKind, WarcRecord};
use super::report::ReadReport;
use crate::content::charset::decode;
use crate::content::html::HtmlPage;

/// Bytes of a body that are inspected for HTML if no header names the type.
const SNIFF_BYTES: usize = 512;

/// The response in a record. `None` if it is not HTML or cannot be read; the report counts
/// both.
///
/// The content of a page is read for status 200 only. Redirects are kept whatever their
/// content.
pub(super) fn respond(
    record: &WarcRecord,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Option<Response> {
    let url = record.headers.uri("WARC-Target-URI").map(|uri| without_fragment(url_text(uri)));
    // A path without its host is none.
    let Some(url) = url.filter(|url| !url.is_empty() && !url.starts_with('/')) else {
        return damaged(report, "a record without a WARC-Target-URI".into());
    };
    let time = record.headers.text("WARC-Date").map(str::to_owned);
    let response = Response { url, time, ..Response::default() };
    match record.kind {
        RecordKind::Response => http(record, response, options, report),
        RecordKind::Resource | RecordKind::Conversion => stored(record, response, options, report),
        RecordKind::Revisit => revisit(record, response, report),
    }
}

/// The response of a page whose body a crawler stored. The body is read only for status 200.
pub(super) fn read_raw(page: RawPage, options: &ReadOptions, report: &mut ReadReport) -> Response {
    let RawPage { mut response, body, is_text } = page;
    if response.status != 200 {
        return response;
    }
    let body = up_to(options.max_body, &body);
    if response.digest.is_none() && body.is_whole {
        response.digest = Some(sha1(&body.bytes));
    }
    let title = response.title.take();
    let page = match is_text {
        true => HtmlPage::of_text(&String::from_utf8_lossy(&body.bytes)),
        // It was text when the crawler wrote it, so its character set is known.
        false => HtmlPage::parse(&decode(&body.bytes, Some("text/html; charset=utf-8"))),
    };
    take_page(&mut response, &body, page, report);
    response.title = title.or(response.title);
    response
}

fn damaged<T>(report: &mut ReadReport, note: String) -> Option<T> {
    report.damaged_records += 1;
    report.note(|| note);
    None
}

fn not_html<T>(report: &mut ReadReport) -> Option<T> {
    report.not_html += 1;
    None
}

fn http(
    record: &WarcRecord,
    mut response: Response,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Option<Response> {
    let Some(http) = HttpResponse::parse(&record.block) else {
        return match record.headers.text("Content-Type") {
            Some(kind) if !kind.trim_start().starts_with("application/http") => not_html(report),
            _ => {
                damaged(report, format!("{}: a response without an HTTP status line", response.url))
            }
        };
    };
    response.status = http.status;
    response.location = location(&http, &response.url);
    let content_type = http.headers.text("Content-Type");
    if response.location.is_none() && !is_html(content_type, http.body) {
        return not_html(report);
    }
    if response.status != 200 {
        return Some(response);
    }
    let mut payload = http.payload();
    payload.is_whole &= !record.is_cut;
    let body = http.decode(payload, options.max_body, record.swelling);
    response.digest = digest(record, &body);
    let page = HtmlPage::parse(&decode(&body.bytes, content_type));
    take_page(&mut response, &body, page, report);
    let header = http.headers.list("No-Vary-Search");
    response.no_vary_search =
        header.and_then(|header| no_vary_search::form(&response.url, &header));
    Some(response)
}

/// A page without HTTP, or the text of one, without HTML, too.
fn stored(
    record: &WarcRecord,
    mut response: Response,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Option<Response> {
    let content_type = record.headers.text("Content-Type");
    let mut body = up_to(options.max_body, &record.block);
    body.is_whole &= !record.is_cut;
    let page = match record.kind {
        RecordKind::Conversion if essence(content_type.unwrap_or("text/plain")) == "text/plain" => {
            HtmlPage::of_text(&String::from_utf8_lossy(&body.bytes))
        }
        RecordKind::Resource if is_html(content_type, &record.block) => {
            HtmlPage::parse(&decode(&body.bytes, content_type))
        }
        _ => return not_html(report),
    };
    response.status = 200;
    response.digest = digest(record, &body);
    take_page(&mut response, &body, page, report);
    Some(response)
}

/// A body of which no more is read than this many bytes.
fn up_to(most: usize, bytes: &[u8]) -> Body<'_> {
    let read = &bytes[..bytes.len().min(most)];
    Body { bytes: Cow::Borrowed(read), is_whole: read.len() == bytes.len() }
}

/// A page seen before: the digest leads to the earlier record, which has the content. The status is
/// 0 if the record has none; see [`Revisits`](super::revisit::Revisits).
fn revisit(
    record: &WarcRecord,
    mut response: Response,
    report: &mut ReadReport,
) -> Option<Response> {
    let http = HttpResponse::parse(&record.block);
    let content_type = http.as_ref().and_then(|http| http.headers.text("Content-Type"));
    if content_type.is_some_and(|kind| !names_html(kind)) {
        return not_html(report);
    }
    response.digest = claimed_digest(&record.headers);
    response.location = http.as_ref().and_then(|http| location(http, &response.url));
    response.status = http.map_or(0, |http| http.status);
    Some(response)
}

/// The response of a server for `url` with status 200, as a line of a manifest; none if it is not
/// HTML. `body` must be without the encodings of HTTP; its digest is SHA-1 in hex. Total: broken
/// HTML is read as far as possible. Linear in the body.
pub fn response_of_page(url: &str, body: &[u8], content_type: Option<&str>) -> Option<Response> {
    if !is_html(content_type, body) {
        return None;
    }
    let url = without_fragment(url.to_owned());
    let mut response = Response { url, status: 200, ..Response::default() };
    response.digest = Some(sha1(body));
    let page = HtmlPage::parse(&decode(body, content_type));
    take_page(&mut response, &up_to(usize::MAX, body), page, &mut ReadReport::default());
    Some(response)
}

fn take_page(response: &mut Response, body: &Body<'_>, page: HtmlPage, report: &mut ReadReport) {
    if !body.is_whole {
        report.partial_bodies += 1;
        report.note(|| format!("{}: only a part of the page was read", response.url));
    }
    response.title = page.title;
    response.simhash = page.simhash;
    response.text_hash = page.text_hash;
    response.words = Some(page.words);
    response.length = body.is_whole.then_some(body.bytes.len() as u64);
    let base = page.base.and_then(|base| absolute(&base, &response.url));
    let base = base.as_deref().unwrap_or(&response.url);
    let to_absolute = |link: String| absolute(&link, base);
    let canonical = page.canonical.and_then(to_absolute);
    let og_url = page.og_url.and_then(to_absolute);
    let alternates = page.alternates.into_iter().filter_map(to_absolute).collect();
    response.canonical = canonical.or(response.canonical.take());
    (response.og_url, response.alternates) = (og_url, alternates);
}

fn is_html(content_type: Option<&str>, body: &[u8]) -> bool {
    match content_type.filter(|kind| !kind.trim().is_empty()) {
        Some(kind) => names_html(kind),
        None => body.is_empty() || begins_as_html(body),
    }
}

/// Whether a content type stands for HTML.
pub(super) fn names_html(content_type: &str) -> bool {
    matches!(
        essence(content_type).as_str(),
        "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml"
    )
}

/// The type without its parameters. Of two headers that a server or an archive made one, the first counts; servers also
/// forget the semicolon.
fn essence(content_type: &str) -> String {
    let first = content_type.trim().split([';', ',', ' ', '\t']).next().unwrap_or_default();
    first.trim_matches('"').to_ascii_lowercase()
}

fn begins_as_html(body: &[u8]) -> bool {
    let head = body[..body.len().min(SNIFF_BYTES)].to_ascii_lowercase();
    [&b"<html"[..], b"<!doctype html", b"<head", b"<title"]
        .iter()
        .any(|tag| memchr::memmem::find(&head, tag).is_some())
}

/// The absolute target of a redirect.
fn location(http: &HttpResponse<'_>, url: &str) -> Option<String> {
    if !(300..400).contains(&http.status) {
        return None;
    }
    absolute(&url_text(http.headers.get("Location")?), url)
}

/// A reference made absolute, without a fragment that is no route. A reference that is already absolute stays byte for
/// byte, except that a missing path becomes `/`, as in every request.
pub(super) fn absolute(reference: &str, base: &str) -> Option<String> {
    let reference = reference.trim();
    let Err(url::ParseError::RelativeUrlWithoutBase) = Url::parse(reference) else {
        let url = without_fragment(reference.to_owned());
        let has_path = url.find("://").is_none_or(|at| url[at + 3..].contains(['/', '?']));
        return Some(if has_path { url } else { url + "/" });
    };
    let joined = Url::parse(base).ok()?.join(reference).ok()?;
    Some(without_fragment(joined.into()))
}

/// The archive's digest of the payload if there is one, because revisit records refer to it;
/// otherwise the digest of the body. A body that was read in part has none.
fn digest(record: &WarcRecord, body: &Body<'_>) -> Option<String> {
    claimed_digest(&record.headers).or_else(|| body.is_whole.then(|| sha1(&body.bytes)))
}

/// The digest that the archive names.
fn claimed_digest(headers: &Headers) -> Option<String> {
    normal(headers.text("WARC-Payload-Digest")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_html_in_the_ways_in_which_servers_write_them() {
        for html in [
            "TEXT/HTML",
            " text/html;charset=\"utf-8\"",
            "text/html, text/html; charset=utf-8",
            "text/html,charset=utf-8",
            "text/html charset=utf-8",
            "\"text/html\"",
            "application/xhtml+xml; profile=x",
        ] {
            assert!(names_html(html), "{html}");
        }
        for other in ["text/htmlx", "text/plain, text/html", "application/json; a=text/html", ";"] {
            assert!(!names_html(other), "{other}");
        }
    }
}
