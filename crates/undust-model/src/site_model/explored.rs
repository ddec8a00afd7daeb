//! Which URLs are fetched all the same.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use undust_url::normal::normal;

use crate::site_model::SiteModel;
use crate::translation::Translation;

impl SiteModel {
    /// Whether this URL belongs to the `share` of changed URLs that are fetched anyway, to test
    /// whether the model still holds. The choice is fixed until the next training. A URL that only
    /// its normal form changes is never chosen: it is the same page on any server.
    pub fn explores(&self, url: &str, translation: &Translation<'_>, share: f64) -> bool {
        share > 0.0
            && translation.canonical != url
            && is_drawn(url, xxh3_64(self.disabled.model.as_bytes()), share)
            && translation.canonical != normal(url)
    }
}

/// Whether a URL is of the share that is drawn: always or never the same, whoever asks. Another
/// salt draws others.
fn is_drawn(url: &str, salt: u64, share: f64) -> bool {
    /// Of a hash: as many as a number with a fraction holds.
    const BITS: u32 = 53;
    let place = xxh3_64_with_seed(url.as_bytes(), salt) >> (u64::BITS - BITS);
    (place as f64) < share * (1_u64 << BITS) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_what_was_asked_for() {
        for share in [0.0, 0.02, 0.5, 1.0] {
            let drawn = (0..20_000).filter(|n| is_drawn(&format!("http://x/{n}"), 7, share));
            let of_all = drawn.count() as f64 / 20_000.0;
            // Six standard deviations and a half of the widest.
            assert!((of_all - share).abs() <= 0.0225, "{of_all} for {share}");
            assert!(share != share.round() || of_all == share, "{of_all} for {share}");
        }
    }

    #[test]
    fn a_smaller_share_is_part_of_a_larger_one_and_a_salt_draws_others() {
        let drawn = |salt, share| -> Vec<u32> {
            (0..5000).filter(|n| is_drawn(&format!("http://x/{n}"), salt, share)).collect()
        };
        let (few, many) = (drawn(1, 0.02), drawn(1, 0.1));
        assert!(!few.is_empty() && few.iter().all(|one| many.contains(one)));
        assert_ne!(drawn(2, 0.02), few);
    }
}
