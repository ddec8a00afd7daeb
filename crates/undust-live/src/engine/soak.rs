//! A long crawl of many sites, with all that happens: traps, bans, redirects, failures, and a process that is killed again and
//! again. `cargo test --release -p undust-live --lib -- --ignored soak --nocapture`

use std::sync::Arc;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use undust_learn::config::Config;
use undust_pages::response::Response;

use super::{AutoLearner, EngineOptions, Live};

const SITES: u32 = 10_000;

/// Pages of a site; every hundredth site has as many more.
const PAGES: u32 = 40;
const MORE: u32 = 600;

/// Visits of a site; a process is killed after each round but the last.
const ROUNDS: u32 = 5;

const MEMORY: usize = 64 << 20;

fn pages_of(site: u32) -> u32 {
    if site.is_multiple_of(100) { PAGES + MORE } else { PAGES }
}

/// The URLs that a site links in a round, and the page that each shows.
fn links(site: u32, round: u32, random: &mut ChaCha8Rng) -> Vec<(String, Response)> {
    let pages = pages_of(site);
    let (first, last) = (pages * round / ROUNDS, pages * (round + 1) / ROUNDS);
    let host = format!("http://s{site}.test");
    let mut all = Vec::new();
    let mut link = |rest: String, status: u16, shown: String| {
        let url = format!("{host}/{rest}");
        let location = (status == 301).then(|| format!("{host}/{shown}"));
        let digest = (status == 200).then_some(shown);
        all.push((url.clone(), Response { url, status, location, digest, ..Response::default() }));
    };
    for page in first..last {
        let shown = format!("page {page}");
        link(format!("c{}/item/{page}", page % 5), 200, shown.clone());
        link(format!("c{}/item/{page}?ref={round}", page % 5), 200, shown.clone());
        match site % 5 {
            // An endless page, a failing server, redirects.
            0 => link(format!("about?sid={:08x}", random.random::<u32>()), 200, "about".into()),
            1 => link(format!("broken/{page}"), 503, String::new()),
            2 => link(format!("old/{page}"), 301, format!("c{}/item/{page}", page % 5)),
            _ => {}
        }
    }
    all
}

/// Memory that the process has now, in MiB, as Linux says it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|size| size.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or_default() >> 10
}

/// The memory stays flat, and what is lost stays within the risk, by what the sites know of themselves.
#[test]
#[ignore = "takes minutes"]
fn a_long_crawl_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || {
        let learner = Arc::new(AutoLearner {
            state: Some(folder.path().to_owned()),
            ..AutoLearner::new(Config::default())
        });
        let options = EngineOptions { memory: MEMORY, ..EngineOptions::default() };
        Live::open(folder.path(), options, learner).expect("a state")
    };
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut found: Vec<Vec<bool>> =
        (0..SITES).map(|site| vec![false; pages_of(site) as usize]).collect();
    let (mut events, mut sizes, begun) = (0_u64, Vec::new(), Instant::now());
    for round in 0..ROUNDS {
        let live = open();
        for site in 0..SITES {
            // A ban: for a while all is one page, which the crawler would have to come back for.
            let is_banned = site % 50 == 3 && round == 2;
            for (url, shown) in links(site, round, &mut random) {
                events += 1;
                if !live.decide(&url).expect("a decision").fetches() {
                    continue;
                }
                events += 1;
                let digest =
                    if is_banned { Some("go away".to_owned()) } else { shown.digest.clone() };
                let number = shown.digest.as_deref().and_then(|shown| shown.strip_prefix("page "));
                if let Some(page) =
                    number.and_then(|number| number.parse::<usize>().ok()).filter(|_| !is_banned)
                {
                    found[site as usize][page] = true;
                }
                live.saw(Response { digest, ..shown }).expect("taken");
            }
            assert!(live.totals().memory < MEMORY as u64 / 2 + (4 << 20), "{:?}", live.totals());
        }
        sizes.push(resident());
        eprintln!("round {round}: {events} events, {} MiB, {:.0?}", resident(), begun.elapsed());
        // Nobody tells it to end.
        drop(live);
    }
    let (mut lost, mut all) = (0, 0);
    for site in 0..SITES {
        let banned =
            (site % 50 == 3).then(|| pages_of(site) * 2 / ROUNDS..pages_of(site) * 3 / ROUNDS);
        for page in 0..pages_of(site) {
            if banned.as_ref().is_some_and(|banned| banned.contains(&page)) {
                continue;
            }
            all += 1;
            lost += u32::from(!found[site as usize][page as usize]);
        }
    }
    let skipped = open().totals().skipped;
    eprintln!(
        "{events} events, {skipped} skipped, {lost} of {all} pages lost, MiB by round {sizes:?}"
    );
    assert!(f64::from(lost) <= EngineOptions::default().risk * f64::from(all), "{lost} of {all}");
    assert!(sizes[ROUNDS as usize - 1] < sizes[1] * 3 / 2, "{sizes:?}");
}
