//! Logs of Amazon's load balancers, classic (ELB) and application (ALB): the request is a whole URL in quotes.

use undust_pages::agent::AgentClass;
use undust_util::error::Result;

use super::access_log::{LoggedRequest, bad_line, emit, quoted, raw_quoted, request};
use super::input::InputContext;
use super::source::Source;

/// What an application load balancer puts before the time.
const TYPES: [&[u8]; 6] = [b"http", b"https", b"h2", b"grpcs", b"ws", b"wss"];

/// Words from the time to the status, which is that of the load balancer.
const TO_STATUS: usize = 7;

/// Whether a line could be one of such a log.
pub(super) fn looks_like(line: &[u8]) -> bool {
    Entry::of(line).is_some()
}

/// Reads a log.
pub(super) fn read(source: &mut Source, context: &mut InputContext<'_>) -> Result<()> {
    context.each_line(source, |line, number, context| {
        let entry = line.and_then(Entry::of);
        let Some((entry, (method, target))) =
            entry.as_ref().and_then(|entry| Some((entry, request(&entry.request)?)))
        else {
            bad_line(number, context);
            return Ok(());
        };
        let (status, time) = (entry.status, Some(entry.time.clone()));
        let Entry { length, agent, .. } = *entry;
        emit(&LoggedRequest { method, host: None, target, status, length, time, agent }, context)
    })
}

struct Entry {
    time: String,
    status: u16,
    length: Option<u64>,
    request: Vec<u8>,
    agent: Option<AgentClass>,
}

impl Entry {
    fn of(line: &[u8]) -> Option<Self> {
        let (before, rest) = line.split_at(memchr::memchr(b'"', line)?);
        let text = std::str::from_utf8(before).ok()?;
        let mut words = text.split_ascii_whitespace();
        let first = words.next()?;
        let has_type = TYPES.contains(&first.as_bytes());
        let time = if has_type { words.next()? } else { first };
        if !is_time(time) {
            return None;
        }
        let mut words = words.skip(TO_STATUS - 1);
        let status = words.next()?;
        let length = words.nth(2).and_then(|bytes| bytes.parse().ok());
        let (request, rest) = quoted(&rest[1..])?;
        Some(Self {
            time: time.to_owned(),
            // Where no backend answered there is none.
            status: if status == "-" { 0 } else { status.parse().ok()? },
            length,
            request: memchr::memmem::find(&request, b"://").is_some().then_some(request)?,
            agent: raw_quoted(rest).map(|(agent, _)| AgentClass::of(agent)),
        })
    }
}

/// `2018-07-02T22:23:00.186641Z`.
fn is_time(word: &str) -> bool {
    let shape: Vec<u8> = word.bytes().map(|b| if b.is_ascii_digit() { b'0' } else { b }).collect();
    shape.starts_with(b"0000-00-00T00:00:00.") && shape.ends_with(b"Z")
}
