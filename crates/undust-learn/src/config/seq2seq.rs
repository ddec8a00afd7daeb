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
    /// Step size at first.
    pub learning_rate: f64,
    /// Step size after `max_steps`; in between it falls in a straight line.
    #[serde(skip)]
    pub final_rate: f64,
    /// Pairs in a step.
    pub batch: usize,
    /// Most steps.
    pub max_steps: usize,
    /// Steps between two checks on the held-out clusters.
    pub check_every: usize,
    /// Checks without gain after which training ends.
    #[serde(skip)]
    pub patience: usize,
    /// Share of the clusters that is held out to test on; with 0 training is tested on its own
    /// examples.
    pub held_out: f64,
    /// Weight of the identity pair of a page without a duplicate; a pair weighs 1.
    #[serde(skip)]
    pub singleton_weight: f64,
    /// A pair is drawn in proportion to its count to this power.
    #[serde(skip)]
    pub count_power: f64,
    /// Chance that a function word is taken for an argument in a step.
    #[serde(skip)]
    pub word_dropout: f64,
    /// A text that sources lack is learned if pairs of this many clusters insert it,
    #[serde(skip)]
    pub min_phrase: usize,
    /// or this many pairs of any.
    #[serde(skip)]
    pub min_hub: usize,
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
            final_rate: 0.001,
            batch: 64,
            max_steps: 600,
            check_every: 50,
            patience: 8,
            held_out: 0.0,
            singleton_weight: 0.3,
            count_power: 0.5,
            word_dropout: 0.1,
            min_phrase: 3,
            min_hub: 20,
            max_source: 80,
            min_probability: 0.0,
            keep_unseen: false,
        }
    }
}
