//! Clusters that live with the crawl against clusters from scratch: `cargo bench --bench live`.
//!
//! * `quality CRAWL...`: each crawl comes in ten batches, then again with 30 % of its pages changed,
//!   what shows one page alike, then once more with each URL changed for itself; the errors of the
//!   groups, as Table 1 of Zhu et al. (WWW 2012) has them. Of two crawls with a `,` between them the
//!   second is the first one's second time.
//! * `scale CRAWL PAGES...`: the crawl, enlarged, comes in ten batches; then small parts of it come
//!   again with 30 % changed. Time, memory, bytes on disk, and the time of all from scratch.
//!
//! Without arguments: both on the crawls of data/, the second at 10,000 and 100,000 pages. It is a
//! plain program, because what it measures must not be repeated: a batch that is known costs nothing.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use undust_cluster::{ClusterOptions, agreement, cluster};
use undust_crawl::{ReadOptions, read_all, read_pages};
use undust_live::clusters::{BatchReport, LiveClusters, LivePages, ResponseBatch};
use undust_pages::{Pages, PagesBuilder, Response, Simhash};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Batches of a replay.
const BATCHES: usize = 10;
/// One of a hundred.
const PERCENT: u64 = u64::MAX / 100;
/// Share of pages that change, in percent.
const CHANGED: u64 = 30;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let of_data = |name: &str| data.join(name).display().to_string();
    match arguments.as_slice() {
        ["quality", crawls @ ..] => quality(crawls),
        ["scale", crawl, sizes @ ..] => scale(crawl, sizes),
        _ => {
            let tracker = ["tracker-1.jsonl.gz", "tracker-2.jsonl.gz"].map(of_data).join(",");
            let [wiki, cs] = ["wiki.jsonl.gz", "cs.jsonl.gz"].map(of_data);
            quality(&[&wiki, &cs, &tracker])?;
            scale(&wiki, &["10000", "100000"])
        }
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

fn scratch(responses: impl Iterator<Item = Response>) -> Pages {
    let mut builder = PagesBuilder::new();
    responses.for_each(|response| builder.push(response));
    builder.finish()
}

fn ingest(
    state: &mut LiveClusters,
    responses: impl Iterator<Item = Response>,
) -> Outcome<BatchReport> {
    let mut batch = ResponseBatch::new();
    batch.extend(responses);
    Ok(state.ingest(batch)?)
}

/// A number that looks random, the same in every run.
fn hash(a: u64, b: u64) -> u64 {
    let mixed = (a ^ b.rotate_left(32)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

fn quality(crawls: &[&str]) -> Outcome<()> {
    println!("crawl, replay: pages, groups, REP %, RER %, settled in tier 1 %, after repair REP %");
    for crawl in crawls {
        let (first, second) = match crawl.split_once(',') {
            Some((first, second)) => (read(first)?, read(second)?),
            None => {
                let first = read(crawl)?;
                let second = changed(&first, true);
                (first, second)
            }
        };
        let alone = changed(&second, false);
        let folder = tempfile::tempdir()?;
        let mut state = LiveClusters::open_or_make(folder.path(), |_| {})?;
        let name = Path::new(crawl).file_name().map(|name| name.to_string_lossy().into_owned());
        for (round, responses) in [("first", first), ("second", second), ("third", alone)] {
            let (mut kept, mut updates) = (0, 0);
            for part in responses.chunks(responses.len().div_ceil(BATCHES)) {
                let report = ingest(&mut state, part.iter().cloned())?;
                kept += report.kept_by_signature;
                updates += report.changed - report.dead;
            }
            let (pages, errors) = errors(&state)?;
            let tier_one = 100.0 * kept as f64 / updates.max(1) as f64;
            let LivePages { groups, .. } = pages;
            let groups: HashSet<u32> = groups.into_iter().collect();
            let name = name.as_deref().unwrap_or_default();
            print!("{name}, {round}: {} pages, {} groups, ", pages.pages.len(), groups.len());
            print!("REP {:.2}, RER {:.2}, tier 1 {tier_one:.1}", errors.0, errors.1);
            state.repair()?;
            println!(", repaired REP {:.2}", self::errors(&state)?.1.0);
        }
    }
    Ok(())
}

/// The pages as they stand, and the errors of their groups against clusters from scratch: of a
/// hundred pairs that are together here, those that are not there; and the other way round.
fn errors(state: &LiveClusters) -> Outcome<(LivePages, (f64, f64))> {
    let made = state.pages()?;
    let exact = cluster(&made.pages, &ClusterOptions::default());
    let agreed = agreement(&made.groups, exact.labels());
    Ok((made, (100.0 * (1.0 - agreed.precision), 100.0 * (1.0 - agreed.recall))))
}

/// The crawl once more, with changes in 30 % of its pages: half of them a little, a fifth all over,
/// the others show another page, redirect to it, or are gone. Either what shows one page changes
/// `alike`, as on a site, or each URL for itself.
fn changed(first: &[Response], alike: bool) -> Vec<Response> {
    let made = scratch(first.iter().cloned());
    let clusters = cluster(&made.pages, &ClusterOptions::default());
    let of_url: std::collections::HashMap<&str, u32> = made
        .pages
        .iter()
        .zip(clusters.labels())
        .map(|(page, label)| (&*page.url, *label))
        .collect();
    let change = |(at, response): (usize, &Response)| {
        let label = of_url.get(response.url.as_str()).filter(|_| alike);
        let group = label.map_or(at as u64, |&label| label.into());
        let other = &first[hash(at as u64, 5) as usize % first.len()];
        change(response, group, at as u64, other)
    };
    first.iter().enumerate().map(change).collect()
}

/// What a response is the second time, if its group or itself has changed.
fn change(response: &Response, group: u64, page: u64, other: &Response) -> Response {
    let mut new = response.clone();
    if response.status != 200 || hash(group, 1) >= CHANGED * PERCENT {
        return new;
    }
    let renew = |new: &mut Response, bits: u64| {
        new.simhash = new.simhash.map(|old| Simhash(old.0 ^ bits));
        new.digest = new.digest.as_ref().map(|old| format!("{old}-{bits:x}"));
    };
    match hash(group, 2) % 10 {
        0..5 => renew(&mut new, 1 << (hash(group, 3) % 64) | 1 << (hash(group, 4) % 64)),
        5..7 => renew(&mut new, hash(group, 3)),
        7 => {
            new = Response { url: new.url, ..other.clone() };
        }
        8 => {
            let location = Some(other.url.clone());
            new = Response { url: new.url, status: 301, location, ..Response::default() };
        }
        _ if hash(page, 6).is_multiple_of(2) => {
            new = Response { url: new.url, status: 404, ..Response::default() };
        }
        _ => {}
    }
    new
}

fn scale(crawl: &str, sizes: &[&str]) -> Outcome<()> {
    let base = read(crawl)?;
    for size in sizes {
        let size: usize = size.parse()?;
        let folder = tempfile::tempdir()?;
        let mut state = LiveClusters::open_or_make(folder.path(), |_| {})?;
        let (started, busy) = (Instant::now(), processor_seconds());
        for batch in 0..BATCHES {
            let range = size * batch / BATCHES..size * (batch + 1) / BATCHES;
            ingest(&mut state, range.map(|at| enlarged(&base, at)))?;
        }
        let (seconds, busy) = (started.elapsed().as_secs_f64(), processor_seconds() - busy);
        let bytes = fs::metadata(folder.path().join("clusters.redb"))?.len();
        println!(
            "{size} URLs: {BATCHES} batches in {seconds:.2} s, {:.0} a second ({busy:.2} s of a \
             processor, {:.0} a second); {:.0} bytes a URL on disk; {}",
            size as f64 / seconds,
            size as f64 / busy,
            bytes as f64 / size as f64,
            most_memory(),
        );
        let exact = from_scratch(&base, size)?;
        for share in [1, 10] {
            update(&mut state, &base, size, share, exact)?;
        }
        let started = Instant::now();
        drop(state);
        let state = LiveClusters::open(folder.path())?;
        let opened = started.elapsed().as_secs_f64();
        let started = Instant::now();
        let pages = state.pages()?;
        let all = started.elapsed().as_secs_f64();
        println!("  opened in {opened:.3} s; all {} pages read in {all:.2} s", pages.pages.len());
        drop(pages);
        let mut state = state;
        let started = Instant::now();
        state.compact()?;
        let bytes = fs::metadata(folder.path().join("clusters.redb"))?.len();
        let seconds = started.elapsed().as_secs_f64();
        println!("  compacted in {seconds:.2} s: {:.0} bytes a URL", bytes as f64 / size as f64);
    }
    Ok(())
}

/// Seconds of all from scratch: without and with the reading of its manifest.
fn from_scratch(base: &[Response], size: usize) -> Outcome<[f64; 2]> {
    let manifest = write(&mut (0..size).map(|at| enlarged(base, at)))?;
    let started = Instant::now();
    let (made, _) = read_pages(&[manifest.path().into()], &ReadOptions::default())?;
    let read = started.elapsed().as_secs_f64();
    drop(made);
    let started = Instant::now();
    let made = scratch((0..size).map(|at| enlarged(base, at)));
    let clusters = cluster(&made.pages, &ClusterOptions::default());
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "  from scratch: {seconds:.2} s in memory, {:.2} s with its manifest read; {} clusters",
        seconds + read,
        clusters.len()
    );
    Ok([seconds, seconds + read])
}

/// A manifest of responses.
fn write(responses: &mut dyn Iterator<Item = Response>) -> Outcome<tempfile::NamedTempFile> {
    let mut file = tempfile::NamedTempFile::new()?;
    let mut out = BufWriter::new(&mut file);
    for response in responses {
        serde_json::to_writer(&mut out, &response)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    drop(out);
    Ok(file)
}

/// A share of the URLs, in percent, once more: 30 % of them changed.
fn update(
    state: &mut LiveClusters,
    base: &[Response],
    size: usize,
    share: usize,
    exact: [f64; 2],
) -> Outcome<()> {
    let count = size * share / 100;
    let again = (0..count).map(|at| {
        let at = hash(at as u64, share as u64) as usize % size;
        let response = enlarged(base, at);
        let other = enlarged(base, hash(at as u64, 5) as usize % size);
        change(&response, at as u64, at as u64, &other)
    });
    let again: Vec<Response> = again.collect();
    let manifest = write(&mut again.iter().cloned())?;
    let started = Instant::now();
    let read = read(&manifest.path().display().to_string())?;
    let reading = started.elapsed().as_secs_f64();
    drop(read);
    let started = Instant::now();
    let report = ingest(state, again.into_iter())?;
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "  {share} % again: {seconds:.2} s, 1/{:.1} of all from scratch in memory, 1/{:.1} with \
         manifests read; {report}",
        exact[0] / seconds,
        exact[1] / (seconds + reading)
    );
    Ok(())
}

/// The response at a place of a crawl that repeats `base` under other names, as
/// benches/enlarge.py does it.
fn enlarged(base: &[Response], at: usize) -> Response {
    let (copy, response) = (at / base.len(), &base[at % base.len()]);
    if copy == 0 {
        return response.clone();
    }
    let bits = hash(copy as u64, 9);
    Response {
        url: renamed(&response.url, copy),
        location: response.location.as_ref().map(|location| renamed(location, copy)),
        title: response.title.as_ref().map(|title| format!("{title} {copy}")),
        digest: response.digest.as_ref().map(|digest| format!("{digest}-{copy}")),
        simhash: response.simhash.map(|simhash| Simhash(simhash.0 ^ bits)),
        ..response.clone()
    }
}

fn renamed(url: &str, copy: usize) -> String {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find(['/', '?']).map_or(url.len(), |at| host + at);
    let mut renamed = url[..path].to_owned();
    let mut in_number = false;
    for c in url[path..].chars() {
        if in_number && !c.is_ascii_digit() {
            renamed.push_str(&format!("x{copy}"));
        }
        in_number = c.is_ascii_digit();
        renamed.push(c);
    }
    if in_number || renamed.len() == url.len() {
        renamed.push_str(&format!("x{copy}"));
    }
    renamed
}

/// Seconds of processors that this process has used, as Linux says it: in hundredths.
fn processor_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory that this process had, as Linux says it.
fn most_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "memory unknown".into(), |most| format!("{} at most", most.trim()))
}
