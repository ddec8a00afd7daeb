//! Indexes of archives: CDX, whose header names its columns, CDXJ, whose lines end in JSON, and the
//! lines of JSON that an index server answers with, such as Common Crawl's and the Wayback Machine's. They have digests
//! but no bodies: pages with equal digests are duplicates.

use std::num::NonZero;

use lru::LruCache;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use undust_pages::response::Response;
use undust_pages::url_text::{url_text, without_controls, without_fragment};
use undust_util::error::Result;

use super::capture::{absolute, names_html};
use super::digest::normal;
use super::input::{Found, InputContext};
use super::lines::words;
use super::source::Source;
use super::stamp::rfc3339;

/// Largest number of remembered digests of content that is not HTML, for revisits that name no
/// type.
const REMEMBERED: NonZero<usize> = NonZero::new(1 << 16).unwrap();
/// More columns than any index has.
const MAX_COLUMNS: usize = 32;
/// The usual layouts without a header, by number of columns.
const COLUMNS: [&[u8]; 5] = [b"NbamskrMSVg", b"NbamskrMVg", b"NbamskrVg", b"NbamskrMS", CAPTURES];
/// What the index server of the Wayback Machine answers.
const CAPTURES: &[u8] = b"NbamskS";
/// What it calls its columns in JSON, by their letters.
const NAMES: [(&str, u8); 7] = [
    ("urlkey", b'N'),
    ("timestamp", b'b'),
    ("original", b'a'),
    ("mimetype", b'm'),
    ("statuscode", b's'),
    ("digest", b'k'),
    ("length", b'S'),
];

/// Whether a line could be one of an index, or its header.
pub(super) fn looks_like(line: &[u8]) -> bool {
    Layout::of_header(line).is_some()
        || array(line).and_then(|names| Layout::of_names(&names)).is_some()
        || IndexLine::of_json(line).is_some()
        || Layout::of_line(line).and_then(|layout| layout.entry(line)).is_some()
}

/// Reads an index: an entry becomes a response whose only content is its digest. Entries that are
/// not HTML are counted, like bodies that are not HTML.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut reader = CdxReader { layout: None, foreign: LruCache::new(REMEMBERED) };
    context.each_line(source, |line, number, context| reader.take(line, number, context))
}

struct CdxReader {
    layout: Option<Layout>,
    /// Digests of content that is not a page.
    foreign: LruCache<u64, ()>,
}

impl CdxReader {
    fn take(
        &mut self,
        line: Option<&[u8]>,
        number: u64,
        context: &mut InputContext<'_>,
    ) -> Result<()> {
        let line = line.unwrap_or_default().trim_ascii();
        let array = array(line);
        let of_names = || array.as_deref().and_then(Layout::of_names);
        if let Some(layout) = Layout::of_header(line).or_else(of_names) {
            self.layout = Some(layout);
            return Ok(());
        }
        // What an index of indexes says of itself, and the end of an array.
        if line.starts_with(b"!") || line == b"]" {
            return Ok(());
        }
        let of_columns = || match (&self.layout, &array) {
            (Some(layout), Some(values)) => {
                let values: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
                layout.entry_of(&values)
            }
            (Some(layout), None) => layout.entry(line),
            (None, _) => Layout::of_line(line)?.entry(line),
        };
        let Some(entry) = IndexLine::of_json(line).or_else(of_columns) else {
            return context.bad_entry(number, "is not a line of an index");
        };
        match self.response(entry) {
            Some(response) => (context.emit)(Found::Response(Box::new(response))),
            None => {
                context.report.not_html += 1;
                Ok(())
            }
        }
    }

    /// The response of an entry; `None` if it is not a page.
    fn response(&mut self, entry: IndexLine) -> Option<Response> {
        let IndexLine { url, time, mime, status, digest, location } = entry;
        let is_redirect = matches!(status, Some(300..=399)) && location.is_some();
        if !is_redirect && self.is_foreign(mime.as_deref(), digest.as_deref()) {
            return None;
        }
        // A revisit has the status of the page that it found unchanged.
        let is_revisit = mime.as_deref().is_some_and(is_revisit);
        let status = match status {
            None | Some(304) if is_revisit && digest.is_some() => 200,
            status => status.unwrap_or(if digest.is_some() { 200 } else { 0 }),
        };
        let location = location.filter(|_| is_redirect).and_then(|to| absolute(&to, &url));
        Some(Response { url, status, location, digest, time, ..Response::default() })
    }

    fn is_foreign(&mut self, mime: Option<&str>, digest: Option<&str>) -> bool {
        let digest = digest.map(|digest| xxh3_64(digest.as_bytes()));
        match mime {
            Some(mime) if is_revisit(mime) => {
                digest.is_some_and(|digest| self.foreign.get(&digest).is_some())
            }
            Some(mime) if !names_html(mime) && !matches!(mime, "unk" | "unknown") => {
                digest.map(|digest| self.foreign.put(digest, ()));
                true
            }
            _ => false,
        }
    }
}

fn is_revisit(mime: &str) -> bool {
    mime.ends_with("revisit")
}

/// The letters of the columns, as in the header.
struct Layout(Vec<u8>);

impl Layout {
    /// ` CDX N b a m s k r M S V g`: the columns' letters.
    fn of_header(line: &[u8]) -> Option<Layout> {
        let letters = line.strip_prefix(b"CDX ")?.split(u8::is_ascii_whitespace);
        let letters = letters.take(MAX_COLUMNS).filter(|letter| !letter.is_empty());
        let one = |letter: &[u8]| <[u8; 1]>::try_from(letter).ok().map(|[letter]| letter);
        let letters: Option<Vec<u8>> = letters.map(one).collect();
        letters.filter(|letters| letters.contains(&b'a')).map(Layout)
    }

    /// The usual layout for this number of columns. JSON objects and XML elements have none,
    /// whatever they contain.
    fn of_line(line: &[u8]) -> Option<Layout> {
        if matches!(line.first(), Some(b'{' | b'[' | b'<')) {
            return None;
        }
        let count = words(line).take(MAX_COLUMNS).count();
        let usual = COLUMNS.iter().find(|letters| letters.len() == count);
        usual.map(|letters| Layout(letters.to_vec()))
    }

    /// `["urlkey", "timestamp", "original", …]`: the columns' names.
    fn of_names(names: &[String]) -> Option<Layout> {
        let letter = |name: &String| {
            let known = NAMES.iter().find(|(known, _)| known == name);
            known.map_or(b'?', |(_, letter)| *letter)
        };
        let letters: Vec<u8> = names.iter().map(letter).collect();
        let is_header = letters.contains(&b'a') && letters.contains(&b'b');
        is_header.then_some(Layout(letters))
    }

    fn entry(&self, line: &[u8]) -> Option<IndexLine> {
        let values: Vec<&[u8]> = words(line).take(MAX_COLUMNS + 1).collect();
        self.entry_of(&values)
    }

    fn entry_of(&self, values: &[&[u8]]) -> Option<IndexLine> {
        let column = |letter| {
            let at = self.0.iter().position(|known| *known == letter)?;
            values.get(at).copied().filter(|value| *value != b"-")
        };
        let text = |letter| column(letter).and_then(|value| std::str::from_utf8(value).ok());
        if values.len() != self.0.len() {
            return None;
        }
        Some(IndexLine {
            url: url(url_text(column(b'a')?))?,
            time: Some(rfc3339(text(b'b')?)?),
            mime: text(b'm').map(str::to_ascii_lowercase),
            status: match text(b's') {
                Some(status) => Some(status.parse().ok()?),
                None => None,
            },
            digest: text(b'k').and_then(normal),
            location: text(b'r').map(str::to_owned),
        })
    }
}

/// The texts of a JSON array in a line, which may be one of an array of arrays.
fn array(line: &[u8]) -> Option<Vec<String>> {
    let line = line.strip_prefix(b"[[").map_or(line, |_| &line[1..]);
    let line = line.strip_suffix(b",").unwrap_or(line);
    let line = line.strip_suffix(b"]]").map_or(line, |_| &line[..line.len() - 1]);
    line.starts_with(b"[\"").then(|| serde_json::from_slice(line).ok())?
}

/// The text, if it is a URL; an index also has entries for `dns:` and `warcinfo` records.
fn url(text: String) -> Option<String> {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_one = |byte: u8| byte.is_ascii_alphanumeric() || b"+-".contains(&byte);
    let has_scheme = !scheme.is_empty() && scheme.bytes().all(is_one);
    has_scheme.then(|| without_controls(without_fragment(text)))
}

/// The data of a record in a line.
#[derive(Debug, PartialEq)]
struct IndexLine {
    url: String,
    time: Option<String>,
    mime: Option<String>,
    status: Option<u16>,
    digest: Option<String>,
    location: Option<String>,
}

/// The JSON of a line. Programs write numbers as numbers or as strings.
#[derive(Deserialize)]
struct JsonFields {
    /// Fields that an index server has in the JSON and CDXJ before it.
    urlkey: Option<IgnoredAny>,
    timestamp: Option<Value>,
    url: String,
    mime: Option<String>,
    status: Option<Value>,
    digest: Option<String>,
    redirect: Option<String>,
}

impl IndexLine {
    /// `com,example)/ 20140127171200 {"url": …}`, or `{"urlkey": …, "timestamp": …, "url": …}`.
    fn of_json(line: &[u8]) -> Option<IndexLine> {
        let json = &line[memchr::memchr(b'{', line)?..];
        let mut before = words(&line[..line.len() - json.len()]);
        let before = [before.next(), before.next(), before.next()];
        let parse = || serde_json::from_slice::<JsonFields>(json).ok();
        let (fields, time) = match before {
            [Some(_), Some(stamp), None] => {
                let time = rfc3339(std::str::from_utf8(stamp).ok()?)?;
                (parse()?, time)
            }
            [None, ..] => {
                let fields = parse().filter(|fields| fields.urlkey.is_some())?;
                let time = rfc3339(fields.timestamp.as_ref()?.as_str()?)?;
                (fields, time)
            }
            _ => return None,
        };
        let status = match fields.status {
            None | Some(Value::Null) => None,
            Some(Value::String(status)) if matches!(status.as_str(), "-" | "") => None,
            Some(Value::String(status)) => Some(status.parse().ok()?),
            Some(status) => Some(status.as_u64()?.try_into().ok()?),
        };
        let known = |text: &String| !matches!(text.as_str(), "" | "-");
        Some(IndexLine {
            url: url(fields.url)?,
            time: Some(time),
            mime: fields.mime.filter(known).map(|mime| mime.to_ascii_lowercase()),
            status,
            digest: fields.digest.as_deref().and_then(normal),
            location: fields.redirect.filter(known),
        })
    }
}
