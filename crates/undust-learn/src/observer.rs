//! The observer of learning, which may also end it: a progress bar, Ctrl-C.

pub use crate::report::network::Check;

/// Observes learning, and may end the training of a network or the gate's loop.
pub trait Observer: Sync {
    /// Called after each step of a network, with the last check on the held-out clusters.
    fn step(&self, _step: usize, _of: usize, _last: Option<&Check>) {}
    /// Called now and then by other work: which it is, such as `testing edits`, and how much of it
    /// is done; `of` is 0 where nobody knows how much there is. Work of one name may come again.
    fn progress(&self, _what: &'static str, _done: usize, _of: usize) {}
    /// Whether to stop now, and keep the best weights or the edits accepted so far.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl Observer for () {}
