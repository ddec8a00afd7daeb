//! Sites of several authors, one of whom is hostile: what she shows must not cost others a page.

use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use undust_learn::config::Config;
use undust_pages::response::Response;

use super::secret::Secret;
use super::{AutoLearner, EngineOptions, Live};

/// A URL and the page that it shows. Pages of the hostile author begin with `alice`.
type Link = (String, String);

/// How the hostile author writes her URLs and those of the others are written.
#[derive(Debug, Clone, Copy)]
struct Names {
    alice: &'static str,
    bob: &'static str,
    carol: &'static str,
}

const NAMES: [Names; 3] = [
    Names { alice: "alice", bob: "bob", carol: "carol" },
    Names { alice: "a1", bob: "b2", carol: "c3" },
    Names {
        alice: "the-pages-of-alice-and-her-cat",
        bob: "the-pages-of-bob-and-his-three-dogs",
        carol: "the-pages-of-carol-who-has-none",
    },
];

/// The ways of the URLs of honest authors, each of which shows a page of its own.
fn honest(author: &str, way: usize, n: u32) -> String {
    match way {
        0 => format!("{author}/item?id={n}"),
        1 => format!("{author}/post/{n}"),
        2 => format!("{author}/photo?album={}&n={}", n / 20, n % 20),
        3 => format!("{author}/?p={n}"),
        4 => format!("{author}/day/{}/{}", n / 30, n % 30),
        _ => format!("{author}/read.php?v={n}&id=7"),
    }
}

const HONEST: usize = 6;

/// The same ways, where every `shown` URLs show one page.
fn taught(author: &str, way: usize, n: u32, shown: u32) -> Link {
    let page = n / shown;
    let url = match way {
        0 => format!("{author}/x{page}/item?id={n}"),
        1 => format!("{author}/x{page}/post/{n}"),
        2 => format!("{author}/x{page}/photo?album={n}&n={}", n % 20),
        3 => format!("{author}/x{page}/?p={n}"),
        4 => format!("{author}/x{page}/day/{n}"),
        _ => format!("{author}/x{page}/read.php?v={n}&id=7"),
    };
    (url, format!("alice {way} {page}"))
}

/// What the hostile author does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// Nothing.
    None,
    /// Shows one page under many URLs that are written as those of the others.
    SameUrls,
    /// Shows one page under URLs with arguments that nobody else has.
    OtherArguments,
    /// Shows pages that were seen before, but others than those of the group.
    SeenPages,
    /// Copies the others' pages before they are crawled.
    Copies,
    /// Answers with one page for a while, and does not, and does.
    Bans,
    /// All of it.
    All,
}

const WAYS: [Way; 7] = [
    Way::None,
    Way::SameUrls,
    Way::OtherArguments,
    Way::SeenPages,
    Way::Copies,
    Way::Bans,
    Way::All,
];

fn hostile(way: Way, names: &Names, count: u32) -> Vec<Link> {
    let alice = names.alice;
    match way {
        Way::None => Vec::new(),
        Way::SameUrls => {
            (0..count).map(|n| taught(alice, n as usize % HONEST, n / 6, 8)).collect()
        }
        Way::OtherArguments => (0..count)
            .map(|n| (format!("{alice}/p{}?q{}={n}", n / 6, n % 50), format!("alice q {}", n / 6)))
            .collect(),
        Way::SeenPages => (0..count)
            .map(|n| (format!("{alice}/o{}?q={n}", n / 2), format!("alice o {}", n % 2)))
            .collect(),
        Way::Copies => (0..count)
            .map(|n| {
                let (way, number) = (n as usize % HONEST, n / 6);
                (format!("{alice}/copy/{way}?of={number}"), page(names.bob, way, number % 60))
            })
            .collect(),
        Way::Bans => (0..count)
            .map(|n| {
                let is_ban = n % 120 > 60;
                let shown = if is_ban { format!("alice bans {}", n / 120) } else { format!("alice {n}") };
                (format!("{alice}/{}/{n}?v={n}", ["a", "b", "c"][n as usize % 3]), shown)
            })
            .collect(),
        Way::All => WAYS[1..6].iter().flat_map(|way| hostile(*way, names, count / 3)).collect(),
    }
}

fn page(author: &str, way: usize, n: u32) -> String {
    format!("{author} {way} {n}")
}

/// A crawl of such a site, in its order: `before` of the hostile author's links come first.
fn crawl(way: Way, names: &Names, seed: u64, before: f64) -> Vec<Link> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let honest_links = [names.bob, names.carol].into_iter().flat_map(|author| {
        (0..HONEST).flat_map(move |way| {
            (0..150).map(move |n| (honest(author, way, n), page(author, way, n)))
        })
    });
    // A part of the site that is duplicated in truth.
    let news = (0..200).flat_map(|n| {
        ["", "?sid=1", "?sid=2"].map(|end| (format!("news/{n}{end}"), format!("news {n}")))
    });
    let mut rest: Vec<Link> = honest_links.chain(news).collect();
    let mut first = hostile(way, names, 3000);
    let later = first.split_off((first.len() as f64 * before) as usize);
    rest.extend(later);
    rest.shuffle(&mut random);
    first.extend(rest);
    first
}

/// How many pages of honest authors a crawl does not see.
fn lost(links: &[Link], seed: u64) -> (usize, usize) {
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let learner = Arc::new(AutoLearner::without_network(Config::default()));
    let live = Live::with_secret(options, Secret::of_seed(seed), learner);
    let mut found = FxHashSet::default();
    let mut fetched = 0;
    for (rest, page) in links {
        let url = format!("http://a.test/{rest}");
        if live.decide(&url).expect("a decision").fetches() {
            fetched += 1;
            let digest = Some(page.clone());
            live.saw(Response { url, status: 200, digest, ..Response::default() }).expect("taken");
            found.insert(page.as_str());
        }
    }
    let honest: FxHashSet<&str> =
        links.iter().map(|(_, page)| page.as_str()).filter(|page| !page.starts_with("alice")).collect();
    (honest.difference(&found).count(), fetched)
}

#[test]
#[ignore = "a table"]
fn table() {
    for way in WAYS {
        for names in &NAMES {
            let mut cells = Vec::new();
            for seed in 0..4 {
                for before in [1.0, 0.5] {
                    let links = crawl(way, names, seed, before);
                    cells.push(lost(&links, seed));
                }
            }
            println!("{way:?} {} {cells:?}", names.bob);
        }
    }
    let _: u32 = ChaCha8Rng::seed_from_u64(1).random();
}
