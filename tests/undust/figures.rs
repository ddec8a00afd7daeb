//! What each method saves and loses on the crawls of README's table, held to what was measured with
//! room for the last digits: a change that makes a method better or worse shows, one that only
//! rounds otherwise does not.

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{data, json_lines, public_crawls, succeed, undust, write};

/// How far the mean F1 of a method may lie from what was measured.
const MEAN: f64 = 0.003;
/// How far the F1 of `auto` on one crawl may fall below what was measured.
const FALL: f64 = 0.02;

/// The crawls in `data`, with the F1 of `auto`.
const OWN: [(&str, f64); 30] = [
    ("wiki", 0.995),
    ("cs", 0.993),
    ("cgit", 0.768),
    ("dokuwiki", 0.909),
    ("forum", 0.506),
    ("blog", 0.818),
    ("shop", 0.819),
    ("tracker-1", 0.815),
    ("tracker-2", 0.834),
    ("fossil", 0.912),
    ("gitweb", 0.769),
    ("redmine-1", 0.473),
    ("redmine-2", 0.552),
    ("lists", 1.0),
    ("roundup-1", 0.908),
    ("roundup-2", 0.909),
    ("questions", 0.823),
    ("datasette", 0.980),
    ("notes", 0.997),
    ("portal", 0.777),
    ("events", 0.864),
    ("reviews", 0.599),
    ("library", 0.904),
    ("talks", 0.944),
    ("board", 0.537),
    ("translate", 0.776),
    ("store", 0.844),
    ("club", 0.790),
    ("bookmarks", 1.0),
    ("forge", 0.725),
];

/// The public crawls that make README's 33 of the 30 in `data`.
const PUBLIC: [&str; 3] = ["hgweb", "dostips-forum", "wiki-qt-io"];

/// A method, its mean F1 over some crawls, and the clusters that it may lose of all of them: those
/// that were measured, and a few more.
type Measured = (&'static str, f64, u64);

/// Over the 30 crawls in `data`.
const ON_OWN: [Measured; 8] = [
    ("keep-all", 0.675, 0),
    ("token-identity", 0.676, 24),
    ("rewrite", 0.770, 40),
    ("tree", 0.785, 64),
    ("dustbuster", 0.797, 46),
    ("duster", 0.699, 5),
    ("slots", 0.795, 24),
    ("auto", 0.818, 33),
];

/// Over README's 33.
const ON_ALL: [Measured; 7] = [
    ("keep-all", 0.671, 0),
    ("rewrite", 0.761, 40),
    ("tree", 0.789, 64),
    ("dustbuster", 0.787, 47),
    ("duster", 0.695, 55),
    ("slots", 0.801, 26),
    ("auto", 0.822, 36),
];

/// What is promised of `auto` over README's 33, whatever the rows above say.
const PROMISED: f64 = 0.82;

/// What methods make of crawls: of each crawl the figures of each method.
struct Evaluated(Vec<Value>);

impl Evaluated {
    fn of(crawls: &[String], methods: &[Measured], settings: &str) -> Self {
        let folder: TempDir = tempfile::tempdir().unwrap();
        let config = write(folder.path(), "train.toml", settings);
        let methods: Vec<_> = methods.iter().map(|(method, ..)| *method).collect();
        let mut evaluate = undust(folder.path(), "evaluate");
        evaluate.args(crawls).args(["--methods", &methods.join(","), "--json", "-", "--config"]);
        let evaluated = json_lines(&succeed(evaluate.arg(config)).0);
        assert_eq!(evaluated.len(), crawls.len());
        Self(evaluated)
    }

    /// The figures of one method, crawl by crawl.
    fn figures(&self, method: &str, name: &str) -> Vec<f64> {
        let of = |crawl: &Value| {
            let methods = crawl["methods"].as_array().unwrap();
            let figures = methods.iter().find(|figures| figures["name"] == method).unwrap();
            figures[name].as_f64().unwrap()
        };
        self.0.iter().map(of).collect()
    }

    fn mean_f1(&self, method: &str) -> f64 {
        let f1 = self.figures(method, "f1");
        f1.iter().sum::<f64>() / f1.len() as f64
    }

    /// Names each method that has left its place in a table.
    fn hold(&self, measured: &[Measured]) {
        let leaves = |(method, mean, lost): &Measured| {
            let (f1, losses) = (self.mean_f1(method), self.figures(method, "lost"));
            let losses = losses.iter().sum::<f64>() as u64;
            let is_kept = (f1 - mean).abs() <= MEAN && losses <= *lost;
            (!is_kept)
                .then(|| format!("{method}: mean F1 {f1:.4}, {losses} lost; not {mean}, {lost}"))
        };
        let left: Vec<_> = measured.iter().filter_map(leaves).collect();
        assert!(left.is_empty(), "{left:#?}");
    }
}

fn own(name: &str) -> String {
    data(&format!("{name}.jsonl.gz")).display().to_string()
}

/// No crawl of these on which `auto` fell.
fn holds_auto(crawls: &[(&str, f64)], evaluated: &Evaluated) {
    for ((crawl, measured), f1) in crawls.iter().zip(evaluated.figures("auto", "f1")) {
        assert!(f1 >= measured - FALL, "{crawl}: F1 of auto is {f1:.3}, and was {measured}");
    }
}

#[test]
fn auto_saves_what_was_measured_on_some_crawls() {
    let some = ["wiki", "blog", "tracker-1", "roundup-1", "library"];
    let some: Vec<_> = OWN.into_iter().filter(|(name, _)| some.contains(name)).collect();
    let crawls: Vec<_> = some.iter().map(|(name, _)| own(name)).collect();
    holds_auto(&some, &Evaluated::of(&crawls, &[("auto", 0.0, 0)], ""));
}

#[test]
#[ignore = "takes long"]
fn methods_save_and_lose_what_was_measured() {
    let crawls = OWN.map(|(name, _)| own(name));
    let evaluated = Evaluated::of(&crawls, &ON_OWN, "");
    evaluated.hold(&ON_OWN);
    holds_auto(&OWN, &evaluated);
}

/// The pointer network, on crawls on which three seeds gave nearly the same: mean F1 0.881, 100 lost. A
/// processor that rounds otherwise, or another seed, leaves less room than a network that does not learn.
#[cfg(feature = "network")]
#[test]
#[ignore = "takes long"]
fn the_pointer_network_saves_what_was_measured() {
    let crawls = ["forum", "shop", "store", "lists", "forge"].map(own);
    let evaluated = Evaluated::of(&crawls, &[("seq2seq", 0.0, 0)], "");
    let (f1, lost) = (evaluated.mean_f1("seq2seq"), evaluated.figures("seq2seq", "lost"));
    assert!((f1 - 0.881).abs() < 0.02, "{f1}");
    assert!(lost.iter().sum::<f64>() <= 150.0, "{lost:?}");
}

#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn methods_save_and_lose_on_all_crawls_what_was_measured() {
    let public = PUBLIC.map(|name| public_crawls().join(format!("{name}.jsonl.gz")));
    let public = public.map(|crawl| crawl.display().to_string());
    let crawls = [&OWN.map(|(name, _)| own(name))[..], &public].concat();
    let evaluated = Evaluated::of(&crawls, &ON_ALL, "");
    evaluated.hold(&ON_ALL);
    assert!(evaluated.mean_f1("auto") >= PROMISED, "{}", evaluated.mean_f1("auto"));
}
