//! The edit tagger: for each piece of a URL, whether it stays and what is written before it
//! (LaserTagger's idea: Malmi et al., *Encode, Tag, Realize*, EMNLP 2019).
//!
//! ```text
//! training:  labels ─► examples ─► train (gradient, gru, adam) ─► weights
//! serving:   weights + lexicon + phrases ─► undust-model: networks::tagger
//! ```
//!
//! It copies by construction, so it invents no path, and one pass answers a whole shape. It
//! reads [kinds](undust_url::lexicon) of arguments and no numbers of them, so what it learned of
//! a folder holds in a new or deeper one. It moves no piece: pairs that need it are left out.
//!
//! Training and serving are plain Rust; neither needs the feature `network`.

mod adam;
pub mod examples;
mod gradient;
mod gru;
#[cfg(test)]
mod tests;
mod train;

use undust_model::networks::tagger::{Tagger, TaggingOptions};
use undust_model::report::network::NetworkReport;
use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::error::Result;

use self::examples::{Example, Examples};
use crate::config::Config;
use crate::observer::Observer;
use crate::training::TrainingSet;

/// Learns a site; nothing where there is no pair to learn from.
///
/// # Errors
///
/// Training that diverges or is interrupted before the first check on the held-out clusters.
pub(crate) fn learn(
    set: &TrainingSet<'_>,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Option<(Tagger, NetworkReport)>> {
    let examples = Examples::of(set, config);
    if examples.train.is_empty() {
        return Ok(None);
    }
    let (weights, training) = train::train(&examples, &config.tagger, config.seed, observer)?;
    let report = NetworkReport {
        pairs: examples.counts,
        templates: examples.train.len(),
        held_out: Some(examples.held_out.len()),
        training,
        samples: None,
    };
    let options = options(&examples, config);
    let tagger = Tagger::new(examples.lexicon, examples.phrases, weights, options);
    Ok(Some((tagger, report)))
}

/// Learns two taggers, each from the shapes that `fold_of` does not give its number; nothing where
/// one of them has nothing to learn from.
///
/// # Errors
///
/// Those of [`learn`].
pub(crate) fn learn_cross_fit(
    lexicon: &Lexicon,
    set: &TrainingSet<'_>,
    config: &Config,
    observer: &dyn Observer,
    fold_of: impl Fn(&[Symbol]) -> usize,
) -> Result<Option<[Tagger; 2]>> {
    let whole = Examples::with(lexicon.clone(), set, config);
    let mut taggers = Vec::new();
    for number in 0..2 {
        let mut examples = whole.clone();
        examples.train.retain(|example| fold_of(&example.shape) != number);
        if examples.train.iter().all(Example::changes_nothing) {
            return Ok(None);
        }
        let (weights, _) = train::train(&examples, &config.tagger, config.seed, observer)?;
        let options = options(&whole, config);
        taggers.push(Tagger::new(examples.lexicon, examples.phrases, weights, options));
    }
    Ok(taggers.try_into().ok())
}

fn options(examples: &Examples, config: &Config) -> TaggingOptions {
    let max_source = config.tagger.max_source;
    TaggingOptions { max_source, changes_hosts: examples.change_hosts() }
}

/// How many examples a set gives: what the tests of cost ask.
#[cfg(test)]
pub(crate) fn examples_of(set: &TrainingSet<'_>, config: &Config) -> usize {
    let Examples { train, held_out, .. } = Examples::of(set, config);
    train.len() + held_out.len()
}
