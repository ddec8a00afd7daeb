//! One GRU layer over a batch of sequences, with a backward pass written out.
//!
//! The cell is the reset-after variant (the one of cuDNN, torch and burn), gates fused in
//! the order r, z, n. For input `x`, state `h`:
//!
//! ```text
//! [a_r a_z a_n] = x·Wx + bx        [g_r g_z g_n] = h·Wh + bh
//! r = σ(a_r + g_r)    z = σ(a_z + g_z)    n = tanh(a_n + r∘g_n)    h' = n + z∘(h − n)
//! ```
//!
//! Inputs come as rows of a *table*, `embedding·Wx + bx`, made once a step: a site's
//! vocabulary is smaller than a batch has tokens, so a matrix product becomes a look-up.
//!
//! Writing the backward pass out, instead of asking autodiff, turns the weight gradient of
//! all time steps into one matrix product, and takes three fifths of the time. It stays in
//! burn's tensors, hence runs on every backend; a test holds it to autodiff.

use burn::tensor::activation::sigmoid;
use burn::tensor::{IndexingUpdateOp, Int, Tensor};

/// The weights of one layer, for `width` inputs and `hidden` units.
#[derive(Clone, Debug)]
pub(crate) struct Gru {
    /// `Wx`, `[width, 3·hidden]`.
    pub input: Tensor<2>,
    /// `bx`, `[3·hidden]`.
    pub input_bias: Tensor<1>,
    /// `Wh`, `[hidden, 3·hidden]`.
    pub hidden: Tensor<2>,
    /// `bh`, `[3·hidden]`.
    pub hidden_bias: Tensor<1>,
}

/// Sequences of one length, padded, time-major.
pub(crate) struct Sequences {
    /// Symbols, `[steps·batch]`.
    pub symbols: Tensor<1, Int>,
    /// 1 where a symbol stands, 0 where the sequence has ended: `[batch, 1]` for each step.
    /// Nothing where no state past an end is ever used.
    pub mask: Option<Vec<Tensor<2>>>,
    /// Number of time steps.
    pub steps: usize,
}

/// What the backward pass needs to know of the forward one.
pub(crate) struct Trace {
    /// States before each step and after the last, `[batch, hidden]`.
    pub states: Vec<Tensor<2>>,
    steps: Vec<GruStep>,
}

struct GruStep {
    reset: Tensor<2>,
    update: Tensor<2>,
    candidate: Tensor<2>,
    /// `g_n`, before the reset gate.
    gated: Tensor<2>,
}

/// Gradients of one layer.
pub(crate) struct GruGradients {
    /// Of the table, `[vocabulary, 3·hidden]`.
    pub table: Tensor<2>,
    /// Of `Wh`.
    pub hidden: Tensor<2>,
    /// Of `bh`.
    pub hidden_bias: Tensor<1>,
    /// Of the first state, `[batch, hidden]`.
    pub first_state: Tensor<2>,
}

impl Gru {
    /// The input half of the gates for every symbol: `[vocabulary, 3·hidden]`.
    pub(crate) fn table(&self, embedding: Tensor<2>) -> Tensor<2> {
        embedding.matmul(self.input.clone()) + self.input_bias.clone().unsqueeze()
    }

    fn units(&self) -> usize {
        self.hidden.dims()[0]
    }

    /// Runs the layer from the state `first`, `[batch, hidden]`.
    pub(crate) fn forward(
        &self,
        table: &Tensor<2>,
        sequences: &Sequences,
        first: Tensor<2>,
    ) -> Trace {
        let (batch, units) = (first.dims()[0], self.units());
        let inputs = table.clone().select(0, sequences.symbols.clone());
        let (weights, bias) = (self.hidden.clone(), self.hidden_bias.clone().unsqueeze::<2>());
        let mut trace = Trace { states: vec![first], steps: Vec::with_capacity(sequences.steps) };
        for time in 0..sequences.steps {
            let state = trace.states[time].clone();
            let x = inputs.clone().slice_dim(0, time * batch..(time + 1) * batch);
            let g = state.clone().matmul(weights.clone()) + bias.clone();
            let gates = sigmoid(
                x.clone().slice_dim(1, 0..2 * units) + g.clone().slice_dim(1, 0..2 * units),
            );
            let reset = gates.clone().slice_dim(1, 0..units);
            let update = gates.slice_dim(1, units..2 * units);
            let gated = g.slice_dim(1, 2 * units..3 * units);
            let candidate =
                (x.slice_dim(1, 2 * units..3 * units) + reset.clone() * gated.clone()).tanh();
            let mut next = candidate.clone() + update.clone() * (state.clone() - candidate.clone());
            if let Some(mask) = &sequences.mask {
                next = state.clone() + mask[time].clone() * (next - state);
            }
            trace.states.push(next);
            trace.steps.push(GruStep { reset, update, candidate, gated });
        }
        trace
    }

    /// Gradients of a loss whose gradient by the states after each step is `outputs`
    /// (`[batch, hidden]` a step, or nothing) and by the last state is `last`.
    pub(crate) fn backward(
        &self,
        vocabulary: usize,
        sequences: &Sequences,
        trace: &Trace,
        outputs: Option<&[Tensor<2>]>,
        last: Tensor<2>,
    ) -> GruGradients {
        let transposed = self.hidden.clone().transpose();
        let mut inputs = Vec::with_capacity(sequences.steps);
        let mut gates = Vec::with_capacity(sequences.steps);
        let mut carry = last;
        for time in (0..sequences.steps).rev() {
            if let Some(outputs) = outputs {
                carry = carry + outputs[time].clone();
            }
            let mask = sequences.mask.as_ref().map(|mask| mask[time].clone());
            let (into_step, past_step) = match mask {
                Some(mask) => {
                    let into_step = carry.clone() * mask;
                    (into_step.clone(), Some(carry - into_step))
                }
                None => (carry, None),
            };
            let (input, gate, through) = trace.steps[time].backward(&trace.states[time], into_step);
            carry = through + gate.clone().matmul(transposed.clone());
            if let Some(past_step) = past_step {
                carry = carry + past_step;
            }
            inputs.push(input);
            gates.push(gate);
        }
        inputs.reverse();
        gates.reverse();
        self.gather(vocabulary, sequences, trace, inputs, gates, carry)
    }

    /// Sums the gradients of all steps: one product for `Wh`, one scattered sum for the table.
    fn gather(
        &self,
        vocabulary: usize,
        sequences: &Sequences,
        trace: &Trace,
        inputs: Vec<Tensor<2>>,
        gates: Vec<Tensor<2>>,
        first_state: Tensor<2>,
    ) -> GruGradients {
        let before = Tensor::cat(trace.states[..sequences.steps].to_vec(), 0);
        let gates = Tensor::cat(gates, 0);
        let empty = Tensor::zeros([vocabulary, 3 * self.units()], &gates.device());
        GruGradients {
            table: empty.select_assign(
                0,
                sequences.symbols.clone(),
                Tensor::cat(inputs, 0),
                IndexingUpdateOp::Add,
            ),
            hidden: before.transpose().matmul(gates.clone()),
            hidden_bias: gates.sum_dim(0).squeeze_dim(0),
            first_state,
        }
    }
}

impl GruStep {
    /// From the gradient by the state after the step: by `a` (`[batch, 3·hidden]`), by `g`,
    /// and by the state before it as far as that goes past the gates.
    fn backward(&self, before: &Tensor<2>, after: Tensor<2>) -> (Tensor<2>, Tensor<2>, Tensor<2>) {
        let through = after.clone() * self.update.clone();
        let by_candidate = after.clone() - through.clone();
        let by_update = after * (before.clone() - self.candidate.clone());
        let by_n = by_candidate * (-self.candidate.clone().square() + 1.0);
        let by_z = by_update * self.update.clone() * (-self.update.clone() + 1.0);
        let by_r =
            by_n.clone() * self.gated.clone() * self.reset.clone() * (-self.reset.clone() + 1.0);
        let by_gated = by_n.clone() * self.reset.clone();
        let input = Tensor::cat(vec![by_r.clone(), by_z.clone(), by_n], 1);
        let gate = Tensor::cat(vec![by_r, by_z, by_gated], 1);
        (input, gate, through)
    }
}
