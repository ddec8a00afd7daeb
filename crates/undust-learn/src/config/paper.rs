//! Settings of the network of the SIGIR 2017 paper.

use serde::{Deserialize, Serialize};

/// Which optimiser trains the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    /// Plain stochastic gradient descent, as in the paper.
    Sgd,
    /// Adam.
    Adam,
}

/// What the loss of a step is averaged over. The gradient of the second is that of the first
/// times the mean length of a target, and so is a step of plain descent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LossMean {
    /// The target symbols of the batch.
    Symbol,
    /// Its pairs, each with the sum over its symbols: equation (3) of the paper.
    Pair,
}

/// The encoder-decoder of Xu, Liu and Callan (SIGIR 2017). The defaults are the paper's recipe, and
/// where it is silent those of the TensorFlow tutorial that its description matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PaperConfig {
    /// Width of a token's embedding.
    pub embedding: usize,
    /// Units of the encoder's and of the decoder's GRU.
    pub hidden: usize,
    /// Which optimiser.
    pub optimizer: Optimizer,
    /// What the loss that it lowers is the mean over.
    pub loss_mean: LossMean,
    /// Its step size.
    pub learning_rate: f64,
    /// Factor on the step size each time the held-out clusters get no better.
    pub decay: f64,
    /// Largest norm of the gradient; 0 for no bound.
    #[serde(skip)]
    pub clip: f32,
    /// Template pairs in a step.
    pub batch: usize,
    /// Most steps.
    pub max_steps: usize,
    /// Steps between two checks on the held-out clusters.
    pub check_every: usize,
    /// Checks without gain after which training ends.
    #[serde(skip)]
    pub patience: usize,
    /// Share of the duplicate clusters that is held out.
    pub held_out: f64,
    /// Weight of the identity pair of a page without a duplicate; a pair weighs 1.
    pub singleton_weight: f64,
    /// A pair is drawn in proportion to its count to this power; 1 as in the paper.
    pub count_power: f64,
    /// A target token that no source explains is learned if this many pairs share it.
    #[serde(skip)]
    pub min_literal: usize,
    /// Longest source in tokens; a longer URL is not translated.
    pub max_source: usize,
    /// Longest target in tokens.
    #[serde(skip)]
    pub max_target: usize,
    /// Whether decoding may name only arguments that the source has.
    pub mask_arguments: bool,
    /// Whether an answer that would be translated again is refused.
    pub idempotent: bool,
}

impl Default for PaperConfig {
    fn default() -> Self {
        Self {
            embedding: 512,
            hidden: 512,
            optimizer: Optimizer::Sgd,
            loss_mean: LossMean::Pair,
            learning_rate: 0.5,
            decay: 0.99,
            clip: 5.0,
            batch: 20,
            max_steps: 10_000,
            check_every: 100,
            patience: 10,
            held_out: 0.1,
            singleton_weight: 0.0,
            count_power: 1.0,
            min_literal: 3,
            max_source: 40,
            max_target: 50,
            mask_arguments: false,
            idempotent: false,
        }
    }
}
