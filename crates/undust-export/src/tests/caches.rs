//! The header No-Vary-Search as a cache reads it.

use std::collections::{BTreeMap, BTreeSet};

use fancy_regex::Regex;
use percent_encoding::percent_decode_str;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::generated::{generated, urls};
use crate::*;
use undust_model::translation::Canonicalizer;

/// The names in a header: a dictionary with one inner list of strings (RFC 8941).
fn params(header: &str) -> BTreeSet<String> {
    let mut rest = header.strip_prefix("params=(").expect("one key and a list");
    let mut names = BTreeSet::new();
    loop {
        rest = rest.trim_start_matches(' ');
        if rest == ")" {
            return names;
        }
        let mut name = String::new();
        let mut letters = rest.strip_prefix('"').expect("a string").char_indices();
        let end = loop {
            match letters.next().expect("the end of a string") {
                (at, '"') => break at + 2,
                (_, '\\') => match letters.next() {
                    Some((_, letter @ ('"' | '\\'))) => name.push(letter),
                    other => panic!("{other:?} in {header}"),
                },
                (_, letter @ ' '..='~') => name.push(letter),
                other => panic!("{other:?} in {header}"),
            }
        };
        rest = &rest[end..];
        assert!(rest.starts_with([' ', ')']), "{header}");
        assert!(names.insert(percent_decode_str(&name).decode_utf8_lossy().into_owned()));
    }
}

/// The lines of the map, as nginx tries them.
fn map(text: &str) -> Vec<(Regex, BTreeSet<String>)> {
    let line = |line: &str| {
        let (regex, header) = line.strip_prefix("    \"~")?.split_once("\" '")?;
        let header = header.strip_suffix("';").expect("the end of a line");
        Some((Regex::new(regex).expect("a regex"), params(header)))
    };
    text.lines().filter_map(line).collect()
}

/// What a cache compares of a URL whose answer has this header.
fn key(url: &str, dropped: &BTreeSet<String>) -> (String, Vec<[String; 2]>) {
    let url = url.split('#').next().expect("a URL");
    let (page, query) = url.split_once('?').unwrap_or((url, ""));
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        percent_decode_str(&text).decode_utf8_lossy().into_owned()
    };
    let arguments = query.split('&').filter(|argument| !argument.is_empty());
    let read = arguments.map(|argument| match argument.split_once('=') {
        Some((name, value)) => [decoded(name), decoded(value)],
        None => [decoded(argument), String::new()],
    });
    (page.to_owned(), read.filter(|[name, _]| !dropped.contains(name)).collect())
}

/// A few URLs with odd queries, and some of them written otherwise: what a cache does not tell apart, a site may.
fn crawled(seed: u64) -> Vec<String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let ways = [("=", "=+"), ("=", "=%20"), ("?", "?&"), ("page", "p%61ge"), ("=", ""), ("&", ";")];
    let urls = urls();
    let mut some: Vec<String> = urls.sample(&mut random, 12).cloned().collect();
    for place in 0..random.random_range(0..3) {
        let (from, to) = ways.choose(&mut random).expect("ways");
        some.push(some[place].replacen(from, to, 1));
    }
    some
}

#[test]
fn no_cache_takes_a_url_for_another_page() {
    let (mut merged, mut headers) = (0, 0);
    for seed in 0..150 {
        let Some(model) = generated(seed) else { continue };
        let given = crawled(seed);
        let done = export(&model, Format::NoVarySearch, given.clone()).expect("edits");
        let map = map(&done.text);
        headers += map.len();
        let mut pages: BTreeMap<_, String> = BTreeMap::new();
        for url in given {
            let (_, rest) = url.split_once("://").expect("a host");
            let (host, address) = rest.split_at(rest.find('/').expect("a path"));
            let asked = format!("200 {host} {address}");
            let found = map.iter().find(|(regex, _)| regex.is_match(&asked).expect("a match"));
            let Some((_, names)) = found else { continue };
            let page = model.canonicalize(&url).canonical.into_owned();
            merged += 1;
            let known = pages.entry(key(&url, names)).or_insert_with(|| {
                merged -= 1;
                page.clone()
            });
            assert_eq!(*known, page, "{url}: {}", done.text);
        }
    }
    assert!(merged > 20 && headers > 20, "{merged} {headers}");
}

#[test]
fn a_redirect_or_another_host_has_no_header() {
    let model = super::wiki();
    let done = export(&model, Format::NoVarySearch, super::examples(&model)).expect("edits");
    let map = map(&done.text);
    let has = |asked: &str| map.iter().any(|(regex, _)| regex.is_match(asked).expect("a match"));
    assert!(has("200 wiki.example.test /mediawiki/index.php?title=A"), "{}", done.text);
    for other in ["302 wiki.example.test", "200 wiki.example.test.evil.test", "200 a.test"] {
        assert!(!has(&format!("{other} /mediawiki/index.php?title=A")), "{}", done.text);
    }
    assert!(!has("200 wiki.example.test /other"), "{}", done.text);
}

/// The beginnings of paths with their names, the deepest first, as the file of each program has them.
fn paths(format: Format, text: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut paths: Vec<(String, BTreeSet<String>)> = match format {
        Format::NoVarySearchJson => {
            let all: serde_json::Value = serde_json::from_str(text).expect("JSON");
            let paths = all["first_match"].as_array().expect("paths").iter();
            paths
                .map(|path| {
                    let text = |name: &str| path[name].as_str().expect("a text").to_owned();
                    let begin = formats_literal(&text("path"));
                    let names: BTreeSet<String> =
                        serde_json::from_value(path["params"].clone()).expect("names");
                    assert_eq!(params(&text("header")), names);
                    (begin, names)
                })
                .collect()
        }
        Format::NoVarySearchApache => (text.lines())
            .filter_map(|line| line.strip_prefix("Header set No-Vary-Search \""))
            .map(|line| {
                let (header, rest) = line.split_once("\" \"expr=").expect("a condition");
                let begin = rest.split_once("m#^\\S+ ").expect("a path").1;
                let begin = begin.strip_suffix("#\"").expect("its end").to_owned();
                (begin, params(&header.replace("\\\"", "\"")))
            })
            .collect(),
        Format::NoVarySearchCaddy => (text.lines())
            .filter_map(|line| line.strip_prefix("    `~^")?.strip_suffix('`')?.split_once("` `"))
            .map(|(begin, header)| (begin.to_owned(), params(header)))
            .collect(),
        _ => (text.lines())
            .filter_map(|line| {
                line.strip_prefix("    \"~^200 ")?.strip_suffix("';")?.split_once("\" '")
            })
            .map(|(regex, header)| {
                (regex.split_once(") ").expect("hosts").1.to_owned(), params(header))
            })
            .collect(),
    };
    if format == Format::NoVarySearchApache {
        paths.reverse();
    }
    paths
}

fn formats_literal(path: &str) -> String {
    crate::regexes::piece::literal(path).expect("a path that can be written")
}

/// The files of all programs say the same.
#[test]
fn all_programs_are_told_the_same_headers() {
    let mut headers = 0;
    for seed in 0..60 {
        let Some(model) = generated(seed) else { continue };
        let given = crawled(seed);
        let listed = |format| {
            let done = export(&model, format, given.clone()).expect("edits");
            (paths(format, &done.text), done.coverage.covered, done.members)
        };
        let first = listed(Format::NoVarySearch);
        headers += first.0.len();
        for format in
            [Format::NoVarySearchApache, Format::NoVarySearchCaddy, Format::NoVarySearchJson]
        {
            assert_eq!(listed(format), first, "{format:?}");
        }
    }
    assert!(headers > 10, "{headers}");
}

/// A dry run has the rules of what redirects, and no redirect.
#[test]
fn a_dry_run_redirects_nothing_and_robots_get_the_same_rules() {
    let model = super::wiki();
    for (dry, robots, real) in [
        (Format::NginxDryRun, Format::NginxRobots, Format::Nginx),
        (Format::ApacheDryRun, Format::ApacheRobots, Format::Apache),
        (Format::VclDryRun, Format::VclRobots, Format::Vcl),
    ] {
        let done = |format| export(&model, format, super::examples(&model)).expect("edits");
        let (dry_run, robots, real) = (done(dry), done(robots), done(real));
        assert_eq!((dry_run.exported, &dry_run.coverage), (real.exported, &real.coverage));
        assert_eq!((robots.exported, &robots.coverage), (real.exported, &real.coverage));
        for never in ["301", "302", "R=", "synth("] {
            assert!(!dry_run.text.contains(never), "{dry:?}: {never}: {}", dry_run.text);
        }
        let rule = real.text.lines().find(|line| line.contains("returnto") && !line.contains('#'));
        assert!(dry_run.text.contains(rule.expect("a rule")), "{dry:?}");
        assert!(robots.text.contains(rule.expect("a rule")), "{dry:?}");
        assert!(
            robots.text.contains(undust_pages::agent::ROBOT_NAMES) && robots.members.is_empty()
        );
        assert!(!real.text.contains(undust_pages::agent::ROBOT_NAMES));
    }
}
