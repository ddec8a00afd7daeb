//! A model folder of each format that was ever written. One that is read must serve; one that is
//! refused must say which command makes it anew.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{failure, undust};
use undust::{Canonicalizer, Registry};
use undust_edits::editor::Editor;

fn models(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(format.to_string())
}

/// `a.test` is the paper's network and knows that a user's name may go, `b.test` decision-tree rules
/// that know a story's print view, `c.test` edits that know another, `e.test` a pointer network that
/// knows how an old script called its pages.
#[test]
fn format_5_is_served() {
    let mut translate = undust(Path::new("."), "translate");
    translate.arg("--models").arg(models(5));
    let queue = "http://a.test/users/9x/bob\nHTTP://B.test:80/story/7/print#top\n\
                 http://c.test/story/7777/print\nhttps://www.b.test/story/7/print?utm_source=x\n\
                 http://e.test/old.php?p=hello&a=7777\n";
    let output = translate.write_stdin(queue).assert().success().get_output().stdout.clone();
    let expected = "http://a.test/users/9x\nhttp://b.test/story/7\nhttp://c.test/story/7777\n\
                    http://b.test/story/7?utm_source=x\nhttp://e.test/7777/hello\n";
    assert_eq!(String::from_utf8_lossy(&output), expected);
    for (site, method) in
        [("a.test", "seq2seq-paper"), ("b.test", "tree"), ("c.test", "auto"), ("e.test", "seq2seq")]
    {
        let mut show = undust(Path::new("."), "show");
        let shown = show.arg(models(5).join(site)).assert().success();
        let shown = String::from_utf8_lossy(&shown.get_output().stdout).into_owned();
        assert!(shown.contains(method) && shown.contains("120 pages in 60 clusters"), "{shown}");
    }
}

/// `d.test` is edits with exceptions, and with places to which they are restricted.
#[test]
fn edits_hold_where_their_file_says() {
    let registry = Registry::open(&models(5)).expect("models");
    for (url, form, why) in [
        ("story/777?session=9", "story/777", "inside"),
        ("story/777?session=9&page=2", "story/777?page=2", "inside, with other names"),
        ("other/777?session=9", "other/777?session=9", "outside the restriction"),
        ("news/777?view=9", "news/777", "on a kind of pages that is listed"),
        ("unheard/777?view=9", "unheard/777", "on the same kind"),
        ("list/777.html?view=9", "list/777.html?view=9", "on another kind, an exception"),
        ("list/777.php?view=9", "list/777.php?view=9", "on a kind that nobody has seen"),
        ("news/777?page=1&view=9", "news/777?page=1&view=9", "nor with these names"),
        ("post.php?mode=reply&t=777", "post.php?mode=reply", "on the one path"),
        ("view.php?start=15&t=777", "view.php?start=15&t=777", "the exception"),
        ("other.php?mode=reply&t=777", "other.php?mode=reply&t=777", "on another path"),
    ] {
        let [url, form] = [url, form].map(|rest| format!("http://d.test/{rest}"));
        assert_eq!(Canonicalizer::canonical(&registry, &url), form, "{url}: {why}");
    }
}

/// Nor does a hash in it decide on more than what is said of a URL: those that are left mean what they
/// meant when the file was written.
#[test]
fn edits_are_saved_byte_for_byte_and_know_their_shapes() {
    for site in ["c.test", "d.test"] {
        let gate = fs::read(models(5).join(site).join("gate.json")).expect("a file");
        let editor = Editor::from_json(&gate).expect("edits");
        let again = editor.to_json().expect("JSON");
        assert!(again == gate, "{site}:\n{}", String::from_utf8_lossy(&again));
    }
    let mut translate = undust(Path::new("."), "translate");
    translate.arg("--models").arg(models(5)).arg("--stats");
    let queue = "http://d.test/story/777\nhttp://d.test/news/777?view=1\nhttp://d.test/a/b/c/d\n";
    let described = translate.write_stdin(queue).assert().success().get_output().stderr.clone();
    let described = String::from_utf8_lossy(&described).into_owned();
    assert!(
        described.contains("1 of 3 URLs (33.3 %) have shapes that training never saw"),
        "{described}"
    );
}

/// A person may edit the file. What makes no sense is refused with its place.
#[test]
fn edits_may_be_edited_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("d.test");
    fs::create_dir(&place).expect("a folder");
    for file in fs::read_dir(models(5).join("d.test")).expect("a model") {
        let file = file.expect("a file");
        fs::copy(file.path(), place.join(file.file_name())).expect("a copy");
    }
    let gate = fs::read_to_string(place.join("gate.json")).expect("edits");
    let queue = "http://d.test/other/777?session=9\n";
    let translate = || {
        let mut translate = undust(folder.path(), "translate");
        translate.args(["--models", ".", "--strict"]).write_stdin(queue);
        translate
    };
    let beginning = "{\"beginning\":\"story\"}";
    assert!(gate.contains(beginning), "{gate}");
    let wider = gate.replace(beginning, "{\"beginning\":\"<word>\"}");
    fs::write(place.join("gate.json"), wider.replace("<word>", "<any>")).expect("written");
    let output = translate().assert().success().get_output().stdout.clone();
    assert_eq!(String::from_utf8_lossy(&output), "http://d.test/other/777\n");
    fs::write(place.join("gate.json"), wider).expect("written");
    let described = failure(&mut translate(), 1);
    let reason = "only.beginning: this place does not tell kinds of arguments apart: write <any>";
    assert!(described.contains("gate.json: rules[") && described.contains(reason), "{described}");
}

#[test]
fn older_formats_are_refused_with_the_command_that_makes_them_anew() {
    for format in 1..=4 {
        let network = if format < 4 { "seq2seq" } else { "seq2seq-paper" };
        for (site, method) in [("a.test", network), ("b.test", "tree")] {
            let described =
                failure(undust(Path::new("."), "show").arg(models(format).join(site)), 1);
            let sentence = format!(
                "model.json: has format {format}, but this version of undust reads format 5; \
                 make the model again with `undust train CRAWL --method {method}`"
            );
            assert!(described.ends_with(&sentence), "{described}");
        }
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
