use std::collections::BTreeSet;

use proptest::prelude::*;

use super::blocks::STRIDES;
use super::sort::radix_sort;
use super::*;
use crate::groups::UnionFind;

type Pairs = BTreeSet<(u64, u64)>;

fn brute_force(fingerprints: &[u64], k: u32) -> Pairs {
    let near = |a: u64, b: u64| a < b && (a ^ b).count_ones() <= k;
    let partners = |&a| fingerprints.iter().filter(move |&&b| near(a, b)).map(move |&b| (a, b));
    fingerprints.iter().flat_map(partners).collect()
}

/// The pairs of distinct values that the join visits; fails on a second visit.
fn joined(fingerprints: &[u64], k: u32) -> Pairs {
    let mut pairs = Pairs::new();
    self_join(fingerprints, k, &mut |a: u32, b: u32| {
        let (a, b) = (fingerprints[a as usize], fingerprints[b as usize]);
        let is_new = a == b || pairs.insert((a.min(b), a.max(b)));
        assert!(is_new, "{a:016x} and {b:016x} were paired twice");
    });
    pairs
}

fn brute_force_labels(fingerprints: &[u64], k: u32) -> Vec<u32> {
    let mut sets = UnionFind::new(fingerprints.len());
    for a in 0..fingerprints.len() {
        for b in 0..a {
            if (fingerprints[a] ^ fingerprints[b]).count_ones() <= k {
                sets.union(a as u32, b as u32);
            }
        }
    }
    sets.into_labels()
}

fn joined_labels(fingerprints: &[u64], k: u32) -> Vec<u32> {
    let mut sets = UnionFind::new(fingerprints.len());
    self_join(fingerprints, k, &mut sets);
    sets.into_labels()
}

/// Spread over all 64 bits, or packed into the 16 from some place on.
fn flips() -> impl Strategy<Value = u64> {
    let spread = prop::collection::vec(0u32..64, 0..=8);
    let packed = (0u32..49, prop::collection::vec(0u32..16, 0..=8))
        .prop_map(|(from, bits)| bits.into_iter().map(|bit| from + bit).collect());
    prop_oneof![spread, packed]
        .prop_map(|bits| bits.into_iter().fold(0, |flips, bit| flips ^ (1 << bit)))
}

/// Seeds with copies at 0 to 8 bits, some copied again from a copy.
fn planted() -> impl Strategy<Value = Vec<u64>> {
    let seeds = prop::collection::vec(any::<u64>(), 1..20);
    let copies = prop::collection::vec((any::<prop::sample::Index>(), flips()), 0..700);
    (seeds, copies).prop_map(|(mut values, copies)| {
        for (origin, flips) in copies {
            values.push(values[origin.index(values.len())] ^ flips);
        }
        values
    })
}

/// Few varying bits, so that runs are long and most pairs are near.
fn crowded() -> impl Strategy<Value = Vec<u64>> {
    (any::<u64>(), any::<u64>(), any::<u64>(), prop::collection::vec(any::<u64>(), 0..600))
        .prop_map(|(base, a, b, values)| values.into_iter().map(|v| base ^ (v & a & b)).collect())
}

/// Crowds long enough for every k to be scouted: few places vary, or few bits are set, perhaps around two bases.
fn long_crowd() -> impl Strategy<Value = Vec<u64>> {
    let few_places = (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a & b);
    let shape = prop_oneof![few_places.prop_map(Ok), (3u32..=9).prop_map(Err)];
    (shape, any::<u64>(), flips(), 2100..2600usize, any::<u16>()).prop_map(
        |(shape, base, other, count, seed)| {
            let mut random = numbers().skip(seed.into());
            let mut next = || random.next().unwrap();
            let value = |n: usize| {
                let base = if n.is_multiple_of(3) { base ^ other } else { base };
                base ^ shape.map_or_else(|bits| with_bits(bits, &mut next), |m| numbers_at(n) & m)
            };
            (0..count).map(value).collect()
        },
    )
}

fn numbers_at(n: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
}

/// `bits` bits at random places.
fn with_bits(bits: u32, next: &mut dyn FnMut() -> u64) -> u64 {
    let mut value = 0u64;
    while value.count_ones() < bits {
        value |= 1 << (next() % 64);
    }
    value
}

/// Words that are far from one another, some copied with few flips; enough of them that keys are joined in
/// several parts.
fn words() -> impl Strategy<Value = Vec<u64>> {
    let copies = prop::collection::vec((any::<prop::sample::Index>(), flips()), 0..300);
    (10..1500usize, any::<u16>(), copies).prop_map(|(count, seed, copies)| {
        let mut random = numbers().skip(seed.into());
        let mut next = || random.next().unwrap();
        let mut values: Vec<u64> =
            (0..count).map(|n| far_word(if n % 3 == 0 { 11 } else { 6 }, &mut next)).collect();
        for (origin, flips) in copies {
            values.push(values[origin.index(values.len())] ^ flips);
        }
        values
    })
}

/// Those of an even number of bits.
fn even_words() -> impl Strategy<Value = Vec<u64>> {
    words().prop_map(|mut values| {
        values.retain(|value| value.count_ones() % 2 == 0);
        values
    })
}

/// A word of `bits` bits, the sum of whose places is divided by 61: two words with one number of bits are at least
/// four bits apart.
fn far_word(bits: u32, next: &mut dyn FnMut() -> u64) -> u64 {
    loop {
        let mut next_place = || next() % 61;
        let (mut word, mut sum) = (0u64, 0);
        while word.count_ones() < bits - 1 {
            let place = next_place();
            sum += if word >> place & 1 == 0 { place } else { 0 };
            word |= 1 << place;
        }
        let last = 1 << ((61 - sum % 61) % 61);
        if word & last == 0 {
            return word | last;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_components_of_crowds_are_those_of_brute_force(values in long_crowd(), k in 0u32..=7) {
        prop_assert_eq!(joined_labels(&values, k), brute_force_labels(&values, k));
    }

    #[test]
    fn the_join_visits_the_pairs_of_brute_force_once_each(
        values in prop_oneof![planted(), words(), even_words()],
        k in 0u32..=8,
    ) {
        prop_assert_eq!(joined(&values, k), brute_force(&values, k));
    }

    #[test]
    fn the_components_are_those_of_brute_force(
        values in prop_oneof![planted(), crowded(), words(), even_words()],
        k in 0u32..=8,
    ) {
        prop_assert_eq!(joined_labels(&values, k), brute_force_labels(&values, k));
    }

    #[test]
    fn flips_find_the_pairs_of_brute_force_once_each(
        values in prop_oneof![planted(), crowded(), words()],
        k in 1..=3u32,
    ) {
        let values = BTreeSet::from_iter(values);
        let mut run: Vec<Fingerprint> =
            values.iter().zip(0..).map(|(&value, id)| Fingerprint { value, id }).collect();
        let at: Vec<u64> = values.iter().copied().collect();
        let mut pairs = Pairs::new();
        let mut sink = |a: u32, b: u32| {
            let (a, b) = (at[a as usize], at[b as usize]);
            assert!(pairs.insert((a.min(b), a.max(b))), "{a:016x} and {b:016x} were paired twice");
        };
        let mut join = Join::new(k, &mut sink);
        let varying = varying_bits(&run);
        join.find_by_flips(&mut run, varying);
        prop_assert_eq!(pairs, brute_force(&at, k));
    }

    #[test]
    fn blocks_deal_out_every_bit_once(bits: u64, count in 1u32..=8, stride in prop::sample::select(&STRIDES[..])) {
        let dealt: Vec<u64> = blocks(bits, count, stride).collect();
        let sizes = dealt.iter().map(|block| block.count_ones());
        prop_assert_eq!(dealt.iter().fold(0, |all, block| all | block), bits);
        prop_assert_eq!(sizes.clone().sum::<u32>(), bits.count_ones());
        prop_assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
    }

    #[test]
    fn the_radix_sort_sorts_and_keeps_ties_in_order(
        values in prop::collection::vec(any::<u64>(), 0..3000),
        block in prop_oneof![any::<u64>(), Just(u64::MAX), Just(0xffff_0000)],
    ) {
        let mut items: Vec<Fingerprint> =
            values.iter().zip(0..).map(|(&value, id)| Fingerprint { value, id }).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|item| item.value & block);
        let mut scratch = items.clone();
        radix_sort(&mut items, &mut scratch, block);
        let ids = |items: &[Fingerprint]| items.iter().map(|item| item.id).collect::<Vec<_>>();
        prop_assert_eq!(ids(&items), ids(&expected));
    }
}

/// A small stream of numbers that look random, the same in every run.
fn numbers() -> impl Iterator<Item = u64> {
    (1u64..).map(|n| xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes()))
}

#[test]
fn long_runs_are_split_further_for_every_k() {
    let one_block_varies: Vec<u64> = (0..700).map(|n| 0x0123_4567_89ab_0000 ^ (n * 89)).collect();
    let ball: Vec<u64> =
        (0..32).flat_map(|a| (0..=a).map(move |b| (4 << a) | (1 << (2 * b)))).collect();
    let pool: Vec<u64> = numbers().take(1600).collect();
    let skewed =
        pool.chunks(2).map(|two| (two[0] & 0xff00_ff00_00ff) | (two[1] & 0x1111_0000)).collect();
    for values in [one_block_varies, ball, skewed] {
        for k in 0..=7 {
            assert_eq!(joined(&values, k), brute_force(&values, k), "k = {k}");
            assert_eq!(joined_labels(&values, k), brute_force_labels(&values, k), "k = {k}");
        }
    }
}

#[test]
fn equal_fingerprints_cost_no_pairs_among_themselves() {
    let mut pairs = 0;
    self_join(&[7; 200_000], 3, &mut |_: u32, _: u32| pairs += 1);
    assert_eq!(pairs, 199_999);
}

#[test]
fn nothing_and_one_have_no_pairs() {
    assert!(joined(&[], 3).is_empty());
    assert!(joined(&[5], 3).is_empty());
}

#[test]
fn the_distance_is_inclusive() {
    for k in 0..=7 {
        let near = (1u64 << k) - 1;
        let far = (1u64 << (k + 1)) - 1;
        assert_eq!(joined_labels(&[0, near << 20], k), [0, 0]);
        assert_eq!(joined_labels(&[0, far << 20], k), [0, 1]);
    }
}

/// The work of joining `count` fingerprints, in comparisons.
fn work(count: usize, k: u32, make: &impl Fn(&mut dyn FnMut() -> u64) -> u64) -> u64 {
    let mut random = numbers();
    let mut next = || random.next().unwrap();
    let mut items: Vec<Fingerprint> =
        (0..count as u32).map(|id| Fingerprint { value: make(&mut next), id }).collect();
    join(&mut items, k, &mut UnionFind::new(count))
}

/// However many there are, they cost less than five times as much as random ones.
fn assert_linear(make: impl Fn(&mut dyn FnMut() -> u64) -> u64) {
    for count in [30_000, 120_000, 400_000] {
        let (crafted, random) = (work(count, 3, &make), work(count, 3, &|next| next()));
        assert!(crafted < 5 * random, "{count}: {crafted} against {random}");
    }
}

#[test]
fn fingerprints_in_one_or_two_of_the_blocks_cost_their_share() {
    assert_linear(|next| {
        let blocks = next();
        let block = |at: u64, value: u64| (value & 0xffff) << (16 * (at % 4));
        let other = if blocks & 8 == 0 { 0 } else { block(blocks + 1 + (blocks >> 8) % 3, next()) };
        block(blocks, next()) | other
    });
    assert_linear(|next| next() & !(0xffff << (16 * (next() % 4))));
    assert_linear(|next| {
        (0..4)
            .map(|block| {
                (xxhash_rust::xxh3::xxh3_64(&[next() as u8 & 31, block]) & 0xffff) << (16 * block)
            })
            .sum()
    });
}

#[test]
fn crowded_fingerprints_cost_their_share() {
    for bits in [2, 4, 6, 8, 12] {
        assert_linear(|next| (0..bits).fold(0, |value, _| value | 1 << (next() % 64)));
    }
    for bits in [18, 24, 28, 32] {
        assert_linear(|next| next() & ((1 << bits) - 1));
    }
    for ands in [2, 3, 4] {
        assert_linear(|next| (0..ands).fold(next(), |value, _| value & next()));
    }
}

/// No block separates them, and few are near another. Where some have an even number of bits and some an odd
/// one, pairs three bits apart are possible.
#[test]
fn words_that_are_far_from_one_another_cost_their_share() {
    assert_linear(|next| far_word(6, next));
    assert_linear(|next| far_word(if next() % 2 == 0 { 7 } else { 12 }, next));
    assert_linear(|next| far_word(if next() % 4 == 0 { 11 } else { 6 }, next));
    let per_value = |count: usize| work(count, 3, &|next| far_word(6, next)) / count as u64;
    assert!(2 * per_value(400_000) < 3 * per_value(100_000), "linear");
}

/// Words of few bits and of few places, most of them near some of the others.
#[test]
fn crowds_cost_no_more_than_random_ones_for_many_bits() {
    type Make = fn(&mut dyn FnMut() -> u64) -> u64;
    let shapes: [(&str, Make); 5] = [
        ("low 20 bits", |next| next() & 0xf_ffff),
        ("19 places", |next| next() & 0x4a22_41a8_4040_0d43),
        ("4 bits", |next| with_bits(4, next)),
        ("5 bits", |next| with_bits(5, next)),
        ("6 bits", |next| with_bits(6, next)),
    ];
    for k in 5..=7 {
        for count in [30_000, 120_000] {
            let random = work(count, k, &|next| next());
            for (name, make) in shapes {
                let crafted = work(count, k, &make);
                assert!(crafted < 3 * random, "{name}, k = {k}, {count}: {crafted}, {random}");
            }
        }
    }
}
