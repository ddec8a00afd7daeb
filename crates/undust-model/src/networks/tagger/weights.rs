//! The weights of a tagger, and `weights.safetensors`: plain named `F32` tensors.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use undust_util::error::{ModelReason, WeightsReason};

use crate::networks::encoder::gru::Layer;
use crate::networks::matrix::Matrix;
use crate::networks::translator_weights::read_tensor;

/// The sizes of a tagger's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaggerSizes {
    /// Symbols.
    pub vocabulary: usize,
    /// Width of a symbol's embedding.
    pub embedding: usize,
    /// Units each way.
    pub hidden: usize,
    /// Phrases that may be inserted.
    pub phrases: usize,
}

/// Tensors of a network.
pub(super) const TENSORS: usize = 11;

impl TaggerSizes {
    /// Whether a network can have these sizes; a file may claim any.
    pub(crate) fn is_usable(&self) -> bool {
        let Self { vocabulary, embedding, hidden, phrases } = *self;
        let sizes = [vocabulary, embedding, hidden];
        sizes.iter().all(|size| (1..=1 << 20).contains(size)) && phrases <= usize::from(u16::MAX)
    }

    /// Answers of the two heads: keep, insert nothing, insert each phrase.
    pub(super) fn answers(&self) -> usize {
        self.phrases + 2
    }

    /// Name, rows and columns of each tensor. A bias has one row.
    fn layout(&self) -> [(&'static str, usize, usize); TENSORS] {
        let Self { vocabulary, embedding, hidden, .. } = *self;
        let gates = 3 * hidden;
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
            ("heads", 2 * hidden, self.answers()),
            ("heads_bias", 1, self.answers()),
        ]
    }
}

/// Every weight of a tagger, or something of the same sizes: its gradient, a mean of it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggerWeights {
    /// `[vocabulary, embedding]`, of both directions.
    pub embedding: Matrix,
    /// From the first piece to the last, and from the last to the first.
    pub layers: [Layer; 2],
    /// `[2·hidden, answers]`: the states of both directions → the score of keeping, and of each
    /// insertion, that of nothing first.
    pub heads: Matrix,
    /// `[1, answers]`.
    pub heads_bias: Matrix,
}

impl TaggerWeights {
    fn of(tensors: [Matrix; TENSORS]) -> Self {
        let [embedding, a, b, c, d, e, f, g, h, heads, heads_bias] = tensors;
        let layer = |[input, input_bias, hidden, hidden_bias]: [Matrix; 4]| Layer {
            input,
            input_bias,
            hidden,
            hidden_bias,
        };
        Self { embedding, layers: [layer([a, b, c, d]), layer([e, f, g, h])], heads, heads_bias }
    }

    /// All zero.
    pub fn zeros(sizes: &TaggerSizes) -> Self {
        Self::of(sizes.layout().map(|(_, rows, columns)| Matrix::zeros(rows, columns)))
    }

    /// Each tensor filled by `value`, which is given the tensor's name, value by value.
    pub fn filled(sizes: &TaggerSizes, mut value: impl FnMut(&'static str) -> f32) -> Self {
        Self::of(sizes.layout().map(|(name, rows, columns)| {
            Matrix::new(rows, columns, (0..rows * columns).map(|_| value(name)).collect())
        }))
    }

    /// In the order of the layout.
    pub fn tensors(&self) -> [&Matrix; TENSORS] {
        let [a, b] = &self.layers;
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
            &self.heads,
            &self.heads_bias,
        ]
    }

    /// In the order of the layout.
    pub fn tensors_mut(&mut self) -> [&mut Matrix; TENSORS] {
        let [a, b] = &mut self.layers;
        [
            &mut self.embedding,
            &mut a.input,
            &mut a.input_bias,
            &mut a.hidden,
            &mut a.hidden_bias,
            &mut b.input,
            &mut b.input_bias,
            &mut b.hidden,
            &mut b.hidden_bias,
            &mut self.heads,
            &mut self.heads_bias,
        ]
    }

    /// The sizes of the network.
    pub fn sizes(&self) -> TaggerSizes {
        TaggerSizes {
            vocabulary: self.embedding.rows,
            embedding: self.embedding.columns,
            hidden: self.layers[0].hidden.rows,
            phrases: self.heads.columns - 2,
        }
    }

    /// Whether every weight is a number: training with too large steps ends in none.
    pub fn are_finite(&self) -> bool {
        self.tensors().iter().all(|tensor| tensor.values().iter().all(|value| value.is_finite()))
    }

    /// The file's bytes: the same weights give the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelReason> {
        let to_bytes =
            |tensor: &Matrix| tensor.values().iter().flat_map(|x| x.to_le_bytes()).collect();
        let bytes: Vec<Vec<u8>> = self.tensors().into_iter().map(to_bytes).collect();
        let layout = self.sizes().layout();
        let views = layout.into_iter().zip(&bytes).map(|((name, rows, columns), bytes)| {
            TensorView::new(Dtype::F32, vec![rows, columns], bytes).map(|view| (name, view))
        });
        let views: Vec<_> = views.collect::<Result<_, _>>().map_err(ModelReason::unwritable)?;
        safetensors::serialize(views, None::<HashMap<String, String>>)
            .map_err(ModelReason::unwritable)
    }

    /// Reads a file that must hold a network of these sizes.
    pub(crate) fn from_bytes(bytes: &[u8], sizes: &TaggerSizes) -> Result<Self, WeightsReason> {
        let damaged = |error: SafeTensorError| WeightsReason::Damaged { detail: error.to_string() };
        let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let mut weights = Self::zeros(&TaggerSizes { vocabulary: 0, ..*sizes });
        for (tensor, (name, rows, columns)) in weights.tensors_mut().into_iter().zip(sizes.layout())
        {
            let values = read_tensor(&file, name, &[rows, columns])?;
            *tensor = Matrix::new(rows, columns, values);
        }
        Ok(weights)
    }
}
