//! Networks that propose edits to the gate, from training to serving.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{
    assert_contains, failure, folder, line, output, piped, stderr, translated, undust, write,
};

const FOLDERS: [&str; 8] = ["art", "book", "car", "dog", "egg", "fish", "gas", "hat"];

/// Items with a view each; in three folders one of four views shows something else.
fn crawl() -> String {
    let item = |folder: &str, n: usize, is_lost: bool| {
        let number = 10_usize.pow(1 + n as u32 / 10) + n % 10;
        let (url, page) = (format!("http://a.test/{folder}/{number}"), format!("{folder}{n}"));
        let view =
            if is_lost && n.is_multiple_of(4) { format!("view {page}") } else { page.clone() };
        line(&url, &page) + &line(&format!("{url}?v=1"), &view)
    };
    let items = FOLDERS
        .iter()
        .zip(0..)
        .flat_map(|(folder, place)| (0..40).map(move |n| item(folder, n, place > 4)));
    items.collect()
}

/// Small networks, which learn in a second.
const SETTINGS: &str = "[tagger]\nembedding = 8\nhidden = 12\nmax_steps = 150\n\
                        [seq2seq]\nembedding = 8\nhidden = 16\nmax_steps = 300\nlearning_rate = 0.01\n";

fn trained(method: &str) -> TempDir {
    let folder = folder(&crawl());
    write(folder.path(), "settings.toml", SETTINGS);
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "--config", "settings.toml", "--method", method]);
    train.assert().success();
    folder
}

fn explained(folder: &Path, url: &str) -> String {
    output(folder, "explain", &[url]).0
}

/// What a network proposes holds only where it was tested, and is served from the folder.
#[test]
fn what_a_network_proposes_passes_the_gate_and_is_served() {
    for method in ["tagger+gate", "seq2seq+gate"] {
        let folder = trained(method);
        let models = folder.path().join("models/a.test");
        for half in ["proposer-0.safetensors", "proposer-1.safetensors"] {
            assert!(models.join(half).exists(), "{method}: {half}");
        }
        let text = explained(folder.path(), "http://a.test/art/7001?v=1");
        assert_contains(&text, &["→ http://a.test/art/7001\n", "network: drop ?v"]);
        let kept = "http://a.test/hat/10?v=1\nhttp://a.test/art/10\n";
        assert_eq!(translated(folder.path(), kept), kept, "{method}");
        fs::remove_file(models.join("proposer-1.safetensors")).unwrap();
        let mut translate = undust(folder.path(), "explain");
        let error = failure(translate.arg("http://a.test/art/7001?v=1"), 1);
        assert_contains(&error, &["proposer-1.safetensors"]);
    }
}

/// A person may edit `gate.json`, which is checked as `model.json` is.
#[test]
fn networks_of_impossible_settings_are_refused() {
    let folder = trained("seq2seq+gate");
    let gate = folder.path().join("models/a.test/gate.json");
    let json = fs::read_to_string(&gate).expect("edits");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    for (pointer, value, reason) in [
        ("options/min_probability", (-0.5).into(), "min_probability that is not between 0 and 1"),
        ("options/min_probability", 1.5.into(), "min_probability that is not between 0 and 1"),
        ("sizes/hidden", 0.into(), "a network of impossible size"),
        ("sizes/vocabulary", 7.into(), "networks that do not match its words"),
    ] {
        let mut changed = json.clone();
        *changed.pointer_mut(&format!("/networks/{pointer}")).expect("a setting") = value;
        fs::write(&gate, changed.to_string()).expect("written");
        let mut explain = undust(folder.path(), "explain");
        let described = failure(explain.arg("http://a.test/art/7001?v=1"), 1);
        assert_contains(&described, &["gate.json", reason]);
    }
    fs::write(&gate, json.to_string()).expect("written");
    explained(folder.path(), "http://a.test/art/7001?v=1");
}

/// `auto` asks the network that the settings name, and learns the same without any.
#[test]
fn settings_name_the_network_of_auto() {
    let folder = folder(&crawl());
    for network in ["tagger", "seq2seq", "none"] {
        let settings = format!("{SETTINGS}[gate]\nnetwork = {network:?}\n");
        write(folder.path(), "settings.toml", &settings);
        let train = ["crawl.jsonl", "--config", "settings.toml", "--models", network];
        undust(folder.path(), "train").args(train).assert().success();
        let (form, _) = piped(
            folder.path(),
            "translate",
            &["--models", network],
            "http://a.test/art/7001?v=1\n",
        );
        assert_eq!(form, "http://a.test/art/7001\n", "{network}");
    }
    write(folder.path(), "settings.toml", "[gate]\nnetwork = \"gru\"\n");
    let mut train = undust(folder.path(), "train");
    let refused = train.args(["crawl.jsonl", "--config", "settings.toml"]).assert().code(2);
    let described = stderr(refused.get_output());
    assert_contains(&described, &["gru", "`none`, `tagger`, `seq2seq`", "gate.network"]);
}
