//! Which skips become probes: what a class is believed for may be of another time, or of other places, than what
//! comes.
//!
//! One skip in each stretch of skips is a probe. Stretches grow, so probes become rare. Where in a stretch the probe
//! comes is secret, so that nobody can show for it what the other URLs do not.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::engine::memory::{keep_most, table};
use crate::engine::secret::Secret;
use crate::engine::spent::AccountKey;

/// From this skip on, stretches that grow as squares do are shorter than those that grow by a factor.
const SQUARES_FROM: u64 = 25;

/// Probes in a crawl of what may have such stretches, besides one for each page of the site. Each probe of an endless page
/// may bring links to more of its URLs.
const MOST_OF_SQUARES: u64 = 100;

/// How the stretches of a class grow.
#[derive(Debug, Clone, Copy)]
pub(in crate::engine) struct Growth {
    /// Each is so many times as long as the one before.
    pub factor: f64,
    /// From [`SQUARES_FROM`] on, each ends at the next square number instead.
    pub has_squares: bool,
    /// The first has no probe: others have tested it.
    pub skips_first: bool,
}

impl Growth {
    /// The first skip of the stretch that this skip is in, and the first of the next one.
    fn bounds(&self, skip: u64) -> (u64, u64) {
        if self.has_squares && skip >= SQUARES_FROM {
            let root = skip.isqrt();
            return (root * root, (root + 1) * (root + 1));
        }
        let begin = |stretch: i32| self.factor.powi(stretch).ceil() as u64;
        let stretch = ((skip as f64).ln() / self.factor.ln()) as i32;
        (begin(stretch), begin(stretch + 1))
    }
}

/// Skips so far, and the probes among them.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(in crate::engine) struct Probes {
    /// By what a probe in the place of the skip tests.
    skips: FxHashMap<u64, u32>,
    /// Probes in this crawl of what may have stretches between squares.
    of_squares: u64,
}

impl Probes {
    /// Whether the next skip is to be a probe instead.
    pub(in crate::engine) fn is_due(
        &self,
        account: AccountKey,
        growth: Growth,
        secret: &Secret,
    ) -> bool {
        let tested = account.tested();
        let skip = u64::from(self.skips.get(&tested).copied().unwrap_or_default()) + 1;
        if growth.skips_first && skip < growth.factor as u64 {
            return false;
        }
        let (first, next) = growth.bounds(skip);
        let drawn = secret.draw("probe", tested, &first.to_string());
        first + (drawn * (next - first) as f64) as u64 == skip
    }

    /// Whether a site of so many pages bears more stretches between squares.
    pub(super) fn has_room(&self, pages: u64) -> bool {
        self.of_squares < MOST_OF_SQUARES + pages
    }

    /// Counts a skip.
    pub(in crate::engine) fn skip(&mut self, account: AccountKey) {
        let skips = self.skips.entry(account.tested()).or_default();
        *skips = skips.saturating_add(1);
    }

    /// Counts a probe in the place of a skip, and whether it is of what may have stretches between squares.
    pub(in crate::engine) fn probe(&mut self, account: AccountKey, has_squares: bool) {
        self.skip(account);
        self.of_squares += u64::from(has_squares);
    }

    /// Begins another crawl: what was skipped may have changed.
    pub(in crate::engine) fn begin_crawl(&mut self) {
        *self = Self::default();
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        table(&self.skips)
    }

    /// Forgets what was skipped least until all takes at most this many bytes.
    pub(super) fn keep_within(&mut self, most: usize) {
        let entry = 2 * size_of::<(u64, u32)>();
        keep_most(&mut self.skips, most / entry, |skips| *skips as f32);
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;

    const ACCOUNT: AccountKey = AccountKey { class: 7, group: None };

    const BY_FACTOR: Growth = Growth { factor: 1.42, has_squares: false, skips_first: false };

    fn due(growth: Growth, skips: u64) -> Vec<u64> {
        let (mut probes, secret) = (Probes::default(), Secret::of_seed(5));
        let is_due = |_: &u64| {
            let is_due = probes.is_due(ACCOUNT, growth, &secret);
            probes.skip(ACCOUNT);
            is_due
        };
        (0..skips).filter(is_due).collect()
    }

    #[test]
    fn probes_in_the_place_of_skips_grow_seldom() {
        let due = due(BY_FACTOR, 2000);
        assert!((18..24).contains(&due.len()) && due[..2] == [0, 1], "{due:?}");
        // One in each stretch, so never more than two stretches without one.
        assert!(due.windows(2).skip(8).all(|two| 4 * two[1] < 10 * two[0]), "{due:?}");
    }

    #[test]
    fn squares_probe_more_often_and_less_and_less() {
        let due = due(Growth { has_squares: true, ..BY_FACTOR }, 10_000);
        assert!((100..110).contains(&due.len()), "{due:?}");
        let stretch = |skip: u64| 2.0 * (skip as f64).sqrt() + 1.0;
        let gaps = due.windows(2).map(|two| ((two[1] - two[0]) as f64, stretch(two[1])));
        assert!(gaps.skip(12).all(|(gap, stretch)| gap <= 2.0 * stretch), "{due:?}");
    }

    /// Where in a stretch a probe comes is not to be foreseen.
    #[test]
    fn every_skip_of_a_stretch_may_be_a_probe() {
        let stretches =
            [(BY_FACTOR, 136..193), (Growth { has_squares: true, ..BY_FACTOR }, 144..169)];
        for (growth, stretch) in stretches {
            let mut seen = FxHashSet::default();
            for seed in 0..2000 {
                let secret = Secret::of_seed(seed);
                let is_due = |skip: &u32| {
                    let skips = FxHashMap::from_iter([(7, skip - 1)]);
                    Probes { skips, of_squares: 0 }.is_due(ACCOUNT, growth, &secret)
                };
                let at: Vec<u32> = stretch.clone().filter(is_due).collect();
                assert_eq!(at.len(), 1, "{at:?}");
                seen.extend(at);
            }
            assert_eq!(seen.len(), stretch.len());
        }
    }

    #[test]
    fn a_site_bears_a_hundred_probes_between_squares_and_one_for_each_page() {
        let mut probes = Probes::default();
        (0..120).for_each(|_| probes.probe(ACCOUNT, true));
        (0..120).for_each(|_| probes.probe(ACCOUNT, false));
        assert!(!probes.has_room(20) && probes.has_room(21));
        probes.begin_crawl();
        assert!(probes.has_room(0));
    }
}
