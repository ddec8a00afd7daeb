//! One GRU layer over packed sequences, forwards and backwards, written out over plain matrices.
//!
//! The equations are those of the translator's `gru`. Written out, training takes seconds on one
//! core and needs no feature: on small GRUs plain loops took half of burn's time and less.

use undust_url::lexicon::Symbol;
use undust_util::simd::widest;

use super::packed::Packed;
use super::weights::Layer;
use crate::networks::matrix::tanh;
use crate::networks::matrix::{Matrix, add_product, add_row_product, add_transposed_product};

/// What the backward pass needs to know of the forward one. A row for each row of the batch.
#[derive(Debug)]
pub(super) struct Trace {
    /// State before the step, `[rows, hidden]`.
    before: Matrix,
    /// State after the step.
    pub after: Matrix,
    /// `r`, `z`, `n` and `g_n`, `[rows, 4·hidden]`.
    gates: Matrix,
}

/// The input half of the gates for every symbol: `[vocabulary, 3·hidden]`.
pub(super) fn table(layer: &Layer, embedding: &Matrix) -> Matrix {
    let mut table = Matrix::zeros(embedding.rows, layer.input.columns);
    table.fill_rows(layer.input_bias.values());
    add_product(embedding, &layer.input, &mut table);
    table
}

/// Runs a layer over sequences whose symbols stand in `symbols`, by row.
pub(super) fn forward(layer: &Layer, table: &Matrix, symbols: &[Symbol], packed: &Packed) -> Trace {
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

/// The gradient of a layer's weights and of its table.
pub(super) struct Gradient {
    /// Of the table, `[vocabulary, 3·hidden]`.
    pub table: Matrix,
    /// Of `Wh`.
    pub hidden: Matrix,
    /// Of `bh`.
    pub hidden_bias: Matrix,
}

/// Gradient of a loss whose gradient by the states after each step is `outputs`.
pub(super) fn backward(
    layer: &Layer,
    vocabulary: usize,
    symbols: &[Symbol],
    packed: &Packed,
    (trace, outputs): (&Trace, &Matrix),
) -> Gradient {
    let units = layer.hidden.rows;
    let transposed = layer.hidden.transposed();
    let mut table = Matrix::zeros(vocabulary, 3 * units);
    let mut gates = Matrix::zeros(packed.rows(), 3 * units);
    let mut carry = Matrix::zeros(if packed.steps() > 0 { packed.step(0).len() } else { 0 }, units);
    let mut input = vec![0.0; 3 * units];
    for time in (0..packed.steps()).rev() {
        let rows = packed.step(time);
        widest(|| {
            for (sequence, row) in (rows.start..rows.start + packed.active(time)).enumerate() {
                let (before, forward) = (trace.before.row(row), trace.gates.row(row));
                let (carry, gates) = (carry.row_mut(sequence), gates.row_mut(row));
                back(outputs.row(row), before, forward, carry, &mut input, gates);
                add(table.row_mut(symbols[row] as usize), &input);
            }
        });
        add_row_product(gates.rows(rows.clone()), &transposed, carry.rows_mut(0..rows.len()));
    }
    let mut hidden = Matrix::zeros(units, 3 * units);
    add_transposed_product(&trace.before, &gates, &mut hidden);
    Gradient { table, hidden, hidden_bias: column_sums(&gates) }
}

/// One row backwards. `carry` is the gradient by the state after the step that later steps hand
/// back, and becomes that by the state before it as far as that goes past the gates.
#[inline(always)]
fn back(
    output: &[f32],
    before: &[f32],
    forward: &[f32],
    carry: &mut [f32],
    input: &mut [f32],
    gates: &mut [f32],
) {
    let units = carry.len();
    let (output, before) = (&output[..units], &before[..units]);
    let [r, z, n, gated] = parts(forward, units);
    let [x_r, x_z, x_n] = parts_mut(input, units);
    let [h_r, h_z, h_n] = parts_mut(gates, units);
    for unit in 0..units {
        let after = carry[unit] + output[unit];
        carry[unit] = after * z[unit];
        let by_n = (after - carry[unit]) * (1.0 - n[unit] * n[unit]);
        let by_z = after * (before[unit] - n[unit]) * z[unit] * (1.0 - z[unit]);
        let by_r = by_n * gated[unit] * r[unit] * (1.0 - r[unit]);
        (x_r[unit], x_z[unit], x_n[unit]) = (by_r, by_z, by_n);
        (h_r[unit], h_z[unit], h_n[unit]) = (by_r, by_z, by_n * r[unit]);
    }
}

#[inline(always)]
pub(super) fn add(sum: &mut [f32], summand: &[f32]) {
    for (sum, summand) in sum.iter_mut().zip(summand) {
        *sum += summand;
    }
}

/// The sum of all rows, `[1, columns]`.
pub(super) fn column_sums(matrix: &Matrix) -> Matrix {
    let mut sums = Matrix::zeros(1, matrix.columns);
    widest(|| {
        for row in 0..matrix.rows {
            add(sums.row_mut(0), matrix.row(row));
        }
    });
    sums
}

#[inline(always)]
fn parts<const N: usize>(row: &[f32], units: usize) -> [&[f32]; N] {
    std::array::from_fn(|part| &row[part * units..(part + 1) * units])
}

#[inline(always)]
fn parts_mut<const N: usize>(row: &mut [f32], units: usize) -> [&mut [f32]; N] {
    let mut rest = row;
    std::array::from_fn(|_| {
        let (part, others) = std::mem::take(&mut rest).split_at_mut(units);
        rest = others;
        part
    })
}

#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    0.5 + 0.5 * tanh(0.5 * x)
}
