//! A state of `undust live`, as `show`, `explain` and `train` read it.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{assert_contains, folder_with, json_lines, output, piped, undust};

/// A state of stories that are found under two URLs each.
fn crawled() -> TempDir {
    let folder = folder_with::<&str>(&[]);
    let url = |n| [format!("http://a.test/story/{n}"), format!("http://a.test/story/{n}?from={n}")];
    let events = (0..150).flat_map(|n| url(n).map(|url| (n, url))).map(|(n, url)| {
        let html = format!("<title>{n}</title><p>The story of the number {n}, as it was told.");
        let page = json!({ "saw": url, "status": 200, "html": html });
        format!("{}\n{page}\n", json!({ "decide": url }))
    });
    let events: String = events.collect();
    piped(folder.path(), "live", &["--state", "state"], &events);
    folder
}

fn explained(folder: &TempDir, url: &str) -> (Value, String) {
    let arguments = ["--state", "state", "--format", "json", url];
    let (text, log) = output(folder.path(), "explain", &arguments);
    (serde_json::from_str(&text).expect("JSON"), log)
}

/// Of nothing that was skipped nothing can be lost.
#[test]
fn a_state_that_skipped_nothing_tells_no_loss() {
    let folder = folder_with::<&str>(&[]);
    for sites in 1..=3 {
        let page = |site| {
            let url = format!("http://{site}.test/");
            let page = json!({ "saw": url, "status": 200, "html": "<title>a</title><p>words" });
            format!("{}\n{page}\n", json!({ "decide": url }))
        };
        let events: String = (0..sites).map(page).collect();
        piped(folder.path(), "live", &["--state", "state"], &events);
        let (table, _) = output(folder.path(), "show", &["--state", "state"]);
        let dashes = table.matches('–').count();
        assert_eq!(
            (dashes, table.contains('%')),
            (sites + usize::from(sites > 1), false),
            "{table}"
        );
    }
}

#[test]
fn it_is_shown_explained_and_learned_from() {
    let folder = crawled();
    let (text, _) = output(folder.path(), "show", &["--state", "state", "--format", "json"]);
    let stats: Value = serde_json::from_str(&text).expect("JSON");
    let stats = &stats["a.test"];
    assert_eq!((&stats["fetched"], &stats["distinct"]), (&json!(300), &json!(150)));
    let (table, _) = output(folder.path(), "show", &["--state", "state"]);
    assert_contains(&table, &["a.test", "lost at most"]);

    let (known, _) = explained(&folder, "http://a.test/story/7?from=home");
    let decision = &known[0]["decision"];
    assert_eq!((&decision["do"], &decision["fetched"]), (&json!("skip"), &json!(2)), "{known}");
    let form = &known[0]["forms"][0];
    assert_eq!(
        (&form["form"], &form["is_accepted"]),
        (&json!("http://a.test/story/7"), &json!(true))
    );
    assert_eq!((&form["fetched"], &form["shows_two_pages"]), (&json!(2), &json!(false)));
    let (new, _) = explained(&folder, "http://a.test/story/900");
    assert_eq!(new[0]["decision"]["do"], "fetch", "{new}");
    let (none, log) = explained(&folder, "http://b.test/");
    assert_eq!(none, json!([]));
    assert_contains(&log, &["nothing is known of its site"]);
    let (text, _) =
        output(folder.path(), "explain", &["--state", "state", "http://a.test/story/7?from=home"]);
    assert_contains(
        &text,
        &[
            "skip: http://a.test/story/7 shows its page (drop ?from), as 2 URLs of this form did",
            "two pages",
        ],
    );

    output(folder.path(), "train", &["--state", "state"]);
    let (forms, _) = output(
        folder.path(),
        "explain",
        &["--format", "json", "http://a.test/story/900?from=home"],
    );
    assert_contains(&forms, &["http://a.test/story/900\""]);
    let (clusters, _) = output(folder.path(), "cluster", &["--state", "state"]);
    assert_eq!(json_lines(&clusters).len(), 150);
}

/// Whatever opens a state leaves what is none byte for byte, and puts nothing beside it.
#[test]
fn what_is_no_state_stays_as_it_is() {
    for text in ["", "dear diary", "{\"url\":\"http://a.test/\"}\n{\"url\":"] {
        let folder = folder_with(&[("elsewhere", text)]);
        std::fs::create_dir(folder.path().join("state")).expect("a folder");
        std::fs::write(folder.path().join("state/live.jsonl"), text).expect("a file");
        #[cfg(unix)]
        {
            std::fs::create_dir(folder.path().join("linked")).expect("a folder");
            let link = folder.path().join("linked/live.jsonl");
            std::os::unix::fs::symlink(folder.path().join("elsewhere"), link).expect("a link");
        }
        for state in ["state", "linked"] {
            if !folder.path().join(state).exists() {
                continue;
            }
            let commands = [
                &["live", "--state", state][..],
                &["serve", "--listen", "127.0.0.1:0", "--live", state],
            ];
            let known = if cfg!(feature = "serve") { 2 } else { 1 };
            for command in &commands[..known] {
                let mut command_of = undust(folder.path(), command[0]);
                let refused = command_of.args(&command[1..]).write_stdin("").assert().code(1);
                let log = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
                let why = if state == "linked" { "is a link" } else { "is not a state of undust" };
                assert_contains(&log, &["live.jsonl", why]);
            }
            assert!(!folder.path().join(state).join("clusters.redb").exists());
        }
        for file in ["state/live.jsonl", "elsewhere"] {
            let left = std::fs::read_to_string(folder.path().join(file)).expect("the file");
            assert_eq!(left, text, "{file}");
        }
    }
}

#[test]
fn a_folder_without_a_state_is_said() {
    let folder = folder_with::<&str>(&[]);
    for arguments in [&["show", "--state", "none"][..], &["explain", "--state", "none", "x"]] {
        let refused = undust(folder.path(), arguments[0]).args(&arguments[1..]).assert().failure();
        let log = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert_contains(&log, &["none: holds no clusters yet"]);
        assert!(!folder.path().join("none").exists());
    }
}
