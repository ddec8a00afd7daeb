//! The weights of a network off its device, and `weights.safetensors`: plain named `F32`
//! tensors.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use super::matrix::Matrix;
use crate::error::WeightsReason;

/// The sizes of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslatorSizes {
    /// Symbols.
    pub vocabulary: usize,
    /// Width of a symbol's embedding.
    pub embedding: usize,
    /// Units of each GRU.
    pub hidden: usize,
}

impl TranslatorSizes {
    /// Whether a network can have these sizes; a file may claim any.
    pub fn is_usable(&self) -> bool {
        let sizes = [self.vocabulary, self.embedding, self.hidden];
        sizes.iter().all(|size| (1..=1 << 20).contains(size))
    }

    /// The tensors of a network of this shape, in the order of its fields. Of one size a vector.
    fn layout(self) -> [(&'static str, Vec<usize>); TENSORS] {
        let TranslatorSizes { vocabulary, embedding, hidden } = self;
        let gates = 3 * hidden;
        [
            ("embedding", vec![vocabulary, embedding]),
            ("encoder.input", vec![embedding, gates]),
            ("encoder.input_bias", vec![gates]),
            ("encoder.hidden", vec![hidden, gates]),
            ("encoder.hidden_bias", vec![gates]),
            ("decoder.input", vec![embedding, gates]),
            ("decoder.input_bias", vec![gates]),
            ("decoder.hidden", vec![hidden, gates]),
            ("decoder.hidden_bias", vec![gates]),
            ("output", vec![hidden, vocabulary]),
            ("output_bias", vec![vocabulary]),
        ]
    }
}

const TENSORS: usize = 11;
const ENCODER: usize = 1;
const DECODER: usize = 5;

/// Every weight of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct TranslatorWeights {
    shape: TranslatorSizes,
    /// In the order of the layout; a vector is a matrix of one row.
    tensors: [Matrix; TENSORS],
}

/// The weights of one GRU layer; the module `gru` has its equations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayerWeights<'w> {
    /// `Wx`, `[embedding, 3·hidden]`.
    pub input: &'w Matrix,
    /// `bx`, `[3·hidden]`.
    pub input_bias: &'w [f32],
    /// `Wh`, `[hidden, 3·hidden]`.
    pub hidden: &'w Matrix,
    /// `bh`, `[3·hidden]`.
    pub hidden_bias: &'w [f32],
}

impl TranslatorWeights {
    /// Of values in the order of the layout: embedding; input, its bias, hidden and its bias of
    /// the encoder; the same of the decoder; output, its bias.
    ///
    /// # Panics
    /// If the values do not fill the shape.
    pub fn new(shape: TranslatorSizes, values: [Vec<f32>; TENSORS]) -> Self {
        let mut layout = shape.layout().into_iter();
        let tensors = values.map(|values| {
            let sizes = layout.next().map_or_else(Vec::new, |(_, sizes)| sizes);
            let columns = sizes.last().copied().unwrap_or(0);
            Matrix::new(if sizes.len() > 1 { sizes[0] } else { 1 }, columns, values)
        });
        Self { shape, tensors }
    }

    /// The file's bytes: the same weights give the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SafeTensorError> {
        let to_bytes =
            |tensor: &Matrix| tensor.values().iter().flat_map(|x| x.to_le_bytes()).collect();
        let bytes: Vec<Vec<u8>> = self.tensors.iter().map(to_bytes).collect();
        let views = self.shape.layout().into_iter().zip(&bytes).map(|((name, sizes), bytes)| {
            TensorView::new(Dtype::F32, sizes, bytes).map(|view| (name, view))
        });
        let views: Vec<_> = views.collect::<Result<_, _>>()?;
        safetensors::serialize(views, None::<HashMap<String, String>>)
    }

    /// Reads a file that must hold a network of this shape.
    pub fn from_bytes(bytes: &[u8], shape: TranslatorSizes) -> Result<Self, WeightsReason> {
        let damaged = |error: SafeTensorError| WeightsReason::Damaged { detail: error.to_string() };
        let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let mut values = [const { Vec::new() }; TENSORS];
        for ((name, sizes), values) in shape.layout().into_iter().zip(&mut values) {
            *values = read_tensor(&file, name, &sizes)?;
        }
        Ok(Self::new(shape, values))
    }

    /// Whether every weight is a number: training with too large steps ends in none.
    pub fn are_finite(&self) -> bool {
        self.tensors.iter().all(|tensor| tensor.values().iter().all(|value| value.is_finite()))
    }

    /// The sizes of the network.
    pub fn shape(&self) -> TranslatorSizes {
        self.shape
    }

    /// `[vocabulary, embedding]`, of encoder and decoder.
    pub(crate) fn embedding(&self) -> &Matrix {
        &self.tensors[0]
    }

    /// The layer that reads the source.
    pub(crate) fn encoder(&self) -> LayerWeights<'_> {
        self.layer(ENCODER)
    }

    /// The layer that writes the target.
    pub(crate) fn decoder(&self) -> LayerWeights<'_> {
        self.layer(DECODER)
    }

    /// `[hidden, vocabulary]`.
    pub(crate) fn output(&self) -> &Matrix {
        &self.tensors[TENSORS - 2]
    }

    /// `[vocabulary]`.
    pub(crate) fn output_bias(&self) -> &[f32] {
        self.tensors[TENSORS - 1].values()
    }

    fn layer(&self, first: usize) -> LayerWeights<'_> {
        LayerWeights {
            input: &self.tensors[first],
            input_bias: self.tensors[first + 1].values(),
            hidden: &self.tensors[first + 2],
            hidden_bias: self.tensors[first + 3].values(),
        }
    }
}

/// The values of a file's tensor, which must be finite and of these sizes.
pub(super) fn read_tensor(
    file: &SafeTensors<'_>,
    name: &str,
    sizes: &[usize],
) -> Result<Vec<f32>, WeightsReason> {
    let missing = |_| WeightsReason::NoTensor { name: name.to_owned() };
    let tensor = file.tensor(name).map_err(missing)?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != sizes {
        let found = format!("{:?} {:?}", tensor.dtype(), tensor.shape());
        let (name, expected) = (name.to_owned(), sizes.to_vec());
        return Err(WeightsReason::OtherTensor { name, found, expected });
    }
    let (chunks, _) = tensor.data().as_chunks::<4>();
    let values: Vec<f32> = chunks.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
    if values.iter().any(|value| !value.is_finite()) {
        return Err(WeightsReason::NotFinite { name: name.to_owned() });
    }
    Ok(values)
}
