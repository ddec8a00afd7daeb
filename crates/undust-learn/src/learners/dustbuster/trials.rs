//! The rules under trial, by the [budget](crate::budget): a URL pays for a fixed number of trials
//! whatever the rules promise, and for as many again of the rules that promise most.
//!
//! An instance whose image is not listed says nothing of its rule. Where pages have the same few words in
//! any order, nearly all instances are such, and the likely rules grow with the URLs: to try each rule on
//! every URL that holds its text would take time quadratic in the URLs.

use rustc_hash::FxHashMap;

use undust_util::op_counter;

use crate::budget::{Cost, WORK_PER_URL, prune_costly};

/// Which rules are tried on which URLs. Rules have numbers, and each is known by the hash of its source, α.
pub(super) struct ValidationTrials {
    /// The rules that are not yet decided, by the hash of their source.
    by_source: FxHashMap<u64, TrialSource>,
    /// The hashes that may be there, as bits. Most substrings are no α, and a small table says so.
    filter: Vec<u64>,
    rules: Vec<ValidationTrial>,
    /// URLs in all.
    urls: usize,
    /// URLs on which the rules were tried.
    seen: usize,
    /// Trials until now.
    spent: usize,
    is_bounded: bool,
}

/// The rules of one source.
#[derive(Debug)]
struct TrialSource {
    rules: Vec<usize>,
    /// The last URL on which they were tried: α may stand in it several times.
    last_url: u32,
}

#[derive(Debug)]
struct ValidationTrial {
    support: u32,
    /// URLs on which the rule was tried.
    tried: usize,
    is_costly: bool,
}

impl ValidationTrials {
    /// Trials of rules given by the hash of their source and their support, on `urls` URLs.
    pub(super) fn new(rules: impl ExactSizeIterator<Item = (u64, u32)>, urls: usize) -> Self {
        let mut trials = Self {
            by_source: FxHashMap::default(),
            filter: vec![0; (rules.len() / 4).next_power_of_two()],
            rules: Vec::with_capacity(rules.len()),
            urls,
            seen: 0,
            spent: 0,
            is_bounded: false,
        };
        for (number, (hash, support)) in rules.enumerate() {
            let (word, bit) = trials.slot(hash);
            trials.filter[word] |= bit;
            let none = || TrialSource { rules: Vec::new(), last_url: u32::MAX };
            trials.by_source.entry(hash).or_insert_with(none).rules.push(number);
            trials.rules.push(ValidationTrial { support, tried: 0, is_costly: false });
        }
        trials
    }

    fn slot(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize & (self.filter.len() - 1), 1 << (hash & 63))
    }

    /// Tries all undecided rules whose source is among the `substrings` of a URL, each once. `is_decided`
    /// tries one, and says whether that is enough.
    pub(super) fn on(
        &mut self,
        url: u32,
        substrings: impl Iterator<Item = u64>,
        mut is_decided: impl FnMut(usize) -> bool,
    ) {
        for hash in substrings {
            op_counter::count(1);
            let (word, bit) = self.slot(hash);
            if self.filter[word] & bit == 0 {
                continue;
            }
            let Some(source) = self.by_source.get_mut(&hash) else { continue };
            if std::mem::replace(&mut source.last_url, url) == url {
                continue;
            }
            op_counter::count(source.rules.len());
            self.spent += source.rules.len();
            source.rules.retain(|&rule| {
                self.rules[rule].tried += 1;
                !is_decided(rule)
            });
        }
        self.seen += 1;
        if !self.is_bounded && self.spent > WORK_PER_URL * self.urls {
            self.is_bounded = true;
            self.drop_costly();
        }
    }

    /// Whether a rule would have been tried too often.
    pub(super) fn is_costly(&self, rule: usize) -> bool {
        self.rules[rule].is_costly
    }

    /// Drops the undecided rules that have least support for their trials, until the URLs that are left
    /// can pay for the others. The URLs come in random order, so what is left costs what was seen.
    fn drop_costly(&mut self) {
        let left = (self.urls - self.seen) as f64 / self.seen as f64;
        let mut undecided: Vec<usize> =
            self.by_source.values().flat_map(|source| source.rules.iter().copied()).collect();
        undecided.sort_unstable();
        // One trial more: what was not met yet may be met by the next URL.
        let cost = |rule: &usize| Cost {
            gain: f64::from(self.rules[*rule].support),
            work: (self.rules[*rule].tried + 1) as f64 * left,
        };
        let costs: Vec<Cost> = undecided.iter().map(cost).collect();
        let is_kept = prune_costly(&costs, (WORK_PER_URL * self.urls) as f64);
        for (rule, is_kept) in undecided.into_iter().zip(is_kept) {
            self.rules[rule].is_costly = !is_kept;
        }
        let rules = &self.rules;
        self.by_source.values_mut().for_each(|s| s.rules.retain(|&rule| !rules[rule].is_costly));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URLS: usize = 2_000;

    /// Rules of these supports and of one source, which every URL holds twice: on how many URLs each is
    /// tried, if `decides` trials decide it, and whether it is costly.
    fn tried(supports: &[u32], decides: usize) -> Vec<(usize, bool)> {
        let mut trials = ValidationTrials::new(supports.iter().map(|support| (7, *support)), URLS);
        let mut tried = vec![0; supports.len()];
        for url in 0..URLS as u32 {
            trials.on(url, [7, 8, 7].into_iter(), |rule| {
                tried[rule] += 1;
                tried[rule] >= decides
            });
        }
        (0..).zip(tried).map(|(rule, tried)| (tried, trials.is_costly(rule))).collect()
    }

    #[test]
    fn what_can_be_afforded_is_tried_on_every_url_once() {
        assert_eq!(tried(&[3; WORK_PER_URL], usize::MAX), [(URLS, false); WORK_PER_URL]);
    }

    #[test]
    fn a_decided_rule_is_tried_no_more() {
        assert_eq!(tried(&[3; 1_000], 100), [(100, false); 1_000]);
    }

    #[test]
    fn of_too_many_rules_those_of_most_support_stay() {
        let supports: Vec<u32> = (0..512).collect();
        let found = tried(&supports, usize::MAX);
        // After an eighth of the URLs half is spent, and each rule asks for seven eighths of the URLs.
        let kept = found.iter().filter(|(_, is_costly)| !is_costly).count();
        assert!((WORK_PER_URL..WORK_PER_URL * 8 / 7 + 1).contains(&kept), "{kept}");
        let (costly, kept) = found.split_at(512 - kept);
        assert!(kept.iter().all(|found| *found == (URLS, false)), "{found:?}");
        assert!(costly.iter().all(|found| *found == (URLS / 8 + 1, true)), "{found:?}");
        let all: usize = found.iter().map(|(tried, _)| tried).sum();
        assert!(all < (2 * WORK_PER_URL + 1) * URLS, "{all}");
    }

    #[test]
    fn of_equal_support_the_rule_that_is_tried_less_stays() {
        let rules = (0..1_000).map(|rule| (u64::from(rule >= 500), 9));
        let mut trials = ValidationTrials::new(rules, URLS);
        for url in 0..URLS as u32 {
            // Every tenth URL holds the source of the second half of the rules.
            let sources = if url % 10 == 0 { &[0, 1][..] } else { &[0] };
            trials.on(url, sources.iter().copied(), |_| false);
        }
        let costly = (0..1_000).filter(|rule| trials.is_costly(*rule)).collect::<Vec<_>>();
        assert_eq!(costly, (costly[0]..500).collect::<Vec<_>>(), "of equals the later ones");
        assert!((1..100).contains(&costly[0]), "{}", costly[0]);
    }
}
