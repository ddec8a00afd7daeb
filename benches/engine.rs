//! What the engine that decides in the crawl costs: `cargo bench --bench engine -- WHAT CRAWL...`
//!
//! * `learning CRAWL...`: seconds of a processor that learning takes while each crawl goes on, and
//!   those of one learning at the end.
//! * `decide CRAWL`: how long a decision and an answer take while the site is learned beside them,
//!   and the bytes that a page takes in the state.
//! * `memory CRAWL SIZE auto|nothing`: the most memory, on a site that repeats the crawl under
//!   other names until it has SIZE URLs, with learning or without.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use undust_cluster::{ClusterOptions, Clusters, cluster};
use undust_crawl::{ReadOptions, read_all};
use undust_learn::config::Config;
use undust_learn::observer::Observer;
use undust_live::engine::{
    AutoLearner, Decision, Deletions, EngineOptions, Hypotheses, Learn, Live,
};
use undust_pages::{Page, PagesBuilder, Response, Simhash};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["learning", crawls @ ..] => crawls.iter().try_for_each(|crawl| learning(crawl)),
        ["decide", crawl] => decide(crawl),
        ["memory", crawl, size, learner] => memory(crawl, size.parse()?, learner),
        _ => Err("what: learning CRAWL..., decide CRAWL, or memory CRAWL SIZE auto|nothing".into()),
    }
}

fn read(crawl: &str) -> Outcome<Vec<Response>> {
    let mut responses = Vec::new();
    read_all(&[PathBuf::from(crawl)], &ReadOptions::default(), &mut |response| {
        responses.push(response);
        Ok(())
    })?;
    Ok(responses)
}

fn auto() -> AutoLearner {
    AutoLearner::new(Config::default())
}

/// Learns by `auto`, and sums up what that takes.
#[derive(Default)]
struct Timed {
    seconds: Mutex<Vec<f64>>,
}

impl Learn for Timed {
    fn begin(&self) -> Hypotheses {
        auto().begin()
    }

    fn learn(
        &self,
        pages: &[Page],
        clusters: &Clusters,
        observer: &dyn Observer,
    ) -> undust_util::error::Result<Hypotheses> {
        let busy = processor_seconds();
        let learned = auto().learn(pages, clusters, observer);
        let seconds = processor_seconds() - busy;
        self.seconds.lock().unwrap_or_else(PoisonError::into_inner).push(seconds);
        learned
    }
}

/// Learns nothing: what is left is what is proposed from the first page on.
struct Nothing;

impl Learn for Nothing {
    fn begin(&self) -> Hypotheses {
        let mut hypotheses = Hypotheses::default();
        hypotheses.given.push(Box::new(Deletions));
        hypotheses
    }

    fn learn(
        &self,
        _: &[Page],
        _: &Clusters,
        _: &dyn Observer,
    ) -> undust_util::error::Result<Hypotheses> {
        Ok(self.begin())
    }
}

fn learning(crawl: &str) -> Outcome<()> {
    let timed = Arc::new(Timed::default());
    let learner: Arc<dyn Learn> = Arc::clone(&timed) as _;
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let live = Live::in_memory(options, learner)?;
    let (mut fetched, responses) = (PagesBuilder::new(), read(crawl)?);
    let mut all = PagesBuilder::new();
    for response in responses {
        if live.decide(&response.url)?.fetches() {
            fetched.push(response.clone());
            live.saw(response.clone())?;
        }
        all.push(response);
    }
    let during = timed.seconds.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let sum: f64 = during.iter().sum();
    let [of_fetched, of_all] = [fetched, all].map(|builder| learn_once(&builder.finish().pages));
    let (of_fetched, of_all) = (of_fetched?, of_all?);
    println!(
        "{crawl}: {} learnings {sum:.2} s; once at the end {of_fetched:.2} s of what was fetched ({:.2} times), \
         {of_all:.2} s of the whole crawl ({:.2} times)",
        during.len(),
        sum / of_fetched.max(0.005),
        sum / of_all.max(0.005)
    );
    Ok(())
}

fn learn_once(pages: &[Page]) -> Outcome<f64> {
    let clusters = cluster(pages, &ClusterOptions::default());
    let busy = processor_seconds();
    auto().learn(pages, &clusters, &())?;
    Ok(processor_seconds() - busy)
}

fn decide(crawl: &str) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let responses = read(crawl)?;
    let live = Live::open(folder.path(), EngineOptions::default(), Arc::new(auto()))?;
    let (mut decided, mut seen) = (Vec::new(), Vec::new());
    for response in responses {
        let started = Instant::now();
        let decision = live.decide(&response.url)?;
        decided.push(started.elapsed().as_nanos() as u64);
        if !matches!(decision, Decision::Skip { .. }) {
            let started = Instant::now();
            live.saw(response)?;
            seen.push(started.elapsed().as_nanos() as u64);
        }
    }
    println!("decide: {}; saw: {}", percentiles(&mut decided), percentiles(&mut seen));
    live.settle()?;
    live.keep()?;
    let pages: u64 = live.stats().values().map(|site| site.fetched).sum();
    for file in ["live.jsonl", "clusters.redb"] {
        let bytes = fs::metadata(folder.path().join(file))?.len();
        println!("{file}: {:.0} bytes for each of {pages} pages", bytes as f64 / pages as f64);
    }
    Ok(())
}

fn percentiles(nanoseconds: &mut [u64]) -> String {
    nanoseconds.sort_unstable();
    let at =
        |share: f64| nanoseconds[((nanoseconds.len() - 1) as f64 * share) as usize] as f64 / 1000.0;
    format!("{:.1} µs at the median, {:.1} µs at p99 of {}", at(0.5), at(0.99), nanoseconds.len())
}

fn memory(crawl: &str, size: usize, learner: &str) -> Outcome<()> {
    let learner: Arc<dyn Learn> = match learner {
        "auto" => Arc::new(auto()),
        _ => Arc::new(Nothing),
    };
    let base = read(crawl)?;
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let live = Live::in_memory(options, learner)?;
    let before = most_memory();
    let (started, busy) = (Instant::now(), processor_seconds());
    for at in 0..size {
        let response = enlarged(&base, at);
        if live.decide(&response.url)?.fetches() {
            live.saw(response)?;
        }
    }
    let pages: u64 = live.stats().values().map(|site| site.fetched).sum();
    let bytes = (most_memory() - before) * 1024;
    println!(
        "{size} URLs, {pages} pages fetched: {} MiB more at most, {:.0} bytes a page; {:.1} s, {:.1} s of a processor",
        bytes >> 20,
        bytes as f64 / pages as f64,
        started.elapsed().as_secs_f64(),
        processor_seconds() - busy
    );
    Ok(())
}

/// The response at a place of a crawl that repeats `base` under other names: numbers in its URLs
/// and its pages are others in each repetition.
fn enlarged(base: &[Response], at: usize) -> Response {
    let (copy, response) = (at / base.len(), &base[at % base.len()]);
    if copy == 0 {
        return response.clone();
    }
    let bits = (copy as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Response {
        url: renamed(&response.url, copy),
        location: response.location.as_ref().map(|location| renamed(location, copy)),
        title: response.title.as_ref().map(|title| format!("{title} {copy}")),
        digest: response.digest.as_ref().map(|digest| format!("{digest}-{copy}")),
        simhash: response.simhash.map(|simhash| Simhash(simhash.0 ^ bits)),
        ..response.clone()
    }
}

/// A URL whose path has a folder of its own for each repetition.
fn renamed(url: &str, copy: usize) -> String {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find(['/', '?']).map_or(url.len(), |at| host + at);
    format!("{}/copy{copy}{}", &url[..path], &url[path..])
}

/// Seconds of processors that this process has used, as Linux says it: in hundredths.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// KiB of memory that this process had at most, as Linux says it.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|most| most.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}
