//! The rules under trial: a URL pays for a bounded number of them.
//!
//! An instance whose image is not listed says nothing of its rule. Where pages have the same few words in
//! any order, nearly all instances are such, and the likely rules grow with the URLs: to try each rule on
//! every URL that holds its text would take time quadratic in the URLs.

use rustc_hash::FxHashMap;

use undust_util::op_counter;

/// Trials that a URL pays for, on average, whatever the rules promise. Of 27 real crawls none takes more
/// than 53, so that nothing is dropped there.
const FREE: usize = 64;

/// Trials that it pays for beyond these, for the rules of most promise.
const MORE: usize = 64;

/// Which rules are tried on which URLs. Rules have numbers, and each is known by the hash of its source, α.
pub(super) struct Trials {
    /// The rules that are not yet decided, by the hash of their source.
    by_source: FxHashMap<u64, Source>,
    /// The hashes that may be there, as bits. Most substrings are no α, and a small table says so.
    filter: Vec<u64>,
    rules: Vec<Trial>,
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
struct Source {
    rules: Vec<usize>,
    /// The last URL on which they were tried: α may stand in it several times.
    last_url: u32,
}

#[derive(Debug)]
struct Trial {
    support: u32,
    /// URLs on which the rule was tried.
    tried: usize,
    is_dear: bool,
}

impl Trials {
    /// Of rules given by the hash of their source and their support, on so many URLs.
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
            let none = || Source { rules: Vec::new(), last_url: u32::MAX };
            trials.by_source.entry(hash).or_insert_with(none).rules.push(number);
            trials.rules.push(Trial { support, tried: 0, is_dear: false });
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
        if !self.is_bounded && self.spent > FREE * self.urls {
            self.is_bounded = true;
            self.drop_dear();
        }
    }

    /// Whether a rule would have been tried too often.
    pub(super) fn is_dear(&self, rule: usize) -> bool {
        self.rules[rule].is_dear
    }

    /// Drops the undecided rules that have least support for their trials, until the URLs that are left
    /// can pay for the others. The URLs come in random order, so what is left costs what was seen.
    fn drop_dear(&mut self) {
        let left = (self.urls - self.seen) as f64 / self.seen as f64;
        // One more: what was not met yet may be met by the next URL.
        let trials = |rule: &usize| (self.rules[*rule].tried + 1) as f64;
        let promise = |rule: &usize| f64::from(self.rules[*rule].support) / trials(rule);
        let mut best_first: Vec<usize> =
            self.by_source.values().flat_map(|source| source.rules.iter().copied()).collect();
        // Of equals the earlier one stays.
        best_first.sort_unstable_by(|a, b| promise(b).total_cmp(&promise(a)).then(a.cmp(b)));
        let mut work = 0.0;
        let is_dear = |rule: &usize| {
            work += trials(rule) * left;
            work > (MORE * self.urls) as f64
        };
        let dear: Vec<usize> = best_first.into_iter().filter(is_dear).collect();
        dear.into_iter().for_each(|rule| self.rules[rule].is_dear = true);
        let rules = &self.rules;
        self.by_source.values_mut().for_each(|s| s.rules.retain(|&rule| !rules[rule].is_dear));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URLS: usize = 2_000;

    /// Rules of these supports and of one source, which every URL holds twice: on how many URLs each is
    /// tried, if so many trials decide it, and whether it is dear.
    fn tried(supports: &[u32], decides: usize) -> Vec<(usize, bool)> {
        let mut trials = Trials::new(supports.iter().map(|support| (7, *support)), URLS);
        let mut tried = vec![0; supports.len()];
        for url in 0..URLS as u32 {
            trials.on(url, [7, 8, 7].into_iter(), |rule| {
                tried[rule] += 1;
                tried[rule] >= decides
            });
        }
        (0..).zip(tried).map(|(rule, tried)| (tried, trials.is_dear(rule))).collect()
    }

    #[test]
    fn what_can_be_afforded_is_tried_on_every_url_once() {
        assert_eq!(tried(&[3; FREE], usize::MAX), [(URLS, false); FREE]);
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
        let kept = found.iter().filter(|(_, is_dear)| !is_dear).count();
        assert!((MORE..MORE * 8 / 7 + 1).contains(&kept), "{kept}");
        let (dear, kept) = found.split_at(512 - kept);
        assert!(kept.iter().all(|found| *found == (URLS, false)), "{found:?}");
        assert!(dear.iter().all(|found| *found == (URLS / 8 + 1, true)), "{found:?}");
        let all: usize = found.iter().map(|(tried, _)| tried).sum();
        assert!(all < (FREE + MORE + 1) * URLS, "{all}");
    }

    #[test]
    fn of_equal_support_the_rule_that_is_tried_less_stays() {
        let rules = (0..1_000).map(|rule| (u64::from(rule >= 500), 9));
        let mut trials = Trials::new(rules, URLS);
        for url in 0..URLS as u32 {
            // Every tenth URL holds the source of the second half of the rules.
            let sources = if url % 10 == 0 { &[0, 1][..] } else { &[0] };
            trials.on(url, sources.iter().copied(), |_| false);
        }
        let dear = (0..1_000).filter(|rule| trials.is_dear(*rule)).collect::<Vec<_>>();
        assert_eq!(dear, (dear[0]..500).collect::<Vec<_>>(), "of equals the later ones");
        assert!((1..100).contains(&dear[0]), "{}", dear[0]);
    }
}
