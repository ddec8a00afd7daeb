//! Shapes that a network reads at once.

use undust_url::lexicon::{EDGE, Symbol};

use super::packed::{Packed, PackedPlace};

/// Shapes to be read at once. A shape is read with [`EDGE`] behind it, where the tag of its end
/// stands.
pub(crate) struct ShapeBatch {
    /// Where its rows stand.
    pub packed: Packed,
    /// By row, read forwards and backwards.
    pub symbols: [Vec<Symbol>; 2],
}

impl ShapeBatch {
    /// Of shapes, longest first. With `multiple` = 16 the answers for a shape do not depend on
    /// the others.
    pub(crate) fn new(shapes: &[&[Symbol]], multiple: usize) -> Self {
        let packed = Packed::new(shapes.iter().map(|shape| shape.len() + 1).collect(), multiple);
        let mut symbols = [vec![EDGE; packed.rows()], vec![EDGE; packed.rows()]];
        for PackedPlace { sequence, time, row, back } in packed.places() {
            let symbol = shapes[sequence].get(time).copied().unwrap_or(EDGE);
            (symbols[0][row], symbols[1][back]) = (symbol, symbol);
        }
        Self { packed, symbols }
    }
}
