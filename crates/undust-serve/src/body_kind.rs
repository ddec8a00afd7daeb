//! What a request says that its body is.
//!
//! A browser sends `text/plain`, a form, or a body of no type for any page that it shows, without
//! asking the service. It asks before it sends JSON, and is not answered. So what changes something is
//! taken as JSON only.

use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, StatusCode};

use super::failure::Failure;

/// How a body is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// One value.
    Json,
    /// One thing a line.
    Lines,
}

impl BodyKind {
    /// Of a body that asks; what is not called anything else is lines.
    pub(super) fn of_question(headers: &HeaderMap) -> Result<Self, Failure> {
        check_coding(headers)?;
        match content_type(headers).as_deref() {
            Some("application/json") => Ok(Self::Json),
            // The last is what curl sends by default.
            None
            | Some(
                "text/plain" | "application/octet-stream" | "application/x-www-form-urlencoded",
            ) => Ok(Self::Lines),
            Some(_) => Err(wrong_type(
                "the body must be text/plain with one URL per line, or application/json",
            )),
        }
    }

    /// Of a body that changes something.
    pub(super) fn of_change(headers: &HeaderMap) -> Result<Self, Failure> {
        check_coding(headers)?;
        match content_type(headers).as_deref() {
            Some("application/json") => Ok(Self::Json),
            Some("application/x-ndjson" | "application/jsonl") => Ok(Self::Lines),
            _ => Err(wrong_type(
                "send the header `content-type: application/json`, or `application/x-ndjson` for \
                 one per line: this request changes something",
            )),
        }
    }
}

fn wrong_type(sentence: &str) -> Failure {
    Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence)
}

/// The type without its parameters, in small letters. Of several there is none that counts.
fn content_type(headers: &HeaderMap) -> Option<String> {
    let mut all = headers.get_all(CONTENT_TYPE).iter();
    let first = all.next()?;
    let is_one = all.next().is_none();
    let value = first.to_str().ok().filter(|_| is_one).unwrap_or("unknown").to_ascii_lowercase();
    Some(value.split(';').next().unwrap_or_default().trim().to_owned())
}

/// A body that is encoded is none that is read.
fn check_coding(headers: &HeaderMap) -> Result<(), Failure> {
    let is_plain = |coding: &HeaderValue| {
        coding.to_str().is_ok_and(|coding| coding.trim().eq_ignore_ascii_case("identity"))
    };
    match headers.get_all(CONTENT_ENCODING).iter().all(is_plain) {
        true => Ok(()),
        false => Err(wrong_type("the body must not have a Content-Encoding")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(all: &[(&'static str, &str)]) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_bytes(text.as_bytes()).expect("a value");
        all.iter().map(|(name, text)| (name.parse().expect("a name"), value(text))).collect()
    }

    /// All that a page may send to another origin without asking, and what only looks like JSON.
    #[test]
    fn what_a_page_may_send_changes_nothing() {
        for kind in [
            "text/plain",
            "text/plain; application/json",
            "text/plain;charset=utf-8",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "",
            " ",
            "text/plain, application/json",
            "application/json, text/plain",
            "application/jsonx",
            "json",
            "\u{e9}",
        ] {
            let refused = BodyKind::of_change(&headers(&[("content-type", kind)]));
            assert_eq!(refused.map_err(|failure| failure.status.as_u16()), Err(415), "{kind}");
        }
        assert!(BodyKind::of_change(&HeaderMap::new()).is_err());
        let two = [("content-type", "application/json"), ("content-type", "text/plain")];
        assert!(BodyKind::of_change(&headers(&two)).is_err());
    }

    #[test]
    fn json_is_taken_however_it_is_written() {
        for (kind, expected) in [
            ("application/json", BodyKind::Json),
            ("Application/JSON; charset=utf-8", BodyKind::Json),
            ("application/x-ndjson", BodyKind::Lines),
            ("application/jsonl;charset=utf-8", BodyKind::Lines),
        ] {
            let kind = headers(&[("content-type", kind)]);
            assert_eq!(BodyKind::of_change(&kind).expect("a kind"), expected);
        }
        assert_eq!(BodyKind::of_question(&HeaderMap::new()).expect("a kind"), BodyKind::Lines);
        assert!(BodyKind::of_question(&headers(&[("content-type", "image/png")])).is_err());
    }
}
