//! A generated crawl of any length, for what the engine takes:
//! `cargo run --release -p undust-live --example long_crawl -- SITES PAGES MIB [NAMES]`.
//!
//! Each of SITES sites has PAGES pages, half of which are met under a second URL. The sites take turns by a
//! quarter of their pages, so that each is asked for again long after it was left. NAMES is what the URLs are like: `plain`,
//! `random` names, `deep` paths, `long` URLs of 8 kB, or 10,000 `arguments`. MIB is the memory that the engine may take.

use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use undust_learn::config::Config;
use undust_live::Live;
use undust_live::engine::{AutoLearner, EngineOptions};
use undust_pages::response::Response;

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (sites, pages, mib): (u64, u64, usize) = match arguments.as_slice() {
        [sites, pages, mib, ..] => (sites.parse()?, pages.parse()?, mib.parse()?),
        _ => return Err("SITES PAGES MIB [plain|random|deep|long|arguments]".into()),
    };
    let names = arguments.get(3).map_or("plain", String::as_str);
    let folder = tempfile::tempdir()?;
    let learner = || {
        let state = Some(folder.path().to_owned());
        Arc::new(AutoLearner { state, ..AutoLearner::new(Config::default()) })
    };
    let options = EngineOptions { memory: mib << 20, ..EngineOptions::default() };
    let begun = Instant::now();
    let live = Live::open(folder.path(), options, learner())?;
    let run = pages.div_ceil(4);
    let mut times = Vec::new();
    for first in (0..pages).step_by(run as usize) {
        for site in 0..sites {
            for page in first..pages.min(first + run) {
                see(&live, &url(names, site, page), site, page, &mut times)?;
                if page % 2 == 0 {
                    let mark = if names == "arguments" { '&' } else { '?' };
                    let url = format!("{}{mark}ref={page}", url(names, site, page));
                    see(&live, &url, site, page, &mut times)?;
                }
            }
        }
    }
    told("at the end", &live, begun);
    times.sort_unstable();
    let at =
        |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!("a decision: {} ns at the median, {} ns at p99", at(0.5), at(0.99));
    drop(times);
    live.settle()?;
    live.keep()?;
    told("closed", &live, begun);
    for file in fs::read_dir(folder.path())?.flatten() {
        println!("{} {} kB", file.file_name().display(), file.metadata()?.len() >> 10);
    }
    drop(live);
    let begun = Instant::now();
    let live = Live::open(folder.path(), options, learner())?;
    told("started again", &live, begun);
    Ok(())
}

/// Decisions whose time is kept, of all.
const TIMED: u64 = 16;

fn see(
    live: &Live,
    url: &str,
    site: u64,
    page: u64,
    times: &mut Vec<u32>,
) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let decision = live.decide(url)?;
    if page.is_multiple_of(TIMED) {
        times.push(begun.elapsed().as_nanos() as u32);
    }
    if decision.fetches() {
        let shown = mixed(site << 40 | page);
        let response = Response {
            url: url.to_owned(),
            status: 200,
            title: Some(format!("page {shown}")),
            simhash: Some(undust_pages::simhash::Simhash(shown)),
            ..Response::default()
        };
        live.saw(response)?;
    }
    Ok(())
}

fn url(names: &str, site: u64, page: u64) -> String {
    let host = format!("http://site{site}.test");
    let random = mixed(page);
    match names {
        "random" => format!("{host}/{:08x}/{random:016x}.html", random >> 32),
        "deep" => {
            (0..12).fold(host, |url, depth| format!("{url}/{}", mixed(page >> depth) % 1000))
                + &format!("/{page}")
        }
        "long" => format!(
            "{host}/story/{page}/{}",
            (0..500).map(|at| format!("{:016x}", mixed(page << 10 | at))).collect::<String>()
        ),
        "arguments" => format!(
            "{host}/list?page={page}&a{}={}&b{}=1",
            random % 10_000,
            page % 10,
            mixed(random) % 10_000
        ),
        _ => format!("{host}/shop{}/item/{page}", page % 40),
    }
}

/// A number that looks drawn.
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 31).wrapping_mul(0x7FB5_D329_728E_A185);
    let number = (number ^ number >> 27).wrapping_mul(0x81DA_DEF4_BC2D_D44D);
    number ^ number >> 33
}

fn told(when: &str, live: &Live, begun: Instant) {
    let totals = live.totals();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|size| size.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kib.unwrap_or_default() >> 10
    };
    println!(
        "{when}: {} sites, {} pages fetched, {} skipped, {:.0} s, {} MiB now, {} MiB at most, sites here {} MiB",
        totals.sites,
        totals.fetched,
        totals.skipped,
        begun.elapsed().as_secs_f64(),
        of("VmRSS:"),
        of("VmHWM:"),
        totals.memory >> 20,
    );
}
