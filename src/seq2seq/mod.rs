//! The neural translator (Xu, Liu, Callan, SIGIR 2017): template pairs in, a network out
//! that writes the canonical form of any URL of its site.
//!
//! [`Examples`] cuts URL pairs into templates; [`train`] trains a [`Network`] on them with
//! burn; [`Weights`] are what is kept of it; [`Decoder`] decodes without burn, and
//! [`Translator`] remembers what was decoded.

mod batch;
mod decode;
mod descent;
mod device;
mod examples;
mod gru;
mod matrix;
mod network;
mod train;
mod translator;
mod vocab;
mod weights;

pub use decode::{Decoder, Limits};
pub use device::DeviceKind;
pub use examples::{Example, ExampleCounts, Examples};
pub use network::{Network, Shape};
pub use train::{Check, Stopped, TrainingReport, Watch, train};
pub use translator::{Serving, Translator};
pub use vocab::{spellings, to_json};
pub use weights::Weights;

use crate::Result;
use crate::config::Config;
use crate::pairs::TrainingSet;

/// A site's network, ready to translate and to be kept.
#[derive(Debug)]
pub struct Trained {
    /// At work.
    pub translator: Translator,
    /// To be kept.
    pub weights: Weights,
    /// What it was trained on.
    pub counts: ExampleCounts,
    /// Distinct template pairs among them, held out ones not counted.
    pub templates: usize,
    /// How training went.
    pub report: TrainingReport,
}

/// Learns a site; nothing where there is no pair to learn from.
pub fn learn(
    set: &TrainingSet<'_>,
    config: &Config,
    device: DeviceKind,
    watch: &dyn Watch,
) -> Result<Option<Trained>> {
    let examples = Examples::of(set, &config.tokens, &config.seq2seq);
    if examples.train.is_empty() {
        return Ok(None);
    }
    let (network, report) = train(&examples, &config.seq2seq, &device.open()?, watch)?;
    let weights = Weights::of(&network);
    if !weights.are_finite() {
        return Err(train::diverged());
    }
    let (counts, templates) = (examples.counts, examples.train.len());
    let translator = Translator::new(examples.symbols, weights.decoder(), Serving::of(config));
    Ok(Some(Trained { translator, weights, counts, templates, report }))
}
