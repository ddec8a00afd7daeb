//! Which pieces of a site's URLs are function words: one answer for all learners and the evaluation.

use undust_url::lexicon::{FrequencyThresholds, Lexicon};

/// The function words of `urls`, which must be distinct: the pieces that at least this share of them
/// has, and the names in the query; never those of fewer than three URLs. Linear in their length.
pub fn function_words<'u>(urls: impl Iterator<Item = &'u str>, share: f64) -> Lexicon {
    Lexicon::learn(urls, FrequencyThresholds { word: share, key: 0.0 })
}
