//! Likely rules: pairs of substrings that share envelopes.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use undust_rules::dustbuster::substitution::Substitution;
use undust_rules::dustbuster::text_substitution::TextSubstitution;
use undust_util::op_counter;

use super::buckets::each_bucket;
use super::cuts::{Cuts, Substring};
use super::listing::{ListedUrl, Listing};
use crate::config::DustbusterConfig;

/// Most likely rules that go on to redundancy elimination, by support.
const MAX_LIKELY: usize = 1_000_000;

/// A rule that the list suggests, in either direction: {α, β}.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Likely<'l> {
    /// The longer of the two; of equal lengths the larger. The paper first tries the rule that
    /// replaces it by the shorter one.
    pub long: &'l str,
    /// The other.
    pub short: &'l str,
    /// Whether both begin with `^`.
    pub at_start: bool,
    /// Whether both end with `$`.
    pub at_end: bool,
    /// The number of envelopes that they share, in buckets up to the higher threshold.
    pub support: u32,
    /// Where the two stand.
    pub places: [Substring; 2],
}

impl Likely<'_> {
    /// The rule in the direction that the paper tries first: images are shorter.
    pub(super) fn shrinking(&self) -> Substitution {
        Substitution::Text(self.text(true))
    }

    /// The rule from the long side to the short one, or the other way.
    pub(super) fn text(&self, shrinks: bool) -> TextSubstitution {
        let Self { long, short, at_start, at_end, .. } = *self;
        let (from, to) = if shrinks { (long, short) } else { (short, long) };
        TextSubstitution { from: from.to_owned(), to: to.to_owned(), at_start, at_end }
    }
}

/// What was found.
pub(super) struct FoundSubstitutions<'l> {
    /// Most support first.
    pub rules: Vec<Likely<'l>>,
    /// Rules beyond the first million.
    pub dropped: usize,
}

/// Likely rules of a URL list (Bar-Yossef, Keidar, Schonfeld, WWW 2007, Figure 2): pairs of
/// substrings with at least `min_support` common envelopes. Envelopes count in buckets of at most
/// `low_bucket` URLs, and if nothing says that the pages differ. The support of the pairs found
/// is counted again in buckets of at most `high_bucket` URLs.
///
/// If sketches are known, a bucket holds the URLs of one sketch only. The paper counts all URLs
/// of an envelope, and so misses `/index.html$` → `/$` in a folder of more than T files.
/// Measured on five crawls, one bucket a sketch finds more and refutes no worse:
/// duplicate URLs removed .931 (.915) of a static site, .469 (.370) of a repository browser,
/// and the same as before of two wikis and a forum.
///
/// The buckets are made twice. First a table of small counters, 8 a cut, rules out pairs that
/// cannot reach the minimum; then the others are counted exactly. So memory grows with the URLs
/// and the rules, not with the pairs. Time as of [`each_bucket`], times the square of
/// `high_bucket`.
pub(super) fn find<'l>(
    listing: &'l Listing,
    cuts: &Cuts,
    settings: &DustbusterConfig,
) -> FoundSubstitutions<'l> {
    let min_support = settings.min_support.clamp(1, 255) as u32;
    let low = settings.low_bucket;
    let kinds = kinds(listing);
    let mut estimate = Estimate::new(cuts.total());
    each_bucket(cuts, &kinds, settings.max_tokens, low, &mut |bucket| {
        each_pair(listing, cuts, bucket, |hash, _| estimate.add(hash));
    });
    let mut counts: FxHashMap<u64, EnvelopeCount> = FxHashMap::default();
    each_bucket(cuts, &kinds, settings.max_tokens, settings.high_bucket.max(low), &mut |bucket| {
        each_pair(listing, cuts, bucket, |hash, places| {
            if u32::from(estimate.of(hash)) >= min_support {
                let count = counts.entry(hash).or_insert(EnvelopeCount { low: 0, high: 0, places });
                count.low += u32::from(bucket.len() <= low);
                count.high += 1;
                count.places = count.places.min(places);
            }
        });
    });
    drop(estimate);
    let mut kept: Vec<EnvelopeCount> =
        counts.into_values().filter(|count| count.low >= min_support).collect();
    kept.sort_unstable_by_key(|count| (std::cmp::Reverse(count.high), count.places));
    let dropped = kept.len().saturating_sub(MAX_LIKELY);
    kept.truncate(MAX_LIKELY);
    FoundSubstitutions { rules: kept.iter().map(|count| count.rule(listing)).collect(), dropped }
}

/// For each URL a hash of its page, if all pages have sketches, so that only likely similar URLs
/// share a bucket; else 0 for all.
fn kinds(listing: &Listing) -> Vec<u64> {
    let kind = |record: &ListedUrl| Some(xxh3_64(&record.sketch?.to_le_bytes()));
    let kinds: Option<Vec<u64>> = listing.records().iter().map(kind).collect();
    kinds.unwrap_or_else(|| vec![0; listing.records().len()])
}

/// The pairs of a bucket that may show the same page, with the hash of the two substrings.
fn each_pair(
    listing: &Listing,
    cuts: &Cuts,
    bucket: &[Substring],
    mut take: impl FnMut(u64, [Substring; 2]),
) {
    for (at, &one) in bucket.iter().enumerate() {
        let record = &listing.records()[one.url as usize];
        op_counter::count(bucket.len() - at);
        for &other in &bucket[at + 1..] {
            if record.is_likely_similar(&listing.records()[other.url as usize]) {
                take(pair_hash(cuts.hash(one), cuts.hash(other)), [one, other]);
            }
        }
    }
}

/// The same for (α, β) and (β, α).
fn pair_hash(one: u64, other: u64) -> u64 {
    let (least, most) = (one.min(other), one.max(other));
    let mixed = (least ^ most.rotate_left(29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ (mixed >> 32)).wrapping_add(most).wrapping_mul(0xa076_1d64_78bd_642f)
}

#[derive(Debug, Clone, Copy)]
struct EnvelopeCount {
    low: u32,
    high: u32,
    places: [Substring; 2],
}

impl EnvelopeCount {
    fn rule<'l>(&self, listing: &'l Listing) -> Likely<'l> {
        let [one, other] = self.places.map(|place| place.text(listing.url(place.url)));
        let (at_start, at_end) = (one.1, one.2);
        let (one, other) = ((one.0, self.places[0]), (other.0, self.places[1]));
        let order = |side: (&str, Substring)| (side.0.len(), side.0.to_owned());
        let (long, short) = if order(one) >= order(other) { (one, other) } else { (other, one) };
        Likely {
            long: long.0,
            short: short.0,
            at_start,
            at_end,
            support: self.high,
            places: [long.1, short.1],
        }
    }
}

/// Counts that may be too high, because pairs may share one, but are never too low.
struct Estimate(Vec<u8>);

impl Estimate {
    fn new(cuts: usize) -> Self {
        Self(vec![0; (cuts * 8).next_power_of_two().clamp(1 << 12, 1 << 28)])
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.0.len().trailing_zeros())) as usize
    }

    fn add(&mut self, hash: u64) {
        let slot = self.slot(hash);
        self.0[slot] = self.0[slot].saturating_add(1);
    }

    fn of(&self, hash: u64) -> u8 {
        self.0[self.slot(hash)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::dustbuster::listing::tests::{logged, sketched};

    fn found(listing: &Listing, settings: &DustbusterConfig) -> Vec<(String, String, u32)> {
        let cuts = Cuts::new(listing.records().iter().map(|record| record.url.as_ref()));
        let side = |rule: &Likely<'_>, text: &str| {
            let (start, end) =
                (if rule.at_start { "^" } else { "" }, if rule.at_end { "$" } else { "" });
            format!("{start}{text}{end}")
        };
        let rules = find(listing, &cuts, settings).rules;
        rules.iter().map(|r| (side(r, r.long), side(r, r.short), r.support)).collect()
    }

    fn support(rules: &[(String, String, u32)], long: &str, short: &str) -> u32 {
        rules.iter().find(|rule| rule.0 == long && rule.1 == short).map_or(0, |rule| rule.2)
    }

    /// A log of folders that are asked for in two ways, of sizes that say nothing.
    fn folders(names: &[&str]) -> Listing {
        let both = |name: &&str| {
            [format!("http://x.com/{name}/"), format!("http://x.com/{name}/index.html")]
        };
        logged(names.iter().flat_map(both).map(|url| (url, 5)))
    }

    #[test]
    fn folders_and_their_index_files() {
        let rules = found(&folders(&["a", "b/c", "d/e/f"]), &DustbusterConfig::default());
        assert_eq!(support(&rules, "/index.html$", "/$"), 3);
        assert_eq!(support(&rules, "index.html$", "$"), 3);
        assert_eq!(support(&rules, "/index.html$", "/a/$"), 0);
        assert!(found(&folders(&["a", "b/c"]), &DustbusterConfig::default()).is_empty());
    }

    #[test]
    fn two_names_of_a_script() {
        let both = |id| [format!("http://x.com/story?id={id}"), format!("http://x.com/story_{id}")];
        let listing = logged((100..120).flat_map(both).map(|url| (url, 5)));
        let rules = found(&listing, &DustbusterConfig::default());
        assert_eq!(support(&rules, "story?id=", "story_"), 20);
        assert_eq!(support(&rules, "^http://x.com/story?id=", "^http://x.com/story_"), 20);
    }

    #[test]
    fn values_make_large_buckets_and_no_rules() {
        let ids = |id| ["a", "b", "c", "d"].map(|name| format!("http://x.com/{name}/{id}"));
        let listing = logged((0..12).flat_map(ids).map(|url| (url, 5)));
        let rules = found(&listing, &DustbusterConfig::default());
        assert_eq!(support(&rules, "/a/", "/b/") + support(&rules, "/b/", "/a/"), 12);
        assert_eq!(support(&rules, "/10", "/1"), 0, "12 values of one place");
        let settings = DustbusterConfig { low_bucket: 12, ..DustbusterConfig::default() };
        assert_eq!(support(&found(&listing, &settings), "/10", "/1"), 4);
    }

    #[test]
    fn support_is_counted_in_larger_buckets_than_rules_are_found_in() {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let few = (0..3).flat_map(|id| ["/a/", "/b/"].map(|name| format!("{name}{id}")));
        let many = (3..5).flat_map(|id| names.map(|name| format!("/{name}/{id}")));
        let listing = logged(few.chain(many).map(|url| (url, 5)));
        let rules = found(&listing, &DustbusterConfig::default());
        assert_eq!(support(&rules, "/b/", "/a/"), 5);
        assert_eq!(support(&rules, "/c/", "/a/"), 0, "only in buckets of 7");
    }

    /// The paper: filtering by size about doubles the share of valid rules.
    #[test]
    fn sizes_that_do_not_meet_halve_the_false_rules() {
        let urls = |id: u64| {
            let page = 1000 + 50 * id;
            [("", page), ("?print", page), ("?next", page + 7), ("?prev", page + 9)]
                .map(|(query, size)| (format!("http://x.com/{id}{query}"), size))
        };
        let sized = found(&logged((0..20).flat_map(urls)), &DustbusterConfig::default());
        let unsized_list = (0..20).flat_map(urls).map(|(url, _)| (url, 5));
        let all = found(&logged(unsized_list), &DustbusterConfig::default());
        assert_eq!(support(&sized, "?print$", "$"), 20);
        assert_eq!(support(&sized, "?next$", "$"), 0);
        assert_eq!(support(&all, "?next$", "$"), 20);
        assert!(2 * sized.len() <= all.len(), "{} of {}", sized.len(), all.len());
    }

    #[test]
    fn sketches_decide_where_there_are_any() {
        let urls: Vec<(String, u64)> = (0..9)
            .flat_map(|id| {
                [(format!("/{id}"), id), (format!("/{id}/"), id), (format!("/{id}/x"), 9 + id)]
            })
            .collect();
        let listing = sketched(urls.iter().map(|(url, sketch)| (url.as_str(), *sketch)));
        let rules = found(&listing, &DustbusterConfig::default());
        assert_eq!((support(&rules, "/$", "$"), support(&rules, "/x$", "/$")), (9, 0));
    }

    #[test]
    fn a_pair_has_one_hash() {
        assert_eq!(pair_hash(3, 9), pair_hash(9, 3));
        assert_ne!(pair_hash(0, 9), pair_hash(0, 3));
    }
}
