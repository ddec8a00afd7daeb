//! The weights of a pointer network, and `weights.safetensors`: plain named `F32` tensors.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::encoder::gru::Layer;
use crate::error::WeightsReason;
use crate::matrix::Matrix;
use crate::translator_weights::read_tensor;

/// The sizes of a pointer network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointerSizes {
    /// Symbols.
    pub vocabulary: usize,
    /// Width of a symbol's embedding.
    pub embedding: usize,
    /// Units of the encoder each way, and of the decoder.
    pub hidden: usize,
    /// Phrases that may be inserted.
    pub phrases: usize,
}

/// Tensors of a network.
pub const TENSORS: usize = 18;

/// Places that lie farther from the one that was copied last are taken to be so far.
pub(crate) const FARTHEST: usize = 8;
/// The distances that the network distinguishes, from behind to ahead.
pub const DISTANCES: usize = 2 * FARTHEST + 1;

/// The number of a distance: of `place` from the place that was copied last, if one was.
pub fn distance(place: usize, last: Option<usize>) -> usize {
    // Before anything is copied, the first place is the next one.
    let next = last.map_or(0, |last| last + 1);
    (place + FARTHEST).saturating_sub(next).min(DISTANCES - 1)
}

impl PointerSizes {
    /// Whether a network can have these sizes; a file may claim any.
    pub fn is_usable(&self) -> bool {
        let Self { vocabulary, embedding, hidden, phrases } = *self;
        let sizes = [vocabulary, embedding, hidden];
        sizes.iter().all(|size| (1..=1 << 20).contains(size)) && phrases <= usize::from(u16::MAX)
    }

    /// Name, rows and columns of each tensor. A bias has one row.
    pub fn layout(&self) -> [(&'static str, usize, usize); TENSORS] {
        let Self { vocabulary, embedding, hidden, phrases } = *self;
        let (gates, both) = (3 * hidden, 2 * hidden);
        [
            ("embedding", vocabulary, embedding),
            ("forward.input", embedding, gates),
            ("forward.input_bias", 1, gates),
            ("forward.hidden", hidden, gates),
            ("forward.hidden_bias", 1, gates),
            ("backward.input", embedding, gates),
            ("backward.input_bias", 1, gates),
            ("backward.hidden", hidden, gates),
            ("backward.hidden_bias", 1, gates),
            ("decoder.first", both, hidden),
            ("decoder.first_bias", 1, hidden),
            ("decoder.copied", both, gates),
            ("decoder.inserted", phrases + 1, gates),
            ("decoder.hidden", hidden, gates),
            ("decoder.hidden_bias", 1, gates),
            ("keys", both, hidden),
            ("distances", 1, DISTANCES),
            ("phrases", phrases, hidden),
        ]
    }
}

/// Every weight of a pointer network.
#[derive(Debug, Clone, PartialEq)]
pub struct PointerWeights {
    /// `[vocabulary, embedding]`, of both directions.
    pub embedding: Matrix,
    /// From the first piece to the last, and from the last to the first.
    pub encoder: [Layer; 2],
    /// `[2·hidden, hidden]`: the last states of both directions → the decoder's first state.
    pub first: Matrix,
    /// `[1, hidden]`.
    pub first_bias: Matrix,
    /// `[2·hidden, 3·hidden]`: the states of the place that was copied last → the decoder's gates.
    pub copied: Matrix,
    /// `[phrases + 1, 3·hidden]`: the decoder's gates at the start, and after each phrase.
    pub inserted: Matrix,
    /// `[hidden, 3·hidden]`, of the decoder.
    pub hidden: Matrix,
    /// `[1, 3·hidden]`.
    pub hidden_bias: Matrix,
    /// `[2·hidden, hidden]`: the states of a place → its key.
    pub keys: Matrix,
    /// `[1, DISTANCES]`: what the distance of a place adds to its score.
    pub distances: Matrix,
    /// `[phrases, hidden]`: the key of each phrase.
    pub phrases: Matrix,
}

impl PointerWeights {
    /// Of tensors in the order of the layout.
    pub fn of(tensors: [Matrix; TENSORS]) -> Self {
        let [embedding, a, b, c, d, e, f, g, h, rest @ ..] = tensors;
        let layer = |[input, input_bias, hidden, hidden_bias]: [Matrix; 4]| Layer {
            input,
            input_bias,
            hidden,
            hidden_bias,
        };
        let [first, first_bias, copied, inserted, hidden, hidden_bias, keys, distances, phrases] =
            rest;
        Self {
            embedding,
            encoder: [layer([a, b, c, d]), layer([e, f, g, h])],
            first,
            first_bias,
            copied,
            inserted,
            hidden,
            hidden_bias,
            keys,
            distances,
            phrases,
        }
    }

    /// In the order of the layout.
    pub(crate) fn tensors(&self) -> [&Matrix; TENSORS] {
        let [a, b] = &self.encoder;
        [
            &self.embedding,
            &a.input,
            &a.input_bias,
            &a.hidden,
            &a.hidden_bias,
            &b.input,
            &b.input_bias,
            &b.hidden,
            &b.hidden_bias,
            &self.first,
            &self.first_bias,
            &self.copied,
            &self.inserted,
            &self.hidden,
            &self.hidden_bias,
            &self.keys,
            &self.distances,
            &self.phrases,
        ]
    }

    /// The sizes of the network.
    pub fn sizes(&self) -> PointerSizes {
        PointerSizes {
            vocabulary: self.embedding.rows,
            embedding: self.embedding.columns,
            hidden: self.hidden.rows,
            phrases: self.phrases.rows,
        }
    }

    /// Whether every weight is a number: training with too large steps ends in none.
    pub fn are_finite(&self) -> bool {
        self.tensors().iter().all(|tensor| tensor.values().iter().all(|value| value.is_finite()))
    }

    /// The file's bytes: the same weights give the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SafeTensorError> {
        let to_bytes =
            |tensor: &Matrix| tensor.values().iter().flat_map(|x| x.to_le_bytes()).collect();
        let bytes: Vec<Vec<u8>> = self.tensors().into_iter().map(to_bytes).collect();
        let layout = self.sizes().layout();
        let views = layout.into_iter().zip(&bytes).map(|((name, rows, columns), bytes)| {
            TensorView::new(Dtype::F32, vec![rows, columns], bytes).map(|view| (name, view))
        });
        let views: Vec<_> = views.collect::<Result<_, _>>()?;
        safetensors::serialize(views, None::<HashMap<String, String>>)
    }

    /// Reads a file that must hold a network of these sizes.
    pub fn from_bytes(bytes: &[u8], sizes: &PointerSizes) -> Result<Self, WeightsReason> {
        let damaged = |error: SafeTensorError| WeightsReason::Damaged { detail: error.to_string() };
        let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let mut tensors = [const { None }; TENSORS];
        for (tensor, (name, rows, columns)) in tensors.iter_mut().zip(sizes.layout()) {
            *tensor = Some(Matrix::new(rows, columns, read_tensor(&file, name, &[rows, columns])?));
        }
        Ok(Self::of(tensors.map(|tensor| tensor.unwrap_or_else(|| Matrix::zeros(0, 0)))))
    }
}
