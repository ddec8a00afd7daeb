//! Models tested on a later crawl of their site: what a crawl refutes, what pruning leaves, and
//! what is learned of both crawls.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{
    assert_contains, data, failure, files, folder, folder_with, json_lines, line, shop, stderr,
    stdout, undust, write,
};

/// The crawls of a tracker before and after its tickets changed.
fn tracker(number: u32) -> PathBuf {
    data(&format!("tracker-{number}.jsonl.gz"))
}

fn train(folder: &Path, crawls: &[&Path], method: &str) -> String {
    let mut command = undust(folder, "train");
    stderr(command.args(crawls).args(["--method", method]).assert().success().get_output())
}

/// The test of the models on a crawl, and the exit code.
fn tested(folder: &Path, crawl: &Path, more: &[&str]) -> (Value, Option<i32>) {
    let mut command = undust(folder, "evaluate");
    command.arg(crawl).args(["--models", "models", "--json", "-"]).args(more);
    let output = command.output().unwrap();
    let mut lines = json_lines(&stdout(&output));
    assert_eq!(lines.len(), 1, "{}", stderr(&output));
    (lines.remove(0), output.status.code())
}

/// Operations with a verdict.
fn with(tested: &Value, verdict: &str) -> Vec<String> {
    let operations = tested["operations"].as_array().unwrap().iter();
    let these = operations.filter(|operation| operation["verdict"] == verdict);
    let label = |operation: &Value| {
        let [notation, scope] = ["operation", "scope"].map(|name| operation[name].as_str());
        let scope = scope.map(|scope| format!(" ({scope})")).unwrap_or_default();
        notation.unwrap().to_owned() + &scope
    };
    these.map(label).collect()
}

/// What training on the first crawl gives is refuted by the second, and no more once pruned.
fn is_pruned(method: &str) {
    let folder = folder("");
    train(folder.path(), &[&tracker(1)], method);
    let (before, code) = tested(folder.path(), &tracker(2), &[]);
    let refuted = with(&before, "refuted");
    assert_eq!((refuted.is_empty(), code), (false, Some(1)));
    let models = folder.path().join("models");
    let old = files(&models);
    let (after, code) = tested(folder.path(), &tracker(2), &["--prune"]);
    assert_eq!((with(&after, "refuted").len(), code), (0, Some(0)));
    assert!(after["lost"].as_u64() < before["lost"].as_u64());
    let pruned: Vec<_> = after["pruned"].as_array().unwrap().iter().collect();
    assert!(refuted.iter().all(|one| pruned.iter().any(|other| *other == one)));
    let info = fs::read(models.join("tracker.test/model.json")).unwrap();
    let info: Value = serde_json::from_slice(&info).unwrap();
    assert_eq!(info["record"]["pruned"], after["pruned"]);
    assert_eq!(info["record"]["report"]["method"], method);
    let new = files(&models);
    assert!(old.keys().eq(new.keys()));
    assert!(old["tracker.test/conventions.json"] == new["tracker.test/conventions.json"]);
    assert_eq!(tested(folder.path(), &tracker(2), &[]).1, Some(0));
}

#[test]
fn trees_of_a_tracker_are_refuted_and_pruned() {
    is_pruned("tree");
}

#[test]
fn dustbusters_rules_of_a_tracker_are_refuted_and_pruned() {
    is_pruned("dustbuster");
}

#[test]
#[ignore = "takes long"]
fn what_auto_learned_of_a_tracker_holds() {
    let folder = folder("");
    train(folder.path(), &[&tracker(1)], "auto");
    // Six URLs of one report were within three bits of one another, and are not in the later crawl: two pages of 1,697.
    let (tested, _) = tested(folder.path(), &tracker(2), &[]);
    assert!(with(&tested, "held").len() > with(&tested, "refuted").len(), "{tested}");
    assert!(tested["lost_share"].as_f64() <= Some(0.005), "{tested}");
}

#[test]
fn what_is_learned_of_both_crawls_holds_on_both() {
    let folder = folder("");
    let described = train(folder.path(), &[&tracker(1), &tracker(2)], "tree");
    assert!(described.contains("dropped, because one of the crawls refutes it"), "{described}");
    for crawl in [1, 2] {
        let (tested, code) = tested(folder.path(), &tracker(crawl), &[]);
        assert_eq!((with(&tested, "refuted").len(), code), (0, Some(0)));
    }
}

/// A folder with the crawls of a shop without closed tickets and with some.
fn shops() -> TempDir {
    folder_with(&[("empty.jsonl", shop(false)), ("full.jsonl", shop(true))])
}

#[test]
fn a_list_that_was_empty_is_refuted_once_it_is_not() {
    let folder = shops();
    let full = Path::new("full.jsonl");
    train(folder.path(), &[Path::new("empty.jsonl")], "tree");
    assert_eq!(tested(folder.path(), Path::new("empty.jsonl"), &[]).1, Some(0));
    let (before, code) = tested(folder.path(), full, &[]);
    assert_eq!((before["lost"].as_u64(), code), (Some(39), Some(1)));
    assert!(with(&before, "refuted").iter().all(|operation| operation.contains("part")));
    assert!(with(&before, "held").iter().any(|operation| operation.contains("ref")));
    let mut described = undust(folder.path(), "evaluate");
    let described = failure(described.args(["full.jsonl", "--models", "models"]), 1);
    assert_contains(&described, &["refuted", "lost: 39 of"]);
    let (after, code) = tested(folder.path(), full, &["--prune"]);
    assert_eq!((after["lost"].as_u64(), code), (Some(0), Some(0)));
    assert_eq!(with(&after, "held"), with(&before, "held"));
}

/// Items under both schemes, with links of a newsletter, and lists of questions by tags in both
/// orders: each the same page, or each a page of its own.
fn ways(are_same: bool) -> String {
    let other = |page: String| if are_same { page } else { format!("other {page}") };
    let of = |n: usize| {
        let (item, tags) = (format!("item {n}"), format!("tags {n}"));
        line(&format!("http://s.test/item/{n}"), &item)
            + &line(&format!("http://s.test/item/{n}?ref=mail"), &item)
            + &line(&format!("https://s.test/item/{n}"), &other(item))
            + &line(&format!("http://s.test/tags?of=a{n},b"), &tags)
            + &line(&format!("http://s.test/tags?of=b,a{n}"), &other(tags))
    };
    (100..140).map(of).collect()
}

/// A folder with crawls of that site before and after it changed.
fn changed_ways() -> TempDir {
    folder_with(&[("same.jsonl", ways(true)), ("other.jsonl", ways(false))])
}

#[test]
fn how_urls_are_written_is_refuted_and_pruned() {
    let steps = ["list ?of in order", "scheme https → http"];
    let folder = changed_ways();
    let (same, other) = (Path::new("same.jsonl"), Path::new("other.jsonl"));
    train(folder.path(), &[same], "tree");
    let (before, code) = tested(folder.path(), same, &[]);
    assert_eq!((with(&before, "refuted").len(), code), (0, Some(0)));
    assert!(steps.iter().all(|step| with(&before, "held").iter().any(|held| held == step)));
    let (before, code) = tested(folder.path(), other, &[]);
    let mut refuted = with(&before, "refuted");
    refuted.sort();
    assert_eq!(
        (refuted, before["lost"].as_u64(), code),
        (steps.map(Into::into).into(), Some(80), Some(1))
    );
    let models = folder.path().join("models");
    let old = files(&models);
    let (after, code) = tested(folder.path(), other, &["--prune"]);
    assert_eq!(
        (with(&after, "refuted").len(), after["lost"].as_u64(), code),
        (0, Some(0), Some(0))
    );
    assert!(with(&after, "held").iter().any(|operation| operation.contains("ref")));
    let mut pruned: Vec<String> = serde_json::from_value(after["pruned"].clone()).unwrap();
    pruned.sort();
    assert_eq!(pruned, steps);
    let new = files(&models);
    let changed: Vec<_> = old.keys().filter(|name| old[*name] != new[*name]).collect();
    assert!(old.keys().eq(new.keys()));
    assert_eq!(changed, ["s.test/conventions.json", "s.test/model.json"]);
    assert!(!String::from_utf8_lossy(&new["s.test/conventions.json"]).contains("lists"));
    assert_eq!(tested(folder.path(), other, &[]).1, Some(0));
}

#[test]
fn how_urls_are_written_must_hold_on_all_crawls() {
    let folder = changed_ways();
    let described =
        train(folder.path(), &[Path::new("other.jsonl"), Path::new("same.jsonl")], "tree");
    assert!(described.contains("dropped, because one of the crawls refutes it"), "{described}");
    for crawl in ["other.jsonl", "same.jsonl"] {
        let (tested, code) = tested(folder.path(), Path::new(crawl), &[]);
        assert_eq!(
            (with(&tested, "refuted").len(), tested["lost"].as_u64(), code),
            (0, Some(0), Some(0))
        );
    }
}

#[test]
fn of_several_crawls_the_newest_decides_and_what_held_on_all_is_kept() {
    for (crawls, is_dropped) in
        [(["empty.jsonl", "full.jsonl"], false), (["full.jsonl", "empty.jsonl"], true)]
    {
        let folder = shops();
        let described = train(folder.path(), &crawls.map(Path::new), "tree");
        assert_eq!(
            described.contains("dropped, because one of the crawls refutes it"),
            is_dropped,
            "{described}"
        );
        for crawl in crawls {
            let (tested, code) = tested(folder.path(), Path::new(crawl), &[]);
            assert_eq!((tested["lost"].as_u64(), code), (Some(0), Some(0)));
            assert!(with(&tested, "held").iter().any(|operation| operation.contains("ref")));
        }
    }
}

#[test]
fn parts_of_one_crawl_teach_what_the_whole_does() {
    let folder = shops();
    let whole = shop(false);
    let lines: Vec<&str> = whole.lines().collect();
    let (first, second) = lines.split_at(lines.len() / 2);
    write(folder.path(), "1.jsonl", first.join("\n"));
    write(folder.path(), "2.jsonl", second.join("\n"));
    let rules = |crawls: &[&str]| {
        let crawls: Vec<&Path> = crawls.iter().map(Path::new).collect();
        train(folder.path(), &crawls, "tree");
        fs::read_to_string(folder.path().join("models/s.test/rules.json")).unwrap()
    };
    assert_eq!(rules(&["empty.jsonl"]), rules(&["1.jsonl", "2.jsonl"]));
}

#[test]
fn what_cannot_be_tested_is_reported() {
    let folder = shops();
    let mut evaluate = undust(folder.path(), "evaluate");
    let described = failure(evaluate.args(["full.jsonl", "--models", "models"]), 2);
    assert_contains(&described, &["models", "no such folder"]);
    train(folder.path(), &[Path::new("empty.jsonl")], "tree");
    write(folder.path(), "other.jsonl", shop(true).replace("s.test", "other.test"));
    let mut evaluate = undust(folder.path(), "evaluate");
    let described = failure(evaluate.args(["other.jsonl", "--models", "models"]), 2);
    assert_contains(&described, &["other.jsonl: no page", "a model in models"]);
    for wrong in [&["--prune"][..], &["--models", "models", "--methods", "tree"]] {
        let mut evaluate = undust(folder.path(), "evaluate");
        evaluate.arg("full.jsonl").args(wrong).assert().failure().code(2);
    }
}

/// Lists in two orders: each a page of its own, or of most the orders all the same.
fn ordered(are_same: bool) -> String {
    let of = |n: usize| {
        let order = |order: &str| {
            let page = format!("list {n} {}", if are_same { "" } else { order });
            line(&format!("http://s.test/list?part={n}&order={order}"), &page)
        };
        let item =
            |view: &str| line(&format!("http://s.test/item/{n}{view}"), &format!("item {n}"));
        // Of some lists only one order was seen.
        let down = if are_same && n.is_multiple_of(5) { String::new() } else { order("down") };
        order("up") + &down + &item("") + &item("?ref=mail")
    };
    (100..140).map(of).collect()
}

/// An outage, or a site that answers robots with one page, teaches a model that drops what matters.
#[test]
fn a_model_that_drops_what_matters_is_written_beside_the_one_in_place() {
    let folder = folder_with(&[("apart.jsonl", ordered(false)), ("same.jsonl", ordered(true))]);
    let (apart, same) = (Path::new("apart.jsonl"), Path::new("same.jsonl"));
    train(folder.path(), &[apart], "auto");
    let (models, beside) = (folder.path().join("models"), folder.path().join("models.new/s.test"));
    let old = files(&models);
    // The same again is no flip.
    train(folder.path(), &[apart], "auto");
    assert!(files(&models) == old);
    for models_as_written in ["models", "models/", "./models/."] {
        let mut again = undust(folder.path(), "train");
        let output = again.arg(same).args(["--models", models_as_written]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        let expected = ["s.test: the model in place stays", "drop ?order", "--replace"];
        assert_contains(&said, &expected);
        assert_contains(&said, &["0 sites trained; 1 site with the old model still in place"]);
        assert!(files(&models) == old && beside.is_dir(), "{models_as_written}");
        fs::remove_dir_all(&beside).unwrap();
    }
    // Other settings are meant to make another model.
    let mut bolder = undust(folder.path(), "train");
    bolder.arg(same).args(["--max-lost-share", "0.01"]).assert().success();
    assert!(files(&models) != old);
    train(folder.path(), &[apart], "auto");
    undust(folder.path(), "train").arg(same).assert().failure();
    assert!(beside.is_dir());
    undust(folder.path(), "train").arg(same).arg("--replace").assert().success();
    assert!(files(&models) != old && !beside.exists());
    // What drops less is no flip.
    train(folder.path(), &[apart], "auto");
    assert!(files(&models) == old);
}

/// Not yet knowing is not keeping: the first crawl has no duplicates, the next one three sessions a page.
#[test]
fn what_was_never_tested_is_learned() {
    let page = |n: usize, session: usize| {
        line(&format!("http://s.test/page/{n}?sid={n}{session}"), &format!("page {n}"))
    };
    let item =
        |n: usize, view: &str| line(&format!("http://s.test/item/{n}{view}"), &format!("item {n}"));
    let items = || (100..140).map(|n| item(n, "") + &item(n, "?ref=mail")).collect::<String>();
    let first = (100..160).map(|n| page(n, 1)).collect::<String>() + &items();
    let next =
        (100..160).map(|n| page(n, 1) + &page(n, 2) + &page(n, 3)).collect::<String>() + &items();
    let folder = folder_with(&[("first.jsonl", first), ("next.jsonl", next)]);
    train(folder.path(), &[Path::new("first.jsonl")], "auto");
    let old = files(&folder.path().join("models"));
    train(folder.path(), &[Path::new("next.jsonl")], "auto");
    assert!(files(&folder.path().join("models")) != old);
}
