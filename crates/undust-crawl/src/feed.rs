//! Records whose fields have names: feeds of Scrapy, what other crawlers and data sets write like them, and logs of
//! servers. They come as JSON, CSV, XML or Parquet. What a record is, all of its fields say together.

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod parquet;
pub(crate) mod xml;

use data_encoding::{BASE64, BASE64URL, Encoding};

use undust_pages::agent::AgentClass;
use undust_pages::response::Response;
use undust_pages::simhash::Simhash;
use undust_pages::text_hash::TextHash;
use undust_util::address::shown;

use super::access_log::request;
use super::capture::{absolute, names_html};
use super::content::html::title_of;
use super::fields::Field;
use super::input::{Found, InputContext, RawPage};
use super::item::{Item, ItemUrl, NoUrl, status_number};
use super::kind::ACCESS_LOG;
use super::record::{Headers, RecordKind, WarcRecord};
use super::{no_vary_search, stamp, took};
use crate::error::{CrawlReason, Result};

/// Largest size of an item in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// What Common Crawl's index says of a robots.txt, which is no page.
const ROBOTS: &str = "robotstxt";
/// Shorter texts are not treated as pages in base 64.
const LEAST_BASE64: usize = 16;

/// Takes the records of an input.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Whether a record was a request that a server logged: then the others are, too.
    is_log: bool,
    has_hosts: bool,
    /// Whether a record had a query, or the place for one.
    has_queries: bool,
    /// Records whose query may be lost.
    without_query: u64,
    /// Whether a page had its content, or a digest.
    has_content: bool,
    /// Pages without either.
    without_content: u64,
    /// The number of bytes for each byte of the file, up to here.
    pub swelling: u64,
}

impl Records {
    /// Those of a log.
    pub(super) fn of_log() -> Self {
        Self { is_log: true, ..Self::default() }
    }

    /// Takes a record.
    pub(super) fn take(
        &mut self,
        mut item: Item,
        number: u64,
        context: &mut InputContext<'_>,
    ) -> Result<()> {
        if !self.is_log && item.is_logged() {
            self.is_log = true;
            if let Some((_, kind)) = context.report.inputs.last_mut() {
                *kind = ACCESS_LOG;
            }
        }
        let method = self.method(&mut item);
        if method.as_ref().is_some_and(|method| self.is_other(method)) {
            context.report.other_methods += 1;
            return Ok(());
        }
        let url = match item.take_url(context.options) {
            Ok(url) => url,
            Err(NoUrl::NoHost) if !self.has_hosts => {
                return Err(context.unusable(CrawlReason::NoHost));
            }
            Err(reason) => {
                return self.bad(number, &why(&reason, &item, context), context);
            }
        };
        self.see(&url, context);
        if item.take(Field::Subset).is_some_and(|subset| subset == ROBOTS) {
            context.report.not_html += 1;
            return Ok(());
        }
        match self.is_log {
            true => self.take_logged(item, url.url, number, context),
            false => self.take_page(item, url.url, method.is_some(), number, context),
        }
    }

    /// Counts a record that cannot be read.
    pub(super) fn bad(
        &self,
        number: u64,
        reason: &str,
        context: &mut InputContext<'_>,
    ) -> Result<()> {
        match self.is_log {
            true => context.bad_log_line(number, reason),
            false => context.bad_entry(number, reason),
        }
    }

    /// The method of the request, from a field of its own or from the first line of the request.
    fn method(&self, item: &mut Item) -> Option<String> {
        let line = item.peek(Field::RequestLine).unwrap_or_default();
        let of_line = match request(line.as_bytes()) {
            Some((method, _)) => Some(String::from_utf8_lossy(method).into_owned()),
            // Some logs have the method alone under this name.
            None => is_upper_case(line).then(|| line.to_owned()),
        };
        item.said(Field::Method).or(of_line)
    }

    /// Whether a method asks for something else than a page. In a feed the word may mean anything.
    fn is_other(&self, method: &str) -> bool {
        let is_get = ["GET", "HEAD"].iter().any(|name| method.eq_ignore_ascii_case(name));
        !is_get && (self.is_log || is_upper_case(method))
    }

    fn see(&mut self, url: &ItemUrl, context: &mut InputContext<'_>) {
        self.has_hosts |= url.has_host;
        context.report.hosts_given += u64::from(!url.has_host);
        self.has_queries |= url.has_query;
        self.without_query += u64::from(!url.has_query);
    }

    /// Tells at the end of an input what all of its records lack.
    pub(super) fn end(&self, context: &mut InputContext<'_>) -> Result<()> {
        let path = context.path;
        let mut note = |lost| context.report.note(|| format!("{}: {lost}", shown(&path)));
        if self.without_query > 0 && !self.has_queries {
            note(
                "no path has a query, and no field of its own has it: URLs that differ only there count as one",
            );
        }
        if self.without_content > 0 && !self.has_content {
            note(
                "no page has content, neither its text nor a digest: which URLs show one page is not known",
            );
        }
        Ok(())
    }

    fn take_logged(
        &self,
        mut item: Item,
        url: String,
        number: u64,
        context: &mut InputContext<'_>,
    ) -> Result<()> {
        // Where no server answered there is no status.
        let status = item.take_status().map_or(Some(200), |text| match text.trim() {
            "-" => Some(0),
            text => status_number(text),
        });
        let Some(status) = status else {
            return self.bad(number, "has a status that is no number", context);
        };
        let started = item.said(Field::Started);
        let (date, time) = (item.said(Field::Date), started.or_else(|| item.said(Field::Time)));
        let time = match (date, time) {
            (Some(date), Some(time)) if is_clock(&time) => Some(format!("{date}T{time}Z")),
            (_, time) => time.as_deref().map(stamp::of_log),
        };
        let response = Response {
            url,
            status,
            length: item.said(Field::Size).and_then(|size| size.trim().parse().ok()),
            took: took::of_item(&mut item),
            time,
            is_listed: true,
            agent: item.take(Field::Agent).map(|agent| AgentClass::of(agent.as_bytes())),
            ..Response::default()
        };
        (context.emit)(Found::Response(Box::new(response)))
    }

    /// Takes the record of a page.
    fn take_page(
        &mut self,
        mut item: Item,
        url: String,
        was_requested: bool,
        number: u64,
        context: &mut InputContext<'_>,
    ) -> Result<()> {
        let options = context.options;
        // Scrapy does not pass errors to spiders. But a request without an answer shows no page.
        let status = item.status(if was_requested { 0 } else { 200 });
        let location = item.take(Field::Location).filter(|_| (300..400).contains(&status));
        let message = item.take(Field::Message).filter(|_| !item.has(Field::Html));
        if let Some(message) = message.and_then(http_message) {
            self.has_content = true;
            return (context.emit)(Found::Record(Box::new(record(&url, message, self.swelling))));
        }
        let content_type = item.take(Field::ContentType);
        if location.is_none() && content_type.is_some_and(|kind| !names_html(&kind)) {
            context.report.not_html += 1;
            return Ok(());
        }
        let header = item.take(Field::NoVarySearch);
        let response = Response {
            status,
            no_vary_search: header.and_then(|header| no_vary_search::form(&url, &header)),
            location: location.and_then(|to| absolute(&to, &url)),
            title: item.take(Field::Title).and_then(|title| title_of(&title)),
            time: item.said(Field::Started).as_deref().map(stamp::of_log),
            canonical: item.take(Field::Canonical).and_then(|to| absolute(&to, &url)),
            url,
            ..Response::default()
        };
        let (is_text, body) = match (item.take(Field::Html), item.take(Field::Text)) {
            (Some(body), _) => (options.fields.body.as_deref() == Some("text"), body),
            (None, Some(body)) => (true, body),
            (None, None) => {
                let response = match fingerprinted(response, &mut item) {
                    Ok(response) => response,
                    Err(reason) => return self.bad(number, &reason, context),
                };
                let has_content = response.digest.is_some() || response.simhash.is_some();
                self.has_content |= has_content;
                self.without_content += u64::from(status == 200 && !has_content);
                return (context.emit)(Found::Response(Box::new(response)));
            }
        };
        self.has_content = true;
        let body = base64(&body).unwrap_or(body.into_bytes());
        (context.emit)(Found::Page(Box::new(RawPage { response, body, is_text })))
    }
}

fn is_upper_case(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a text has the hours of a day and no day.
fn is_clock(time: &str) -> bool {
    stamp::begins_like(time.as_bytes(), b"00:00:00")
}

/// Why a record without a URL is none.
fn why(reason: &NoUrl, item: &Item, context: &InputContext<'_>) -> String {
    match (reason, &context.options.fields.url) {
        (NoUrl::Missing, Some(field)) => format!("has no URL in its field `{field}`"),
        (NoUrl::Missing, None) => {
            format!("has no URL in a field of a usual name; it has: {}", item.names())
        }
        (NoUrl::NotWhole, _) => {
            "has neither a whole URL, with scheme and host, nor a path".to_owned()
        }
        (NoUrl::NoHost, _) => "names no host; --host gives it".to_owned(),
        (NoUrl::BadHost, _) => "has no valid host in the field of the host".to_owned(),
    }
}

/// A whole answer of a server, plain or in base 64.
fn http_message(text: String) -> Option<Vec<u8>> {
    let message = base64(&text).unwrap_or(text.into_bytes());
    let is_http = message.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
    is_http.then_some(message)
}

/// The answer as an archive would have it.
fn record(url: &str, block: Vec<u8>, swelling: u64) -> WarcRecord {
    let mut headers = Headers::default();
    headers.push("WARC-Target-URI", url.as_bytes());
    WarcRecord { kind: RecordKind::Response, headers, block, is_cut: false, swelling }
}

/// A response whose page another program has read. What pages are compared by is whole, or the record is bad: without it
/// a page would be compared by less.
fn fingerprinted(response: Response, item: &mut Item) -> Result<Response, String> {
    let simhash = hex(item, Field::Simhash, Simhash::from_hex)?;
    let text_hash = hex(item, Field::TextHash, TextHash::from_hex)?;
    let words = item.take(Field::Words).and_then(|words| words.trim().parse().ok());
    let digest = item.take(Field::Digest).filter(|digest| digest != "null");
    Ok(Response { simhash, text_hash, words, digest, ..response })
}

/// The value of a field, if it has one.
fn hex<T>(
    item: &mut Item,
    field: Field,
    parse: fn(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    let written = item.take(field).unwrap_or_default();
    match written.trim() {
        "" | "null" => Ok(None),
        hex => parse(hex).map(Some).ok_or_else(|| format!("has `{hex}` in place of 16 hex digits")),
    }
}

/// A body decoded from base 64 (RFC 4648, either alphabet), if all of its letters are base 64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().as_bytes();
    let decode = |encoding: &Encoding| encoding.decode(text).ok();
    (text.len() >= LEAST_BASE64).then(|| decode(&BASE64).or_else(|| decode(&BASE64URL))).flatten()
}
