//! TODO(doc): folder.

mod bytes;
pub mod disabled;
pub mod exchange;
pub mod files;
pub mod info;
pub mod pruning;
