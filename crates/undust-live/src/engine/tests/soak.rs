//! Crawls of many sites, one after another, with all that happens: traps, bans, redirects, failures, and a process that is
//! killed in each round. `SOAK_PAGES=400 SOAK_CRAWLS=6 cargo test --release -p undust-live --lib -- --ignored soak
//! --nocapture` are 110 million events.

use std::sync::Arc;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_learn::config::Config;
use undust_pages::response::Response;

use crate::engine::{AutoLearner, EngineOptions, Live};

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SITES: u32 = 10_000;

/// Visits of a site in a crawl.
const ROUNDS: u32 = 5;

/// A page of so many is another one in the next crawl.
const CHANGED: u32 = 20;

const MEMORY: usize = 64 << 20;

/// Every hundredth site has so many times as many pages.
const LARGE: u32 = 16;

/// A number that the environment sets.
fn number_of(name: &str, usual: u32) -> u32 {
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// What a page shows in a crawl.
fn shown(page: u32, crawl: u32) -> String {
    format!("page {page}, {}", (crawl + page) / CHANGED)
}

/// The URLs that a site of so many pages links in a round, what comes back for each, and the page that it is of.
fn links(
    (site, pages): (u32, u32),
    (crawl, round): (u32, u32),
    random: &mut ChaCha8Rng,
) -> Vec<(Option<u32>, Response)> {
    let (first, last) = (pages * round / ROUNDS, pages * (round + 1) / ROUNDS);
    let host = format!("http://s{site}.test");
    let mut all = Vec::new();
    let mut link = |page: Option<u32>, rest: String, status: u16, shown: String| {
        let location = (status == 301).then(|| format!("{host}/{shown}"));
        let digest = (status == 200).then_some(shown);
        let url = format!("{host}/{rest}");
        all.push((page, Response { url, status, location, digest, ..Response::default() }));
    };
    for page in first..last {
        let item = format!("c{}/item/{page}", page % 5);
        link(Some(page), item.clone(), 200, shown(page, crawl));
        link(Some(page), format!("{item}?ref={round}"), 200, shown(page, crawl));
        match site % 5 {
            // An endless page, a failing server, redirects.
            0 => {
                let session = random.random::<u32>();
                link(None, format!("about?sid={session:08x}"), 200, "about".into());
            }
            1 => link(None, format!("broken/{page}"), 503, String::new()),
            2 => link(None, format!("old/{page}"), 301, item),
            _ => {}
        }
    }
    all
}

/// Whether a site answers all with one page for a while: the crawler would have to come back for it.
fn is_banned(site: u32, crawl: u32, round: u32) -> bool {
    (site + 7 * crawl) % 50 == 3 && round == 2
}

/// Memory of the process in MiB, as Linux says it: `VmRSS` now, `VmHWM` at most.
fn resident(which: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |line: &'_ str| Some(line.strip_prefix(which)?.strip_prefix(':')?.to_owned());
    let line = status.lines().find_map(of);
    let kib = line.and_then(|size| size.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or_default() >> 10
}

/// What is crawled, and what of it was seen.
struct Soak {
    random: ChaCha8Rng,
    /// Of most sites.
    pages: u32,
    events: u64,
    /// By site and page, in this crawl.
    found: Vec<Vec<bool>>,
}

impl Soak {
    fn pages_of(&self, site: u32) -> u32 {
        if site.is_multiple_of(100) { LARGE * self.pages } else { self.pages }
    }

    fn visit(&mut self, live: &Live, site: u32, (crawl, round): (u32, u32)) {
        let is_banned = is_banned(site, crawl, round);
        let pages = self.pages_of(site);
        for (page, came) in links((site, pages), (crawl, round), &mut self.random) {
            self.events += 1;
            if !live.decide(&came.url).expect("a decision").fetches() {
                continue;
            }
            self.events += 1;
            if let Some(page) = page.filter(|_| !is_banned) {
                self.found[site as usize][page as usize] = true;
            }
            let digest = if is_banned { Some("go away".to_owned()) } else { came.digest.clone() };
            live.saw(Response { digest, ..came }).expect("taken");
        }
    }

    /// How many pages of a crawl nobody saw, and how many there were.
    fn lost(&self, crawl: u32) -> (u64, u64) {
        let (mut lost, mut all) = (0, 0);
        for (site, found) in (0..).zip(&self.found) {
            let pages = self.pages_of(site);
            let is_banned = |page: u32| {
                let round = (0..ROUNDS).find(|round| page < pages * (round + 1) / ROUNDS);
                round.is_some_and(|round| is_banned(site, crawl, round))
            };
            for page in (0..pages).filter(|page| !is_banned(*page)) {
                all += 1;
                lost += u64::from(!found[page as usize]);
            }
        }
        (lost, all)
    }
}

/// The memory stays flat, and what is lost stays within the risk, by what the sites know of themselves.
#[test]
#[ignore = "takes minutes"]
fn a_long_crawl_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || {
        let state = Some(folder.path().to_owned());
        let learner = Arc::new(AutoLearner { state, ..AutoLearner::new(Config::default()) });
        let options = EngineOptions { memory: MEMORY, ..EngineOptions::default() };
        Live::open(folder.path(), options, learner).expect("a state")
    };
    let (random, begun) = (ChaCha8Rng::seed_from_u64(7), Instant::now());
    let mut soak =
        Soak { random, pages: number_of("SOAK_PAGES", 40), events: 0, found: Vec::new() };
    let (mut live, mut sizes, mut lost, mut all) = (open(), Vec::new(), 0, 0);
    for crawl in 0..number_of("SOAK_CRAWLS", 3) {
        soak.found = (0..SITES).map(|site| vec![false; soak.pages_of(site) as usize]).collect();
        if crawl > 0 {
            live.begin_crawl().expect("a crawl");
        }
        for round in 0..ROUNDS {
            let killed = soak.random.random_range(0..SITES);
            for site in 0..SITES {
                soak.visit(&live, site, (crawl, round));
                let totals = live.totals();
                assert!(totals.memory < MEMORY as u64 / 2 + (4 << 20), "{totals:?}");
                if site == killed {
                    // Nobody tells it to end.
                    drop(live);
                    live = open();
                }
            }
        }
        sizes.push(resident("VmRSS"));
        let (lost_now, pages) = soak.lost(crawl);
        (lost, all) = (lost + lost_now, all + pages);
        eprintln!(
            "crawl {crawl}: {} events, {lost_now} of {pages} pages lost, {} MiB, at most {} MiB, {:.0?}",
            soak.events,
            resident("VmRSS"),
            resident("VmHWM"),
            begun.elapsed()
        );
        let risk = EngineOptions::default().risk;
        assert!(lost_now as f64 <= risk * pages as f64, "{lost_now} of {pages}");
    }
    let skipped = live.totals().skipped;
    eprintln!("{} events, {skipped} skipped, {lost} of {all} pages lost: {sizes:?}", soak.events);
    assert!(sizes.last() <= sizes.iter().take(3).max().map(|first| first * 3 / 2).as_ref());
}
