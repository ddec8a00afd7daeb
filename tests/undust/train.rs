//! `undust train` as a whole program: crawls in, model folders out, the same ones each time.
#![cfg(feature = "network")]

use std::path::Path;

use crate::support::{
    assert_contains, crawl, failure, files, folder, line, only_sentence, output, shop, stderr,
    train, trained, trained_by, undust, write,
};

fn names_of(models: &Path) -> Vec<String> {
    files(models).into_keys().collect()
}

#[test]
fn a_model_is_four_files_and_can_be_shown() {
    let folder = trained(&["a.test"]);
    let expected = ["conventions.json", "lexicon.json", "model.json", "weights.safetensors"];
    let expected = expected.map(|file| format!("a.test/{file}"));
    assert_eq!(names_of(&folder.path().join("models")), expected);
    let (shown, _) = output(folder.path(), "show", &["models/a.test"]);
    assert_contains(&shown, &["a.test (by host)", "60 pages in 30 clusters"]);
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
fn auto_learns_the_same_bytes_from_a_crawl_in_any_order() {
    let learned = |crawl: &str| files(&trained_by("auto", crawl).path().join("models"));
    let crawl = shop(true);
    let mut lines: Vec<&str> = crawl.split_inclusive('\n').collect();
    let in_order = learned(&crawl);
    assert_eq!(in_order.len(), 3);
    lines.reverse();
    assert!(in_order == learned(&lines.concat()), "reversed");
    lines.sort_unstable_by_key(|line| (line.len() % 7, line.bytes().rev().nth(20)));
    assert!(in_order == learned(&lines.concat()), "mixed");
}

#[test]
fn every_site_of_a_crawl_gets_a_model_and_small_ones_are_named() {
    let hosts = [("a.test", 30), ("www.a.test", 5), ("b.test:81", 30), ("small.test", 4)];
    let folder = folder(&hosts.map(|(host, users)| crawl(host, users)).concat());
    let output = train(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_contains(&stderr(&output), &["small.test: skipped", "8 pages, 4 duplicate clusters\n"]);
    let mut sites = names_of(&folder.path().join("models"));
    sites.retain(|name| name.ends_with("model.json"));
    assert_eq!(sites, ["a.test/model.json", "b.test+81/model.json"]);
}

#[test]
fn hosts_of_a_domain_can_share_a_model() {
    let folder = folder(&(crawl("a.example.com", 15) + &crawl("b.example.com", 15)));
    train(folder.path()).args(["--site-by", "domain"]).assert().success();
    let models = folder.path().join("models");
    assert!(names_of(&models).iter().all(|name| name.starts_with("example.com/")));
}

#[test]
fn a_crawl_that_teaches_nothing_is_told_in_a_sentence() {
    let alone = crawl("a.test", 40).lines().step_by(2).map(|line| format!("{line}\n")).collect();
    for crawl in [alone, crawl("a.test", 2)] {
        let described = failure(&mut train(folder(&crawl).path()), 1);
        assert_contains(&described, &["20 pages", "1 duplicate cluster "]);
    }
    for crawl in ["", "{\"url\":\"http://a.test/\",\"status\":404}\n"] {
        let folder = folder(crawl);
        let described = failure(&mut train(folder.path()), 1);
        assert_contains(&described, &["crawl.jsonl: no page"]);
        assert!(!folder.path().join("models").exists());
    }
}

#[test]
fn one_url_a_million_times_is_one_page() {
    let folder = folder("");
    let lines = line("http://a.test/", "A").repeat(1_000_000);
    let mut command = undust(folder.path(), "train");
    let output = command.arg("-").write_stdin(lines).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_contains(&stderr(&output), &["1 page, 0 duplicate"]);
}

#[test]
fn wrong_settings_are_named_and_exit_with_2() {
    let folder = folder(&crawl("a.test", 30));
    for (settings, named) in [
        ("[seq2seq]\nhiden = 16", "hiden"),
        ("[seq2seq]\nhidden = 0", "seq2seq.hidden = 0 must be from 1 to 4096"),
        ("[tokens]\nthreshold = 2.0", "tokens.threshold = 2 must be from 0 to 1"),
        ("[rules]\nmax_false_positives = 10", "rules.max_false_positives = 10 must be from 0 to 1"),
        ("[seq2seq_paper]\noptimizer = \"sdg\"", "sdg"),
        ("seq2seq = [", "TOML"),
    ] {
        write(folder.path(), "tiny.toml", settings);
        let output = train(folder.path()).output().unwrap();
        let described = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{described}");
        assert!(
            described.starts_with("undust: tiny.toml: ") && described.contains(named),
            "{described}"
        );
    }
    assert!(!folder.path().join("models").exists());
}

#[test]
fn models_that_cannot_be_written_are_told_in_a_sentence() {
    let folder = folder(&crawl("a.test", 30));
    let mut command = train(folder.path());
    let described = only_sentence(command.args(["--models", "crawl.jsonl"]), 1);
    assert_contains(&described, &["crawl.jsonl: is a file"]);
}

/// What needs signals and limits of the system.
#[cfg(target_os = "linux")]
mod unix {
    use std::process::{Child, Stdio};
    use std::time::Instant;

    use super::*;
    use crate::support::{SETTINGS, Terminal, process, within_limits};

    fn spawn(folder: &Path, arguments: &[&str]) -> Child {
        process(folder, &["train", "crawl.jsonl", "--config", "tiny.toml"])
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
        let train = ["train", "crawl.jsonl", "--config", "tiny.toml", "--seed", "9"];
        let limits = "ulimit -f 4";
        let output = within_limits(folder.path(), limits, &train).output().unwrap();
        let described = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{described}");
        assert!(described.contains("model.json: File too large"), "{described}");
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
        let folder = folder(&crawl("a.test", 30));
        let endless = SETTINGS
            .replace("max_steps = 60\ncheck_every = 20", "max_steps = 9999999\ncheck_every = 500");
        write(folder.path(), "tiny.toml", endless);
        let line = "exec undust train crawl.jsonl --config tiny.toml --method seq2seq";
        let mut terminal = Terminal::run(folder.path(), 100, line);
        terminal.shows("exact match");
        terminal.type_keys("\x03");
        let (shown, status) = terminal.rest();
        assert_eq!(status.code(), Some(130), "{shown}");
        assert_contains(&shown, &["(interrupted)"]);
        assert_loadable(folder.path());
    }
}
