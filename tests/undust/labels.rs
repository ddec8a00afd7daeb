//! What a site says of its pages, from the files of a crawl to what `show` and `explain` tell of it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::{assert_contains, folder, only_sentence, output, succeed, undust, write};

/// Stories under two URLs each, of which from the fortieth on one was fetched: a page of it names the other one.
fn crawl() -> String {
    let mut lines = String::new();
    for n in 0..80 {
        let url = format!("http://a.test/story?id={n}");
        let views = if n < 40 { &["", "&ref=1"][..] } else { &["&from=mail"][..] };
        for view in views {
            _ = writeln!(
                lines,
                "{}",
                serde_json::json!({"url": format!("{url}{view}"), "status": 200,
                    "digest": format!("D{n}"), "canonical": url})
            );
        }
    }
    for list in ["x", "y"] {
        let url = format!("http://a.test/list?of={list}");
        _ = writeln!(
            lines,
            "{}",
            serde_json::json!({"url": url, "status": 200, "digest": "empty"})
        );
    }
    lines
}

#[test]
fn labels_are_heard_where_the_settings_ask_for_them() {
    let folder = folder(&crawl());
    let url = "http://a.test/story?id=99&from=mail";
    let answer = |models: &str| {
        let mut translate = undust(folder.path(), "translate");
        succeed(translate.args(["--models", models]).write_stdin(format!("{url}\n"))).0
    };
    output(folder.path(), "train", &["crawl.jsonl", "--models", "silent"]);
    assert_eq!(answer("silent").trim(), url);
    let mut train = undust(folder.path(), "train");
    train.env("UNDUST_LABELS_CANONICAL", "same").args(["crawl.jsonl", "--models", "heard"]);
    succeed(&mut train);
    assert_eq!(answer("heard").trim(), "http://a.test/story?id=99");
    let (shown, _) = output(folder.path(), "show", &["heard/a.test"]);
    assert_contains(&shown, &["rel=canonical, the same: wrong on 0 of 40 pages, 40 URLs added"]);
    let (explained, _) = output(folder.path(), "explain", &[url, "--models", "heard"]);
    let words = explained.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_contains(&words, &["40 canonical URLs known only because the site names it"]);
}

#[test]
fn a_sitemap_says_what_is_different() {
    let folder = folder(&crawl());
    let mut sitemap = "<?xml version=\"1.0\"?>\n<urlset>".to_owned();
    let stories = (0..40).map(|n| format!("story?id={n}"));
    for path in stories.chain(["list?of=x".into(), "list?of=y".into(), "new".into()]) {
        _ = write!(sitemap, "<url><loc>http://a.test/{path}</loc></url>");
    }
    write(folder.path(), "sitemap.xml", sitemap + "</urlset>");
    let (_, told) = output(folder.path(), "train", &["crawl.jsonl", "--sitemap", "sitemap.xml"]);
    assert_contains(&told, &["43 URLs in sitemaps"]);
    let (shown, _) = output(folder.path(), "show", &["models/a.test"]);
    assert_contains(&shown, &["sitemap, different: wrong on 1 of 41 pages, 1 cluster cut"]);
    in_a_report(folder.path());
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "--sitemap", "crawl.jsonl"]);
    let described = only_sentence(&mut train, 1);
    assert_contains(&described, &["crawl.jsonl", "is a crawl manifest and no sitemap"]);
}

/// A report has what was heard, and nothing of it where nothing was asked for. The first three quarters are learned from.
fn in_a_report(folder: &Path) {
    let text = crawl();
    let mut lines: Vec<&str> = text.lines().collect();
    // The lists, which are last, are to be learned from.
    lines.rotate_right(2);
    write(folder, "crawl.jsonl", lines.join("\n"));
    let report = |methods: &str, arguments: &[&str]| {
        let given = ["crawl.jsonl", "--json", "-", "--without-live", "--methods", methods];
        let (json, told) = output(folder, "report", &[&given, arguments].concat());
        let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        (report["sites"][0]["labels"].clone(), report["settings"].to_string(), told)
    };
    let (silent, ..) = report("auto", &[]);
    assert!(silent.is_null(), "{silent}");
    let (heard, settings, told) = report("auto", &["--sitemap", "sitemap.xml"]);
    let row = &heard[0];
    assert_eq!((&row["source"], &row["says"]), (&json!("sitemap"), &json!("different")));
    assert_eq!((&row["wrong"], &row["effect"]), (&json!(1), &json!("1 cluster cut")));
    assert_contains(&told, &["43 URLs in sitemaps"]);
    assert_contains(&settings, &["--sitemap"]);
    fs::write(folder.join("labels.toml"), "[labels]\nsitemap = true\n").expect("settings");
    let (without_gate, ..) = report("tree", &["--sitemap", "sitemap.xml"]);
    assert_eq!(without_gate, json!([]));
    let (.., told) = report("auto", &["--config", "labels.toml"]);
    assert_contains(&told, &["labels.sitemap has no effect: no sitemap is given with --sitemap"]);
    let mut none = undust(folder, "evaluate");
    let described = only_sentence(none.args(["crawl.jsonl", "--sitemap", "crawl.jsonl"]), 1);
    assert_contains(&described, &["is a crawl manifest and no sitemap"]);
}
