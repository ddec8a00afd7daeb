//! Training the tagger: cross entropy of its tags, until the held-out clusters get no better.

use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_model::networks::tagger::labels::Tag;
use undust_model::networks::tagger::network::ShapeBatch;
use undust_model::networks::tagger::weights::{TaggerSizes, TaggerWeights};
use undust_model::report::network::{Stopped, TrainingReport};
use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::error::{Error, Result, TrainingReason};

use super::adam::Adam;
use super::examples::{Example, Examples};
use super::gradient::{gradient, loss};
use crate::config::TaggerConfig;
use crate::observer::{Check, Observer};

/// Trains a tagger on the examples of one site, on the calling thread. The same examples,
/// settings and seed give the same weights, bit for bit. Cost: steps × batch × length × hidden².
pub(super) fn train(
    examples: &Examples,
    config: &TaggerConfig,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(TaggerWeights, TrainingReport)> {
    let mut run = Run::new(examples, config, seed)?;
    let stopped = loop {
        if run.step == config.max_steps {
            break Stopped::MaxSteps;
        }
        if observer.interrupted() {
            break Stopped::Interrupted;
        }
        run.step();
        if run.step.is_multiple_of(config.check_every) || run.step == config.max_steps {
            run.check()?;
        }
        observer.step(run.step, config.max_steps, run.curve.last());
        if run.stale >= config.patience {
            break Stopped::Converged;
        }
    };
    if run.curve.is_empty() {
        return Err(Error::Training(TrainingReason::Interrupted));
    }
    let (weights, best) = run.best;
    Ok((weights, TrainingReport { curve: run.curve, best, stopped }))
}

/// Largest norm of the gradient.
const CLIP: f32 = 5.0;
/// Share by which the held-out loss must fall to count as a gain where exact match does not.
const LEAST_GAIN: f64 = 0.01;

/// The state of a training run between two steps.
struct Run<'e> {
    examples: &'e Examples,
    config: &'e TaggerConfig,
    weights: TaggerWeights,
    adam: Adam,
    random: ChaCha8Rng,
    draw: WeightedIndex<f64>,
    step: usize,
    losses: Vec<f64>,
    curve: Vec<Check>,
    best: (TaggerWeights, Check),
    stale: usize,
}

/// Uniform, in inverse proportion to the root of the units; embeddings within 1.
fn random_weights(sizes: &TaggerSizes, random: &mut ChaCha8Rng) -> TaggerWeights {
    let bound = 1.0 / (sizes.hidden as f32).sqrt();
    TaggerWeights::filled(sizes, |name| {
        let bound = if name == "embedding" { 1.0 } else { bound };
        random.random_range(-bound..bound)
    })
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
        let untrained =
            Check { step: 0, loss: f64::NAN, exact_match: -1.0, held_out_loss: f64::INFINITY };
        Ok(Self {
            examples,
            config,
            best: (weights.clone(), untrained),
            weights,
            adam: Adam::new(&sizes),
            random,
            draw,
            step: 0,
            losses: Vec::new(),
            curve: Vec::new(),
            stale: 0,
        })
    }

    fn step(&mut self) {
        let drawn = self.draw();
        let shapes: Vec<&[Symbol]> = drawn.iter().map(|drawn| drawn.shape.as_slice()).collect();
        let tags: Vec<&[Tag]> = drawn.iter().map(|drawn| drawn.tags).collect();
        let all: f32 = drawn.iter().map(|drawn| drawn.times * drawn.tags.len() as f32).sum();
        let weights: Vec<f32> = drawn.iter().map(|drawn| drawn.times / all).collect();
        let batch = ShapeBatch::new(&shapes, 1);
        let pass = self.weights.read(&self.weights.tables(), &batch);
        let (mean, by_scores) = loss(&pass, &batch, &tags, &weights);
        let by_weights = gradient(&self.weights, &batch, &pass, &by_scores);
        self.losses.push(f64::from(mean));
        self.adam.step(self.rate(), CLIP, &mut self.weights, &by_weights);
        self.step += 1;
    }

    /// From the first rate to the last in a straight line.
    fn rate(&self) -> f32 {
        let (first, last) = (self.config.learning_rate, self.config.final_rate);
        (first + (last - first) * self.step as f64 / self.config.max_steps as f64) as f32
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

    /// Looks at the held-out examples; keeps the weights where they are the best so far.
    fn check(&mut self) -> Result<()> {
        let judged = match self.examples.held_out.as_slice() {
            [] => &self.examples.train,
            held_out => held_out,
        };
        let (exact_match, held_out_loss) = judge(&self.weights, judged);
        if !held_out_loss.is_finite() || !self.weights.are_finite() {
            let setting = "tagger.learning_rate";
            return Err(Error::Training(TrainingReason::Diverged { setting }));
        }
        let loss = self.losses.iter().sum::<f64>() / self.losses.len().max(1) as f64;
        self.losses.clear();
        let check = Check { step: self.step, loss, exact_match, held_out_loss };
        self.curve.push(check);
        let best = self.best.1;
        let equal = exact_match == best.exact_match;
        let clearly_lower = held_out_loss < best.held_out_loss * (1.0 - LEAST_GAIN);
        let gained = exact_match > best.exact_match || equal && clearly_lower;
        self.stale = if gained { 0 } else { self.stale + 1 };
        if exact_match > best.exact_match || equal && held_out_loss < best.held_out_loss {
            self.best = (self.weights.clone(), check);
        }
        Ok(())
    }
}

/// An example with some words dropped.
struct Drawn<'e> {
    shape: Vec<Symbol>,
    tags: &'e [Tag],
    /// How often it was drawn.
    times: f32,
}

/// Shapes judged at once.
const JUDGED: usize = 256;

/// Share of the examples, by count, whose tags are all right, and their mean loss a tag.
fn judge(weights: &TaggerWeights, examples: &[Example]) -> (f64, f64) {
    let mut examples: Vec<&Example> = examples.iter().collect();
    examples.sort_by_key(|example| std::cmp::Reverse(example.shape.len()));
    let tables = weights.tables();
    let (mut right, mut losses, mut all, mut all_tags) = (0.0, 0.0, 0.0, 0.0);
    for examples in examples.chunks(JUDGED) {
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
