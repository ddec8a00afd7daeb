//! The inside of a URL: lossless [tokens](Token), and the [template](Symbols) that is left
//! when its arguments are taken out. Knows nothing of crawls, clusters or methods.

mod frequency;
mod template;
mod tokens;

pub use frequency::{DfMode, DocumentFrequencies, FunctionRule};
pub use template::{ARGUMENTS, EOS, GO, PAD, Reading, Symbol, Symbols, UNK};
pub use tokens::{Delimiters, Joiner, Role, Token, Tokens, drop_slashes};
