//! A site's translator, from its training set to its weights.

use undust_decoder::decode::DecodingOptions;
use undust_decoder::pointer::{PointerOptions, PointerTranslator, PointerWords};
use undust_decoder::translator::Translator;
use undust_learn::config::TokenConfig;
use undust_learn::report::network::NetworkReport;
use undust_learn::{Config, Observer, TrainTranslator, TrainingSet};
use undust_util::Result;

use crate::device::DeviceKind;
use crate::pointer::examples::Examples;
use crate::{paper, pointer};

/// Trains translators on burn.
#[derive(Debug, Clone, Default)]
pub struct BurnTrainer {
    device: DeviceKind,
}

impl BurnTrainer {
    /// On a device.
    pub const fn on(device: DeviceKind) -> Self {
        Self { device }
    }

    /// Where it trains.
    pub fn device(&self) -> DeviceKind {
        self.device
    }
}

impl TrainTranslator for BurnTrainer {
    fn train(
        &self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> Result<Option<(PointerTranslator, NetworkReport)>> {
        let examples = Examples::of(set, config);
        if examples.train.is_empty() {
            return Ok(None);
        }
        let settings = &config.seq2seq;
        let device = self.device.open()?;
        let (network, training) =
            pointer::train::train(&examples, settings, config.seed, &device, observer)?;
        let weights = network.weights();
        if !weights.are_finite() {
            return Err(pointer::train::diverged());
        }
        let options = PointerOptions {
            max_source: settings.max_source,
            changes_hosts: examples.change_hosts(),
            min_probability: settings.min_probability as f32,
            keeps_unseen: settings.keep_unseen,
        };
        let words = PointerWords {
            lexicon: examples.lexicon.clone(),
            phrases: examples.phrases.clone(),
            shapes: examples.shapes(),
        };
        let translator = PointerTranslator::new(words, weights, options);
        let report = examples.report(&translator, training);
        Ok(Some((translator, report)))
    }

    fn train_paper(
        &self,
        set: &TrainingSet<'_>,
        config: &Config,
        observer: &dyn Observer,
    ) -> Result<Option<(Translator, NetworkReport)>> {
        let config = &Config { tokens: TokenConfig::paper(), ..config.clone() };
        let examples = paper::examples::Examples::of(set, config);
        if examples.train.is_empty() {
            return Ok(None);
        }
        let device = self.device.open()?;
        let settings = &config.seq2seq_paper;
        let (network, training) =
            paper::train::train(&examples, settings, config.seed, &device, observer)?;
        let weights = network.weights();
        if !weights.are_finite() {
            return Err(paper::train::diverged());
        }
        let report = NetworkReport {
            pairs: examples.counts,
            templates: examples.train.len(),
            held_out: Some(examples.held_out.len()),
            training,
            samples: None,
        };
        let tokenizer = paper::tokenizer::to_json(&examples.vocabulary)?;
        let spelled = (examples.vocabulary, tokenizer);
        Ok(Some((Translator::new(spelled, weights, decoding(config)), report)))
    }
}

/// What a configuration says of serving the network of the paper.
fn decoding(config: &Config) -> DecodingOptions {
    let net = &config.seq2seq_paper;
    DecodingOptions {
        max_source: net.max_source,
        max_target: net.max_target,
        mask_arguments: net.mask_arguments,
        idempotent: net.idempotent,
        drop_slashes: config.tokens.drop_slashes,
    }
}
