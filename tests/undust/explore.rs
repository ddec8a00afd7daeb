//! Nothing learned once stays true: a model is trained, URLs are fetched all the same, what comes
//! back is reported, and what it refutes is switched off until the next training.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    assert_contains, failure, folder_with, piped, shop, stderr, translated, undust, write,
};

/// A model that was trained before there was a closed ticket.
fn trained(method: &str) -> TempDir {
    let folder = folder_with(&[("empty.jsonl", shop(false)), ("full.jsonl", shop(true))]);
    train(folder.path(), method);
    folder
}

fn train(folder: &Path, method: &str) {
    undust(folder, "train").args(["empty.jsonl", "--method", method]).assert().success();
}

/// Standard output of a command that succeeds.
fn describe(folder: &Path, command: &str, arguments: &[&str], input: &str) -> String {
    piped(folder, command, arguments, input).0
}

/// What `observe --format json` prints, and its exit code.
fn observed(folder: &Path, arguments: &[&str], input: &str) -> (Value, Option<i32>) {
    let mut command = undust(folder, "observe");
    let output = command.args(arguments).args(["--format", "json"]).write_stdin(input);
    let output = output.output().unwrap();
    let described = serde_json::from_slice(&output.stdout);
    (described.unwrap_or_else(|_| panic!("{}", stderr(&output))), output.status.code())
}

/// Lists of a part that training never saw.
fn list(part: usize) -> String {
    format!("http://s.test/list?part={part}&status=closed")
}

const ITEM: &str = "http://s.test/item/7777?ref=mail";
const ITS_FORM: &str = "http://s.test/item/7777";

/// Train, fetch all the same, report what came back, and train again.
fn is_switched_off_until_the_next_training(method: &str) {
    let folder = trained(method);
    let folder = folder.path();
    assert_eq!(
        (translated(folder, ITEM), translated(folder, &list(1)) == list(1)),
        (ITS_FORM.into(), false)
    );

    // Whoever fetches the lists finds pages of their own; the items are what they were.
    let queue: Vec<String> =
        (1000..1040).flat_map(|n| [list(n), format!("http://s.test/item/{n}?ref=mail")]).collect();
    let arguments = ["--exploration", "1", "--format", "jsonl"];
    let explored = describe(folder, "translate", &arguments, &queue.join("\n"));
    let observation = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["explored"], &line["canonical"]), (&json!(true), &line["url"]));
        let same = line["url"].as_str().unwrap().contains("/item/");
        json!({"url": line["url"], "form": line["form"], "same": same}).to_string()
    };
    let lines: Vec<String> = explored.lines().map(observation).collect();
    assert_eq!(lines.len(), queue.len());

    let (came, code) = observed(folder, &["-"], &lines.join("\n"));
    let operations = came["operations"].as_array().unwrap();
    let off: Vec<&Value> = operations.iter().filter(|one| one["status"] == "off").collect();
    assert_eq!((off.len(), code), (1, Some(1)), "{came}");
    assert!(off[0]["operation"].as_str().unwrap().contains("part"));
    assert_eq!((&off[0]["agreed"], &off[0]["disagreed"]), (&json!(0), &json!(3)));
    let held = operations.iter().find(|one| one["status"] == "held").expect("the link");
    assert_eq!((&held["agreed"], &held["disagreed"]), (&json!(40), &json!(0)));

    assert_eq!(
        (translated(folder, ITEM), translated(folder, &list(1))),
        (ITS_FORM.into(), list(1))
    );
    let why = "3 of 3 explored URLs showed another page";
    let shown = describe(folder, "show", &["models/s.test"], "");
    assert!(shown.contains("switched off") && shown.contains(why), "{shown}");
    let shown = describe(folder, "show", &["models/s.test", "--format", "json"], "");
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["off"][0]["operation"], off[0]["operation"]);
    let explained = describe(folder, "explain", &[&list(1)], "");
    assert!(explained.contains("switched off: ") && explained.contains(why), "{explained}");
    assert!(!describe(folder, "explain", &[ITEM], "").contains("switched off"));

    // What is off is not counted any more, and what is tested is what is served.
    let (again, code) = observed(folder, &["-"], &lines.join("\n"));
    assert_eq!((&again["counted"], &again["passed_over"], code), (&json!(40), &json!(40), Some(0)));
    undust(folder, "evaluate").args(["full.jsonl", "--models", "models"]).assert().success();

    train(folder, method);
    assert!(translated(folder, &list(1)) != list(1));
    assert!(!describe(folder, "show", &["models/s.test"], "").contains("switched off"));
    assert!(!folder.join("models/s.test/trials.json").exists());
}

#[test]
fn a_rule_is_switched_off_until_the_next_training() {
    is_switched_off_until_the_next_training("tree");
}

#[test]
fn an_edit_is_switched_off_until_the_next_training() {
    is_switched_off_until_the_next_training("auto");
}

#[test]
fn a_crawl_tells_what_lines_would() {
    let folder = trained("tree");
    let (came, code) = observed(folder.path(), &["full.jsonl"], "");
    assert_eq!((&came["conflicts"], code), (&json!(3), Some(1)), "{came}");
    assert_eq!(translated(folder.path(), &list(1)), list(1));
    let (came, code) = observed(folder.path(), &["empty.jsonl"], "");
    assert_eq!((&came["conflicts"], code), (&json!(0), Some(0)));
    let table = describe(folder.path(), "observe", &["empty.jsonl"], "");
    assert!(table.contains("held") && table.contains("counted, of which 0 showed"), "{table}");
}

/// A pipe gives its first line once, by whatever name it is read.
#[cfg(unix)]
#[test]
fn a_pipe_may_be_a_crawl_or_lines() {
    for name in ["/dev/stdin", "-"] {
        let folder = trained("tree");
        let (came, code) = observed(folder.path(), &[name], &shop(true));
        assert_eq!((&came["counted"], &came["conflicts"], code), (&json!(43), &json!(3), Some(1)));
        let line = json!({"url": ITEM, "form": ITS_FORM, "same": true}).to_string();
        let (came, code) = observed(folder.path(), &[name], &format!("\n{line}\n{line}"));
        assert_eq!((&came["counted"], code), (&json!(2), Some(0)));
        let feed = format!(
            "<?xml version=\"1.0\"?>\n<items>\n<item><url>{ITEM}</url><body>some words</body></item>\n</items>\n"
        );
        assert_eq!(observed(folder.path(), &[name], &feed).1, Some(0));
        let table = format!("loc,body\n{ITEM},some words\n");
        let loc = [name, "--field", "url=loc"];
        assert_eq!(observed(folder.path(), &loc, &table).1, Some(0));
    }
}

#[test]
fn where_no_model_can_be_tested_the_exit_code_is_2() {
    let folder = trained("tree");
    let elsewhere = |url: &str| format!("http://elsewhere.test/{url}");
    let line = |url: &str, form: &str| json!({"url": url, "form": form, "same": true}).to_string();
    let foreign = line(&elsewhere("a?ref=mail"), &elsewhere("a"));
    write(folder.path(), "lines", &foreign);
    write(folder.path(), "crawl", shop(true).replace("s.test", "elsewhere.test"));
    for input in ["lines", "crawl"] {
        let described = failure(undust(folder.path(), "observe").arg(input), 2);
        assert_contains(&described, &["nothing could be tested", "a model in models"]);
    }
    // With others they are counted apart.
    let lines = [foreign.clone(), line(ITEM, ITS_FORM), line(ITEM, &list(1))];
    let table = describe(folder.path(), "observe", &["-"], &lines.join("\n"));
    let counts =
        ["1 URL counted, of which 0", "1 not counted: no active", "1 not counted: their sites"];
    assert_contains(&table, &counts);

    write(folder.path(), "models/s.test/model.json", "{");
    write(folder.path(), "lines", line(ITEM, ITS_FORM) + "\n" + &foreign);
    for input in ["lines", "full.jsonl"] {
        let output = undust(folder.path(), "observe").args([input, input]).output().unwrap();
        let described = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{described}");
        assert_eq!(
            described.matches("undust: model models/s.test/model.json: ").count(),
            1,
            "{described}"
        );
        assert_contains(
            described.lines().last().unwrap(),
            &["undust: one model could not be loaded"],
        );
    }
}

/// What a pruned model lacks, it lacks for good; what it has begins anew.
#[test]
fn pruning_takes_what_is_switched_off() {
    let folder = trained("tree");
    observed(folder.path(), &["full.jsonl"], "");
    let model = folder.path().join("models/s.test");
    let before = fs::read_to_string(model.join("rules.json")).unwrap();
    assert!(before.contains("k_part"));
    let items: String = (100..140)
        .map(|n| format!("{{\"url\":\"http://s.test/item/{n}\",\"status\":200,\"digest\":\"{n}\"}}\n{{\"url\":\"http://s.test/item/{n}?ref=mail\",\"status\":200,\"digest\":\"mail {n}\"}}\n"))
        .collect();
    write(folder.path(), "mails.jsonl", items);
    let mut prune = undust(folder.path(), "evaluate");
    prune.args(["mails.jsonl", "--models", "models", "--prune"]).assert().success();
    let after = fs::read_to_string(model.join("rules.json")).unwrap();
    assert!(!after.contains("k_part") && !after.contains("k_ref"), "{after}");
    assert!(!model.join("disabled.json").exists() && !model.join("trials.json").exists());
}

#[test]
fn the_share_is_drawn_and_the_rest_changes() {
    let folder = trained("tree");
    let queue: Vec<String> =
        (0..2000).map(|n| format!("http://s.test/item/{n}?ref=mail")).collect();
    let queue = queue.join("\n");
    let text =
        |share: &str| describe(folder.path(), "translate", &["--exploration", share], &queue);
    let kept = |text: &str| -> BTreeSet<String> {
        text.lines().filter(|line| line.ends_with("mail")).map(str::to_owned).collect()
    };
    let drawn = text("0.1");
    let kept_of = kept(&drawn).len();
    assert!((150..250).contains(&kept_of), "{kept_of} of 2000 drawn");
    assert_eq!((text("0.1"), kept(&text("0")).len()), (drawn.clone(), 0));
    assert!(kept(&text("0.02")).is_subset(&kept(&drawn)));

    // Each is worth fetching in addition to its form, and once.
    let unique = ["--exploration", "0.1", "--unique"];
    let forms = queue.replace("?ref=mail", "");
    let twice =
        describe(folder.path(), "translate", &unique, &[forms, queue.clone(), queue].join("\n"));
    assert_eq!(twice.lines().count(), 2000 + kept_of);
    assert_eq!(kept(&twice), kept(&drawn));
}

#[test]
fn damage_is_told_and_what_is_no_observation_counts_for_nothing() {
    let folder = trained("tree");
    let line = |url: &str, form: &str| json!({"url": url, "form": form, "same": false}).to_string();
    let lines = [
        line("http://other.test/", "http://other.test/x"),
        line(ITEM, ITEM.trim_end_matches("?ref=mail")),
        line(ITEM, "http://s.test/item/1"),
    ];
    let (came, code) = observed(folder.path(), &["-"], &lines.join("\n"));
    assert_eq!((&came["counted"], &came["passed_over"], code), (&json!(1), &json!(2), Some(0)));

    let mut observe = undust(folder.path(), "observe");
    let described = failure(observe.arg("-").write_stdin("http://s.test/\n"), 2);
    assert_contains(&described, &["-: line 1 "]);
    let path = folder.path().join("models/s.test/disabled.json");
    fs::write(&path, "no JSON").unwrap();
    let mut translate = undust(folder.path(), "translate");
    let described = failure(translate.arg("--strict").write_stdin(ITEM), 1);
    assert_contains(&described, &["disabled.json", "without this file"]);
}
