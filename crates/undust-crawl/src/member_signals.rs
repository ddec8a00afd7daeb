//! What the decoder of compressed members signals to whoever reads what it decompresses.

use std::sync::atomic::{AtomicBool, AtomicU64};

/// Signals of a decoder of members.
#[derive(Default)]
pub(super) struct MemberSignals {
    /// Set by a read whose bytes are the first of a member; whoever reads on clears it.
    pub began: AtomicBool,
    /// Compressed bytes that were read.
    pub read: AtomicU64,
}
