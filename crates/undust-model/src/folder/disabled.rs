//! `disabled.json` of a model's folder: what is switched off until the next training.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use undust_util::atomic_file::AtomicFile;

use super::bytes;
use super::checksum::checksum;
use super::names::{DISABLED, MODEL};
use super::source::Source;
use crate::error::{Error, ModelReason, Result};
use crate::operation::Disabled;
use crate::pack::check_writable;

impl Disabled {
    /// Of the model in this folder.
    ///
    /// # Errors
    ///
    /// A file that is there and cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        Self::of(&Source::at(folder)?)
    }

    /// The same of a model wherever it is.
    pub(crate) fn of(source: &Source) -> Result<Self> {
        let model = source.read(MODEL).map(|bytes| checksum(&bytes))?;
        let path = source.path().join(DISABLED);
        let read: Option<Self> = parsed(&path, source.read(DISABLED), "nothing is switched off")?;
        let none = || Self { model: model.clone(), operations: Vec::new() };
        Ok(read.filter(|disabled| disabled.model == model).unwrap_or_else(none))
    }

    /// Writes it into the folder, whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<()> {
        write_json(&folder.join(DISABLED), self)
    }
}

/// Distinguishes a model from one that training puts in its place: the checksum of its `model.json`, which
/// holds those of the other files.
pub fn identity(folder: &Path) -> Result<String> {
    let path = folder.join(MODEL);
    bytes::read(&path).map(|bytes| checksum(&bytes))
}

/// The contents of a file of a model's folder; none if there is no such file.
///
/// # Errors
///
/// A file that cannot be read, with what happens `without` it.
pub fn read_json<T>(path: &Path, without: &'static str) -> Result<Option<T>>
where
    T: for<'de> Deserialize<'de>,
{
    parsed(path, bytes::read(path), without)
}

fn parsed<T>(path: &Path, read: Result<Vec<u8>>, without: &'static str) -> Result<Option<T>>
where
    T: for<'de> Deserialize<'de>,
{
    let json = match read {
        Ok(json) => json,
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let wrong = |source| Error::at(path, ModelReason::Trials { source, without });
    serde_json::from_slice(&json).map(Some).map_err(wrong)
}

/// Writes such a file, whole or not at all.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    check_writable(path)?;
    let write = || {
        let mut json = serde_json::to_vec_pretty(value)?;
        json.push(b'\n');
        let mut file = AtomicFile::create(path)?;
        file.write_all(&json)?;
        file.finish()
    };
    write().map_err(Error::io("write", path))
}
