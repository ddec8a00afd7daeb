//! Training: teacher forcing on distinct template pairs, until the held-out clusters get no
//! better.

use burn::tensor::Device;
use rand::SeedableRng;
use rand::distr::Distribution;
use rand::distr::weighted::WeightedIndex;
use rand_chacha::ChaCha8Rng;

use undust_decoder::translator_weights::TranslatorSizes;
use undust_learn::config::{LossMean, PaperConfig};
use undust_learn::early_stopping::{self, Limits, TrainingRun, held_out_or_all};
use undust_learn::observer::Observer;
use undust_learn::report::network::TrainingReport;
use undust_url::template::EOS;

use super::batch::batch;
use super::examples::{Example, Examples};
use super::network::Network;
use super::optimizer::AnyOptimizer;
use crate::error::{Error, NetworkReason, Result};

/// Trains a network on the examples of one site. On the processor the same examples,
/// configuration and seed give the same weights, bit for bit, with any number of threads.
/// Cost: steps × batch × length × hidden².
pub(crate) fn train(
    examples: &Examples,
    config: &PaperConfig,
    seed: u64,
    device: &Device,
    observer: &dyn Observer,
) -> Result<(Network, TrainingReport)> {
    let limits = Limits {
        max_steps: config.max_steps,
        check_every: config.check_every,
        patience: config.patience,
    };
    early_stopping::run(Run::new(examples, config, seed, device)?, limits, observer)
}

/// The state of a training run between two steps.
struct Run<'e> {
    examples: &'e Examples,
    config: &'e PaperConfig,
    device: &'e Device,
    network: Network,
    optimizer: AnyOptimizer,
    random: ChaCha8Rng,
    draw: WeightedIndex<f64>,
    rate: f64,
}

impl TrainingRun for Run<'_> {
    type Network = Network;

    fn step(&mut self, _: usize) -> Result<f32> {
        let (drawn, times) = self.draw();
        let batch = batch(&drawn, &times, self.device);
        let pass = self.network.forward(&batch);
        let loss = finite(scalar(pass.loss(&batch)))?;
        let batch = match self.config.loss_mean {
            LossMean::Symbol => batch,
            LossMean::Pair => batch.scaled(mean_length(&drawn, &times)),
        };
        let gradients =
            self.network.backward(&batch, pass).clipped(&self.network, self.config.clip);
        self.optimizer.step(self.rate, &mut self.network, gradients);
        Ok(loss)
    }

    fn evaluate(&self) -> Result<(f64, f64)> {
        let examples = held_out_or_all(&self.examples.held_out, &self.examples.train);
        let (exact_match, held_out_loss) =
            exact_match_and_loss(&self.network, examples, self.device);
        finite(held_out_loss as f32)?;
        Ok((exact_match, held_out_loss))
    }

    fn no_gain(&mut self) {
        self.rate *= self.config.decay;
    }

    fn network(&self) -> &Network {
        &self.network
    }
}

impl<'e> Run<'e> {
    fn new(
        examples: &'e Examples,
        config: &'e PaperConfig,
        seed: u64,
        device: &'e Device,
    ) -> Result<Self> {
        let weights = examples.train.iter().map(|e| e.count.powf(config.count_power));
        let draw = WeightedIndex::new(weights).map_err(|_| NetworkReason::NoPairs)?;
        let shape = TranslatorSizes {
            vocabulary: examples.vocabulary.len(),
            embedding: config.embedding,
            hidden: config.hidden,
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let network = Network::random(shape, &mut random, device);
        Ok(Self {
            examples,
            config,
            device,
            network,
            optimizer: AnyOptimizer::new(config.optimizer),
            random,
            draw,
            rate: config.learning_rate,
        })
    }

    /// The pairs of the next step, each once, and how often it was drawn: frequent ones are
    /// drawn many times, and one pass with their number as weight does for all.
    fn draw(&mut self) -> (Vec<&'e Example>, Vec<f32>) {
        let mut drawn: Vec<usize> =
            (0..self.config.batch).map(|_| self.draw.sample(&mut self.random)).collect();
        drawn.sort_unstable();
        let runs = drawn.chunk_by(|a, b| a == b);
        runs.map(|run| (&self.examples.train[run[0]], run.len() as f32)).unzip()
    }
}

/// Mean number of target symbols of drawn pairs, weighted by `times` and with the end counted.
fn mean_length(drawn: &[&Example], times: &[f32]) -> f32 {
    let symbols = drawn.iter().zip(times).map(|(e, times)| times * (e.target.len() + 1) as f32);
    symbols.sum::<f32>() / times.iter().sum::<f32>()
}

/// Too large steps make weights and loss NaN.
fn finite(loss: f32) -> Result<f32> {
    loss.is_finite().then_some(loss).ok_or_else(diverged)
}

/// What too large steps end in.
pub(crate) fn diverged() -> Error {
    NetworkReason::Diverged { setting: "seq2seq_paper.learning_rate" }.into()
}

fn scalar(tensor: burn::tensor::Tensor<1>) -> f32 {
    tensor.into_scalar()
}

/// Pairs evaluated at once.
const EVALUATED: usize = 256;

/// Share of the pairs, by count, that greedy decoding gets right, and their mean loss.
///
/// Nothing need be decoded for it: greedy decoding gives the target exactly if each of its
/// symbols is the likeliest one after those before it. (With symbols masked it may be right
/// even where a masked one is likelier: this errs on the side of fewer.)
fn exact_match_and_loss(network: &Network, examples: &[Example], device: &Device) -> (f64, f64) {
    let (mut right, mut loss, mut all) = (0.0, 0.0, 0.0);
    for examples in examples.chunks(EVALUATED) {
        let examples: Vec<_> = examples.iter().collect();
        let counts: Vec<_> = examples.iter().map(|e| e.count as f32).collect();
        let batch = batch(&examples, &counts, device);
        let pass = network.forward(&batch);
        let count: f64 = examples.iter().map(|e| e.count).sum();
        loss += count * f64::from(scalar(pass.loss(&batch)));
        all += count;
        let likeliest: Vec<i32> = pass.likeliest().into_data().iter::<i32>().collect();
        for (row, example) in examples.iter().enumerate() {
            let given =
                (0..=example.target.len()).map(|time| likeliest.get(time * batch.pairs + row));
            let target = example.target.iter().copied().chain([EOS]);
            if given.eq(target.map(|symbol| symbol as i32).collect::<Vec<_>>().iter().map(Some)) {
                right += example.count;
            }
        }
    }
    (right / all, loss / all)
}

#[cfg(test)]
mod tests {
    use undust_decoder::translator_weights::TranslatorWeights;
    use undust_learn::config::Optimizer;
    use undust_url::frequency::{DfMode, DocumentFrequencies, FunctionRule};
    use undust_url::template::Vocabulary;
    use undust_url::tokens::Delimiters;

    use super::*;
    use crate::tests::quick;

    fn examples(train: Vec<Example>) -> Examples {
        let df = DocumentFrequencies::count(
            ["http://s.com/a/b"].into_iter(),
            Delimiters::default(),
            DfMode::Pooled,
        );
        let rule = FunctionRule { threshold: 0.01, key_threshold: 0.01, mode: DfMode::Pooled };
        let vocabulary = Vocabulary::learn(&df, &rule);
        Examples { vocabulary, train, held_out: Vec::new(), counts: Default::default() }
    }

    fn example(target: &[u32]) -> Example {
        Example { source: vec![4, 5, 6], target: target.to_vec(), count: 1.0 }
    }

    fn trained(examples: &Examples, loss_mean: LossMean, learning_rate: f64) -> TranslatorWeights {
        let config = PaperConfig {
            embedding: 4,
            hidden: 5,
            optimizer: Optimizer::Sgd,
            loss_mean,
            learning_rate,
            clip: 0.0,
            batch: 2,
            max_steps: 3,
            ..quick()
        };
        let trained = train(examples, &config, 17, &Device::flex(), &());
        trained.expect("a network").0.weights()
    }

    /// Powers of two, so that no rounding differs.
    #[test]
    fn the_mean_over_pairs_steps_as_far_as_the_targets_are_long() {
        let examples = examples(vec![example(&[6, 5, 4])]);
        let by_pair = trained(&examples, LossMean::Pair, 0.125);
        assert!(by_pair == trained(&examples, LossMean::Symbol, 0.5));
        assert!(by_pair != trained(&examples, LossMean::Symbol, 0.125));
    }

    #[test]
    fn the_mean_length_counts_ends_and_how_often_a_pair_was_drawn() {
        let (short, long) = (example(&[4]), example(&[4, 5, 6, 7]));
        assert_eq!(mean_length(&[&short, &long], &[3.0, 1.0]), 11.0 / 4.0);
    }
}
