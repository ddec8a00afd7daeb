//! Feeds of Scrapy, and what other crawlers and data sets write like it: items whose fields have names that their
//! program chose. One field has the URL, and one may have the page. They come as JSON, CSV or XML.

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod parquet;
pub(crate) mod xml;

use data_encoding::{BASE64, BASE64URL, Encoding};

use undust_pages::response::Response;
use undust_pages::simhash::Simhash;
use undust_pages::text_hash::TextHash;
use undust_pages::url_text::{without_controls, without_fragment};
use undust_util::error::Result;

use super::capture::{absolute, names_html};
use super::fields::{Field, plain};
use super::input::{Found, InputContext, RawPage};
use super::options::ReadOptions;

/// Largest size of an item in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Names of fields in a message.
const MOST_NAMES: usize = 20;
/// A column of Common Crawl's index, and its value for a robots.txt, which is no page.
const SUBSET: &str = "subset";
const ROBOTS: &str = "robotstxt";
/// Shorter texts are not treated as pages in base 64.
const LEAST_BASE64: usize = 16;

impl ReadOptions {
    /// The name that the user gives a field, as names are compared.
    fn given(&self, field: Field) -> Option<String> {
        let given = match field {
            Field::Url => &self.url_field,
            Field::Status => &self.status_field,
            Field::Digest => &self.digest_field,
            Field::Location => &self.location_field,
            Field::Title => &self.title_field,
            Field::Html => &self.body_field,
            _ => &None,
        };
        given.as_deref().map(plain)
    }

    /// Whether a field of this plain name may hold the URL, whose bytes are read by rules of their own.
    fn may_name_url(&self, name: &str) -> bool {
        match self.given(Field::Url) {
            Some(given) => given == name,
            None => Field::Url.names().contains(&name),
        }
    }
}

/// The fields of an item that has been read, by their plain names.
#[derive(Debug, Default)]
struct Item {
    fields: Vec<(String, String)>,
}

impl Item {
    /// Adds a field under its plain name. One that is empty is not there.
    fn push(&mut self, name: String, value: String) {
        if !value.is_empty() {
            self.fields.push((name, value));
        }
    }

    fn named(&mut self, name: &str) -> Option<String> {
        let at = self.fields.iter().position(|(known, _)| known == name)?;
        Some(std::mem::take(&mut self.fields[at].1)).filter(|value| !value.is_empty())
    }

    /// The field with the name that the user gives, else the first that is called so.
    fn take(&mut self, field: Field, options: &ReadOptions) -> Option<String> {
        match options.given(field) {
            Some(name) => self.named(&name),
            None => field.names().iter().find_map(|name| self.named(name)),
        }
    }

    /// The same for the URL: what has a name that others use for other things must look like one.
    fn take_url(&mut self, options: &ReadOptions) -> Option<String> {
        if options.url_field.is_some() {
            return self.take(Field::Url, options);
        }
        let looks_so = |name: &str, value: &str| name == "url" || value.contains("://");
        let name = Field::Url.names().iter().find(|name| {
            self.fields.iter().any(|(known, value)| known == *name && looks_so(name, value))
        });
        self.named(name?)
    }

    /// The status of a response. An item without one is a page, because Scrapy does not pass errors to spiders.
    fn status(&mut self, options: &ReadOptions) -> u16 {
        if let Some(state) = self.take(Field::NutchStatus, options) {
            return match &*state {
                "db_fetched" | "db_notmodified" | "db_duplicate" => 200,
                "db_gone" => 404,
                _ => 0,
            };
        }
        let status = self.take(Field::Status, options);
        status.map_or(200, |status| status.trim().parse().unwrap_or(0))
    }

    /// The names of its fields, for people.
    fn names(&self) -> String {
        let names: Vec<&str> =
            self.fields.iter().take(MOST_NAMES).map(|(name, _)| name.as_str()).collect();
        let more = if self.fields.len() > MOST_NAMES { ", …" } else { "" };
        format!("{}{more}", names.join(", "))
    }
}

/// Takes an item.
fn take(mut item: Item, number: u64, context: &mut InputContext<'_>) -> Result<()> {
    let options = context.options;
    let Some(url) = item.take_url(options).map(without_fragment).filter(|url| !url.is_empty())
    else {
        let reason = match &options.url_field {
            Some(field) => format!("has no URL in its field `{field}`"),
            None => format!("has no URL in a field of a usual name; it has: {}", item.names()),
        };
        context.bad_entry(number, &reason);
        return Ok(());
    };
    if item.named(SUBSET).is_some_and(|subset| subset == ROBOTS) {
        context.report.not_html += 1;
        return Ok(());
    }
    let url = without_controls(url);
    let status = item.status(options);
    let location = item.take(Field::Location, options).filter(|_| (300..400).contains(&status));
    let content_type = item.take(Field::ContentType, options);
    if location.is_none() && content_type.is_some_and(|kind| !names_html(&kind)) {
        context.report.not_html += 1;
        return Ok(());
    }
    let response = Response {
        status,
        location: location.and_then(|to| absolute(&to, &url)),
        title: item.take(Field::Title, options),
        canonical: item.take(Field::Canonical, options).and_then(|to| absolute(&to, &url)),
        url,
        ..Response::default()
    };
    let (is_text, body) = match item.take(Field::Html, options) {
        Some(body) => (options.body_field.as_deref() == Some("text"), body),
        None => match item.take(Field::Text, options) {
            Some(body) if options.body_field.is_none() => (true, body),
            _ => {
                let response = fingerprinted(response, &mut item, options);
                return (context.emit)(Found::Response(Box::new(response)));
            }
        },
    };
    let body = base64(&body).unwrap_or(body.into_bytes());
    (context.emit)(Found::Page(Box::new(RawPage { response, body, is_text })))
}

/// A response whose page another program has read.
fn fingerprinted(response: Response, item: &mut Item, options: &ReadOptions) -> Response {
    let mut take = |field| item.take(field, options);
    let simhash = take(Field::Simhash).and_then(|hex| Simhash::from_hex(hex.trim()));
    let text_hash = take(Field::TextHash).and_then(|hex| TextHash::from_hex(hex.trim()));
    let words = take(Field::Words).and_then(|words| words.trim().parse().ok());
    let digest = take(Field::Digest).filter(|digest| digest != "null");
    Response { simhash, text_hash, words, digest, ..response }
}

/// A body decoded from base 64 (RFC 4648, either alphabet), if all of its letters are base 64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().as_bytes();
    let decode = |encoding: &Encoding| encoding.decode(text).ok();
    (text.len() >= LEAST_BASE64).then(|| decode(&BASE64).or_else(|| decode(&BASE64URL))).flatten()
}
