//! `undust pack` and `unpack`: a pack is read as its folder is by every command, and never written into.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::{
    copy_folder, files, models_of_format, output, process, stderr, stdout, undust, write,
};

const QUEUE: &str = "http://a.test/users/9x/bob\nhttp://b.test/story/7/print\nhttp://c.test/x\n\
                     http://none.test/\nno URL\n";

/// A folder with the saved models, their pack, and a queue.
fn packed() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for site in ["a.test", "b.test", "c.test"] {
        copy_folder(&models_of_format(5).join(site), &folder.path().join("models").join(site));
    }
    write(folder.path(), "queue", QUEUE);
    output(folder.path(), "pack", &["models", "-o", "models.undust"]);
    folder
}

/// What a run prints with the folder of the models, and with the pack, which is called as the folder is.
fn both(folder: &Path, arguments: &[&str]) -> [(Option<i32>, String, String); 2] {
    ["models", "models.undust"].map(|models| {
        let arguments: Vec<String> =
            arguments.iter().map(|argument| argument.replace("MODELS", models)).collect();
        let run = undust(folder, &arguments[0]).args(&arguments[1..]).output().expect("a run");
        let plain = |text: String| text.replace("models.undust", "models");
        (run.status.code(), plain(stdout(&run)), plain(stderr(&run)))
    })
}

#[test]
fn every_command_reads_a_pack_as_its_folder() {
    let folder = packed();
    for arguments in [
        &["translate", "--models", "MODELS", "queue"][..],
        &["translate", "--models", "MODELS", "--format", "jsonl", "--bold", "queue"],
        &["explain", "--models", "MODELS", "http://b.test/story/7/print"],
        &["explain", "--models", "MODELS", "--format", "json", "http://c.test/x?sid=1"],
        &["show", "MODELS/b.test"],
        &["show", "MODELS/c.test", "--all"],
        &["show", "MODELS/a.test", "--format", "json"],
        &["export", "--to", "heritrix", "MODELS/c.test"],
        &["diff", "MODELS", "models", "queue"],
    ] {
        let [plain, pack] = both(folder.path(), arguments);
        assert_eq!(pack, plain, "{arguments:?}");
        assert_eq!(pack.0, Some(0), "{arguments:?}: {}", pack.2);
    }
    let listed = output(folder.path(), "models", &["models.undust", "--format", "json"]).0;
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).expect("JSON");
    let sites: Vec<_> = listed.iter().map(|one| one["site"].as_str().expect("a site")).collect();
    assert_eq!(sites, ["a.test", "b.test", "c.test"]);
    let sizes = |models: &str| {
        let json = output(folder.path(), "models", &[models, "--format", "json"]).0;
        let all: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
        all.iter().map(|one| one["bytes"].as_u64()).collect::<Vec<_>>()
    };
    assert_eq!(sizes("models.undust"), sizes("models"));
}

#[test]
fn folders_come_back() {
    let folder = packed();
    let said = output(folder.path(), "unpack", &["models.undust", "-o", "all"]).1;
    assert!(said.contains("3 models unpacked into all"), "{said}");
    assert_eq!(files(&folder.path().join("all")), files(&folder.path().join("models")));
    output(folder.path(), "unpack", &["models.undust", "b.test", "-o", "one"]);
    assert_eq!(fs::read_dir(folder.path().join("one")).expect("a folder").count(), 1);
    let run = undust(folder.path(), "unpack").args(["models.undust", "x.test"]).assert();
    let said = stderr(run.failure().code(1).get_output());
    assert!(said.contains("models.undust/x.test: the pack has no model of this site"), "{said}");
}

#[test]
fn nothing_is_written_into_a_pack() {
    let folder = packed();
    let whole = fs::read(folder.path().join("models.undust")).expect("a pack");
    write(
        folder.path(),
        "came",
        r#"{"url":"http://b.test/1","form":"http://b.test/2","same":true}"#,
    );
    let crawl =
        r#"{"url":"http://b.test/1","status":200,"title":"t","simhash":"0123456789abcdef"}"#;
    write(folder.path(), "crawl.jsonl", crawl);
    for (arguments, code) in [
        (&["observe", "--models", "models.undust", "came"][..], 2),
        (&["evaluate", "--models", "models.undust", "--prune", "crawl.jsonl"], 2),
        (&["train", "--models", "models.undust", "crawl.jsonl"], 1),
    ] {
        let run =
            undust(folder.path(), arguments[0]).args(&arguments[1..]).output().expect("a run");
        let said = stderr(&run);
        assert_eq!(run.status.code(), Some(code), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
        let sentence = "models.undust: is a pack of models, into which nothing is written; make folders of \
                        it with `undust unpack`";
        assert!(said.contains(sentence), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read(folder.path().join("models.undust")).expect("a pack"), whole);
}

#[test]
fn models_are_appended_and_replaced() {
    let folder = packed();
    let path = folder.path();
    copy_folder(&path.join("models/b.test"), &path.join("new/b.test"));
    write(path, "new/b.test/rules.json", r#"{"method":"tree","rules":[]}"#);
    let said = output(path, "pack", &["new", "--append", "-o", "models.undust"]).1;
    assert!(said.contains("1 model packed into models.undust, 3 in all"), "{said}");
    let lines = output(path, "translate", &["--models", "models.undust", "queue"]).0;
    assert!(lines.starts_with("http://a.test/users/9x\nhttp://b.test/story/7/print\n"), "{lines}");
    // Packed anew it is what its models are.
    output(path, "pack", &["models.undust", "-o", "again.undust"]);
    output(path, "unpack", &["again.undust", "-o", "again"]);
    fs::copy(path.join("new/b.test/rules.json"), path.join("models/b.test/rules.json"))
        .expect("a file");
    assert_eq!(files(&path.join("again")), files(&path.join("models")));
    output(path, "pack", &["models", "-o", "plain.undust"]);
    let [again, plain] = ["again.undust", "plain.undust"].map(|name| fs::read(path.join(name)));
    assert_eq!(again.expect("a pack"), plain.expect("a pack"));
}

#[test]
fn what_cannot_be_packed_or_read_is_one_sentence() {
    let folder = packed();
    let path = folder.path();
    write(path, "models/b.test/rules.json", "{");
    write(path, "models/c.test/notes.txt", "mine");
    let run = undust(path, "pack").args(["models", "-o", "part.undust"]).assert().failure().code(1);
    let said = stderr(run.get_output());
    for part in [
        "models/b.test/rules.json: ",
        "left out 1 file that no model has",
        "2 models packed",
        "one model could not be loaded; left out of the pack",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let whole = fs::read(path.join("models.undust")).expect("a pack");
    write(path, "cut.undust", &whole[..whole.len() / 2]);
    write(path, "other.undust", "no pack");
    for (arguments, expected) in [
        (&["translate", "--models", "cut.undust", "queue"][..], "cut.undust: ends at byte"),
        (&["unpack", "cut.undust"], "cut.undust: ends at byte"),
        (
            &["unpack", "other.undust"],
            "other.undust: is no pack of models; `undust pack` makes one",
        ),
        (&["pack", "none", "-o", "x"], "model none: no such folder"),
        (&["pack", "models", "-o", "models"], "a pack is a regular file"),
        (&["pack", "models", "--append", "-o", "other.undust"], "is no pack of models"),
        (&["show", "models.undust"], "is a pack of models; name one of them"),
        (&["show", "models.undust/x.test"], "the pack has no model of this site"),
    ] {
        let run = undust(path, arguments[0]).args(&arguments[1..]).output().expect("a run");
        let said = stderr(&run);
        assert_eq!(run.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(expected) && said.lines().count() == 1, "{arguments:?}: {said}");
    }
    // A damaged model is named, and costs no other.
    let at = whole.windows(6).position(|bytes| bytes == b"b.test").expect("its directory");
    let mut damaged = whole;
    damaged[at + 8] ^= 1;
    write(path, "damaged.undust", damaged);
    let run =
        undust(path, "unpack").args(["damaged.undust", "-o", "rest"]).output().expect("a run");
    assert_eq!(run.status.code(), Some(1));
    assert!(stderr(&run).contains("in the directory of a model"), "{}", stderr(&run));
    assert_eq!(fs::read_dir(path.join("rest")).expect("a folder").count(), 2);
    let run = undust(path, "models").arg("damaged.undust").output().expect("a run");
    assert!(stderr(&run).contains("in the directory of a model"), "{}", stderr(&run));
}

#[test]
fn a_pack_of_no_model_does_not_take_the_place_of_one() {
    let folder = packed();
    let path = folder.path();
    let whole = fs::read(path.join("models.undust")).expect("a pack");
    for site in ["a.test", "b.test", "c.test"] {
        write(path, &format!("models/{site}/model.json"), "{");
    }
    let run = undust(path, "pack").args(["models", "-o", "models.undust"]).assert();
    let said = stderr(run.failure().code(1).get_output());
    let last = said.lines().last().expect("a sentence");
    let sentence = "model models.undust: is not written, as no model in models can be packed";
    assert!(last.contains(sentence), "{said}");
    assert_eq!(said.lines().count(), 4, "{said}");
    assert_eq!(fs::read(path.join("models.undust")).expect("a pack"), whole);
    // Nothing is left beside the models, their pack and the queue.
    assert_eq!(fs::read_dir(path).expect("a folder").count(), 3);
}

/// One process translates while others append to its pack, swap it and cut it: no answer is missing or of no model.
#[test]
fn a_process_goes_on_while_others_write() {
    let folder = packed();
    let path = folder.path();
    copy_folder(&path.join("models/b.test"), &path.join("none/b.test"));
    write(path, "none/b.test/rules.json", r#"{"method":"tree","rules":[]}"#);
    let mut child = process(path, &["translate", "-q", "--models", "models.undust"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    let mut answers = BufReader::new(child.stdout.take().expect("its output"));
    let (url, form) = ("http://b.test/story/7/print", "http://b.test/story/7");
    let mut ask = || {
        writeln!(input, "{url}").expect("it reads");
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer");
        line.trim_end().to_owned()
    };
    let mut until = |wanted: &str| {
        let begun = Instant::now();
        loop {
            let answer = ask();
            assert!([url, form].contains(&&*answer), "{answer}");
            if answer == wanted {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{wanted} never came");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    until(form);
    for _ in 0..2 {
        output(path, "pack", &["none", "--append", "-o", "models.undust"]);
        until(url);
        output(path, "pack", &["models", "-o", "models.undust"]);
        until(form);
    }
    fs::remove_file(path.join("models.undust")).expect("a pack");
    std::thread::sleep(Duration::from_millis(1200));
    until(form);
    drop(input);
    assert!(child.wait().expect("an end").success());
}
