//! A model in a pack: its files.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use undust_url::site::SiteBy;
use xxhash_rust::xxh3::xxh3_64;

use super::directory::{Directory, FileEntry};
use super::layout::Entry;
use super::reader::Pack;
use crate::error::{Error, ModelReason, Result};
use crate::folder::names::most;

/// Bytes of a model's files that are read at once where each read takes a round trip; those of a longer model are
/// read file by file.
const MOST_AT_ONCE: u64 = 1 << 20;

/// A model in a pack. Its files are read when they are asked for.
#[derive(Clone)]
pub(crate) struct PackedModel {
    pack: Arc<Pack>,
    directory: Arc<Directory>,
    files_at: u64,
    /// XXH3 of the directory.
    sum: u64,
    /// The first bytes of the files, which were read with the directory.
    ahead: Arc<[u8]>,
    /// All of them, once one was asked for that is not in `ahead`.
    all: OnceLock<Arc<[u8]>>,
}

impl PackedModel {
    pub(super) fn new(
        pack: &Arc<Pack>,
        entry: Entry,
        directory: Directory,
        ahead: Vec<u8>,
    ) -> Self {
        Self {
            pack: Arc::clone(pack),
            directory: Arc::new(directory),
            files_at: entry.at + u64::from(entry.length),
            sum: entry.sum,
            ahead: ahead.into(),
            all: OnceLock::new(),
        }
    }

    /// Its site.
    pub(crate) fn site(&self) -> &str {
        &self.directory.site
    }

    /// What the site's name means, if that is known.
    pub(crate) fn site_by(&self) -> Option<SiteBy> {
        self.directory.by
    }

    /// Differs where any of its files does.
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// Whether it is of this pack.
    pub(super) fn is_of(&self, pack: &Arc<Pack>) -> bool {
        Arc::ptr_eq(&self.pack, pack)
    }

    /// Its path as if the pack were a folder.
    pub(crate) fn path(&self) -> PathBuf {
        self.pack.path().join(&self.directory.site)
    }

    /// The names of its files, and how many bytes each has.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, u64)> {
        self.directory.files.iter().map(|file| (&*file.name, file.length))
    }

    /// When the pack was last written, as far as that is known.
    pub(crate) fn written(&self) -> Option<SystemTime> {
        self.pack.written()
    }

    /// The contents of a file.
    ///
    /// # Errors
    ///
    /// The model has no such file; it is damaged, or too long.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.path().join(name);
        let Some(file) = self.directory.files.iter().find(|file| file.name == name) else {
            return Err(Error::io("read", path)(io::ErrorKind::NotFound.into()));
        };
        let fail = |reason| Error::at(&path, reason);
        if file.length > most(&path) {
            return Err(fail(ModelReason::TooLarge { mebibytes: most(&path) >> 20 }));
        }
        let end = self.files_at.checked_add(file.at).and_then(|at| at.checked_add(file.length));
        if end.is_none_or(|end| end > self.pack.slot.end) {
            return Err(fail(ModelReason::WrongChecksum));
        }
        let bytes = self.bytes(file)?;
        if xxh3_64(&bytes) == file.sum { Ok(bytes) } else { Err(fail(ModelReason::WrongChecksum)) }
    }

    /// The bytes of a file that lies within the pack.
    fn bytes(&self, file: &FileEntry) -> Result<Vec<u8>> {
        if let Some(bytes) = part(&self.ahead, file) {
            return Ok(bytes.to_vec());
        }
        if let Some(bytes) = self.all()?.and_then(|all| part(all, file)) {
            return Ok(bytes.to_vec());
        }
        self.pack.read(file.length as usize, self.files_at + file.at)
    }

    /// The bytes of all files, where it is better to read them at once.
    fn all(&self) -> Result<Option<&[u8]>> {
        let length = self.directory.files.last().map_or(0, |last| last.at + last.length);
        let is_within = self.files_at.saturating_add(length) <= self.pack.slot.end;
        if self.pack.ahead == 0 || length > MOST_AT_ONCE || !is_within {
            return Ok(None);
        }
        if let Some(all) = self.all.get() {
            return Ok(Some(all));
        }
        let have = self.ahead.len().min(length as usize);
        let rest = self.pack.read(length as usize - have, self.files_at + have as u64)?;
        let all = [&self.ahead[..have], &rest[..]].concat();
        Ok(Some(self.all.get_or_init(|| all.into())))
    }
}

/// A file among the bytes of a model's files.
fn part<'b>(bytes: &'b [u8], file: &FileEntry) -> Option<&'b [u8]> {
    let (at, length) = (usize::try_from(file.at).ok()?, usize::try_from(file.length).ok()?);
    bytes.get(at..at.checked_add(length)?)
}
