//! One GRU layer over packed sequences, written out over plain matrices. The equations are those of
//! the translator's `gru`.

use undust_url::lexicon::Symbol;
use undust_util::simd::widest;

use super::packed::Packed;
use crate::matrix::{Matrix, add_product, add_row_product, sigmoid, tanh};

/// The weights of one direction; the equations are those of the module.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// `Wx`, `[embedding, 3·hidden]`.
    pub input: Matrix,
    /// `bx`, `[1, 3·hidden]`.
    pub input_bias: Matrix,
    /// `Wh`, `[hidden, 3·hidden]`.
    pub hidden: Matrix,
    /// `bh`, `[1, 3·hidden]`.
    pub hidden_bias: Matrix,
}

/// What a forward pass computed, which a backward pass needs. A row for each row of the batch.
#[derive(Debug)]
pub(crate) struct Trace {
    /// State before the step, `[rows, hidden]`.
    pub before: Matrix,
    /// State after the step.
    pub after: Matrix,
    /// `r`, `z`, `n` and `g_n`, `[rows, 4·hidden]`.
    pub gates: Matrix,
}

/// The input half of the gates for every symbol: `[vocabulary, 3·hidden]`.
pub(crate) fn table(layer: &Layer, embedding: &Matrix) -> Matrix {
    let mut table = Matrix::zeros(embedding.rows, layer.input.columns);
    table.fill_rows(layer.input_bias.values());
    add_product(embedding, &layer.input, &mut table);
    table
}

/// Runs a layer over sequences whose symbols stand in `symbols`, by row.
pub(crate) fn forward(layer: &Layer, table: &Matrix, symbols: &[Symbol], packed: &Packed) -> Trace {
    let units = layer.hidden.rows;
    let zeros = |columns| Matrix::zeros(packed.rows(), columns);
    let mut trace = Trace { before: zeros(units), after: zeros(units), gates: zeros(4 * units) };
    let mut hidden = zeros(3 * units);
    hidden.fill_rows(layer.hidden_bias.values());
    for time in 0..packed.steps() {
        let rows = packed.step(time);
        if time > 0 {
            let from = packed.step(time - 1).start;
            let before = trace.after.rows(from..from + rows.len());
            trace.before.rows_mut(rows.clone()).copy_from_slice(before);
            let before = trace.before.rows(rows.clone());
            add_row_product(before, &layer.hidden, hidden.rows_mut(rows.clone()));
        }
        widest(|| {
            for (row, symbol) in rows.zip(&symbols[packed.step(time)]).take(packed.active(time)) {
                let input = table.row(*symbol as usize);
                let (before, gates) = (trace.before.row(row), trace.gates.row_mut(row));
                step(before, hidden.row(row), input, gates, trace.after.row_mut(row));
            }
        });
    }
    trace
}

/// The gates of one row, and the state after it.
#[inline(always)]
fn step(before: &[f32], hidden: &[f32], input: &[f32], gates: &mut [f32], after: &mut [f32]) {
    let units = after.len();
    let before = &before[..units];
    let ([x_r, x_z, x_n], [h_r, h_z, h_n]) = (parts(input, units), parts(hidden, units));
    let [r, z, n, gated] = parts_mut(gates, units);
    for unit in 0..units {
        r[unit] = sigmoid(x_r[unit] + h_r[unit]);
        z[unit] = sigmoid(x_z[unit] + h_z[unit]);
        gated[unit] = h_n[unit];
        n[unit] = tanh(x_n[unit] + r[unit] * h_n[unit]);
        after[unit] = n[unit] + z[unit] * (before[unit] - n[unit]);
    }
}

/// Equal parts of a row, of this number of units each.
#[inline(always)]
pub(crate) fn parts<const N: usize>(row: &[f32], units: usize) -> [&[f32]; N] {
    std::array::from_fn(|part| &row[part * units..(part + 1) * units])
}

/// The same, to be written.
#[inline(always)]
pub(crate) fn parts_mut<const N: usize>(row: &mut [f32], units: usize) -> [&mut [f32]; N] {
    let mut rest = row;
    std::array::from_fn(|_| {
        let (part, others) = std::mem::take(&mut rest).split_at_mut(units);
        rest = others;
        part
    })
}
