//! Why a file of edits cannot be used.

/// Why `gate.json` cannot be used: the place of an entry, and what the decoder or the entry itself says.
/// A person may have edited the file. Arises when a model is loaded.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EditsReason(pub String);
