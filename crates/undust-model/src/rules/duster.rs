//! TODO(doc): rules/duster.

mod entry;
pub mod features;
mod matching;
mod notation;
pub mod pattern;
pub mod piece;
pub mod tokens;
