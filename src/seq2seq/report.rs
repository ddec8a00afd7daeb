//! How a network was trained: what training reports while it runs and when it is done.

use serde::{Deserialize, Serialize};

use super::examples::ExampleCounts;

/// One look at the held-out clusters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Steps taken.
    pub step: usize,
    /// Mean training loss since the last look, in nats a symbol.
    pub loss: f64,
    /// Share of the held-out pairs whose whole target greedy decoding gives.
    pub exact_match: f64,
    /// Loss on the held-out pairs.
    pub held_out_loss: f64,
}

/// Why training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// The held-out clusters got no better for `patience` looks.
    Converged,
    /// `max_steps` were taken.
    MaxSteps,
    /// Somebody asked for it; the best weights so far are kept.
    Interrupted,
}

/// How a training run went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainingReport {
    /// The learning curve.
    pub curve: Vec<Check>,
    /// The look whose weights were kept.
    pub best: Check,
    /// Why it ended.
    pub stopped: Stopped,
}

/// What a network was trained on, and how that went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkReport {
    /// How pairs became examples.
    pub pairs: ExampleCounts,
    /// Distinct template pairs, held-out ones not counted.
    pub templates: usize,
    /// How training went.
    pub training: TrainingReport,
}

/// Observes learning, and may end the training of a network or the gate's loop.
pub trait Observer: Sync {
    /// Called after each step of a network, with the last look at the held-out clusters.
    fn step(&self, _step: usize, _of: usize, _last: Option<&Check>) {}
    /// Called now and then by other work: which it is, such as `judging edits`, and how much of it
    /// is done; `of` is 0 where nobody knows how much there is. Work of one name may come again.
    fn progress(&self, _what: &'static str, _done: usize, _of: usize) {}
    /// Whether to stop now, and keep the best weights or the edits accepted so far.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl Observer for () {}
