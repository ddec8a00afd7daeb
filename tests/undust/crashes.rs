//! What is left when processes are killed, meet one another, or find something in their way.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::{
    assert_contains, crawl, failure, folder, process, signal, stderr, undust, within_limits,
};

/// How often a command is killed: a few times in a run of all tests, `UNDUST_KILLS` in a long one.
fn kills() -> u64 {
    let asked = std::env::var("UNDUST_KILLS").ok().and_then(|kills| kills.parse().ok());
    asked.unwrap_or(12)
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    process(folder, arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

const TRAIN: [&str; 6] = ["train", "crawl.jsonl", "--config", "tiny.toml", "--method", "tree"];
const CLUSTER: [&str; 4] = ["cluster", "crawl.jsonl", "-o", "out/clusters.jsonl"];
const INGEST: [&str; 4] = ["ingest", "crawl.jsonl", "-o", "out/pages.jsonl.gz"];

/// Temporary names in a folder.
fn leftovers(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with('.')).collect()
}

/// What a command is to leave: the old content or the new one.
struct Outcome {
    /// Everything in the folder that it writes to.
    content: Content,
    crawl: String,
}

type Content = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a folder, those with temporary names left out.
fn content(folder: &Path) -> Content {
    let mut files = Content::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
            continue;
        }
        if path.is_dir() {
            files.extend(content(&path));
        } else {
            files.insert(path.clone(), fs::read(&path).expect("a file"));
        }
    }
    files
}

/// A folder, and what a command makes there of each of two crawls.
fn outcomes(arguments: &[&str], place: &str, users: usize) -> (TempDir, [Outcome; 2]) {
    let folder = folder("");
    fs::create_dir_all(folder.path().join("out")).expect("a folder");
    let outcomes = [crawl("a.test", users), crawl("a.test", users + 1)].map(|crawl| {
        fs::write(folder.path().join("crawl.jsonl"), &crawl).expect("a crawl");
        assert!(start(folder.path(), arguments).wait().expect("an end").success());
        Outcome { content: content(&folder.path().join(place)), crawl }
    });
    assert!(outcomes[0].content != outcomes[1].content && !outcomes[0].content.is_empty());
    (folder, outcomes)
}

/// Whether a process has begun to write, and has not ended it.
fn writes(folder: &Path, process: u32) -> bool {
    leftovers(folder).iter().any(|name| name.contains(&format!("-{process}-")))
}

/// Kills a command within a write. Where the kill comes too late it is tried again: a kill by the clock
/// falls there or not as the machine is slow or fast.
fn killed_in_a_write(folder: &Path, place: &Path, arguments: &[&str]) {
    for _ in 0..1000 {
        let mut child = start(folder, arguments);
        while !writes(place, child.id()) && child.try_wait().expect("its state").is_none() {}
        child.kill().expect("a kill");
        child.wait().expect("an end");
        if writes(place, child.id()) {
            return;
        }
    }
    panic!("no kill of 1000 fell within a write");
}

/// Kills a command, every other time at any moment and else as soon as it has begun to write, and
/// at last within a write. What it leaves is the old content or the new one, whole.
fn killed_at_any_moment(arguments: &[&str], place: &str) {
    let (folder, outcomes) = outcomes(arguments, place, 3000);
    let place = folder.path().join(place);
    let clock = Instant::now();
    assert!(start(folder.path(), arguments).wait().expect("an end").success());
    let whole = clock.elapsed();
    let (mut old, all) = (1, kills());
    let (mut before, mut within, mut after) = (0, 0, 0);
    for kill in 0..all {
        fs::write(folder.path().join("crawl.jsonl"), &outcomes[1 - old].crawl).expect("a crawl");
        let mut child = start(folder.path(), arguments);
        let share = kill as f64 / all as f64;
        if kill % 2 == 0 {
            sleep(whole.mul_f64(share));
        } else {
            while !writes(&place, child.id()) && child.try_wait().expect("its state").is_none() {}
            sleep(Duration::from_millis(3).mul_f64(share));
        }
        child.kill().expect("a kill");
        let is_done = child.wait().expect("an end").success();
        let found = content(&place);
        let is_new = found == outcomes[1 - old].content;
        assert!(is_new || !is_done && found == outcomes[old].content, "{found:?}");
        *match (is_new, writes(&place, child.id())) {
            (true, _) => &mut after,
            (false, true) => &mut within,
            (false, false) => &mut before,
        } += 1;
        old = if is_new { 1 - old } else { old };
    }
    println!("{arguments:?}: {before} kills before it wrote, {within} while it did, {after} after");
    fs::write(folder.path().join("crawl.jsonl"), &outcomes[1 - old].crawl).expect("a crawl");
    killed_in_a_write(folder.path(), &place, arguments);
    let found = content(&place);
    assert!(outcomes.iter().any(|outcome| found == outcome.content), "{found:?}");
    assert!(start(folder.path(), arguments).wait().expect("an end").success());
    assert_eq!(leftovers(&place), [""; 0]);
}

#[test]
fn a_killed_training_leaves_the_old_model_or_the_new_one_and_nothing_else_for_long() {
    killed_at_any_moment(&TRAIN, "models");
}

#[test]
fn a_killed_ingestion_leaves_the_old_manifest_or_the_new_one_and_nothing_else_for_long() {
    killed_at_any_moment(&INGEST, "out");
}

#[test]
fn a_killed_clustering_leaves_the_old_clusters_or_the_new_ones_and_nothing_else_for_long() {
    killed_at_any_moment(&CLUSTER, "out");
}

/// Runs a command whose files cannot have more than `blocks` blocks of 512 bytes: the write that
/// gets there is short, and the next one fails, as on a full disk.
fn with_full_disk(folder: &Path, arguments: &[&str], blocks: u64) -> Output {
    let limits = format!("ulimit -f {blocks}");
    within_limits(folder, &limits, arguments).output().expect("a shell")
}

/// Lets the disk be full at every block that a command writes.
fn full_at_every_block(arguments: &[&str], place: &str) {
    let (folder, [first, second]) = outcomes(arguments, place, 60);
    let place = folder.path().join(place);
    fs::write(folder.path().join("crawl.jsonl"), &first.crawl).expect("a crawl");
    let longest = second.content.values().map(Vec::len).max().unwrap_or_default() as u64;
    let mut failures = 0;
    for blocks in 0.. {
        let output = with_full_disk(folder.path(), arguments, blocks);
        assert_eq!(leftovers(&place), [""; 0], "what could not be written is removed");
        if output.status.success() {
            assert!(content(&place) == first.content);
            assert!(
                blocks * 512
                    >= longest
                        .min(first.content.values().map(Vec::len).max().unwrap_or_default() as u64)
            );
            break;
        }
        failures += 1;
        assert_eq!(output.status.code(), Some(1));
        assert_contains(&stderr(&output), &["undust: cannot "]);
        assert!(content(&place) == second.content, "what was there is not what it was");
    }
    assert!(failures > 0, "nothing failed");
}

#[test]
fn a_full_disk_leaves_the_old_model() {
    full_at_every_block(&TRAIN, "models");
}

#[test]
fn a_full_disk_leaves_the_old_manifest() {
    full_at_every_block(&INGEST, "out");
}

#[test]
fn a_full_disk_leaves_the_old_clusters() {
    full_at_every_block(&CLUSTER, "out");
}

/// The store of a state writes in place: what is acknowledged stays, and the next run takes in
/// what could not be.
#[test]
fn a_full_disk_leaves_the_old_state() {
    let folder = folder(&crawl("a.test", 40));
    let ingest = ["cluster", "crawl.jsonl", "--state", "state", "-o", "clusters.jsonl"];
    let pages = || {
        let state =
            undust::live::LiveClusters::open(&folder.path().join("state")).expect("a state");
        state.pages().expect("its pages").pages.len()
    };
    assert!(start(folder.path(), &ingest).wait().expect("an end").success());
    assert_eq!(pages(), 80);
    let size = fs::read_dir(folder.path().join("state")).expect("a folder");
    let size = size.map(|file| file.expect("an entry").metadata().expect("its size").len()).max();
    fs::write(folder.path().join("crawl.jsonl"), crawl("a.test", 9000)).expect("a crawl");
    for share in [1, 2, 4, 8] {
        let blocks = size.unwrap_or_default() / 512 / share;
        let output = with_full_disk(folder.path(), &ingest, blocks);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert_eq!(pages(), 80, "a share of a batch was taken in");
    }
    assert!(start(folder.path(), &ingest).wait().expect("an end").success());
    assert_eq!(pages(), 18_000);
}

#[test]
fn a_full_device_is_told() {
    let folder = folder(&crawl("a.test", 20));
    for command in ["ingest", "cluster"] {
        let mut full = undust(folder.path(), command);
        let described = failure(full.args(["crawl.jsonl", "-o", "/dev/full"]), 1);
        assert_contains(&described, &["cannot write /dev/full: "]);
    }
}

#[test]
fn a_signal_leaves_nothing() {
    let folder = folder(&crawl("a.test", 20_000));
    let out = folder.path().join("out");
    fs::create_dir(&out).expect("a folder");
    let mut ended = 0;
    for command in [&INGEST, &CLUSTER] {
        for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            let mut child = start(folder.path(), command);
            let mut is_over = false;
            while leftovers(&out).is_empty() && !is_over {
                is_over = child.try_wait().expect("its state").is_some();
            }
            if !is_over {
                signal(child.id(), name);
            }
            let status = child.wait().expect("an end");
            assert!(status.success() || status.code() == Some(code), "{command:?}: {status}");
            assert_eq!(leftovers(&out), [""; 0]);
            ended += usize::from(!status.success());
        }
    }
    assert!(ended > 0, "every command was faster than its signal");
}

/// Whether a process catches SIGTERM: training does from its beginning.
fn catches_signals(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.expect("a mask") & (1 << 14) != 0
}

/// Whoever started it knows from its exit code which signal it was.
#[test]
fn a_training_that_a_signal_ends_tells_which() {
    let sites: String = (0..400).map(|n| crawl(&format!("{n}.test"), 40)).collect();
    let folder = folder(&sites);
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let training = [&TRAIN[..], &["--jobs", "1", "--models", name]].concat();
        let mut child = start(folder.path(), &training);
        while !catches_signals(child.id()) {
            assert!(child.try_wait().expect("its state").is_none(), "it ended by itself");
        }
        signal(child.id(), name);
        assert_eq!(child.wait().expect("an end").code(), Some(code), "{name}");
        let trained = fs::read_dir(folder.path().join(name)).map_or(0, Iterator::count);
        assert!(trained < 400, "{name}: it went on to its end");
    }
}

/// A crawl that is replayed ends with the signal, not with the crawl.
#[test]
fn a_replay_that_a_signal_ends_prints_no_figures() {
    let folder = folder(&crawl("a.test", 60_000));
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let mut child = process(folder.path(), &["evaluate", "--live", "crawl.jsonl"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        while !catches_signals(child.id()) {
            assert!(child.try_wait().expect("its state").is_none(), "it ended by itself");
        }
        signal(child.id(), name);
        let output = child.wait_with_output().expect("an end");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{name}");
    }
}

/// Both begin where there is no folder, and end at the same time.
#[test]
fn two_trainings_at_once_both_succeed() {
    let folder = folder(&crawl("a.test", 100));
    for _ in 0..25 {
        fs::remove_dir_all(folder.path().join("models")).ok();
        let children: Vec<Child> = (0..4).map(|_| start(folder.path(), &TRAIN)).collect();
        for mut child in children {
            assert!(child.wait().expect("an end").success());
        }
        assert!(folder.path().join("models/a.test/model.json").exists());
    }
    assert_eq!(leftovers(&folder.path().join("models")), [""; 0]);
}

/// What a training that fails reports.
fn refused(folder: &Path) -> String {
    let output = undust(folder, "train").args(&TRAIN[1..]).output().expect("an end");
    assert_eq!(output.status.code(), Some(1));
    stderr(&output)
}

#[test]
fn what_is_in_the_way_is_told_before_training() {
    let folder = folder(&crawl("a.test", 100));
    let models = folder.path().join("models");
    fs::create_dir(&models).expect("a folder");
    let describe = || refused(folder.path());
    fs::write(models.join("a.test"), "mine").expect("a file");
    let why = ["models/a.test is in the way: ", "not a folder"];
    assert_contains(&describe(), &why);
    assert_eq!(fs::read(models.join("a.test")).expect("the file"), b"mine");
    fs::remove_file(models.join("a.test")).expect("removed");
    std::os::unix::fs::symlink("nowhere", models.join("a.test")).expect("a link");
    assert_contains(&describe(), &why);
}

#[test]
fn a_name_that_no_folder_can_have_is_told_before_training() {
    let label = "a".repeat(61);
    let host = format!("{label}.{label}.{label}.{label}.test:8080");
    assert_eq!(host.len(), 252 + 5);
    let folder = folder(&crawl(&host, 100));
    let described = refused(folder.path());
    assert_contains(&described, &["257 bytes", "at most 255"]);
}

#[test]
fn every_output_follows_a_link() {
    let folder = folder(&crawl("a.test", 20));
    for (command, arguments) in [("ingest", ["-o", "link"]), ("cluster", ["-o", "link"])] {
        std::os::unix::fs::symlink("file", folder.path().join("link")).expect("a link");
        undust(folder.path(), command).arg("crawl.jsonl").args(arguments).assert().success();
        assert!(fs::symlink_metadata(folder.path().join("link")).expect("it").is_symlink());
        assert!(fs::metadata(folder.path().join("file")).expect("it").len() > 0);
        fs::remove_file(folder.path().join("link")).expect("removed");
        fs::remove_file(folder.path().join("file")).expect("removed");
    }
}

#[test]
fn a_pipe_is_written_to_by_any_of_its_names() {
    let folder = folder(&crawl("a.test", 20));
    for command in ["ingest", "cluster"] {
        let run = |output: &str| {
            let mut run = undust(folder.path(), command);
            run.args(["crawl.jsonl", "-o", output]).assert().success().get_output().stdout.clone()
        };
        let plain = run("-");
        assert!(!plain.is_empty());
        assert_eq!(run("/dev/stdout"), plain, "{command}");
    }
}
