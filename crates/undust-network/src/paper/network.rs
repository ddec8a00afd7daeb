//! The vanilla encoder-decoder of the paper (Xu, Liu, Callan, SIGIR 2017, section 2.4): one
//! GRU layer reads the source template, its last state starts a second one that writes the
//! target template. No attention; encoder and decoder share the embedding.

use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, IndexingUpdateOp, Int, Tensor, TensorData};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use undust_decoder::translator_weights::{TranslatorSizes, TranslatorWeights};

use crate::gru::{Cell, Gru, GruGradients, Mask, Trace, way};

/// The weights. Names and shapes are those of `weights.safetensors`.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// `[vocabulary, embedding]`, of encoder and decoder.
    pub(crate) embedding: Tensor<2>,
    /// Reads the source.
    pub(crate) encoder: Gru,
    /// Writes the target.
    pub(crate) decoder: Gru,
    /// `[hidden, vocabulary]`.
    pub(crate) output: Tensor<2>,
    /// `[vocabulary]`.
    pub(crate) output_bias: Tensor<1>,
}

/// A batch of template pairs on a device, padded and time-major.
pub(crate) struct TrainingBatch {
    /// Source templates, `[steps·batch]`.
    pub sources: Tensor<1, Int>,
    /// Where they have ended.
    pub mask: Mask,
    /// `[GO]` and the target templates: what teacher forcing gives the decoder to read,
    /// `[steps·batch]`.
    pub forced: Tensor<1, Int>,
    /// The target templates and `[EOS]`, `[steps·batch]`.
    pub targets: Tensor<1, Int>,
    /// Weight of each target symbol in the loss, 0 for padding, `[steps·batch, 1]`; they sum
    /// to 1 over the batch.
    pub weights: Tensor<2>,
    /// Number of pairs.
    pub pairs: usize,
}

impl TrainingBatch {
    /// The same with a loss `factor` times as large.
    pub(crate) fn scaled(self, factor: f32) -> Self {
        Self { weights: self.weights * factor, ..self }
    }
}

/// What one pass over a batch left.
pub(crate) struct Pass {
    encoded: Trace,
    decoded: Trace,
    /// Log-probabilities of the next symbol, `[steps·batch, vocabulary]`.
    pub log_probabilities: Tensor<2>,
}

/// Draws a tensor uniformly from ±`limit`.
fn uniform<const D: usize>(
    shape: [usize; D],
    limit: f32,
    random: &mut ChaCha8Rng,
    device: &Device,
) -> Tensor<D> {
    let size = shape.iter().product();
    let values: Vec<f32> = (0..size).map(|_| random.random_range(-limit..limit)).collect();
    Tensor::from_data(TensorData::new(values, shape), device)
}

impl Gru {
    fn random(shape: TranslatorSizes, random: &mut ChaCha8Rng, device: &Device) -> Self {
        let limit = 1.0 / (shape.hidden as f32).sqrt();
        let gates = 3 * shape.hidden;
        Self {
            input: uniform([shape.embedding, gates], limit, random, device),
            input_bias: uniform([gates], limit, random, device),
            cell: Cell {
                hidden: uniform([shape.hidden, gates], limit, random, device),
                hidden_bias: uniform([gates], limit, random, device),
            },
        }
    }
}

impl Network {
    /// Random weights: ±1/√hidden, as torch's GRU has, and ±1 for the embedding. The same
    /// generator gives the same weights on every device.
    pub(crate) fn random(shape: TranslatorSizes, random: &mut ChaCha8Rng, device: &Device) -> Self {
        let limit = 1.0 / (shape.hidden as f32).sqrt();
        Self {
            embedding: uniform([shape.vocabulary, shape.embedding], 1.0, random, device),
            encoder: Gru::random(shape, random, device),
            decoder: Gru::random(shape, random, device),
            output: uniform([shape.hidden, shape.vocabulary], limit, random, device),
            output_bias: uniform([shape.vocabulary], limit, random, device),
        }
    }

    fn vocabulary(&self) -> usize {
        self.embedding.dims()[0]
    }

    /// Teacher-forced pass over a batch.
    pub(crate) fn forward(&self, batch: &TrainingBatch) -> Pass {
        let embedding = self.embedding.clone();
        let units = self.output.dims()[0];
        let zero = Tensor::zeros([batch.pairs, units], &embedding.device());
        let table = self.encoder.table(embedding.clone());
        let encoded = self.encoder.cell.forward(table, &batch.sources, &batch.mask, zero);
        let table = self.decoder.table(embedding);
        let code = way(encoded.last(), 0);
        let decoded = self.decoder.cell.forward(table, &batch.forced, &None, code);
        let states = way(&decoded.after(), 0);
        let scores = states.matmul(self.output.clone()) + self.output_bias.clone().unsqueeze();
        Pass { encoded, decoded, log_probabilities: log_softmax(scores, 1) }
    }

    /// Gradients of the loss by every weight.
    pub(crate) fn backward(&self, batch: &TrainingBatch, pass: Pass) -> Gradients {
        let by_scores = pass.by_scores(batch);
        let states = way(&pass.decoded.after(), 0);
        let by_states = by_scores.clone().matmul(self.output.clone().transpose());
        let none = Tensor::zeros_like(&way(pass.decoded.last(), 0));
        let vocabulary = self.vocabulary();
        let decoder = self.decoder.cell.backward(
            (vocabulary, &batch.forced),
            (&pass.decoded, &None),
            Some(by_states),
            none,
        );
        let encoder = self.encoder.cell.backward(
            (vocabulary, &batch.sources),
            (&pass.encoded, &batch.mask),
            None,
            decoder.first_state.clone(),
        );
        Gradients {
            output: states.transpose().matmul(by_scores.clone()),
            output_bias: by_scores.sum_dim(0).squeeze_dim(0),
            embedding: encoder.table.clone().matmul(self.encoder.input.clone().transpose())
                + decoder.table.clone().matmul(self.decoder.input.clone().transpose()),
            encoder,
            decoder,
        }
    }
}

impl Pass {
    /// Weighted cross entropy, `[1]`: the mean over the batch's target symbols where all
    /// pairs weigh the same.
    pub(crate) fn loss(&self, batch: &TrainingBatch) -> Tensor<1> {
        let targets = batch.targets.clone().unsqueeze_dim(1);
        -(self.log_probabilities.clone().gather(1, targets) * batch.weights.clone()).sum()
    }

    fn by_scores(&self, batch: &TrainingBatch) -> Tensor<2> {
        let all = self.log_probabilities.clone().exp() * batch.weights.clone();
        let targets = batch.targets.clone().unsqueeze_dim(1);
        all.scatter(1, targets, -batch.weights.clone(), IndexingUpdateOp::Add)
    }

    /// The likeliest symbol at each place, `[steps·batch]`. A pair whose target it gives at
    /// every place is a pair that greedy decoding gets right.
    pub(crate) fn likeliest(&self) -> Tensor<1, Int> {
        self.log_probabilities.clone().argmax(1).squeeze_dim(1)
    }
}

/// The gradient of every weight of a [`Network`].
pub(crate) struct Gradients {
    embedding: Tensor<2>,
    encoder: GruGradients,
    decoder: GruGradients,
    output: Tensor<2>,
    output_bias: Tensor<1>,
}

/// Something for every weight: the weights themselves, their gradients, an optimiser's state.
/// The order is that of [`Network`]'s fields, matrices and vectors apart.
pub(crate) struct PerWeight<M, V> {
    /// Of embedding, encoder input and hidden, decoder input and hidden, output.
    pub matrices: [M; 6],
    /// Of the biases, in the same order.
    pub vectors: [V; 5],
}

impl Gradients {
    /// By weight, and scaled down together where their norm is above `clip` (0: never).
    pub(crate) fn clipped(self, network: &Network, clip: f32) -> PerWeight<Tensor<2>, Tensor<1>> {
        let by_input = |layer: &GruGradients| {
            network.embedding.clone().transpose().matmul(layer.table.clone())
        };
        let by_input_bias = |layer: &GruGradients| layer.table.clone().sum_dim(0).squeeze_dim(0);
        let Self { encoder, decoder, .. } = self;
        let all = PerWeight {
            vectors: [
                by_input_bias(&encoder),
                encoder.hidden_bias.clone(),
                by_input_bias(&decoder),
                decoder.hidden_bias.clone(),
                self.output_bias,
            ],
            matrices: [
                self.embedding,
                by_input(&encoder),
                encoder.hidden,
                by_input(&decoder),
                decoder.hidden,
                self.output,
            ],
        };
        if clip > 0.0 { all.clip(clip) } else { all }
    }
}

impl PerWeight<Tensor<2>, Tensor<1>> {
    /// Stays on the device: the norm is never read back.
    fn clip(self, largest: f32) -> Self {
        let [first, ..] = &self.matrices;
        let zero = Tensor::<1>::zeros([1], &first.device());
        let squares = self.matrices.iter().map(|m| m.clone().square().sum());
        let squares = squares.chain(self.vectors.iter().map(|v| v.clone().square().sum()));
        let norm = squares.fold(zero, |sum, square| sum + square).sqrt();
        let scale = norm.clamp_min(largest).recip() * largest;
        Self {
            matrices: self.matrices.map(|m| m * scale.clone().unsqueeze()),
            vectors: self.vectors.map(|v| v * scale.clone()),
        }
    }
}

fn values<const D: usize>(tensor: &Tensor<D>) -> Vec<f32> {
    tensor.clone().into_data().iter::<f32>().collect()
}

impl Network {
    /// Fetches the weights from the device.
    pub(crate) fn weights(&self) -> TranslatorWeights {
        let [vocabulary, embedding] = self.embedding.dims();
        let [hidden, _] = self.output.dims();
        let (encoder, decoder) = (&self.encoder, &self.decoder);
        let values = [
            values(&self.embedding),
            values(&encoder.input),
            values(&encoder.input_bias),
            values(&encoder.cell.hidden),
            values(&encoder.cell.hidden_bias),
            values(&decoder.input),
            values(&decoder.input_bias),
            values(&decoder.cell.hidden),
            values(&decoder.cell.hidden_bias),
            values(&self.output),
            values(&self.output_bias),
        ];
        TranslatorWeights::new(TranslatorSizes { vocabulary, embedding, hidden }, values)
    }

    /// The weights, by reference.
    pub(crate) fn weights_mut(&mut self) -> PerWeight<&mut Tensor<2>, &mut Tensor<1>> {
        let (encoder, decoder) = (&mut self.encoder, &mut self.decoder);
        PerWeight {
            matrices: [
                &mut self.embedding,
                &mut encoder.input,
                &mut encoder.cell.hidden,
                &mut decoder.input,
                &mut decoder.cell.hidden,
                &mut self.output,
            ],
            vectors: [
                &mut encoder.input_bias,
                &mut encoder.cell.hidden_bias,
                &mut decoder.input_bias,
                &mut decoder.cell.hidden_bias,
                &mut self.output_bias,
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::paper::batch::batch;
    use crate::paper::examples::Example;

    fn example(source: &[u32], target: &[u32]) -> Example {
        Example { source: source.to_vec(), target: target.to_vec(), count: 1.0 }
    }

    fn close(name: &str, by_hand: Vec<f32>, by_autodiff: Vec<f32>) {
        assert_eq!(by_hand.len(), by_autodiff.len());
        let largest = by_autodiff.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        assert!(largest > 0.0, "{name} has no gradient");
        for (hand, auto) in by_hand.iter().zip(&by_autodiff) {
            assert!((hand - auto).abs() <= 1e-5 + 1e-4 * largest, "{name}: {hand} is not {auto}");
        }
    }

    #[test]
    fn the_backward_pass_is_that_of_autodiff() {
        let shape = TranslatorSizes { vocabulary: 9, embedding: 5, hidden: 7 };
        let examples = [
            example(&[4, 5, 6], &[6, 4]),
            example(&[7, 8, 4, 4, 5], &[8]),
            example(&[5], &[5, 5, 7]),
        ];
        let examples: Vec<_> = examples.iter().collect();
        let weights = [1.0, 0.25, 2.0];
        let device = Device::flex();
        let network = Network::random(shape, &mut ChaCha8Rng::seed_from_u64(1), &device);
        let by_hand = {
            let batch = batch(&examples, &weights, &device);
            let pass = network.forward(&batch);
            network.backward(&batch, pass).clipped(&network, 0.0)
        };
        let device = device.autodiff();
        let mut network = Network::random(shape, &mut ChaCha8Rng::seed_from_u64(1), &device);
        let weights_mut = network.weights_mut();
        for matrix in weights_mut.matrices {
            *matrix = matrix.clone().require_grad();
        }
        for vector in weights_mut.vectors {
            *vector = vector.clone().require_grad();
        }
        let batch = batch(&examples, &weights, &device);
        let gradients = network.forward(&batch).loss(&batch).backward();
        let weights = network.weights_mut();
        for (index, (hand, weight)) in
            by_hand.matrices.into_iter().zip(weights.matrices).enumerate()
        {
            let auto = weight.grad(&gradients).expect("a gradient");
            close(&format!("matrix {index}"), values(&hand), values(&auto));
        }
        for (index, (hand, weight)) in by_hand.vectors.into_iter().zip(weights.vectors).enumerate()
        {
            let auto = weight.grad(&gradients).expect("a gradient");
            close(&format!("vector {index}"), values(&hand), values(&auto));
        }
    }

    #[test]
    fn clipping_scales_all_gradients_down_together() {
        let shape = TranslatorSizes { vocabulary: 9, embedding: 5, hidden: 7 };
        let device = Device::flex();
        let network = Network::random(shape, &mut ChaCha8Rng::seed_from_u64(1), &device);
        let pair = example(&[4, 5, 6], &[6, 4]);
        let batch = batch(&[&pair], &[1.0], &device);
        let gradients = |clip| {
            let pass = network.forward(&batch);
            network.backward(&batch, pass).clipped(&network, clip)
        };
        let norm = |all: PerWeight<Tensor<2>, Tensor<1>>| {
            let matrices = all.matrices.iter().flat_map(values);
            let all: Vec<f32> = matrices.chain(all.vectors.iter().flat_map(values)).collect();
            all.iter().map(|x| x * x).sum::<f32>().sqrt()
        };
        let free = norm(gradients(0.0));
        assert!((norm(gradients(free / 4.0)) - free / 4.0).abs() < free * 1e-4);
        assert!((norm(gradients(free * 4.0)) - free).abs() < free * 1e-4);
    }
}
