//! `undust validate`: the pairs of URLs that would decide what is only likely, fetched from a server and observed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::support::{
    assert_contains, failure, folder_with, json_lines, line, output, repository, stderr, stdout,
    succeed, translated, two_trained, undust, write,
};

/// A site of stories and a shop. Whatever is asked for, it notes.
struct Site {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

/// The status and the text of a path. `?print=1` shows the story, `/old` redirects to it; `?lang=en` of an item
/// shows another page, and an item without `.php` is not there.
fn answer(path: &str) -> (u16, String) {
    let page =
        |text: String| (200, format!("<title>{text}</title><p>This is {text}, and no other page."));
    if path == "/robots.txt" {
        return (200, "User-agent: *\nDisallow: /private/\n".into());
    }
    let (name, query) = path.split_once('?').unwrap_or((path, ""));
    match (name.split('/').nth(1), query) {
        (Some("story"), _) if name.ends_with("/old") => (301, name.trim_end_matches("/old").into()),
        (Some("story"), _) => page(name.into()),
        (Some("item"), _) if name.ends_with(".php") => page(path.into()),
        _ => (404, String::new()),
    }
}

impl Site {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let noted = Arc::clone(&asked);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut line = String::new();
                let mut lines = BufReader::new(stream.try_clone().expect("a stream"));
                lines.read_line(&mut line).expect("a request");
                let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
                while lines.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {}
                let (status, text) = answer(&path);
                noted.lock().expect("no panic").push(path);
                let location =
                    if status == 301 { format!("Location: {text}\r\n") } else { String::new() };
                let head = format!(
                    "HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nConnection: close\r\n{location}Content-Length: {}\r\n\r\n",
                    text.len()
                );
                stream.write_all((head + &text).as_bytes()).ok();
            }
        });
        Self { address, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn folder(&self) -> String {
        self.address.to_string().replace(':', "+")
    }
}

/// A list of the site. Not all rules that DustBuster learns from it hold.
fn list(site: &Site) -> String {
    let of = |n: usize| {
        [
            format!("/story/s{n}x"),
            format!("/story/s{n}x?print=1"),
            format!("/story/s{n}x/old"),
            format!("/item/i{n}x.php"),
            format!("/item/i{n}x.php?lang=en"),
        ]
        .map(|path| site.url(&path) + "\n")
    };
    (0..60).flat_map(of).collect()
}

fn fetch(folder: &Path) {
    let script = repository().join("examples/fetch_pairs.py");
    let run = Command::new("python3")
        .arg(script)
        .args(["pairs.jsonl", "fetched.jsonl", "0"])
        .current_dir(folder)
        .output()
        .expect("python3 runs");
    assert!(run.status.success(), "{}", stderr(&run));
}

/// From a list of URLs to rules that are valid: the fourth phase of DustBuster.
#[test]
fn rules_of_a_list_are_validated_by_fetches() {
    let site = Site::start();
    let folder = folder_with(&[("list", list(&site))]);
    let folder = folder.path();
    output(folder, "train", &["list", "--method", "dustbuster"]);
    let model = format!("models/{}", site.folder());
    let print = site.url("/story/s7x?print=1");
    let english = site.url("/item/i7x.php?lang=en");
    let queue = format!("{print}\n{english}\n");
    // Both rules are only likely.
    let form = |url: &str| url.split('?').next().unwrap_or_default().to_owned();
    assert_eq!(translated(folder, &queue), format!("{}\n{}\n", form(&print), form(&english)));

    let (_, described) = output(folder, "validate", &[&model, "list", "-o", "pairs.jsonl"]);
    assert_contains(&described, &["pairs of ", " to fetch", "`undust observe`"]);
    let pairs = json_lines(&fs::read_to_string(folder.join("pairs.jsonl")).expect("pairs"));
    assert!(pairs.iter().all(|pair| pair["question"] == "likely"), "{pairs:?}");
    let has = |url: &str| {
        pairs.iter().any(|pair| pair["url"] == *url && pair["form"] == form(url).as_str())
    };
    assert!(has(&print) && has(&english));
    let operations: BTreeSet<&str> =
        pairs.iter().filter_map(|pair| pair["operation"].as_str()).collect();
    for operation in operations {
        let is_of = |pair: &&Value| pair["operation"].as_str() == Some(operation);
        let count = pairs.iter().filter(is_of).count();
        assert!((1..=100).contains(&count), "{operation}: {count}");
    }

    fetch(folder);
    let asked = site.asked.lock().expect("no panic").clone();
    assert_eq!(asked[0], "/robots.txt");
    let distinct: BTreeSet<&String> = asked.iter().collect();
    assert_eq!(distinct.len(), asked.len(), "nothing is fetched twice");

    let mut observe = undust(folder, "observe");
    let observed = observe.args(["fetched.jsonl", "--format", "json"]).output().expect("a run");
    assert_eq!(observed.status.code(), Some(1), "a rule is refuted: {}", stderr(&observed));
    let described: Value = serde_json::from_str(&stdout(&observed)).expect("JSON");
    let rules = described["validations"][0]["rules"].as_array().expect("rules");
    let verdicts = |verdict: &str| rules.iter().filter(|rule| rule["verdict"] == *verdict).count();
    assert!(verdicts("valid") > 0 && verdicts("refuted") > 0, "{described:#}");
    assert_eq!(rules[0]["verdict"], "refuted");
    // What holds goes on, and what does not is switched off.
    assert_eq!(translated(folder, &queue), format!("{}\n{english}\n", form(&print)));
    let (shown, _) = output(folder, "show", &[&model]);
    assert_contains(&shown, &["fetches", &format!("{} rule", verdicts("valid")), "refuted"]);
    // What is decided is not asked for again.
    let again = output(folder, "validate", &[&model, "list"]).0;
    let again: BTreeSet<String> =
        json_lines(&again).iter().map(|pair| pair["operation"].to_string()).collect();
    let decided = |rule: &&Value| rule["verdict"] != "open";
    for rule in rules.iter().filter(decided) {
        assert!(!again.contains(&rule["operation"].to_string()), "{rule} in {again:?}");
    }
    // A second look at the same pages decides nothing new, and switches nothing off twice.
    let (text, _) = succeed(undust(folder, "observe").arg("fetched.jsonl"));
    assert_contains(&text, &["by fetches", "valid"]);
}

#[test]
fn what_robots_txt_forbids_is_not_fetched() {
    let site = Site::start();
    let pair = json!({"url": site.url("/private/1"), "form": site.url("/story/1")});
    let folder = folder_with(&[("pairs.jsonl", format!("{pair}\n"))]);
    fetch(folder.path());
    assert_eq!(*site.asked.lock().expect("no panic"), ["/robots.txt", "/story/1"]);
    let (lines, _) = output(folder.path(), "ingest", &["fetched.jsonl"]);
    let pages = json_lines(&lines);
    assert_eq!(pages.len(), 1);
    assert_eq!((&pages[0]["title"], &pages[0]["status"]), (&json!("/story/1"), &json!(200)));
}

/// Users with two URLs each; of files, which have a URL with `?s` too, one.
fn edits() -> String {
    let of = |n: usize| {
        let page = |path: String, page: String| line(&format!("http://a.test/{path}"), &page);
        page(format!("users/{n}x"), format!("user {n}"))
            + &page(format!("users/{n}x?s={n}"), format!("user {n}"))
            + &page(format!("docs/{n}x/files?s={n}"), format!("files {n}"))
    };
    (0..60).map(of).collect()
}

/// Where an edit was not tested, pairs are asked for, and what comes back goes into the next training.
#[test]
fn edits_get_pairs_where_they_were_not_tested() {
    let folder = folder_with(&[("crawl.jsonl", edits())]);
    let folder = folder.path();
    output(folder, "train", &["crawl.jsonl"]);
    let url = "http://a.test/docs/7x/files?s=7";
    assert_eq!(translated(folder, &format!("{url}\n")), format!("{url}\n"));
    let arguments = ["models/a.test", "crawl.jsonl", "-o", "pairs.jsonl"];
    let (_, described) = output(folder, "validate", &arguments);
    assert_contains(&described, &["`undust train`"]);
    let pairs = json_lines(&fs::read_to_string(folder.join("pairs.jsonl")).expect("pairs"));
    let open: Vec<&Value> = pairs
        .iter()
        .filter(|pair| pair["url"].as_str().is_some_and(|url| url.contains("/docs/")))
        .collect();
    assert!((5..=60).contains(&open.len()), "{pairs:?}");
    // The URLs are what they are for: fetched, they show that `?s` does not matter there, either.
    let page = |pair: &&Value| {
        let url = pair["url"].as_str().expect("a URL");
        let number = url.split('/').nth(4).unwrap_or_default().trim_end_matches('x');
        let page = format!("files {number}");
        line(url, &page) + &line(pair["form"].as_str().expect("a URL"), &page)
    };
    write(folder, "fetched.jsonl", open.iter().map(page).collect::<String>());
    output(folder, "train", &["crawl.jsonl", "fetched.jsonl"]);
    assert_eq!(translated(folder, &format!("{url}\n")), "http://a.test/docs/7x/files\n");
}

#[test]
fn what_fetches_cannot_decide_is_told() {
    let folder = two_trained();
    let folder = folder.path();
    let described = failure(undust(folder, "validate").args(["models/a.test", "crawl.jsonl"]), 1);
    assert_contains(&described, &["models/a.test", "tree", "from pages"]);
    let described = failure(undust(folder, "validate").args(["models/none"]), 1);
    assert_contains(&described, &["models/none: no such folder"]);
    let site = Site::start();
    write(folder, "list", list(&site));
    output(folder, "train", &["list", "--method", "dustbuster"]);
    let model = format!("models/{}", site.folder());
    let described = failure(undust(folder, "validate").args([&model, "crawl.jsonl"]), 1);
    assert_contains(&described, &["crawl.jsonl: ", &site.folder()]);
    // The examples that the model keeps are few.
    let (pairs, described) = output(folder, "validate", &[&model]);
    assert!(!pairs.is_empty());
    assert_contains(&described, &["give the URLs of the site"]);
    let (few, _) = output(folder, "validate", &[&model, "list", "--fetches", "9"]);
    let urls: BTreeSet<String> = json_lines(&few)
        .iter()
        .flat_map(|pair| [pair["url"].to_string(), pair["form"].to_string()])
        .collect();
    assert!((2..=9).contains(&urls.len()), "{few}");
}
