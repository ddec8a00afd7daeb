//! What must hold of every tagger, and what one learns on small sites.

use std::sync::LazyLock;

use proptest::prelude::*;

use undust_model::networks::tagger::Tagger;
use undust_model::translation::{How, Reason, Rewriter};
use undust_testing::crawl;
use undust_url::lexicon::Symbol;

use super::learn;
use crate::config::{Config, TaggerConfig};
use crate::training::TrainingSet;

/// Home pages under two names, manuals with an index file and a print view, searches by author
/// that all show a log-in page, and pages without duplicate.
fn site() -> Vec<Vec<String>> {
    let host = "http://s.com";
    let mut groups = Vec::new();
    for n in 0..60 {
        let user = ["olga", "jan", "maria"][n % 3];
        groups.push(vec![
            format!("{host}/people/{user}/note{n}.html"),
            format!("{host}/~{user}/note{n}.html"),
        ]);
        groups.push(vec![
            format!("{host}/manual/part{n}/"),
            format!("{host}/manual/part{n}/index.html"),
        ]);
        groups.push(vec![
            format!("{host}/manual/part{n}/page{n}.html"),
            format!("{host}/manual/part{n}/page{n}.html?print=1"),
        ]);
        groups.push(vec![format!("{host}/t/{n}?sort=up"), format!("{host}/t/{n}")]);
        groups.push(vec![format!("{host}/t/{n}?page=2"), format!("{host}/t/{n}?page=2&sort=up")]);
    }
    groups.push((0..60).map(|n| format!("{host}/search?author={}", 100 + n)).collect());
    groups
}

fn config() -> Config {
    let tagger = TaggerConfig { embedding: 16, hidden: 24, max_steps: 400, ..Default::default() };
    Config { tagger, ..Config::default() }
}

fn learned(groups: &[Vec<String>], config: &Config) -> Tagger {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    learn(&set, config, &()).expect("training").expect("pairs").0
}

static KNOWS: LazyLock<Tagger> = LazyLock::new(|| learned(&site(), &config()));

/// The same tagger that has seen no URL yet.
fn knows() -> Tagger {
    let (lexicon, phrases) = (KNOWS.lexicon().clone(), KNOWS.phrases().to_vec());
    Tagger::new(lexicon, phrases, KNOWS.weights().clone(), KNOWS.options())
}

#[test]
fn a_site_is_learned() {
    for (url, form) in [
        ("/people/olga/note7.html", "/~olga/note7.html"),
        ("/manual/part7/index.html", "/manual/part7/"),
        ("/manual/part7/page99.html?print=1", "/manual/part7/page99.html"),
        ("/t/99?sort=up", "/t/99"),
        ("/t/99?page=2&sort=up", "/t/99?page=2"),
        ("/t/99?page=2", "/t/99?page=2"),
        ("/search?author=177", "/search?author=100"),
    ] {
        let url = format!("http://s.com{url}");
        assert_eq!(KNOWS.rewritten(&url), format!("http://s.com{form}"));
    }
}

/// Where the translator fails: its arguments have numbers, which change with the length.
#[test]
fn what_was_learned_holds_in_new_and_deeper_folders() {
    for (url, form) in [
        ("/people/zoe/new1.html", "/~zoe/new1.html"),
        ("/people/zoe/deep/new1.html", "/~zoe/deep/new1.html"),
        ("/manual/other/deep/index.html", "/manual/other/deep/"),
        ("/manual/other/deep/page1.html?print=1", "/manual/other/deep/page1.html"),
    ] {
        let url = format!("http://s.com{url}");
        assert_eq!(KNOWS.rewritten(&url), format!("http://s.com{form}"));
    }
}

#[test]
fn an_answer_says_how_it_was_found() {
    let tagger = knows();
    let first = tagger.rewrite("http://s.com/people/olga/note7.html");
    assert_eq!(first.cause.to_string(), "http://s.com/{~}[people][/]olga/<word>.html");
    assert_eq!(first.how, How::Network);
    assert_eq!(tagger.rewrite("http://s.com/people/olga/note8.html").how, How::Cache);
    let long = format!("http://s.com/{}", "a/".repeat(99));
    assert_eq!(tagger.rewrite(&long).how, How::Unchanged(Reason::TooLong));
}

#[test]
fn schemes_and_hosts_stay() {
    for url in ["https://t.com/people/olga/note7.html", "ftp://s.com:80/t/9?sort=up"] {
        let form = KNOWS.rewritten(url).into_owned();
        let host = url.split('/').nth(2).expect("a host");
        assert_eq!(form.split('/').nth(2), Some(host));
        assert_eq!(form.split(':').next(), url.split(':').next());
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let config = Config {
        tagger: TaggerConfig { max_steps: 20, check_every: 10, ..config().tagger },
        ..config()
    };
    let bytes = |config: &Config| learned(&site(), config).weights().to_bytes().expect("bytes");
    let first = bytes(&config);
    assert!(first == bytes(&config));
    assert!(first != bytes(&Config { seed: 18, ..config.clone() }));
}

#[test]
fn steps_that_are_too_large_are_an_error() {
    let mut config = config();
    (config.tagger.learning_rate, config.tagger.final_rate) = (1000.0, 1000.0);
    let (pages, clusters) = crawl(&site());
    let set = TrainingSet::new(&pages, &clusters);
    // So large that numbers end; where they do not, nothing is learned, which is no error.
    if let Err(error) = learn(&set, &config, &()) {
        assert!(error.to_string().contains("tagger.learning_rate"), "{error}");
    }
}

fn urls() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/", "?", "=", "&", ".", "~", "people", "olga", "manual", "index", "html", "sort", "t",
        "17", "word", "%20", "é",
    ]);
    let path = prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat());
    let front = prop::sample::select(vec!["http://s.com/", "https://x.y/", ""]);
    (front, path).prop_map(|(front, path)| format!("{front}{path}"))
}

proptest! {
    #[test]
    fn an_answer_is_its_own_answer(url in urls()) {
        let form = KNOWS.rewritten(&url).into_owned();
        prop_assert_eq!(KNOWS.rewritten(&form), form.as_str());
    }

    #[test]
    fn any_string_has_an_answer(url in "\\PC{0,40}") {
        let form = KNOWS.rewritten(&url).into_owned();
        prop_assert_eq!(KNOWS.rewritten(&form), form.as_str());
    }

    #[test]
    fn memory_and_company_change_no_answer(urls in prop::collection::vec(urls(), 1..40)) {
        let prepared = knows();
        prepared.prepare(&mut urls.iter().map(String::as_str));
        for url in &urls {
            let alone = knows().rewritten(url).into_owned();
            prop_assert_eq!(prepared.rewritten(url), alone.as_str());
            prop_assert_eq!(KNOWS.rewritten(url), alone.as_str());
        }
        let (mut shapes, mut texts) = (Vec::new(), Vec::new());
        for url in &urls {
            let mut shape = Vec::new();
            prepared.lexicon().read(url, &mut shape, &mut texts);
            shapes.push(shape);
        }
        let together: Vec<&[Symbol]> = shapes.iter().map(Vec::as_slice).collect();
        for (shape, tags) in together.iter().zip(prepared.edits(&together)) {
            prop_assert_eq!(&prepared.edits(&[shape])[0], &tags);
            prop_assert_eq!(tags.len(), shape.len() + 1);
        }
    }
}
