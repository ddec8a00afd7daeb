//! The pointer network (Vinyals, Fortunato and Jaitly, *Pointer Networks*, NIPS 2015; phrases next
//! to positions as in See, Liu and Manning, ACL 2017): a GRU each way reads the pieces of a URL,
//! and a GRU writes its canonical form, at each step one place of the source, a phrase, or the end.
//!
//! ```text
//! H = [forwards; backwards]              s0 = tanh([last; first]·Wf + bf)
//! s  = GRU(H[place copied last]·Wc, or the row of the phrase inserted last)
//! score of a place  = s · (H·Wk) + bias of its distance from the place copied last
//! score of a phrase = s · its key        the end is the place behind the last piece
//! ```

use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, IndexingUpdateOp, Int, Tensor, TensorData};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use undust_decoder::matrix::Matrix;
use undust_decoder::pointer::weights::{DISTANCES, PointerSizes, PointerWeights, TENSORS};

use crate::gru::{Cell, Gru, Mask, Recurrence, Trace, look_up, scatter, way};

/// The weights, on a device. Names and shapes are those of [`PointerWeights`].
#[derive(Clone, Debug)]
pub(crate) struct PointerNetwork {
    embedding: Tensor<2>,
    encoder: [Gru; 2],
    first: Tensor<2>,
    first_bias: Tensor<2>,
    copied: Tensor<2>,
    inserted: Tensor<2>,
    decoder: Cell,
    keys: Tensor<2>,
    distances: Tensor<2>,
    phrases: Tensor<2>,
    /// Where the site has no phrase, one row stands in `phrases` that nothing reads: not every
    /// backend of burn computes with tensors of no row.
    has_phrases: bool,
}

/// A batch of shapes and targets on a device, padded. Rows of places are time-major:
/// `place · pairs + pair`.
pub(crate) struct PointerBatch {
    /// The shapes and their ends, read forwards, and backwards from each one's own end.
    pub sources: [Tensor<1, Int>; 2],
    /// Where they have ended.
    pub mask: Mask,
    /// By row of places: the row of the same piece when its shape is read backwards.
    pub backwards: Tensor<1, Int>,
    /// What the decoder reads: rows of places, then those of `inserted`.
    pub forced: Tensor<1, Int>,
    /// By place copied last (none first, then each) and place: the number of the distance.
    pub distances: Tensor<1, Int>,
    /// By pair and step: the place copied last, from 1; 0 for none.
    pub last: Tensor<1, Int>,
    /// Far below 0 where a shape has no such place: `[pairs, 1, places]`.
    pub absent: Tensor<3>,
    /// By pair and step: the answer, a place or, behind all places, a phrase.
    pub targets: Tensor<1, Int>,
    /// Weight of each step in the loss, 0 for padding, `[pairs · steps, 1]`; they sum to 1.
    pub weights: Tensor<2>,
    /// Number of steps of the longest target, its end counted.
    pub steps: usize,
    /// Number of pairs.
    pub pairs: usize,
}

/// What one pass over a batch left.
pub(crate) struct Pass {
    encoded: Trace,
    /// `[places · pairs, 2·hidden]`.
    both: Tensor<2>,
    /// `[pairs, 2·hidden]`.
    ends: Tensor<2>,
    decoded: Trace,
    /// `[pairs, places, hidden]`.
    keys: Tensor<3>,
    /// `[pairs, steps, hidden]`.
    states: Tensor<3>,
    /// Log-probabilities of the answers, `[pairs · steps, places + phrases]`.
    log_probabilities: Tensor<2>,
}

/// Draws a tensor uniformly from ±`limit`.
fn uniform(shape: [usize; 2], limit: f32, random: &mut ChaCha8Rng, device: &Device) -> Tensor<2> {
    let values: Vec<f32> =
        (0..shape[0] * shape[1]).map(|_| random.random_range(-limit..limit)).collect();
    Tensor::from_data(TensorData::new(values, shape), device)
}

/// `[steps · batch, width]` → `[batch, steps, width]`.
fn by_pair(rows: Tensor<2>, batch: usize) -> Tensor<3> {
    let [all, width] = rows.dims();
    rows.reshape([all / batch, batch, width]).swap_dims(0, 1)
}

/// `[batch, steps, width]` → `[steps · batch, width]`.
fn by_time(rows: Tensor<3>) -> Tensor<2> {
    let [batch, steps, width] = rows.dims();
    rows.swap_dims(0, 1).reshape([steps * batch, width])
}

fn row(tensor: Tensor<2>) -> Tensor<1> {
    tensor.squeeze_dim(0)
}

impl PointerNetwork {
    /// Random weights, ±1/√hidden, and ±1 for the embedding; places near the one that was copied
    /// last are no likelier than others. The same generator gives the same weights on every device.
    pub(crate) fn random(sizes: PointerSizes, random: &mut ChaCha8Rng, device: &Device) -> Self {
        let limit = 1.0 / (sizes.hidden as f32).sqrt();
        let tensors = sizes.layout().map(|(name, rows, columns)| {
            let limit = if name == "embedding" { 1.0 } else { limit };
            match rows {
                0 => Tensor::zeros([1, columns], device),
                _ => uniform([rows, columns], limit, random, device),
            }
        });
        Self::of(tensors, sizes.phrases > 0)
    }

    fn of(tensors: [Tensor<2>; TENSORS], has_phrases: bool) -> Self {
        let [embedding, a, b, c, d, e, f, g, h, rest @ ..] = tensors;
        let [first, first_bias, copied, inserted, hidden, hidden_bias, keys, distances, phrases] =
            rest;
        let gru = |[input, input_bias, hidden, hidden_bias]: [Tensor<2>; 4]| Gru {
            input,
            input_bias: row(input_bias),
            cell: Cell { hidden, hidden_bias: row(hidden_bias) },
        };
        Self {
            embedding,
            encoder: [gru([a, b, c, d]), gru([e, f, g, h])],
            first,
            first_bias,
            copied,
            inserted,
            decoder: Cell { hidden, hidden_bias: row(hidden_bias) },
            keys,
            distances,
            phrases,
            has_phrases,
        }
    }

    /// In the order of [`PointerSizes::layout`].
    fn tensors(&self) -> [Tensor<2>; TENSORS] {
        let [a, b] = &self.encoder;
        let bias = |bias: &Tensor<1>| bias.clone().unsqueeze();
        [
            self.embedding.clone(),
            a.input.clone(),
            bias(&a.input_bias),
            a.cell.hidden.clone(),
            bias(&a.cell.hidden_bias),
            b.input.clone(),
            bias(&b.input_bias),
            b.cell.hidden.clone(),
            bias(&b.cell.hidden_bias),
            self.first.clone(),
            self.first_bias.clone(),
            self.copied.clone(),
            self.inserted.clone(),
            self.decoder.hidden.clone(),
            bias(&self.decoder.hidden_bias),
            self.keys.clone(),
            self.distances.clone(),
            self.phrases.clone(),
        ]
    }

    /// Fetches the weights from the device.
    pub(crate) fn weights(&self) -> PointerWeights {
        let mut tensors = self.tensors().map(|tensor| {
            let [rows, columns] = tensor.dims();
            Matrix::new(rows, columns, tensor.into_data().iter::<f32>().collect())
        });
        if let ([.., phrases], false) = (&mut tensors, self.has_phrases) {
            *phrases = Matrix::new(0, phrases.columns, Vec::new());
        }
        PointerWeights::of(tensors)
    }

    /// Each weight changed by `change`, in the order of [`PointerSizes::layout`].
    pub(crate) fn map(&self, mut change: impl FnMut(usize, Tensor<2>) -> Tensor<2>) -> Self {
        let mut number = 0;
        let tensors = self.tensors().map(|tensor| {
            number += 1;
            change(number - 1, tensor)
        });
        Self::of(tensors, self.has_phrases)
    }

    /// Teacher-forced pass over a batch.
    pub(crate) fn forward(&self, batch: &PointerBatch) -> Pass {
        let pairs = batch.pairs;
        let units = self.first.dims()[1];
        let zero = Tensor::zeros([2, pairs, units], &self.first.device());
        let inputs = [0, 1].map(|way| {
            let table = self.encoder[way].table(self.embedding.clone());
            look_up(table, &batch.sources[way]).unsqueeze_dim(0)
        });
        let encoded = self.cells().forward(Tensor::cat(inputs.to_vec(), 0), &batch.mask, zero);
        let after = encoded.after();
        let backwards = way(&after, 1).select(0, batch.backwards.clone());
        let both = Tensor::cat(vec![way(&after, 0), backwards], 1);
        let last = encoded.last();
        let ends = Tensor::cat(vec![way(last, 0), way(last, 1)], 1);
        let first = (ends.clone().matmul(self.first.clone()) + self.first_bias.clone()).tanh();
        let table =
            Tensor::cat(vec![both.clone().matmul(self.copied.clone()), self.inserted.clone()], 0);
        let decoded = self.decoder.forward(table, &batch.forced, &None, first);
        let keys = by_pair(both.clone().matmul(self.keys.clone()), pairs);
        let states = by_pair(way(&decoded.after(), 0), pairs);
        let [_, steps, _] = states.dims();
        let [_, places, _] = keys.dims();
        let by_last = row(self.distances.clone()).select(0, batch.distances.clone());
        let by_distance = look_up(by_last.reshape([places + 1, places]), &batch.last);
        let scores = states.clone().matmul(keys.clone().swap_dims(1, 2))
            + by_distance.reshape([pairs, steps, places])
            + batch.absent.clone();
        let scores = scores.reshape([pairs * steps, places]);
        let scores = if self.has_phrases {
            let states = states.clone().reshape([pairs * steps, units]);
            Tensor::cat(vec![scores, states.matmul(self.phrases.clone().transpose())], 1)
        } else {
            scores
        };
        let log_probabilities = log_softmax(scores, 1);
        Pass { encoded, both, ends, decoded, keys, states, log_probabilities }
    }

    fn cells(&self) -> Recurrence {
        let [forwards, backwards] = &self.encoder;
        Recurrence::of([&forwards.cell, &backwards.cell])
    }

    /// Gradients of the loss by every weight, in the order of [`PointerSizes::layout`].
    pub(crate) fn backward(&self, batch: &PointerBatch, pass: Pass) -> [Tensor<2>; TENSORS] {
        let pairs = batch.pairs;
        let [_, steps_count, units] = pass.states.dims();
        let [_, places, _] = pass.keys.dims();
        let device = self.first.device();
        // By the scores, then by what they are made of.
        let scores = (pass.log_probabilities.exp() * batch.weights.clone()).scatter(
            1,
            batch.targets.clone().unsqueeze_dim(1),
            -batch.weights.clone(),
            IndexingUpdateOp::Add,
        );
        let by_places = scores.clone().slice_dim(1, 0..places);
        let by_last = scatter(places + 1, &batch.last, by_places.clone());
        let distances = Tensor::<1>::zeros([DISTANCES], &device).select_assign(
            0,
            batch.distances.clone(),
            by_last.reshape([(places + 1) * places]),
            IndexingUpdateOp::Add,
        );
        let by_places = by_places.reshape([pairs, steps_count, places]);
        let keys = by_places.clone().swap_dims(1, 2).matmul(pass.states.clone());
        let mut states = by_places.matmul(pass.keys);
        let mut phrases = Tensor::zeros(self.phrases.dims(), &device);
        if self.has_phrases {
            let by_phrases = scores.slice_dim(1, places..places + self.phrases.dims()[0]);
            let flat = pass.states.reshape([pairs * steps_count, units]);
            phrases = by_phrases.clone().transpose().matmul(flat);
            states = states
                + by_phrases.matmul(self.phrases.clone()).reshape([pairs, steps_count, units]);
        }
        // Through the decoder.
        let rows = pairs * places;
        let inserted = self.inserted.dims()[0];
        let decoder = self.decoder.backward(
            (rows + inserted, &batch.forced),
            (&pass.decoded, &None),
            Some(by_time(states)),
            Tensor::zeros([pairs, units], &device),
        );
        let copied = decoder.table.clone().slice_dim(0, 0..rows);
        let inserted = decoder.table.slice_dim(0, rows..rows + inserted);
        let first = way(&pass.decoded.states[0], 0);
        let first = decoder.first_state * (-first.square() + 1.0);
        // Through the encoder.
        let keys = by_time(keys);
        let both = copied.clone().matmul(self.copied.clone().transpose())
            + keys.clone().matmul(self.keys.clone().transpose());
        let ends = first.clone().matmul(self.first.clone().transpose());
        let backwards = Tensor::zeros([rows, units], &device).select_assign(
            0,
            batch.backwards.clone(),
            both.clone().slice_dim(1, units..2 * units),
            IndexingUpdateOp::Add,
        );
        let outputs = [both.slice_dim(1, 0..units), backwards].map(|way| way.unsqueeze_dim(0));
        let ends = [0, 1]
            .map(|way| ends.clone().slice_dim(1, way * units..(way + 1) * units).unsqueeze_dim(0));
        let gradients = self.cells().backward(
            &pass.encoded,
            &batch.mask,
            Some(&Tensor::cat(outputs.to_vec(), 0)),
            Tensor::cat(ends.to_vec(), 0),
        );
        let mut embedding = Tensor::zeros(self.embedding.dims(), &device);
        let [[a, b, c, d], [e, f, g, h]] = [0, 1].map(|number| {
            let layer = &self.encoder[number];
            let by_rows = way(&gradients.inputs, number);
            let table = scatter(self.embedding.dims()[0], &batch.sources[number], by_rows);
            embedding = embedding.clone() + table.clone().matmul(layer.input.clone().transpose());
            [
                self.embedding.clone().transpose().matmul(table.clone()),
                table.sum_dim(0),
                way(&gradients.hidden, number),
                way(&gradients.hidden_bias, number),
            ]
        });
        let both = pass.both.transpose();
        [
            embedding,
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            pass.ends.transpose().matmul(first.clone()),
            first.sum_dim(0),
            both.clone().matmul(copied),
            inserted,
            decoder.hidden,
            decoder.hidden_bias.unsqueeze(),
            both.matmul(keys),
            distances.unsqueeze(),
            phrases,
        ]
    }
}

impl Pass {
    /// Mean loss, by the weights of the batch: cross entropy of the answers.
    pub(crate) fn loss(&self, batch: &PointerBatch) -> Tensor<1> {
        let right =
            self.log_probabilities.clone().gather(1, batch.targets.clone().unsqueeze_dim(1));
        -(right * batch.weights.clone()).sum()
    }

    /// The likeliest answers, by pair and step.
    pub(crate) fn likeliest(&self) -> Tensor<1, Int> {
        self.log_probabilities.clone().argmax(1).squeeze_dim(1)
    }
}

#[cfg(test)]
mod tests;
