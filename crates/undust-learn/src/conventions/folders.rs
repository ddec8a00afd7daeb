//! Folders in which a convention was seen at work.
//!
//! On a host of many authors seven pages of one folder say nothing of the others. A convention is of all folders if it
//! was tested in several, or in every one in which it could do anything.

use smallvec::SmallVec;
use undust_edits::conventions::hosts::Origin;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Folders from which on they stand for all.
const MANY: usize = 3;

/// Folders where a convention could do something, and those where pairs of URLs tested it.
#[derive(Debug, Clone, Default)]
pub(super) struct Folders {
    seen: SmallVec<[u64; MANY]>,
    tested: SmallVec<[u64; MANY]>,
}

impl Folders {
    /// Notes a folder where it could do something.
    pub(super) fn see(&mut self, folder: u64) {
        note(&mut self.seen, folder);
    }

    /// Notes a folder where a pair of URLs showed that it holds.
    pub(super) fn test(&mut self, folder: u64) {
        note(&mut self.tested, folder);
    }

    /// Whether what was tested speaks for all folders.
    pub(super) fn speak_for_all(&self) -> bool {
        self.tested.len() >= MANY || self.seen.iter().all(|folder| self.tested.contains(folder))
    }
}

fn note(folders: &mut SmallVec<[u64; MANY]>, folder: u64) {
    if folders.len() < MANY && !folders.contains(&folder) {
        folders.push(folder);
    }
}

/// The first segment of a URL's path, which tells authors of one host apart, as a number.
pub(super) fn folder(url: &str) -> u64 {
    let rest = Origin::of(url).map_or(url, |origin| origin.rest);
    let path = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    below(0, path.split('/').nth(1).unwrap_or_default())
}

/// A folder below another, whatever the case of its name. One that may be a list has no name of its own.
pub(super) fn below(parent: u64, segment: &str) -> u64 {
    let is_list = segment.contains(',') || segment.contains("%2C");
    let name = if is_list { String::new() } else { segment.to_ascii_lowercase() };
    xxh3_64_with_seed(name.as_bytes(), parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(seen: &[&str], tested: &[&str]) -> Folders {
        let mut folders = Folders::default();
        seen.iter().for_each(|url| folders.see(folder(url)));
        tested.iter().for_each(|url| folders.test(folder(url)));
        folders
    }

    #[test]
    fn one_author_does_not_speak_for_another() {
        let [alice, bob] = ["http://s.test/alice/r?via=b,a", "http://s.test/bob/r?via=b,a"];
        assert!(!folders(&[alice, bob], &[alice]).speak_for_all());
        assert!(folders(&[alice, bob], &[alice, bob]).speak_for_all());
        assert!(folders(&[alice], &[alice, "http://s.test/Alice/x"]).speak_for_all());
    }

    #[test]
    fn three_folders_speak_for_all() {
        let urls: Vec<String> = (0..9).map(|n| format!("http://s.test/f{n}/")).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        assert!(!folders(&urls, &urls[..2]).speak_for_all());
        assert!(folders(&urls, &urls[..3]).speak_for_all());
    }
}
