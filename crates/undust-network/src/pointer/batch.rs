//! Examples on a device.

use burn::tensor::{Device, Int, Tensor, TensorData};

use undust_decoder::pointer::decode::Written;
use undust_decoder::pointer::weights::distance;
use undust_url::lexicon::{EDGE, Symbol};

use super::network::PointerBatch;
use crate::gru::Mask;

/// What a pair of a batch is made of.
pub(crate) struct Row<'e> {
    /// The shape, some of its words perhaps dropped.
    pub shape: &'e [Symbol],
    /// What is written for it.
    pub target: &'e [Written],
    /// Its weight in the loss, relative to the others'.
    pub weight: f32,
}

/// Added to the score of a place that a shape does not have.
const ABSENT: f32 = -1e9;

/// Pads rows to one length.
pub(crate) fn batch(rows: &[Row<'_>], device: &Device) -> PointerBatch {
    let pairs = rows.len();
    let places = rows.iter().map(|row| row.shape.len()).max().unwrap_or(0) + 1;
    let steps = rows.iter().map(|row| row.target.len()).max().unwrap_or(0) + 1;
    let ints = |values: Vec<i32>| -> Tensor<1, Int> {
        let count = values.len();
        Tensor::from_data(TensorData::new(values, [count]), device)
    };
    let by_place = |value: &dyn Fn(usize, usize) -> i32| {
        ints(
            (0..places)
                .flat_map(|place| (0..pairs).map(move |row| (place, row)))
                .map(|(place, row)| value(place, row))
                .collect(),
        )
    };
    let length = |row: usize| rows[row].shape.len() + 1;
    let symbol =
        |place: usize, row: usize| rows[row].shape.get(place).copied().unwrap_or(EDGE) as i32;
    // A shape read backwards begins with its own end.
    let mirrored = |place: usize, row: usize| {
        if place < length(row) { length(row) - 1 - place } else { place }
    };
    let mask: Mask = if (0..pairs).all(|row| length(row) == places) {
        None
    } else {
        let column = |place: usize| {
            let values: Vec<f32> = (0..pairs).map(|row| f32::from(place < length(row))).collect();
            Tensor::from_data(TensorData::new(values, [1, pairs, 1]), device)
        };
        Some((0..places).map(column).collect())
    };
    let sources = [by_place(&symbol), by_place(&|place, row| symbol(mirrored(place, row), row))];
    let backwards = by_place(&|place, row| (mirrored(place, row) * pairs + row) as i32);
    let read = |step: usize, row: usize| match step
        .checked_sub(1)
        .and_then(|before| rows[row].target.get(before))
    {
        Some(Written::Copy(place)) => (usize::from(*place) * pairs + row) as i32,
        Some(Written::Phrase(number)) => (places * pairs + 1 + usize::from(*number)) as i32,
        None => (places * pairs) as i32,
    };
    let forced = ints(
        (0..steps)
            .flat_map(|step| (0..pairs).map(move |row| (step, row)))
            .map(|(step, row)| read(step, row))
            .collect(),
    );
    let mut lasts = Vec::with_capacity(pairs * steps);
    let mut targets = Vec::with_capacity(pairs * steps);
    let mut weights = Vec::with_capacity(pairs * steps);
    let all: f32 = rows.iter().map(|row| row.weight * (row.target.len() + 1) as f32).sum();
    for row in rows {
        let mut last = None;
        for step in 0..steps {
            lasts.push(last.map_or(0, |last| last as i32 + 1));
            targets.push(match row.target.get(step) {
                Some(Written::Copy(place)) => {
                    last = Some(usize::from(*place));
                    i32::from(*place)
                }
                Some(Written::Phrase(number)) => (places + usize::from(*number)) as i32,
                None => row.shape.len() as i32,
            });
            weights.push(if step <= row.target.len() { row.weight / all } else { 0.0 });
        }
    }
    let absent: Vec<f32> = (0..pairs)
        .flat_map(|row| (0..places).map(move |place| (row, place)))
        .map(|(row, place)| if place < length(row) { 0.0 } else { ABSENT })
        .collect();
    PointerBatch {
        sources,
        mask,
        backwards,
        forced,
        steps,
        distances: ints(
            (0..=places)
                .flat_map(|last| (0..places).map(move |place| (last, place)))
                .map(|(last, place)| distance(place, usize::checked_sub(last, 1)) as i32)
                .collect(),
        ),
        last: ints(lasts),
        absent: Tensor::from_data(TensorData::new(absent, [pairs, 1, places]), device),
        targets: ints(targets),
        weights: Tensor::from_data(TensorData::new(weights, [pairs * steps, 1]), device),
        pairs,
    }
}
