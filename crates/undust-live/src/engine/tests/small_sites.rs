//! Sites that are too small to prove anything alone: what several showed holds on the next.

use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use undust_learn::config::Config;
use undust_pages::response::Response;

use crate::engine::journal::{Event, Journal};
use crate::engine::secret::Secret;
use crate::engine::{AutoLearner, EngineOptions, Live, SiteStats};

/// Pages of a site.
const PAGES: u32 = 12;

/// What the arguments of a site mean.
#[derive(Debug, Clone, Copy)]
struct Habits {
    /// How its paths begin.
    root: &'static str,
    /// The name of an argument under which each page is seen three times.
    name: &'static str,
    /// Whether it says which page it is.
    matters: bool,
}

const ROOTS: [&str; 4] = ["", "shop/item/", "2026/", "index.php/"];

/// URLs of a site and their pages.
fn urls(host: &str, habits: Habits, random: &mut ChaCha8Rng) -> Vec<(String, String)> {
    let Habits { root, name, matters } = habits;
    let of_page = |page: u32| {
        let url = format!("http://{host}/{root}{page}");
        let variant = move |value: u32| {
            let shown = if matters { format!("{page} {value}") } else { page.to_string() };
            (format!("http://{host}/{root}{page}?{name}={value}"), shown)
        };
        [(url, page.to_string()), variant(page % 5), variant(7 + page % 3)]
    };
    let mut urls: Vec<_> = (0..PAGES).flat_map(of_page).collect();
    urls.shuffle(random);
    urls
}

/// What became of one site.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Came {
    redundant: usize,
    saved: usize,
    lost: usize,
}

fn crawl(live: &Live, urls: &[(String, String)]) -> Came {
    let (mut found, mut fetched) = (FxHashSet::default(), 0);
    for (url, page) in urls {
        if live.decide(url).expect("a decision").fetches() {
            let digest = Some(page.clone());
            let response =
                Response { url: url.clone(), status: 200, digest, ..Response::default() };
            live.saw(response).expect("a response");
            found.insert(page);
            fetched += 1;
        }
    }
    let pages: FxHashSet<&String> = urls.iter().map(|(_, page)| page).collect();
    let redundant = urls.len() - pages.len();
    Came {
        redundant,
        saved: redundant.saturating_sub(fetched - found.len()),
        lost: pages.len() - found.len(),
    }
}

fn engine(seed: u64) -> Live {
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    Live::with_secret(options, Secret::of_seed(seed), Arc::new(AutoLearner::new(Config::default())))
}

/// Crawls sites of these habits one after another.
fn crawl_all(live: &Live, hosts: impl Iterator<Item = String>, habits: Habits, seed: u64) -> Came {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    hosts.fold(Came::default(), |sum, host| {
        let came = crawl(live, &urls(&host, habits, &mut random));
        Came {
            redundant: sum.redundant + came.redundant,
            saved: sum.saved + came.saved,
            lost: sum.lost + came.lost,
        }
    })
}

fn hosts(word: &'static str, count: u32) -> impl Iterator<Item = String> {
    (0..count).map(move |number| format!("{word}-{number}.test"))
}

#[test]
fn the_hundredth_small_site_pays_for_little_proof() {
    for seed in 0..25 {
        let habits = Habits { root: ROOTS[seed as usize % 4], name: "from", matters: false };
        let live = engine(seed);
        let first = crawl_all(&live, hosts("a", 2), habits, seed);
        crawl_all(&live, hosts("b", 90), habits, seed + 1);
        let last = crawl_all(&live, hosts("c", 10), habits, seed + 2);
        assert!(5 * first.saved <= first.redundant, "{seed}: {first:?}");
        // The budget of twelve pages is small.
        assert!(2 * last.saved >= last.redundant && last.lost == 0, "{seed}: {last:?}");
    }
}

/// A site that differs from a hundred others loses a few pages at most, and not the same again.
#[test]
fn what_a_site_refutes_is_refuted_there() {
    let (mut lost, mut pages) = (0, 0);
    for seed in 0..25 {
        let habits = Habits { root: ROOTS[seed as usize % 4], name: "from", matters: false };
        let live = engine(seed);
        crawl_all(&live, hosts("a", 100), habits, seed);
        let other = crawl_all(&live, hosts("z", 1), Habits { matters: true, ..habits }, seed);
        assert!(other.lost <= 8, "{seed}: {other:?}");
        lost += other.lost;
        pages += 3 * PAGES as usize;
    }
    assert!(5 * lost < pages, "{lost} of {pages}");
}

/// Where a name means something on some sites and nothing on others, sites prove it by themselves.
#[test]
fn what_sites_disagree_on_costs_few_pages() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (mut lost, mut pages) = (0, 0);
    for seed in 0..10 {
        let live = engine(seed);
        for number in 0..100 {
            let habits = Habits {
                root: ROOTS[number as usize % 4],
                name: "view",
                matters: random.random_bool(0.2),
            };
            let urls = urls(&format!("s-{number}.test"), habits, &mut random);
            lost += crawl(&live, &urls).lost;
            pages += urls.iter().map(|(_, page)| page).collect::<FxHashSet<_>>().len();
        }
    }
    // The risk of the default options.
    assert!(1000 * lost <= 6 * pages, "{lost} of {pages}");
}

/// However many hosts two domains have: the next site is decided upon as if there were none.
#[test]
fn two_domains_teach_others_nothing() {
    let roots = [ROOTS.as_slice(), &["some-other-folder-of-that-length/"]].concat();
    for seed in 0..25 {
        let habits = Habits { root: roots[seed as usize % 5], name: "sku", matters: false };
        let honest = |live: &Live| {
            let habits = Habits { matters: true, ..habits };
            crawl_all(live, hosts("honest", 3), habits, seed)
        };
        let live = engine(seed);
        for domain in ["one.test", "two.test"] {
            // A name that is too long for a word is known as `a`.
            for root in [habits.root, "a/", "a-folder-whose-name-is-long/"] {
                let hosts = (0..20).map(|number| format!("h{number}.{domain}"));
                crawl_all(&live, hosts, Habits { root, ..habits }, seed);
            }
        }
        assert_eq!(honest(&live), honest(&engine(seed)));
    }
}

/// Whether sites are put away, and whether another process goes on: the same decisions.
#[test]
fn votes_outlive_a_process_and_being_put_away() {
    let habits = Habits { root: "", name: "from", matters: false };
    let expected = {
        let live = engine(17);
        [hosts("a", 40), hosts("b", 20)].map(|hosts| crawl_all(&live, hosts, habits, 1))
    };
    assert!(2 * expected[1].saved > expected[1].redundant, "{expected:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(folder.path()).expect("a journal");
    journal.append(&Event::Secret(Secret::of_seed(17))).expect("a line");
    drop(journal);
    let options = EngineOptions { background: false, memory: 1 << 20, ..EngineOptions::default() };
    let found = [hosts("a", 40), hosts("b", 20)].map(|hosts| {
        let learner = Arc::new(AutoLearner::new(Config::default()));
        let live = Live::open(folder.path(), options, learner).expect("a state");
        crawl_all(&live, hosts, habits, 1)
    });
    assert_eq!(found, expected);
}

/// The first host of a domain takes part for it, after a restart, too, whichever of them was learned.
#[test]
fn the_same_host_takes_part_in_the_next_process() {
    let habits = Habits { root: "", name: "from", matters: false };
    let options = EngineOptions { background: false, first_learning: 30, ..Default::default() };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let first: Vec<_> = ["one", "two", "three"]
        .iter()
        .flat_map(|domain| {
            // Too few pages to be learned from, and enough.
            let mut urls_of = |host, most| {
                let urls = urls(&format!("{host}.{domain}.test"), habits, &mut random);
                urls.into_iter().take(most).collect::<Vec<_>>()
            };
            [urls_of("a", 25), urls_of("b", 36)].concat()
        })
        .collect();
    let next: Vec<_> =
        (0..9).flat_map(|number| urls(&format!("s-{number}.test"), habits, &mut random)).collect();
    let crawled = |is_restarted: bool| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = Journal::open(folder.path()).expect("a journal");
        journal.append(&Event::Secret(Secret::of_seed(17))).expect("a line");
        drop(journal);
        let open = || {
            let learner = Arc::new(AutoLearner::new(Config::default()));
            Live::open(folder.path(), options, learner).expect("a state")
        };
        let mut live = open();
        crawl(&live, &first);
        if is_restarted {
            drop(live);
            live = open();
        }
        crawl(&live, &next)
    };
    assert_eq!(crawled(true), crawled(false));
}

/// A site borrows from the others, half a page at most, and one host of a domain alone.
#[test]
fn no_site_spends_more_than_its_budget_and_what_it_may_borrow() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let live = engine(5);
    for number in 0..300 {
        let habits = Habits {
            root: ROOTS[number % 4],
            name: ["from", "view"][number / 4 % 2],
            matters: number % 8 > 3 && random.random_bool(0.2),
        };
        let domain = if number % 3 == 0 { String::new() } else { format!("{number}-") };
        let host = format!("s-{number}.{domain}a.test");
        crawl(&live, &urls(&host, habits, &mut random));
    }
    let risk = EngineOptions::default().risk;
    let own = |stats: &SiteStats| risk * stats.distinct as f64;
    let stats = live.stats();
    assert!(stats.values().any(|site| site.spent > own(site) + 0.1));
    assert!(stats.values().map(|site| site.spent - own(site)).sum::<f64>() < 0.0);
    for (name, site) in &stats {
        let borrowed = site.spent - own(site);
        let may_borrow = !name.ends_with(".a.test") || name == "s-0.a.test";
        assert!(borrowed <= if may_borrow { 0.5001 } else { 1e-6 }, "{name}: {site:?}");
    }
}
