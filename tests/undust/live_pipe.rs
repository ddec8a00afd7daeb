//! `undust live` as a crawler meets it: lines in, answers out, and whatever happens to the process.
#![cfg(unix)]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::{Value, json};

use crate::support::{
    assert_contains, data, failure, folder_with, json_lines, known_state, output, piped, process,
    succeed, undust, within_limits,
};

/// The program with a crawler at both ends of its pipe.
pub(crate) struct Pipe {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pipe {
    pub(crate) fn open(folder: &Path, arguments: &[&str]) -> Self {
        known_state(&folder.join("state"));
        let all = [&["live", "--state", "state", "--risk", "0.05"], arguments].concat();
        let mut command = process(folder, &all);
        let log = File::create(folder.join("stderr")).expect("a file");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        Self::over(command.spawn().expect("a process"))
    }

    fn over(mut child: Child) -> Self {
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    pub(crate) fn tell(&mut self, event: &Value) {
        writeln!(self.input, "{event}").expect("a reader");
    }

    pub(crate) fn ask(&mut self, event: &Value) -> Value {
        self.tell(event);
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "no answer to {event}");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            // A site may be learned between any two events.
            if answer.get("learned").is_none() {
                return answer;
            }
        }
    }

    /// Crawls stories that are found under two URLs each; those that were skipped.
    fn crawl(&mut self, numbers: std::ops::Range<u32>) -> Vec<String> {
        let mut skipped = Vec::new();
        for n in numbers {
            for url in
                [format!("http://a.test/story/{n}"), format!("http://a.test/story/{n}?from={n}")]
            {
                let answer = self.ask(&json!({ "decide": url }));
                assert_eq!(answer["url"], url);
                match answer["do"].as_str() {
                    Some("skip") => skipped.push(url),
                    Some("fetch" | "probe") => {
                        let html = format!(
                            "<title>{n}</title><p>The story of the number {n}, as it was told."
                        );
                        self.tell(&json!({ "saw": url, "status": 200, "html": html }));
                    }
                    _ => panic!("{answer}"),
                }
            }
        }
        skipped
    }

    pub(crate) fn stats(&mut self) -> Value {
        self.ask(&json!({ "stats": true }))["stats"]["a.test"].clone()
    }

    /// As a crawler does that has come to its end.
    pub(crate) fn end(self) -> ExitStatus {
        let Self { mut child, input, mut output } = self;
        drop(input);
        io::copy(&mut output, &mut io::sink()).expect("its last answers");
        child.wait().expect("an end")
    }

    fn send(&self, signal: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// Sends a signal, while the crawler goes on to hold the pipe; the exit code.
    fn signal(mut self, signal: &str) -> Option<i32> {
        self.send(signal);
        self.child.wait().expect("its end").code()
    }

    /// As a crawler ends that Ctrl-C has reached, too: nobody reads the answers any more.
    fn abandon(self) -> Option<i32> {
        let Self { mut child, input, output } = self;
        drop(output);
        let code = child.wait().expect("an end").code();
        drop(input);
        code
    }

    /// As a machine without power would.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a process to kill");
        self.child.wait().expect("its end");
    }
}

#[test]
fn a_crawl_without_a_model_saves_from_its_beginning() {
    let folder = folder_with::<&str>(&[]);
    let mut pipe = Pipe::open(folder.path(), &[]);
    let skipped = pipe.crawl(0..150);
    assert!((90..150).contains(&skipped.len()), "{}", skipped.len());
    assert!(skipped.iter().all(|url| url.contains("?from=")));
    assert!(pipe.end().success());
    let log = std::fs::read_to_string(folder.path().join("stderr")).expect("a log");
    assert_contains(
        &log,
        &["of them new in this crawl", "URLs skipped", "how many skips lost a page"],
    );
    // What came back is what others learn from.
    let (clusters, _) = output(folder.path(), "cluster", &["--state", "state"]);
    assert!(!json_lines(&clusters).is_empty());
}

/// However the work ends but by `kill -9`: the log tells of it, the checkpoint has all of it, and the clusters are closed.
#[test]
fn a_pipe_that_is_told_to_stop_ends_its_work() {
    type End = fn(Pipe) -> Option<i32>;
    let ends: [(End, i32); 5] = [
        (|pipe| pipe.end().code(), 0),
        (|pipe| pipe.signal("TERM"), 143),
        (|pipe| pipe.signal("INT"), 130),
        (|pipe| pipe.signal("HUP"), 129),
        (|pipe| pipe.abandon(), 0),
    ];
    let mut states = Vec::new();
    for (end, code) in ends {
        let folder = folder_with::<&str>(&[]);
        let mut pipe = Pipe::open(folder.path(), &[]);
        let skipped = pipe.crawl(0..60).len();
        assert_eq!(end(pipe), Some(code));
        let file = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
        let log = String::from_utf8(file("stderr")).expect("text");
        assert_eq!(log.matches("of them new in this crawl").count(), 1, "{log}");
        // In the clusters' file, the bit that says whether it was closed.
        let is_open = file("state/clusters.redb")[9] & 2;
        states.push((is_open, file("state/live.checkpoint").len()));
        let mut next = Pipe::open(folder.path(), &[]);
        assert_eq!(next.stats()["skipped"], skipped);
        next.kill();
    }
    assert!(states.iter().all(|state| *state == states[0] && state.0 == 0), "{states:?}");
}

/// A crawler that asks on and reads no answer is no reason to go on for ever.
#[test]
fn a_pipe_whose_answers_nobody_reads_ends_when_it_is_told_to() {
    let folder = folder_with::<&str>(&[]);
    let mut pipe = Pipe::open(folder.path(), &[]);
    pipe.crawl(0..3);
    let url = format!("http://a.test/story/{}", "x".repeat(2000));
    (0..55).for_each(|_| pipe.tell(&json!({ "decide": url })));
    // Its pipes have room for 64 KiB each.
    assert_eq!(pipe.signal("TERM"), Some(143));
}

/// `nohup` is for programs that outlive their terminal.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_under_nohup_goes_on_without_its_terminal() {
    let folder = folder_with::<&str>(&[]);
    let arguments = ["live", "--state", "state"];
    let mut command = within_limits(folder.path(), "trap '' HUP", &arguments);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut pipe = Pipe::over(child.expect("a process"));
    pipe.crawl(0..3);
    pipe.send("HUP");
    assert_eq!(pipe.crawl(3..9).len(), 0);
    assert_eq!(pipe.stats()["fetched"], 18);
    assert!(pipe.end().success());
}

/// `kill -9` at any moment: what was answered is known to the next process.
#[test]
fn nothing_that_was_answered_is_lost() {
    let (killed, whole) = (folder_with::<&str>(&[]), folder_with::<&str>(&[]));
    let mut expected = Pipe::open(whole.path(), &[]);
    let mut done = 0;
    for end in [3, 40, 41, 90, 160] {
        let mut pipe = Pipe::open(killed.path(), &[]);
        assert_eq!(pipe.crawl(done..end), expected.crawl(done..end), "{done}..{end}");
        let (stats, all) = (pipe.stats(), expected.stats());
        for figure in ["fetched", "distinct", "skipped", "audits"] {
            assert_eq!(stats[figure], all[figure], "{figure} after {end}");
        }
        done = end;
        pipe.kill();
    }
    expected.kill();
}

#[test]
fn a_line_that_says_nothing_is_answered_by_an_error_and_costs_nothing_else() {
    let folder = folder_with::<&str>(&[]);
    let lines = "nonsense\n{\"saw\":\"http://a.test/\"}\n\n{\"decide\":7}\n{\"status\":200}\n\
                 {\"learn\":\"unknown.test\"}\n{\"decide\":\"no url\"}\n{\"saw\":\"http://a.test/1\",\"status\":0}\n{\"crawl\":\"begin\"}\n\
                 {\"decide\":\"http://a.test/1\"}\n\
                 {\"decide\":\"http://a.test/2\",\"saw\":\"http://a.test/2\",\"status\":200}\n\
                 {\"saw\":\"http://a.test/2\",\"status\":200,\"title\":\"Two\"}\n";
    let (answers, log) = piped(folder.path(), "live", &["--state", "state"], lines);
    let answers = json_lines(&answers);
    let lines: Vec<&Value> = answers[..5].iter().map(|answer| &answer["line"]).collect();
    assert_eq!(lines, [1, 2, 4, 5, 6]);
    assert!(answers[..5].iter().all(|answer| answer["error"].is_string()), "{answers:?}");
    let decided: Vec<&Value> = answers[5..7].iter().map(|answer| &answer["do"]).collect();
    assert_eq!(decided, ["fetch", "fetch"]);
    assert_eq!((answers.len(), &answers[7]["line"]), (8, &json!(11)));
    assert_contains(
        &log,
        &["6 lines answered by an error", "1 response with status 200 and no content to compare"],
    );
}

#[test]
fn a_state_belongs_to_one_process_at_a_time() {
    let folder = folder_with::<&str>(&[]);
    let mut pipe = Pipe::open(folder.path(), &[]);
    pipe.crawl(0..1);
    let mut second = undust(folder.path(), "live");
    let refused = second.args(["--state", "state"]).assert().failure();
    let log = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert_contains(&log, &["in use by another process"]);
    pipe.kill();
}

/// Another crawl finds every page again.
#[test]
fn another_crawl_begins_with_what_the_first_learned() {
    let folder = folder_with::<&str>(&[]);
    let mut pipe = Pipe::open(folder.path(), &[]);
    let first = pipe.crawl(0..120);
    pipe.kill();
    let mut pipe = Pipe::open(folder.path(), &[]);
    pipe.tell(&json!({ "crawl": "begin" }));
    let early = |skipped: &[String]| {
        let number =
            |url: &String| url.split(['/', '?']).nth(4).and_then(|n| n.parse::<u32>().ok());
        skipped.iter().filter_map(number).filter(|n| *n < 10).count()
    };
    let second = pipe.crawl(0..120);
    assert!(second.iter().all(|url| url.contains("?from=")));
    assert!(early(&second) > early(&first), "{first:?} {second:?}");
    pipe.kill();
}

/// The figures of docs/research/LIVE.md, within a tolerance.
#[test]
fn a_crawl_is_replayed_from_nothing() {
    let folder = folder_with::<&str>(&[]);
    let crawl = data("bookmarks.jsonl.gz");
    let mut evaluate = undust(folder.path(), "evaluate");
    let (lines, _) = succeed(evaluate.arg(crawl).args(["--live", "--json", "-"]));
    let result = &json_lines(&lines)[0];
    let figure = |name: &str| result[name].as_f64().expect("a number");
    assert!(figure("saved") > 0.7 * figure("redundant"), "{result}");
    assert!(figure("lost") <= 0.01 * figure("clusters"), "{result}");
    assert_eq!(result["is_within_bound"], true);
    assert!(result["curve"].as_array().is_some_and(|curve| curve.len() > 40));
    let (table, _) =
        succeed(undust(folder.path(), "evaluate").arg(data("bookmarks.jsonl.gz")).arg("--live"));
    assert_contains(&table, &["redundant", "saved", "within the bound on 1 of 1"]);
}

/// The tracker before and after three weeks: what the first crawl taught holds on the second.
#[test]
fn a_later_crawl_of_a_changed_site_loses_next_to_nothing() {
    let folder = folder_with::<&str>(&[]);
    let [first, second] = ["tracker-1.jsonl.gz", "tracker-2.jsonl.gz"].map(data);
    let mut evaluate = undust(folder.path(), "evaluate");
    evaluate.arg("--live").arg(&first).arg("--then").arg(&second);
    let (lines, _) = succeed(evaluate.args(["--json", "-"]));
    let result = &json_lines(&lines)[0];
    let later = &result["then"][0];
    let figure = |of: &Value, name: &str| of[name].as_f64().expect("a number");
    assert!(figure(later, "lost") <= 0.01 * figure(later, "clusters"), "{later}");
    assert!(figure(later, "saved") > figure(result, "saved"), "{result}");
    let mut evaluate = undust(folder.path(), "evaluate");
    evaluate.arg("--live").arg(data("shop.jsonl.gz")).arg("--then").arg(&second);
    let described = failure(&mut evaluate, 1);
    assert_contains(&described, &["tracker-2.jsonl.gz", "no crawl of tracker.test"]);
}
