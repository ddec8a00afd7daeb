//! `undust pretrain` and `--base`: a network of many sites answers for one that has no model.
#![cfg(feature = "network")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::tempdir;

#[cfg(target_os = "linux")]
use crate::support::Terminal;
use crate::support::{
    assert_contains, data, failure, json_lines, line, stderr, succeed, trained, undust, write,
};

/// A network of so few steps that its answers are of no matter.
const QUICK: &str =
    "[base]\nhidden = 8\nembedding = 4\nmax_steps = 4\ncheck_every = 2\nmin_probability = 0.0\n";

fn pretrain(folder: &Path, arguments: &[&str]) -> Command {
    write(folder, "quick.toml", QUICK);
    let mut command = undust(folder, "pretrain");
    for name in ["roundup-1.jsonl.gz", "roundup-2.jsonl.gz", "notes.jsonl.gz"] {
        command.arg(data(name));
    }
    command.args(["--config", "quick.toml", "--made-up-sites", "3"]).args(arguments);
    command
}

#[test]
fn a_base_network_answers_where_no_site_has_a_model() {
    let folder = tempdir().expect("a folder");
    let (_, described) = succeed(&mut pretrain(folder.path(), &["--models", "one"]));
    assert_contains(&described, &["base network of 3 crawls and 3 made-up sites"]);
    succeed(&mut pretrain(folder.path(), &["--models", "two"]));
    for file in ["model.json", "lexicon.json", "weights.safetensors"] {
        let read = |models: &str| fs::read(folder.path().join(models).join("base").join(file));
        assert_eq!(read("one").expect("a file"), read("two").expect("a file"), "{file}");
    }
    let queue = "http://never.seen.test/item/17?sid=0123456789abcdef\nno URL\n";
    let mut translate = undust(folder.path(), "translate");
    translate.args(["--base", "one/base", "--format", "jsonl", "--strict"]).write_stdin(queue);
    let (lines, _) = succeed(&mut translate);
    let records = json_lines(&lines);
    assert_eq!((records.len(), &records[0]["site"]), (2, &"base".into()), "{lines}");
    assert_eq!(records[1]["reason"], "not a URL");
    let canonical = records[0]["canonical"].as_str().expect("a URL");
    assert!(canonical.starts_with("http://never.seen.test"), "{lines}");
    let mut explain = undust(folder.path(), "explain");
    explain.args(["--base", "one/base", "http://never.seen.test/item/17"]);
    assert_contains(&succeed(&mut explain).0, &["base"]);
}

/// A site's own network may start from it, and says so where it cannot.
#[test]
fn a_network_of_a_site_starts_from_it() {
    let folder = tempdir().expect("a folder");
    succeed(&mut pretrain(folder.path(), &[]));
    let sizes = "hidden = 8\nembedding = 4\nmax_steps = 2\ncheck_every = 2\n";
    let train = |sizes: &str, base: &[&str], models: &str| {
        write(folder.path(), "site.toml", format!("[seq2seq]\n{sizes}"));
        let mut command = undust(folder.path(), "train");
        command.arg(data("notes.jsonl.gz")).args(["--method", "seq2seq", "--config", "site.toml"]);
        command.args(["--models", models]).args(base);
        command
    };
    let base = ["--base", "models/base"];
    succeed(&mut train(sizes, &base, "started"));
    succeed(&mut train(sizes, &[], "random"));
    let weights = |models: &str| {
        let site = fs::read_dir(folder.path().join(models)).expect("models").next();
        fs::read(site.expect("a site").expect("an entry").path().join("weights.safetensors"))
    };
    assert_ne!(weights("started").expect("weights"), weights("random").expect("weights"));
    let refused = train("hidden = 9\n", &base, "other").assert().code(1);
    let described = stderr(refused.get_output());
    assert_contains(&described, &["embeddings of 4 and 8 hidden units", "seq2seq.hidden"]);
    let described = failure(&mut train(sizes, &["--base", "none"], "other"), 1);
    assert_contains(&described, &["none"]);
    let mut rules = undust(folder.path(), "train");
    rules.arg(data("notes.jsonl.gz")).args(["--method", "tree", "--base", "models/base"]);
    assert_contains(&succeed(&mut rules).1, &["--base has no effect"]);
}

#[test]
fn each_application_is_replayed_by_a_network_of_the_others() {
    let folder = tempdir().expect("a folder");
    let arguments = ["--evaluate", "--same-application", "roundup-1,roundup-2", "--format", "json"];
    let (printed, _) = succeed(&mut pretrain(folder.path(), &arguments));
    let replayed: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let replayed = replayed.as_array().expect("a list");
    let names: Vec<&str> = replayed.iter().filter_map(|one| one["crawl"].as_str()).collect();
    assert_eq!(names, ["roundup-1", "roundup-2", "notes"]);
    assert!(!folder.path().join("models").exists());
    let unknown = ["--evaluate", "--same-application", "roundup-1,wiki"];
    let described = failure(&mut pretrain(folder.path(), &unknown), 1);
    assert_contains(&described, &["wiki: none of the crawls has this name"]);
    let twice = ["--evaluate", "--same-application", "notes,roundup-1;roundup-1,roundup-2"];
    let described = failure(&mut pretrain(folder.path(), &twice), 1);
    assert_contains(&described, &["roundup-1", "distinct"]);
    let all = ["--evaluate", "--same-application", "notes,roundup-1,roundup-2"];
    let described = failure(&mut pretrain(folder.path(), &all), 1);
    assert_contains(&described, &["at least two"]);
}

/// A crawl without duplicates teaches nothing, and takes the place of no network.
#[test]
fn a_base_network_stays_where_there_is_nothing_to_learn() {
    let folder = tempdir().expect("a folder");
    let arguments = ["--config", "quick.toml", "--made-up-sites", "3"];
    succeed(&mut pretrain(folder.path(), &[]));
    let weights = || fs::read(folder.path().join("models/base/weights.safetensors"));
    let before = weights().expect("weights");
    let crawl: String =
        (0..60).map(|n| line(&format!("http://a.test/{n}x"), &n.to_string())).collect();
    write(folder.path(), "alone.jsonl", crawl);
    let mut command = undust(folder.path(), "pretrain");
    command.args(["alone.jsonl", "--made-up-sites", "0", "--config", arguments[1]]);
    assert_contains(&failure(&mut command, 1), &["no pair of duplicate URLs"]);
    assert_eq!(weights().expect("weights"), before);
    let info = folder.path().join("models/base/model.json");
    let json = fs::read_to_string(&info).expect("model.json");
    write(folder.path(), "models/base/model.json", json.replace("\"format\": 4", "\"format\": 3"));
    let mut translate = undust(folder.path(), "translate");
    translate.args(["--base", "models/base"]).write_stdin("http://b.test/\n");
    assert_contains(&failure(&mut translate, 1), &["undust pretrain"]);
}

#[test]
fn the_model_of_a_site_is_no_base_network() {
    let folder = trained(&["a.test"]);
    let refused = |base: &str| {
        let mut command = undust(folder.path(), "translate");
        failure(command.args(["--base", base]).write_stdin("http://b.test/\n"), 1)
    };
    assert_contains(&refused("models/a.test"), &["is the model of a.test", "undust pretrain"]);
    assert_contains(&refused("models/none"), &["models/none"]);
}

/// On a terminal of its own, where the look at the pairs is shown.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_best_weights_so_far() {
    let folder = tempdir().expect("a folder");
    let endless = QUICK.replace("max_steps = 4\n", "max_steps = 9999999\npatience = 9999999\n");
    write(folder.path(), "endless.toml", endless);
    let crawl = data("roundup-1.jsonl.gz");
    let line =
        format!("exec undust pretrain {} --made-up-sites 3 --config endless.toml", crawl.display());
    let mut terminal = Terminal::run(folder.path(), 100, &line);
    terminal.shows("exact match");
    terminal.type_keys("\x03");
    let (shown, status) = terminal.rest();
    assert_eq!(status.code(), Some(130), "{shown}");
    assert_contains(&shown, &["interrupted: the best weights so far"]);
    let mut translate = undust(folder.path(), "translate");
    translate.args(["--base", "models/base"]).write_stdin("http://never.seen.test/item/17\n");
    succeed(&mut translate);
}
