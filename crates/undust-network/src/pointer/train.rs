//! Training: teacher forcing on distinct shapes, until the held-out clusters get no better.

use burn::optim::{Adam, AdamConfig, Optimizer};
use burn::tensor::{Device, Tensor};
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_decoder::pointer::decode::Written;
use undust_decoder::pointer::weights::{PointerSizes, TENSORS};
use undust_learn::config::Seq2SeqConfig;
use undust_learn::early_stopping::{self, Limits, TrainingRun, held_out_or_all};
use undust_learn::observer::Observer;
use undust_learn::report::network::TrainingReport;
use undust_url::lexicon::{Lexicon, Symbol};

use super::batch::{Row, batch};
use super::examples::{Example, Examples};
use super::network::PointerNetwork;
use crate::error::{Error, NetworkReason, Result};

/// Largest norm of the gradient.
const CLIP: f32 = 5.0;
/// Pairs evaluated at once.
const EVALUATED: usize = 256;
/// Step size after the last step.
const FINAL_RATE: f64 = 0.001;
/// Checks without gain after which training ends.
const PATIENCE: usize = 8;
/// Chance that a function word is taken for an argument in a step.
const WORD_DROPOUT: f64 = 0.1;

/// Trains a network on the examples of a site. On the processor the same examples, configuration and seed
/// give the same weights, bit for bit, with any number of threads.
/// Cost: steps × batch × length × hidden².
pub(crate) fn train(
    examples: &Examples,
    config: &Seq2SeqConfig,
    seed: u64,
    device: &Device,
    observer: &dyn Observer,
) -> Result<(PointerNetwork, TrainingReport)> {
    let limits =
        Limits { max_steps: config.max_steps, check_every: config.check_every, patience: PATIENCE };
    early_stopping::run(Run::new(examples, config, seed, device)?, limits, observer)
}

/// A shape, what is written for it, and how often it was drawn.
type Drawn<'e> = (Vec<Symbol>, &'e [Written], f32);

/// Steps whose pairs are drawn at once.
const BUCKETS: usize = 8;

/// The state of a training run between two steps.
struct Run<'e> {
    examples: &'e Examples,
    config: &'e Seq2SeqConfig,
    device: &'e Device,
    network: PointerNetwork,
    optimizer: Adam,
    states: [Option<<Adam as Optimizer>::State<2>>; TENSORS],
    random: ChaCha8Rng,
    draw: WeightedIndex<f64>,
    /// Of the next steps.
    drawn: Vec<Vec<Drawn<'e>>>,
}

impl TrainingRun for Run<'_> {
    type Network = PointerNetwork;

    fn step(&mut self, taken: usize) -> Result<f32> {
        let drawn = self.draw();
        let rows: Vec<Row<'_>> = drawn
            .iter()
            .map(|(shape, target, weight)| Row { shape, target, weight: *weight })
            .collect();
        let batch = batch(&rows, self.device);
        let pass = self.network.forward(&batch);
        let loss = finite(scalar(pass.loss(&batch)))?;
        let gradients = clipped(self.network.backward(&batch, pass));
        let rate = self.rate(taken);
        let (optimizer, states) = (&self.optimizer, &mut self.states);
        let mut gradients = gradients.into_iter();
        self.network = self.network.map(|number, weight| {
            let Some(gradient) = gradients.next() else { return weight };
            let (next, state) = optimizer.step(rate, weight, gradient, states[number].take());
            states[number] = state;
            next
        });
        Ok(loss)
    }

    fn evaluate(&self) -> Result<(f64, f64)> {
        let examples = held_out_or_all(&self.examples.held_out, &self.examples.train);
        let (exact_match, held_out_loss) =
            exact_match_and_loss(&self.network, examples, self.device);
        finite(held_out_loss as f32)?;
        Ok((exact_match, held_out_loss))
    }

    fn network(&self) -> &PointerNetwork {
        &self.network
    }
}

impl<'e> Run<'e> {
    fn new(
        examples: &'e Examples,
        config: &'e Seq2SeqConfig,
        seed: u64,
        device: &'e Device,
    ) -> Result<Self> {
        let weights = examples.train.iter().map(|example| example.weight);
        let draw = WeightedIndex::new(weights).map_err(|_| NetworkReason::NoPairs)?;
        let sizes = PointerSizes {
            vocabulary: examples.lexicon.len(),
            embedding: config.embedding,
            hidden: config.hidden,
            phrases: examples.phrases.len(),
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let network = PointerNetwork::random(sizes, &mut random, device);
        Ok(Self {
            examples,
            config,
            device,
            network,
            optimizer: AdamConfig::new().with_epsilon(1e-8).build(),
            states: [const { None }; TENSORS],
            random,
            draw,
            drawn: Vec::new(),
        })
    }

    /// From the first rate to the last in a straight line.
    fn rate(&self, taken: usize) -> f64 {
        let first = self.config.learning_rate;
        first + (FINAL_RATE - first) * taken as f64 / self.config.max_steps as f64
    }

    /// The pairs of the next step. Those of several steps are drawn at once, and those of one length
    /// come together: a step costs what its longest pair costs.
    fn draw(&mut self) -> Vec<Drawn<'e>> {
        if self.drawn.is_empty() {
            let mut all: Vec<Drawn<'e>> =
                (0..BUCKETS * self.config.batch).map(|_| self.draw_one()).collect();
            all.sort_by_key(|(shape, target, _)| shape.len() + target.len());
            self.drawn = all.chunks(self.config.batch).map(merged).collect();
            self.drawn.shuffle(&mut self.random);
        }
        self.drawn.pop().unwrap_or_default()
    }

    /// An example that loses words to the kinds of arguments by chance.
    fn draw_one(&mut self) -> Drawn<'e> {
        let example = &self.examples.train[self.draw.sample(&mut self.random)];
        (self.drop_words(&example.shape), &example.target, 1.0)
    }

    /// What the network learns of a word must hold for words that it never saw.
    fn drop_words(&mut self, shape: &[Symbol]) -> Vec<Symbol> {
        let lexicon = &self.examples.lexicon;
        let mut dropped = |symbol: &Symbol| {
            Lexicon::is_word(*symbol) && self.random.random::<f64>() < WORD_DROPOUT
        };
        shape
            .iter()
            .map(|symbol| if dropped(symbol) { lexicon.as_argument(*symbol) } else { *symbol })
            .collect()
    }
}

/// Pairs that are the same count as one of more weight.
fn merged<'e>(drawn: &[Drawn<'e>]) -> Vec<Drawn<'e>> {
    let mut drawn = drawn.to_vec();
    drawn.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    drawn.dedup_by(|next, kept| {
        let same = next.0 == kept.0 && next.1 == kept.1;
        kept.2 += if same { next.2 } else { 0.0 };
        same
    });
    drawn
}

/// Scaled down together where their norm is too large. Stays on the device.
fn clipped(gradients: [Tensor<2>; TENSORS]) -> [Tensor<2>; TENSORS] {
    let zero = Tensor::<1>::zeros([1], &gradients[0].device());
    let squares = gradients.iter().map(|gradient| gradient.clone().square().sum());
    let norm = squares.fold(zero, |sum, square| sum + square).sqrt();
    let scale = norm.clamp_min(CLIP).recip() * CLIP;
    gradients.map(|gradient| gradient * scale.clone().unsqueeze())
}

fn scalar(tensor: Tensor<1>) -> f32 {
    tensor.into_scalar()
}

/// What too large steps end in.
pub(crate) fn diverged() -> Error {
    NetworkReason::Diverged { setting: "seq2seq.learning_rate" }.into()
}

/// Too large steps make weights and loss NaN.
fn finite(loss: f32) -> Result<f32> {
    loss.is_finite().then_some(loss).ok_or_else(diverged)
}

/// Share of the pairs, by count, that greedy decoding gets right, and their mean loss.
///
/// Nothing need be decoded for it: greedy decoding gives the target exactly if each of its answers
/// is the likeliest one after those before it.
fn exact_match_and_loss(
    network: &PointerNetwork,
    examples: &[Example],
    device: &Device,
) -> (f64, f64) {
    let mut order: Vec<&Example> = examples.iter().collect();
    order.sort_by_key(|example| example.shape.len());
    let (mut right, mut loss, mut all) = (0.0, 0.0, 0.0);
    for examples in order.chunks(EVALUATED) {
        let rows: Vec<Row<'_>> = examples
            .iter()
            .map(|e| Row { shape: &e.shape, target: &e.target, weight: e.count as f32 })
            .collect();
        let batch = batch(&rows, device);
        let pass = network.forward(&batch);
        let count: f64 = examples.iter().map(|e| e.count).sum();
        loss += count * f64::from(scalar(pass.loss(&batch)));
        all += count;
        let likeliest: Vec<i32> = pass.likeliest().into_data().iter::<i32>().collect();
        let targets: Vec<i32> = batch.targets.into_data().iter::<i32>().collect();
        let steps = batch.steps;
        for (row, example) in examples.iter().enumerate() {
            let answers = row * steps..row * steps + example.target.len() + 1;
            if likeliest[answers.clone()] == targets[answers] {
                right += example.count;
            }
        }
    }
    (right / all, loss / all)
}
