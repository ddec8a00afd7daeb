//! Edits explained: what changes a URL, what was refused, and what the settings forbid.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{
    self, assert_contains, failure, folder, output, piped, succeed, translated, undust, write,
};
#[cfg(feature = "network")]
use crate::support::{LEARNS, train};

fn line(path: &str, page: &str) -> String {
    support::line(&format!("http://a.test/{path}"), page)
}

/// Stories with a print view each, in two folders, and the pages of a list.
fn crawl() -> String {
    let pages = |n: usize| {
        line(&format!("story?id={n}"), &format!("s{n}"))
            + &line(&format!("story?id={n}&print=1"), &format!("s{n}"))
            + &line(&format!("old/{n}"), &format!("o{n}"))
            + &line(&format!("old/{n}?print=1"), &format!("o{n}"))
            + &line(&format!("list?page={n}"), &format!("l{n}"))
    };
    (100..160).map(pages).collect()
}

fn trained(crawl: &str, settings: &str, arguments: &[&str]) -> TempDir {
    let folder = folder(crawl);
    write(folder.path(), "settings.toml", settings);
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "--config", "settings.toml"]).args(arguments).assert().success();
    folder
}

fn explained(folder: &Path, url: &str) -> String {
    output(folder, "explain", &[url]).0
}

fn json(folder: &Path, subcommand: &str, arguments: &[&str]) -> Value {
    let (json, _) = output(folder, subcommand, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&json).unwrap()
}

#[test]
fn a_change_is_explained_by_its_edit_its_counts_and_two_examples() {
    let folder = trained(&crawl(), "", &[]);
    let text = explained(folder.path(), "http://a.test/story?id=7777&print=1");
    let parts = [
        "http://a.test/story?id=7777&print=1\n→ http://a.test/story?id=7777\n",
        "the model of a.test: auto, learned from 300 pages in 180 clusters",
        "1. drop ?print\n   anywhere, only on 2 kinds of paths, only with 2 lists of names in the query",
        "   tested on 120 URLs of 120 pages, 2 kinds of pages: 0 lost, 120 fetches saved",
        "   http://a.test/old/100?print=1\n   → http://a.test/old/100\n",
        "   http://a.test/old/101?print=1\n   → http://a.test/old/101",
    ];
    assert_contains(&text, &parts);
    let described = &json(folder.path(), "explain", &["http://a.test/old/7?print=1"])[0];
    assert_eq!(described["canonical"], "http://a.test/old/7");
    let step = &described["steps"][0];
    assert_eq!((&step["tested"], &step["lost"]), (&120.into(), &0.into()));
    assert_eq!((&step["pages"], &step["kinds"]), (&120.into(), &2.into()));
    assert_eq!(step["examples"].as_array().map(Vec::len), Some(2));
}

/// An edit that was tested on pages of one kind is a hypothesis on others.
#[test]
fn what_was_not_tested_here_stays_unless_it_is_extrapolated() {
    let pages = |n: usize| {
        line(&format!("story/{n}"), &format!("s{n}"))
            + &line(&format!("story/{n}?sort=new"), &format!("s{n}"))
            + &line(&format!("user/{n}"), &format!("u{n}"))
    };
    let folder = trained(&(100..140).map(pages).collect::<String>(), "", &[]);
    let queue = "http://a.test/story/777?sort=new\nhttp://a.test/user/777?sort=new\n";
    let lines = piped(folder.path(), "translate", &["--format", "jsonl"], queue).0;
    let [story, user] = &support::json_lines(&lines)[..] else { panic!("{lines}") };
    assert_eq!(story["canonical"], "http://a.test/story/777");
    assert_eq!(user["canonical"], "http://a.test/user/777?sort=new");
    assert_eq!(user["reason"], "not tested here");
    let bold = piped(folder.path(), "translate", &["--bold"], queue).0;
    assert_eq!(bold, "http://a.test/story/777\nhttp://a.test/user/777\n");
    let text = explained(folder.path(), "http://a.test/user/777?sort=new");
    let parts = ["stays as it is: not tested here", "not tested on pages like this one"];
    assert_contains(&text, &parts);
    let (shown, _) = output(folder.path(), "show", &["models/a.test"]);
    assert_contains(&shown, &["1 of them only on pages like those on which they were tested"]);
}

#[test]
fn how_the_site_writes_urls_is_explained_by_what_training_saw() {
    let folder = trained(&crawl(), "", &[]);
    let url = "https://www.a.test/story?print=1&utm_x=1&id=7777";
    let text = explained(folder.path(), url);
    let parts = [
        "1. scheme https → http\n   training saw 300 URLs written like this and none otherwise",
        "2. host www. → none\n   training saw 300 URLs written like this and none otherwise",
        "3. order of arguments\n   training saw them in no other order",
        "4. set aside: utm_x\n   training saw no such arguments",
    ];
    assert_contains(&text, &parts);
    let behind = explained(folder.path(), "https://a.test/story?x=1;print=1");
    assert_contains(&behind, &["set aside: x, print\n   after a `;` they may be parts of a value"]);
    let steps = &json(folder.path(), "explain", &[url])[0]["steps"];
    assert_eq!(steps[0]["seen"]["one_way"]["urls"], 300);
    assert!(steps[4]["seen"].is_null() && steps[4]["tested"].is_number(), "{steps}");
}

#[test]
fn what_stays_is_explained_by_what_was_refused() {
    let folder = trained(&crawl(), "", &[]);
    let text = explained(folder.path(), "http://a.test/list?page=7777");
    let parts = [
        "stays as it is: no rule",
        "proposed and refused:",
        "   drop ?page\n   anywhere: 60 URLs of the crawl\n   tested on 60 URLs of 60 pages: 59 lost",
        "refused: too many pages would be lost",
    ];
    assert_contains(&text, &parts);
    let is_long = |line: &&str| line.chars().count() > 80 && !line.contains("http://");
    assert_eq!(text.lines().find(is_long), None);
    let shown = json(folder.path(), "show", &["models/a.test"]);
    assert_eq!(shown["edits"][0]["notation"], "drop ?print");
    let refused = shown["refused"].as_array().unwrap();
    assert!(refused.iter().any(|one| one["notation"] == "drop ?page"), "{refused:?}");
    let (table, _) = output(folder.path(), "show", &["models/a.test"]);
    assert_contains(&table, &["1 edit accepted", "drop ?print", "refused; --all lists them"]);
    assert!(!table.contains("drop ?page"), "{table}");
    let (table, _) = output(folder.path(), "show", &["models/a.test", "--all"]);
    assert_contains(&table, &["1 edit accepted", "drop ?print", "refused edits", "drop ?page"]);
}

/// The JSON has the notation as files do, which name by it what is switched off.
#[test]
fn an_arrow_with_nothing_behind_it_says_so_to_people() {
    let words = ["alpha", "beta", "gamma", "delta"];
    let gone = |n: usize| {
        line(&format!("item/{n}"), &n.to_string())
            + &line(&format!("go/{}/item/{n}", words[n % words.len()]), &n.to_string())
    };
    let folder = trained(&(100..200).map(gone).collect::<String>(), "", &[]);
    let url = "http://a.test/go/alpha/item/777";
    let text = explained(folder.path(), url);
    assert!(text.contains("\n1. go/<word>/ → (nothing)\n"), "{text}");
    let (table, _) = output(folder.path(), "show", &["models/a.test"]);
    assert!(table.contains(" go/<word>/ → (nothing) "), "{table}");
    let described = json(folder.path(), "explain", &[url]);
    assert_eq!(described[0]["steps"][0]["notation"], "go/<word>/ → ");
}

#[test]
fn without_a_model_and_of_other_methods_explanations_are_short() {
    let folder = trained(&crawl(), "", &["--method", "tree"]);
    let text = explained(folder.path(), "http://a.test/story?id=7777&print=1");
    assert_contains(
        &text,
        &["→ http://a.test/story?id=7777\n", ": tree,", " 0 lost; expected loss "],
    );
    let text = explained(folder.path(), "http://b.test/");
    assert_eq!(text, "http://b.test/\nstays as it is: no model\n");
}

/// Items whose view is the item itself, but for one.
#[test]
fn without_risk_nothing_is_lost() {
    let views = |n: usize| {
        let view = if n == 123 { "other".to_owned() } else { n.to_string() };
        line(&format!("item?id={n}"), &n.to_string()) + &line(&format!("item?id={n}&v=1"), &view)
    };
    let crawl: String = (100..500).map(views).collect();
    let lost = |folder: &Path| {
        let edits = json(folder, "show", &["models/a.test"])["edits"].clone();
        let lost = edits.as_array().unwrap().iter().map(|edit| edit["lost"].as_u64().unwrap());
        lost.sum::<u64>()
    };
    let view = "http://a.test/item?id=123&v=1";
    let bold = trained(&crawl, "", &[]);
    assert_eq!(
        (lost(bold.path()), &*translated(bold.path(), view)),
        (1, "http://a.test/item?id=123")
    );
    let careful = trained(&crawl, "", &["--max-lost-share", "0"]);
    assert_eq!((lost(careful.path()), &*translated(careful.path(), view)), (0, view));
    let text = explained(careful.path(), view);
    assert!(text.contains("would lose more than max_lost_share"), "{text}");
}

#[test]
fn what_the_settings_keep_drop_and_except_holds_for_what_is_served() {
    let settings = "[gate]\nkeep = [\"print\"]\ndrop = [\"sid\"]\nexceptions = [\"/old/15\"]\n";
    let folder = trained(&crawl(), settings, &[]);
    let kept = "http://a.test/story?id=7777&print=1";
    assert_eq!(translated(folder.path(), kept), kept);
    let settings = "[gate]\ndrop = [\"sid\"]\nexceptions = [\"/old/15\"]\n";
    for method in ["auto", "slots", "tree"] {
        let folder = trained(&crawl(), settings, &["--method", method]);
        let session = "http://a.test/list?sid=5&page=7777";
        assert_eq!(translated(folder.path(), session), "http://a.test/list?page=7777", "{method}");
        let described = explained(folder.path(), session);
        assert!(described.contains("1. drop ?sid, by the settings"), "{described}");
        let excepted = "http://a.test/old/1577?print=1&sid=5#top";
        assert_eq!(translated(folder.path(), excepted), excepted, "{method}");
        let described = explained(folder.path(), excepted);
        assert!(described.contains("stays as it is: excepted by the settings"), "{described}");
        assert!(!described.contains("refused"), "{described}");
        let other = translated(folder.path(), "http://a.test/old/1477?print=1&sid=5");
        assert_eq!(other, "http://a.test/old/1477", "{method}");
    }
}

#[test]
fn a_method_without_the_gate_promises_nothing_that_it_does_not_hold() {
    let folder = folder(&crawl());
    write(folder.path(), "settings.toml", "[gate]\nkeep = [\"print\"]\n");
    let run = |command: &str, arguments: &[&str]| {
        let mut command = undust(folder.path(), command);
        command.args(["crawl.jsonl", "--config", "settings.toml"]).args(arguments);
        command
    };
    let described = failure(&mut run("train", &["--method", "tree"]), 1);
    assert_contains(&described, &["gate.keep", "`tree`", "`auto`"]);
    assert!(!folder.path().join("models").exists());
    run("train", &["--method", "auto"]).assert().success();
    let (_, described) = succeed(&mut run("evaluate", &["--methods", "keep-all,tree,slots"]));
    assert_contains(&described, &["which may drop any argument: tree\n"]);
    write(folder.path(), "settings.toml", "[gate]\nkeep = [\"id\"]\ndrop = [\"id\"]\n");
    let described = failure(&mut run("train", &[]), 2);
    assert_contains(&described, &["settings.toml: ", "gate.keep", "gate.drop", "\"id\""]);
}

#[test]
fn answers_are_trusted_as_far_as_is_asked() {
    let folder = trained(&crawl(), "", &[]);
    let url = "http://a.test/story?id=7777&print=1";
    let (json, _) = piped(folder.path(), "translate", &["--format", "jsonl"], url);
    let record: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&record["cause"], &record["how"]), (&"drop ?print".into(), &"rules".into()));
    let step = &record["steps"][0];
    assert_eq!((&step["notation"], &step["tested"]), (&"drop ?print".into(), &120.into()));
    assert_eq!((&step["lost"], &step["saved"]), (&0.into(), &120.into()));
    let confidence = 1.0 - step["bound"].as_f64().unwrap();
    assert!((0.99..1.0).contains(&confidence), "{confidence}");
    for (asked, form) in [("1", url), ("0.5", "http://a.test/story?id=7777")] {
        let (text, described) =
            piped(folder.path(), "translate", &["--min-confidence", asked], url);
        assert_eq!(text, form);
        assert_eq!(described.contains("1 unchanged (low confidence)"), text == url, "{described}");
    }
    let mut translate = undust(folder.path(), "translate");
    translate.args(["--min-confidence", "1.5"]).assert().failure().code(2);
}

#[test]
fn stats_say_when_to_train_again() {
    let folder = trained(&crawl(), "", &[]);
    let queue = |path: &str| -> String {
        (0..200).map(|n| format!("http://a.test/{path}{}\n", 100 + n)).collect()
    };
    let stats = |queue: &str| piped(folder.path(), "translate", &["--stats"], queue).1;
    let described = stats(&queue("list?page="));
    assert!(
        described.contains("0 of 200 URLs (0.0 %)") && described.contains("no need"),
        "{described}"
    );
    let described = stats(&(queue("list?page=") + &queue("new/forum/")));
    assert!(described.contains("200 of 400 URLs (50.0 %)"), "{described}");
    assert!(described.contains("train again on a newer crawl"), "{described}");
    let described = stats("http://a.test/new\n");
    assert!(described.contains("too few URLs"), "{described}");
    let tree = trained(&crawl(), "", &["--method", "tree"]);
    let (_, described) = piped(tree.path(), "translate", &["--stats"], "http://a.test/new\n");
    assert!(described.contains("1 URL with models that do not record shapes"), "{described}");
}

/// Where the network's answer changes the URL, leaves it as it is, and is refused.
#[cfg(feature = "network")]
#[test]
fn the_probability_of_a_network_is_explained_whatever_its_answer() {
    let folder = folder(&support::crawl("a.test", 30));
    let (user, named) = ("http://a.test/users/7x", "http://a.test/users/7x/name7");
    let explained = |url: &str| {
        let probability = json(folder.path(), "explain", &[url])[0]["probability"].as_f64();
        let probability = probability.expect("a number");
        assert!((0.5..=1.0).contains(&probability), "{probability}");
        (explained(folder.path(), url), format!("a probability of {probability:.2}"))
    };
    write(folder.path(), "tiny.toml", LEARNS);
    train(folder.path()).assert().success();
    let (text, probability) = explained(named);
    assert_eq!(text.matches(&probability).count(), 1, "{text}");
    let (text, probability) = explained(user);
    let sentence = format!("is canonical already\nthe network gives this answer {probability}\n");
    assert_contains(&text, &[&sentence]);
    write(folder.path(), "tiny.toml", LEARNS.replace("[site]", "min_probability = 1\n[site]"));
    train(folder.path()).assert().success();
    let (text, probability) = explained(named);
    let sentence =
        format!("stays as it is: low confidence\nthe network gives its answer {probability}\n");
    assert_contains(&text, &[&sentence]);
}
