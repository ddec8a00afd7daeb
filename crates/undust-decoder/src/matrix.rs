//! The linear algebra of small networks.

/// A matrix of numbers, row by row.
#[derive(Clone, PartialEq)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    values: Vec<f32>,
}

/// Its shape: nobody reads thousands of numbers.
impl std::fmt::Debug for Matrix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} × {}", self.rows, self.columns)
    }
}

impl Matrix {
    /// All zero.
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: vec![0.0; rows * columns] }
    }

    /// Of values, row by row.
    ///
    /// # Panics
    ///
    /// If the values do not fill the shape.
    pub fn new(rows: usize, columns: usize, values: Vec<f32>) -> Self {
        assert_eq!(values.len(), rows * columns);
        Self { rows, columns, values }
    }

    /// Row by row.
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }

    /// Row by row.
    pub(crate) fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// Some rows, one after the other.
    pub(crate) fn rows(&self, rows: std::ops::Range<usize>) -> &[f32] {
        &self.values[rows.start * self.columns..rows.end * self.columns]
    }

    /// Some rows, one after the other.
    pub(crate) fn rows_mut(&mut self, rows: std::ops::Range<usize>) -> &mut [f32] {
        &mut self.values[rows.start * self.columns..rows.end * self.columns]
    }

    /// Rows become columns.
    pub(crate) fn transposed(&self) -> Self {
        let places = (0..self.columns).flat_map(|c| (0..self.rows).map(move |r| (r, c)));
        let values = places.map(|(r, c)| self.values[r * self.columns + c]).collect();
        Self::new(self.columns, self.rows, values)
    }

    /// One row.
    pub(crate) fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// One row.
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// Sets every row to `row`.
    pub(crate) fn fill_rows(&mut self, row: &[f32]) {
        for target in self.values.chunks_exact_mut(self.columns) {
            target.copy_from_slice(row);
        }
    }
}

/// `sum += left · right`, on the calling thread.
///
/// # Panics
/// If the shapes do not fit.
pub(crate) fn add_product(left: &Matrix, right: &Matrix, sum: &mut Matrix) {
    assert_eq!(left.columns, right.rows);
    assert_eq!((left.rows, right.columns), (sum.rows, sum.columns));
    add_row_product(&left.values, right, &mut sum.values);
}

/// The same, of some rows of a left matrix and of the sum.
///
/// # Panics
/// If the shapes do not fit.
#[expect(unsafe_code, reason = "matrixmultiply has no safe interface; the checks are here")]
pub(crate) fn add_row_product(left: &[f32], right: &Matrix, sum: &mut [f32]) {
    let (depth, columns) = (right.rows, right.columns);
    let rows = left.len() / depth.max(1);
    assert_eq!((left.len(), sum.len()), (rows * depth, rows * columns));
    assert_eq!(right.values.len(), depth * columns);
    if left.is_empty() || columns == 0 {
        return;
    }
    // SAFETY: `left`, `right` and `sum` hold as many values as their shapes say, with the strides of row-major
    // order, and `sum` is borrowed alone. So no pointer leaves its slice.
    unsafe {
        matrixmultiply::sgemm(
            rows,
            depth,
            columns,
            1.0,
            left.as_ptr(),
            depth as isize,
            1,
            right.values.as_ptr(),
            columns as isize,
            1,
            1.0,
            sum.as_mut_ptr(),
            columns as isize,
            1,
        );
    }
}

/// Hyperbolic tangent by the rational approximation that Eigen uses, exact to some 1e-7:
/// without branches, so that the compiler makes vector code of a loop over it.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    const LARGEST: f32 = 7.905_311;
    let x = x.clamp(-LARGEST, LARGEST);
    let square = x * x;
    let mut odd = -2.760_768_5e-16;
    for factor in
        [2.000_188e-13, -8.604_672e-11, 5.122_297e-8, 1.485_722_4e-5, 6.372_619e-4, 4.893_524_6e-3]
    {
        odd = odd * square + factor;
    }
    let mut even = 1.198_258_4e-6;
    for factor in [1.185_347_1e-4, 2.268_434_6e-3, 4.893_525e-3] {
        even = even * square + factor;
    }
    x * odd / even
}

/// The logistic function.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    0.5 + 0.5 * tanh(0.5 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tanh_is_close_everywhere() {
        for step in -12_000..12_000 {
            let x = step as f32 / 1000.0;
            assert!((tanh(x) - x.tanh()).abs() < 5e-7, "at {x}");
        }
    }

    #[test]
    fn products_are_those_of_the_definition() {
        let left = Matrix::new(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let right = Matrix::new(3, 2, vec![1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let mut sum = Matrix::zeros(2, 2);
        sum.fill_rows(&[10.0, 20.0]);
        add_product(&left, &right, &mut sum);
        assert_eq!(sum.values, [14.0, 25.0, 20.0, 31.0]);
    }

    #[test]
    fn a_row_does_not_depend_on_the_others() {
        let value = |n: usize| (n.wrapping_mul(2_654_435_761) % 1000) as f32 / 1000.0 - 0.5;
        let matrix =
            |rows, columns| Matrix::new(rows, columns, (0..rows * columns).map(value).collect());
        let (all, weights) = (matrix(128, 160), matrix(160, 480));
        let mut product = Matrix::zeros(128, 480);
        add_product(&all, &weights, &mut product);
        for rows in [16, 48, 112] {
            let some = Matrix::new(rows, 160, all.values[..rows * 160].to_vec());
            let mut fewer = Matrix::zeros(rows, 480);
            add_product(&some, &weights, &mut fewer);
            assert_eq!(fewer.values, product.values[..rows * 480]);
        }
    }
}
