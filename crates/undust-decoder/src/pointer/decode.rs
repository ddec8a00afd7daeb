//! Greedy decoding without burn: shapes in, what is written for each out.

use undust_url::lexicon::Symbol;
use undust_util::simd::widest;

use super::weights::{PointerWeights, distance};
use crate::encoder::gru;
use crate::encoder::packed::PackedPlace;
use crate::encoder::shape_batch::ShapeBatch;
use crate::matrix::{Matrix, add_product, sigmoid, tanh};

/// What is written next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Written {
    /// The piece in this place of the source.
    Copy(u16),
    /// The phrase of this number, from 0.
    Phrase(u16),
}

/// What is written for a shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// Piece by piece.
    pub written: Vec<Written>,
    /// The probability that the network gives it.
    pub probability: f32,
}

/// The weights of a network, made ready to decode with.
#[derive(Debug, Clone)]
pub struct Decoder {
    weights: PointerWeights,
    /// The input half of the encoder's gates for every symbol.
    tables: [Matrix; 2],
    /// `[hidden, phrases]`.
    phrases: Matrix,
}

/// Shapes decoded at once.
const BATCH: usize = 256;
/// Rows are added up to a multiple of this, so that a shape decoded alone passes through the same
/// arithmetic as in company, and gets the same answer.
const ROWS: usize = 16;

/// Shapes that were read.
struct Encoded {
    /// The key of each place, `[rows, hidden]`.
    keys: Matrix,
    /// What copying each place gives the decoder to read, `[rows, 3·hidden]`.
    copied: Matrix,
    /// By shape and place: the row.
    rows: Vec<Vec<usize>>,
    /// The decoder's first states, `[shapes, hidden]`, filled up.
    states: Matrix,
}

impl Decoder {
    /// Prepares a network.
    pub fn new(weights: PointerWeights) -> Self {
        let tables = [0, 1].map(|way| gru::table(&weights.encoder[way], &weights.embedding));
        let phrases = weights.phrases.transposed();
        Self { weights, tables, phrases }
    }

    /// Its weights.
    pub(crate) fn weights(&self) -> &PointerWeights {
        &self.weights
    }

    /// What is written for each shape; nothing where no end comes. That of a shape does not depend
    /// on the others. Cost: pieces × (hidden² + pieces × hidden). This number of first pieces of
    /// each are copied, whatever the network says.
    pub fn decode(&self, shapes: &[&[Symbol]], kept: &[usize]) -> Vec<Option<Decoded>> {
        let mut order: Vec<usize> = (0..shapes.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(shapes[*index].len()));
        let mut decoded = vec![None; shapes.len()];
        for chunk in order.chunks(BATCH) {
            let sorted: Vec<&[Symbol]> = chunk.iter().map(|index| shapes[*index]).collect();
            let kept: Vec<usize> = chunk.iter().map(|index| kept[*index]).collect();
            for (index, written) in chunk.iter().zip(self.write(self.read(&sorted), &kept)) {
                decoded[*index] = written;
            }
        }
        decoded
    }

    /// Reads shapes, longest first.
    fn read(&self, shapes: &[&[Symbol]]) -> Encoded {
        let weights = &self.weights;
        let batch = ShapeBatch::new(shapes, ROWS);
        let packed = &batch.packed;
        let traces = [0, 1].map(|way| {
            gru::forward(&weights.encoder[way], &self.tables[way], &batch.symbols[way], packed)
        });
        let units = weights.hidden.rows;
        let mut both = Matrix::zeros(packed.rows(), 2 * units);
        let mut ends = Matrix::zeros(shapes.len().next_multiple_of(ROWS), 2 * units);
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); shapes.len()];
        for PackedPlace { sequence, time, row, back } in packed.places() {
            let (forwards, backwards) = both.row_mut(row).split_at_mut(units);
            forwards.copy_from_slice(traces[0].after.row(row));
            backwards.copy_from_slice(traces[1].after.row(back));
            rows[sequence].push(row);
            if time == 0 {
                ends.row_mut(sequence)[units..].copy_from_slice(traces[1].after.row(back));
            }
            if time == shapes[sequence].len() {
                ends.row_mut(sequence)[..units].copy_from_slice(traces[0].after.row(row));
            }
        }
        let product = |left: &Matrix, right: &Matrix| {
            let mut product = Matrix::zeros(left.rows, right.columns);
            add_product(left, right, &mut product);
            product
        };
        let mut states = Matrix::zeros(ends.rows, units);
        states.fill_rows(weights.first_bias.values());
        add_product(&ends, &weights.first, &mut states);
        states.values_mut().iter_mut().for_each(|value| *value = tanh(*value));
        let (keys, copied) = (product(&both, &weights.keys), product(&both, &weights.copied));
        Encoded { keys, copied, rows, states }
    }

    /// Writes step by step, all shapes at once.
    fn write(&self, mut encoded: Encoded, kept: &[usize]) -> Vec<Option<Decoded>> {
        let weights = &self.weights;
        let units = weights.hidden.rows;
        let mut gates = Matrix::zeros(encoded.states.rows, 3 * units);
        let mut scores = Matrix::zeros(encoded.states.rows, self.phrases.columns);
        let mut partial: Vec<Partial> =
            kept.iter().map(|kept| Partial { kept: *kept, ..Partial::default() }).collect();
        while partial.iter().zip(&encoded.rows).any(|(partial, rows)| partial.is_open(rows.len())) {
            gates.fill_rows(weights.hidden_bias.values());
            add_product(&encoded.states, &weights.hidden, &mut gates);
            for (index, (partial, rows)) in partial.iter().zip(&encoded.rows).enumerate() {
                if partial.is_open(rows.len()) {
                    let input = match partial.written.last() {
                        None => weights.inserted.row(0),
                        Some(Written::Phrase(number)) => {
                            weights.inserted.row(1 + usize::from(*number))
                        }
                        Some(Written::Copy(place)) => encoded.copied.row(rows[usize::from(*place)]),
                    };
                    let state = encoded.states.row_mut(index);
                    widest(|| update(state, gates.row(index), input));
                }
            }
            if self.phrases.columns > 0 {
                scores.values_mut().fill(0.0);
                add_product(&encoded.states, &self.phrases, &mut scores);
            }
            for (index, (partial, rows)) in partial.iter_mut().zip(&encoded.rows).enumerate() {
                if partial.is_open(rows.len()) {
                    let phrases = if self.phrases.columns > 0 { scores.row(index) } else { &[] };
                    let state = encoded.states.row(index);
                    let distances = weights.distances.values();
                    let keys = rows.iter().map(|row| encoded.keys.row(*row));
                    partial.write(state, keys, distances, phrases);
                }
            }
        }
        partial.into_iter().map(Partial::finish).collect()
    }
}

/// The gates of one row: `state` becomes the next state. The equations are those of `gru`.
#[inline(always)]
fn update(state: &mut [f32], hidden: &[f32], input: &[f32]) {
    let units = state.len();
    let ([x_r, x_z, x_n], [h_r, h_z, h_n]) = (gru::parts(input, units), gru::parts(hidden, units));
    for unit in 0..units {
        let reset = sigmoid(x_r[unit] + h_r[unit]);
        let update = sigmoid(x_z[unit] + h_z[unit]);
        let candidate = tanh(x_n[unit] + reset * h_n[unit]);
        state[unit] = candidate + update * (state[unit] - candidate);
    }
}

/// What is being written.
#[derive(Default)]
struct Partial {
    /// Places that are copied first.
    kept: usize,
    written: Vec<Written>,
    last: Option<usize>,
    ended: bool,
    probability: f32,
    scores: Vec<f32>,
}

impl Partial {
    /// Whether it goes on, for a source with this number of positions, its end included.
    fn is_open(&self, places: usize) -> bool {
        !self.ended && self.written.len() <= 2 * places + 5
    }

    /// Writes what scores best. Ties copy, and the first of them.
    fn write<'k>(
        &mut self,
        state: &[f32],
        keys: impl Iterator<Item = &'k [f32]>,
        distances: &[f32],
        phrases: &[f32],
    ) {
        let next = self.written.len();
        if next < self.kept {
            self.last = Some(next);
            self.written.push(Written::Copy(next as u16));
            return;
        }
        self.scores.clear();
        for (place, key) in keys.enumerate() {
            let score: f32 = state.iter().zip(key).map(|(a, b)| a * b).sum();
            self.scores.push(score + distances[distance(place, self.last)]);
        }
        let places = self.scores.len();
        self.scores.extend_from_slice(phrases);
        let (best, highest) =
            (0..).zip(&self.scores).fold((0, f32::NEG_INFINITY), |best, (number, score)| {
                if *score > best.1 { (number, *score) } else { best }
            });
        let all: f32 = self.scores.iter().map(|score| (score - highest).exp()).sum();
        self.probability -= all.ln();
        if best + 1 == places {
            self.ended = true;
        } else if best < places {
            self.last = Some(best);
            self.written.push(Written::Copy(best as u16));
        } else {
            self.written.push(Written::Phrase((best - places) as u16));
        }
    }

    fn finish(self) -> Option<Decoded> {
        self.ended.then(|| Decoded { written: self.written, probability: self.probability.exp() })
    }
}
