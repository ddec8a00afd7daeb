//! Looks models up in a pack.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use undust_url::site::SiteBy;
use undust_util::error::{Error, ModelReason, PackReason, Result};
use xxhash_rust::xxh3::xxh3_64;

use super::directory::{Directory, FileEntry, LONGEST};
use super::layout::{BUCKET, Entry, HEADER, MAGIC, Slot, VERSION, entries, hash_of, version};
use super::read_at::read_exact_at;
use crate::folder::bytes::most;

/// A generation of a pack: the models that it held when it was opened, whatever is appended later.
#[derive(Debug)]
pub struct Pack {
    path: PathBuf,
    file: File,
    slot: Slot,
}

impl Pack {
    /// Opens the newest generation. Reads the header alone.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, is no pack, is of another version, or ends too early.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(Error::io("read", path))?;
        Self::of_file(file, path)
    }

    /// The newest generation of an open file, whose path is for messages.
    pub(super) fn of_file(file: File, path: &Path) -> Result<Self> {
        let slot = newest(&file, path)?;
        Ok(Self { path: path.to_path_buf(), file, slot })
    }

    /// Whether a file begins as a pack does.
    pub fn is_pack(path: &Path) -> bool {
        first_bytes(path).is_some_and(|magic| magic == MAGIC)
    }

    /// What the header of a file holds now; none where there is no regular file of that length.
    pub(super) fn header(path: &Path) -> Option<[u8; HEADER]> {
        first_bytes(path)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its models.
    pub fn models(&self) -> u64 {
        self.slot.models
    }

    /// How often it was written: 1 for a new pack, one more for each time that models were appended.
    pub fn generation(&self) -> u64 {
        self.slot.generation
    }

    /// Bytes of the file that this generation and those before it take.
    pub fn bytes(&self) -> u64 {
        self.slot.end
    }

    pub(super) fn slot(&self) -> Slot {
        self.slot
    }

    fn damaged(&self, reason: PackReason) -> Error {
        Error::Pack { path: self.path.clone(), reason }
    }

    fn read(&self, length: usize, at: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.read_into(&mut bytes, at)?;
        Ok(bytes)
    }

    fn read_into(&self, bytes: &mut [u8], at: u64) -> Result<()> {
        let read = read_exact_at(&self.file, bytes, at);
        read.map_err(|error| match error.kind() {
            // It was cut while it is served.
            io::ErrorKind::UnexpectedEof => {
                let found = self.file.metadata().map_or(0, |file| file.len());
                self.damaged(PackReason::Cut { found, expected: self.slot.end })
            }
            _ => Error::io("read", &self.path)(error),
        })
    }

    /// The entries of a bucket of the index.
    pub(super) fn bucket(&self, bucket: u64) -> Result<Vec<Entry>> {
        let mut bytes = [0; BUCKET];
        self.read_into(&mut bytes, self.slot.bucket_at(bucket))?;
        let Slot { buckets, models, .. } = self.slot;
        let damage = || PackReason::DamagedIndex {
            bucket: bucket + 1,
            buckets,
            models: models.div_ceil(buckets),
        };
        entries(bucket, &bytes).ok_or_else(|| self.damaged(damage()))
    }

    pub(super) fn directory(&self, entry: Entry) -> Result<Directory> {
        let damage = || self.damaged(PackReason::DamagedModel { at: entry.at });
        let end = entry.at.checked_add(u64::from(entry.length));
        if entry.length > LONGEST || end.is_none_or(|end| end > self.slot.end) {
            return Err(damage());
        }
        let bytes = self.read(entry.length as usize, entry.at)?;
        let directory = Directory::from_bytes(&bytes).filter(|_| xxh3_64(&bytes) == entry.sum);
        directory.ok_or_else(damage)
    }

    /// The model of a site; none if the pack has none. Reads a bucket of the index and a directory.
    ///
    /// # Errors
    ///
    /// The bucket, or the directory, is damaged: the site may have a model, which cannot be read.
    pub fn find(self: &Arc<Self>, site: &str) -> Result<Option<PackedModel>> {
        let hash = hash_of(site);
        let entries = self.bucket(self.slot.bucket_of(hash))?;
        for entry in entries.into_iter().filter(|entry| entry.hash == hash) {
            let model = self.packed(entry)?;
            if model.directory.site == site {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }

    fn packed(self: &Arc<Self>, entry: Entry) -> Result<PackedModel> {
        let directory = self.directory(entry)?;
        let files_at = entry.at + u64::from(entry.length);
        Ok(PackedModel { pack: Arc::clone(self), directory, files_at, sum: entry.sum })
    }

    /// All models in an order of its own, and an error for each part of the pack that is damaged.
    pub fn all(self: &Arc<Self>) -> impl Iterator<Item = Result<PackedModel>> + use<> {
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
    read_exact_at(&file, &mut bytes, 0).ok().map(|()| bytes)
}

/// The newest generation of a pack that is whole.
fn newest(file: &File, path: &Path) -> Result<Slot> {
    let fail = |reason| Error::Pack { path: path.to_path_buf(), reason };
    let found = file.metadata().map_err(Error::io("read", path))?.len();
    let mut header = [0; HEADER];
    let there = HEADER.min(usize::try_from(found).unwrap_or(HEADER));
    read_exact_at(file, &mut header[..there], 0).map_err(Error::io("read", path))?;
    if header[..MAGIC.len()] != MAGIC {
        return Err(fail(PackReason::NotAPack));
    }
    if there < HEADER {
        return Err(fail(PackReason::Cut { found, expected: HEADER as u64 }));
    }
    if version(&header) != VERSION {
        let found = version(&header);
        return Err(fail(PackReason::OtherVersion { found, expected: VERSION }));
    }
    let slot = Slot::newest(&header).ok_or_else(|| fail(PackReason::DamagedHeader))?;
    if slot.end > found {
        return Err(fail(PackReason::Cut { found, expected: slot.end }));
    }
    Ok(slot)
}

/// A model in a pack. Its files are read when they are asked for.
#[derive(Debug, Clone)]
pub struct PackedModel {
    pack: Arc<Pack>,
    directory: Directory,
    files_at: u64,
    /// XXH3 of the directory.
    sum: u64,
}

impl PackedModel {
    /// Its site.
    pub fn site(&self) -> &str {
        &self.directory.site
    }

    /// What the site's name means, if that is known.
    pub fn site_by(&self) -> Option<SiteBy> {
        self.directory.by
    }

    /// Differs where any of its files does.
    pub(crate) fn sum(&self) -> u64 {
        self.sum
    }

    /// What would be its folder, if the pack were one.
    pub fn path(&self) -> PathBuf {
        self.pack.path.join(&self.directory.site)
    }

    /// The names of its files, and how many bytes each has.
    pub fn files(&self) -> impl Iterator<Item = (&str, u64)> {
        self.directory.files.iter().map(|file| (&*file.name, file.length))
    }

    /// When the pack was last written, as far as that is known.
    pub fn written(&self) -> Option<SystemTime> {
        self.pack.file.metadata().and_then(|file| file.modified()).ok()
    }

    /// What a file holds.
    ///
    /// # Errors
    ///
    /// The model has no such file; it is damaged, or too long.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.path().join(name);
        let Some(file) = self.directory.files.iter().find(|file| file.name == name) else {
            return Err(Error::io("read", path)(io::ErrorKind::NotFound.into()));
        };
        let FileEntry { at, length, sum, .. } = *file;
        let fail = |reason| Error::Model { path: path.clone(), reason };
        if length > most(&path) {
            return Err(fail(ModelReason::TooLarge { mebibytes: most(&path) >> 20 }));
        }
        let end = self.files_at.checked_add(at).and_then(|at| at.checked_add(length));
        if end.is_none_or(|end| end > self.pack.slot.end) {
            return Err(fail(ModelReason::WrongChecksum));
        }
        let bytes = self.pack.read(length as usize, self.files_at + at)?;
        if xxh3_64(&bytes) == sum { Ok(bytes) } else { Err(fail(ModelReason::WrongChecksum)) }
    }
}
