//! Adam (Kingma, Ba, ICLR 2015) over plain matrices.

use undust_model::networks::tagger::weights::{TaggerSizes, TaggerWeights};
use undust_util::simd::widest;

/// Decay of the mean of gradients.
const MEAN: f32 = 0.9;
/// Decay of the mean of their squares.
const SQUARE: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Means of the gradients so far, and of their squares.
pub(super) struct Adam {
    means: TaggerWeights,
    squares: TaggerWeights,
    steps: i32,
}

impl Adam {
    /// Before the first step.
    pub(super) fn new(sizes: &TaggerSizes) -> Self {
        Self { means: TaggerWeights::zeros(sizes), squares: TaggerWeights::zeros(sizes), steps: 0 }
    }

    /// Takes one step, along a gradient that is scaled down where its norm is above `clip`.
    pub(super) fn step(
        &mut self,
        rate: f32,
        clip: f32,
        weights: &mut TaggerWeights,
        gradient: &TaggerWeights,
    ) {
        self.steps += 1;
        let scale = (clip / norm(gradient)).min(1.0);
        let rate = rate / (1.0 - MEAN.powi(self.steps));
        let unbias = 1.0 / (1.0 - SQUARE.powi(self.steps));
        let states = self.means.tensors_mut().into_iter().zip(self.squares.tensors_mut());
        for ((weights, gradient), (means, squares)) in
            weights.tensors_mut().into_iter().zip(gradient.tensors()).zip(states)
        {
            let (means, squares) = (means.values_mut(), squares.values_mut());
            let values = weights.values_mut().iter_mut().zip(gradient.values());
            widest(|| {
                for ((weight, by), (mean, square)) in values.zip(means.iter_mut().zip(squares)) {
                    let by = by * scale;
                    *mean += (1.0 - MEAN) * (by - *mean);
                    *square += (1.0 - SQUARE) * (by * by - *square);
                    *weight -= rate * *mean / ((*square * unbias).sqrt() + EPSILON);
                }
            });
        }
    }
}

fn norm(gradient: &TaggerWeights) -> f32 {
    let squares = |values: &[f32]| values.iter().map(|x| f64::from(x * x)).sum::<f64>();
    gradient.tensors().iter().map(|tensor| squares(tensor.values())).sum::<f64>().sqrt() as f32
}
