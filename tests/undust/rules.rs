//! The learners of rules as whole programs: a crawl in, rules that a person can read out.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{
    access_log, assert_contains, failure, files, folder, json_lines, line, output, piped,
    public_crawls, succeed, trained_by, translated, undust, write,
};

const METHODS: [&str; 4] = ["rewrite", "tree", "dustbuster", "duster"];

/// Stories with a print view each, and pages without one.
fn stories(host: &str) -> String {
    let story = |n: usize| {
        let (url, page) = (format!("http://{host}/story/{n}"), n.to_string());
        line(&url, &page)
            + &line(&format!("{url}/print"), &page)
            + &line(&format!("http://{host}/tag/{n}"), &format!("1{n}"))
    };
    (100..160).map(story).collect()
}

fn trained(method: &str) -> tempfile::TempDir {
    trained_by(method, &stories("a.test"))
}

fn shown(folder: &Path) -> String {
    output(folder, "show", &["models/a.test", "--all"]).0
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
                let described = failure(&mut command, 1);
                assert_contains(
                    &described,
                    &[&format!("the feature `{device}`"), "build undust with "],
                );
            }
        }
    }
}

#[test]
fn rules_are_kept_shown_and_applied() {
    for method in METHODS {
        let folder = trained(method);
        let kept: Vec<_> = files(&folder.path().join("models")).into_keys().collect();
        assert_eq!(kept, ["a.test/conventions.json", "a.test/model.json", "a.test/rules.json"]);
        let text = shown(folder.path());
        let before_and_after = "http://a.test/story/100/print\n   → http://a.test/story/100";
        assert_contains(
            &text,
            &["1.0000 (0 collisions)", "0 of them another page", before_and_after],
        );
        let queue =
            "http://a.test/story/7/print\nhttp://a.test/tag/7\nhttp://b.test/story/7/print\n";
        let expected = queue.replacen("/print", "", 1);
        assert_eq!(translated(folder.path(), queue), expected, "{method}");
    }
}

/// The URL to fetch is the one that the site linked, not the form that identifies duplicates.
#[test]
fn unique_prints_the_first_url_of_each_form_as_it_came() {
    let folder = trained("tree");
    let queue = "http://a.test/story/7/print\nhttp://a.test/story/7\nhttp://a.test/tag/7\n\
                 http://a.test/story/8\nhttp://a.test/story/8/print\n";
    let expected = "http://a.test/story/7/print\nhttp://a.test/tag/7\nhttp://a.test/story/8\n";
    assert_eq!(piped(folder.path(), "translate", &["--unique"], queue).0, expected);
}

#[test]
fn json_names_the_rules_that_found_a_form() {
    let folder = trained("tree");
    let queue = "http://a.test/story/7/print\n";
    let (record, _) = piped(folder.path(), "translate", &["--format", "jsonl"], queue);
    let record: Value = serde_json::from_str(&record).unwrap();
    assert_eq!(
        (&record["how"], &record["canonical"]),
        (&"rules".into(), &"http://a.test/story/7".into())
    );
    let cause = record["cause"].as_str().unwrap();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = shown(folder.path());
    assert!(words(&shown).contains(&words(cause)), "{cause}\n{shown}");
}

/// A crawl and a log in one training: the log's own site is learned, too, and what it says of a
/// site with pages is left out aloud.
#[test]
fn logs_beside_pages_are_not_dropped_in_silence() {
    let folder = folder(&stories("a.test"));
    write(folder.path(), "access.log", log(|n| 1000 + n));
    let train = |method: &str, host: &str| {
        let arguments = ["crawl.jsonl", "access.log", "--method", method, "--host", host];
        output(folder.path(), "train", &arguments).1
    };
    let described = train("dustbuster", "l.test");
    let models = fs::read_dir(folder.path().join("models")).unwrap().count();
    assert_eq!(models, 2, "{described}");
    let described = train("dustbuster", "a.test");
    assert_contains(&described, &["1 site with pages and with entries of logs or lists"]);
    let described = train("tree", "a.test");
    assert_contains(&described, &["160 URLs left out: 160 without simhash and digest"]);
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
        let rule = json!({"rule": {"substitution": {"parameter": {"name": "sid"}}}});
        rules["rules"].as_array_mut().unwrap().push(rule);
    });
    let queue = "http://a.test/story/7/print?sid=9\n";
    assert_eq!(
        translated(folder.path(), queue),
        "http://a.test/story/7/print\n".replace("/print", "")
    );
}

/// At most ten rules and 80 columns, unless all are asked for.
#[test]
fn what_is_shown_fits_on_a_screen() {
    let folder = trained("dustbuster");
    edit(folder.path(), |rules| {
        for number in 0..14 {
            let name = format!("session{number}-{}", "x".repeat(60));
            let rule = json!({"rule": {"substitution": {"parameter": {"name": name}}}});
            rules["rules"].as_array_mut().unwrap().push(rule);
        }
    });
    let (table, _) = output(folder.path(), "show", &["models/a.test"]);
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let rows = table.matches("session").count();
    assert!((1..=10).contains(&rows) && table.contains(" more; --all lists all"), "{table}");
    let all = shown(folder.path());
    assert_eq!(all.matches("session").count(), 14, "{all}");
}

#[test]
fn nonsense_in_the_rules_is_told_with_its_rule() {
    type Change = fn(&mut Value);
    let nonsense: [(&str, Change, &str); 6] = [
        ("tree", |rule| rule["rule"] = json!({"keys": 7}), "invalid type"),
        (
            "rewrite",
            |rule| rule["rule"]["keys"]["transformation"] = json!({}),
            "transforms nothing",
        ),
        (
            "rewrite",
            |rule| rule["rule"]["keys"]["transformation"] = json!({"k(0)": []}),
            "`k(0)` is not a key",
        ),
        ("dustbuster", |rule| rule["coverage"] = 3.into(), "unknown field `coverage`"),
        (
            "duster",
            |rule| rule["rule"] = json!({"substitution": {"parameter": {"name": "a"}}}),
            "is not a rule that `duster` learns",
        ),
        (
            "dustbuster",
            |rule| rule["rule"] = json!({"substitution": {"parameter": {"name": "a=b"}}}),
            "is not a parameter name",
        ),
    ];
    for (method, change, described) in nonsense {
        let folder = trained(method);
        let mut notation = String::new();
        edit(folder.path(), |rules| {
            notation = rules["rules"][0]["notation"].as_str().unwrap().to_owned();
            change(&mut rules["rules"][0]);
        });
        let message = failure(undust(folder.path(), "show").arg("models/a.test"), 1);
        assert_contains(&message, &["models/a.test/rules.json: rule 1 ", &notation, described]);
    }
    let folder = trained("tree");
    edit(folder.path(), |rules| rules["method"] = "duster".into());
    let message = failure(undust(folder.path(), "show").arg("models/a.test"), 1);
    assert_contains(&message, &["rules.json", "`duster`", "model.json", "`tree`"]);
}

/// Stories that are linked to with and without `index.html`.
fn log(size: impl Fn(usize) -> usize) -> String {
    let lines = |n: usize| {
        let folder = format!("/story{n}/part{}/", n % 7);
        access_log(&folder, size(n)) + &access_log(&(folder + "index.html"), size(n))
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
    for (input, host, described) in [
        ("access.log", "a.test", "sizes in a log can refute a rule but not confirm it"),
        ("urls.txt", "l.test", "does not describe pages"),
    ] {
        let mut train = undust(folder.path(), "train");
        train.args([input, "--method", "dustbuster"]);
        if input == "access.log" {
            train.args(["--host", "a.test"]);
        }
        assert_contains(&succeed(&mut train).1, &[described]);
        let queue = format!("http://{host}/story99/index.html\n");
        assert_eq!(translated(folder.path(), &queue), format!("http://{host}/story99/\n"));
        let (shown, _) = output(folder.path(), "show", &[&format!("models/{host}"), "--all"]);
        assert_contains(&shown, &["no pages to check the rule by"]);
    }
}

#[test]
fn other_commands_and_methods_refuse_a_bare_list() {
    let folder = folder("");
    write(folder.path(), "urls.txt", "http://a.test/\nhttp://a.test/b\n");
    for command in [&["train"][..], &["evaluate", "--methods", "tree"], &["cluster"], &["ingest"]] {
        let mut refused = undust(folder.path(), command[0]);
        let message = failure(refused.args(&command[1..]).arg("urls.txt"), 1);
        assert_contains(&message, &["urls.txt: ", "a bare list of URLs"]);
    }
}

/// Every cell of the table on real crawls, and no method that loses many pages.
#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn public_crawls_fill_every_cell() {
    let mut crawls: Vec<PathBuf> =
        fs::read_dir(public_crawls()).unwrap().map(|entry| entry.unwrap().path()).collect();
    crawls.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    let mut evaluate = undust(Path::new("."), "evaluate");
    let methods = format!("keep-all,{}", METHODS.join(","));
    evaluate.args(&crawls).args(["--methods", &methods, "--json", "-"]);
    for result in json_lines(&succeed(&mut evaluate).0) {
        let methods = result["methods"].as_array().unwrap();
        let keep_all = methods[0]["f1"].as_f64().unwrap();
        for method in &methods[1..] {
            let (recall, f1) = (method["recall"].as_f64().unwrap(), method["f1"].as_f64().unwrap());
            assert!(recall > 0.9 && f1 > keep_all - 0.001, "{}: {method}", result["site"]);
        }
    }
}
