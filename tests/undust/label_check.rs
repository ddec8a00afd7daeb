//! `undust cluster --sample` and `--marked`: the check of labels by eye.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::{assert_contains, crawl, failure, folder, output, undust, write};

#[test]
fn a_sample_of_pairs_is_marked_and_counted() {
    let folder = folder(&crawl("a.test", 60));
    let folder = folder.path();
    let sample = |arguments: &[&str]| {
        output(folder, "cluster", &[&["crawl.jsonl", "--sample"], arguments].concat()).0
    };
    let pairs = sample(&["20"]);
    let lines: Vec<Vec<&str>> = pairs.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["mark", "url", "other_url", "title"]);
    assert_eq!(lines.len(), 21);
    for line in &lines[1..] {
        let user = line[3];
        let urls = BTreeSet::from([line[1], line[2]]);
        let url = format!("http://a.test/users/{user}x");
        assert_eq!(urls, BTreeSet::from([&*url, &*format!("{url}/name{user}")]));
        assert_eq!(line[0], "");
    }
    // Repeatable, and another seed draws another sample.
    assert_eq!(sample(&["20"]), pairs);
    assert_ne!(sample(&["20", "--seed", "3"]), pairs);

    let arguments = ["crawl.jsonl", "--sample", "99", "-o", "pairs.tsv"];
    let (_, described) = output(folder, "cluster", &arguments);
    assert_contains(&described, &["60 pairs", "no more"]);
    let whole = fs::read_to_string(folder.join("pairs.tsv")).expect("pairs");
    let described = failure(undust(folder, "cluster").args(["--marked", "pairs.tsv"]), 1);
    assert_contains(&described, &["pairs.tsv: no pair is marked", "right or wrong"]);

    // As spreadsheets write it: carriage returns, quotes, capitals.
    let marks = ["Right", "\"right\"", "wrong", "r", "", "?", "perhaps"];
    let marked = whole.lines().enumerate().map(|(at, line)| match at {
        0 => format!("{line}\r\n"),
        _ => format!("{}{line}\r\n", marks.get(at - 1).unwrap_or(&"right")),
    });
    write(folder, "marked.tsv", marked.collect::<String>());
    let (counts, described) = output(folder, "cluster", &["--marked", "marked.tsv"]);
    let counts: Value = serde_json::from_str(&counts).expect("JSON");
    assert_eq!([&counts["right"], &counts["wrong"], &counts["unmarked"]], [56, 1, 3]);
    assert_contains(
        &described,
        &["line 8 ", "1 of 57 marked pairs wrong: 1.8 %", "0.3 % to 9.3 %"],
    );
}

#[test]
fn what_shares_no_cluster_gives_no_pair() {
    let folder = folder("{\"url\":\"http://a.test/\",\"status\":200,\"digest\":\"x\"}\n");
    let (pairs, described) = output(folder.path(), "cluster", &["crawl.jsonl", "--sample", "9"]);
    assert_eq!(pairs.lines().count(), 1);
    assert_contains(&described, &["0 pairs"]);
    for wrong in
        [&["crawl.jsonl", "--sample", "0"][..], &["crawl.jsonl", "--sample", "1", "--state", "s"]]
    {
        undust(folder.path(), "cluster").args(wrong).assert().failure().code(2);
    }
}
