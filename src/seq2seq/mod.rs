//! The neural translator (Xu, Liu, Callan, SIGIR 2017): template pairs in, a network out that
//! writes the canonical form of any URL of its site.
//!
//! ```text
//! training:  examples ─► batch ─► network (gru, optimizer), on burn ─► weights   (`network`)
//! serving:   weights + vocabulary ─► decode ─► translator, without burn
//! ```
//!
//! Without the feature `network` the crate trains none, and serves what was trained elsewhere.

#[cfg(feature = "network")]
pub(crate) mod batch;
pub mod decode;
pub(crate) mod device;
pub(crate) mod examples;
#[cfg(feature = "network")]
pub(crate) mod gru;
mod matrix;
#[cfg(feature = "network")]
pub(crate) mod network;
#[cfg(feature = "network")]
pub(crate) mod optimizer;
pub(crate) mod report;
pub(crate) mod tagger;
pub(crate) mod tokenizer;
#[cfg(feature = "network")]
pub(crate) mod train;
pub(crate) mod translator;
pub mod weights;

use self::device::DeviceKind;
use self::report::NetworkReport;
use self::translator::Translator;
use crate::config::Config;
use crate::error::Result;
use crate::observer::Observer;
use crate::training::TrainingSet;

/// Learns a site; nothing where there is no pair to learn from.
///
/// # Errors
///
/// A device that cannot be opened, training that diverges or is interrupted before the first
/// look at the held-out clusters, a build without the feature `network`.
#[cfg(feature = "network")]
pub(crate) fn learn(
    set: &TrainingSet<'_>,
    config: &Config,
    device: DeviceKind,
    observer: &dyn Observer,
) -> Result<Option<(Translator, NetworkReport)>> {
    let examples = examples::Examples::of(set, config);
    if examples.train.is_empty() {
        return Ok(None);
    }
    let (network, report) =
        train::train(&examples, &config.seq2seq, config.seed, &device.open()?, observer)?;
    let weights = network.weights();
    if !weights.are_finite() {
        return Err(train::diverged());
    }
    let (pairs, templates) = (examples.counts, examples.train.len());
    let options = decode::DecodingOptions::of(config);
    let translator = Translator::new(examples.vocabulary, weights, options);
    Ok(Some((translator, NetworkReport { pairs, templates, training: report })))
}

#[cfg(not(feature = "network"))]
pub(crate) fn learn(
    _: &TrainingSet<'_>,
    _: &Config,
    _: DeviceKind,
    _: &dyn Observer,
) -> Result<Option<(Translator, NetworkReport)>> {
    Err(crate::error::Error::MissingFeature("network"))
}
