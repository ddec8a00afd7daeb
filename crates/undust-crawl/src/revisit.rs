//! Records of pages that an archive has already: they get the digest of the record that they
//! refer to.
//!
//! Usually both name one digest, the archive's own, and nothing has to be remembered. But an
//! archive may name none in its responses, where ours is of the decoded body, or none in its
//! revisits. So what was read is remembered for a while, by record and by URL and time.

use std::num::NonZero;

use lru::LruCache;
use xxhash_rust::xxh3::xxh3_64;

use undust_pages::response::Response;

use super::record::{Headers, RecordKind, WarcRecord};
use super::report::ReadReport;

/// Names of records that are remembered, two a record: some 8 MB. Of a revisit of what was read
/// longer ago the archive's own digest counts.
const REMEMBERED: usize = if cfg!(test) { 64 } else { 1 << 16 };

/// Longest digest that is remembered: with its name, SHA-512 in hex has 135 letters. An archive may
/// claim one of a megabyte, in every record.
const LONGEST: usize = 256;

/// What a record is called, and which record it refers to, as hashes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Identity {
    id: Option<u64>,
    capture: Option<u64>,
    is_revisit: bool,
}

impl Identity {
    /// That of the page in a record: for a revisit the names of the record that it refers to.
    pub(super) fn of(record: &WarcRecord) -> Identity {
        let headers = &record.headers;
        let is_revisit = record.kind == RecordKind::Revisit;
        let names = match is_revisit {
            false => ["WARC-Record-ID", "WARC-Target-URI", "WARC-Date"],
            true => ["WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"],
        };
        let [id, uri, date] = names.map(|name| name_in(headers, name));
        let capture = uri.zip(date).map(|(uri, date)| xxh3_64(&[uri, b" ", date].concat()));
        Identity { id: id.map(xxh3_64), capture, is_revisit }
    }

    fn names(&self) -> impl Iterator<Item = u64> + use<> {
        self.id.into_iter().chain(self.capture)
    }
}

/// wget writes URIs in angle brackets.
fn name_in<'h>(headers: &'h Headers, name: &str) -> Option<&'h [u8]> {
    let value = headers.get(name)?;
    Some(value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">")).unwrap_or(value))
}

/// The digests of the records that were read last. Constant memory, and constant time a record.
pub(super) struct Revisits(LruCache<u64, Box<str>>);

impl Revisits {
    pub(super) fn new() -> Revisits {
        Revisits(LruCache::new(NonZero::new(REMEMBERED).unwrap_or(NonZero::<usize>::MIN)))
    }

    /// Gives a revisit the digest of its page, and remembers that of any other record. False for a
    /// revisit of which nothing is known, which is damaged.
    pub(super) fn apply(
        &mut self,
        response: &mut Response,
        identity: Identity,
        report: &mut ReadReport,
    ) -> bool {
        if identity.is_revisit {
            return self.resolve(response, identity, report);
        }
        if let Some(digest) = response.digest.as_ref().filter(|digest| digest.len() <= LONGEST) {
            for name in identity.names() {
                self.0.put(name, digest.as_str().into());
            }
        }
        true
    }

    fn resolve(
        &mut self,
        response: &mut Response,
        identity: Identity,
        report: &mut ReadReport,
    ) -> bool {
        let known = identity.names().find_map(|name| self.0.get(&name).cloned());
        response.digest = known.map(String::from).or(response.digest.take());
        match (response.status, &response.digest) {
            // "Not modified" answers the crawler's own question: the page is the earlier one.
            (0 | 304, Some(_)) => response.status = 200,
            (0, None) => {
                report.damaged_records += 1;
                report.note(|| format!("{}: a revisit record without a digest", response.url));
                return false;
            }
            _ => {}
        }
        true
    }
}
