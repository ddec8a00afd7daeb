//! Template pairs on a device.

use burn::tensor::{Device, Int, Tensor, TensorData};

use undust_url::template::{EOS, GO, PAD, TemplateSymbol};

use super::examples::Example;
use super::network::TrainingBatch;
use crate::gru::Mask;

/// Pads `examples` to one length, time-major. `weights` gives each pair's weight in the
/// loss, relative to the others'.
pub(crate) fn batch(examples: &[&Example], weights: &[f32], device: &Device) -> TrainingBatch {
    let pairs = examples.len();
    let longest =
        |length: fn(&Example) -> usize| examples.iter().map(|e| length(e)).max().unwrap_or(0);
    let steps = longest(|e| e.source.len());
    let forced_steps = longest(|e| e.target.len()) + 1;
    let target = |row: usize, time: usize| {
        let target = &examples[row].target;
        target.get(time).copied().or((time == target.len()).then_some(EOS))
    };
    let read = |row: usize, time: usize| match time {
        0 => Some(GO),
        _ => target(row, time - 1).filter(|symbol| *symbol != EOS),
    };
    let source = |row: usize, time: usize| examples[row].source.get(time).copied();
    let symbols: f32 =
        examples.iter().zip(weights).map(|(e, w)| w * (e.target.len() + 1) as f32).sum();
    let weight =
        |row: usize, time: usize| target(row, time).map_or(0.0, |_| weights[row] / symbols);
    TrainingBatch {
        sources: grid(steps, pairs, source, device),
        mask: mask(examples, steps, device),
        forced: grid(forced_steps, pairs, read, device),
        targets: grid(forced_steps, pairs, target, device),
        weights: column(forced_steps, pairs, weight, device),
        pairs,
    }
}

fn places(steps: usize, pairs: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..steps).flat_map(move |time| (0..pairs).map(move |row| (row, time)))
}

fn grid(
    steps: usize,
    pairs: usize,
    symbol: impl Fn(usize, usize) -> Option<TemplateSymbol>,
    device: &Device,
) -> Tensor<1, Int> {
    let values: Vec<i32> =
        places(steps, pairs).map(|(row, time)| symbol(row, time).unwrap_or(PAD) as i32).collect();
    Tensor::from_data(TensorData::new(values, [steps * pairs]), device)
}

fn column(
    steps: usize,
    pairs: usize,
    value: impl Fn(usize, usize) -> f32,
    device: &Device,
) -> Tensor<2> {
    let values: Vec<f32> = places(steps, pairs).map(|(row, time)| value(row, time)).collect();
    Tensor::from_data(TensorData::new(values, [steps * pairs, 1]), device)
}

/// Nothing where all sources are of one length.
fn mask(examples: &[&Example], steps: usize, device: &Device) -> Mask {
    if examples.iter().all(|e| e.source.len() == steps) {
        return None;
    }
    let stands = |row: usize, time: usize| f32::from(time < examples[row].source.len());
    Some(
        (0..steps)
            .map(|time| {
                column(1, examples.len(), |row, _| stands(row, time), device).unsqueeze_dim(0)
            })
            .collect(),
    )
}
