//! The folder of a URL: the first segment of its path, behind which may be an author of his own.

use std::hash::Hasher;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use undust_url::normal::escaped_byte;
use undust_url::query::path_and_query;

use super::secret::Secret;

/// A folder. It is a number, so that a site with a folder for each page takes no more memory than
/// others; two of them may have the same, and only the secret of the state knows which.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub(super) struct Folder(u16);

impl Folder {
    /// One for tests.
    #[cfg(test)]
    pub(super) const fn of_number(number: u16) -> Self {
        Self(number)
    }

    /// The folder of a URL, whatever spelling a server takes for the same: escapes, letter case,
    /// dots, repeated slashes and parameters of the segment.
    pub(super) fn of(secret: &Secret, url: &str) -> Self {
        let (path, _) = path_and_query(url);
        let (mut first, mut depth) = (SmallVec::new(), 0_usize);
        for segment in path.split(['/', '\\']).map(spelled) {
            match &segment[..] {
                b"" | b"." => {}
                b".." => depth = depth.saturating_sub(1),
                _ => {
                    if depth == 0 {
                        first = segment;
                    }
                    depth += 1;
                }
            }
        }
        let mut hasher = secret.hasher();
        hasher.write(if depth == 0 { b"" } else { &first });
        Self(hasher.finish() as u16)
    }
}

/// A segment as servers read it.
fn spelled(segment: &str) -> SmallVec<[u8; 32]> {
    let segment = segment.split(';').next().unwrap_or_default().as_bytes();
    let mut bytes = SmallVec::new();
    let mut at = 0;
    while let Some(byte) = segment.get(at) {
        let escaped = escaped_byte(segment, at);
        at += if escaped.is_some() { 3 } else { 1 };
        bytes.push(escaped.unwrap_or(*byte).to_ascii_lowercase());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rest: &str) -> Folder {
        Folder::of(&Secret::default(), &format!("http://a.test{rest}"))
    }

    #[test]
    fn one_folder_is_spelled_in_many_ways() {
        let alice = of("/alice/x?y=/bob/");
        for same in [
            "/alice",
            "/alice/",
            "/Alice/x",
            "/%61lice/7",
            "/%41LICE",
            "//alice/x",
            "/./alice/",
            "/bob/../alice/x",
            "/bob/%61/../../alice",
            "/../alice",
            "/.\\alice\\x",
            "/alice;jsessionid=7/x",
            "/bob/..;/alice/x",
            "/bob/..;x=1/.;/alice",
            "/bob/%2e%2E/alice",
            "/;x/alice",
        ] {
            assert_eq!(of(same), alice, "{same}");
        }
        for other in ["/bob/x", "/", "", "?alice", "/alicex", "/x/alice", "/alice%2/x", "/%zz"] {
            assert_ne!(of(other), alice, "{other}");
        }
        assert_eq!([of("/"), of(""), of("?x"), of("/alice/..")], [of("//"); 4]);
    }
}
