//! The inside of a URL: lossless [tokens](Token), and the [template](Symbols) that is left
//! when its arguments are taken out. Knows nothing of crawls, clusters or methods.

mod template;
mod tokens;

pub use template::{
    ARGUMENTS, DfMode, DocumentFrequencies, EOS, FunctionRule, GO, PAD, Reading, Symbol, Symbols,
    UNK,
};
pub use tokens::{Delimiters, Joiner, Role, Token, Tokens, drop_slashes};
