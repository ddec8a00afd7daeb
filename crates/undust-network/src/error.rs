//! Why no network is trained.

pub(crate) use undust_util::error::{Error, Reason, Remedy, Result};

/// Why no network is trained. Arises when its training begins, and in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkReason {
    /// A network has no example.
    #[error("no pair of duplicate URLs to learn from")]
    NoPairs,
    /// The weights of a network grew beyond all numbers.
    #[error("training diverged: lower {setting} in the settings")]
    Diverged {
        /// The setting that makes the steps smaller.
        setting: &'static str,
    },
    /// The vocabulary of a network cannot be written.
    #[error("{detail}")]
    Tokenizer {
        /// What the encoder says.
        detail: String,
    },
    /// This machine has no graphics card that burn can use.
    #[error("no graphics card found; install its Vulkan driver and the Vulkan loader")]
    NoAdapter,
}

impl Reason for NetworkReason {
    fn remedy(&self) -> Option<Remedy> {
        matches!(self, Self::NoAdapter).then_some(Remedy::UseProcessor)
    }
}
