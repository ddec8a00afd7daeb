//! Why the files of a network cannot be used.

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
