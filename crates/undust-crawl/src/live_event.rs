//! What a crawler says while it crawls, a line of JSON each.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use undust_pages::response::Response;
use undust_pages::simhash::Simhash;
use undust_pages::text_hash::TextHash;
use undust_util::json::detail;

use super::capture::response_of_page;
use super::lines::without_mark;

/// HTML in JSON is text, whatever encoding it says it has.
const UTF_8: &str = "text/html; charset=utf-8";

/// What a crawler says.
#[derive(Debug, Clone, PartialEq)]
pub enum LiveEvent {
    /// It asks for a URL.
    Decide(String),
    /// Something came back for a URL: status 0 where no answer came.
    Saw(Box<Response>),
    /// It wants the figures.
    Stats,
    /// A site is to be learned now.
    Learn(String),
    /// Another crawl begins.
    BeginCrawl,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Line {
    decide: Option<String>,
    /// A line of a crawl manifest is something that came back, too.
    #[serde(alias = "url")]
    saw: Option<String>,
    #[serde(default, deserialize_with = "status")]
    status: Option<u16>,
    title: Option<String>,
    simhash: Option<Simhash>,
    text_hash: Option<TextHash>,
    words: Option<u64>,
    digest: Option<String>,
    html: Option<String>,
    location: Option<String>,
    time: Option<String>,
    stats: Option<bool>,
    learn: Option<String>,
    crawl: Option<String>,
}

impl LiveEvent {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong with a line that is no event.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice::<Line>(without_mark(line)).map_err(|error| detail(&error))?.event()
    }

    /// The same of JSON that has been read.
    ///
    /// # Errors
    ///
    /// Those of [`Self::read`].
    pub fn of_value(value: serde_json::Value) -> Result<Self, String> {
        serde_json::from_value::<Line>(value).map_err(|error| detail(&error))?.event()
    }
}

/// A status as a number, or as a text of one.
fn status<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Status {
        Number(u16),
        Text(String),
    }
    match Option::deserialize(from).map_err(|_| D::Error::custom(NO_STATUS))? {
        None => Ok(None),
        Some(Status::Number(status)) => Ok(Some(status)),
        Some(Status::Text(text)) => {
            text.trim().parse().map(Some).map_err(|_| D::Error::custom(NO_STATUS))
        }
    }
}

const ONE_EVENT: &str =
    "a line has one of \"decide\", \"saw\", \"stats\": true, \"learn\" and \"crawl\": \"begin\"";

const NO_STATUS: &str =
    "\"status\" is the number of the answer, such as 200, and 0 where none came";

impl Line {
    fn event(self) -> Result<LiveEvent, String> {
        let Self { decide, saw, stats, learn, .. } = &self;
        let is_there = [decide, saw, learn].map(Option::is_some);
        let events = is_there.into_iter().chain([*stats == Some(true)]);
        if events.filter(|is_there| *is_there).count() > 1 {
            return Err(format!("{ONE_EVENT}; this one has two"));
        }
        match self {
            Self { decide: Some(url), .. } => Ok(LiveEvent::Decide(url)),
            Self { saw: Some(_), .. } => {
                self.response().map(|response| LiveEvent::Saw(Box::new(response)))
            }
            Self { stats: Some(true), .. } => Ok(LiveEvent::Stats),
            Self { learn: Some(site), .. } => Ok(LiveEvent::Learn(site)),
            Self { crawl: Some(crawl), .. } if crawl == "begin" => Ok(LiveEvent::BeginCrawl),
            _ => Err(ONE_EVENT.to_owned()),
        }
    }

    fn response(self) -> Result<Response, String> {
        let url = self.saw.unwrap_or_default();
        let Some(status) = self.status else {
            return Err("\"saw\" needs a \"status\", which is 0 where no answer came".to_owned());
        };
        let html = self.html.as_deref();
        let read = html.and_then(|html| response_of_page(&url, html.as_bytes(), Some(UTF_8)));
        let read = read.unwrap_or_default();
        Ok(Response {
            url,
            status,
            title: self.title.or(read.title),
            simhash: self.simhash.or(read.simhash),
            text_hash: self.text_hash.or(read.text_hash),
            words: self.words.or(read.words),
            digest: self.digest.or(read.digest),
            location: self.location,
            time: self.time,
            ..Response::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saw(line: &str) -> Response {
        match LiveEvent::read(line.as_bytes()) {
            Ok(LiveEvent::Saw(response)) => *response,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_page_is_told_by_its_html_or_its_fingerprint() {
        let page =
            saw(r#"{"saw": "http://a.test/", "status": 200, "html": "<title>T</title>words"}"#);
        assert_eq!((page.status, page.title.as_deref()), (200, Some("T")));
        assert!(page.simhash.is_some() && page.text_hash.is_some());
        assert_eq!(page.words, Some(1));
        let line =
            r#"{"url": "http://a.test/", "status": 200, "title": "U", "html": "<title>T</title>"}"#;
        assert_eq!(saw(line).title.as_deref(), Some("U"));
        let line = r#"{"saw": "http://a.test/", "status": 200, "html": "<meta charset=latin1><title>é</title>"}"#;
        assert_eq!(saw(line).title.as_deref(), Some("é"));
    }

    #[test]
    fn what_programs_write_before_a_line_and_around_a_number_is_no_matter() {
        for status in ["200", "\"200\"", "\" 200 \""] {
            let line = format!("\u{feff}{{\"saw\": \"http://a.test/\", \"status\": {status}}}");
            assert_eq!(saw(&line).status, 200, "{line}");
        }
        for status in ["\"OK\"", "-1", "1e9", "true", "[]", "\"\"", "70000", "\"-1\""] {
            let line = format!("{{\"saw\": \"http://a.test/\", \"status\": {status}}}");
            let error = LiveEvent::read(line.as_bytes()).expect_err("no status");
            assert!(error.contains("such as 200"), "{error}");
        }
    }

    #[test]
    fn what_is_no_event_is_said() {
        for (line, expected) in [
            ("nonsense", "expected"),
            ("{}", "\"decide\""),
            (r#"{"saw": "http://a.test/"}"#, "needs a \"status\""),
            (r#"{"crawl": "end"}"#, "\"begin\""),
            (r#"{"saw": 5, "status": 200}"#, "invalid type"),
        ] {
            let wrong = LiveEvent::read(line.as_bytes()).expect_err("no event");
            assert!(wrong.contains(expected), "{line}: {wrong}");
        }
    }
}
