//! What is left when processes are killed, meet one another, or find something in their way.
#![cfg(target_os = "linux")]

mod made_up;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;

use made_up::{crawl, folder, stderr, undust};

/// How often a command is killed: a few times in a run of all tests, `UNDUST_KILLS` in a long one.
fn kills() -> u64 {
    let asked = std::env::var("UNDUST_KILLS").ok().and_then(|kills| kills.parse().ok());
    asked.unwrap_or(12)
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("undust"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

const TRAIN: [&str; 6] = ["train", "crawl.jsonl", "--config", "tiny.toml", "--method", "tree"];
const INGEST: [&str; 4] = ["ingest", "crawl.jsonl", "-o", "out/pages.jsonl.gz"];

/// Temporary names in a folder.
fn leftovers(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with('.')).collect()
}

/// Kills a command at moments spread over the time that it takes.
fn killed_at_any_moment(arguments: &[&str], place: &str, check: impl Fn(&Path)) {
    let folder = folder(&crawl("a.test", 3000));
    fs::create_dir_all(folder.path().join("out")).expect("a folder");
    let clock = std::time::Instant::now();
    assert!(start(folder.path(), arguments).wait().expect("an end").success());
    let whole = clock.elapsed();
    let all = kills();
    for kill in 0..all {
        let mut child = start(folder.path(), arguments);
        // The last tenth is where files take their places.
        let share = if kill % 2 == 0 { 0.0 } else { 0.8 };
        sleep(whole.mul_f64(share + (1.0 - share) * kill as f64 / all as f64));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        check(folder.path());
    }
    assert!(start(folder.path(), arguments).wait().expect("an end").success());
    assert_eq!(leftovers(&folder.path().join(place)), [""; 0]);
    check(folder.path());
}

#[test]
fn a_killed_training_leaves_the_old_model_or_the_new_one_and_nothing_else_for_long() {
    killed_at_any_moment(&TRAIN, "models", |folder| {
        let mut translate = undust(folder, "translate");
        let queue = "http://a.test/users/7x/name7\n";
        let output = translate.write_stdin(queue).output().expect("an answer");
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(output.stdout, b"http://a.test/users/7x\n");
    });
}

#[test]
fn a_killed_ingestion_leaves_the_old_manifest_or_the_new_one_and_nothing_else_for_long() {
    killed_at_any_moment(&INGEST, "out", |folder| {
        let output = undust(folder, "cluster").arg("out/pages.jsonl.gz").output().expect("an end");
        assert!(output.status.success(), "{}", stderr(&output));
    });
}

#[test]
fn a_signal_leaves_nothing_that_the_next_run_does_not_remove() {
    let folder = folder(&crawl("a.test", 20_000));
    fs::create_dir(folder.path().join("out")).expect("a folder");
    for signal in ["INT", "TERM", "HUP"] {
        let mut child = start(folder.path(), &INGEST);
        while leftovers(&folder.path().join("out")).is_empty() {
            if child.try_wait().expect("its state").is_some() {
                break;
            }
        }
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(
            kill.expect("kill runs").success() || child.try_wait().expect("its state").is_some()
        );
        child.wait().expect("an end");
    }
    assert!(start(folder.path(), &INGEST).wait().expect("an end").success());
    assert_eq!(leftovers(&folder.path().join("out")), [""; 0]);
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

/// What a training that fails tells.
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
    let told = || refused(folder.path());
    fs::write(models.join("a.test"), "mine").expect("a file");
    assert!(told().contains("models/a.test is in the way: it is no folder"), "{}", told());
    assert_eq!(fs::read(models.join("a.test")).expect("the file"), b"mine");
    fs::remove_file(models.join("a.test")).expect("removed");
    std::os::unix::fs::symlink("nowhere", models.join("a.test")).expect("a link");
    assert!(told().contains("models/a.test is in the way: it is no folder"), "{}", told());
}

#[test]
fn a_name_that_no_folder_can_have_is_told_before_training() {
    let label = "a".repeat(61);
    let host = format!("{label}.{label}.{label}.{label}.test:8080");
    assert_eq!(host.len(), 252 + 5);
    let folder = folder(&crawl(&host, 100));
    let told = refused(folder.path());
    assert!(told.contains("its name has 257 bytes, and a folder's at most 255"), "{told}");
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
