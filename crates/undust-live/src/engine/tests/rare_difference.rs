//! An argument that changes few pages, at random: its first tests see none of them, so what it loses may exceed the risk
//! (docs/research/LIVE.md).

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::not_found::lost;

const PAGES: u32 = 1000;
const SEEDS: u64 = 8;

/// Pages that are never seen, of all, where the argument changes this share of the pages.
fn crawl(share: f64, is_shuffled: bool, seed: u64) -> (usize, usize) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut links = Vec::new();
    for page in 0..PAGES {
        let changes = random.random_bool(share);
        for (query, shown) in [("", ""), ("?ab=A", "A"), ("?ab=B", "B")] {
            let shown = if changes { shown } else { "" };
            links.push((format!("http://a.test/p/{page}{query}"), format!("{page}{shown}")));
        }
    }
    if is_shuffled {
        links.shuffle(&mut random);
    }
    lost(links, seed)
}

/// Few times the risk in the mean, and no more than a page in twenty on any site.
#[test]
fn an_argument_that_changes_few_pages_loses_few() {
    for share in [0.005, 0.02, 0.05, 0.1] {
        for is_shuffled in [false, true] {
            let crawls: Vec<_> = (0..SEEDS).map(|seed| crawl(share, is_shuffled, seed)).collect();
            let lost: usize = crawls.iter().map(|(lost, _)| lost).sum();
            let all: usize = crawls.iter().map(|(_, all)| all).sum();
            let most = crawls.iter().map(|(lost, _)| lost).max();
            eprintln!("{share}, shuffled: {is_shuffled}: {lost} of {all} lost, {most:?} at most");
            assert!(lost as f64 <= 0.03 * all as f64);
            assert!(crawls.iter().all(|(lost, all)| 20 * lost <= *all));
        }
    }
}
