//! A canonical URL names the server of its URL: no value, however it is written, becomes a part of the host.

use rand::prelude::*;
use rand_chacha::ChaCha8Rng;
use undust::crawl::{ReadOptions, read_pages};
use undust::{Canonicalizer, Method, SiteModel, Trainer};
use url::Url;

use crate::support::data;

/// What would be read as a host, a port or a user where it stands behind a host, or leads to another place.
const HOSTILE: [&str; 20] = [
    ":80@evil.test/a",
    ".evil.test/a",
    "@evil.test",
    ":81",
    ":81/",
    "//evil.test/",
    "/\\evil.test",
    "\\evil.test",
    "/evil",
    "\t//evil.test",
    "%2F%2Fevil.test",
    "%40evil.test",
    "evil.test",
    ".",
    "..",
    "-evil.test",
    "&",
    ";",
    "#",
    "",
];

/// Where a piece of a URL may begin.
fn is_mark(character: char) -> bool {
    "/?&=;.:-_+".contains(character)
}

/// Puts hostile texts behind the marks of a URL, or in place of what stands there.
fn mutated(url: &str, rng: &mut ChaCha8Rng) -> String {
    let mut url = url.to_owned();
    for _ in 0..rng.random_range(1..=3) {
        let origin = "http://".len();
        let ends: Vec<usize> =
            url.match_indices(is_mark).map(|(at, _)| at + 1).filter(|at| *at > origin).collect();
        let Some(from) = ends.choose(rng).copied() else { return url };
        let rest = &url[from..];
        let to = match rng.random_range(0..3) {
            0 => 0,
            1 => rest.find(is_mark).unwrap_or(rest.len()),
            _ => rest.len(),
        };
        url.replace_range(from..from + to, HOSTILE.choose(rng).expect("texts"));
    }
    url
}

/// The parts of a URL that name a server, and whether a path follows them.
fn server(url: &str) -> Option<(String, [String; 2], String, Option<u16>)> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?.trim_start_matches("www.").trim_end_matches('.').to_owned();
    let user = [url.username(), url.password().unwrap_or_default()].map(str::to_owned);
    let scheme = url.scheme().replace("https", "http");
    Some((scheme, user, host, url.port()))
}

/// That a model leaves no URL's server; how many URLs it changed.
fn assert_stays(model: &SiteModel, what: &str, urls: &[String], tries: usize) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut changed = 0;
    for _ in 0..tries {
        let url = mutated(urls.choose(&mut rng).expect("a URL"), &mut rng);
        let form = model.canonical(&url);
        if form == url {
            continue;
        }
        changed += 1;
        let Some(expected) = server(&url) else { continue };
        assert_eq!(server(&form), Some(expected), "{what}: {url} → {form}");
        let is_placed = |url: &str| {
            let (_, rest) = url.split_once("://").expect("a scheme");
            rest.find(['/', '?', '#', '\\']).is_some_and(|at| rest[at..].starts_with('/'))
        };
        assert!(is_placed(&form) || !is_placed(&url), "{what}: {url} → {form}");
    }
    changed
}

fn urls_of(name: &str) -> Vec<String> {
    let (crawl, _) = read_pages(&[data(name)], &ReadOptions::default()).expect("a crawl");
    crawl.pages.iter().map(|page| page.url.to_string()).collect()
}

fn model_of(name: &str, method: &str) -> SiteModel {
    let (crawl, _) = read_pages(&[data(name)], &ReadOptions::default()).expect("a crawl");
    let method: Method = method.parse().expect("a method");
    Trainer::new().method(method).train(crawl.pages).expect("a model")
}

/// `/1?uri=` goes where the value is a path, which it was in all of training.
#[test]
fn a_value_beside_the_host_becomes_no_part_of_it() {
    let model = model_of("store.jsonl.gz", "auto");
    for value in [
        ":80@evil.test/a",
        ".evil.test/a",
        "@evil.test/",
        ":81/a",
        "//evil.test/a",
        "/\\evil.test/a",
    ] {
        let url = format!("http://store.test/1?uri={value}");
        let form = model.canonical(&url).into_owned();
        assert_eq!(server(&form), server("http://store.test/"), "{url} → {form}");
        let path =
            form.strip_prefix("http://store.test/").unwrap_or_else(|| panic!("{url} → {form}"));
        assert!(!path.starts_with(['/', '\\']), "{url} → {form}");
    }
}

const METHODS: [&str; 6] = ["auto", "slots", "rewrite", "tree", "dustbuster", "duster"];

/// Models of each kind that is learned in seconds, on some crawls.
#[test]
fn no_form_leaves_its_server() {
    for name in ["store.jsonl.gz", "board.jsonl.gz", "shop.jsonl.gz"] {
        let urls = urls_of(name);
        for method in METHODS {
            assert_stays(&model_of(name, method), &format!("{name} {method}"), &urls, 20_000);
        }
    }
}

/// The same on all crawls, some ten million URLs.
#[test]
#[ignore = "minutes"]
fn no_form_of_any_crawl_leaves_its_server() {
    let mut changed = 0;
    for entry in std::fs::read_dir(data("")).expect("crawls") {
        let name = entry.expect("a crawl").file_name().into_string().expect("a name");
        if !name.ends_with(".jsonl.gz") {
            continue;
        }
        let urls = urls_of(&name);
        for method in METHODS {
            let what = format!("{name} {method}");
            changed += assert_stays(&model_of(&name, method), &what, &urls, 56_000);
        }
    }
    assert!(changed > 1_000_000, "{changed} were changed");
}
