//! The directory of a model in a pack: its site, and its files.

use undust_url::site::SiteBy;

use crate::folder::names::is_packed;

/// Bytes of the longest directory: a name of 255 bytes, and a dozen files.
pub(super) const LONGEST: u32 = 4096;

/// A file of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileEntry {
    pub name: String,
    /// Where it begins, from the end of the directory on.
    pub at: u64,
    pub length: u64,
    /// Its XXH3.
    pub sum: u64,
}

/// What is known of a model before its files are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directory {
    pub site: String,
    /// What the site's name means, if `model.json` said so.
    pub by: Option<SiteBy>,
    pub files: Vec<FileEntry>,
}

impl Directory {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let by = match self.by {
            Some(SiteBy::Host) => 0,
            Some(SiteBy::Domain) => 1,
            None => 2,
        };
        let mut bytes = vec![by, self.files.len() as u8, self.site.len() as u8];
        bytes.extend(self.site.as_bytes());
        for file in &self.files {
            bytes.push(file.name.len() as u8);
            bytes.extend(file.name.as_bytes());
            bytes.extend(file.length.to_le_bytes());
            bytes.extend(file.sum.to_le_bytes());
        }
        bytes
    }

    /// None where the bytes are no directory, or name what is no file of a model.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let by = match byte(&mut rest)? {
            0 => Some(SiteBy::Host),
            1 => Some(SiteBy::Domain),
            2 => None,
            _ => return None,
        };
        let count = byte(&mut rest)?;
        let site = text(&mut rest)?;
        let (mut files, mut at) = (Vec::with_capacity(usize::from(count)), 0_u64);
        for _ in 0..count {
            let name = text(&mut rest).filter(|name| is_packed(name))?;
            let (length, sum) = (word(&mut rest)?, word(&mut rest)?);
            files.push(FileEntry { name, at, length, sum });
            at = at.checked_add(length)?;
        }
        (rest.is_empty() && is_name(&site)).then_some(Self { site, by, files })
    }
}

/// Whether a site's name is that of a folder, and no way out of it.
pub(super) fn is_name(site: &str) -> bool {
    !site.is_empty()
        && site.len() <= 255
        && !site.starts_with('.')
        && !site.contains(['/', '\\', '\0'])
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    rest.split_off_first().copied()
}

fn word(rest: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(rest.split_off(..8)?.try_into().ok()?))
}

fn text(rest: &mut &[u8]) -> Option<String> {
    let length = byte(rest)?;
    String::from_utf8(rest.split_off(..usize::from(length))?.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_comes_back_and_names_no_foreign_file() {
        let file = |name: &str| FileEntry { name: name.into(), at: 0, length: 7, sum: 9 };
        let of = |site: &str, file: FileEntry| Directory {
            site: site.into(),
            by: Some(SiteBy::Domain),
            files: vec![file],
        };
        let whole = of("a.test", file("model.json"));
        assert_eq!(Directory::from_bytes(&whole.to_bytes()), Some(whole.clone()));
        for odd in [
            of("../a.test", file("model.json")),
            of("", file("model.json")),
            of("a.test", file("../../passwd")),
            of("a.test", file("notes.txt")),
        ] {
            assert_eq!(Directory::from_bytes(&odd.to_bytes()), None, "{odd:?}");
        }
        let bytes = whole.to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(Directory::from_bytes(&bytes[..length]), None);
        }
    }
}
