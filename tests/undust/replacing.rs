//! What outputs replace: earlier outputs, but nothing that is read, and no crawl.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{
    assert_contains, crawl, folder, only_sentence, output, stdout, trained_by, undust, write,
};

/// Runs a command that must refuse with one sentence, and leave every file as it was.
fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let before = texts(folder);
    let mut command = undust(folder, arguments[0]);
    let described = only_sentence(command.args(&arguments[1..]), 2);
    assert_contains(&described, parts);
    assert!(before == texts(folder), "{arguments:?}");
}

/// The files of a folder, without those of folders in it.
fn texts(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let text = |path: PathBuf| fs::read(&path).ok().map(|text| (path, text));
    all.filter(|path| path.is_file()).filter_map(text).collect()
}

#[test]
fn an_output_is_no_input() {
    let folder = trained_by("auto", &crawl("a.test", 60));
    let folder = folder.path();
    write(folder, "urls.txt", "http://a.test/\n");
    fs::create_dir(folder.join("tables")).expect("a folder");
    write(folder, "tables/lost.csv", "url,title,status\nhttp://a.test/,A,200\n");
    for arguments in [
        &["evaluate", "crawl.jsonl", "--json", "crawl.jsonl"][..],
        &["evaluate", "--models", "models", "crawl.jsonl", "--json", "crawl.jsonl"],
        &["evaluate", "--live", "crawl.jsonl", "--json", "crawl.jsonl"],
        &["report", "crawl.jsonl", "-o", "crawl.jsonl"],
        &["report", "crawl.jsonl", "--json", "crawl.jsonl"],
        &["report", "tables/lost.csv", "--csv", "tables"],
        &["cluster", "crawl.jsonl", "-o", "crawl.jsonl"],
        &["ingest", "crawl.jsonl", "-o", "crawl.jsonl"],
        &["validate", "models/a.test", "urls.txt", "-o", "urls.txt"],
        &["export", "models/a.test", "--to", "names", "--urls", "urls.txt", "-o", "urls.txt"],
    ] {
        refused(folder, arguments, &["is read, and the output would replace it; name another"]);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("crawl.jsonl", folder.join("link")).expect("a link");
        refused(folder, &["evaluate", "crawl.jsonl", "--json", "link"], &["link: is read"]);
    }
}

#[test]
fn an_output_replaces_no_crawl() {
    let folder = trained_by("auto", &crawl("a.test", 60));
    let folder = folder.path();
    let manifest = "is a crawl manifest, and the output would replace it";
    output(folder, "ingest", &["crawl.jsonl", "-o", "other.jsonl.gz"]);
    write(folder, "other.warc", "WARC/1.0\r\nWARC-Type: warcinfo\r\n");
    write(
        folder,
        "other.log",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 5\n",
    );
    write(folder, "feed.json", "[\n{\"url\": \"http://a.test/\", \"body\": \"x\"}\n]\n");
    write(folder, "crawl.bz2", "BZh91AY&SY");
    for arguments in [
        &["evaluate", "--json", "other.jsonl.gz", "crawl.jsonl"][..],
        &["evaluate", "--models", "models", "--json", "other.jsonl.gz", "crawl.jsonl"],
        &["report", "-o", "other.jsonl.gz", "crawl.jsonl"],
        &["cluster", "-o", "other.jsonl.gz", "crawl.jsonl"],
        &["validate", "models/a.test", "-o", "other.jsonl.gz", "crawl.jsonl"],
        &["export", "models/a.test", "--to", "csv", "-o", "other.jsonl.gz"],
        &["pack", "models", "-o", "other.jsonl.gz"],
    ] {
        refused(folder, arguments, &["other.jsonl.gz: ", manifest, "remove this one first"]);
    }
    for (name, kind) in [
        ("other.warc", "is a WARC file, and"),
        ("other.log", "is an access log, and"),
        ("feed.json", "is a Scrapy feed, and"),
        ("crawl.bz2", "is a compressed file, and"),
    ] {
        refused(folder, &["evaluate", "--json", name, "crawl.jsonl"], &[name, kind]);
        refused(folder, &["ingest", "crawl.jsonl", "-o", name], &[name, kind]);
    }
}

#[test]
fn an_output_replaces_its_earlier_one() {
    let folder = trained_by("auto", &crawl("a.test", 60));
    let folder = folder.path();
    let run = |arguments: &[&str]| {
        output(folder, arguments[0], &arguments[1..]);
    };
    let methods = ["--methods", "keep-all,auto"];
    for arguments in [
        &["ingest", "crawl.jsonl", "-o", "ingested.jsonl.gz"][..],
        &["cluster", "crawl.jsonl", "-o", "clusters.jsonl"],
        &["cluster", "crawl.jsonl", "--sample", "5", "-o", "sample.tsv"],
        &["evaluate", "--models", "models", "crawl.jsonl", "--json", "drift.jsonl"],
        &["evaluate", "--live", "crawl.jsonl", "--json", "live.jsonl"],
        &["validate", "models/a.test", "-o", "pairs.jsonl"],
        &["export", "models/a.test", "--to", "csv", "-o", "edits.csv"],
        &["export", "models/a.test", "--to", "json", "-o", "edits.json"],
        &["export", "models/a.test", "--to", "nutch", "-o", "edits.xml"],
        &["export", "models/a.test", "--to", "dud", "-o", "keys.json"],
        &["export", "models/a.test", "--to", "no-vary-search-json", "-o", "headers.json"],
        &["pack", "models", "-o", "models.undust"],
        &[&methods[..], &["crawl.jsonl", "--json", "figures.jsonl.gz"]].concat()[..],
    ] {
        let arguments = match arguments[0] {
            "--methods" => [&["evaluate"], arguments].concat(),
            _ => arguments.to_vec(),
        };
        run(&arguments);
        run(&arguments);
    }
    let report = ["crawl.jsonl", "-o", "a.html", "--json", "a.json", "--csv", "tables"];
    let report = [&["report", "--without-live"], &methods[..], &report].concat();
    run(&report);
    run(&report);
}

#[test]
fn other_files_and_devices_are_written_to() {
    let folder = folder(&crawl("a.test", 60));
    let evaluate = |name: &str| {
        let mut command = undust(folder.path(), "evaluate");
        command.args(["crawl.jsonl", "--methods", "auto", "--json", name]);
        stdout(&command.output().expect("a run"))
    };
    write(folder.path(), "empty", "");
    write(folder.path(), "notes.txt", "What I noted.\n");
    for name in ["empty", "notes.txt", "/dev/null"] {
        assert_contains(&evaluate(name), &["auto"]);
    }
    let written = fs::read_to_string(folder.path().join("notes.txt")).expect("a file");
    assert!(written.starts_with("{\"site\":"), "{written}");
}
