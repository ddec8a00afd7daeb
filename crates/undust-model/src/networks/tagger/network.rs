//! The tagger's network: a GRU each way over the pieces, and two linear heads on both states.
//! One says whether a piece stays, the other what is inserted before it.

use undust_url::lexicon::Symbol;

use super::labels::Tag;
use super::weights::TaggerWeights;
use crate::networks::encoder::gru::{self, Trace};
use crate::networks::encoder::packed::PackedPlace;
use crate::networks::encoder::shape_batch::ShapeBatch;
use crate::networks::matrix::{Matrix, add_product};

/// The input half of the gates for every symbol, by direction.
pub type Tables = [Matrix; 2];

/// What one forward pass gave.
pub struct Pass {
    /// By direction.
    pub traces: [Trace; 2],
    /// The states of both directions at each place, `[rows, 2·hidden]`.
    pub states: Matrix,
    /// Of keeping, inserting nothing, inserting each phrase: `[rows, answers]`.
    pub scores: Matrix,
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::tagger::weights::TaggerSizes;

    const SIZES: TaggerSizes = TaggerSizes { vocabulary: 6, embedding: 3, hidden: 4, phrases: 2 };

    fn tag(keep: bool, insert: u16) -> Tag {
        Tag { keep, insert }
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
