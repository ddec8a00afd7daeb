//! Training the tagger: cross entropy of its tags, until the held-out clusters get no better.

use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_model::networks::encoder::shape_batch::ShapeBatch;
use undust_model::networks::tagger::labels::Tag;
use undust_model::networks::tagger::weights::{TaggerSizes, TaggerWeights};
use undust_model::report::network::TrainingReport;
use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::error::{Error, Result, TrainingReason};

use super::adam::Adam;
use super::examples::{Example, Examples};
use super::gradient::{gradient, loss};
use crate::config::TaggerConfig;
use crate::early_stopping::{self, Limits, TrainingRun, held_out_or_all};
use crate::observer::Observer;

/// Trains a tagger on the examples of one site, on the calling thread. The same examples,
/// settings and seed give the same weights, bit for bit. Cost: steps × batch × length × hidden².
pub(super) fn train(
    examples: &Examples,
    config: &TaggerConfig,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(TaggerWeights, TrainingReport)> {
    let limits = Limits {
        max_steps: config.max_steps,
        check_every: config.check_every,
        patience: config.patience,
    };
    early_stopping::run(Run::new(examples, config, seed)?, limits, observer)
}

/// Largest norm of the gradient.
const CLIP: f32 = 5.0;

/// The state of a training run between two steps.
struct Run<'e> {
    examples: &'e Examples,
    config: &'e TaggerConfig,
    weights: TaggerWeights,
    adam: Adam,
    random: ChaCha8Rng,
    draw: WeightedIndex<f64>,
}

/// Uniform, in inverse proportion to the root of the units; embeddings within 1.
fn random_weights(sizes: &TaggerSizes, random: &mut ChaCha8Rng) -> TaggerWeights {
    let bound = 1.0 / (sizes.hidden as f32).sqrt();
    TaggerWeights::filled(sizes, |name| {
        let bound = if name == "embedding" { 1.0 } else { bound };
        random.random_range(-bound..bound)
    })
}

impl TrainingRun for Run<'_> {
    type Network = TaggerWeights;

    fn step(&mut self, taken: usize) -> Result<f32> {
        let drawn = self.draw();
        let shapes: Vec<&[Symbol]> = drawn.iter().map(|drawn| drawn.shape.as_slice()).collect();
        let tags: Vec<&[Tag]> = drawn.iter().map(|drawn| drawn.tags).collect();
        let all: f32 = drawn.iter().map(|drawn| drawn.times * drawn.tags.len() as f32).sum();
        let weights: Vec<f32> = drawn.iter().map(|drawn| drawn.times / all).collect();
        let batch = ShapeBatch::new(&shapes, 1);
        let pass = self.weights.read(&self.weights.tables(), &batch);
        let (mean, by_scores) = loss(&pass, &batch, &tags, &weights);
        let by_weights = gradient(&self.weights, &batch, &pass, &by_scores);
        self.adam.step(self.rate(taken), CLIP, &mut self.weights, &by_weights);
        Ok(mean)
    }

    fn evaluate(&self) -> Result<(f64, f64)> {
        let examples = held_out_or_all(&self.examples.held_out, &self.examples.train);
        let (exact_match, held_out_loss) = exact_match_and_loss(&self.weights, examples);
        if !held_out_loss.is_finite() || !self.weights.are_finite() {
            let setting = "tagger.learning_rate";
            return Err(Error::Training(TrainingReason::Diverged { setting }));
        }
        Ok((exact_match, held_out_loss))
    }

    fn network(&self) -> &TaggerWeights {
        &self.weights
    }
}

impl<'e> Run<'e> {
    fn new(examples: &'e Examples, config: &'e TaggerConfig, seed: u64) -> Result<Self> {
        let shares = examples.train.iter().map(|e| e.count.powf(config.count_power));
        let draw =
            WeightedIndex::new(shares).map_err(|_| Error::Training(TrainingReason::NoPairs))?;
        let sizes = TaggerSizes {
            vocabulary: examples.lexicon.len(),
            embedding: config.embedding,
            hidden: config.hidden,
            phrases: examples.phrases.len(),
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let weights = random_weights(&sizes, &mut random);
        Ok(Self { examples, config, weights, adam: Adam::new(&sizes), random, draw })
    }

    /// From the first rate to the last in a straight line.
    fn rate(&self, taken: usize) -> f32 {
        let (first, last) = (self.config.learning_rate, self.config.final_rate);
        (first + (last - first) * taken as f64 / self.config.max_steps as f64) as f32
    }

    /// The examples of the next step, longest first. Each loses words to the kinds of arguments
    /// by chance; those that still are the same count as one of more weight.
    fn draw(&mut self) -> Vec<Drawn<'e>> {
        let mut drawn: Vec<Drawn<'e>> = Vec::with_capacity(self.config.batch);
        for _ in 0..self.config.batch {
            let example = &self.examples.train[self.draw.sample(&mut self.random)];
            let shape = self.drop_words(&example.shape);
            drawn.push(Drawn { shape, tags: &example.tags, times: 1.0 });
        }
        drawn.sort_by(|a, b| {
            (b.shape.len(), &b.shape, b.tags).cmp(&(a.shape.len(), &a.shape, a.tags))
        });
        drawn.dedup_by(|next, kept| {
            let same = next.shape == kept.shape && next.tags == kept.tags;
            kept.times += if same { next.times } else { 0.0 };
            same
        });
        drawn
    }

    /// What the tagger learns of a word must hold for words that it never saw.
    fn drop_words(&mut self, shape: &[Symbol]) -> Vec<Symbol> {
        let lexicon = &self.examples.lexicon;
        let share = self.config.word_dropout;
        let mut dropped =
            |symbol: &Symbol| Lexicon::is_word(*symbol) && self.random.random::<f64>() < share;
        shape
            .iter()
            .map(|symbol| if dropped(symbol) { lexicon.as_argument(*symbol) } else { *symbol })
            .collect()
    }
}

/// An example with some words dropped.
struct Drawn<'e> {
    shape: Vec<Symbol>,
    tags: &'e [Tag],
    /// How often it was drawn.
    times: f32,
}

/// Shapes evaluated at once.
const EVALUATED: usize = 256;

/// Share of the examples, by count, whose tags are all right, and their mean loss a tag.
fn exact_match_and_loss(weights: &TaggerWeights, examples: &[Example]) -> (f64, f64) {
    let mut examples: Vec<&Example> = examples.iter().collect();
    examples.sort_by_key(|example| std::cmp::Reverse(example.shape.len()));
    let tables = weights.tables();
    let (mut right, mut losses, mut all, mut all_tags) = (0.0, 0.0, 0.0, 0.0);
    for examples in examples.chunks(EVALUATED) {
        let shapes: Vec<&[Symbol]> = examples.iter().map(|e| e.shape.as_slice()).collect();
        let tags: Vec<&[Tag]> = examples.iter().map(|e| e.tags.as_slice()).collect();
        let counts: Vec<f32> = examples.iter().map(|e| e.count as f32).collect();
        let batch = ShapeBatch::new(&shapes, 1);
        let pass = weights.read(&tables, &batch);
        losses += f64::from(loss(&pass, &batch, &tags, &counts).0);
        for (example, given) in examples.iter().zip(pass.tags(&batch, &shapes)) {
            all += example.count;
            all_tags += example.count * given.len() as f64;
            right += if given == example.tags { example.count } else { 0.0 };
        }
    }
    (right / all, losses / all_tags)
}
