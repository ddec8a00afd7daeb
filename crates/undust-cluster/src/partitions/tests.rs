use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;

use undust_pages::lengths::SUBSETS;

use super::load::Loads;
use super::*;

fn options(partitions: u32, dimensions: u32, slack: f64) -> PartitionOptions {
    PartitionOptions { partitions, dimensions, slack, ..PartitionOptions::default() }
}

/// Lengths of all sizes, with subsets that have no word.
fn any_lengths() -> impl Strategy<Value = WordLengths> {
    let length = prop_oneof![0u32..4, 0u32..60, 0u32..3000, any::<u32>()];
    let free = prop::array::uniform12(length);
    // Like real pages: all subsets grow together.
    let alike = (1u32..400, prop::array::uniform12(0u32..100))
        .prop_map(|(scale, noise)| noise.map(|noise| scale + scale * noise / 300));
    prop_oneof![free, alike].prop_map(WordLengths)
}

/// Whether Expression 1 holds for a pair, word for word.
fn within_the_bound(a: &[u64], b: &[u64], options: &PartitionOptions) -> bool {
    let ratio = options.similarity / options.slack;
    a.iter().zip(b).all(|(&a, &b)| a.min(b) as f64 >= a.max(b) as f64 * ratio)
}

fn meet(partitions: &Partitions, a: &WordLengths, b: &WordLengths) -> bool {
    partitions.compared_with(a).contains(&partitions.partition_of(b))
        && partitions.compared_with(b).contains(&partitions.partition_of(a))
}

/// The words of a page, each by its number and how often it occurs.
type Words = BTreeMap<u32, u32>;

fn lengths_of(words: &Words) -> WordLengths {
    let mut lengths = [0; SUBSETS];
    words.iter().for_each(|(word, &times)| lengths[*word as usize % SUBSETS] += times);
    WordLengths(lengths)
}

/// Jaccard similarity of bags of words.
fn similarity(a: &Words, b: &Words) -> f64 {
    let count = |words: &Words, word| words.get(word).copied().unwrap_or(0);
    let common: u32 = a.iter().map(|(word, &times)| times.min(count(b, word))).sum();
    let all = a.values().sum::<u32>() + b.values().sum::<u32>() - common;
    if all == 0 { 1.0 } else { f64::from(common) / f64::from(all) }
}

/// A page, and a copy of it with a few words more, fewer or others.
fn page_and_copy() -> impl Strategy<Value = (Words, Words)> {
    let words = prop::collection::btree_map(0u32..200, 1u32..9, 1..80);
    let changes = prop::collection::vec((0u32..200, 0u32..9), 0..6);
    (words, changes).prop_map(|(words, changes)| {
        let mut copy = words.clone();
        for (word, times) in changes {
            if times == 0 { _ = copy.remove(&word) } else { _ = copy.insert(word, times) }
        }
        (words, copy)
    })
}

proptest! {
    #[test]
    fn pages_within_the_bound_meet(
        pages in prop::collection::vec(any_lengths(), 1..60),
        shrunk in 0.5f64..1.0,
        count in 1u32..=64, dimensions in 1u32..=4, similarity in 0.5f64..=0.99, slack in 1.0f64..=1.5,
    ) {
        let options = PartitionOptions { partitions: count, dimensions, similarity, slack };
        let partitions = Partitions::new(&pages, &options).unwrap();
        let near = pages.iter().map(|page| WordLengths(page.0.map(|words| (f64::from(words) * shrunk) as u32)));
        let all: Vec<WordLengths> = pages.iter().copied().chain(near).collect();
        for a in &all {
            prop_assert!(partitions.partition_of(a) < count);
            let compared = partitions.compared_with(a);
            prop_assert!(compared.is_sorted_by(|one, next| one < next) && compared.contains(&partitions.partition_of(a)));
            for b in &all {
                let lengths = [a, b].map(|page| partitions.dimensions.of(page));
                if within_the_bound(&lengths[0], &lengths[1], &options) {
                    prop_assert!(meet(&partitions, a, b), "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn similar_pages_meet_in_one_dimension(pairs in prop::collection::vec(page_and_copy(), 1..30), count in 1u32..=64) {
        let lengths: Vec<WordLengths> =
            pairs.iter().flat_map(|(page, copy)| [lengths_of(page), lengths_of(copy)]).collect();
        let partitions = Partitions::new(&lengths, &options(count, 1, 1.0)).unwrap();
        for ((page, copy), two) in pairs.iter().zip(lengths.chunks(2)) {
            if similarity(page, copy) >= 0.9 {
                prop_assert!(meet(&partitions, &two[0], &two[1]));
            }
        }
    }

    #[test]
    fn similar_pages_that_stray_no_more_than_delta_meet(
        pairs in prop::collection::vec(page_and_copy(), 1..30), count in 1u32..=64, dimensions in 2u32..=4,
    ) {
        let lengths: Vec<WordLengths> =
            pairs.iter().flat_map(|(page, copy)| [lengths_of(page), lengths_of(copy)]).collect();
        for slack_tried in [1.1, 1.3, 2.0] {
            let partitions = Partitions::new(&lengths, &options(count, dimensions, slack_tried)).unwrap();
            for ((page, copy), two) in pairs.iter().zip(lengths.chunks(2)) {
                let stray = partitions.stray(&two[0]).max(partitions.stray(&two[1]));
                if similarity(page, copy) >= 0.9 && slack(stray, 0.0) <= slack_tried {
                    prop_assert!(meet(&partitions, &two[0], &two[1]));
                }
            }
        }
    }

    #[test]
    fn in_one_partition_all_meet(pages in prop::collection::vec(any_lengths(), 0..40), stranger in any_lengths(), dimensions in 1u32..=4) {
        let partitions = Partitions::new(&pages, &options(1, dimensions, 1.0)).unwrap();
        for page in pages.iter().chain([&stranger]) {
            prop_assert_eq!((partitions.partition_of(page), partitions.compared_with(page)), (0, vec![0]));
        }
    }

    #[test]
    fn the_order_of_the_pages_is_irrelevant(mut pages in prop::collection::vec(any_lengths(), 0..40), count in 1u32..=16) {
        let before = Partitions::new(&pages, &options(count, 3, 1.1)).unwrap();
        pages.reverse();
        prop_assert_eq!(before, Partitions::new(&pages, &options(count, 3, 1.1)).unwrap());
    }
}

/// Pages of 60 to 1000 words, spread as those of a site: many short, few long.
fn site() -> Vec<WordLengths> {
    let page = |number: u64| {
        let hash = |salt: u64| xxhash_rust::xxh3::xxh3_64(&(number * 64 + salt).to_le_bytes());
        let scale = 5.0 * 16f64.powf(hash(0) as f64 / u64::MAX as f64);
        let noise = |subset| 0.8 + 0.4 * hash(subset as u64 + 1) as f64 / u64::MAX as f64;
        WordLengths(std::array::from_fn(|subset| (scale * noise(subset)) as u32))
    };
    (0..4000).map(page).collect()
}

#[test]
fn pages_spread_evenly_and_few_are_sent_far() {
    let pages = site();
    for dimensions in 1..=3 {
        let partitions = Partitions::new(&pages, &options(8, dimensions, 1.1)).unwrap();
        let loads = Loads::of(&partitions, &pages, 8);
        assert!(loads.0.iter().all(|load| load.pages > 100), "{dimensions}: {loads:?}");
        assert!(loads.imbalance() < 0.5, "{dimensions}: {}", loads.imbalance());
        assert!(loads.communication_saved() > 0.5, "{dimensions}: {loads:?}");
    }
}

#[test]
fn options_out_of_range_are_refused() {
    for wrong in [
        options(0, 1, 1.0),
        options(1025, 1, 1.0),
        options(2, 5, 1.0),
        options(2, 3, 0.9),
        options(2, 3, f64::NAN),
    ] {
        assert!(Partitions::new(&[], &wrong).is_err(), "{wrong:?}");
    }
    let far = PartitionOptions { similarity: 1.0, ..options(2, 3, 1.0) };
    let sentence = Partitions::new(&[], &far).unwrap_err().to_string();
    assert!(sentence.starts_with("the similarity of partitions"), "{sentence}");
}

#[test]
fn pages_are_counted_while_they_are_spread() {
    let pages: Vec<_> = (1..40).map(|words| WordLengths([words; SUBSETS])).collect();
    let partitions = Partitions::new(&pages, &options(4, 2, 1.1)).unwrap();
    let done = AtomicU64::new(0);
    let loads = Loads::counting(&partitions, &pages, 4, &done);
    assert_eq!((done.into_inner(), loads), (39, Loads::of(&partitions, &pages, 4)));
}
