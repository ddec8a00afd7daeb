//! The near-duplicate self-join at k = 3: `cargo bench --bench cluster`.
//!
//! One core. Brute force is run for comparison at 20,000 fingerprints.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use undust_cluster::groups::UnionFind;
use undust_cluster::hamming::self_join;

const BITS: u32 = 3;

fn flipped(value: u64, flips: u32, rng: &mut ChaCha8Rng) -> u64 {
    (0..flips).fold(value, |value, _| value ^ (1 << rng.random_range(0..64)))
}

/// Nine of ten at random, the tenth at 0 to 5 bits from one of them.
fn planted(count: usize) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut values: Vec<u64> = (0..count - count / 10).map(|_| rng.random()).collect();
    for _ in 0..count / 10 {
        let origin = values[rng.random_range(0..values.len())];
        let flips = rng.random_range(0..=5);
        values.push(flipped(origin, flips, &mut rng));
    }
    values
}

/// Half at random, half on 20 templates with 0 to 2 bits flipped.
fn templates(count: usize) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut values: Vec<u64> = (0..count / 2).map(|_| rng.random()).collect();
    for _ in 0..count - count / 2 {
        let template = values[rng.random_range(0..20)];
        let flips = rng.random_range(0..=2);
        values.push(flipped(template, flips, &mut rng));
    }
    values
}

/// Three of four 16-bit blocks are the same everywhere: 65,536 values at most.
fn crowded() -> Vec<u64> {
    (0..1 << 16).map(|low| 0x0123_4567_89ab_0000 | low).collect()
}

/// Made to be slow: one or two of four 16-bit blocks differ from 0.
fn crafted(count: usize) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut block = |at: u32| u64::from(rng.random::<u16>()) << (16 * (at % 4));
    let values = (0..count as u32).map(|n| match n % 2 {
        0 => block(n / 2),
        _ => block(n / 2) | block(n / 2 + 1 + n / 8 % 3),
    });
    values.collect()
}

/// Made to be slow: words of an error-correcting code (the sum of their places is divided by 61) with these
/// numbers of bits in turn. They agree in most blocks, and none or few are near another.
fn words(count: usize, bits: &[u32]) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut word = |bits: u32| loop {
        let (mut word, mut sum) = (0u64, 0);
        while word.count_ones() + 1 < bits {
            let place = rng.random_range(0..61u64);
            sum += if word >> place & 1 == 0 { place } else { 0 };
            word |= 1 << place;
        }
        let last = 1 << ((61 - sum % 61) % 61);
        if word & last == 0 {
            return word | last;
        }
    };
    bits.iter().cycle().take(count).map(|&bits| word(bits)).collect()
}

/// Made to be slow: three random numbers anded, so that each is near some others.
fn anded(count: usize) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    (0..count).map(|_| (0..3).fold(u64::MAX, |value, _| value & rng.random::<u64>())).collect()
}

fn random(count: usize) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    (0..count).map(|_| rng.random()).collect()
}

fn components(fingerprints: &[u64]) -> UnionFind {
    let mut sets = UnionFind::new(fingerprints.len());
    self_join(fingerprints, BITS, &mut sets);
    sets
}

fn brute_force(fingerprints: &[u64]) -> UnionFind {
    let mut sets = UnionFind::new(fingerprints.len());
    for (a, value) in fingerprints.iter().enumerate() {
        for (b, other) in fingerprints[..a].iter().enumerate() {
            if (value ^ other).count_ones() <= BITS {
                sets.union(a as u32, b as u32);
            }
        }
    }
    sets
}

fn self_joins(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("self_join");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    let mut case = |name: &str, values: Vec<u64>, join: fn(&[u64]) -> UnionFind| {
        group.throughput(Throughput::Elements(values.len() as u64));
        let id = BenchmarkId::new(name, values.len());
        group.bench_with_input(id, &values, |bencher, values| {
            bencher.iter(|| join(black_box(values)))
        });
    };
    case("brute_force", planted(20_000), brute_force);
    case("planted", planted(20_000), components);
    case("planted", planted(1_000_000), components);
    case("planted", planted(5_000_000), components);
    case("templates", templates(1_000_000), components);
    case("templates", templates(5_000_000), components);
    case("crowded", crowded(), components);
    case("random", random(400_000), components);
    case("crafted", crafted(400_000), components);
    case("words", words(400_000, &[6]), components);
    case("words, a quarter odd", words(400_000, &[6, 6, 6, 11]), components);
    case("words, half of them odd", words(400_000, &[7, 12]), components);
    case("anded", anded(400_000), components);
}

criterion_group!(benches, self_joins);
criterion_main!(benches);
