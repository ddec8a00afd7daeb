//! The loss of a tagger on a batch, and its gradient by every weight.

use undust_model::networks::encoder::packed::{Packed, PackedPlace};
use undust_model::networks::encoder::shape_batch::ShapeBatch;
use undust_model::networks::matrix::{Matrix, add_product, add_transposed_product, sigmoid};
use undust_model::networks::tagger::labels::Tag;
use undust_model::networks::tagger::network::Pass;
use undust_model::networks::tagger::weights::TaggerWeights;

use super::gru::{backward, column_sums};

/// The sum of the cross entropies of the right tags, each times the weight of its shape, and
/// its gradient by the scores.
pub(super) fn loss(
    pass: &Pass,
    batch: &ShapeBatch,
    tags: &[&[Tag]],
    weights: &[f32],
) -> (f32, Matrix) {
    let mut by_scores = Matrix::zeros(pass.scores.rows, pass.scores.columns);
    let mut loss = 0.0;
    for PackedPlace { sequence, time, row, .. } in batch.packed.places() {
        let (tag, weight) = (tags[sequence][time], weights[sequence]);
        let (scores, by) = (pass.scores.row(row), by_scores.row_mut(row));
        if time + 1 < tags[sequence].len() {
            loss += weight * keeping(scores[0], tag.keep, weight, &mut by[0]);
        }
        loss += weight * inserting(&scores[1..], tag.insert, weight, &mut by[1..]);
    }
    (loss, by_scores)
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

/// The gradient of a loss whose gradient by the scores is `by_scores`.
pub(super) fn gradient(
    weights: &TaggerWeights,
    batch: &ShapeBatch,
    pass: &Pass,
    by_scores: &Matrix,
) -> TaggerWeights {
    let packed = &batch.packed;
    let mut gradient = TaggerWeights::zeros(&weights.sizes());
    add_transposed_product(&pass.states, by_scores, &mut gradient.heads);
    gradient.heads_bias = column_sums(by_scores);
    let mut by_states = Matrix::zeros(packed.rows(), pass.states.columns);
    add_product(by_scores, &weights.heads.transposed(), &mut by_states);
    for (way, outputs) in split(&by_states, packed).iter().enumerate() {
        let (layer, symbols) = (&weights.layers[way], &batch.symbols[way]);
        let passed = (&pass.traces[way], outputs);
        let by = backward(layer, weights.embedding.rows, symbols, packed, passed);
        let sum = &mut gradient.layers[way];
        add_transposed_product(&weights.embedding, &by.table, &mut sum.input);
        add_product(&by.table, &layer.input.transposed(), &mut gradient.embedding);
        sum.input_bias = column_sums(&by.table);
        (sum.hidden, sum.hidden_bias) = (by.hidden, by.hidden_bias);
    }
    gradient
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use undust_model::networks::tagger::weights::TaggerSizes;
    use undust_url::lexicon::Symbol;

    use super::*;

    const SIZES: TaggerSizes = TaggerSizes { vocabulary: 6, embedding: 3, hidden: 4, phrases: 2 };

    /// Weights within 1, the same ones each time.
    fn random_weights() -> TaggerWeights {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        TaggerWeights::filled(&SIZES, |_| random.random_range(-1.0..1.0))
    }

    fn tag(keep: bool, insert: u16) -> Tag {
        Tag { keep, insert }
    }

    fn loss_and_gradient(weights: &TaggerWeights, multiple: usize) -> (f32, TaggerWeights) {
        let shapes: [&[Symbol]; 3] = [&[1, 2, 3, 2], &[4, 5], &[2]];
        let tags: [&[Tag]; 3] = [
            &[tag(true, 0), tag(false, 1), tag(false, 0), tag(true, 0), tag(true, 2)],
            &[tag(false, 2), tag(true, 0), tag(true, 0)],
            &[tag(true, 0), tag(true, 1)],
        ];
        let batch = ShapeBatch::new(&shapes, multiple);
        let pass = weights.read(&weights.tables(), &batch);
        let (loss, by_scores) = super::loss(&pass, &batch, &tags, &[1.0, 0.25, 2.0]);
        (loss, gradient(weights, &batch, &pass, &by_scores))
    }

    /// Central differences of 1e-2, whose error is some 1e-3 of the largest gradient.
    #[test]
    fn the_backward_pass_is_the_slope_of_the_loss() {
        let weights = random_weights();
        let (_, gradient) = loss_and_gradient(&weights, 1);
        for (tensor, by) in gradient.tensors().into_iter().enumerate() {
            assert!(by.values().iter().any(|value| *value != 0.0), "tensor {tensor}");
            for (place, by) in by.values().iter().enumerate() {
                let at = |step: f32| {
                    let mut weights = weights.clone();
                    weights.tensors_mut()[tensor].values_mut()[place] += step;
                    loss_and_gradient(&weights, 1).0
                };
                let slope = (at(1e-2) - at(-1e-2)) / 2e-2;
                assert!((slope - by).abs() < 2e-3, "tensor {tensor} at {place}: {slope}, {by}");
            }
        }
    }

    #[test]
    fn rows_without_a_symbol_change_nothing() {
        let weights = random_weights();
        let ((tight, a), (padded, b)) =
            (loss_and_gradient(&weights, 1), loss_and_gradient(&weights, 16));
        assert!((tight - padded).abs() < 1e-5);
        for (a, b) in a.tensors().into_iter().zip(b.tensors()) {
            let differences = a.values().iter().zip(b.values()).map(|(a, b)| (a - b).abs());
            assert!(differences.fold(0.0, f32::max) < 1e-5);
        }
    }
}
