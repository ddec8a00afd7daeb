//! How a network was trained: what training reports while it runs and when it is done.

use serde::{Deserialize, Serialize};

use super::examples::ExampleCounts;
use crate::observer::Check;

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
