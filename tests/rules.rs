//! The learners of rules as whole programs: a crawl in, rules that a person can read out.

mod made_up;

use std::fs;
use std::path::{Path, PathBuf};

use made_up::{failure, files, folder, stderr, undust, write};
use serde_json::Value;

const METHODS: [&str; 4] = ["rewrite", "tree", "dustbuster", "duster"];

/// Stories with a print view each, and pages without one.
fn stories(host: &str) -> String {
    let line = |url: String, page: usize| {
        format!("{{\"url\":\"{url}\",\"status\":200,\"title\":\"{page}\",\"digest\":\"{page}\"}}\n")
    };
    let story = |n: usize| {
        let url = format!("http://{host}/story/{n}");
        line(url.clone(), n)
            + &line(format!("{url}/print"), n)
            + &line(format!("http://{host}/tag/{n}"), 1000 + n)
    };
    (100..160).map(story).collect()
}

fn trained(method: &str) -> tempfile::TempDir {
    let folder = folder(&stories("a.test"));
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "--method", method]).assert().success();
    folder
}

fn shown(folder: &Path) -> String {
    let output = undust(folder, "show").arg("models/a.test").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn translated(folder: &Path, queue: &str) -> String {
    let output = undust(folder, "translate").write_stdin(queue).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Though no network would be trained on it.
#[test]
fn a_device_that_is_not_built_in_is_told() {
    let folder = folder(&stories("a.test"));
    for (device, is_built) in
        [("ndarray", cfg!(feature = "ndarray")), ("gpu", cfg!(feature = "gpu"))]
    {
        for arguments in [["train", "--method", "tree"], ["evaluate", "--methods", "tree"]] {
            let mut command = undust(folder.path(), arguments[0]);
            command.args(["crawl.jsonl", "--device", device]).args(&arguments[1..]);
            if is_built {
                command.assert().success();
            } else {
                let told = failure(&mut command, 1);
                let wanted = format!("this build has no `{device}`; build it with ");
                assert!(told.starts_with(&wanted), "{told}");
            }
        }
    }
}

#[test]
fn rules_are_kept_shown_and_applied() {
    for method in METHODS {
        let folder = trained(method);
        let names: Vec<_> = files(&folder.path().join("models")).into_keys().collect();
        assert_eq!(names, ["a.test/conventions.json", "a.test/model.json", "a.test/rules.json"]);
        let text = shown(folder.path());
        for told in ["→", "precision 1.0000 (0 collisions)", "0 of them another page"] {
            assert!(text.contains(told), "{method}: {text}");
        }
        let before_and_after = "http://a.test/story/100/print\n   → http://a.test/story/100";
        assert!(text.contains(before_and_after), "{method}: {text}");
        let queue =
            "http://a.test/story/7/print\nhttp://a.test/tag/7\nhttp://b.test/story/7/print\n";
        let expected = queue.replacen("/print", "", 1);
        assert_eq!(translated(folder.path(), queue), expected, "{method}");
    }
}

/// The URL to fetch is the one that the site linked, not the form that tells duplicates.
#[test]
fn unique_prints_the_first_url_of_each_form_as_it_came() {
    let folder = trained("tree");
    let queue = "http://a.test/story/7/print\nhttp://a.test/story/7\nhttp://a.test/tag/7\n\
                 http://a.test/story/8\nhttp://a.test/story/8/print\n";
    let mut translate = undust(folder.path(), "translate");
    let output = translate.arg("--unique").write_stdin(queue).output().unwrap();
    let expected = "http://a.test/story/7/print\nhttp://a.test/tag/7\nhttp://a.test/story/8\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn json_names_the_rules_that_found_a_form() {
    let folder = trained("tree");
    let mut translate = undust(folder.path(), "translate");
    let queue = "http://a.test/story/7/print\n";
    let output = translate.args(["--format", "jsonl"]).write_stdin(queue).output().unwrap();
    let record: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&record["how"], &record["canonical"]),
        (&"rules".into(), &"http://a.test/story/7".into())
    );
    let cause = record["cause"].as_str().unwrap();
    assert!(shown(folder.path()).contains(cause), "{cause}");
}

/// A crawl and a log in one training: the log's own site is learned, too, and what it says of a
/// site with pages is left out aloud.
#[test]
fn logs_beside_pages_are_not_dropped_in_silence() {
    let folder = folder(&stories("a.test"));
    write(folder.path(), "access.log", log(|n| 1000 + n));
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "access.log", "--method", "dustbuster", "--host", "l.test"]);
    let output = train.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let models = fs::read_dir(folder.path().join("models")).unwrap().count();
    assert_eq!(models, 2, "{}", stderr(&output));
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "access.log", "--method", "dustbuster", "--host", "a.test"]);
    let told = stderr(&train.output().unwrap());
    assert!(told.contains("1 site with pages and with entries of logs or lists"), "{told}");
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "access.log", "--method", "tree", "--host", "a.test"]);
    let told = stderr(&train.output().unwrap());
    assert!(told.contains("160 URLs left out: 160 without simhash and digest"), "{told}");
}

#[test]
fn the_same_crawl_gives_the_same_bytes_on_any_number_of_threads() {
    for method in METHODS {
        let folder = folder(&stories("a.test"));
        let model = |threads: &str, name: &str| {
            let mut train = undust(folder.path(), "train");
            train.env("RAYON_NUM_THREADS", threads);
            train.args(["crawl.jsonl", "--method", method, "--models", name]).assert().success();
            files(&folder.path().join(name))
        };
        assert!(model("1", "one") == model("2", "two"), "{method}");
    }
}

fn edit(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("models/a.test/rules.json");
    let mut rules: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut rules);
    fs::write(path, rules.to_string()).unwrap();
}

#[test]
fn rules_can_be_edited_by_hand() {
    let folder = trained("dustbuster");
    edit(folder.path(), |rules| {
        let rule = serde_json::json!({"rule": {"substitution": {"parameter": {"name": "sid"}}}});
        rules["rules"].as_array_mut().unwrap().push(rule);
    });
    let queue = "http://a.test/story/7/print?sid=9\n";
    assert_eq!(
        translated(folder.path(), queue),
        "http://a.test/story/7/print\n".replace("/print", "")
    );
}

#[test]
fn nonsense_in_the_rules_is_told_with_its_rule() {
    type Change = fn(&mut Value);
    let nonsense: [(&str, Change, &str); 6] = [
        ("tree", |rule| rule["rule"] = serde_json::json!({"keys": 7}), "invalid type"),
        (
            "rewrite",
            |rule| rule["rule"]["keys"]["transformation"] = serde_json::json!({}),
            "transforms nothing",
        ),
        (
            "rewrite",
            |rule| rule["rule"]["keys"]["transformation"] = serde_json::json!({"k(0)": []}),
            "`k(0)` is no key",
        ),
        ("dustbuster", |rule| rule["coverage"] = 3.into(), "unknown field `coverage`"),
        (
            "duster",
            |rule| rule["rule"] = serde_json::json!({"substitution": {"parameter": {"name": "a"}}}),
            "is no rule that `duster` learns",
        ),
        (
            "dustbuster",
            |rule| {
                rule["rule"] = serde_json::json!({"substitution": {"parameter": {"name": "a=b"}}})
            },
            "is no name of a parameter",
        ),
    ];
    for (method, change, told) in nonsense {
        let folder = trained(method);
        let mut notation = String::new();
        edit(folder.path(), |rules| {
            notation = rules["rules"][0]["notation"].as_str().unwrap().to_owned();
            change(&mut rules["rules"][0]);
        });
        let message = failure(undust(folder.path(), "show").arg("models/a.test"), 1);
        for part in ["models/a.test/rules.json: rule 1 (", &notation, told] {
            assert!(message.contains(part), "{message}");
        }
    }
    let folder = trained("tree");
    edit(folder.path(), |rules| rules["method"] = "duster".into());
    let message = failure(undust(folder.path(), "show").arg("models/a.test"), 1);
    assert!(message.contains("holds rules of `duster`, but model.json says `tree`"), "{message}");
}

/// Stories that are linked to with and without `index.html`.
fn log(size: impl Fn(usize) -> usize) -> String {
    let line = |path: String, size: usize| {
        format!(
            "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET {path} HTTP/1.1\" 200 {size} \"-\" \"-\"\n"
        )
    };
    let lines = |n: usize| {
        let folder = format!("/story{n}/part{}/", n % 7);
        line(folder.clone(), size(n)) + &line(folder + "index.html", size(n))
    };
    (0..80).map(lines).collect()
}

#[test]
fn dustbuster_learns_from_a_log_and_from_a_bare_list() {
    let folder = folder("");
    write(folder.path(), "access.log", log(|n| 1000 + n));
    let list: String = (0..80)
        .map(|n| {
            format!("http://l.test/story{n}/\nhttp://l.test/story{n}/index.html\n\nno url {n}\n")
        })
        .collect();
    write(folder.path(), "urls.txt", &list);
    for (input, host, told) in [
        ("access.log", "a.test", "a log's sizes can refute a rule but not confirm it"),
        ("urls.txt", "l.test", "a bare list of URLs says nothing about their pages"),
    ] {
        let mut train = undust(folder.path(), "train");
        train.args([input, "--method", "dustbuster"]);
        if input == "access.log" {
            train.args(["--host", "a.test"]);
        }
        let output = train.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
        let queue = format!("http://{host}/story99/index.html\n");
        assert_eq!(translated(folder.path(), &queue), format!("http://{host}/story99/\n"));
        let shown = undust(folder.path(), "show").arg(format!("models/{host}")).output().unwrap();
        assert!(String::from_utf8_lossy(&shown.stdout).contains("nothing to check it by"));
    }
}

#[test]
fn other_commands_and_methods_refuse_a_bare_list() {
    let folder = folder("");
    write(folder.path(), "urls.txt", "http://a.test/\nhttp://a.test/b\n");
    for command in [&["train"][..], &["evaluate", "--methods", "tree"], &["cluster"], &["ingest"]] {
        let mut refused = undust(folder.path(), command[0]);
        let message = failure(refused.args(&command[1..]).arg("urls.txt"), 1);
        assert!(message.contains("is a bare list of URLs"), "{command:?}: {message}");
    }
}

#[test]
fn the_rule_level_report_has_the_papers_rows() {
    let folder = folder(&stories("a.test"));
    let mut evaluate = undust(folder.path(), "evaluate");
    evaluate.args(["crawl.jsonl", "--methods", &METHODS.join(","), "--rules", "--json", "-"]);
    let output = evaluate.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    for method in result["methods"].as_array().unwrap() {
        let selections = method["rule_report"]["selections"].as_array().unwrap();
        assert_eq!(selections.len(), 2 * 5 * 3, "{method}");
        let best = &selections[0];
        assert_eq!((&best["min_precision"], &best["min_coverage"]), (&1.0.into(), &10.into()));
        assert!(
            best["rules"].as_u64() >= Some(1) && best["reduction_ratio"].as_f64() > Some(0.2),
            "{method}"
        );
        assert_eq!(best["cluster_reduction"], 1.0, "{method}");
    }
    let table = undust(folder.path(), "evaluate")
        .args(["crawl.jsonl", "--methods", "keep-all,tree", "--rules"])
        .output()
        .unwrap();
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("false positives as key collisions"), "{table}");
}

/// Every cell of the table on real crawls, and no method that loses many pages.
#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn public_crawls_fill_every_cell() {
    let folder = PathBuf::from(std::env::var_os("UNDUST_CRAWLS").expect("UNDUST_CRAWLS"));
    let mut crawls: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    crawls.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    let mut evaluate = undust(Path::new("."), "evaluate");
    let methods = format!("keep-all,{}", METHODS.join(","));
    evaluate.args(&crawls).args(["--methods", &methods, "--json", "-"]);
    let output = evaluate.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let result: Value = serde_json::from_slice(line).unwrap();
        let methods = result["methods"].as_array().unwrap();
        let keep_all = methods[0]["f1"].as_f64().unwrap();
        for method in &methods[1..] {
            let (recall, f1) = (method["recall"].as_f64().unwrap(), method["f1"].as_f64().unwrap());
            assert!(recall > 0.9 && f1 > keep_all - 0.001, "{}: {method}", result["site"]);
        }
    }
}
