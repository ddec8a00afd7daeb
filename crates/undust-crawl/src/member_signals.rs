//! Signals from the decoder of compressed members to the reader of the decompressed bytes.

use std::sync::atomic::{AtomicBool, AtomicU64};

/// Signals of a decoder of members.
#[derive(Default)]
pub(super) struct MemberSignals {
    /// Set by a read that returns the first bytes of a member; cleared by the next reader.
    pub began: AtomicBool,
    /// Compressed bytes that were read.
    pub read: AtomicU64,
}
