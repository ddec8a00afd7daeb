//! An operation of a model: by where it is, so that it may be taken away, and by name, so that it may be switched off.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use undust_edits::conventions::NormalizationStep;
use undust_util::atomic_file::AtomicFile;
use undust_util::json;

use crate::error::{Error, ModelReason, Result};
use crate::folder::info::checksum;
use crate::folder::names::{DISABLED, MODEL};
use crate::folder::source::Source;
use crate::pack::check_writable;
use crate::translation::Applied;

/// Which operation of a model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperationRef {
    /// The rule or edit in this place.
    RuleOrEdit(usize),
    /// A step by which URLs are written as their site writes them.
    Normalization(NormalizationStep),
}

/// The identity of an operation within its model, independent of its position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OperationName {
    /// Its notation.
    #[serde(rename = "operation")]
    pub notation: String,
    /// Where it holds, if the same operation may occur in several scopes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}

impl OperationName {
    /// The name of an applied step.
    pub fn of(step: &dyn Applied) -> Self {
        let scope = step.scope().map(str::to_owned);
        Self { notation: step.to_string(), scope }
    }
}

/// An operation that is switched off, and the observations of its URLs until then.
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

impl OperationRecord for DisabledOperation {
    const FILE: &str = DISABLED;
    const WITHOUT: &str = "nothing is switched off";
}

/// What is known of an operation and kept in a file of the model's folder.
pub trait OperationRecord: Serialize + DeserializeOwned {
    /// The file's name.
    const FILE: &str;
    /// What happens if the file is removed.
    const WITHOUT: &str;
}

/// What was found of a model's operations after its training. It holds for no other model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfModel<T> {
    /// Distinguishes the model from one that training puts in its place: the checksum of its `model.json`, which holds
    /// those of the other files.
    pub model: String,
    /// The operations.
    pub operations: Vec<T>,
}

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

/// The operations of a model that are switched off, in the order in which they failed.
pub type Disabled = OfModel<DisabledOperation>;

impl Disabled {
    /// Whether this operation is switched off.
    pub fn has(&self, name: &OperationName) -> bool {
        self.operations.iter().any(|disabled| disabled.name == *name)
    }
}
