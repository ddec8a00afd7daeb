//! The tagger's network: a GRU each way over the pieces, and two linear heads on both states.
//! One says whether a piece stays, the other what is inserted before it.

use undust_url::lexicon::{EDGE, Symbol};

use super::gru;
use super::gru::{Trace, column_sums, sigmoid};
use super::labels::Tag;
use super::packed::{Packed, PackedPlace};
use super::weights::TaggerWeights;
use crate::networks::matrix::{Matrix, add_product, add_transposed_product};

/// Shapes to be read at once. A shape is read with [`EDGE`] behind it, where the tag of its end
/// stands.
pub struct ShapeBatch {
    packed: Packed,
    /// By row, read forwards and backwards.
    symbols: [Vec<Symbol>; 2],
}

impl ShapeBatch {
    /// Of shapes, longest first. With `multiple` = 16 the answers for a shape do not depend on
    /// the others.
    pub fn new(shapes: &[&[Symbol]], multiple: usize) -> Self {
        let packed = Packed::new(shapes.iter().map(|shape| shape.len() + 1).collect(), multiple);
        let mut symbols = [vec![EDGE; packed.rows()], vec![EDGE; packed.rows()]];
        for PackedPlace { sequence, time, row, back } in packed.places() {
            let symbol = shapes[sequence].get(time).copied().unwrap_or(EDGE);
            (symbols[0][row], symbols[1][back]) = (symbol, symbol);
        }
        Self { packed, symbols }
    }
}

/// The input half of the gates for every symbol, by direction.
pub(super) type Tables = [Matrix; 2];

/// What one forward pass gave.
pub struct Pass {
    traces: [Trace; 2],
    /// The states of both directions at each place, `[rows, 2·hidden]`.
    states: Matrix,
    /// Of keeping, inserting nothing, inserting each phrase: `[rows, answers]`.
    scores: Matrix,
}

impl TaggerWeights {
    /// What reading needs, made once for all shapes.
    pub fn tables(&self) -> Tables {
        [0, 1].map(|way| gru::table(&self.layers[way], &self.embedding))
    }

    /// Reads a batch. Cost: pieces × hidden².
    pub fn read(&self, tables: &Tables, batch: &ShapeBatch) -> Pass {
        let packed = &batch.packed;
        let traces = [0, 1]
            .map(|way| gru::forward(&self.layers[way], &tables[way], &batch.symbols[way], packed));
        let units = self.layers[0].hidden.rows;
        let mut states = Matrix::zeros(packed.rows(), 2 * units);
        for PackedPlace { row, back, .. } in packed.places() {
            let (forwards, backwards) = states.row_mut(row).split_at_mut(units);
            forwards.copy_from_slice(traces[0].after.row(row));
            backwards.copy_from_slice(traces[1].after.row(back));
        }
        let mut scores = Matrix::zeros(packed.rows(), self.heads.columns);
        scores.fill_rows(self.heads_bias.values());
        add_product(&states, &self.heads, &mut scores);
        Pass { traces, states, scores }
    }

    /// The gradient of a loss whose gradient by the scores is `by_scores`.
    pub fn gradient(&self, batch: &ShapeBatch, pass: &Pass, by_scores: &Matrix) -> TaggerWeights {
        let packed = &batch.packed;
        let mut gradient = TaggerWeights::zeros(&self.sizes());
        add_transposed_product(&pass.states, by_scores, &mut gradient.heads);
        gradient.heads_bias = column_sums(by_scores);
        let mut by_states = Matrix::zeros(packed.rows(), pass.states.columns);
        add_product(by_scores, &self.heads.transposed(), &mut by_states);
        for (way, outputs) in split(&by_states, packed).iter().enumerate() {
            let (layer, symbols) = (&self.layers[way], &batch.symbols[way]);
            let passed = (&pass.traces[way], outputs);
            let by = gru::backward(layer, self.embedding.rows, symbols, packed, passed);
            let sum = &mut gradient.layers[way];
            add_transposed_product(&self.embedding, &by.table, &mut sum.input);
            add_product(&by.table, &layer.input.transposed(), &mut gradient.embedding);
            sum.input_bias = column_sums(&by.table);
            (sum.hidden, sum.hidden_bias) = (by.hidden, by.hidden_bias);
        }
        gradient
    }
}

/// The gradients by the states of either direction, by their own rows.
fn split(by_states: &Matrix, packed: &Packed) -> [Matrix; 2] {
    let units = by_states.columns / 2;
    let mut ways = [0, 1].map(|_| Matrix::zeros(by_states.rows, units));
    for PackedPlace { row, back, .. } in packed.places() {
        let (forwards, backwards) = by_states.row(row).split_at(units);
        ways[0].row_mut(row).copy_from_slice(forwards);
        ways[1].row_mut(back).copy_from_slice(backwards);
    }
    ways
}

impl Pass {
    /// The likeliest tags of each shape of the batch. Ties keep, and insert nothing.
    pub fn tags(&self, batch: &ShapeBatch, shapes: &[&[Symbol]]) -> Vec<Vec<Tag>> {
        let mut tags: Vec<Vec<Tag>> =
            shapes.iter().map(|shape| Vec::with_capacity(shape.len() + 1)).collect();
        for PackedPlace { sequence, time, row, .. } in batch.packed.places() {
            let (keep, insertions) = (self.scores.row(row)[0], &self.scores.row(row)[1..]);
            let best = (0..).zip(insertions).fold((0, f32::NEG_INFINITY), |best, (n, score)| {
                if *score > best.1 { (n, *score) } else { best }
            });
            let keep = keep >= 0.0 || time == shapes[sequence].len();
            tags[sequence].push(Tag { keep, insert: best.0 });
        }
        tags
    }

    /// The sum of the cross entropies of the right tags, each times the weight of its shape, and
    /// its gradient by the scores.
    pub fn loss(&self, batch: &ShapeBatch, tags: &[&[Tag]], weights: &[f32]) -> (f32, Matrix) {
        let mut by_scores = Matrix::zeros(self.scores.rows, self.scores.columns);
        let mut loss = 0.0;
        for PackedPlace { sequence, time, row, .. } in batch.packed.places() {
            let (tag, weight) = (tags[sequence][time], weights[sequence]);
            let (scores, by) = (self.scores.row(row), by_scores.row_mut(row));
            if time + 1 < tags[sequence].len() {
                loss += weight * keeping(scores[0], tag.keep, weight, &mut by[0]);
            }
            loss += weight * inserting(&scores[1..], tag.insert, weight, &mut by[1..]);
        }
        (loss, by_scores)
    }
}

/// Cross entropy of keeping or not, and its weighted gradient.
fn keeping(score: f32, keep: bool, weight: f32, by: &mut f32) -> f32 {
    let towards = if keep { score } else { -score };
    *by = weight * (sigmoid(score) - f32::from(keep));
    (-towards.abs()).exp().ln_1p() - towards.min(0.0)
}

/// Cross entropy of inserting the right phrase, and its weighted gradient.
fn inserting(scores: &[f32], right: u16, weight: f32, by: &mut [f32]) -> f32 {
    let right = usize::from(right);
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (score, by) in scores.iter().zip(by.iter_mut()) {
        *by = (score - largest).exp();
        sum += *by;
    }
    for by in by.iter_mut() {
        *by *= weight / sum;
    }
    by[right] -= weight;
    sum.ln() + largest - scores[right]
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::networks::tagger::weights::TaggerSizes;

    const SIZES: TaggerSizes = TaggerSizes { vocabulary: 6, embedding: 3, hidden: 4, phrases: 2 };

    /// Weights within 1, the same ones each time.
    fn random_weights() -> TaggerWeights {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        TaggerWeights::filled(&SIZES, |_| random.random_range(-1.0..1.0))
    }

    fn tag(keep: bool, insert: u16) -> Tag {
        Tag { keep, insert }
    }

    fn loss(weights: &TaggerWeights, multiple: usize) -> (f32, TaggerWeights) {
        let shapes: [&[Symbol]; 3] = [&[1, 2, 3, 2], &[4, 5], &[2]];
        let tags: [&[Tag]; 3] = [
            &[tag(true, 0), tag(false, 1), tag(false, 0), tag(true, 0), tag(true, 2)],
            &[tag(false, 2), tag(true, 0), tag(true, 0)],
            &[tag(true, 0), tag(true, 1)],
        ];
        let batch = ShapeBatch::new(&shapes, multiple);
        let pass = weights.read(&weights.tables(), &batch);
        let (loss, by_scores) = pass.loss(&batch, &tags, &[1.0, 0.25, 2.0]);
        (loss, weights.gradient(&batch, &pass, &by_scores))
    }

    /// Central differences of 1e-2, whose error is some 1e-3 of the largest gradient.
    #[test]
    fn the_backward_pass_is_the_slope_of_the_loss() {
        let weights = random_weights();
        let (_, gradient) = loss(&weights, 1);
        for (tensor, by) in gradient.tensors().into_iter().enumerate() {
            assert!(by.values().iter().any(|value| *value != 0.0), "tensor {tensor}");
            for (place, by) in by.values().iter().enumerate() {
                let at = |step: f32| {
                    let mut weights = weights.clone();
                    weights.tensors_mut()[tensor].values_mut()[place] += step;
                    loss(&weights, 1).0
                };
                let slope = (at(1e-2) - at(-1e-2)) / 2e-2;
                assert!((slope - by).abs() < 2e-3, "tensor {tensor} at {place}: {slope}, {by}");
            }
        }
    }

    #[test]
    fn rows_without_a_symbol_change_nothing() {
        let weights = random_weights();
        let ((tight, a), (padded, b)) = (loss(&weights, 1), loss(&weights, 16));
        assert!((tight - padded).abs() < 1e-5);
        for (a, b) in a.tensors().into_iter().zip(b.tensors()) {
            let differences = a.values().iter().zip(b.values()).map(|(a, b)| (a - b).abs());
            assert!(differences.fold(0.0, f32::max) < 1e-5);
        }
    }

    #[test]
    fn the_end_of_a_shape_is_never_deleted() {
        let mut weights = TaggerWeights::zeros(&SIZES);
        weights.heads_bias.values_mut()[0] = -1.0;
        let shapes: [&[Symbol]; 1] = [&[1, 2]];
        let batch = ShapeBatch::new(&shapes, 1);
        let tags = weights.read(&weights.tables(), &batch).tags(&batch, &shapes);
        assert_eq!(tags, [[tag(false, 0), tag(false, 0), tag(true, 0)]]);
    }
}
