//! Sites of several authors, one of whom is hostile: what she shows must not cost others a page.

use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use undust_learn::config::Config;
use undust_pages::response::Response;

use crate::engine::secret::Secret;
use crate::engine::{AutoLearner, EngineOptions, Live, SiteStats};

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

/// The URLs of an author, by way: `part` is what a proposal leaves out, and says which of the pages
/// of `n` it is.
fn url(author: &str, way: usize, n: u32, part: u32) -> String {
    match way {
        0 if part == 0 => format!("{author}/story/{n}"),
        0 => format!("{author}/story/{n}?page={part}"),
        1 => format!(
            "{author}/read.php?id={n}&view={}",
            ["full", "text", "notes"][part as usize % 3]
        ),
        2 => format!("{author}/photo?album={n}&n={part}"),
        3 => format!("{author}/day/{n}/{part}"),
        4 => format!("{author}/{}/item-{n}", ["left", "right", "up"][part as usize % 3]),
        _ => format!("{author}/x{n}?v={part}"),
    }
}

const HONEST: usize = 6;

/// Pages that an honest author shows under the URLs of one `n`.
const PARTS: u32 = 3;

/// Pages of an honest author, by way.
const EACH: u32 = 90;

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
    /// Copies some of them, and shows one page under many URLs that are written as theirs.
    CopiesAndUrls,
    /// Answers with one page for a while, and does not, and does.
    Bans,
    /// All of it.
    All,
}

const WAYS: [Way; 8] = [
    Way::None,
    Way::SameUrls,
    Way::OtherArguments,
    Way::SeenPages,
    Way::Copies,
    Way::CopiesAndUrls,
    Way::Bans,
    Way::All,
];

fn hostile(way: Way, names: &Names, count: u32) -> Vec<Link> {
    let alice = names.alice;
    match way {
        Way::None => Vec::new(),
        Way::SameUrls => (0..count)
            .map(|n| {
                let (way, number) = (n as usize % HONEST, n / 6);
                (
                    url(alice, way, number / PARTS, number % PARTS),
                    format!("alice {way} {}", number / PARTS),
                )
            })
            .collect(),
        Way::OtherArguments => (0..count)
            .map(|n| (format!("{alice}/p{}?q{}={n}", n / 6, n % 50), format!("alice q {}", n / 6)))
            .collect(),
        Way::SeenPages => (0..count)
            .map(|n| (format!("{alice}/o{}?q={n}", n / 2), format!("alice o {}", n % 2)))
            .collect(),
        Way::Copies => (0..count).map(|n| copy(names, n, EACH)).collect(),
        Way::CopiesAndUrls => (0..270)
            .map(|n| copy(names, n, 45))
            .chain(hostile(Way::SameUrls, names, count))
            .collect(),
        Way::Bans => (0..count)
            .map(|n| {
                let is_ban = n % 120 > 60;
                let shown =
                    if is_ban { format!("alice bans {}", n / 120) } else { format!("alice {n}") };
                (format!("{alice}/{}{n}?v={n}", ["", "a/", "a/b/"][n as usize % 3]), shown)
            })
            .collect(),
        Way::All => WAYS[1..7].iter().flat_map(|way| hostile(*way, names, count / 3)).collect(),
    }
}

/// A copy of one of the first `most` pages of each way.
fn copy(names: &Names, n: u32, most: u32) -> Link {
    let (way, number) = (n as usize % HONEST, n / HONEST as u32);
    let (of, part) = ((number % most) / PARTS, number % PARTS);
    (format!("{}/copy/{way}?of={number}", names.alice), page(names.bob, way, of, part))
}

fn page(author: &str, way: usize, n: u32, part: u32) -> String {
    format!("{author} {way} {n} {part}")
}

/// A crawl of such a site, in its order. The hostile author's links come first, all or half of them.
fn crawl(way: Way, names: &Names, seed: u64) -> Vec<Link> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let honest = [names.bob, names.carol].into_iter().flat_map(|author| {
        (0..HONEST).flat_map(move |way| {
            (0..EACH).map(move |n| {
                let (n, part) = (n / PARTS, n % PARTS);
                (url(author, way, n, part), page(author, way, n, part))
            })
        })
    });
    // A part of the site that is duplicated in truth.
    let news = (0..100).flat_map(|n| {
        ["", "?sid=1", "?sid=2"].map(|end| (format!("news/{n}{end}"), format!("news {n}")))
    });
    let mut rest: Vec<Link> = honest.chain(news).collect();
    let mut first = hostile(way, names, 1500);
    if random.random() {
        rest.extend(first.split_off(first.len() / 2));
        rest.shuffle(&mut random);
    }
    first.extend(rest);
    first
}

/// What a crawl of links fetches, and what it says of itself.
struct Crawled<'l> {
    found: FxHashSet<&'l str>,
    stats: SiteStats,
}

fn crawled(links: &[Link], seed: u64) -> Crawled<'_> {
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let learner = Arc::new(AutoLearner::new(Config::default()));
    let live = Live::with_secret(options, Secret::of_seed(seed), learner);
    let mut found = FxHashSet::default();
    for (rest, page) in links {
        let url = format!("http://a.test/{rest}");
        if live.decide(&url).expect("a decision").fetches() {
            let digest = Some(page.clone());
            live.saw(Response { url, status: 200, digest, ..Response::default() }).expect("taken");
            found.insert(page.as_str());
        }
    }
    Crawled { found, stats: live.stats()["a.test"] }
}

/// How many pages of honest authors a crawl does not see.
fn lost(way: Way, names: &Names, seed: u64) -> usize {
    let links = crawl(way, names, seed);
    let pages: FxHashSet<&str> = links.iter().map(|(_, page)| page.as_str()).collect();
    let crawled = crawled(&links, seed);
    pages.difference(&crawled.found).filter(|page| !page.starts_with("alice")).count()
}

/// Whatever one author shows, the others lose what is risked at most: 0.6 % of some thousand pages.
#[test]
fn an_author_costs_others_no_page() {
    let runs: Vec<(Way, &Names, u64)> = WAYS
        .into_iter()
        .flat_map(|way| NAMES.iter().map(move |names| (way, names)))
        .zip(0..)
        .map(|((way, names), seed)| (way, names, seed))
        .collect();
    let check = |(way, names, seed): &(Way, &Names, u64)| {
        let lost = lost(*way, names, *seed);
        (lost > 6).then(|| format!("{way:?} {} {seed}: {lost}", names.bob))
    };
    let halves = runs.split_at(runs.len() / 2);
    let faults: Vec<String> = std::thread::scope(|scope| {
        let check_all = |runs: &[_]| runs.iter().filter_map(check).collect::<Vec<String>>();
        let other = scope.spawn(move || check_all(halves.1));
        [check_all(halves.0), other.join().expect("no panic")].concat()
    });
    assert!(faults.is_empty(), "{faults:#?}");
}

/// What is a duplicate in truth is skipped, whatever an author shows.
#[test]
fn an_author_costs_others_no_saving() {
    let names = &NAMES[0];
    let saved = |way| {
        let links = crawl(way, names, 1);
        crawled(&links, 1).stats.skipped
    };
    let alone = saved(Way::None);
    assert!(alone > 100, "{alone}");
    assert!(saved(Way::Bans) > alone / 2);
}
