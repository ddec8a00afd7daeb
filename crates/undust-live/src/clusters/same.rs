//! When two pages are the same by their content.

use undust_cluster::clusters::ClusterOptions;
use undust_pages::TextHash;

use super::record::Content;

/// Whether two pages are the same by their content, as
/// [`cluster`](fn@undust_cluster::clusters::cluster) has it.
pub(super) fn is_same(a: Content, b: Content, options: &ClusterOptions) -> bool {
    let is_equal = a.digest.is_some() && a.digest == b.digest;
    is_equal
        || near_key(a, options)
            .zip(near_key(b, options))
            .is_some_and(|(a, b)| a.0 == b.0 && (a.1 ^ b.1).count_ones() <= options.bits)
}

/// Blocking key and fingerprint, if these make the page near any other.
pub(super) fn near_key(content: Content, options: &ClusterOptions) -> Option<(u64, u64)> {
    let short_text = content.short_text.map(TextHash);
    Some((options.blocking_key(content.title, short_text)?, content.simhash?))
}
