use proptest::prelude::*;

use undust_cluster::clusters::{ClusterOptions, cluster};

use super::*;

/// A page with this URL, of the cluster with this number.
fn page(url: &str, cluster: u32) -> Page {
    Page { url: url.into(), end: cluster, ..Page::default() }
}

/// The figures of URLs, each given by its cluster, whether its shape was seen, and whether it was
/// fetched; and the replay that they are of.
fn figures(urls: &[(u32, bool, bool)]) -> (FiguresByShape, Replay) {
    let pages: Vec<Page> = (0..).zip(urls).map(|(at, url)| page(&format!("{at}"), url.0)).collect();
    let clusters = cluster(&pages, &ClusterOptions::default());
    let fetched: Vec<bool> = urls.iter().map(|url| url.2).collect();
    let mut fetches = vec![0; clusters.len()];
    for (&cluster, &is_fetched) in clusters.labels().iter().zip(&fetched) {
        fetches[cluster as usize] += u32::from(is_fetched);
    }
    let replay = Replay {
        crawled: fetched.iter().filter(|is_fetched| **is_fetched).count(),
        covered: fetches.iter().filter(|count| **count > 0).count(),
        clusters: clusters.len(),
        fetched,
        fetches,
    };
    let is_seen: Vec<bool> = urls.iter().map(|url| url.1).collect();
    (FiguresByShape::of(&replay, &clusters, &is_seen), replay)
}

/// Five clusters, three of them with URLs of both kinds, every figure counted by hand.
#[test]
fn a_cluster_counts_by_its_first_url_and_a_fetch_by_the_url_fetched() {
    let (seen, unseen, fetched, skipped) = (true, false, true, false);
    let (figures, _) = figures(&[
        (0, seen, fetched),
        (1, seen, skipped),
        (2, unseen, skipped),
        (0, unseen, fetched),
        (1, unseen, fetched),
        (2, seen, skipped),
        (3, unseen, fetched),
        (4, seen, skipped),
    ]);
    let of_seen = ShapeFigures {
        urls: 4,
        clusters: 3,
        crawled: 1,
        lost: 1,
        redundant: 0,
        precision: 1.0,
        recall: 2.0 / 3.0,
        f1: f1(1.0, 2.0 / 3.0),
    };
    let of_unseen = ShapeFigures {
        urls: 4,
        clusters: 2,
        crawled: 3,
        lost: 1,
        redundant: 1,
        precision: 2.0 / 3.0,
        recall: 0.5,
        f1: f1(2.0 / 3.0, 0.5),
    };
    assert_eq!(figures, FiguresByShape { seen: of_seen, unseen: of_unseen });
}

#[test]
fn a_kind_without_urls_wastes_and_loses_nothing() {
    let (figures, _) = figures(&[(0, true, true), (0, true, false)]);
    let ShapeFigures { urls, precision, recall, f1, .. } = figures.unseen;
    assert_eq!((urls, precision, recall, f1), (0, 1.0, 1.0, 1.0));
}

#[test]
fn a_shape_is_seen_whatever_its_arguments_are() {
    let train: Vec<Page> = (0..100)
        .map(|n| match n % 2 {
            0 => page(&format!("http://a.test/user/name{n}?tab=posts"), n),
            _ => page(&format!("http://a.test/list/{}", 1000 + n), n),
        })
        .collect();
    let urls = [
        "http://a.test/user/somebody?tab=posts",
        "http://a.test/list/4711",
        "http://a.test/list/47",
        "http://a.test/user/4711",
        "http://a.test/group/4711",
    ];
    let test: Vec<Page> = urls.iter().map(|url| page(url, 0)).collect();
    let seen = |word_share| have_seen_shape(&train, &test, word_share);
    assert_eq!(seen(0.01), [true, true, false, false, false]);
    // Without function words but those of all URLs, `list` is a word like any other.
    assert_eq!(seen(1.0), [true, true, false, true, true]);
    assert_eq!(have_seen_shape(&[], &test, 0.01), [false; 5]);
}

proptest! {
    #[test]
    fn both_kinds_add_up_to_the_replay(
        urls in prop::collection::vec((0u32..10, any::<bool>(), any::<bool>()), 0..60),
    ) {
        let (FiguresByShape { seen, unseen }, replay) = figures(&urls);
        prop_assert_eq!(seen.urls + unseen.urls, urls.len());
        prop_assert_eq!(seen.clusters + unseen.clusters, replay.clusters);
        prop_assert_eq!(seen.crawled + unseen.crawled, replay.crawled);
        prop_assert_eq!(seen.lost + unseen.lost, replay.lost());
        prop_assert_eq!(seen.redundant + unseen.redundant, replay.redundant());
    }

    #[test]
    fn alone_a_kind_has_the_figures_of_the_replay(
        urls in prop::collection::vec((0u32..10, any::<bool>()), 0..60),
    ) {
        let urls: Vec<_> = urls.into_iter().map(|(cluster, fetched)| (cluster, false, fetched)).collect();
        let (FiguresByShape { unseen, .. }, replay) = figures(&urls);
        let alone = (unseen.precision, unseen.recall, unseen.f1);
        prop_assert_eq!(alone, (replay.precision(), replay.recall(), replay.f1()));
    }
}
