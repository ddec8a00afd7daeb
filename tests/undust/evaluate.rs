//! `undust evaluate` as a whole program: the published figures of real crawls, and input
//! that cannot be evaluated.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{
    assert_contains, data, folder_with, into_closed_pipe, json_lines, public_crawls, repository,
    stderr, stdout, undust,
};

/// Pages and clusters of a crawl, with precision and F1 of fetching everything. Two independent
/// programs agree on them.
struct Published {
    crawl: &'static str,
    train: (u64, u64),
    test: (u64, u64),
    /// Precision and F1 of fetching everything.
    keep_all: (&'static str, &'static str),
}

const OWN: [Published; 2] = [
    Published {
        crawl: "wiki.jsonl.gz",
        train: (6113, 5149),
        test: (2038, 1599),
        keep_all: ("0.7846", "0.8793"),
    },
    Published {
        crawl: "cs.jsonl.gz",
        train: (4640, 3212),
        test: (1547, 1216),
        keep_all: ("0.7860", "0.8802"),
    },
];

const OTHERS: [Published; 3] = [
    Published {
        crawl: "hgweb.jsonl.gz",
        train: (4875, 3418),
        test: (1625, 1578),
        keep_all: ("0.9711", "0.9853"),
    },
    Published {
        crawl: "dostips-forum.jsonl.gz",
        train: (9618, 2076),
        test: (3206, 908),
        keep_all: ("0.2832", "0.4414"),
    },
    Published {
        crawl: "wiki-qt-io.jsonl.gz",
        train: (20186, 14655),
        test: (6729, 2052),
        keep_all: ("0.3049", "0.4674"),
    },
];

impl Published {
    fn check(&self, result: &Value) {
        let crawl = self.crawl;
        let counts = |names: [&str; 2]| names.map(|name| result[name].as_u64().unwrap());
        assert_eq!(
            counts(["train_pages", "train_clusters"]),
            <[u64; 2]>::from(self.train),
            "{crawl}"
        );
        assert_eq!(counts(["test_pages", "test_clusters"]), <[u64; 2]>::from(self.test), "{crawl}");
        let keep_all = &result["methods"][0];
        let figure = |name: &str| format!("{:.4}", keep_all[name].as_f64().unwrap());
        assert_eq!(keep_all["name"], "keep-all");
        assert_eq!((&*figure("precision"), &*figure("f1")), self.keep_all, "{crawl}");
        assert_eq!(figure("recall"), "1.0000", "{crawl}");
    }
}

fn evaluate(folder: &Path, arguments: &[&str]) -> Output {
    undust(folder, "evaluate").args(arguments).output().unwrap()
}

const CHEAP: [&str; 2] = ["--methods", "keep-all,token-identity"];

/// The same by two methods that learn nothing.
fn evaluate_cheaply(folder: &TempDir, arguments: &[&str]) -> Output {
    evaluate(folder.path(), &[arguments, &CHEAP].concat())
}

fn check(folder: &Path, published: &[Published]) {
    let crawls: Vec<_> = published.iter().map(|published| published.crawl).collect();
    let output = evaluate(folder, &[&crawls[..], &CHEAP, &["--json", "-"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let results = json_lines(&stdout(&output));
    assert_eq!(results.len(), published.len());
    published.iter().zip(&results).for_each(|(published, result)| published.check(result));
}

#[test]
fn keep_all_has_the_published_figures() {
    check(&data(""), &OWN);
}

#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn keep_all_has_the_published_figures_of_other_crawls() {
    check(&public_crawls(), &OTHERS);
}

/// A manifest of articles, each under its URL and the given variants of it.
fn manifest(host: &str, articles: usize, variants: &[&str]) -> String {
    let line = |number: usize, variant: &str| {
        format!(
            "{{\"url\":\"http://{host}/a/{number}{variant}\",\"status\":200,\"digest\":\"{number}\"}}\n"
        )
    };
    let lines = (0..articles).flat_map(|n| [""].iter().chain(variants).map(move |v| line(n, v)));
    lines.collect()
}

/// Articles and their print views, which the digests join and the field `record` does not.
fn recorded(with_record: impl Fn(usize) -> bool) -> String {
    let line = |n: usize| {
        let (article, view) = (n / 2, ["", "?view=print"][n % 2]);
        let record = if with_record(n) { format!(",\"record\":{n}") } else { String::new() };
        format!(
            "{{\"url\":\"http://a.test/a/{article}{view}\",\"status\":200,\"digest\":\"{article}\"{record}}}\n"
        )
    };
    (0..400).map(line).collect()
}

/// A method learns by the rule of duplicates, and is judged by what the crawl knows better.
#[test]
fn pages_that_the_rule_joins_are_lost_by_the_truth() {
    let folder = folder_with(&[
        ("all.jsonl", recorded(|_| true)),
        ("half.jsonl", recorded(|n| n % 2 == 0)),
        ("large.jsonl", recorded(|_| true).replace("\"record\":", "\"record\":36893488147419103")),
        ("none.jsonl", recorded(|_| false)),
    ]);
    let auto = |crawl: &str, more: &[&str]| {
        let arguments = [&[crawl, "--methods", "auto", "--json", "-"], more].concat();
        let output = evaluate(folder.path(), &arguments);
        let result = json_lines(&stdout(&output)).remove(0);
        let lost = result["methods"][0]["lost"].as_u64().unwrap();
        // What the rule loses by itself is lost whatever a method learns, and here no method loses more.
        let of_rule = if more.is_empty() { Value::Null } else { lost.into() };
        assert_eq!(result["label_lost"], of_rule, "{result}");
        (result["test_clusters"].as_u64().unwrap(), lost, stderr(&output))
    };
    let (clusters, lost, _) = auto("all.jsonl", &[]);
    assert_eq!((clusters, lost), (50, 0));
    let (clusters, lost, said) = auto("all.jsonl", &["--truth", "record"]);
    assert_eq!((clusters, lost), (100, 50));
    assert!(!said.contains("without record"), "{said}");
    // A page without the field is that of its cluster.
    let (clusters, lost, said) = auto("half.jsonl", &["--truth", "record"]);
    assert_eq!((clusters, lost), (50, 0));
    assert_contains(&said, &["200 pages without record, judged by the others of their cluster"]);
    // Numbers of any size are what they are written as.
    let (clusters, ..) = auto("large.jsonl", &["--truth", "record"]);
    assert_eq!(clusters, 100);
    let output = evaluate(folder.path(), &["none.jsonl", "--truth", "record"]);
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&stderr(&output), &["no page has a field record to judge by"]);
    let both = ["all.jsonl", "none.jsonl", "--truth", "record", "--methods", "auto"];
    let output = evaluate(folder.path(), &both);
    assert_eq!(output.status.code(), Some(1));
    assert_contains(
        &stdout(&output),
        &["100 of them judged by --truth; the rule of duplicates itself loses 50 and leaves 0"],
    );
}

/// What the rule of duplicates loses and leaves on the crawls that have records.
#[test]
fn the_rule_joins_and_splits_records_as_the_documents_say() {
    let readme = fs::read_to_string(repository().join("data/README.md")).expect("the document");
    let (_, table) = readme
        .split_once("| crawl | a record is | records | label joins | label splits |\n")
        .expect("the table");
    let arguments = ["--truth", "record", "--split", "0", "--methods", "keep-all", "--json", "-"];
    let folder = tempfile::tempdir().expect("a folder");
    let mut sums = [0, 0];
    for row in table.lines().skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let said = |cell: usize| cells[cell].replace(',', "").parse::<u64>().expect("a number");
        sums = [sums[0] + said(3), sums[1] + said(2)];
        for name in cells[0].split(", ") {
            let crawl = data(&format!("{}.jsonl.gz", name.trim_matches('`')));
            let crawl = crawl.to_str().expect("a name");
            let output = evaluate(folder.path(), &[&[crawl], &arguments[..]].concat());
            let found = json_lines(&stdout(&output)).remove(0);
            assert_eq!(
                (&found["label_lost"], &found["label_left"]),
                (&said(3).into(), &said(4).into()),
                "{name}"
            );
        }
    }
    assert_eq!(sums, [470, 20_127]);
    let summary = fs::read_to_string(repository().join("README.md")).expect("the document");
    assert_contains(&summary, &["joins 470 of the 20,127 [records"]);
}

#[test]
fn the_table_goes_to_standard_output_and_json_to_a_file() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 40, &["/"]))]);
    let run = |extra: &[&str]| evaluate_cheaply(&folder, &[&["a.jsonl"], extra].concat());
    let output = run(&["--json", "out.jsonl"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("a.test"));
    assert!(!stdout(&output).contains('\u{1b}'), "no colours in a pipe");
    let results = json_lines(&fs::read_to_string(folder.path().join("out.jsonl")).unwrap());
    assert_eq!((results.len(), &results[0]["site"]), (1, &Value::from("a.test")));
    let merged = &results[0]["methods"][1];
    assert_eq!(
        (&merged["name"], &merged["f1"]),
        (&Value::from("token-identity"), &Value::from(1.0))
    );
    let alone = run(&["--json", "-"]);
    assert_eq!(json_lines(&stdout(&alone)).len(), 1);
}

#[test]
fn folders_are_held_out() {
    let in_folder = |folder: &str| manifest(&format!("a.test/{folder}"), 20, &["/"]);
    let crawl: String = ["a", "b", "c", "d"].map(in_folder).concat();
    let folder = folder_with(&[("a.jsonl", crawl), ("one.jsonl", in_folder("a"))]);
    let arguments = ["a.jsonl", "--hold-out", "folder", "--json", "out.jsonl"];
    let output = evaluate_cheaply(&folder, &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("replayed on some folders"), "{}", stdout(&output));
    let results = json_lines(&fs::read_to_string(folder.path().join("out.jsonl")).unwrap());
    let number = |field: &str| results[0][field].as_u64().unwrap();
    assert_eq!(results[0]["hold_out"], "folder");
    assert_eq!(number("train_pages"), 3 * number("test_pages"), "one of four folders");
    let output = evaluate_cheaply(&folder, &["one.jsonl", "--hold-out", "folder"]);
    assert!(!output.status.success());
    assert_contains(&stderr(&output), &["one.jsonl: 40 pages", "folders"]);
}

/// Forty articles are learned from, and of twenty pages to test on half are of a new kind. What
/// nothing is known of stays as it is, and is fetched twice.
#[test]
fn urls_of_unseen_shapes_are_told_from_others() {
    let articles = manifest("a.test", 50, &["/print"]);
    let crawl = articles + &manifest("a.test/new", 10, &["/print"]);
    let folder = folder_with(&[("a.jsonl", crawl), ("same.jsonl", manifest("a.test", 50, &["/"]))]);
    let arguments = ["a.jsonl", "--methods", "keep-all,tree", "--split", "0.6667"];
    let arguments = [&arguments[..], &["--json", "out.jsonl"]].concat();
    let output = evaluate(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stdout(&output);
    assert_contains(&printed, &["whose shape is unseen: 20 of 40 (50.0 %)", "unseen shapes"]);
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let results = json_lines(&fs::read_to_string(folder.path().join("out.jsonl")).unwrap());
    assert_eq!(results[0]["unseen_urls"], 20);
    let redundant = |method: usize, kind: &str| {
        results[0]["methods"][method]["by_shape"][kind]["redundant"].as_u64().unwrap()
    };
    let of_kinds = |method| [redundant(method, "seen"), redundant(method, "unseen")];
    assert_eq!([of_kinds(0), of_kinds(1)], [[10, 10], [0, 10]]);
    let same = stdout(&evaluate_cheaply(&folder, &["same.jsonl"]));
    assert_contains(&same, &["whose shape is unseen: 0 of 25 (0.0 %)"]);
    assert!(!same.contains("unseen shapes"), "{same}");
}

#[cfg(feature = "network")]
#[test]
fn a_network_is_learned_and_evaluated() {
    let folder = folder_with(&[
        ("a.jsonl", manifest("a.test", 60, &["?print=1"])),
        ("quick.toml", QUICK.into()),
    ]);
    let run = |jobs: &str| {
        let arguments = ["a.jsonl", "--methods", "seq2seq", "--config", "quick.toml"];
        let arguments = [&arguments[..], &["--json", "-", "--jobs", jobs]].concat();
        let output = evaluate(folder.path(), &arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        let mut result = json_lines(&stdout(&output)).remove(0);
        result["methods"][0]["fit_seconds"].take();
        result
    };
    let result = run("1");
    assert_eq!(result["methods"][0]["network"]["steps"], 20);
    assert_eq!(result, run("2"));
}

/// Few steps of a small network.
const QUICK: &str = "[seq2seq]\nhidden = 16\nembedding = 16\nmax_steps = 20\ncheck_every = 10\n";

/// A build without networks evaluates all the others.
#[test]
fn without_a_list_every_method_that_the_build_trains_is_evaluated() {
    let folder = folder_with(&[
        ("a.jsonl", manifest("a.test", 60, &["?print=1"])),
        ("quick.toml", QUICK.into()),
    ]);
    let arguments = ["a.jsonl", "--config", "quick.toml", "--json", "-"];
    let output = evaluate(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let result = json_lines(&stdout(&output)).remove(0);
    let methods = result["methods"].as_array().unwrap();
    assert!(methods.iter().all(|method| method["error"].is_null()), "{result}");
    let named: Vec<_> = methods.iter().filter_map(|method| method["name"].as_str()).collect();
    let network = cfg!(feature = "network").then_some("seq2seq");
    let others = "keep-all token-identity rewrite tree dustbuster duster miqps slots auto";
    assert_eq!(named, others.split(' ').chain(network).collect::<Vec<_>>());
}

#[test]
fn several_sites_are_named_and_can_be_evaluated_alone() {
    let both = manifest("a.test", 120, &["/"]) + &manifest("b.test", 20, &["/"]);
    let folder = folder_with(&[("both.jsonl", both)]);
    let both = ["both.jsonl", "--json", "-"];
    let whole = evaluate_cheaply(&folder, &both);
    assert_contains(&stderr(&whole), &["2 hosts", "--site-by host"]);
    assert_eq!(json_lines(&stdout(&whole))[0]["site"], "a.test");
    let apart = evaluate_cheaply(&folder, &[&both[..], &["--site-by", "host"]].concat());
    assert_contains(&stderr(&apart), &["2 sites", "100 pages"]);
    let results = json_lines(&stdout(&apart));
    assert_eq!((results.len(), results[0]["train_pages"].as_u64()), (1, Some(180)));
}

#[cfg(feature = "network")]
#[test]
fn crawls_without_duplicates_or_of_one_page_have_figures() {
    let folder = folder_with(&[
        ("single.jsonl", manifest("a.test", 50, &[])),
        ("one.jsonl", manifest("b.test", 1, &[])),
    ]);
    let methods = "keep-all,token-identity,seq2seq-paper";
    let arguments = ["single.jsonl", "one.jsonl", "--methods", methods, "--json", "-"];
    let output = evaluate(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stdout(&output).contains("NaN") && !stdout(&output).contains("null"));
    for result in json_lines(&stdout(&output)) {
        for method in result["methods"].as_array().unwrap() {
            assert_eq!(
                (&method["f1"], &method["lost"]),
                (&Value::from(1.0), &Value::from(0)),
                "{result}"
            );
        }
    }
}

#[test]
fn a_crawl_without_pages_is_told_in_one_sentence() {
    let gone = "{\"url\":\"http://a.test/\",\"status\":404}\n".to_owned();
    let folder =
        folder_with(&[("gone.jsonl", gone), ("good.jsonl", manifest("a.test", 9, &["/"]))]);
    let alone = evaluate_cheaply(&folder, &["gone.jsonl"]);
    assert_eq!((alone.status.code(), &*stdout(&alone)), (Some(1), ""));
    let sentence = ["gone.jsonl: no page", "1 not answered with status 200"];
    assert_contains(&stderr(&alone), &sentence);
    let with_another = evaluate_cheaply(&folder, &["gone.jsonl", "good.jsonl"]);
    assert!(with_another.status.success() && stdout(&with_another).contains("a.test"));
    assert_contains(&stderr(&with_another), &sentence);
}

#[test]
fn a_damaged_crawl_costs_the_others_nothing_but_the_exit_code() {
    let good = manifest("a.test", 9, &["/"]);
    let folder = folder_with(&[("bad.jsonl", format!("{good}no JSON\n")), ("good.jsonl", good)]);
    let strict = evaluate_cheaply(&folder, &["bad.jsonl", "good.jsonl"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(stderr(&strict).contains("bad.jsonl:19"), "{}", stderr(&strict));
    assert!(stdout(&strict).contains("a.test"), "the good one was evaluated");
    let lenient = evaluate_cheaply(&folder, &["bad.jsonl", "good.jsonl", "--lenient"]);
    assert!(lenient.status.success(), "{}", stderr(&lenient));
    assert_contains(&stdout(&lenient), &["a.test (bad)"]);
}

#[test]
fn wrong_usage_is_told_before_any_work() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let run = |arguments: &[&str]| evaluate(folder.path(), arguments);
    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&[]), Some(2));
    for wrong in [
        ["--split", "1"],
        ["--split", "-0.1"],
        ["--split", "NaN"],
        ["--methods", "keep-everything"],
        ["--jobs", "0"],
    ] {
        assert_eq!(code(&["a.jsonl", wrong[0], wrong[1]]), Some(2), "{wrong:?}");
    }
    let missing = run(&["a.jsonl", "missing.jsonl"]);
    assert_eq!((missing.status.code(), &*stdout(&missing)), (Some(1), ""));
    assert!(stderr(&missing).contains("missing.jsonl"), "{}", stderr(&missing));
    assert!(!run(&["a.jsonl", "--config", "missing.toml"]).status.success());
}

#[test]
fn results_that_cannot_be_written_are_an_error() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let output = evaluate_cheaply(&folder, &["a.jsonl", "--json", "no/such/folder/out.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    // Before any crawl is read.
    let described = stderr(&output);
    assert!(
        described.starts_with("undust: cannot write") && described.lines().count() == 1,
        "{described}"
    );
    assert_eq!(stdout(&output), "");
}

/// A disk may become full while methods learn.
#[cfg(target_os = "linux")]
#[test]
fn the_table_is_printed_though_the_json_cannot_be_written() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let output = evaluate_cheaply(&folder, &["a.jsonl", "--json", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("a.test"), "{}", stdout(&output));
    assert!(stderr(&output).contains("cannot write /dev/full: "), "{}", stderr(&output));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let arguments = [&["evaluate", "a.jsonl"][..], &CHEAP].concat();
    let output = into_closed_pipe(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
}
