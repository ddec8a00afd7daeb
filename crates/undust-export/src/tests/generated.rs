//! What holds for the rules of any model, on URLs that no crawl has.

use std::fs;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use undust_edits::editor::ServedEdit;
use undust_testing::{copy_folder, in_repository};

use super::*;
use crate::check::keeps_host;
use crate::mutated::mutated;
use crate::redirects::Redirects;

const SITE: &str = "http://wiki.example.test";

/// What edits replace, and by what: whole beginnings of paths, values that move into them, texts that come back.
const REPLACEMENTS: [(&str, &[(&str, &str)]); 16] = [
    ("/1", &[]),
    ("/20", &[]),
    ("/1?page=", &[]),
    ("1?page=", &[]),
    ("?page=", &[("write", "/")]),
    ("/?page=", &[("write", "/")]),
    ("<piece>?title=", &[("keep", "1"), ("write", "/")]),
    ("/index", &[("write", "/"), ("write", "info")]),
    ("index", &[("write", "/"), ("write", "info")]),
    ("index/", &[]),
    ("info/", &[("write", "?")]),
    ("index/<any>", &[]),
    ("info", &[("write", "history")]),
    ("history", &[("write", "info")]),
    ("<piece>/$", &[("keep", "1")]),
    ("/?page=", &[("keep", "1"), ("write", "view"), ("write", "/")]),
];

const NAMES: [&str; 7] = ["page", "title", "returnto", "curid", "action", "oldid", "from"];

fn edit(random: &mut ChaCha8Rng) -> Value {
    let name = |random: &mut ChaCha8Rng| *NAMES.choose(random).expect("names");
    let edit = match random.random_range(0..6) {
        0 | 1 => json!({ "drop-key": name(random) }),
        2 => json!({ "drop-argument": [name(random), "view"] }),
        _ => {
            let (from, to) = REPLACEMENTS.choose(random).expect("replacements");
            let piece = |(what, text): &(&str, &str)| match text.parse::<u16>() {
                Ok(place) => json!({ *what: place }),
                Err(_) => json!({ *what: text }),
            };
            json!({ "replace": { "from": from, "to": to.iter().map(piece).collect::<Vec<_>>() } })
        }
    };
    let mut list: Vec<&str> = (0..2).map(|_| name(random)).collect();
    list.sort_unstable();
    list.dedup();
    let only = match random.random_range(0..8) {
        0 => json!({ "names": [list] }),
        1 => json!({ "names": [[], ["page"]] }),
        2 => json!({ "beginnings": ["index", "mediawiki"] }),
        4 => json!({ "values": [name(random), ["=view", "="]] }),
        3 => json!({ "paths": [format!("{SITE}/mediawiki/index.php"), format!("{SITE}/")] }),
        _ => Value::Null,
    };
    let evidence = json!({
        "tested": 9, "lost": 0, "collisions": 0, "saved": 9, "pages": 9, "kinds": 3,
        "forms": 9, "answered": 9, "redirected": 0,
    });
    let mut edit = json!({
        "edit": edit, "where": { "level": "anywhere" }, "evidence": evidence, "rate": 0.01,
        "examples": [],
    });
    if !only.is_null() {
        edit["only"] = only;
    }
    edit
}

/// A model of some such edits; none where it would not be loaded.
pub(super) fn generated(seed: u64) -> Option<SiteModel> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("wiki.example.test");
    copy_folder(&in_repository("models/wiki.example.test"), &model);
    let path = model.join("gate.json");
    let mut gate: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("edits");
    let count = random.random_range(1..6);
    gate["rules"] = (0..count).map(|_| edit(&mut random)).collect();
    gate["refused"] = json!([]);
    fs::write(&path, gate.to_string()).expect("a file");
    SiteModel::load(&model).ok()
}

/// URLs of such a site.
pub(super) fn urls() -> Vec<String> {
    let paths = [
        "",
        "1",
        "20",
        "1/20",
        "index",
        "info/x",
        "mediawiki/index.php",
        "index.php",
        "history/1/",
        "a/index/info",
        "index/a-b/1",
        "view",
    ];
    let queries = [
        "",
        "page=1",
        "title=Main_Page",
        "title=Special:X&returnto=A",
        "page=.evil.test/a",
        "page=:80@evil.test/a",
        "page=/evil.test/a",
        "title=X&curid=1&returnto=Y",
        "action=view",
        "page=a&from=b",
        "from=1&oldid=2&page=view",
    ];
    let url = |path: &str, query: &str| match query {
        "" => format!("{SITE}/{path}"),
        query => format!("{SITE}/{path}?{query}"),
    };
    paths.iter().flat_map(|path| queries.iter().map(|query| url(path, query))).collect()
}

/// Nothing is left out by a check here: what is held, is held by the shape of rules.
fn all_rules(model: &SiteModel) -> Chain {
    let (Model::Edits(editor), Some(conventions)) = (&model.model, model.conventions.as_deref())
    else {
        panic!("a model of edits");
    };
    let translator = Translator::new(&model.site, editor, conventions, &[]);
    let rule = |(number, edit): (usize, &ServedEdit)| {
        let rule = translator.rule(number, &edit.accepted, "").ok()?;
        Some((number, vec![Rc::new(rule)]))
    };
    let rules: Vec<_> = (1..).zip(editor.rules()).filter_map(rule).collect();
    translator.chain(&rules, |_, _| false)
}

/// The regexes of many models, and of the saved one.
pub(super) fn all_rules_of_many() -> Vec<String> {
    let models = (0..100).filter_map(generated).chain([super::wiki()]);
    let lines = |model: SiteModel| {
        let chain = all_rules(&model);
        let lines = chain.rules.iter().flat_map(|rule| &rule.lines);
        lines.map(|line| line.regex.clone()).collect::<Vec<_>>()
    };
    models.flat_map(lines).collect()
}

#[test]
fn no_rule_leaves_its_host() {
    let (urls, mut changed) = (urls(), 0);
    for model in (0..60).filter_map(generated) {
        let chain = all_rules(&model);
        for url in urls.iter().chain(&mutated(&urls, |_| false, 1_000, 3)) {
            for step in chain.apply(url) {
                changed += 1;
                assert!(keeps_host(url, &step.url), "{url} became {}", step.url);
            }
        }
    }
    assert!(changed > 1_000, "{changed}");
}

/// They are tried with other URLs than here.
#[test]
fn rules_of_any_model_go_no_other_way() {
    let (urls, mut changed) = (urls(), 0);
    let tried = mutated(&urls, |_| false, 3_000, 99);
    for model in (300..305).filter_map(generated) {
        let Model::Edits(editor) = &model.model else { continue };
        let Some(conventions) = model.conventions.as_deref() else { continue };
        let crawled = urls.iter().cloned().map(Into::into).collect();
        let check = Check::new(&model, editor, crawled);
        let job = Job { model: &model, editor, format: Format::Json, check };
        let translator = Translator::new(&model.site, editor, conventions, &job.check.urls);
        let (chain, _) = job.chain(&translator);
        for url in urls.iter().chain(&tried) {
            let Some(last) = chain.apply(url).pop() else { continue };
            changed += 1;
            let ours = model.canonicalize(url).canonical;
            assert_eq!(model.canonicalize(&last.url).canonical, ours, "{url} became {}", last.url);
            assert_ne!(ours, *url, "{url} became {}", last.url);
            assert!(chain.apply(&last.url).is_empty(), "{url} became {}", last.url);
        }
    }
    assert!(changed > 200, "{changed}");
}

/// Redirects of a site that undo what the rules do, or lead elsewhere.
#[test]
fn no_export_sends_a_client_round() {
    let urls = urls();
    for (model, seed) in (400..403).filter_map(|seed| Some((generated(seed)?, seed))) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let crawled: Vec<CrawledUrl> = urls
            .iter()
            .map(|url| {
                let leads = random.random_range(0..4) == 0;
                let location = urls.choose(&mut random).filter(|_| leads).cloned();
                CrawledUrl { url: url.clone(), status: None, location }
            })
            .collect();
        let redirects = Redirects::of(&crawled);
        let Model::Edits(editor) = &model.model else { continue };
        let Some(conventions) = model.conventions.as_deref() else { continue };
        let check = Check::new(&model, editor, crawled);
        let job = Job { model: &model, editor, format: Format::Vcl, check };
        let translator = Translator::new(&model.site, editor, conventions, &job.check.urls);
        let (chain, _) = job.chain(&translator);
        for url in &urls {
            assert_eq!(redirects.blame(&chain, url), None, "{url}");
        }
    }
}

#[test]
fn a_url_whose_path_begins_with_two_slashes_keeps_its_host_too() {
    assert!(keeps_host("http://a.test//x", "http://a.test//y"));
    assert!(keeps_host("http://a.test//x", "http://a.test/x"));
    assert!(!keeps_host("http://a.test//x", "http://a.test.evil.test/"));
    assert!(!keeps_host("http://a.test?x", "http://a.test@evil.test"));
    assert!(!keeps_host("http://a.test/x", "http://a.test//evil.test"));
}
