//! `undust report` as a whole program: causes of duplicates, the figures of `evaluate`, the same rows in three formats, outputs that cannot be
//! written, hostile crawls, and the page in a real browser.

mod browser;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{
    assert_contains, data, failure, folder_with, json_lines, output, stderr, succeed, undust,
};

/// Stories that have two URLs each, and pages that have one: enough to learn from.
fn crawl() -> String {
    let line = |path: String, page: &str| {
        json!({
            "url": format!("http://a.test/{path}"),
            "status": 200,
            "title": format!("The page of {page}"),
            "digest": page,
        })
        .to_string()
            + "\n"
    };
    let story = |n: usize| {
        line(format!("story/{n}"), &format!("story {n}"))
            + &line(format!("story/{n}?from=mail"), &format!("story {n}"))
            + &line(format!("author/{n}"), &format!("author {n}"))
    };
    (100..220).map(story).collect()
}

fn report(folder: &Path, arguments: &[&str]) -> (String, String) {
    output(folder, "report", arguments)
}

/// The report on a crawl as JSON.
fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let (text, _) = report(folder, &[arguments, &["--json", "-"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn figures_are_those_of_evaluate() {
    let folder = tempfile::tempdir().expect("a folder");
    for crawl in ["board", "library"] {
        let path = data(&format!("{crawl}.jsonl.gz"));
        let path = path.to_str().expect("a name");
        let methods = ["--methods", "keep-all,tree,auto"];
        let evaluated =
            output(folder.path(), "evaluate", &[&methods[..], &[path, "--json", "-"]].concat()).0;
        let evaluated = &json_lines(&evaluated)[0];
        let site = &json_of(folder.path(), &[&methods[..], &[path]].concat())["sites"][0];
        for (own, theirs) in [
            ("train_urls", "train_pages"),
            ("train_pages", "train_clusters"),
            ("test_urls", "test_pages"),
            ("test_pages", "test_clusters"),
            ("unseen_urls", "unseen_urls"),
        ] {
            assert_eq!(site["parts"][own], evaluated[theirs], "{own}");
        }
        let methods = evaluated["methods"].as_array().expect("methods");
        assert_eq!(site["methods"].as_array().expect("rows").len(), methods.len());
        for (at, method) in methods.iter().enumerate() {
            let row = &site["methods"][at];
            for (own, theirs) in [
                ("method", &method["name"]),
                ("fetched", &method["crawled"]),
                ("found", &method["covered"]),
                ("redundant", &method["redundant"]),
                ("lost", &method["lost"]),
                ("precision", &method["precision"]),
                ("recall", &method["recall"]),
                ("f1", &method["f1"]),
                ("f1_low", &method["intervals"]["f1"][0]),
                ("f1_high", &method["intervals"]["f1"][1]),
            ] {
                assert_eq!(&row[own], theirs, "{crawl}: {own}");
            }
        }
        let live = output(folder.path(), "evaluate", &["--live", path, "--json", "-"]).0;
        let live = &json_lines(&live)[0];
        for (own, theirs) in
            [("saved", "saved"), ("lost", "lost"), ("fetched", "fetched"), ("pages", "clusters")]
        {
            assert_eq!(site["live"][own], live[theirs], "{crawl}: live: {own}");
        }
    }
}

/// Views of a story are one page to the rule of duplicates, and two records.
#[test]
fn a_field_of_the_crawl_judges_and_is_named() {
    let number = |(n, line): (usize, &str)| line.replace('{', &format!("{{\"record\":{n},")) + "\n";
    let crawl: String = crawl().lines().enumerate().map(number).collect();
    let folder = folder_with(&[("a.jsonl", crawl)]);
    let arguments = ["a.jsonl", "--methods", "auto", "--without-live"];
    let lost = |more: &[&str]| {
        let report = json_of(folder.path(), &[&arguments[..], more].concat());
        let site = &report["sites"][0];
        let has_row = report["settings"].to_string().contains("--truth");
        assert_eq!(has_row, !more.is_empty());
        (site["parts"]["judged_by_truth"].clone(), site["methods"][0]["lost"].clone())
    };
    assert_eq!(lost(&[]), (0.into(), 0.into()));
    assert_eq!(lost(&["--truth", "record"]), (90.into(), 30.into()));
    let page = [&arguments[..], &["--truth", "record", "-o", "-"]].concat();
    let (page, _) = report(folder.path(), &page);
    assert_contains(&page, &["--truth", ">record<", "90 of these are judged by the field"]);
}

#[test]
fn the_page_says_what_the_table_of_evaluate_says() {
    let folder = folder_with(&[("crawl.jsonl", crawl())]);
    let arguments = ["crawl.jsonl", "--methods", "keep-all,auto"];
    let (table, _) = output(folder.path(), "evaluate", &arguments);
    let (page, _) = report(folder.path(), &[&arguments[..], &["-o", "-"]].concat());
    for number in table.split(|letter: char| !letter.is_ascii_digit() && letter != '.') {
        // Figures of the table have four decimals.
        if number.len() == 6 && number.contains('.') {
            assert!(page.contains(number), "{number}");
        }
    }
    let said = ["argument from", "lost none of", "The page of story 1"];
    assert_contains(&page, &said);
}

/// The first lines say how many URLs are needless, why, and what to do; the CSV names each of them.
#[test]
fn causes_come_first_and_every_url_is_in_the_csv() {
    let folder = folder_with(&[("crawl.jsonl", crawl())]);
    let arguments = ["crawl.jsonl", "--methods", "keep-all,auto", "--without-live"];
    let outputs = ["-o", "report.html", "--csv", "tables"];
    let (_, told) = report(folder.path(), &[&arguments[..], &outputs].concat());
    let summary = "360 URLs show 240 pages: 120 URLs (33.3 %) are needless";
    assert_contains(&told, &[&format!("a.test: {summary}")]);
    let page = fs::read_to_string(folder.path().join("report.html")).expect("a page");
    let first = page.split("All causes").next().expect("a beginning");
    let cause = "argument from</strong>: 120 needless URLs (100.0\u{202f}%";
    assert_contains(first, &["360 URLs show 240 pages", cause, "rel=canonical to the URL without"]);
    let clusters = fs::read_to_string(folder.path().join("tables/clusters.csv")).expect("a table");
    let row = "http://a.test/story/100,http://a.test/story/100?from=mail,argument from,false,\r\n";
    assert!(clusters.contains(row) && clusters.lines().count() == 241, "{clusters}");
}

#[test]
fn the_same_crawl_has_the_same_bytes() {
    let folder = folder_with(&[("crawl.jsonl", crawl())]);
    let arguments = ["crawl.jsonl", "--methods", "keep-all,auto", "--jobs"];
    let page = |jobs| report(folder.path(), &[&arguments[..], &[jobs, "-o", "-"]].concat()).0;
    let (one, other) = (page("1"), page("3"));
    assert!(one.starts_with("<!DOCTYPE html>") && one == other);
    assert!(!one.contains(folder.path().to_str().expect("a name")), "only the given name");
}

/// Each row of JSON is one of CSV.
#[test]
fn tables_have_the_rows_of_the_json() {
    let folder = folder_with(&[("crawl.jsonl", crawl()), ("other.jsonl", crawl())]);
    let arguments = ["crawl.jsonl", "other.jsonl", "--methods", "keep-all,auto", "--csv", "tables"];
    let json = json_of(folder.path(), &arguments);
    let tables = fs::read_dir(folder.path().join("tables")).expect("a folder");
    let names =
        tables.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    let names: BTreeSet<String> = names.collect();
    assert_eq!(names.len(), 19, "{names:?}");
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.path().join("tables").join(name)).expect("a table");
        text.lines().count() - 1
    };
    let sites = json["sites"].as_array().expect("sites");
    assert_eq!(sites.len(), 2);
    for (name, field) in [
        ("methods.csv", "methods"),
        ("causes.csv", "causes"),
        ("pages.csv", "pages"),
        ("families.csv", "families"),
        ("edits.csv", "edits"),
        ("refused.csv", "refused"),
        ("clusters.csv", "clusters"),
    ] {
        let rows: usize = sites.iter().map(|site| site[field].as_array().expect(field).len()).sum();
        assert!(rows > 0 && lines(name) == rows, "{name}: {rows}");
    }
    assert_eq!(lines("inputs.csv"), 2);
    for (name, field) in [("parts.csv", "parts"), ("verdicts.csv", "verdict"), ("live.csv", "live")]
    {
        assert_eq!(lines(name), 2, "{name}");
        let text = fs::read_to_string(folder.path().join("tables").join(name)).expect("a table");
        let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let columns = rows.next().expect("columns");
        let object = sites[0][field].as_object().expect("an object");
        assert_eq!(columns.len(), 2 + object.len(), "{columns:?}");
        let first = rows.next().expect("a row");
        for (column, cell) in columns.iter().zip(first).skip(2) {
            // The sentence has commas, and lists are separated by blanks.
            if object[*column].is_number() {
                assert_eq!(cell, object[*column].to_string(), "{name}: {column}");
            }
        }
    }
    let methods = fs::read_to_string(folder.path().join("tables/methods.csv")).expect("a table");
    let auto = &sites[0]["methods"][1];
    let row = format!(
        "{},{},{}",
        auto["method"].as_str().expect("a name"),
        auto["fetched"],
        auto["found"]
    );
    assert!(methods.contains(&row), "{row}: {methods}");
    let sha1 = json["inputs"][0]["sha1"].as_str().expect("a digest");
    assert_eq!(sha1.len(), 40);
    assert_eq!(json["inputs"][0]["sha1"], json["inputs"][1]["sha1"]);
}

#[test]
fn several_crawls_are_one_page_with_an_index() {
    let folder = folder_with(&[("one.jsonl", crawl()), ("two.jsonl", crawl())]);
    let arguments =
        ["one.jsonl", "two.jsonl", "--methods", "keep-all,auto", "--without-live", "-o", "-"];
    let (page, _) = report(folder.path(), &arguments);
    assert_contains(&page, &["<bdi>Index</bdi>", "a.test (one)", "a.test (two)", "href=\"#s2\""]);
    assert!(!page.contains("the live engine"));
}

#[test]
fn a_site_that_gives_nothing_to_learn_has_a_page_that_says_so() {
    let pages = (0..80)
        .map(|n| format!("{{\"url\":\"http://a.test/{n}\",\"status\":200,\"digest\":\"{n}\"}}\n"));
    let folder = folder_with(&[("crawl.jsonl", pages.collect::<String>())]);
    let (page, told) = succeed(undust(folder.path(), "report").args(["crawl.jsonl", "-o", "-"]));
    assert_contains(&page, &["auto accepted no edit", "No held-out URL showed a page again"]);
    assert_contains(&told, &["a.test: No held-out URL showed a page again"]);
}

#[test]
fn what_was_left_out_is_counted() {
    let crawl = crawl()
        + "{\"url\":\"http://a.test/gone\",\"status\":404}\nno json\n"
        + "{\"url\":\"http://a.test/away\",\"status\":301,\"location\":\"http://b.test/\"}\n";
    let folder = folder_with(&[("crawl.jsonl", crawl)]);
    let arguments = ["crawl.jsonl", "--lenient", "--methods", "keep-all,auto"];
    let json = json_of(folder.path(), &arguments);
    let counts = json["sites"][0]["left_out"].to_string();
    assert_contains(
        &counts,
        &["not answered with status 200", "redirected out of the crawl", "bad manifest line"],
    );
    assert!(json["sites"][0]["notes"][0].as_str().expect("a note").contains("crawl.jsonl"));
    report(folder.path(), &[&arguments[..], &["--csv", "tables"]].concat());
    let notes = fs::read_to_string(folder.path().join("tables/notes.csv")).expect("a table");
    assert_contains(&notes, &["site,crawl,note\r\n", "crawl.jsonl:362: "]);
}

#[test]
fn a_crawl_that_cannot_be_read_is_named_in_the_report_on_the_others() {
    let folder = folder_with(&[("crawl.jsonl", crawl()), ("bad.jsonl", "no json\n".to_owned())]);
    let outputs = ["-o", "report.html", "--csv", "tables"];
    let arguments = ["crawl.jsonl", "bad.jsonl", "--methods", "keep-all,auto"];
    let arguments = [&arguments[..], &outputs].concat();
    let told = failure(undust(folder.path(), "report").args(arguments), 1);
    assert_contains(&told, &["bad.jsonl"]);
    let page = fs::read_to_string(folder.path().join("report.html")).expect("a page");
    assert_contains(&page, &["Not everything was evaluated", "bad.jsonl", "a.test"]);
    let failures = fs::read_to_string(folder.path().join("tables/failures.csv")).expect("a table");
    assert_contains(&failures, &["failure\r\n", "bad.jsonl"]);
}

#[test]
fn outputs_that_cannot_be_written_are_told() {
    let folder = folder_with(&[("crawl.jsonl", crawl()), ("file", String::new())]);
    let run = |arguments: &[&str], code| {
        let all = [&["crawl.jsonl", "--methods", "keep-all,auto"], arguments].concat();
        failure(undust(folder.path(), "report").args(all), code)
    };
    assert_contains(&run(&["-o", "no/such/report.html"], 1), &["cannot write no/such/report.html"]);
    assert_contains(&run(&["-o", "report.html", "--csv", "file"], 1), &["cannot write file"]);
    assert_contains(&run(&["-o", "-", "--json", "-"], 2), &["--output and --json"]);
    assert!(!folder.path().join("report.html").exists());
    let none = undust(folder.path(), "report").arg("crawl.jsonl").output().expect("a run");
    assert_eq!(none.status.code(), Some(2), "{}", stderr(&none));
    #[cfg(target_os = "linux")]
    assert_contains(&run(&["-o", "/dev/full"], 1), &["cannot write /dev/full"]);
}
