use rand::SeedableRng;
use undust_decoder::pointer::decode::{Decoder, Written};

use super::super::batch::{Row, batch};
use super::*;

const SIZES: PointerSizes = PointerSizes { vocabulary: 9, embedding: 5, hidden: 7, phrases: 2 };

fn copies(places: &[u16]) -> Vec<Written> {
    places.iter().map(|place| Written::Copy(*place)).collect()
}

/// Sources of several lengths; a target that repeats and moves, one with a phrase, an empty one.
fn batch_on(device: &Device) -> PointerBatch {
    let phrase = [Written::Copy(1), Written::Phrase(1), Written::Copy(0)];
    let (moved, none) = (copies(&[2, 0, 2, 3]), copies(&[]));
    let rows = [
        Row { shape: &[4, 5, 6, 7], target: &moved, weight: 1.0 },
        Row { shape: &[8, 5], target: &phrase, weight: 0.25 },
        Row { shape: &[5], target: &none, weight: 2.0 },
    ];
    batch(&rows, device)
}

fn values(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().iter::<f32>().collect()
}

#[test]
fn the_backward_pass_is_that_of_autodiff() {
    for sizes in [SIZES, PointerSizes { phrases: 3, ..SIZES }] {
        let random = || ChaCha8Rng::seed_from_u64(1);
        let device = Device::flex();
        let network = PointerNetwork::random(sizes, &mut random(), &device);
        let inputs = batch_on(&device);
        let pass = network.forward(&inputs);
        let by_hand = network.backward(&inputs, pass);
        let device = device.autodiff();
        let mut leaves = Vec::new();
        let network = PointerNetwork::random(sizes, &mut random(), &device).map(|_, tensor| {
            let tensor = tensor.require_grad();
            leaves.push(tensor.clone());
            tensor
        });
        let inputs = batch_on(&device);
        let gradients = network.forward(&inputs).loss(&inputs).backward();
        for ((hand, leaf), (name, ..)) in by_hand.into_iter().zip(leaves).zip(sizes.layout()) {
            let auto = values(leaf.grad(&gradients).expect("a gradient"));
            let largest = auto.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            assert!(largest > 0.0, "{name} has no gradient");
            for (hand, auto) in values(hand).iter().zip(&auto) {
                let close = (hand - auto).abs() <= 1e-5 + 1e-4 * largest;
                assert!(close, "{name}: {hand} is not {auto}");
            }
        }
    }
}

/// What is served is what was trained: decoding gives a target the probability that training
/// gives it.
#[test]
fn serving_writes_what_training_finds_likeliest() {
    let device = Device::flex();
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let network = PointerNetwork::random(SIZES, &mut random, &device);
        let decoder = Decoder::new(network.weights());
        let shapes: [&[u32]; 3] = [&[4, 5, 6, 7], &[8, 5], &[5]];
        for (shape, decoded) in shapes.into_iter().zip(decoder.decode(&shapes, &[0; 3])) {
            let Some(decoded) = decoded else { continue };
            let row = Row { shape, target: &decoded.written, weight: 1.0 };
            let inputs = batch(&[row], &device);
            let pass = network.forward(&inputs);
            let likeliest: Vec<i32> = pass.likeliest().into_data().iter::<i32>().collect();
            let loss: f32 = pass.loss(&inputs).into_scalar();
            let probability = (-loss * (decoded.written.len() + 1) as f32).exp();
            let targets: Vec<i32> = inputs.targets.into_data().iter::<i32>().collect();
            assert_eq!(likeliest, targets, "seed {seed}");
            assert!((probability - decoded.probability).abs() < 1e-4, "seed {seed}");
        }
    }
}
