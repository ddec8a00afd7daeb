use std::cell::Cell;
use std::process::Command;

use super::*;

const PARENT: &str = "UNDUST_TEST_PARENT";
const STEP: &str = "UNDUST_TEST_STEP";
const FILES: [&str; 3] = ["model.json", "rules.json", "conventions.json"];

fn files(content: &str) -> Vec<(&'static str, Vec<u8>)> {
    FILES.map(|name| (name, content.as_bytes().to_vec())).into()
}

/// Replaces a folder and dies at a step; run by the test below in a process of its own.
#[test]
fn dies_at_a_step() {
    let Some((parent, step)) = std::env::var_os(PARENT).zip(std::env::var(STEP).ok()) else {
        return;
    };
    let left = Cell::new(step.parse::<usize>().expect("a number"));
    let die_at_last = || match left.get() {
        0 => std::process::abort(),
        steps => left.set(steps - 1),
    };
    replace_in_steps(Path::new(&parent), "site", &files("new"), &die_at_last).expect("done");
}

#[test]
fn a_link_stays_a_link_and_the_folder_that_it_leads_to_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("models")).expect("a folder");
    fs::create_dir_all(path("elsewhere/one")).expect("a folder");
    std::os::unix::fs::symlink("../elsewhere/one", path("models/site")).expect("a link");
    for content in ["old", "new"] {
        replace(&path("models"), "site", &files(content)).expect("a model");
        assert!(fs::symlink_metadata(path("models/site")).expect("a link").is_symlink());
        for file in FILES {
            let place = path("elsewhere/one").join(file);
            assert_eq!(fs::read_to_string(place).expect("a file"), content);
        }
    }
    let names = |place: &str| fs::read_dir(path(place)).expect("a folder").count();
    assert_eq!((names("models"), names("elsewhere")), (1, 1));
}

/// A file is written where a link leads, even if there is none yet.
#[test]
fn a_folder_is_made_where_a_link_to_nothing_leads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("disk/models", path("models")).expect("a link");
    check_folder(&path("models")).expect("a place");
    replace(&path("models"), "site", &files("new")).expect("a model");
    assert!(path("disk/models/site").is_dir());
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_nothing_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "").expect("a file");
    for name in ["", "new", "new/below"] {
        check_folder(&path(name)).expect("a place");
    }
    for name in ["file", "file/below"] {
        let described = check_folder(&path(name)).expect_err("a file").to_string();
        assert!(described.ends_with("file: is a file; a folder is expected"), "{described}");
    }
    if cfg!(target_os = "linux") {
        let described = check_folder(Path::new("/proc/undust")).expect_err("no disk").to_string();
        assert!(described.starts_with("cannot create a folder in /proc: "), "{described}");
    }
    check_folder(Path::new("undust-is-not-here")).expect("the folder at work");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// Also if it comes while the model is being written.
#[test]
fn a_folder_that_is_no_model_is_never_replaced() {
    let parent = tempfile::tempdir().expect("a folder");
    let place = parent.path().join("site");
    let mirror = place.join("index.html");
    for step in 0..FILES.len() + 2 {
        let left = Cell::new(step);
        let put_at_last = || {
            if left.replace(left.get().wrapping_sub(1)) == 0 {
                fs::create_dir(&place).expect("a folder");
                fs::write(&mirror, "precious").expect("a file");
            }
        };
        let done = replace_in_steps(parent.path(), "site", &files("new"), &put_at_last);
        assert!(
            done.expect_err("a refusal")
                .to_string()
                .ends_with("it has other files but no model.json"),
            "step {step}"
        );
        assert_eq!(fs::read(&mirror).expect("a file"), b"precious");
        assert_eq!(fs::read_dir(parent.path()).expect("a folder").count(), 1);
        let refused = replace(parent.path(), "site", &files("new")).expect_err("a refusal");
        assert!(refused.to_string().contains("is in the way: it has other"), "{refused}");
        fs::remove_dir_all(&place).expect("removed");
    }
    // Nor where a model.json of whatever kind lies next to it, or it lies in a folder.
    for precious in ["precious", "rules.json/precious"] {
        let precious = place.join(precious);
        fs::create_dir_all(folder_of(&precious)).expect("a folder");
        fs::write(place.join(MODEL), "{}").expect("a file");
        fs::write(&precious, "precious").expect("a file");
        let refused = replace(parent.path(), "site", &files("new")).expect_err("a refusal");
        assert!(refused.to_string().contains(", which is not a file of a model; "), "{refused}");
        assert_eq!(fs::read(&precious).expect("a file"), b"precious");
        fs::remove_dir_all(&place).expect("removed");
    }
    // Broken models, and what is empty, may go, with what killed processes left there.
    fs::create_dir(&place).expect("a folder");
    fs::write(place.join(".undust-unfinished-4194305-x.part"), "").expect("a file");
    replace(parent.path(), "site", &files("{")).expect("a model");
    fs::write(place.join(".undust-unfinished-4194305-x.part"), "").expect("a file");
    fs::write(place.join("disabled.json"), "{").expect("a file");
    replace(parent.path(), "site", &files("new")).expect("a model");
}

/// A folder that was replaced is deleted file by file while others still look into it.
#[test]
fn trainings_of_one_site_are_never_in_the_way_of_one_another() {
    let parent = tempfile::tempdir().expect("a folder");
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..500 {
                    replace(parent.path(), "site", &files("new")).expect("a model");
                }
            });
        }
    });
    assert_eq!(fs::read_dir(parent.path()).expect("a folder").count(), 1);
}

/// A crash between any two steps leaves the whole old folder or the whole new one.
#[test]
fn a_crash_at_any_step_leaves_the_old_folder_or_the_new_one() {
    let path = concat!(module_path!(), "::dies_at_a_step");
    let (_, name) = path.split_once("::").expect("the crate before the test");
    let mut was_new = Vec::new();
    for step in 0.. {
        let parent = tempfile::tempdir().expect("a folder");
        replace(parent.path(), "site", &files("old")).expect("the old folder");
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", name])
            .env(PARENT, parent.path())
            .env(STEP, step.to_string())
            .output()
            .expect("a process");
        let content = |name| fs::read_to_string(parent.path().join("site").join(name));
        let contents = FILES.map(|name| content(name).expect("a file"));
        assert!(contents.iter().all(|content| *content == contents[0]), "{contents:?}");
        was_new.push(contents[0] == "new");
        if output.status.success() {
            break;
        }
    }
    assert!(was_new.len() > FILES.len() + 3, "only {} steps", was_new.len());
    assert!(was_new.is_sorted() && !was_new[0] && was_new[was_new.len() - 1]);
}
