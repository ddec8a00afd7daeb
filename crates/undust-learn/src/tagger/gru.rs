//! The backward pass of one GRU layer over packed sequences, written out over plain matrices: on
//! small GRUs plain loops took half of burn's time and less.

use undust_model::networks::encoder::gru::Layer;
use undust_model::networks::encoder::gru::{Trace, parts, parts_mut};
use undust_model::networks::encoder::packed::Packed;
use undust_model::networks::matrix::{Matrix, add_row_product, add_transposed_product};
use undust_url::lexicon::Symbol;
use undust_util::simd::widest;

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
fn add(sum: &mut [f32], summand: &[f32]) {
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
