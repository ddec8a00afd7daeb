//! The learners, and the gate.

use super::{costs_at_most, costs_its_share};
use crate::config::Config;
use crate::method::{Method, Training};
use crate::training::TrainingSet;
use crate::training::tests::crawl;

/// Learns by a method from groups of URLs that show one page each.
fn learn(method: &str, groups: &[Vec<String>]) {
    let (pages, clusters) = crawl(groups);
    let mut config = Config::default();
    // Each likely rule is compared with as many as that: below it, costs may grow with the square.
    config.dustbuster.window = 50;
    let method: Method = method.parse().expect("a method");
    method.learn(&TrainingSet::new(&pages, &clusters), &Training::new(&config)).expect("a model");
}

fn number(n: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes())
}

/// Random segments of random depth, each page under two URLs.
fn random_segments(count: usize) -> Vec<Vec<String>> {
    let url = |n: usize| {
        let hash = number(n);
        let depth = 1 + hash % 8;
        let segments =
            (0..depth).map(|at| format!("/{:x}", number(n + (at as usize) * 7919) % 4096));
        format!("http://a.test{}", segments.collect::<String>())
    };
    (0..count / 2).map(|n| vec![url(2 * n), url(2 * n + 1)]).collect()
}

/// Folders and their index files: in every other folder the two are other pages, so that
/// each folder needs a rule of its own.
fn folders(count: usize) -> Vec<Vec<String>> {
    let urls = |folder: usize, above: &str| {
        let place = format!("http://a.test/{above}/d{folder}/");
        let index = format!("{place}index.html");
        if folder.is_multiple_of(2) {
            vec![vec![place, index]]
        } else {
            vec![vec![place], vec![index]]
        }
    };
    let above = ["a", "b", "c", "d"];
    (0..count / 8)
        .flat_map(|folder| above.iter().flat_map(move |above| urls(folder, above)))
        .collect()
}

/// One page under all URLs.
fn one_cluster(count: usize) -> Vec<Vec<String>> {
    vec![(0..count).map(|n| format!("http://a.test/{}?s={:x}", n % 7, number(n))).collect()]
}

/// Pages of many shapes, each of few URLs, half of which a session does not matter to.
fn shapes(count: usize) -> Vec<Vec<String>> {
    let words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let group = |n: usize| {
        let shape = number(n / 12);
        let path: String =
            (0..5).map(|at| format!("/{}", words[(shape >> (8 * at)) as usize % 12])).collect();
        let url = |session: usize| format!("http://a.test{path}/{n}?s={:x}", number(n + session));
        if shape >> 60 < 6 { vec![vec![url(1), url(2)]] } else { vec![vec![url(1)], vec![url(2)]] }
    };
    (0..count / 2).flat_map(group).collect()
}

/// An argument of its own for each URL.
fn arguments(count: usize) -> Vec<Vec<String>> {
    let urls =
        |n: usize| vec![format!("http://a.test/p?x={n}"), format!("http://a.test/p?x={n}&a{n}=1")];
    (0..count / 2).map(urls).collect()
}

/// A generator of groups of so many URLs.
type Shape = (&'static str, fn(usize) -> Vec<Vec<String>>);

const SHAPES: [Shape; 5] = [
    ("random segments", random_segments),
    ("folders", folders),
    ("one cluster", one_cluster),
    ("shapes", shapes),
    ("arguments", arguments),
];

fn costs_on_every_shape(method: &str, small: usize) {
    for (name, shape) in SHAPES {
        costs_its_share(small, &format!("{method}, {name}"), |count| learn(method, &shape(count)));
    }
}

#[test]
fn rewrite() {
    costs_on_every_shape("rewrite", 1000);
}

#[test]
fn tree() {
    // On each URL at most some 128 rules are tried (`rules::measure`), which small crawls are far from.
    for count in [2000, 16_000] {
        costs_at_most(160, count, "tree", |count| learn("tree", &random_segments(count)));
    }
    for (name, shape) in &SHAPES[1..] {
        costs_its_share(2000, &format!("tree, {name}"), |count| learn("tree", &shape(count)));
    }
}

/// Candidates that share all words, and differ in optional parts.
#[test]
fn duster() {
    costs_on_every_shape("duster", 1000);
}

#[test]
fn dustbuster() {
    costs_on_every_shape("dustbuster", 2000);
}

#[test]
fn slots_and_edits_through_the_gate() {
    costs_on_every_shape("slots", 1000);
}
