//! Settings of the neural translator.

use serde::{Deserialize, Serialize};

/// The pointer network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Seq2SeqConfig {
    /// Width of a piece's embedding.
    pub embedding: usize,
    /// Units of the encoder each way, and of the decoder.
    pub hidden: usize,
    /// Step size at first; it falls in a straight line.
    pub learning_rate: f64,
    /// Pairs in a step.
    pub batch: usize,
    /// Most steps.
    pub max_steps: usize,
    /// Steps between two checks on the held-out clusters.
    pub check_every: usize,
    /// Share of the clusters that is held out to test on; with 0 training is tested on its own
    /// examples.
    pub held_out: f64,
    /// Longest source in pieces; a longer URL is not translated.
    pub max_source: usize,
    /// An answer that the network gives a lower probability does not count.
    pub min_probability: f64,
    /// Whether URLs of shapes that training never saw stay as they are.
    pub keep_unseen: bool,
}

impl Default for Seq2SeqConfig {
    fn default() -> Self {
        Self {
            embedding: 32,
            hidden: 64,
            learning_rate: 0.005,
            batch: 64,
            max_steps: 600,
            check_every: 50,
            held_out: 0.0,
            max_source: 80,
            min_probability: 0.0,
            keep_unseen: false,
        }
    }
}
