//! The substrings of all URLs, in buckets of equal envelopes.

use undust_util::op_counter;

use super::cuts::{Cuts, Substring};

/// Most records in memory at once, 16 bytes each.
const MAX_RECORDS: usize = 4 << 20;

/// Shows `visit` the substrings of at most `max_tokens` tokens in buckets of equal envelopes
/// (Bar-Yossef, Keidar, Schonfeld, WWW 2007, Figure 2). An envelope is the prefix before and the
/// suffix after a substring. A bucket has 2 to `most` substrings: larger ones hold values of a
/// parameter rather than names for one page (the paper's small-bucket heuristic). URLs of
/// different `kinds`, a hash for each URL, never share a bucket.
///
/// The paper sorts one table of all substrings with their envelopes, which takes
/// memory for all of them at once. Here the URLs are split into groups of equal prefixes, one token
/// after the other, so that only the suffixes of one group need sorting at a time. Most groups
/// and suffixes belong to one URL, and these end early. A group with many records is sorted in
/// parts. Time O(mnS log) for m URLs of n tokens and S = `max_tokens`; 64 MiB for records, and a
/// few bytes a cut. The order of the buckets depends on the URLs alone.
pub(super) fn each_bucket(
    cuts: &Cuts,
    kinds: &[u64],
    max_tokens: usize,
    most: usize,
    visit: &mut dyn FnMut(&[Substring]),
) {
    let shared = Shared::new(cuts, kinds);
    let mut sorter = Sorter { cuts, kinds, shared, max_tokens, most, records: Vec::new() };
    let mut order: Vec<u32> = (0..cuts.len() as u32).collect();
    let mut keyed = Vec::new();
    let mut groups = vec![(0..order.len(), 0)];
    while let Some((range, prefix)) = groups.pop() {
        if range.len() < 2 {
            continue;
        }
        let group = &mut order[range.clone()];
        sorter.visit_group(group, prefix, visit);
        keyed.clear();
        keyed.extend(group.iter().map(|&url| (cuts.token(url, prefix), url)));
        keyed.sort_unstable();
        let mut at = range.start;
        for equal in keyed.chunk_by(|a, b| a.0 == b.0) {
            for (slot, (_, url)) in order[at..].iter_mut().zip(equal) {
                *slot = *url;
            }
            if equal[0].0.is_some() {
                groups.push((at..at + equal.len(), prefix + 1));
            }
            at += equal.len();
        }
    }
}

struct Sorter<'c> {
    cuts: &'c Cuts,
    kinds: &'c [u64],
    shared: Shared,
    max_tokens: usize,
    most: usize,
    records: Vec<BucketRecord>,
}

/// A substring of a group. All substrings of a group begin at the same cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct BucketRecord {
    suffix: u64,
    url: u32,
    end: u8,
}

impl Sorter<'_> {
    /// Shows the buckets of URLs whose first `prefix` tokens are equal.
    fn visit_group(&mut self, group: &[u32], prefix: usize, visit: &mut dyn FnMut(&[Substring])) {
        let parts = match group.len().saturating_mul(self.max_tokens.saturating_add(1)) {
            0..=MAX_RECORDS => 1,
            _ => self.count(group, prefix).div_ceil(MAX_RECORDS),
        };
        let mut bucket = Vec::new();
        for part in 0..parts {
            self.gather(group, prefix, |suffix| part_of(suffix, parts) == part);
            op_counter::count(group.len() + self.records.len());
            self.records.sort_unstable();
            for equal in self.records.chunk_by(|a, b| a.suffix == b.suffix) {
                if (2..=self.most).contains(&equal.len()) {
                    let place = |r: &BucketRecord| Substring {
                        url: r.url,
                        start: prefix as u8,
                        end: r.end,
                    };
                    bucket.clear();
                    bucket.extend(equal.iter().map(place));
                    visit(&bucket);
                }
            }
        }
    }

    fn gather(&mut self, group: &[u32], prefix: usize, takes: impl Fn(u64) -> bool) {
        self.records.clear();
        for &url in group {
            let (suffixes, kind) = (self.cuts.suffixes(url), self.kinds[url as usize]);
            for end in self.cuts.ends(url, prefix, self.max_tokens) {
                let suffix = suffixes[end] ^ kind;
                if takes(suffix) && self.shared.contains(suffix) {
                    self.records.push(BucketRecord { suffix, url, end: end as u8 });
                }
            }
        }
    }

    fn count(&self, group: &[u32], prefix: usize) -> usize {
        let shared = |&url: &u32| {
            let (suffixes, kind) = (self.cuts.suffixes(url), self.kinds[url as usize]);
            let ends = self.cuts.ends(url, prefix, self.max_tokens);
            ends.filter(|&end| self.shared.contains(suffixes[end] ^ kind)).count()
        };
        group.iter().map(shared).sum()
    }
}

/// The part of `parts` to which a hash belongs.
fn part_of(hash: u64, parts: usize) -> usize {
    ((u128::from(hash) * parts as u128) >> 64) as usize
}

/// The suffixes that more than one URL has: only these can share an envelope. It is a table of
/// bits, so a few others pass too, which costs time and changes nothing.
struct Shared {
    once: Vec<u64>,
    twice: Vec<u64>,
}

impl Shared {
    /// Linear; two bits for each of some 8 slots a cut.
    fn new(cuts: &Cuts, kinds: &[u64]) -> Self {
        let words = (cuts.total() / 8).next_power_of_two().max(64);
        let mut shared = Self { once: vec![0; words], twice: vec![0; words] };
        for url in 0..cuts.len() as u32 {
            for &suffix in cuts.suffixes(url) {
                let (word, bit) = shared.slot(suffix ^ kinds[url as usize]);
                shared.twice[word] |= shared.once[word] & bit;
                shared.once[word] |= bit;
            }
        }
        shared
    }

    fn slot(&self, suffix: u64) -> (usize, u64) {
        (part_of(suffix, self.once.len()), 1 << (suffix & 63))
    }

    fn contains(&self, suffix: u64) -> bool {
        let (word, bit) = self.slot(suffix);
        self.twice[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn buckets(urls: &[String], most: usize) -> Vec<Vec<Substring>> {
        let cuts = Cuts::new(urls.iter().map(String::as_str));
        let mut found = Vec::new();
        each_bucket(&cuts, &vec![0; urls.len()], 35, most, &mut |bucket| {
            found.push(bucket.to_vec())
        });
        found.sort();
        found
    }

    /// As the paper says it: one table of all substrings, by their envelopes as strings.
    fn plain(urls: &[String], most: usize) -> Vec<Vec<Substring>> {
        let cuts = Cuts::new(urls.iter().map(String::as_str));
        let mut table: BTreeMap<(String, String), Vec<Substring>> = BTreeMap::new();
        for (index, url) in (0..).zip(urls) {
            let last = cuts.suffixes(index).len() - 1;
            for start in 0..=last {
                for end in cuts.ends(index, start, 35) {
                    let part = |start: usize, end: usize| {
                        let place = Substring { url: index, start: start as u8, end: end as u8 };
                        format!("{:?}{}", place.text(url), end - start)
                    };
                    let envelope = (part(0, start), part(end, last));
                    let place = Substring { url: index, start: start as u8, end: end as u8 };
                    table.entry(envelope).or_default().push(place);
                }
            }
        }
        let mut found: Vec<_> =
            table.into_values().filter(|bucket| (2..=most).contains(&bucket.len())).collect();
        found.sort();
        found
    }

    #[test]
    fn nothing_and_one_url_have_no_bucket() {
        assert!(buckets(&[], 6).is_empty());
        assert!(buckets(&["http://x.com/a".into()], 6).is_empty());
    }

    #[test]
    fn large_buckets_are_skipped() {
        let urls: Vec<String> = (0..7).map(|id| format!("http://x.com/{id}")).collect();
        assert!(buckets(&urls, 6).is_empty());
        assert!(!buckets(&urls, 7).is_empty());
    }

    #[test]
    fn hashes_fall_into_all_parts() {
        assert_eq!((part_of(0, 3), part_of(u64::MAX / 2, 3), part_of(u64::MAX, 3)), (0, 1, 2));
    }

    #[test]
    fn a_bucket_is_of_one_kind() {
        let urls: Vec<String> = (0..9).map(|id| format!("http://x.com/{id}")).collect();
        let cuts = Cuts::new(urls.iter().map(String::as_str));
        let kinds = [1, 2, 3, 1, 2, 3, 1, 2, 9].map(|kind: u64| kind << 40);
        let mut found = Vec::new();
        each_bucket(&cuts, &kinds, 35, 3, &mut |bucket| {
            let urls: Vec<u32> = bucket.iter().map(|place| place.url).collect();
            found.push(urls);
        });
        found.sort();
        found.dedup();
        assert_eq!(found, [vec![0, 3, 6], vec![1, 4, 7], vec![2, 5]]);
    }

    proptest! {
        #[test]
        fn buckets_are_those_of_the_plain_table(
            urls in proptest::collection::btree_set("(http://[ab]|)[ab/]{0,8}", 0..12),
            most in 2..12usize,
        ) {
            let urls: Vec<String> = urls.into_iter().collect();
            prop_assert_eq!(buckets(&urls, most), plain(&urls, most));
        }
    }
}
