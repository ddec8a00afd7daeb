//! `revisit` records, for pages that an archive already has. They get the digest of the record that
//! they refer to.
//!
//! Usually both records name the same digest, computed by the archive, and nothing has to be
//! remembered. But an archive may name none in its responses (then we compute one from the decoded
//! body), or none in its revisits. So the digests of recent records are remembered, by record id
//! and by URL and time.

use std::num::NonZero;

use lru::LruCache;
use xxhash_rust::xxh3::xxh3_64;

use undust_pages::response::Response;

use super::record::{RecordKind, WarcRecord};
use super::report::ReadReport;

/// Number of record names that are remembered, two per record: some 8 MB. A revisit of an older
/// record gets the digest that it names itself.
const REMEMBERED: NonZero<usize> = NonZero::new(if cfg!(test) { 64 } else { 1 << 16 }).unwrap();

/// Longest digest that is remembered: with its name, SHA-512 in hex has 135 letters. A hostile
/// archive may name one of a megabyte in every record.
const LONGEST: usize = 256;

/// The names of a record, or of the record that it refers to, as hashes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Identity {
    id: Option<u64>,
    capture: Option<u64>,
    is_revisit: bool,
}

impl Identity {
    /// The names of the record of a page: for a revisit those of the record that it refers to.
    pub(super) fn of(record: &WarcRecord) -> Identity {
        let is_revisit = record.kind == RecordKind::Revisit;
        let names = match is_revisit {
            false => ["WARC-Record-ID", "WARC-Target-URI", "WARC-Date"],
            true => ["WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"],
        };
        let [id, uri, date] = names.map(|name| record.headers.uri(name));
        let capture = uri.zip(date).map(|(uri, date)| xxh3_64(&[uri, b" ", date].concat()));
        Identity { id: id.map(xxh3_64), capture, is_revisit }
    }

    fn names(&self) -> impl Iterator<Item = u64> + use<> {
        self.id.into_iter().chain(self.capture)
    }
}

/// The digests of the records that were read last. Constant memory, and constant time per record.
pub(super) struct Revisits(LruCache<u64, Box<str>>);

impl Revisits {
    pub(super) fn new() -> Revisits {
        Revisits(LruCache::new(REMEMBERED))
    }

    /// Gives a revisit the digest of its page, and remembers the digest of any other record. False
    /// for a revisit of an unknown page, which counts as damaged.
    pub(super) fn apply(
        &mut self,
        response: &mut Response,
        identity: Identity,
        report: &mut ReadReport,
    ) -> bool {
        if !identity.is_revisit {
            let digest = response.digest.as_deref().filter(|digest| digest.len() <= LONGEST);
            if let Some(digest) = digest {
                identity.names().for_each(|name| _ = self.0.put(name, digest.into()));
            }
            return true;
        }
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
