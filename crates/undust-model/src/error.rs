//! Why a folder of a model cannot be loaded or written.

mod pack;
mod place;

pub(crate) use undust_util::error::{Error, Reason, Remedy, Result, Subject};

pub use self::pack::PackReason;
pub use self::place::{Obstacle, PlaceReason};
use undust_decoder::error::WeightsReason;
use undust_edits::error::EditsReason;
use undust_rules::error::RulesReason;

/// Why a file of a model's folder, or the folder, cannot be used. Arises when a model is loaded,
/// saved or pruned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelReason {
    /// A file is where the folder of all models should be.
    #[error("is a file; a folder is expected")]
    NotAFolder,
    /// The folder of one site is given in place of that of all sites.
    #[error("is the folder of one site; give its parent folder, which has all sites")]
    OneSite,
    /// The folder has the name of another site than its model.
    #[error("is the model of {site}, not of the site that names its folder")]
    OtherSite {
        /// The site of the model.
        site: String,
    },
    /// A model is to be saved under another name than its site's.
    #[error("the folder of this model must be named {site}")]
    WrongName {
        /// The site of the model.
        site: String,
    },
    /// The model to be saved was neither learned nor loaded from a folder of its own.
    #[error("only a model that was learned or loaded can be saved")]
    NoRecord,
    /// The model to be pruned is a network.
    #[error("is a network, which cannot be pruned")]
    Network,
    /// Instead of a file there is a folder, a pipe or a device.
    #[error("is not a regular file; train the site again")]
    NotRegular,
    /// The file is larger than any that training writes.
    #[error("is larger than {mebibytes} MiB; train the site again")]
    TooLarge {
        /// The most that is read, in MiB.
        mebibytes: u64,
    },
    /// `model.json` lists no checksum of the file.
    #[error("has no checksum in model.json; train the site again")]
    NoChecksum,
    /// The file has another checksum.
    #[error("is damaged or belongs to another model: its checksum is not that in model.json")]
    WrongChecksum,
    /// The file cannot be encoded. Arises when a model is saved.
    #[error("{detail}")]
    Unwritable {
        /// What the encoder says.
        detail: String,
    },
    /// `model.json` is not JSON, or says not what it must.
    #[error("cannot be read as a model description: {source}")]
    Description {
        /// What the decoder says.
        source: serde_json::Error,
    },
    /// `model.json` states no format.
    #[error("has no format, so it is not a model of undust")]
    NoFormat,
    /// `model.json` is of another format.
    #[error("has format {found}, but this version of undust reads format {expected}")]
    OtherFormat {
        /// The format that it has.
        found: u64,
        /// The format that is read.
        expected: u32,
        /// The method that learned the model, if the file names one.
        method: Option<String>,
    },
    /// No network has the sizes in `model.json` or `gate.json`.
    #[error("describes a network of impossible size")]
    ImpossibleSize,
    /// `min_probability` in `model.json` or `gate.json` is no probability.
    #[error("has a min_probability that is not between 0 and 1")]
    NoProbability,
    /// `model.json` says that the model is a network, or a tagger, and not which.
    #[error("does not describe a {what}")]
    NotDescribed {
        /// What is missing: `network` or `tagger`.
        what: &'static str,
    },
    /// `conventions.json` cannot be read.
    #[error("cannot be read as URL conventions: {source}")]
    Conventions {
        /// What the decoder says.
        source: serde_json::Error,
    },
    /// `disabled.json` or `trials.json` cannot be read.
    #[error("cannot be read ({source}); without this file {without}")]
    Trials {
        /// What the decoder says.
        source: serde_json::Error,
        /// What happens if the file is removed.
        without: &'static str,
    },
    /// `gate.json` cannot be used.
    #[error(transparent)]
    Edits(#[from] EditsReason),
    /// `rules.json` cannot be used.
    #[error(transparent)]
    Rules(#[from] RulesReason),
    /// The weights or the words of a network cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsReason),
}

impl ModelReason {
    /// For `map_err`: the file cannot be encoded.
    pub(crate) fn unwritable(error: impl std::fmt::Display) -> Self {
        Self::Unwritable { detail: error.to_string() }
    }
}

impl Reason for ModelReason {
    const SUBJECT: Subject = Subject::Model;

    fn remedy(&self) -> Option<Remedy> {
        let Self::OtherFormat { method, .. } = self else { return None };
        Some(Remedy::Train(method.clone()))
    }
}

/// Why a folder counts as one without models. Arises when a registry is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoModelsReason {
    /// The folder is not there.
    #[error("no such folder")]
    NoFolder,
    /// The folder is there, and none of its folders is a model.
    #[error("has no model")]
    Empty,
}

impl Reason for NoModelsReason {
    const SUBJECT: Subject = Subject::Model;

    fn remedy(&self) -> Option<Remedy> {
        Some(Remedy::Train(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_of_a_file_is_said_as_it_is() {
        let (name, found) = ("bias".into(), "F16 [2, 3]".into());
        let other = WeightsReason::OtherTensor { name, found, expected: vec![3] };
        let sentence = "`bias` is F16 [2, 3], but model.json expects F32 [3]";
        assert_eq!(ModelReason::Weights(other).to_string(), sentence);
    }

    #[test]
    fn a_file_system_is_blamed_by_name() {
        let refused = || std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let obstacle = Obstacle::Unreadable(refused());
        let reason = PlaceReason::InTheWay { path: "a".into(), obstacle };
        let sentence = format!("a is in the way: {}; move it, and try again", refused());
        assert_eq!(reason.to_string(), sentence);
    }
}
