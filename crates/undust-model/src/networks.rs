//! TODO(doc): networks.

pub mod decode;
mod matrix;
pub mod tagger;
pub mod tokenizer;
pub mod translator;
pub mod weights;
