//! Small crawls after reports of people who do this job, in the folder that `UNDUST_CASES` names: no page may be lost, and no
//! two pages may get one canonical URL.
//!
//! `behaviour/NAME` has a crawl to learn from and one to replay, in which `truth` names the page that a URL shows;
//! `mini/NAME` a crawl to learn from. `pairs.tsv` has pairs of URLs that show the same page or two.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use regex::Regex;
use tempfile::TempDir;

use crate::support::{json_lines, succeed, translated, undust};

/// Redundant fetches that are saved of all, at least, and pairs of one page that get two canonical URLs, at most.
const SAVED: f64 = 0.92;
const NOT_FOUND: usize = 8;

/// Of all URLs of logs that are of no trap, rules meet at most one in so many.
const MET_OF: usize = 500;

/// What a model does to the cases.
#[derive(Debug, Default)]
struct Counts {
    redundant: usize,
    saved: usize,
    not_found: usize,
    lost: Vec<String>,
    merged: Vec<(String, String)>,
}

fn cases() -> PathBuf {
    PathBuf::from(std::env::var_os("UNDUST_CASES").expect("UNDUST_CASES names a folder"))
}

fn folders() -> Vec<PathBuf> {
    let cases = cases();
    let kinds = ["behaviour", "mini"].map(|kind| fs::read_dir(cases.join(kind)).expect("cases"));
    let mut folders: Vec<PathBuf> =
        kinds.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
    folders.sort_unstable();
    folders
}

/// What a case is called.
fn name(case: &Path) -> String {
    case.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The URLs of a crawl, each with the page that it shows, if it shows one.
fn pages(crawl: &Path) -> Vec<(String, Option<String>)> {
    let mut text = String::new();
    let file = fs::File::open(crawl).expect("a crawl");
    MultiGzDecoder::new(file).read_to_string(&mut text).expect("a text");
    let page = |page: serde_json::Value| {
        let text = |name: &str| page[name].as_str().map(str::to_owned);
        (text("url").expect("a URL"), text("truth").filter(|truth| !truth.is_empty()))
    };
    json_lines(&text).into_iter().map(page).collect()
}

/// A folder with the model of a case, if its crawl shows enough for one.
fn learn(case: &Path, crawl: &Path) -> Option<TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut train = undust(folder.path(), "train");
    train.arg(crawl);
    if let Ok(options) = fs::read(case.join("opts.json")) {
        let options: serde_json::Value = serde_json::from_slice(&options).expect("JSON");
        let arguments = options["args"].as_array().expect("a list");
        train.args(arguments.iter().filter_map(|one| one.as_str()));
    }
    let trained = train.output().expect("undust runs");
    let log = String::from_utf8_lossy(&trained.stderr);
    assert!(
        trained.status.success() || log.contains("too little evidence"),
        "{}: {log}",
        case.display()
    );
    trained.status.success().then_some(folder)
}

/// What the model in a folder makes of these URLs: themselves, if there is none.
fn forms(model: Option<&TempDir>, urls: &[&str]) -> Vec<String> {
    let Some(model) = model else { return urls.iter().map(|url| (*url).to_owned()).collect() };
    let queue: String = urls.iter().flat_map(|url| [*url, "\n"]).collect();
    translated(model.path(), &queue).lines().map(str::to_owned).collect()
}

/// Replays a crawl: a URL is fetched unless its canonical URL was fetched before.
fn replay(case: &Path, model: Option<&TempDir>, counts: &mut Counts) {
    let (before, after) = (case.join("train.jsonl.gz"), case.join("test.jsonl.gz"));
    let (known, queue) = (pages(&before), pages(&after));
    let urls: Vec<&str> = known.iter().chain(&queue).map(|(url, _)| url.as_str()).collect();
    let forms = forms(model, &urls);
    let (known_forms, queue_forms) = forms.split_at(known.len());
    let mut fetched: HashSet<&String> = known_forms.iter().collect();
    let mut seen: HashSet<&String> = known.iter().filter_map(|(_, page)| page.as_ref()).collect();
    let mut lost: HashMap<&String, &String> = HashMap::new();
    for ((url, page), form) in queue.iter().zip(queue_forms) {
        let is_skipped = !fetched.insert(form);
        let Some(page) = page else { continue };
        let is_redundant = seen.contains(page);
        counts.redundant += usize::from(is_redundant);
        counts.saved += usize::from(is_redundant && is_skipped);
        if !is_skipped {
            seen.insert(page);
            lost.remove(page);
        } else if !is_redundant {
            lost.insert(page, url);
        }
    }
    counts.lost.extend(lost.into_values().map(|url| format!("{}: {url}", name(case))));
}

fn pairs(case: &Path, model: Option<&TempDir>, counts: &mut Counts) {
    let text = fs::read_to_string(case.join("pairs.tsv")).expect("pairs");
    let pairs: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let urls: Vec<&str> = pairs.iter().flat_map(|pair| [pair[1], pair[2]]).collect();
    let forms = forms(model, &urls);
    for (pair, forms) in pairs.iter().zip(forms.chunks(2)) {
        match (pair[0], forms[0] == forms[1]) {
            ("same", false) => counts.not_found += 1,
            ("differ", true) => {
                counts.merged.push((name(case), format!("{} and {}", pair[1], pair[2])));
            }
            _ => {}
        }
    }
}

#[test]
#[ignore = "needs UNDUST_CASES"]
fn no_page_is_lost_and_no_two_become_one() {
    let mut counts = Counts::default();
    for case in folders() {
        let is_replayed = case.join("train.jsonl.gz").exists();
        let crawl = if is_replayed { "train.jsonl.gz" } else { "crawl.jsonl.gz" };
        let model = learn(&case, &case.join(crawl));
        if is_replayed {
            replay(&case, model.as_ref(), &mut counts);
        }
        pairs(&case, model.as_ref(), &mut counts);
    }
    let Counts { redundant, saved, not_found, lost, merged } = &counts;
    assert!(lost.is_empty(), "{lost:#?}");
    assert!(merged.is_empty(), "{merged:#?}");
    assert!(*saved as f64 >= SAVED * *redundant as f64, "{saved} of {redundant}");
    assert!(*not_found <= NOT_FOUND, "{not_found} pairs");
}

/// Of the other URLs of a log its rules meet at most one in a hundred, and of the trap nine in ten.
#[test]
#[ignore = "needs UNDUST_CASES"]
fn rules_of_logs_meet_the_trap_and_nothing_else() {
    let (mut met, mut others) = (0, 0);
    for case in fs::read_dir(cases().join("shapes")).expect("cases") {
        let case = case.expect("an entry").path();
        let expected = fs::read_to_string(case.join("expect.json")).expect("what is expected");
        let expected: serde_json::Value = serde_json::from_str(&expected).expect("JSON");
        let trap =
            Regex::new(expected["trap"].as_str().expect("an expression")).expect("an expression");
        let mut log = String::new();
        let file = fs::File::open(case.join("access.log.gz")).expect("a log");
        MultiGzDecoder::new(file).read_to_string(&mut log).expect("a text");
        let target = |line: &str| Some(line.split_once("\"GET ")?.1.split(' ').next()?.to_owned());
        let urls: HashSet<String> = log.lines().filter_map(target).collect();
        let mut shapes = undust(&case, "shapes");
        shapes.args(["access.log.gz", "--host", "w.test", "--format", "json"]);
        let report: serde_json::Value =
            serde_json::from_str(&succeed(&mut shapes).0).expect("JSON");
        let rules: Vec<Regex> = (report["patterns"].as_array().expect("a list").iter())
            .filter_map(|pattern| pattern["policy"]["regex"].as_str())
            .map(|regex| Regex::new(regex).expect("an expression"))
            .collect();
        let is_met = |url: &&&String| rules.iter().any(|rule| rule.is_match(url));
        let (of_trap, of_site): (Vec<&String>, Vec<&String>) =
            urls.iter().partition(|url| trap.is_match(url));
        let (reached, closed) =
            (of_trap.iter().filter(is_met).count(), of_site.iter().filter(is_met).count());
        assert!(closed * 100 <= of_site.len(), "{}: {closed} of {}", name(&case), of_site.len());
        if expected["budget"] == true {
            let all = of_trap.len();
            assert!(reached * 10 >= all * 9, "{}: {reached} of {all}", name(&case));
        }
        met += closed;
        others += of_site.len();
    }
    assert!(met * MET_OF <= others, "{met} of {others}");
}

/// Files of other programs: how many responses each has, of which pages, and how many pages are distinguished by their
/// digests; or what is said of it.
const FILES: [(&str, Expected); 42] = [
    ("50-warc-http2/in.warc", Expected::Read(4, 3, 3)),
    ("51-warc-lax-http/in.warc", Expected::Read(7, 6, 6)),
    ("52-warc-extra-line/in.warc", Expected::Read(2, 2, 2)),
    ("53-warc-gunzipped-body/in.warc", Expected::Read(4, 4, 4)),
    ("54-warc-garbage-response/in.warc", Expected::Read(2, 2, 2)),
    ("56-warc-old-versions/in.warc", Expected::Read(4, 4, 4)),
    ("57-warc-members/all.warc.gz", Expected::Read(3, 3, 3)),
    ("57-warc-members/each.warc.gz", Expected::Read(3, 3, 3)),
    ("57-warc-members/zeros.warc.gz", Expected::Read(3, 3, 3)),
    ("57-warc-members/mixed.warc", Expected::Read(2, 2, 2)),
    ("58-warc-no-pages/empty.warc", Expected::Told("no HTML response")),
    ("58-warc-no-pages/empty.warc.gz", Expected::Told("no HTML response")),
    ("58-warc-no-pages/info.warc", Expected::Told("no HTML response")),
    ("58-warc-no-pages/req.warc", Expected::Told("no HTML response")),
    ("60-warc-revisits/in.warc", Expected::Read(4, 3, 1)),
    ("61-warc-odd-uris/in.warc", Expected::Read(5, 5, 5)),
    ("63-arc-11/in.arc", Expected::Read(3, 3, 3)),
    ("63-arc-11/in.arc.gz", Expected::Read(3, 3, 3)),
    ("64-cdx-wayback-api/in.cdx", Expected::Read(6, 6, 3)),
    ("67-cdxj-broken/in.cdxj", Expected::Read(3, 3, 0)),
    ("68-screaming-frog/de.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/en-latin1.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/en-semi.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/en-sep.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/en-tab.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/en-title.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/en-utf16.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/es.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/fr.csv", Expected::Read(120, 120, 60)),
    ("68-screaming-frog/it.csv", Expected::Read(120, 120, 60)),
    ("70-cc-columnar-csv/in.csv", Expected::Read(6, 6, 3)),
    ("71-scrapy-appended-json/in.json", Expected::Read(4, 4, 4)),
    ("72-scrapy-broken-json/piece.jsonl", Expected::Read(3, 3, 3)),
    ("73-scrapy-nested/in.jsonl", Expected::Read(4, 4, 4)),
    ("73-scrapy-nested/list.jsonl", Expected::Read(4, 4, 4)),
    ("74-katana-jsonl/in.jsonl", Expected::Read(4, 4, 4)),
    ("74-katana-jsonl/pretty.json", Expected::Read(4, 4, 4)),
    ("76-fineweb-c4/fineweb.jsonl", Expected::Read(4, 4, 3)),
    ("76-fineweb-c4/trafilatura.jsonl", Expected::Read(4, 4, 4)),
    ("78-wacz/in.wacz", Expected::Read(3, 3, 3)),
    ("79-sitemap/sitemap.xml", Expected::Told("list of URLs")),
    ("80-iis-w3c/u_ex.log", Expected::Read(450, 450, 0)),
];

/// What comes of a file.
enum Expected {
    /// Responses, those of status 200, and distinct digests.
    Read(usize, usize, usize),
    /// A sentence with these words.
    Told(&'static str),
}

#[test]
#[ignore = "needs UNDUST_CASES"]
fn files_of_other_programs_are_read_or_told() {
    let files = cases();
    let folder = tempfile::tempdir().expect("a folder");
    for (file, expected) in FILES {
        let mut ingest = undust(folder.path(), "ingest");
        ingest.arg(files.join("files").join(file)).args(["-o", "-"]);
        if file.ends_with(".log") {
            ingest.args(["--host", "w.test"]);
        }
        match expected {
            Expected::Read(responses, pages, digests) => {
                let read = json_lines(&succeed(&mut ingest).0);
                let with_status = read.iter().filter(|one| one["status"] == 200).count();
                let known: HashSet<&str> =
                    read.iter().filter_map(|one| one["digest"].as_str()).collect();
                assert_eq!(
                    (read.len(), with_status, known.len()),
                    (responses, pages, digests),
                    "{file}"
                );
            }
            Expected::Told(words) => {
                let refused = ingest.assert().failure();
                let log = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
                assert!(log.contains(words), "{file}: {log}");
            }
        }
    }
}
