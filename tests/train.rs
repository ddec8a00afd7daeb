//! `undust train` as a whole program: crawls in, model folders out, the same ones each time.
#![cfg(feature = "network")]

mod made_up;

use std::path::Path;

use made_up::{SETTINGS, crawl, failure, files, folder, stderr, train, trained, undust, write};

fn names(models: &Path) -> Vec<String> {
    files(models).into_keys().collect()
}

#[test]
fn a_model_is_four_files_and_can_be_shown() {
    let folder = trained(&["a.test"]);
    let expected = ["conventions.json", "model.json", "tokenizer.json", "weights.safetensors"];
    let expected = expected.map(|file| format!("a.test/{file}"));
    assert_eq!(names(&folder.path().join("models")), expected);
    let shown = undust(folder.path(), "show").arg("models/a.test").output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("a.test (by host)"), "{shown}");
    assert!(shown.contains("60 pages in 30 clusters"), "{shown}");
}

#[test]
fn the_same_crawl_and_seed_give_the_same_bytes_on_any_number_of_threads() {
    let folder = folder(&(crawl("a.test", 30) + &crawl("b.test", 25)));
    let model = |threads: &str, jobs: &str, name: &str, seed: &str| {
        let arguments = ["--jobs", jobs, "--models", name, "--seed", seed];
        let mut command = train(folder.path());
        command.env("RAYON_NUM_THREADS", threads).args(arguments).assert().success();
        files(&folder.path().join(name))
    };
    let first = model("1", "1", "first", "5");
    assert_eq!(first.len(), 8);
    assert!(first == model("1", "1", "again", "5"));
    assert!(first == model("2", "1", "threads", "5"));
    assert!(first == model("2", "2", "jobs", "5"));
    assert!(first != model("1", "1", "other", "6"));
}

#[test]
fn every_site_of_a_crawl_gets_a_model_and_small_ones_are_named() {
    let hosts = [("a.test", 30), ("www.a.test", 5), ("b.test:81", 30), ("small.test", 4)];
    let folder = folder(&hosts.map(|(host, users)| crawl(host, users)).concat());
    let output = train(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let skipped = "small.test: skipped, too little evidence: 8 pages, 4 duplicate clusters\n";
    assert!(stderr(&output).contains(skipped), "{}", stderr(&output));
    let mut sites = names(&folder.path().join("models"));
    sites.retain(|name| name.ends_with("model.json"));
    assert_eq!(sites, ["a.test/model.json", "b.test+81/model.json"]);
}

#[test]
fn hosts_of_a_domain_can_share_a_model() {
    let folder = folder(&(crawl("a.example.com", 15) + &crawl("b.example.com", 15)));
    train(folder.path()).args(["--site-by", "domain"]).assert().success();
    let models = folder.path().join("models");
    assert!(names(&models).iter().all(|name| name.starts_with("example.com/")));
}

#[test]
fn a_crawl_that_teaches_nothing_is_told_in_a_sentence() {
    let alone = crawl("a.test", 40).lines().step_by(2).map(|line| format!("{line}\n")).collect();
    for crawl in [alone, crawl("a.test", 2)] {
        let told = failure(&mut train(folder(&crawl).path()), 1);
        assert!(told.starts_with("no site has the 20 pages and 3 duplicate clusters"), "{told}");
    }
    for crawl in ["", "{\"url\":\"http://a.test/\",\"status\":404}\n"] {
        let folder = folder(crawl);
        let told = failure(&mut train(folder.path()), 1);
        assert!(told.starts_with("crawl.jsonl: no page to learn from"), "{told}");
        assert!(!folder.path().join("models").exists());
    }
}

#[test]
fn one_url_a_million_times_is_one_page() {
    let folder = folder("");
    let line = "{\"url\":\"http://a.test/\",\"status\":200,\"title\":\"A\",\"digest\":\"a\"}\n";
    let mut command = undust(folder.path(), "train");
    let output = command.arg("-").write_stdin(line.repeat(1_000_000)).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("evidence: 1 page, 0 duplicate"), "{}", stderr(&output));
}

#[test]
fn wrong_settings_are_named_and_exit_with_2() {
    let folder = folder(&crawl("a.test", 30));
    for (settings, named) in [
        ("[seq2seq]\nhiden = 16", "hiden"),
        ("[seq2seq]\nhidden = 0", "seq2seq.hidden = 0 must be from 1 to 4096"),
        ("[tokens]\nthreshold = 2.0", "tokens.threshold = 2 must be from 0 to 1"),
        ("[rules]\nmax_false_positives = 10", "rules.max_false_positives = 10 must be from 0 to 1"),
        ("preset = \"papre\"", "papre"),
        ("seq2seq = [", "TOML"),
    ] {
        write(folder.path(), "tiny.toml", settings);
        let output = train(folder.path()).output().unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.starts_with("undust: tiny.toml: ") && told.contains(named), "{told}");
    }
    assert!(!folder.path().join("models").exists());
}

#[test]
fn models_that_cannot_be_written_are_told_in_a_sentence() {
    let folder = folder(&crawl("a.test", 30));
    let mut command = train(folder.path());
    let output = command.args(["--models", "crawl.jsonl"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = "undust: crawl.jsonl: is a file, and a folder is asked for\n";
    assert_eq!(stderr(&output), told);
}

/// What needs signals and limits of the system.
#[cfg(target_os = "linux")]
mod unix {
    use std::fs;
    use std::process::{Child, Command, Stdio};
    use std::time::Instant;

    use super::*;

    fn spawn(folder: &Path, arguments: &[&str]) -> Child {
        Command::new(assert_cmd::cargo::cargo_bin!("undust"))
            .current_dir(folder)
            .args(["train", "crawl.jsonl", "--config", "tiny.toml"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The model at work, on a URL it knows.
    fn assert_loadable(folder: &Path) {
        let mut translate = undust(folder, "translate");
        translate.write_stdin("http://a.test/users/7x\n").assert().success();
    }

    #[test]
    fn a_full_disk_leaves_the_old_model() {
        let folder = trained(&["a.test"]);
        let before = files(&folder.path().join("models"));
        let limited = "trap '' XFSZ; ulimit -f 4; exec \"$@\"";
        let output = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", limited, "sh"])
            .arg(assert_cmd::cargo::cargo_bin!("undust"))
            .args(["train", "crawl.jsonl", "--config", "tiny.toml", "--seed", "9"])
            .output()
            .unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("model.json: File too large"), "{told}");
        assert!(before == files(&folder.path().join("models")));
    }

    #[test]
    fn a_killed_training_leaves_a_model_that_works() {
        const KILLS: u32 = 12;
        let folder = trained(&["a.test"]);
        let begin = Instant::now();
        spawn(folder.path(), &["--seed", "0"]).wait().unwrap();
        let whole = begin.elapsed();
        for kill in 0..=KILLS {
            let mut training = spawn(folder.path(), &["--seed", &kill.to_string()]);
            std::thread::sleep(whole * kill / KILLS);
            training.kill().unwrap();
            training.wait().unwrap();
            assert_loadable(folder.path());
        }
        train(folder.path()).assert().success();
        assert_loadable(folder.path());
    }

    /// On a terminal of its own, where the look at the held-out clusters is shown.
    #[test]
    fn ctrl_c_keeps_the_best_weights_so_far() {
        use std::io::Read;
        let folder = folder(&crawl("a.test", 30));
        let endless = SETTINGS.replace("max_steps = 60", "max_steps = 9999999\npatience = 9999999");
        write(folder.path(), "tiny.toml", endless);
        let undust = assert_cmd::cargo::cargo_bin!("undust");
        let typed = format!(
            "echo $$ > process; exec {} train crawl.jsonl --config tiny.toml --method seq2seq",
            undust.display()
        );
        let mut terminal = Command::new("script")
            .current_dir(folder.path())
            .args(["--quiet", "--flush", "--return", "--command", &typed, "/dev/null"])
            .env("TERM", "xterm")
            .env("SHELL", "/bin/sh")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut shown, mut screen) = (String::new(), terminal.stdout.take().unwrap());
        let mut some = [0; 4096];
        while !shown.contains("exact match") {
            let read = screen.read(&mut some).unwrap();
            assert!(read > 0, "training ended by itself: {shown}");
            shown.push_str(&String::from_utf8_lossy(&some[..read]));
        }
        let process = fs::read_to_string(folder.path().join("process")).unwrap();
        assert!(Command::new("kill").args(["-INT", process.trim()]).status().unwrap().success());
        // What was read may end within a letter.
        let mut rest = Vec::new();
        screen.read_to_end(&mut rest).unwrap();
        shown.push_str(&String::from_utf8_lossy(&rest));
        assert_eq!(terminal.wait().unwrap().code(), Some(130), "{shown}");
        assert!(shown.contains("(interrupted)"), "{shown}");
        assert_loadable(folder.path());
    }
}
