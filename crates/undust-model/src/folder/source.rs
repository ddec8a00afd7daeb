//! Where the files of one model are: in a folder, or in a pack.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::bytes;
use super::info::{ModelInfo, checksum};
use super::names::{FACTORS, MODEL, packed};
use crate::error::{Error, ModelReason, Result};
use crate::file_state::is_absent;
use crate::pack::{Pack, PackedModel};

/// Bytes that any model takes, however little its files hold.
const LEAST: usize = 16_384;

/// A model's files, wherever they are.
#[derive(Clone)]
pub(crate) enum Source {
    /// `models/<site>/`.
    Folder(PathBuf),
    /// A part of a pack, `models.undust/<site>` in messages.
    Packed(PackedModel),
}

impl Source {
    /// The model at a path: a folder, or `PACK/SITE` for a model in a pack. A missing folder is an
    /// error only when its files are read.
    ///
    /// # Errors
    ///
    /// The file that it is in is no pack, or has no model of this site.
    pub(crate) fn at(path: &Path) -> Result<Self> {
        let Some((pack, site)) = in_pack(path) else { return Ok(Self::Folder(path.to_path_buf())) };
        let none = || Error::at(path, ModelReason::NoModel);
        let found = Arc::new(Pack::open(pack)?).find(site)?;
        found.map(Self::Packed).ok_or_else(none)
    }

    /// The path by which messages call it. Its last part is the site.
    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::Folder(path) => path.clone(),
            Self::Packed(model) => model.path(),
        }
    }

    /// What a file holds.
    ///
    /// # Errors
    ///
    /// A file that is not there or cannot be read, one of another kind, and one that is too long.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>> {
        match self {
            Self::Folder(path) => bytes::read(&path.join(name)),
            Self::Packed(model) => model.read(name),
        }
    }

    /// The same, of a file that must have the given checksum.
    pub(super) fn read_checked(&self, name: &str, info: &ModelInfo) -> Result<Vec<u8>> {
        let bytes = self.read(name)?;
        match info.checksums.get(name) {
            None => Err(self.wrong(name, ModelReason::NoChecksum)),
            Some(sum) if *sum != checksum(&bytes) => {
                Err(self.wrong(name, ModelReason::WrongChecksum))
            }
            Some(_) => Ok(bytes),
        }
    }

    /// What is wrong with a file.
    pub(super) fn wrong(&self, name: &str, reason: impl Into<ModelReason>) -> Error {
        Error::at(self.path().join(name), reason.into())
    }

    /// Whether there is a model.
    pub(crate) fn is_there(&self) -> bool {
        match self {
            Self::Folder(path) => !is_absent(&path.join(MODEL)),
            Self::Packed(_) => true,
        }
    }

    /// How many bytes [`read`](Self::read) gives; none of what it does not read.
    pub(super) fn bytes(&self, name: &str) -> u64 {
        match self {
            Self::Folder(path) => bytes::bytes(&path.join(name)),
            Self::Packed(model) => {
                model.files().find(|(known, _)| *known == name).map_or(0, |(_, length)| length)
            }
        }
    }

    /// Bytes of all its files.
    pub(crate) fn all_bytes(&self) -> u64 {
        packed().map(|name| self.bytes(name)).fold(0, u64::saturating_add)
    }

    /// Bytes of memory that a model takes at most, about, while it is loaded and served, by the size of
    /// its files; without what it remembers of URLs.
    pub(crate) fn memory_needed(&self) -> usize {
        let of_file = |(name, times): (&str, u64)| {
            let bytes = self.bytes(name);
            usize::try_from(bytes.saturating_mul(times)).unwrap_or(usize::MAX)
        };
        FACTORS.into_iter().map(of_file).fold(LEAST, usize::saturating_add)
    }

    /// When the model's `model.json` was written, if that is known.
    pub(crate) fn written(&self) -> Option<SystemTime> {
        match self {
            Self::Folder(path) => {
                fs::metadata(path.join(MODEL)).and_then(|file| file.modified()).ok()
            }
            Self::Packed(model) => model.written(),
        }
    }

    /// The files that a model may have and this one has, with what they hold, in the order of their names.
    ///
    /// # Errors
    ///
    /// One of them cannot be read.
    pub(crate) fn files(&self) -> Result<Vec<(&'static str, Vec<u8>)>> {
        let mut names: Vec<&str> = packed().collect();
        names.sort_unstable();
        let is_there = |name: &&str| match self {
            Self::Folder(path) => !is_absent(&path.join(name)),
            Self::Packed(model) => model.files().any(|(known, _)| known == *name),
        };
        names.into_iter().filter(is_there).map(|name| Ok((name, self.read(name)?))).collect()
    }
}

/// The file that a path leads into, and the next part of the path; none where it leads into none.
fn in_pack(path: &Path) -> Option<(&Path, &str)> {
    let (pack, site) = (path.parent()?, path.file_name()?.to_str()?);
    (is_absent(path) && Pack::is_pack(pack)).then_some((pack, site))
}

/// What a file in a pack holds, by its path.
pub(super) fn read_packed(path: &Path) -> Option<Result<Vec<u8>>> {
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    in_pack(folder)?;
    Some(Source::at(folder).and_then(|source| source.read(name)))
}
