//! What programs call the fields of a record: in feeds, exports and results of crawlers, and in logs of servers. One
//! table serves JSON, CSV, XML and Parquet, so that a name is known in all of them.
//!
//! Names are compared without regard to letter case and punctuation: `Status Code`, `status_code` and `statusCode` are
//! one name. A dot stands between the names of nested objects: `response.status_code`.

mod names;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub(super) use self::names::NAMES;
use super::options::ReadOptions;

/// What a field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    /// The whole URL. In a log the value may be a path.
    Url,
    /// A URL, if the value is one: others use the name for other things.
    LooseUrl,
    /// What the client asked for: the path with the query.
    Target,
    /// `GET /path?query HTTP/1.1`.
    RequestLine,
    /// The path, with the query only if no other field has it.
    Path,
    /// The query as the client sent it.
    RequestQuery,
    /// The query that belongs to the path. A server may have rewritten both.
    Query,
    /// The same, but in a record with a whole URL the name may mean other things.
    LooseQuery,
    /// The host that was asked for, perhaps with a port.
    Host,
    Scheme,
    /// A port that belongs to the host.
    Port,
    /// The port that the server listens at. It shows the scheme and nothing else.
    ServerPort,
    Method,
    Status,
    /// The state of a URL in the database of Nutch.
    NutchStatus,
    /// The program that asked, in its own words.
    Agent,
    /// The address of whoever asked. No crawler has this field, and most logs do.
    Client,
    /// When a request began, under a name that says nothing else. Beside it `time` is how long it took.
    Started,
    Time,
    /// The day, where `Time` has only the hours.
    Date,
    /// Bytes of the response.
    Size,
    /// How long the server took, in a unit that the name tells.
    Took(Unit),
    /// The log of a program that a record is of.
    Logger,
    Digest,
    Simhash,
    TextHash,
    Words,
    Location,
    Title,
    Canonical,
    /// The header No-Vary-Search.
    NoVarySearch,
    ContentType,
    Html,
    Text,
    /// The whole answer of the server: status line, headers and body.
    Message,
    /// Which part of Common Crawl a page is in.
    Subset,
}

/// A unit of the time that a server took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    Seconds,
    Milliseconds,
    Nanoseconds,
    /// The `time-taken` of the W3C: CloudFront writes seconds with a fraction, IIS whole milliseconds.
    SecondsIfBroken,
    /// Seconds in a log of Caddy; others use the name for any unit.
    OfCaddy,
}

/// A field, and the place of its name among the names of the field: the likeliest is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub field: Field,
    pub rank: u8,
}

/// Objects that programs put around a record, by their plain names.
const ENVELOPES: [&str; 7] =
    ["data.", "source.", "fields.", "properties.", "jsonpayload.", "record.", "event."];

/// Short words for the two sides of an exchange.
const SIDES: [(&str, &str); 3] =
    [("req.", "request."), ("res.", "response."), ("resp.", "response.")];

/// What is in an envelope is less likely meant than what has the same name outside.
const INNER: u8 = 128;

static BY_NAME: LazyLock<FxHashMap<&'static str, Known>> = LazyLock::new(|| {
    let each = NAMES.iter().flat_map(|(field, names)| {
        let names = names.split_ascii_whitespace().zip(0..);
        names.map(|(name, rank)| (name, Known { field: *field, rank }))
    });
    each.collect()
});

impl Known {
    /// The field of this plain name. A name that the user gives hides the usual ones of its field.
    pub(super) fn of(name: &str, options: &ReadOptions) -> Option<Self> {
        let is_given = |field: &Field| options.given(*field).is_some_and(|given| given == name);
        if let Some(field) = GIVEN.into_iter().find(is_given) {
            return Some(Self { field, rank: 0 });
        }
        let known = usual(name).or_else(|| {
            let inner = ENVELOPES.iter().find_map(|envelope| name.strip_prefix(envelope))?;
            usual(inner).map(|known| Self { rank: known.rank + INNER, ..known })
        })?;
        // If the user says what the page is, nothing else is.
        let is_page = matches!(known.field, Field::Text | Field::Message);
        let is_hidden =
            options.given(known.field).is_some() || is_page && options.fields.body.is_some();
        (!is_hidden).then_some(known)
    }
}

fn usual(name: &str) -> Option<Known> {
    let long = || {
        let side =
            |(short, long): &(&str, &str)| Some(format!("{long}{}", name.strip_prefix(short)?));
        BY_NAME.get(SIDES.iter().find_map(side)?.as_str())
    };
    BY_NAME.get(name).or_else(long).copied()
}

/// The fields whose names a user may give.
const GIVEN: [Field; 6] =
    [Field::Url, Field::Status, Field::Digest, Field::Location, Field::Title, Field::Html];

impl Field {
    /// Whether its bytes are read by the rules of URLs: what is no UTF-8 is percent-encoded.
    pub(super) fn is_of_url(self) -> bool {
        use Field::{LooseQuery, LooseUrl, Path, Query, RequestLine, RequestQuery, Target, Url};
        matches!(
            self,
            Url | LooseUrl | Target | RequestLine | Path | Query | LooseQuery | RequestQuery
        )
    }

    /// Whether it shows that somebody read the page. Logs of servers have no such field.
    pub(super) fn is_of_page(self) -> bool {
        use Field::{Canonical, Digest, Html, Message, Simhash, Text, TextHash, Title};
        matches!(self, Canonical | Digest | Html | Message | Simhash | Text | TextHash | Title)
    }
}

impl ReadOptions {
    /// The name that the user gives a field, as names are compared.
    pub(super) fn given(&self, field: Field) -> Option<String> {
        let given = match field {
            Field::Url => &self.fields.url,
            Field::Status => &self.fields.status,
            Field::Digest => &self.fields.digest,
            Field::Location => &self.fields.location,
            Field::Title => &self.fields.title,
            Field::Html => &self.fields.body,
            _ => &None,
        };
        given.as_deref().map(plain)
    }
}

/// A name as it is compared.
pub(super) fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    if name.is_ascii() {
        // Nearly all are, and each record has some.
        let is_kept = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
        let kept = name.bytes().filter(is_kept);
        plain.extend(kept.map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        let is_kept = |c: &char| c.is_alphanumeric() || *c == '.';
        plain.extend(name.chars().filter(is_kept).flat_map(char::to_lowercase));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::FieldNames;

    #[test]
    fn names_are_plain_and_say_one_thing() {
        let names = NAMES.iter().flat_map(|(_, names)| names.split_ascii_whitespace());
        let names: Vec<&str> = names.collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(plain(name), *name);
            assert!(!names[..at].contains(name), "{name} says two things");
        }
        assert_eq!(plain("Status Code"), plain("status_code"));
        assert_eq!(plain("response.statusCode"), "response.statuscode");
    }

    #[test]
    fn names_that_are_given_hide_the_usual_ones() {
        let options = ReadOptions {
            fields: FieldNames {
                url: Some("Link".into()),
                body: Some("page".into()),
                ..FieldNames::default()
            },
            ..ReadOptions::default()
        };
        let field = |name| Known::of(name, &options).map(|known| known.field);
        assert_eq!((field("link"), field("url")), (Some(Field::Url), None));
        assert_eq!((field("page"), field("html"), field("text")), (Some(Field::Html), None, None));
        assert_eq!(
            (field("status"), field("data.status")),
            (Some(Field::Status), Some(Field::Status))
        );
    }
}
