//! `undust evaluate` as a whole program: the published figures of real crawls, and input
//! that cannot be judged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

/// What data/README.md says of a crawl; two independent programs agree on it.
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
        test: (2038, 1601),
        keep_all: ("0.7856", "0.8799"),
    },
    Published {
        crawl: "cs.jsonl.gz",
        train: (4640, 3212),
        test: (1547, 1217),
        keep_all: ("0.7867", "0.8806"),
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

fn undust(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("undust").unwrap();
    command.current_dir(folder).arg("evaluate");
    command
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check(folder: &Path, published: &[Published]) {
    let crawls = published.iter().map(|published| published.crawl);
    let output = undust(folder)
        .args(crawls)
        .args(["--methods", "keep-all,token-identity", "--json", "-"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let results = json_lines(stdout(&output));
    assert_eq!(results.len(), published.len());
    published.iter().zip(&results).for_each(|(published, result)| published.check(result));
}

#[test]
fn keep_all_has_the_published_figures() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), &OWN);
}

#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn keep_all_has_the_published_figures_of_other_crawls() {
    let folder = PathBuf::from(std::env::var_os("UNDUST_CRAWLS").expect("UNDUST_CRAWLS"));
    check(&folder, &OTHERS);
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

fn folder_with(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

const CHEAP: [&str; 2] = ["--methods", "keep-all,token-identity"];

#[test]
fn the_table_goes_to_standard_output_and_json_to_a_file() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 40, &["/"]))]);
    let run = |extra: &[&str]| {
        undust(folder.path()).arg("a.jsonl").args(CHEAP).args(extra).output().unwrap()
    };
    let output = run(&["--json", "out.jsonl", "--beta", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("F2") && stdout(&output).contains("a.test"));
    assert!(!stdout(&output).contains('\u{1b}'), "no colours in a pipe");
    let results = json_lines(&fs::read_to_string(folder.path().join("out.jsonl")).unwrap());
    assert_eq!((results.len(), &results[0]["site"]), (1, &Value::from("a.test")));
    let merged = &results[0]["methods"][1];
    assert_eq!(
        (&merged["name"], &merged["f1"]),
        (&Value::from("token-identity"), &Value::from(1.0))
    );
    let alone = run(&["--json", "-"]);
    assert_eq!(json_lines(stdout(&alone)).len(), 1);
}

#[test]
fn folders_are_held_out() {
    let in_folder = |folder: &str| manifest(&format!("a.test/{folder}"), 20, &["/"]);
    let crawl: String = ["a", "b", "c", "d"].map(in_folder).concat();
    let folder = folder_with(&[("a.jsonl", crawl), ("one.jsonl", in_folder("a"))]);
    let run =
        |arguments: &[&str]| undust(folder.path()).args(arguments).args(CHEAP).output().unwrap();
    let output = run(&["a.jsonl", "--hold-out", "folder", "--json", "out.jsonl"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("replayed on folders"), "{}", stdout(&output));
    let results = json_lines(&fs::read_to_string(folder.path().join("out.jsonl")).unwrap());
    let number = |field: &str| results[0][field].as_u64().unwrap();
    assert_eq!(results[0]["hold_out"], "folder");
    assert_eq!(number("train_pages"), 3 * number("test_pages"), "one of four folders");
    let output = run(&["one.jsonl", "--hold-out", "folder"]);
    let told =
        "undust: one.jsonl: 40 pages cannot be split: no set of folders holds about 25 % of them\n";
    assert!(!output.status.success() && stderr(&output).ends_with(told), "{}", stderr(&output));
}

#[cfg(feature = "network")]
#[test]
fn a_network_is_learned_and_judged() {
    let folder = folder_with(&[
        ("a.jsonl", manifest("a.test", 60, &["?print=1"])),
        ("quick.toml", QUICK.into()),
    ]);
    let run = |jobs: &str| {
        let output = undust(folder.path())
            .args(["a.jsonl", "--methods", "seq2seq", "--config", "quick.toml"])
            .args(["--json", "-", "--jobs", jobs])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let mut result = json_lines(stdout(&output)).remove(0);
        result["methods"][0]["fit_seconds"].take();
        result
    };
    let result = run("1");
    assert_eq!(result["methods"][0]["network"]["steps"], 20);
    assert_eq!(result, run("2"));
}

/// Few steps of a small network.
const QUICK: &str = "[seq2seq]\nhidden = 16\nembedding = 16\nmax_steps = 20\ncheck_every = 10\n";

/// A build without networks judges all the others.
#[test]
fn without_a_list_every_method_that_the_build_trains_is_judged() {
    let folder = folder_with(&[
        ("a.jsonl", manifest("a.test", 60, &["?print=1"])),
        ("quick.toml", QUICK.into()),
    ]);
    let arguments = ["a.jsonl", "--config", "quick.toml", "--json", "-"];
    let output = undust(folder.path()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let result = json_lines(stdout(&output)).remove(0);
    let methods = result["methods"].as_array().unwrap();
    assert!(methods.iter().all(|method| method["error"].is_null()), "{result}");
    let names: Vec<_> = methods.iter().filter_map(|method| method["name"].as_str()).collect();
    let network = cfg!(feature = "network").then_some("seq2seq");
    let others = "keep-all token-identity rewrite tree dustbuster duster tagger slots auto";
    assert_eq!(names, others.split(' ').chain(network).collect::<Vec<_>>());
}

#[test]
fn several_sites_are_named_and_can_be_judged_alone() {
    let both = manifest("a.test", 120, &["/"]) + &manifest("b.test", 20, &["/"]);
    let folder = folder_with(&[("both.jsonl", both)]);
    let run = |extra: &[&str]| {
        undust(folder.path())
            .arg("both.jsonl")
            .args(CHEAP)
            .args(["--json", "-"])
            .args(extra)
            .output()
            .unwrap()
    };
    let whole = run(&[]);
    assert!(
        stderr(&whole).contains("2 hosts are judged as one site; --site-by host"),
        "{}",
        stderr(&whole)
    );
    assert_eq!(json_lines(stdout(&whole))[0]["site"], "a.test");
    let apart = run(&["--site-by", "host"]);
    assert!(
        stderr(&apart).contains("of 2 sites 1 with fewer than 100 pages are skipped"),
        "{}",
        stderr(&apart)
    );
    let results = json_lines(stdout(&apart));
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
    let output = undust(folder.path())
        .args(["single.jsonl", "one.jsonl", "--methods", methods, "--json", "-"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stdout(&output).contains("NaN") && !stdout(&output).contains("null"));
    for result in json_lines(stdout(&output)) {
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
    let alone = undust(folder.path()).arg("gone.jsonl").args(CHEAP).output().unwrap();
    assert_eq!((alone.status.code(), stdout(&alone)), (Some(1), ""));
    let sentence = "gone.jsonl: no page to judge by; left out: 1 not answered with 200";
    assert!(stderr(&alone).contains(sentence), "{}", stderr(&alone));
    let with_another =
        undust(folder.path()).args(["gone.jsonl", "good.jsonl"]).args(CHEAP).output().unwrap();
    assert!(with_another.status.success() && stdout(&with_another).contains("a.test"));
    assert!(stderr(&with_another).contains(sentence), "{}", stderr(&with_another));
}

#[test]
fn a_damaged_crawl_costs_the_others_nothing_but_the_exit_code() {
    let good = manifest("a.test", 9, &["/"]);
    let folder = folder_with(&[("bad.jsonl", format!("{good}no JSON\n")), ("good.jsonl", good)]);
    let run = |extra: &[&str]| {
        undust(folder.path())
            .args(["bad.jsonl", "good.jsonl"])
            .args(CHEAP)
            .args(extra)
            .output()
            .unwrap()
    };
    let strict = run(&[]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(stderr(&strict).contains("bad.jsonl:19"), "{}", stderr(&strict));
    assert!(stdout(&strict).contains("a.test"), "the good one was judged");
    let lenient = run(&["--lenient"]);
    assert!(
        lenient.status.success() && stdout(&lenient).contains("a.test (bad)"),
        "{}",
        stdout(&lenient)
    );
}

#[test]
fn wrong_usage_is_told_before_any_work() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let run = |arguments: &[&str]| undust(folder.path()).args(arguments).output().unwrap();
    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&[]), Some(2));
    for wrong in [
        ["--split", "1"],
        ["--split", "-0.1"],
        ["--split", "NaN"],
        ["--beta", "-1"],
        ["--beta", "inf"],
        ["--methods", "keep-everything"],
        ["--jobs", "0"],
    ] {
        assert_eq!(code(&["a.jsonl", wrong[0], wrong[1]]), Some(2), "{wrong:?}");
    }
    let missing = run(&["a.jsonl", "missing.jsonl"]);
    assert_eq!((missing.status.code(), stdout(&missing)), (Some(1), ""));
    assert!(stderr(&missing).contains("missing.jsonl"), "{}", stderr(&missing));
    assert!(!run(&["a.jsonl", "--config", "missing.toml"]).status.success());
}

#[test]
fn results_that_cannot_be_written_are_an_error() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let nowhere: PathBuf = folder.path().join("no/such/folder/out.jsonl");
    let output = undust(folder.path())
        .arg("a.jsonl")
        .args(CHEAP)
        .arg("--json")
        .arg(nowhere)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    // Before any crawl is read.
    let told = stderr(&output);
    assert!(told.starts_with("undust: cannot write") && told.lines().count() == 1, "{told}");
    assert_eq!(stdout(&output), "");
}

/// A disk may become full while methods learn.
#[cfg(target_os = "linux")]
#[test]
fn the_table_is_printed_though_the_json_cannot_be_written() {
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let mut evaluate = undust(folder.path());
    let output =
        evaluate.arg("a.jsonl").args(CHEAP).args(["--json", "/dev/full"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("a.test"), "{}", stdout(&output));
    assert!(stderr(&output).contains("cannot write /dev/full: "), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::Stdio;
    let folder = folder_with(&[("a.jsonl", manifest("a.test", 9, &["/"]))]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("undust"))
        .current_dir(folder.path())
        .args(["evaluate", "a.jsonl"])
        .args(CHEAP)
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn();
    let output = child.unwrap().wait_with_output().unwrap();
    assert!(
        output.status.success() && !stderr(&output).contains("panicked"),
        "{}",
        stderr(&output)
    );
}
