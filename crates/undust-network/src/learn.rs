//! A site's translator, from its training set to its weights.

use undust_learn::config::Config;
use undust_learn::observer::Observer;
use undust_learn::training::TrainingSet;
use undust_learn::translator::TrainTranslator;
use undust_model::networks::decode::DecodingOptions;
use undust_model::networks::translator::Translator;
use undust_model::report::network::NetworkReport;
use undust_util::Result;
use undust_util::error::Error;

use crate::device::DeviceKind;
use crate::examples::Examples;
use crate::tokenizer;
use crate::train;

/// Trains translators on burn.
#[derive(Debug, Clone, Copy, Default)]
pub struct BurnTrainer {
    /// Where.
    pub device: DeviceKind,
}

impl TrainTranslator for BurnTrainer {
    fn train(
        &self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> Result<Option<(Translator, NetworkReport)>> {
        let examples = Examples::of(set, config);
        if examples.train.is_empty() {
            return Ok(None);
        }
        let device = self.device.open()?;
        let (network, report) =
            train::train(&examples, &config.seq2seq, config.seed, &device, observer)?;
        let weights = network.weights();
        if !weights.are_finite() {
            return Err(train::diverged());
        }
        let (pairs, templates) = (examples.counts, examples.train.len());
        let tokenizer = tokenizer::to_json(&examples.vocabulary).map_err(Error::Training)?;
        let spelled = (examples.vocabulary, tokenizer);
        let translator = Translator::new(spelled, weights, decoding(config));
        Ok(Some((translator, NetworkReport { pairs, templates, training: report })))
    }
}

/// What a configuration says of serving.
pub fn decoding(config: &Config) -> DecodingOptions {
    let net = &config.seq2seq;
    DecodingOptions {
        max_source: net.max_source,
        max_target: net.max_target,
        mask_arguments: net.mask_arguments,
        idempotent: net.idempotent,
        drop_slashes: config.tokens.drop_slashes,
    }
}
