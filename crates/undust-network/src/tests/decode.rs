//! Decoding by hand is decoding by burn.

use burn::tensor::Device;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_decoder::decode::{Decoder, DecodingOptions, PartialTarget};
use undust_decoder::translator_weights::TranslatorSizes;
use undust_url::template::TemplateSymbol;

use crate::paper::batch::batch;
use crate::paper::examples::Example;
use crate::paper::network::Network;

/// Greedy decoding by burn's network: one symbol more a pass, the likeliest that may be said.
fn by_burn(
    network: &Network,
    source: &[TemplateSymbol],
    options: &DecodingOptions,
) -> Option<Vec<TemplateSymbol>> {
    let device = Device::flex();
    let mut row = PartialTarget::new(source, options);
    while row.is_open() {
        let example = Example { source: source.to_vec(), target: row.said().to_vec(), count: 1.0 };
        let pass = network.forward(&batch(&[&example], &[1.0], &device));
        let last = row.said().len();
        let scores = pass.log_probabilities.slice_dim(0, last..last + 1);
        let scores: Vec<f32> = scores.into_data().iter::<f32>().collect();
        row.say(&scores);
    }
    row.finish()
}

#[test]
fn any_weights_say_what_they_say_in_burn() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut ends = 0;
    for (hidden, embedding, mask_arguments) in [(5, 3, true), (16, 8, false), (33, 20, true)] {
        let shape = TranslatorSizes { vocabulary: 60, embedding, hidden };
        let network = Network::random(shape, &mut random, &Device::flex());
        let decoder = Decoder::new(network.weights());
        let options = DecodingOptions {
            max_source: 40,
            max_target: 12,
            mask_arguments,
            idempotent: true,
            drop_slashes: false,
        };
        let sources: Vec<Vec<TemplateSymbol>> =
            (0..40).map(|n| (0..1 + n % 9).map(|_| random.random_range(4..60)).collect()).collect();
        let sources: Vec<&[TemplateSymbol]> = sources.iter().map(Vec::as_slice).collect();
        for (source, decoded) in sources.iter().zip(decoder.decode(&sources, &options)) {
            assert_eq!(decoded, by_burn(&network, source, &options), "{source:?}");
            ends += usize::from(decoded.is_some());
        }
    }
    assert!(ends > 0, "no random network came to an end, which shows nothing");
}
