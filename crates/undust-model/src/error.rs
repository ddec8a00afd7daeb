//! Why models cannot be loaded or written.

use std::io;
use std::path::PathBuf;

use undust_util::address::shown;
pub(crate) use undust_util::error::{Error, Reason, Remedy, Result, Subject};

use undust_decoder::error::WeightsReason;
use undust_edits::error::EditsReason;
use undust_rules::error::RulesReason;

/// Why models, or a file of one, cannot be used: read, served, written, or packed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelReason {
    /// There is no folder of models.
    #[error("no such folder")]
    NoFolder,
    /// The folder or pack is there, and holds no model.
    #[error("has no model")]
    NoModels,
    /// A file is where a folder should be.
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
    /// The model to be pruned is a network.
    #[error("is a network, which cannot be pruned")]
    Network,
    /// No folder can have the name of a site.
    #[error(
        "the site {site} cannot have a model: its name has {} bytes, and a folder's at most {most}",
        site.len()
    )]
    LongName {
        /// The site.
        site: String,
        /// Bytes of the longest name that file systems take.
        most: usize,
    },
    /// No site has this name.
    #[error("{name:?} is not the name of a site")]
    NotASite {
        /// The name.
        name: String,
    },
    /// Something else is in the place of a model, and is not to be lost.
    #[error("{} is in the way: {obstacle}; move it, and try again", shown(path))]
    InTheWay {
        /// The place.
        path: PathBuf,
        /// What is there.
        obstacle: io::Error,
    },
    /// The file does not begin as a pack does.
    #[error("is no pack of models")]
    NotAPack,
    /// Another version wrote it.
    #[error(
        "is a pack of version {found}, but this version of undust reads version {expected}; pack the models again"
    )]
    OtherVersion {
        /// The version that it has.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// It ends too early.
    #[error("ends at byte {found} of {expected}; copy it again")]
    Cut {
        /// Bytes of the file.
        found: u64,
        /// Bytes that it should have.
        expected: u64,
    },
    /// Neither of the two places that say where the index is can be read.
    #[error("is damaged in its header; copy it again")]
    DamagedHeader,
    /// A bucket of the index is damaged.
    #[error(
        "is damaged in part {bucket} of {buckets} of its index, and about {models} models cannot be found; copy it again"
    )]
    DamagedIndex {
        /// The bucket, from 1 on.
        bucket: u64,
        /// Buckets of the index.
        buckets: u64,
        /// Models of a bucket, on average.
        models: u64,
    },
    /// The directory of a model is damaged, or is that of no model.
    #[error("is damaged at byte {at}, in the directory of a model; copy it again")]
    DamagedModel {
        /// Where the directory begins.
        at: u64,
    },
    /// Something is to be written into it that changes a folder of a model.
    #[error("is a pack of models, into which nothing is written")]
    ReadOnly,
    /// A model is asked for that is not there.
    #[error("the pack has no model of this site")]
    NoModel,
    /// Something is to be packed that a pack does not hold.
    #[error("cannot be packed: {detail}")]
    NotPackable {
        /// What it is.
        detail: &'static str,
    },
    /// Another process appends to it.
    #[error("is being appended to by another process; try again when that has ended")]
    InUse,
    /// The file that is appended to is no longer at its path.
    #[error("another pack was put in its place; append again")]
    Replaced,
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
        match self {
            Self::NoFolder | Self::NoModels => Some(Remedy::Train(None)),
            Self::OtherFormat { method, .. } => Some(Remedy::Train(method.clone())),
            Self::ReadOnly => Some(Remedy::Unpack),
            Self::NotAPack => Some(Remedy::Pack),
            _ => None,
        }
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
}
