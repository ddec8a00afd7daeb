//! A service that decides in the crawl.

use std::ops::Range;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::server::{Server, command};
use crate::support::{assert_contains, json_lines, known_state, output, undust};

/// A service on this state, without any model.
fn serve(folder: &TempDir) -> Server {
    let (models, state) = (folder.path().join("none"), folder.path().join("state"));
    known_state(&state);
    let arguments = ["--listen", "127.0.0.1:0", "--risk", "0.05", "--live"];
    let mut command = command(&models, &arguments);
    Server::run(command.arg(state), tempfile::tempdir().expect("a folder"))
}

fn post(server: &Server, what: &str, kind: &str, body: &str) -> Value {
    let (path, kind) = (format!("/v1/live/{what}"), format!("content-type: {kind}"));
    let answer = server.connect().ask("POST", &path, &[&kind], body.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn urls(n: u32) -> [String; 2] {
    [format!("http://a.test/story/{n}"), format!("http://a.test/story/{n}?from={n}")]
}

/// Crawls stories that are found under two URLs each, a few at a time; those that were skipped.
fn crawl(server: &Server, numbers: Range<u32>) -> Vec<String> {
    let mut skipped = Vec::new();
    for n in numbers {
        for url in urls(n) {
            let decided = post(server, "decide", "application/json", &json!([url]).to_string());
            if decided[0]["do"] == "skip" {
                skipped.push(url);
                continue;
            }
            let html = format!("<title>{n}</title><p>The story of the number {n}, as it was told.");
            let page = json!({"url": url, "status": 200, "html": html});
            let taken = post(server, "saw", "application/x-ndjson", &page.to_string());
            assert_eq!((&taken["taken"], &taken["wrong"]), (&json!(1), &json!(0)));
        }
    }
    skipped
}

#[test]
fn a_crawl_without_a_model_saves_from_its_beginning() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = serve(&folder);
    assert_eq!(server.get("/readyz").text(), "ready\n");
    let skipped = crawl(&server, 0..150);
    assert!((90..150).contains(&skipped.len()), "{}", skipped.len());
    let decided =
        |what| server.metric(&format!("undust_live_decisions_total{{decision=\"{what}\"}}"));
    assert_eq!(decided("skip"), skipped.len() as u64);
    assert_eq!(decided("skip") + decided("fetch") + decided("probe"), 300);
    assert_eq!(server.metric("undust_live_pages_distinct"), 150);
    assert!(server.get("/metrics").text().contains("\nundust_live_lost_share_bound "));
    let stats = server.get_json("/v1/live/stats")["sites"]["a.test"].clone();
    assert_eq!((&stats["distinct"], &stats["skipped"]), (&json!(150), &json!(skipped.len())));
    server.terminate();
    assert_eq!(server.end().code(), Some(0), "{}", server.log());
    assert_contains(
        &server.log(),
        &["a.test: ", "of them new in this crawl", "how many skips lost a page"],
    );
    let (clusters, _) = output(folder.path(), "cluster", &["--state", "state"]);
    assert!(!json_lines(&clusters).is_empty());
}

/// `kill -9`: what was answered is known to the next process. Then another crawl begins.
#[test]
fn a_killed_service_goes_on_and_a_crawl_begins_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&folder);
    let skipped = crawl(&server, 0..5);
    drop(server);
    let server = serve(&folder);
    // What was skipped may be probed when it is asked for again.
    let again = crawl(&server, 0..5);
    let mut fetched = (0..5).flat_map(urls).filter(|url| !skipped.contains(url));
    assert!(fetched.all(|url| again.contains(&url)), "{skipped:?}, {again:?}");
    assert_eq!(post(&server, "begin-crawl", "application/json", "")["sites"], 1);
    assert!(crawl(&server, 0..1).is_empty());
}

#[test]
fn lines_are_answered_by_lines_and_what_is_wrong_costs_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&folder);
    let lines = "http://a.test/1\n\nno url\r\n\"http://a.test/\\u0032\"\n";
    let kind = ["content-type: application/x-ndjson"];
    let decide = |body: &[u8]| server.connect().ask("POST", "/v1/live/decide", &kind, body);
    let answers = json_lines(&decide(lines.as_bytes()).text());
    let decided: Vec<_> = answers.iter().map(|one| (&one["url"], &one["do"])).collect();
    let fetch = &json!("fetch");
    let urls = ["http://a.test/1", "no url", "http://a.test/2"].map(|url| json!(url));
    assert_eq!(decided, urls.iter().map(|url| (url, fetch)).collect::<Vec<_>>());
    assert_contains(&decide(b"\xff").failure(400), &["UTF-8"]);
    assert_contains(&decide(b"a\n\"b\n").failure(400), &["line 2"]);

    let page = |n| json!({"url": format!("http://a.test/{n}"), "status": 200, "digest": n});
    let wrong = [json!({"url": "http://a.test/7"}), json!({"decide": "http://a.test/7"}), json!(7)];
    let list = [vec![page("1")], wrong.to_vec(), vec![page("2")]].concat();
    let taken = post(&server, "saw", "application/json", &json!(list).to_string());
    assert_eq!((&taken["taken"], &taken["wrong"]), (&json!(2), &json!(3)));
    let faults = taken["faults"].as_array().expect("a list");
    let numbers: Vec<_> = faults.iter().map(|fault| fault["event"].as_u64()).collect();
    assert_eq!(numbers, [Some(2), Some(3), Some(4)]);
    assert_contains(&faults[0]["error"].to_string(), &["needs a"]);
    assert_eq!(server.metric("undust_live_responses_total"), 2);

    let many = "nonsense\n".repeat(30);
    let taken = post(&server, "saw", "application/jsonl", &many);
    assert_eq!((&taken["wrong"], taken["faults"].as_array().map(Vec::len)), (&json!(30), Some(10)));
}

#[test]
fn a_state_belongs_to_one_process_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&folder);
    crawl(&server, 0..1);
    let mut second = undust(folder.path(), "serve");
    let refused = second.args(["--listen", "127.0.0.1:0", "--live", "state"]).assert().failure();
    let log = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert_contains(&log, &["in use by another process"]);
}

/// Hosts that answer nothing are no sites, and the figures of those that do come some at a time.
#[test]
fn figures_come_by_pages_and_hosts_without_pages_have_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&folder);
    let urls: Vec<String> = (0..500).map(|n| format!("http://{n}.test/")).collect();
    let decided = post(&server, "decide", "application/json", &json!(urls).to_string());
    assert!(decided.as_array().expect("a list").iter().all(|one| one["do"] == "fetch"));
    let page =
        |n, status| json!({"url": format!("http://{n}.test/"), "status": status, "digest": "x"});
    let seen = [page(1, 404), page(2, 200), page(3, 200), page(4, 200)];
    post(&server, "saw", "application/json", &json!(seen).to_string());
    assert_eq!(server.metric("undust_live_sites"), 3);
    assert_eq!(server.metric("undust_live_pages_fetched"), 3);
    let stats = |query| server.get_json(&format!("/v1/live/stats{query}"));
    let names = |page: &Value| page["sites"].as_object().expect("sites").keys().cloned().collect();
    let all: Vec<String> = names(&stats(""));
    assert_eq!(
        (all, stats("")["next"].clone()),
        (vec!["2.test".into(), "3.test".into(), "4.test".into()], Value::Null)
    );
    let first = stats("?limit=2");
    let next = first["next"].as_str().expect("more");
    let rest = server.get_json(&format!("/v1/live/stats?after={next}&limit=2"));
    let two: [Vec<String>; 2] = [names(&first), names(&rest)];
    assert_eq!(two, [vec!["2.test".to_owned(), "3.test".into()], vec!["4.test".into()]]);
    assert_eq!(rest["next"], Value::Null);
    for wrong in ["?limit=0", "?limit=1001", "?limit=x", "?page=2", "?limit=1&limit=2"] {
        server.get(&format!("/v1/live/stats{wrong}")).failure(400);
    }
}

/// What draws the audits is in the state and nowhere else.
#[test]
fn the_secret_of_a_state_is_told_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = serve(&folder);
    crawl(&server, 0..30);
    let journal =
        std::fs::read_to_string(folder.path().join("state/live.jsonl")).expect("a journal");
    let line = journal.lines().find_map(|line| line.strip_prefix("{\"secret\":\""));
    let secret = line.expect("a secret").trim_end_matches("\"}").to_owned();
    assert_eq!(secret.len(), 32);
    let mut told =
        ["/metrics", "/v1/live/stats", "/v1/sites"].map(|path| server.get(path).text()).concat();
    server.terminate();
    server.end();
    told += &server.log();
    for command in ["show", "explain"] {
        let arguments: &[&str] = match command {
            "explain" => &["--state", "state", "http://a.test/story/1?from=1"],
            _ => &["--state", "state", "--format", "json"],
        };
        let (printed, log) = output(folder.path(), command, arguments);
        told += &format!("{printed}{log}");
    }
    assert!(told.contains("a.test") && !told.contains(&secret), "{told}");
}
