//! Everything else that is read as a crawl: feeds in three ways of writing, indexes, tables, lists of
//! URLs, Heritrix's log, ARC files.

use super::reading;

/// Whatever kind the bytes are of, if any.
pub fn check(bytes: &[u8]) {
    reading::read(bytes);
}
