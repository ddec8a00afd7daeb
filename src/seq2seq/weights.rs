//! `weights.safetensors`: the weights of a network, as plain named `F32` tensors.

use std::collections::HashMap;

use burn::tensor::Tensor;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use super::decode::{Decoder, Layer};
use super::gru::Gru;
use super::matrix::{Matrix, add_product};
use super::network::{Network, Shape};

/// Name, shape and values of every weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    shape: Shape,
    tensors: Vec<(&'static str, Vec<f32>)>,
}

/// The tensors of a network of this shape, in the order of [`Network`]'s fields.
fn layout(shape: Shape) -> [(&'static str, Vec<usize>); 11] {
    let Shape { vocabulary, embedding, hidden } = shape;
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

fn values<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().iter::<f32>().collect()
}

fn gru_values(gru: &Gru) -> [Vec<f32>; 4] {
    [
        values(gru.input.clone()),
        values(gru.input_bias.clone()),
        values(gru.hidden.clone()),
        values(gru.hidden_bias.clone()),
    ]
}

impl Weights {
    /// Fetches the weights of a network from its device.
    pub fn of(network: &Network) -> Self {
        let [vocabulary, embedding] = network.embedding.dims();
        let [hidden, _] = network.output.dims();
        let shape = Shape { vocabulary, embedding, hidden };
        let mut all = vec![values(network.embedding.clone())];
        all.extend(gru_values(&network.encoder));
        all.extend(gru_values(&network.decoder));
        all.push(values(network.output.clone()));
        all.push(values(network.output_bias.clone()));
        let tensors =
            layout(shape).into_iter().zip(all).map(|((name, _), values)| (name, values)).collect();
        Self { shape, tensors }
    }

    /// The file's bytes: the same weights give the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let bytes: Vec<Vec<u8>> = self
            .tensors
            .iter()
            .map(|(_, v)| v.iter().flat_map(|x| x.to_le_bytes()).collect())
            .collect();
        let views = layout(self.shape).into_iter().zip(&bytes).map(|((name, shape), bytes)| {
            TensorView::new(Dtype::F32, shape, bytes).map(|view| (name, view))
        });
        let views: Vec<_> = views.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        safetensors::serialize(views, None::<HashMap<String, String>>)
            .map_err(|error| error.to_string())
    }

    /// Reads a file that must hold a network of this shape.
    pub fn from_bytes(bytes: &[u8], shape: Shape) -> Result<Self, String> {
        let file =
            SafeTensors::deserialize(bytes).map_err(|error| format!("is damaged: {error}"))?;
        let mut tensors = Vec::new();
        for (name, expected) in layout(shape) {
            let tensor = file.tensor(name).map_err(|_| format!("has no tensor `{name}`"))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != expected {
                let (dtype, found) = (tensor.dtype(), tensor.shape());
                return Err(format!(
                    "`{name}` is {dtype:?} {found:?}, where model.json asks for F32 {expected:?}"
                ));
            }
            let values: Vec<f32> = tensor
                .data()
                .as_chunks::<4>()
                .0
                .iter()
                .map(|chunk| f32::from_le_bytes(*chunk))
                .collect();
            if values.iter().any(|value| !value.is_finite()) {
                return Err(format!("`{name}` holds values that are no numbers"));
            }
            tensors.push((name, values));
        }
        Ok(Self { shape, tensors })
    }

    /// Whether every weight is a number: training with too large steps ends in none.
    pub fn are_finite(&self) -> bool {
        self.tensors.iter().all(|(_, values)| values.iter().all(|value| value.is_finite()))
    }

    /// The sizes of the network.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    fn matrix(&self, index: usize, rows: usize, columns: usize) -> Matrix {
        Matrix::new(rows, columns, self.tensors[index].1.clone())
    }

    /// Makes the tables that decoding needs.
    pub fn decoder(&self) -> Decoder {
        let Shape { vocabulary, embedding, hidden } = self.shape;
        let symbols = self.matrix(0, vocabulary, embedding);
        let layer = |first: usize| {
            let mut table = Matrix::zeros(vocabulary, 3 * hidden);
            table.fill_rows(&self.tensors[first + 1].1);
            add_product(&symbols, &self.matrix(first, embedding, 3 * hidden), &mut table);
            let hidden_bias = self.tensors[first + 3].1.clone();
            Layer { table, hidden: self.matrix(first + 2, hidden, 3 * hidden), hidden_bias }
        };
        Decoder {
            encoder: layer(1),
            decoder: layer(5),
            output: self.matrix(9, hidden, vocabulary),
            output_bias: self.tensors[10].1.clone(),
            hidden,
        }
    }
}
