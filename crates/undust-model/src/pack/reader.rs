//! Looks models up in a pack.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use super::ReadAt;
use super::directory::{Directory, LONGEST};
use super::layout::{
    BUCKET, Entry, HEADER, MAGIC, Slot, VERSION, bucket_of, entries, hash_of, version,
};
use super::packed_model::PackedModel;
use crate::error::{Error, ModelReason, Result};

/// A generation of a pack: the models that it held when it was opened, whatever is appended later.
pub(crate) struct Pack {
    path: PathBuf,
    source: Arc<dyn ReadAt>,
    header: [u8; HEADER],
    pub(super) slot: Slot,
    /// Bytes that are read with each directory: the first of the files behind it.
    pub(super) ahead: usize,
}

impl Pack {
    /// Opens the newest generation. Reads the header alone.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is no pack, is of another version, or ends too early.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::io("read", path))?;
        Self::of_file(file, path)
    }

    /// The newest generation of an open file, whose path is for messages.
    pub(super) fn of_file(file: File, path: &Path) -> Result<Self> {
        Self::over(path, Arc::new(file), 0)
    }

    /// Opens the newest generation of a pack behind any [`ReadAt`]. `path` is for messages. With
    /// the directory of a model, `ahead` bytes of its files are read, which saves a round trip.
    ///
    /// # Errors
    ///
    /// Those of [`Self::open`].
    pub(crate) fn over(path: &Path, source: Arc<dyn ReadAt>, ahead: usize) -> Result<Self> {
        let (header, slot) = newest(&*source, path)?;
        Ok(Self { path: path.to_path_buf(), source, header, slot, ahead })
    }

    /// Whether it is this generation of the same object, as far as its version says.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.header == other.header && self.source.version() == other.source.version()
    }

    /// Whether a file begins as a pack does.
    pub(crate) fn is_pack(path: &Path) -> bool {
        first_bytes(path).is_some_and(|magic| magic == MAGIC)
    }

    /// What the header of a file holds now; none where there is no regular file of that length.
    pub(super) fn header(path: &Path) -> Option<[u8; HEADER]> {
        first_bytes(path)
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its models.
    pub(crate) fn models(&self) -> u64 {
        self.slot.models
    }

    /// How often it was written: 1 for a new pack, one more for each time that models were appended.
    #[cfg(test)]
    pub(crate) fn generation(&self) -> u64 {
        self.slot.generation
    }

    /// When it was last written, as far as that is known.
    pub(super) fn written(&self) -> Option<SystemTime> {
        self.source.written()
    }

    pub(super) fn read(&self, length: usize, at: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.read_into(&mut bytes, at)?;
        Ok(bytes)
    }

    fn read_into(&self, bytes: &mut [u8], at: u64) -> Result<()> {
        let read = self.source.read_exact_at(bytes, at);
        read.map_err(|error| match error.kind() {
            // It was cut while it is served.
            io::ErrorKind::UnexpectedEof => {
                let found = self.source.length().unwrap_or(0);
                Error::at(&self.path, ModelReason::Cut { found, expected: self.slot.end })
            }
            _ => Error::io("read", &self.path)(error),
        })
    }

    /// The entries of a bucket of the index.
    pub(super) fn bucket(&self, bucket: u64) -> Result<Vec<Entry>> {
        let mut bytes = [0; BUCKET];
        self.read_into(&mut bytes, self.slot.bucket_at(bucket))?;
        let Slot { buckets, models, .. } = self.slot;
        let damage = || ModelReason::DamagedIndex {
            bucket: bucket + 1,
            buckets,
            models: models.div_ceil(buckets),
        };
        entries(bucket, &bytes).ok_or_else(|| Error::at(&self.path, damage()))
    }

    /// The directory of a model, and what was read of its files with it.
    pub(super) fn directory(&self, entry: Entry) -> Result<(Directory, Vec<u8>)> {
        let damage = || Error::at(&self.path, ModelReason::DamagedModel { at: entry.at });
        let end = entry.at.checked_add(u64::from(entry.length));
        let end = end.filter(|end| entry.length <= LONGEST && *end <= self.slot.end);
        let left = self.slot.end - end.ok_or_else(damage)?;
        let ahead = self.ahead.min(usize::try_from(left).unwrap_or(usize::MAX));
        let mut bytes = self.read(entry.length as usize + ahead, entry.at)?;
        let files = bytes.split_off(entry.length as usize);
        let directory = Directory::from_bytes(&bytes).filter(|_| xxh3_64(&bytes) == entry.sum);
        Ok((directory.ok_or_else(damage)?, files))
    }

    /// The model of a site; none if the pack has none. Reads a bucket of the index and a directory.
    ///
    /// # Errors
    ///
    /// The bucket, or the directory, is damaged: the site may have a model, which cannot be read.
    pub(crate) fn find(self: &Arc<Self>, site: &str) -> Result<Option<PackedModel>> {
        let hash = hash_of(site);
        let entries = self.bucket(bucket_of(hash, self.slot.buckets))?;
        for entry in entries.into_iter().filter(|entry| entry.hash == hash) {
            let model = self.packed(entry)?;
            if model.site() == site {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }

    fn packed(self: &Arc<Self>, entry: Entry) -> Result<PackedModel> {
        let (directory, ahead) = self.directory(entry)?;
        Ok(PackedModel::new(self, entry, directory, ahead))
    }

    /// All models in no particular order, and an error for each damaged part of the pack.
    pub(crate) fn all(self: &Arc<Self>) -> impl Iterator<Item = Result<PackedModel>> + use<> {
        let pack = Arc::clone(self);
        (0..self.slot.buckets).flat_map(move |bucket| {
            let (entries, damage) = match pack.bucket(bucket) {
                Ok(entries) => (entries, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            let pack = Arc::clone(&pack);
            damage.into_iter().chain(entries.into_iter().map(move |entry| pack.packed(entry)))
        })
    }
}

/// The first bytes of a regular file: opening a pipe would wait for its other end.
fn first_bytes<const N: usize>(path: &Path) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    std::fs::metadata(path).ok().filter(|found| found.is_file())?;
    let file = File::open(path).ok()?;
    file.read_exact_at(&mut bytes, 0).ok().map(|()| bytes)
}

/// The header of a pack, and the newest generation that is whole.
fn newest(source: &dyn ReadAt, path: &Path) -> Result<([u8; HEADER], Slot)> {
    let found = source.length().map_err(Error::io("read", path))?;
    let mut header = [0; HEADER];
    let there = HEADER.min(usize::try_from(found).unwrap_or(HEADER));
    source.read_exact_at(&mut header[..there], 0).map_err(Error::io("read", path))?;
    if header[..MAGIC.len()] != MAGIC {
        return Err(Error::at(path, ModelReason::NotAPack));
    }
    if there < HEADER {
        return Err(Error::at(path, ModelReason::Cut { found, expected: HEADER as u64 }));
    }
    if version(&header) != VERSION {
        let found = version(&header);
        return Err(Error::at(path, ModelReason::OtherVersion { found, expected: VERSION }));
    }
    let slot = Slot::newest(&header).ok_or_else(|| Error::at(path, ModelReason::DamagedHeader))?;
    if slot.end > found {
        return Err(Error::at(path, ModelReason::Cut { found, expected: slot.end }));
    }
    Ok((header, slot))
}
