//! How a network was trained: what training reports while it runs and when it is done.

use serde::{Deserialize, Serialize};

/// Why training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// The held-out clusters got no better for `patience` checks.
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
    /// The check whose weights were kept.
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
    /// Template pairs held out, by which training was checked; 0 if it was checked by those trained on.
    /// Nothing where an older version wrote the report.
    #[serde(default)]
    pub held_out: Option<usize>,
    /// How training went.
    pub training: TrainingReport,
    /// Sample answers; none for other networks than the pointer network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
}

/// What a trained network writes for some shapes, for a person who looks at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// For the most frequent shapes of training that it changes, the most frequent first.
    pub answers: Vec<Answer>,
    /// Shapes held out from training, each with what is right for it.
    pub held_out: usize,
    /// Those for which it writes another URL.
    pub wrong: usize,
    /// Some of these, the most probable first.
    pub mistakes: Vec<Mistake>,
}

/// What a network writes for a shape. Texts have kinds of arguments in angle brackets, and what is
/// inserted in braces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The shape.
    pub shape: String,
    /// What is written for it.
    pub written: String,
    /// The probability that the network gives it.
    pub probability: f64,
}

/// A shape for which a network writes another URL than the right one. Texts are those of an
/// [`Answer`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mistake {
    /// The shape.
    pub shape: String,
    /// What is written for it.
    pub written: String,
    /// What should be.
    pub right: String,
    /// The probability that the network gives what it writes.
    pub probability: f64,
}

impl NetworkReport {
    /// The pairs that training was checked by: `held-out` or `training`.
    pub fn checked_by(&self) -> &'static str {
        if self.held_out == Some(0) { "training" } else { "held-out" }
    }
}

/// One check on the held-out clusters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// Steps taken.
    pub step: usize,
    /// Mean training loss since the last check, in nats a symbol.
    pub loss: f64,
    /// Share of the held-out pairs whose whole target greedy decoding gives.
    pub exact_match: f64,
    /// Loss on the held-out pairs.
    pub held_out_loss: f64,
}

/// How the pairs of a site became examples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleCounts {
    /// Pairs of pages that have a duplicate.
    pub pairs: usize,
    /// Identity pairs of pages that have none.
    pub singletons: usize,
    /// Pairs left out because a URL has too many tokens or arguments.
    pub too_long: usize,
    /// Pairs left out because the target holds a text that the source lacks and that too
    /// few pairs share: no function of the source's string finds it.
    pub unreachable: usize,
}
