//! What is switched off of a model until the next training: `disabled.json` of its folder.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use undust_util::atomic_file::AtomicFile;
use undust_util::error::{Error, ModelReason, Result};

use super::bytes;
use super::checksum::checksum;
use super::names::{DISABLED, MODEL};
use super::source::Source;
use crate::pack::check_writable;
use crate::translation::Applied;

/// What distinguishes an operation from all others of its model, whatever its place among them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OperationName {
    /// Its notation.
    #[serde(rename = "operation")]
    pub notation: String,
    /// Where it holds, if the same may be done in several places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

impl OperationName {
    /// Of something that is applied to URLs.
    pub fn of(step: &dyn Applied) -> Self {
        let scope = step.scope().map(str::to_owned);
        Self { notation: step.to_string(), scope }
    }
}

/// An operation that is switched off, and what came back of its URLs until then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisabledOperation {
    /// The operation.
    #[serde(flatten)]
    pub name: OperationName,
    /// URLs that showed the page of their form.
    pub agreed: u64,
    /// URLs that showed another.
    pub disagreed: u64,
}

/// Why, in words.
impl fmt::Display for DisabledOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.agreed + self.disagreed;
        write!(f, "{} of {all} explored URLs showed another page", self.disagreed)
    }
}

/// What is switched off of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disabled {
    /// Of which model: its [`identity`]. Of another one nothing is.
    pub model: String,
    /// In the order in which they failed.
    pub operations: Vec<DisabledOperation>,
}

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

    /// Whether this is switched off.
    pub fn has(&self, name: &OperationName) -> bool {
        self.operations.iter().any(|disabled| disabled.name == *name)
    }
}

/// Distinguishes a model from one that training puts in its place: the checksum of its `model.json`, which
/// holds those of the other files.
pub fn identity(folder: &Path) -> Result<String> {
    let path = folder.join(MODEL);
    bytes::read(&path).map(|bytes| checksum(&bytes))
}

/// What a file of a model's folder holds; none where there is no such file.
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
    let wrong = |source| {
        let reason = ModelReason::Trials { source, without };
        Error::Model { path: path.into(), reason }
    };
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
