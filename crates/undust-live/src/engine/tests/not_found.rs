//! Sites that answer 200 to what does not exist: dead links whose pages are all the same do not hide the pages of their
//! folder, even if hundreds of them come before its first page. Where thousands do, they may (docs/research/LIVE.md).

use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use undust_learn::config::Config;
use undust_pages::response::Response;

use crate::engine::learning::AutoLearner;
use crate::engine::options::EngineOptions;
use crate::engine::secret::Secret;
use crate::engine::{Learn, Live};

/// What the dead links of a site look like beside its pages.
#[derive(Debug, Clone, Copy)]
enum Names {
    /// `/item/17`, for both.
    Numbers,
    /// `/item/oak-chair-17`, for both.
    Words,
    /// `/item/17?ref=3`, so that some deletions hold.
    Arguments,
    /// `/shop/3/item/17`, in folders of which some are dead as a whole.
    Folders,
    /// `/view?id=17`, beside pages of other kinds.
    Values,
}

const NAMES: [Names; 5] =
    [Names::Numbers, Names::Words, Names::Arguments, Names::Folders, Names::Values];

/// When the pages come.
#[derive(Debug, Clone, Copy)]
enum Order {
    Mixed,
    /// After so many dead links, or half of them.
    Late(usize),
}

fn url(names: Names, number: u32, random: &mut ChaCha8Rng) -> String {
    let word = ["oak", "pine", "red", "old", "new"][number as usize % 5];
    let rest = match names {
        Names::Numbers => format!("item/{number}"),
        Names::Words => format!("item/{word}-chair-{number}"),
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
    pages.shuffle(&mut random);
    match order {
        Order::Mixed => {
            pages.extend(dead_links);
            pages.shuffle(&mut random);
            pages
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

/// Distinct pages that are never seen, of all.
fn crawl(links: &[(String, Option<u32>)], seed: u64) -> (usize, usize) {
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let learner: Arc<dyn Learn> = Arc::new(AutoLearner::new(Config::default()));
    let live = Live::with_secret(options, Secret::of_seed(seed), learner);
    let (mut seen, mut all) = (FxHashSet::default(), FxHashSet::default());
    for (url, page) in links {
        all.extend(*page);
        if live.decide(url).expect("a decision").fetches() {
            seen.extend(*page);
            let shown = page.map_or("not found".to_owned(), |page| format!("page {page}"));
            let digest = Some(shown);
            live.saw(Response { url: url.clone(), status: 200, digest, ..Response::default() })
                .expect("taken");
        }
    }
    (all.len() - seen.len(), all.len())
}

#[test]
fn dead_links_that_answer_200_hide_no_page() {
    let (mut lost, mut all) = (0, 0);
    for names in NAMES {
        for order in [Order::Mixed, Order::Late(150), Order::Late(1200)] {
            for dead in [150, 600, 2400] {
                for seed in 0..3 {
                    let of_one = crawl(&links(names, order, dead, seed), seed);
                    (lost, all) = (lost + of_one.0, all + of_one.1);
                }
            }
        }
    }
    assert!(lost as f64 <= EngineOptions::default().risk * all as f64, "{lost} of {all}");
}
