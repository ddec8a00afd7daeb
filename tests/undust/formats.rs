//! A model folder of each format that was ever written. One that is read must serve; one that is
//! refused must say which command makes it anew.

use std::path::{Path, PathBuf};

use crate::support::{failure, undust};

fn models(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(format.to_string())
}

/// `a.test` is a network that knows that a user's name may go, `b.test` decision-tree rules that
/// know a story's print view.
#[test]
fn formats_2_and_3_are_served() {
    for format in [2, 3] {
        let mut translate = undust(Path::new("."), "translate");
        translate.arg("--models").arg(models(format));
        let queue = "http://a.test/users/9x/bob\nHTTP://B.test:80/story/7/print#top\n";
        let output = translate.write_stdin(queue).assert().success().get_output().stdout.clone();
        let expected = "http://a.test/users/9x\nhttp://b.test/story/7\n";
        assert_eq!(String::from_utf8_lossy(&output), expected);
        for (site, method) in [("a.test", "seq2seq"), ("b.test", "tree")] {
            let mut show = undust(Path::new("."), "show");
            let shown = show.arg(models(format).join(site)).assert().success();
            let shown = String::from_utf8_lossy(&shown.get_output().stdout).into_owned();
            assert!(
                shown.contains(method) && shown.contains("120 pages in 60 clusters"),
                "{shown}"
            );
        }
    }
}

/// `c.test` is edits that know a story's print view.
#[test]
fn edits_of_format_3_are_served() {
    let mut translate = undust(Path::new("."), "translate");
    translate.arg("--models").arg(models(3));
    let queue = "http://c.test/story/7777/print\n";
    let output = translate.write_stdin(queue).assert().success().get_output().stdout.clone();
    assert_eq!(String::from_utf8_lossy(&output), "http://c.test/story/7777\n");
}

/// How a site writes its URLs is known since format 3.
#[test]
fn format_3_knows_how_a_site_writes_its_urls() {
    let mut translate = undust(Path::new("."), "translate");
    translate.arg("--models").arg(models(3));
    let queue = "https://www.b.test/story/7/print?utm_source=x\n";
    let output = translate.write_stdin(queue).assert().success().get_output().stdout.clone();
    assert_eq!(String::from_utf8_lossy(&output), "http://b.test/story/7?utm_source=x\n");
}

#[test]
fn format_1_is_refused_with_the_command_that_makes_it_anew() {
    for (site, method) in [("a.test", "seq2seq"), ("b.test", "tree")] {
        let told = failure(undust(Path::new("."), "show").arg(models(1).join(site)), 1);
        let sentence = format!(
            "model.json: has format 1, this undust reads 3; make the model anew with `undust train \
             CRAWL --method {method}`"
        );
        assert!(told.ends_with(&sentence), "{told}");
    }
}

/// The sample that lies in `models/`.
#[test]
fn the_sample_model_works_on_a_fresh_clone() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut translate = undust(Path::new("."), "translate");
    translate.arg("--models").arg(&models);
    let page = "http://wiki.example.test/mediawiki/index.php";
    let queue = format!("{page}?title=Special:UserLogin&returnto=Main+Page\n");
    let output = translate.write_stdin(queue).assert().success().get_output().stdout.clone();
    let form = String::from_utf8_lossy(&output).into_owned();
    assert_eq!(form, format!("{page}/Special:UserLogin\n"));
    let mut show = undust(Path::new("."), "show");
    show.arg(models.join("wiki.example.test")).assert().success();
}
