//! What the decoder of compressed members tells whoever reads what it decompresses.

use std::sync::atomic::{AtomicBool, AtomicU64};

/// What members tell whoever reads them.
#[derive(Default)]
pub(super) struct Told {
    /// Set by a read whose bytes are the first of a member; whoever reads on clears it.
    pub began: AtomicBool,
    /// Compressed bytes that were read.
    pub read: AtomicU64,
}
