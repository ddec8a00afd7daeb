use std::sync::atomic::AtomicU64;

use proptest::prelude::*;

use undust_pages::{Page, Simhash, TextHash};

use crate::agreement::agreement;
use crate::clusters::*;
use crate::groups::UnionFind;

mod cost;
mod short_pages;

const STRICT: ClusterOptions = ClusterOptions { bits: 3, title: true };
const UNTITLED: ClusterOptions = ClusterOptions { bits: 3, title: false };

/// A page of its own: no title, fingerprint or digest.
fn page(end: u32) -> Page {
    Page { url: format!("/{end}").into(), end, ..Page::default() }
}

fn titled(end: u32, title: u64, simhash: u64) -> Page {
    Page { title: Some(title), simhash: Some(Simhash(simhash)), ..page(end) }
}

fn labels(pages: &[Page], options: &ClusterOptions) -> Vec<u32> {
    cluster(pages, options).labels().to_vec()
}

#[test]
fn one_end_is_one_page() {
    assert_eq!(labels(&[page(4), page(2), page(4)], &STRICT), [0, 1, 0]);
}

#[test]
fn equal_digests_are_one_page_whatever_the_title() {
    let digest = |end, title, digest| Page { digest, ..titled(end, title, u64::from(end) << 32) };
    let pages = [digest(0, 1, Some(9)), digest(255, 2, Some(9)), digest(65535, 1, None)];
    assert_eq!(labels(&pages, &STRICT), [0, 0, 1]);
    assert_eq!(labels(&[page(0), page(1)], &STRICT), [0, 1], "no digest equals none");
}

#[test]
fn near_fingerprints_need_the_same_title() {
    let pages = [titled(0, 1, 0), titled(1, 2, 0), titled(2, 1, 0b111), titled(3, 1, 0b1111 << 9)];
    assert_eq!(labels(&pages, &STRICT), [0, 1, 0, 2]);
    assert_eq!(labels(&pages, &UNTITLED), [0, 0, 0, 1]);
}

#[test]
fn pages_without_a_title_are_near_only_where_no_title_is_asked_for() {
    let untitled = |end| Page { title: None, ..titled(end, 0, 5) };
    let pages = [untitled(0), untitled(1), titled(2, 0, 5)];
    assert_eq!(labels(&pages, &STRICT), [0, 1, 2]);
    assert_eq!(labels(&pages, &UNTITLED), [0, 0, 0]);
}

#[test]
fn clusters_are_closed_under_transitivity() {
    // 0 and 1 by fingerprint, 1 and 2 by digest, 2 and 3 by their end, 3 and 4 by fingerprint.
    let mut pages = [titled(0, 1, 0), titled(1, 1, 7), page(2), titled(2, 2, 0), titled(4, 2, 1)];
    pages[1].digest = Some(3);
    pages[2].digest = Some(3);
    assert_eq!(labels(&pages, &STRICT), [0; 5]);
}

#[test]
fn a_chain_of_near_pages_reaches_far_ones() {
    let pages: Vec<Page> = (0..20).map(|n| titled(n, 1, (1 << (3 * n)) - 1)).collect();
    assert_eq!(cluster(&pages, &STRICT).len(), 1);
    assert_eq!(cluster(&pages, &ClusterOptions { bits: 2, title: true }).len(), 20);
}

#[test]
fn clusters_know_their_members() {
    let clusters = cluster(&[page(7), page(8), page(7), page(9), page(8)], &STRICT);
    assert_eq!((clusters.len(), clusters.of(4)), (3, 1));
    assert_eq!(clusters.iter().collect::<Vec<_>>(), [&[0, 2][..], &[1, 4], &[3]]);
}

#[test]
fn no_pages_are_no_clusters() {
    let none = cluster(&[], &STRICT);
    assert!(none.is_empty() && none.iter().next().is_none());
}

/// The rules as they are written, over all pairs.
fn brute_force(pages: &[Page], options: &ClusterOptions) -> Vec<u32> {
    let equal = |a: Option<u64>, b: Option<u64>| a.is_some() && a == b;
    let near = |a: Option<Simhash>, b: Option<Simhash>| match (a, b) {
        (Some(a), Some(b)) => (a.0 ^ b.0).count_ones() <= options.bits,
        _ => false,
    };
    let mut sets = UnionFind::new(pages.len());
    for (i, a) in pages.iter().enumerate() {
        for (j, b) in pages[..i].iter().enumerate() {
            let named = !options.title || equal(a.title, b.title);
            let near = named && near(a.simhash, b.simhash) && a.short_text == b.short_text;
            if a.end == b.end || equal(a.digest, b.digest) || near {
                sets.union(i as u32, j as u32);
            }
        }
    }
    sets.into_labels()
}

fn any_page() -> impl Strategy<Value = Page> {
    let simhash = prop_oneof![0u64..64, prop::num::u64::ANY, Just(0x00ff_ff00)];
    let hash = |most: u64| prop::option::of(0..most);
    (0u32..40, hash(3), prop::option::of(simhash), hash(40), hash(2)).prop_map(
        |(end, title, simhash, digest, short_text)| Page {
            title,
            simhash: simhash.map(Simhash),
            short_text: short_text.map(TextHash),
            digest,
            ..page(end)
        },
    )
}

proptest! {
    #[test]
    fn clusters_are_those_of_the_rules(
        pages in prop::collection::vec(any_page(), 0..60),
        bits in 0u32..=7,
        title: bool,
    ) {
        let options = ClusterOptions { bits, title };
        prop_assert_eq!(labels(&pages, &options), brute_force(&pages, &options));
    }

    #[test]
    fn the_order_of_the_pages_is_irrelevant(
        (pages, shuffled) in prop::collection::vec(any_page(), 0..60)
            .prop_map(|pages| pages.into_iter().enumerate().collect::<Vec<_>>())
            .prop_flat_map(|pages| (Just(pages.clone()), Just(pages).prop_shuffle())),
    ) {
        let only_pages = |pages: &[(usize, Page)]| pages.iter().map(|(_, page)| page.clone()).collect::<Vec<_>>();
        let before = labels(&only_pages(&pages), &STRICT);
        let after = labels(&only_pages(&shuffled), &STRICT);
        let moved: Vec<u32> = shuffled.iter().map(|(was, _)| before[*was]).collect();
        prop_assert_eq!(agreement(&after, &moved).f1, 1.0);
    }
}

#[test]
fn clusters_come_from_any_labels() {
    let brought = Clusters::from_labels(["b", "a", "b", "c"]);
    assert_eq!(brought.labels(), [0, 1, 0, 2]);
    assert_eq!(brought.members(0), [0, 2]);
    assert!(Clusters::from_labels(Vec::<u64>::new()).is_empty());
}

#[test]
fn every_page_is_counted_once_when_it_is_done() {
    let mut pages: Vec<Page> = (0..50).map(|n| titled(n, u64::from(n % 7), u64::from(n))).collect();
    pages.extend((50..60).map(page));
    for options in [STRICT, UNTITLED] {
        let done = AtomicU64::new(0);
        cluster_counting(&pages, &options, &done);
        assert_eq!(done.into_inner(), 60);
    }
}
