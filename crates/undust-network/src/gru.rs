//! GRU layers over a batch of sequences, with a backward pass written out.
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
//! Layers that do not depend on one another, such as the two directions of an encoder, run side by
//! side, one *way* each: small tensors cost what they cost to begin with, not what they hold.
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
    /// What it makes of its state.
    pub cell: Cell,
}

/// The half of a layer's weights that its state passes through.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// `Wh`, `[hidden, 3·hidden]`.
    pub hidden: Tensor<2>,
    /// `bh`, `[3·hidden]`.
    pub hidden_bias: Tensor<1>,
}

impl Gru {
    /// The input half of the gates for every symbol: `[vocabulary, 3·hidden]`.
    pub(crate) fn table(&self, embedding: Tensor<2>) -> Tensor<2> {
        embedding.matmul(self.input.clone()) + self.input_bias.clone().unsqueeze()
    }
}

/// The rows of a table that sequences ask for.
pub(crate) fn look_up(table: Tensor<2>, symbols: &Tensor<1, Int>) -> Tensor<2> {
    table.select(0, symbols.clone())
}

/// The gradient of a table with `rows` rows, from that of the rows that were asked for.
pub(crate) fn scatter(rows: usize, symbols: &Tensor<1, Int>, by_asked: Tensor<2>) -> Tensor<2> {
    let empty = Tensor::zeros([rows, by_asked.dims()[1]], &by_asked.device());
    empty.select_assign(0, symbols.clone(), by_asked, IndexingUpdateOp::Add)
}

/// Cells that run side by side.
pub(crate) struct Recurrence {
    /// `[ways, hidden, 3·hidden]`.
    hidden: Tensor<3>,
    /// `[ways, 1, 3·hidden]`.
    hidden_bias: Tensor<3>,
}

/// 1 where a symbol stands, 0 where the sequence has ended: `[1, batch, 1]` for each step. Nothing
/// where no state past an end is ever used.
pub(crate) type Mask = Option<Vec<Tensor<3>>>;

/// What the backward pass needs to know of the forward one.
pub(crate) struct Trace {
    /// States before each step and after the last, `[ways, batch, hidden]`.
    pub states: Vec<Tensor<3>>,
    steps: Vec<GruStep>,
}

struct GruStep {
    reset: Tensor<3>,
    update: Tensor<3>,
    candidate: Tensor<3>,
    /// `g_n`, before the reset gate.
    gated: Tensor<3>,
}

/// Gradients of cells.
pub(crate) struct CellGradients {
    /// Of the input half of the gates, `[ways, steps·batch, 3·hidden]`.
    pub inputs: Tensor<3>,
    /// Of `Wh`, `[ways, hidden, 3·hidden]`.
    pub hidden: Tensor<3>,
    /// Of `bh`, `[ways, 1, 3·hidden]`.
    pub hidden_bias: Tensor<3>,
    /// Of the first state, `[ways, batch, hidden]`.
    pub first_state: Tensor<3>,
}

/// One way of a tensor.
pub(crate) fn way(tensor: &Tensor<3>, way: usize) -> Tensor<2> {
    tensor.clone().slice_dim(0, way..way + 1).squeeze_dim(0)
}

impl Trace {
    /// The states after each step, one after the other: `[ways, steps·batch, hidden]`.
    pub(crate) fn after(&self) -> Tensor<3> {
        Tensor::cat(self.states[1..].to_vec(), 1)
    }

    /// The states after the last step, `[ways, batch, hidden]`.
    pub(crate) fn last(&self) -> &Tensor<3> {
        &self.states[self.steps.len()]
    }
}

impl Recurrence {
    /// Of cells of one size.
    pub(crate) fn of<const N: usize>(cells: [&Cell; N]) -> Self {
        let hidden = cells.map(|cell| cell.hidden.clone().unsqueeze_dim(0));
        let hidden_bias =
            cells.map(|cell| cell.hidden_bias.clone().unsqueeze::<2>().unsqueeze_dim(0));
        Self {
            hidden: Tensor::cat(hidden.to_vec(), 0),
            hidden_bias: Tensor::cat(hidden_bias.to_vec(), 0),
        }
    }

    fn units(&self) -> usize {
        self.hidden.dims()[1]
    }

    /// Runs the cells over `inputs`, `[ways, steps·batch, 3·hidden]`, from the states `first`,
    /// `[ways, batch, hidden]`.
    pub(crate) fn forward(&self, inputs: Tensor<3>, mask: &Mask, first: Tensor<3>) -> Trace {
        let (batch, units) = (first.dims()[1], self.units());
        let count = inputs.dims()[1] / batch;
        let mut trace = Trace { states: vec![first], steps: Vec::with_capacity(count) };
        for time in 0..count {
            let state = trace.states[time].clone();
            let x = inputs.clone().slice_dim(1, time * batch..(time + 1) * batch);
            let g = state.clone().matmul(self.hidden.clone()) + self.hidden_bias.clone();
            let gates = sigmoid(
                x.clone().slice_dim(2, 0..2 * units) + g.clone().slice_dim(2, 0..2 * units),
            );
            let reset = gates.clone().slice_dim(2, 0..units);
            let update = gates.slice_dim(2, units..2 * units);
            let gated = g.slice_dim(2, 2 * units..3 * units);
            let candidate =
                (x.slice_dim(2, 2 * units..3 * units) + reset.clone() * gated.clone()).tanh();
            let mut next = candidate.clone() + update.clone() * (state.clone() - candidate.clone());
            if let Some(mask) = mask {
                next = state.clone() + mask[time].clone() * (next - state);
            }
            trace.states.push(next);
            trace.steps.push(GruStep { reset, update, candidate, gated });
        }
        trace
    }

    /// Gradients of a loss whose gradient by the states after each step is `outputs`
    /// (`[ways, steps·batch, hidden]`, or nothing) and by the last states is `last`.
    pub(crate) fn backward(
        &self,
        trace: &Trace,
        mask: &Mask,
        outputs: Option<&Tensor<3>>,
        last: Tensor<3>,
    ) -> CellGradients {
        let batch = last.dims()[1];
        let transposed = self.hidden.clone().swap_dims(1, 2);
        let mut inputs = Vec::with_capacity(trace.steps.len());
        let mut gates = Vec::with_capacity(trace.steps.len());
        let mut carry = last;
        for time in (0..trace.steps.len()).rev() {
            if let Some(outputs) = outputs {
                carry = carry + outputs.clone().slice_dim(1, time * batch..(time + 1) * batch);
            }
            let (into_step, past_step) = match mask.as_ref().map(|mask| mask[time].clone()) {
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
        // One product for `Wh` of all steps.
        let before = Tensor::cat(trace.states[..trace.steps.len()].to_vec(), 1);
        let gates = Tensor::cat(gates, 1);
        CellGradients {
            inputs: Tensor::cat(inputs, 1),
            hidden: before.swap_dims(1, 2).matmul(gates.clone()),
            hidden_bias: gates.sum_dim(1),
            first_state: carry,
        }
    }
}

/// Gradients of one layer.
pub(crate) struct GruGradients {
    /// Of the table, `[rows, 3·hidden]`.
    pub table: Tensor<2>,
    /// Of `Wh`.
    pub hidden: Tensor<2>,
    /// Of `bh`.
    pub hidden_bias: Tensor<1>,
    /// Of the first state, `[batch, hidden]`.
    pub first_state: Tensor<2>,
}

impl Cell {
    /// Runs one layer alone over the rows of a table that `symbols` (`[steps·batch]`) ask for, from
    /// the state `first`, `[batch, hidden]`.
    pub(crate) fn forward(
        &self,
        table: Tensor<2>,
        symbols: &Tensor<1, Int>,
        mask: &Mask,
        first: Tensor<2>,
    ) -> Trace {
        let inputs = look_up(table, symbols).unsqueeze_dim(0);
        Recurrence::of([self]).forward(inputs, mask, first.unsqueeze_dim(0))
    }

    /// Gradients of a loss by one layer that ran alone over a table of `rows` rows; see
    /// [`Recurrence::backward`].
    pub(crate) fn backward(
        &self,
        (rows, symbols): (usize, &Tensor<1, Int>),
        (trace, mask): (&Trace, &Mask),
        outputs: Option<Tensor<2>>,
        last: Tensor<2>,
    ) -> GruGradients {
        let outputs = outputs.map(|outputs| outputs.unsqueeze_dim(0));
        let gradients =
            Recurrence::of([self]).backward(trace, mask, outputs.as_ref(), last.unsqueeze_dim(0));
        GruGradients {
            table: scatter(rows, symbols, way(&gradients.inputs, 0)),
            hidden: way(&gradients.hidden, 0),
            hidden_bias: way(&gradients.hidden_bias, 0).squeeze_dim(0),
            first_state: way(&gradients.first_state, 0),
        }
    }
}

impl GruStep {
    /// From the gradient by the state after the step: by `a` (`[ways, batch, 3·hidden]`), by `g`,
    /// and by the state before it as far as that goes past the gates.
    fn backward(&self, before: &Tensor<3>, after: Tensor<3>) -> (Tensor<3>, Tensor<3>, Tensor<3>) {
        let through = after.clone() * self.update.clone();
        let by_candidate = after.clone() - through.clone();
        let by_update = after * (before.clone() - self.candidate.clone());
        let by_n = by_candidate * (-self.candidate.clone().square() + 1.0);
        let by_z = by_update * self.update.clone() * (-self.update.clone() + 1.0);
        let by_r =
            by_n.clone() * self.gated.clone() * self.reset.clone() * (-self.reset.clone() + 1.0);
        let by_gated = by_n.clone() * self.reset.clone();
        let input = Tensor::cat(vec![by_r.clone(), by_z.clone(), by_n], 2);
        let gate = Tensor::cat(vec![by_r, by_z, by_gated], 2);
        (input, gate, through)
    }
}
