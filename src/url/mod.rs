//! The inside of a URL: lossless [tokens](Token), and the [template](Vocabulary) that is left
//! when its arguments are taken out; its [keys and values](KeyedUrl), and the
//! [deep tokens](DeepPattern) of a value. Knows nothing of crawls, clusters or methods.

mod deep;
mod frequency;
mod keys;
mod template;
mod tokens;

pub(crate) use deep::Sample as DeepSample;
pub use deep::{DeepPattern, DeepTokenizer};
pub use frequency::{DfMode, DocumentFrequencies, FunctionRule};
pub use keys::{Argument, DeepAt, Key, KeyedUrl};
pub use template::{ARGUMENTS, EOS, GO, PAD, Reading, Symbol, UNK, Vocabulary};
pub use tokens::{Delimiters, Joiner, Role, Token, Tokens, drop_slashes};
