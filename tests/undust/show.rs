//! `undust show` of a network: what it writes, where it is wrong, and how its training went.
#![cfg(feature = "network")]

use std::path::Path;

use serde_json::Value;

use crate::support::{
    LEARNS, assert_contains, crawl, folder, models_of_format, output, train, write,
};

fn json(folder: &Path, model: &str) -> Value {
    let (text, _) = output(folder, "show", &[model, "--format", "json"]);
    serde_json::from_str(&text).expect("JSON")
}

fn samples(shown: &Value) -> &Value {
    &shown["record"]["report"]["network"]["samples"]
}

/// What `show` prints of a network that was trained with these settings, to people and as JSON.
fn shown(users: usize, settings: &str) -> (String, Value) {
    let folder = folder(&crawl("a.test", users));
    write(folder.path(), "tiny.toml", settings);
    train(folder.path()).assert().success();
    let (text, _) = output(folder.path(), "show", &["models/a.test"]);
    (text, json(folder.path(), "models/a.test"))
}

#[test]
fn answers_and_their_probabilities_are_shown() {
    let (shown, json) = shown(40, LEARNS);
    assert!(shown.lines().all(|line| line.trim_end().chars().count() <= 80), "{shown}");
    assert_contains(&shown, &["/users/<word>/<word> → /users/<word>\n", "no shape was held out"]);
    assert!(!shown.contains("right:"), "{shown}");
    let answer = &samples(&json)["answers"][0];
    assert_eq!(answer["shape"], "http://a.test/users/<word>/<word>");
    assert_eq!(answer["written"], "http://a.test/users/<word>");
    let probability = answer["probability"].as_f64().expect("a number");
    assert!((0.5..=1.0).contains(&probability), "{probability}");
    assert_contains(&shown, &[&format!("{probability:.4} /users")]);
}

/// After one step a network writes anything but what is right.
const HARDLY: &str = "
[seq2seq]
embedding = 2
hidden = 4
max_steps = 1
held_out = 0.5
[site]
min_pages = 20
";

#[test]
fn mistakes_are_shown_with_what_is_right() {
    let (shown, json) = shown(30, HARDLY);
    assert_contains(&shown, &["Surest of 2 mistakes on 2 held-out shapes", "       right: "]);
    let samples = samples(&json);
    assert_eq!((&samples["held_out"], &samples["wrong"]), (&2.into(), &2.into()), "{samples}");
    let right = |mistake: &Value| mistake["right"] == "http://a.test/users/<word>";
    let mistakes = samples["mistakes"].as_array().expect("a list");
    assert!(mistakes.len() == 2 && mistakes.iter().all(right), "{samples}");
}

/// Models that were trained before have none.
#[test]
fn an_older_network_is_shown_without_them() {
    let model = models_of_format(5).join("a.test").display().to_string();
    let (shown, _) = output(Path::new("."), "show", &[&model]);
    assert!(shown.contains("held-out loss") && !shown.contains("Answers"), "{shown}");
}
