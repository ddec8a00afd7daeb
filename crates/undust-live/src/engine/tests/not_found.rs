//! Sites that answer 200 to what does not exist: dead links whose pages are all the same do not hide the pages of their
//! folder, even if hundreds of them come before its first page. Where thousands do, they may (docs/research/LIVE.md).

use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use undust_learn::config::Config;
use undust_pages::response::Response;

use crate::engine::Live;
use crate::engine::learning::AutoLearner;
use crate::engine::options::EngineOptions;
use crate::engine::secret::Secret;

/// What the dead links of a site look like beside its pages.
#[derive(Debug, Clone, Copy)]
enum Names {
    /// `/item/17`, for both.
    Numbers,
    /// `/17?ref=3`, for both: each is a folder of its own.
    Top,
    /// `/item/oak-chair-17`, for both.
    Words,
    /// `/item/oak-chair-3f2a91c7?ref=3`, for both.
    Drawn,
    /// `/item/17?ref=3`, so that some deletions hold.
    Arguments,
    /// `/shop/3/item/17`, in folders of which some are dead as a whole.
    Folders,
    /// `/view?id=17`, beside pages of other kinds.
    Values,
}

const NAMES: [Names; 7] = [
    Names::Numbers,
    Names::Top,
    Names::Words,
    Names::Drawn,
    Names::Arguments,
    Names::Folders,
    Names::Values,
];

/// When the pages come.
#[derive(Debug, Clone, Copy)]
enum Order {
    Mixed,
    /// After so many dead links, or half of them.
    Late(usize),
    /// After all dead links, one after another.
    Last,
}

fn url(names: Names, number: u32, random: &mut ChaCha8Rng) -> String {
    let word = ["oak", "pine", "red", "old", "new"][number as usize % 5];
    let id = number.wrapping_mul(0x9e37_79b1);
    let rest = match names {
        Names::Numbers => format!("item/{number}"),
        Names::Top => format!("{number}?ref={}", random.random_range(0..4)),
        Names::Words => format!("item/{word}-chair-{number}"),
        Names::Drawn => format!("item/{word}-chair-{id:08x}?ref={}", random.random_range(0..4)),
        Names::Arguments => format!("item/{number}?ref={}", random.random_range(0..4)),
        Names::Values => format!("view?id={number}&p={}", random.random_range(0..4)),
        Names::Folders => format!("shop/{}/item/{number}", number % 7),
    };
    format!("http://a.test/{rest}")
}

/// The URLs of a crawl, and the page of each; none where there is nothing.
fn links(names: Names, order: Order, dead: usize, seed: u64) -> Vec<(String, Option<u32>)> {
    const PAGES: usize = 300;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let is_dead = |number: u32| match names {
        Names::Folders => number % 7 < 5,
        _ => number.is_multiple_of(2),
    };
    let (mut dead_links, mut pages) = (Vec::new(), Vec::new());
    for number in (0..).filter(|number| is_dead(*number)).take(dead) {
        dead_links.push((url(names, number, &mut random), None));
    }
    for number in (0..).filter(|number| !is_dead(*number)).take(PAGES) {
        let again = [(); 2].map(|()| (url(names, number, &mut random), Some(number)));
        pages.extend(again);
    }
    match order {
        Order::Mixed => {
            pages.extend(dead_links);
            pages.shuffle(&mut random);
            pages
        }
        Order::Last => {
            dead_links.extend(pages);
            dead_links
        }
        Order::Late(after) => {
            let mut rest = dead_links.split_off(after.min(dead_links.len() / 2));
            rest.extend(pages);
            rest.shuffle(&mut random);
            dead_links.extend(rest);
            dead_links
        }
    }
}

pub(super) fn live(seed: u64) -> Live {
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let learner = Arc::new(AutoLearner::new(Config::default()));
    Live::with_secret(options, Secret::of_seed(seed), learner)
}

/// Asks for a URL, and fetches it if that is what becomes of it; whether it was.
pub(super) fn visit(live: &Live, url: String, page: String) -> bool {
    let fetches = live.decide(&url).expect("a decision").fetches();
    if fetches {
        let digest = Some(page);
        live.saw(Response { url, status: 200, digest, ..Response::default() }).expect("taken");
    }
    fetches
}

/// Crawls links, each with the page that it shows: distinct pages that are never seen, of all.
pub(super) fn lost(links: Vec<(String, String)>, seed: u64) -> (usize, usize) {
    let all: FxHashSet<String> = links.iter().map(|(_, shown)| shown.clone()).collect();
    let live = live(seed);
    let fetched = links.into_iter().filter(|(url, shown)| visit(&live, url.clone(), shown.clone()));
    let seen: FxHashSet<String> = fetched.map(|(_, shown)| shown).collect();
    (all.len() - seen.len(), all.len())
}

/// Distinct pages that are never seen, of all.
fn crawl(links: &[(String, Option<u32>)], seed: u64) -> (usize, usize) {
    let live = live(seed);
    let (mut seen, mut all) = (FxHashSet::default(), FxHashSet::default());
    for (url, page) in links {
        all.extend(*page);
        let shown = page.map_or("not found".to_owned(), |page| format!("page {page}"));
        if visit(&live, url.clone(), shown) {
            seen.extend(*page);
        }
    }
    (all.len() - seen.len(), all.len())
}

/// Crawls by the names and the order: those that are like each other lose little together.
#[test]
fn dead_links_that_answer_200_hide_no_page() {
    let risk = EngineOptions::default().risk;
    let orders = [
        (Order::Mixed, [150, 600, 2400], risk),
        (Order::Late(150), [300, 600, 2400], risk),
        // The next probe comes after up to seventy skips.
        (Order::Late(1200), [2400, 2700, 3600], 0.03),
        (Order::Last, [200, 400, 1200], 0.1),
    ];
    for names in NAMES {
        for (order, dead, most) in orders {
            let seeds = (0..3).flat_map(|seed| dead.map(|dead| (dead, seed)));
            let crawls = seeds.map(|(dead, seed)| crawl(&links(names, order, dead, seed), seed));
            assert_lost(crawls, most, &format!("{names:?}, {order:?}"));
        }
    }
}

/// Names that look drawn at random are those of sessions, but a few of them are not.
#[test]
fn a_link_that_looks_drawn_says_nothing_of_the_others() {
    let crawls = (0..9).map(|seed| {
        let mut links = links(Names::Numbers, Order::Late(1200), 2400, seed);
        links.insert(0, ("http://a.test/item/3f2a91c7".to_owned(), None));
        crawl(&links, seed)
    });
    assert_lost(crawls, 0.03, "a name that looks drawn");
}

/// At most this share of the pages.
pub(super) fn assert_lost(crawls: impl Iterator<Item = (usize, usize)>, most: f64, of: &str) {
    let (lost, all) = crawls.fold((0, 0), |sum, of_one| (sum.0 + of_one.0, sum.1 + of_one.1));
    eprintln!("{of}: {lost} of {all}");
    assert!(lost as f64 <= most * all as f64, "{of}: {lost} of {all}");
}

/// In the first crawl a site shows one page for all, and in the second one the pages that are there.
#[test]
fn what_was_one_page_in_another_crawl_may_be_many() {
    const PAGES: usize = 1500;
    for (seed, counts) in [(1, false), (2, false), (3, true), (4, true)] {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            let id =
                if counts { format!("{next}") } else { format!("{:08x}", random.random::<u32>()) };
            format!("http://a.test/doc?id={id}")
        };
        let live = live(seed);
        (0..5000).for_each(|_| {
            visit(&live, fresh(), "maintenance".to_owned());
        });
        live.begin_crawl().expect("a crawl");
        let found = (0..PAGES).filter(|page| visit(&live, fresh(), format!("page {page}"))).count();
        assert!(found as f64 >= 0.9 * PAGES as f64, "{found} of {PAGES}, counted: {counts}");
    }
}
