//! The files of a model's folder that are written after training, each of this model alone.

use std::io::{self, Write};
use std::path::Path;

use undust_util::atomic_file::AtomicFile;
use undust_util::json;

use super::checksum::checksum;
use super::names::MODEL;
use super::source::Source;
use crate::error::{Error, ModelReason, Result};
use crate::operation::{OfModel, OperationRecord};
use crate::pack::check_writable;

impl<T: OperationRecord> OfModel<T> {
    /// Of the model in this folder; of no operation where there is no file, or one of another model.
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
        let none = || Self { model: model.clone(), operations: Vec::new() };
        let json = match source.read(T::FILE) {
            Ok(json) => json,
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(none());
            }
            Err(error) => return Err(error),
        };
        let wrong = |error| {
            let reason = ModelReason::Trials { source: error, without: T::WITHOUT };
            Error::at(source.path().join(T::FILE), reason)
        };
        let read: Self = serde_json::from_slice(&json).map_err(wrong)?;
        Ok(if read.model == model { read } else { none() })
    }

    /// Writes it into the folder, whole or not at all.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written, and one in a pack.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(T::FILE);
        check_writable(&path)?;
        let write = || {
            let mut file = AtomicFile::create(&path)?;
            file.write_all(&json::pretty(self)?)?;
            file.finish()
        };
        write().map_err(Error::io("write", &path))
    }
}
