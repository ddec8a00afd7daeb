//! Logs of servers whose lines are words in a fixed order: Amazon's load balancers, classic (ELB) and application (ALB),
//! its storage (S3), and HAProxy.

use undust_pages::url_text::url_text;
use undust_util::error::Result;

use super::access_log::{BAD, quoted};
use super::feed::Records;
use super::fields::{Field, Known, Unit};
use super::input::InputContext;
use super::item::Item;
use super::source::Source;
use super::stamp::begins_like;
use super::took::microseconds;

use Field::{Agent, Client, Host, RequestLine, Size, Status, Time, Took};

/// Whether a line could be one of such a log.
pub(super) fn looks_like(line: &[u8]) -> bool {
    item(line).is_some()
}

/// Reads a log.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    let mut records = Records::of_log();
    context.each_line(source, |line, number, context| match line.and_then(item) {
        Some(item) => records.take(item, number, context),
        None => context.bad_log_line(number, BAD),
    })
}

/// What a line says.
fn item(line: &[u8]) -> Option<Item> {
    // Most lines of other files have no word of a time at the place where these have one.
    let words = Words(line).take(MOST_WORDS).collect::<Vec<_>>();
    load_balancer(&words).or_else(|| storage(&words)).or_else(|| haproxy(&words))
}

/// More than any of these logs has.
const MOST_WORDS: usize = 100;

/// What an application load balancer puts before the time.
const TYPES: [&[u8]; 6] = [b"http", b"https", b"h2", b"grpcs", b"ws", b"wss"];

/// `[type] time balancer client target 3 times, status of the balancer and of the target, bytes received and sent,
/// "request" "agent"`.
fn load_balancer(words: &[Word<'_>]) -> Option<Item> {
    let Word::Bare(first) = words.first()? else { return None };
    let words = if TYPES.contains(first) { &words[1..] } else { words };
    let fields = [(0, Time), (2, Client), (7, Status), (10, Size), (11, RequestLine), (12, Agent)];
    let Word::Quoted(request) = words.get(11)? else { return None };
    let is_one = is_time(words.first()?) && memchr::memmem::find(request, b"://").is_some();
    is_one.then(|| {
        let mut item = made(words, &fields);
        // Of the request, of the target and of the response; -1 where there was none.
        let took = words[4..7].iter().filter_map(|word| str::from_utf8(word.text()).ok());
        let took: u64 = took.filter_map(|text| microseconds(text, Unit::Seconds)).sum();
        push(&mut item, Took(Unit::Milliseconds), (took as f64 / 1e3).to_string());
        item
    })
}

/// `owner bucket [time] client requester id operation key "request" status error bytes …, "referrer" "agent"`, and
/// further on the host.
fn storage(words: &[Word<'_>]) -> Option<Item> {
    let fields = [
        (2, Time),
        (3, Client),
        (8, RequestLine),
        (9, Status),
        (11, Size),
        (13, Took(Unit::Milliseconds)),
        (16, Agent),
        (22, Host),
    ];
    let is_time = matches!(words.get(2)?, Word::Bracketed(time) if is_clf(time));
    // The operation: `REST.GET.OBJECT`.
    let is_operation = |word: &Word<'_>| matches!(word, Word::Bare(text) if text.contains(&b'.') && text.iter().all(is_of_operation));
    (is_time && is_operation(words.get(6)?) && words.len() > 16).then(|| {
        let mut item = made(words, &fields);
        // The version of TLS, if there was any.
        let is_secure = matches!(words.get(23), Some(Word::Bare(tls)) if tls.starts_with(b"TLS"));
        push(&mut item, Field::Scheme, if is_secure { "https" } else { "http" }.to_owned());
        item
    })
}

fn is_of_operation(byte: &u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"._".contains(byte)
}

/// `client:port [time] frontend backend/server times status bytes cookie cookie state connections queues {captured}
/// "request"`, behind what syslog puts before it.
fn haproxy(words: &[Word<'_>]) -> Option<Item> {
    let is_start = |word: &Word<'_>| {
        // With thousandths of a second, and without a zone.
        matches!(word, Word::Bracketed(time) if is_clf(time) && time.get(20) == Some(&b'.'))
    };
    let start = words.iter().position(is_start)?;
    let before = start.checked_sub(1)?;
    let at = words
        .iter()
        .rposition(|word| matches!(word, Word::Quoted(_)))
        .filter(|at| *at > start + 10)?;
    let fields = [(0, Client), (5, Status), (6, Size), (at - before, RequestLine)];
    let mut item = made(&words[before..], &fields);
    // Of the times the last is the whole one; `+` stands before it where the log was written before the end.
    let times = words.get(before + 4).map_or(&[][..], Word::text);
    let whole = times.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let whole = whole.strip_prefix(b"+").unwrap_or(whole);
    push(&mut item, Took(Unit::Milliseconds), url_text(whole));
    // The zone is that of the server, which the line does not name.
    push(&mut item, Time, format!("{} +0000", url_text(words[start].text().get(..20)?)));
    // What is captured of the request's headers, which the settings choose: a host has a dot and no space.
    let captured = words[start..at].iter().find_map(|word| match word {
        Word::Braced(text) => Some(*text),
        _ => None,
    });
    for text in captured.unwrap_or_default().split(|byte| *byte == b'|') {
        let is_host = text.contains(&b'.') && !text.iter().any(|byte| b" /;()".contains(byte));
        let field = if is_host { Host } else { Agent };
        push(&mut item, field, url_text(text));
    }
    Some(item)
}

/// An item of the words at these places.
fn made(words: &[Word<'_>], fields: &[(usize, Field)]) -> Item {
    let mut item = Item::default();
    for &(at, field) in fields {
        let Some(word) = words.get(at) else { continue };
        push(&mut item, field, url_text(word.text()));
    }
    item
}

fn push(item: &mut Item, field: Field, value: String) {
    item.push(Some(Known { field, rank: 0 }), String::new(), value);
}

/// `2018-07-02T22:23:00.186641Z`.
fn is_time(word: &Word<'_>) -> bool {
    let Word::Bare(word) = word else { return false };
    begins_like(word, b"0000-00-00T00:00:00.") && word.ends_with(b"Z")
}

/// Whether a text begins with the time of a log: `06/Feb/2019:00:00:38`.
fn is_clf(time: &[u8]) -> bool {
    begins_like(time, b"00/aaa/0000:00:00:00")
}

/// A word of a line.
#[derive(Debug)]
enum Word<'l> {
    Bare(&'l [u8]),
    /// What is between quotation marks, escapes decoded.
    Quoted(Vec<u8>),
    /// What is between brackets.
    Bracketed(&'l [u8]),
    /// What is between braces.
    Braced(&'l [u8]),
}

impl Word<'_> {
    fn text(&self) -> &[u8] {
        match self {
            Word::Bare(text) | Word::Bracketed(text) | Word::Braced(text) => text,
            Word::Quoted(text) => text,
        }
    }
}

/// The words of a line.
struct Words<'l>(&'l [u8]);

impl<'l> Iterator for Words<'l> {
    type Item = Word<'l>;

    fn next(&mut self) -> Option<Word<'l>> {
        let line = self.0.trim_ascii_start();
        let closed = |by: u8| memchr::memchr(by, line).map(|end| (&line[1..end], &line[end + 1..]));
        let special = match line.first()? {
            b'"' => quoted(&line[1..]).map(|(text, rest)| (Word::Quoted(text), rest)),
            b'[' => closed(b']').map(|(text, rest)| (Word::Bracketed(text), rest)),
            b'{' => closed(b'}').map(|(text, rest)| (Word::Braced(text), rest)),
            _ => None,
        };
        let (word, rest) = special.unwrap_or_else(|| {
            let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
            (Word::Bare(&line[..end]), &line[end..])
        });
        self.0 = rest;
        Some(word)
    }
}
