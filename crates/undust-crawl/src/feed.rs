//! Feeds of Scrapy: items whose fields have names chosen by the spider. One field has the URL, and
//! one may have the page. Scrapy writes feeds as JSON, CSV or XML.

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod xml;

use data_encoding::{BASE64, BASE64URL, Encoding};

use undust_pages::response::Response;
use undust_pages::url_text::{without_controls, without_fragment};
use undust_util::error::Result;

use super::capture::absolute;
use super::input::{Found, InputContext, RawPage};
use super::options::ReadOptions;

/// Largest size of an item in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// Fields that are searched for a page if no option names one. `text` holds no HTML.
const BODIES: [&str; 3] = ["body", "html", "text"];
/// Shorter texts are not treated as pages in base 64.
const LEAST_BASE64: usize = 16;

impl ReadOptions {
    fn url_field(&self) -> &str {
        self.url_field.as_deref().unwrap_or("url")
    }
}

fn bodies(options: &ReadOptions) -> impl Iterator<Item = &str> {
    let given = options.body_field.as_deref();
    given.into_iter().chain(BODIES.into_iter().filter(move |_| given.is_none()))
}

/// The status of an item without one: its request succeeded, because Scrapy does not pass errors to
/// spiders.
fn status_of(text: Option<&str>) -> u16 {
    text.map_or(200, |status| status.trim().parse().unwrap_or(0))
}

/// Takes an item; `text` returns its text fields by name.
fn take(
    status: u16,
    mut text: impl FnMut(&str) -> Option<String>,
    number: u64,
    context: &mut InputContext<'_>,
) -> Result<()> {
    let options = context.options;
    let url = text(options.url_field()).map(without_fragment);
    let Some(url) = url.filter(|url| !url.is_empty()) else {
        let field = options.url_field();
        context.bad_entry(number, &format!("has no URL in its field `{field}`"));
        return Ok(());
    };
    let url = without_controls(url);
    let response = Response {
        status,
        location: text("location").and_then(|to| absolute(&to, &url)),
        title: text("title"),
        url,
        ..Response::default()
    };
    let body = bodies(options).find_map(|field| Some((field == "text", text(field)?)));
    let Some((is_text, body)) = body else {
        return (context.emit)(Found::Response(Box::new(response)));
    };
    let body = base64(&body).unwrap_or(body.into_bytes());
    (context.emit)(Found::Page(Box::new(RawPage { response, body, is_text })))
}

/// A body decoded from base 64 (RFC 4648, either alphabet), if all of its letters are base 64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().as_bytes();
    let decode = |encoding: &Encoding| encoding.decode(text).ok();
    (text.len() >= LEAST_BASE64).then(|| decode(&BASE64).or_else(|| decode(&BASE64URL))).flatten()
}
