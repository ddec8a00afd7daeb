//! Why a folder of a model cannot be loaded or written.

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
    /// A model is to be saved that neither was learned nor came from a folder of its own.
    #[error("only a model that was learned or loaded can be saved")]
    NoRecord,
    /// A pruned model would have to be a network.
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
    /// `rules.json` or `gate.json` cannot be used.
    #[error(transparent)]
    Rules(#[from] RulesReason),
    /// The weights or the words of a network cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsReason),
}

impl ModelReason {
    /// For `map_err`: the file cannot be encoded.
    pub fn unwritable(error: impl std::fmt::Display) -> Self {
        Self::Unwritable { detail: error.to_string() }
    }
}

/// Why the rules or edits of a model cannot be used. A person may have edited them. Arises when a
/// model is loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesReason {
    /// The method learns no rules.
    #[error("is of `{method}`, which is not a rule learner of this version")]
    UnknownLearner {
        /// The method.
        method: String,
    },
    /// `rules.json` is not JSON, or its fields are others.
    #[error("cannot be read as rules: {source}")]
    Json {
        /// What the decoder says.
        source: serde_json::Error,
    },
    /// `rules.json` belongs to another method.
    #[error("holds rules of `{found}`, but model.json says `{expected}`")]
    OtherLearner {
        /// The method that `rules.json` names.
        found: String,
        /// The method that `model.json` names.
        expected: String,
    },
    /// A rule cannot be read, or has no meaning.
    #[error("rule {number}{}: {detail}", in_brackets(notation.as_deref()))]
    Rule {
        /// Its place, from 1 on.
        number: usize,
        /// Its notation, if the file has it.
        notation: Option<String>,
        /// What the decoder says, or the rule itself.
        detail: String,
    },
    /// A rule is not one of the method's.
    #[error(
        "rule {number}{}: is not a rule that `{method}` learns",
        in_brackets(notation.as_deref())
    )]
    ForeignRule {
        /// Its place, from 1 on.
        number: usize,
        /// Its notation, if the file has it.
        notation: Option<String>,
        /// The method.
        method: String,
    },
    /// `gate.json` cannot be read, or one of its entries has no meaning.
    #[error("{detail}")]
    Edits {
        /// The place of the entry, and what the decoder or the entry itself says.
        detail: String,
    },
}

fn in_brackets(notation: Option<&str>) -> String {
    notation.map_or_else(String::new, |notation| format!(" ({notation})"))
}

/// Why the weights or the words of a network cannot be used. Arises when a model is loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsReason {
    /// The file of weights cannot be read.
    #[error("is damaged: {detail}")]
    Damaged {
        /// What the decoder says.
        detail: String,
    },
    /// The file lacks a tensor.
    #[error("has no tensor `{name}`")]
    NoTensor {
        /// The tensor.
        name: String,
    },
    /// A tensor has another type or other sizes than the network.
    #[error("`{name}` is {found}, but model.json expects F32 {expected:?}")]
    OtherTensor {
        /// The tensor.
        name: String,
        /// The type of its numbers and its sizes, such as `F16 [2, 3]`.
        found: String,
        /// The sizes of the network.
        expected: Vec<usize>,
    },
    /// A tensor has infinite values, or values that are not numbers.
    #[error("`{name}` has values that are not numbers")]
    NotFinite {
        /// The tensor.
        name: String,
    },
    /// `tokenizer.json` or `lexicon.json` is not JSON, or its fields are others.
    #[error("{source}")]
    Json {
        /// What the decoder says.
        source: serde_json::Error,
    },
    /// A number in `tokenizer.json` is larger than the vocabulary.
    #[error("`{spelling}` is symbol {symbol}")]
    UnknownSymbol {
        /// The word.
        spelling: String,
        /// Its number.
        symbol: usize,
    },
    /// `tokenizer.json` leaves out a number.
    #[error("symbol {symbol} has no spelling")]
    NoSpelling {
        /// The number.
        symbol: usize,
    },
    /// `tokenizer.json` has more or fewer words than the network.
    #[error("does not have the vocabulary that model.json describes")]
    OtherVocabulary,
    /// `lexicon.json` has more or fewer words than the tagger.
    #[error("does not hold the words and phrases that model.json describes")]
    OtherLexicon,
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
