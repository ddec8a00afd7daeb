//! What comes in damaged, empty or foreign: each is said in a sentence, and nothing is dropped
//! without a word.

use std::fs;
use std::io::Read;

use crate::support::{
    assert_contains, crawl, failure, folder, output, stderr, stdout, two_trained, undust, write,
};

const URL: &str = "http://a.test/users/7x/name7";
const FORM: &str = "http://a.test/users/7x";

fn observation(same: &str) -> String {
    format!("{{\"url\":\"{URL}\",\"form\":\"{FORM}\"{same}}}\n")
}

#[test]
fn a_line_that_is_no_observation_costs_itself_and_is_told() {
    let folder = two_trained();
    let good = observation(",\"same\":true");
    let first = observation(",\"same\":\"yes\"") + &good;
    let later = format!("{good}garbage\n\n{good}");
    for (lines, came, described) in [
        (&first, "1 URL counted", ["1 line skipped of 2", "line 1 ", "\"yes\""]),
        (&later, "2 URLs counted", ["1 line skipped of 3", "line 2 ", "expected value"]),
    ] {
        write(folder.path(), "came", lines);
        let (counts, skipped) = output(folder.path(), "observe", &["came"]);
        assert_contains(&counts, &[came]);
        assert_contains(&skipped, &described);
        let mut observe = undust(folder.path(), "observe");
        let done = observe.args(["-q", "-"]).write_stdin(lines.as_str()).assert().success();
        assert_contains(&stderr(done.get_output()), &described);
    }
}

#[test]
fn a_file_of_which_no_observation_can_be_read_is_an_error() {
    let folder = two_trained();
    let good = observation(",\"same\":true");
    for (lines, described) in [
        (observation(""), &["came: ", "line 1 ", "`same`"][..]),
        (format!("no observation\n{good}"), &["came: ", "first line"]),
        (format!("{{\"url\":\"{URL}\"}}\n"), &["came: ", "first line"]),
        (good[..40].to_owned() + "\n" + &good, &["came:1: "]),
    ] {
        write(folder.path(), "came", &lines);
        let failed = failure(undust(folder.path(), "observe").arg("came"), 2);
        assert_contains(&failed, described);
    }
}

#[test]
fn pages_of_sites_without_a_model_are_told() {
    let folder = two_trained();
    fs::remove_dir_all(folder.path().join("models/b.test")).expect("a model");
    let (_, described) = output(folder.path(), "observe", &["crawl.jsonl"]);
    assert_contains(&described, &["crawl.jsonl: 120 pages", "without a model"]);
}

/// Such as the copy of a site: nothing but a model makes room for a model.
#[test]
fn a_folder_that_is_no_model_is_never_replaced() {
    let folder = folder(&(crawl("a.test", 60) + &crawl("b.test", 60)));
    let path = |name: &str| folder.path().join(name);
    for name in ["a.test", "b.test"] {
        fs::create_dir(path(name)).expect("a folder");
    }
    write(folder.path(), "a.test/index.html", "precious");
    let describe = || {
        let mut train = undust(folder.path(), "train");
        train.args(["crawl.jsonl", "--method", "tree", "--models", "."]);
        stderr(train.assert().failure().code(1).get_output())
    };
    let why = ["./a.test is in the way: ", "no model.json", "move it", "1 site trained, 1 failed"];
    assert_contains(&describe(), &why);
    assert_eq!(fs::read_dir(path("a.test")).expect("a folder").count(), 1);
    assert_eq!(fs::read(path("a.test/index.html")).expect("a file"), b"precious");
    // The empty folder has become a model, and a broken one may be replaced, too.
    for broken in ["", "{\"format\": 1}"] {
        write(folder.path(), "b.test/model.json", broken);
        assert_contains(&describe(), &why);
        output(folder.path(), "show", &["b.test"]);
    }
}

/// Before anything is learned: a folder that somebody keeps next to a `model.json` of any kind, or
/// that a link leads to.
#[cfg(unix)]
#[test]
fn a_folder_that_holds_more_than_a_model_is_never_replaced() {
    let folder = folder(&crawl("a.test", 60));
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("elsewhere")).expect("a folder");
    fs::create_dir_all(path("m")).expect("a folder");
    std::os::unix::fs::symlink("../elsewhere", path("m/a.test")).expect("a link");
    write(folder.path(), "elsewhere/model.json", "{}");
    write(folder.path(), "elsewhere/precious", "p");
    let mut train = undust(folder.path(), "train");
    train.args(["crawl.jsonl", "--method", "tree", "--models", "m"]);
    let described = stderr(train.assert().failure().code(1).get_output());
    assert_contains(&described, &["m/a.test is in the way: ", "precious", "move it"]);
    assert_eq!(fs::read(path("elsewhere/precious")).expect("a file"), b"p");
    fs::remove_file(path("elsewhere/precious")).expect("removed");
    train.assert().success();
    assert!(fs::symlink_metadata(path("m/a.test")).expect("a link").is_symlink());
    output(folder.path(), "show", &["m/a.test"]);
}

#[test]
fn a_host_that_is_too_long_is_told() {
    let long = format!("{}test", "long.".repeat(50));
    let folder = folder(&crawl(&long, 60));
    let mut train = undust(folder.path(), "train");
    let described = failure(train.args(["crawl.jsonl", "--method", "tree"]), 1);
    assert_contains(
        &described,
        &["crawl.jsonl: ", "120 URLs without a site", "longer than 253 bytes"],
    );
    write(folder.path(), "crawl.jsonl", crawl(&long, 1) + &crawl("a.test", 60));
    let (_, described) = output(folder.path(), "train", &["crawl.jsonl", "--method", "tree"]);
    assert_contains(&described, &["2 URLs without a site", "longer than 253 bytes"]);
    write(folder.path(), "list", format!("http://{long}/\n"));
    let mut train = undust(folder.path(), "train");
    let described = failure(train.args(["list", "--method", "dustbuster"]), 1);
    assert_contains(&described, &["list: ", "1 URL without a site"]);
}

/// Whoever gives the program an address of storage, which it does not read, does not find its secret in a log.
#[test]
fn no_secret_of_an_address_is_told() {
    let folder = two_trained();
    for address in [
        "s3://KEY:SEC/RET@bucket/x",
        "https://user:SECRET@host/x",
        "https://host/x?X-Amz-Signature=SECRET",
        "s3://KEY:S?ECRET@bucket/x",
    ] {
        for command in [
            &["ingest", address][..],
            &["train", address],
            &["train", "crawl.jsonl", "--config", address],
            &["cluster", address],
            &["evaluate", address],
            &["evaluate", "--live", address],
            &["report", address, "-o", "report"],
            &["translate", "--models", address, "crawl.jsonl"],
            &["explain", "--models", address, URL],
            &["export", address],
            &["show", address],
            &["show", "--state", address],
            &["models", "--models", address],
            &["diff", address, "models"],
            &["pack", address, "-o", "p.undust"],
            &["observe", address],
            &["validate", address],
            &["shapes", address],
            &["serve", "--models", address],
            &["cluster", "crawl.jsonl", "--state", address],
            &["live", "--state", address],
            &["serve", "--listen", "127.0.0.1:0", "--live", address],
        ] {
            let run = undust(folder.path(), command[0]).args(&command[1..]).output();
            let run = run.expect("a run");
            let told = format!("{}{}", String::from_utf8_lossy(&run.stdout), stderr(&run));
            let shows = ["SEC", "RET", "KEY", "user"].iter().find(|sign| told.contains(**sign));
            assert!(!run.status.success() && shows.is_none(), "{command:?}: {told}");
        }
    }
}

/// A state is never made among models, nor in the folder of one.
#[test]
fn a_folder_of_models_is_no_state() {
    let folder = two_trained();
    let files = || {
        let all = std::fs::read_dir(folder.path().join("models")).expect("a folder");
        let mut all: Vec<_> = all.map(|entry| entry.expect("an entry").path()).collect();
        let inner = std::fs::read_dir(&all[0]).expect("a folder");
        let inner: Vec<_> = inner.map(|entry| entry.expect("an entry").path()).collect();
        all.extend(inner);
        all.sort_unstable();
        all
    };
    let before = files();
    let one = before.iter().find(|path| path.join("model.json").is_file()).expect("a model");
    for place in ["models", one.to_str().expect("a name")] {
        for command in [
            &["live", "--state", place][..],
            &["cluster", "crawl.jsonl", "--state", place],
            &["serve", "--listen", "127.0.0.1:0", "--live", place],
        ] {
            if command[0] == "serve" && cfg!(not(feature = "serve")) {
                continue;
            }
            let mut run = undust(folder.path(), command[0]);
            run.args(&command[1..]).write_stdin("");
            assert_contains(&failure(&mut run, 1), &["holds models", "name another one"]);
        }
    }
    assert_eq!(files(), before);
}

/// WACZ is a zip file, whose WARC files are read. One that is damaged, or another zip file, is told.
#[test]
fn a_zip_file_is_told() {
    let folder = two_trained();
    write(folder.path(), "crawl.wacz", b"PK\x03\x04\x14\0\0\0\0\0\nhttp://a.test/users/7x/name7\n");
    let why = ["crawl.wacz: ", "invalid Zip archive"];
    for (arguments, code) in [
        (&["ingest"][..], 1),
        (&["train", "--method", "dustbuster"], 1),
        (&["evaluate", "--methods", "tree"], 1),
        (&["cluster"], 1),
        (&["observe"], 2),
    ] {
        let mut command = undust(folder.path(), arguments[0]);
        command.args(&arguments[1..]).arg("crawl.wacz");
        assert_contains(&failure(&mut command, code), &why);
    }
    for arguments in [&["translate"][..], &["diff", "models", "models"]] {
        let mut command = undust(folder.path(), arguments[0]);
        let described = failure(command.args(&arguments[1..]).arg("crawl.wacz"), 1);
        assert_contains(&described, &["crawl.wacz: ", "not a list of URLs", "WACZ file"]);
    }
}

#[test]
fn models_that_are_broken_or_missing_are_told_by_explain() {
    let folder = two_trained();
    let model = folder.path().join("models/a.test/model.json");
    let json = fs::read_to_string(&model).expect("a model");
    let format = regex::Regex::new("\"format\": [0-9]+").expect("a pattern");
    fs::write(&model, &*format.replace(&json, "\"format\": 99")).expect("a model");
    for arguments in [&[URL, FORM][..], &[URL, "http://b.test/x", "--format", "json"]] {
        let output = undust(folder.path(), "explain").args(arguments).output().expect("a run");
        assert_eq!(output.status.code(), Some(1));
        assert_contains(&stdout(&output), &["broken model"]);
        let described = stderr(&output);
        assert_contains(&described, &["model models/a.test/model.json: ", "format 99"]);
        assert_contains(&described, &["`undust train CRAWL --method tree`"]);
        assert_eq!(described.lines().count(), 1, "{described}");
    }
    let urls = ["http://c.test/", "http://www.c.test/x", "http://b.test/", "no URL"];
    let (text, described) = output(folder.path(), "explain", &urls);
    assert!(text.starts_with("http://c.test/\nstays as it is: no model\n"), "{text}");
    assert_contains(&described, &["c.test ", " models; ", "`undust train`"]);
    assert_eq!(described.lines().count(), 1, "each site is reported once: {described}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_url() {
    let folder = two_trained();
    let queue = format!("\u{feff}{URL}\n{URL}\n");
    write(folder.path(), "queue", &queue);
    let forms = format!("{FORM}\n{FORM}\n");
    assert_eq!(output(folder.path(), "translate", &["queue"]).0, forms);
    let mut translate = undust(folder.path(), "translate");
    translate.write_stdin(queue).assert().success().stdout(forms);
    for begun in ["\u{feff}", "\u{feff}\n", "\n"] {
        let mut translate = undust(folder.path(), "translate");
        let rest = begun.trim_start_matches('\u{feff}').to_owned();
        translate.write_stdin(begun).assert().success().stdout(rest);
    }
    // What only begins like one stays.
    let mut translate = undust(folder.path(), "translate");
    translate.write_stdin(&b"\xef\xbbx\n"[..]).assert().success().stdout(&b"\xef\xbbx\n"[..]);

    fs::create_dir(folder.path().join("none")).expect("a folder");
    fs::rename(folder.path().join("models/b.test"), folder.path().join("none/b.test"))
        .expect("a model");
    let (changes, _) = output(folder.path(), "diff", &["none", "models", "queue"]);
    assert_eq!(changes, format!("{URL}\t{URL}\t{FORM}\n").repeat(2));
}

#[test]
fn every_output_is_compressed_if_its_name_says_so() {
    let folder = folder(&crawl("a.test", 60));
    let (plain, _) = output(folder.path(), "cluster", &["crawl.jsonl"]);
    for name in ["out.gz", "out.jsonl.zst"] {
        output(folder.path(), "cluster", &["crawl.jsonl", "-o", name]);
        let file = fs::File::open(folder.path().join(name)).expect("the clusters");
        let mut text = String::new();
        if name.ends_with("gz") {
            flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
        } else {
            zstd::Decoder::new(file).expect("zstd").read_to_string(&mut text).expect("zstd");
        }
        assert!(text == plain, "{name}");
    }
    let arguments = ["crawl.jsonl", "--methods", "tree", "--json", "results.gz"];
    output(folder.path(), "evaluate", &arguments);
    let results = fs::read(folder.path().join("results.gz")).expect("the results");
    assert!(results.starts_with(b"\x1f\x8b"));
}

#[test]
fn an_empty_input_is_told() {
    let folder = two_trained();
    write(folder.path(), "empty", "");
    write(folder.path(), "gone", "{\"url\":\"http://a.test/\",\"status\":404}\n");
    write(folder.path(), "out", "clusters of yesterday");
    for (crawl, why) in [("empty", "no page"), ("gone", "1 not answered with status 200")] {
        let described = failure(undust(folder.path(), "cluster").args([crawl, "-o", "out"]), 1);
        assert_contains(&described, &[&format!("{crawl}: "), why]);
    }
    assert_eq!(fs::read(folder.path().join("out")).expect("a file"), b"clusters of yesterday");
    let described = failure(undust(folder.path(), "observe").arg("gone"), 2);
    assert_contains(&described, &["gone: no page"]);
    // Nothing came back of what was fetched all the same: so be it.
    let (counts, described) = output(folder.path(), "observe", &["empty"]);
    assert_contains(&counts, &["0 URLs counted"]);
    assert_contains(&described, &["empty: ", "no observation"]);
}

/// More pages would not help, nor fewer that are asked for.
#[test]
fn pages_without_titles_are_told_as_the_reason() {
    let page = |n: u64, end: &str| {
        let simhash = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!(
            "{{\"url\":\"http://a.test/users/{n}x{end}\",\"status\":200,\"simhash\":\"{simhash:016x}\"}}\n"
        )
    };
    let near = |n| page(n, "") + &page(n, &format!("/name{n}"));
    let folder = folder(&(1..=60).map(near).collect::<String>());
    let train = |extra: &[&str]| {
        let mut train = undust(folder.path(), "train");
        train.args(["--method", "tree"]).args(extra);
        train
    };
    let described = failure(&mut train(&["crawl.jsonl"]), 1);
    let why = ["100 pages", "1 duplicate cluster ", "120 of 120 pages have no title"];
    assert_contains(&described, &why);
    assert_contains(&described, &["clusters.title = false"]);
    output(folder.path(), "cluster", &["crawl.jsonl", "--state", "state"]);
    let described = failure(&mut train(&["--state", "state"]), 1);
    assert_contains(&described, &why);
    assert_contains(&described, &["settings with clusters.title = false"]);
    train(&["crawl.jsonl"]).env("UNDUST_CLUSTERS_TITLE", "false").assert().success();
}

#[test]
fn one_is_told_as_one() {
    let folder = two_trained();
    write(folder.path(), "queue", URL);
    let (_, described) = output(folder.path(), "translate", &["queue"]);
    assert_contains(&described, &["1 line, 1 written, 1 changed"]);
    let (_, described) = output(folder.path(), "diff", &["models", "models", "queue"]);
    assert_contains(&described, &["0 of 1 URL "]);
    write(folder.path(), "one", crawl("a.test", 1));
    let (_, described) = output(folder.path(), "cluster", &["one"]);
    assert_contains(&described, &["2 pages in 1 cluster, 1 duplicate URL; 0 URLs left out"]);
}
