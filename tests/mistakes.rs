//! What a person gets wrong, and what comes in damaged or empty: each is said in a sentence, and
//! nothing is dropped without a word.

mod made_up;

use std::fs;
use std::io::Read;

use made_up::{crawl, failure, folder, output, stderr, two_trained, undust, write};

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
    for (lines, count, told) in [
        (
            &first,
            1,
            "1 line skipped of 2\n  line 1 is no observation: invalid type: string \"yes\"",
        ),
        (&later, 2, "1 line skipped of 3\n  line 2 is no observation: expected value"),
    ] {
        write(folder.path(), "came", lines);
        let (counts, skipped) = output(folder.path(), "observe", &["came"]);
        let came = if count == 1 { "1 URL came" } else { "2 URLs came" };
        assert!(counts.contains(came) && skipped.contains(told), "{counts}{skipped}");
        let mut observe = undust(folder.path(), "observe");
        let done = observe.args(["-q", "-"]).write_stdin(lines.as_str()).assert().success();
        assert!(stderr(done.get_output()).contains(told));
    }
}

#[test]
fn a_file_of_which_no_observation_can_be_read_is_an_error() {
    let folder = two_trained();
    let good = observation(",\"same\":true");
    for (lines, told) in [
        (
            observation(""),
            "came: no line could be read: line 1 is no observation: missing field `same`",
        ),
        (format!("no observation\n{good}"), "came: no page to compare, and its first line is no"),
        (format!("{{\"url\":\"{URL}\"}}\n"), "came: no page to compare, and its first line is no"),
        (good[..40].to_owned() + "\n" + &good, "came:1: "),
    ] {
        write(folder.path(), "came", &lines);
        let failed = failure(undust(folder.path(), "observe").arg("came"), 2);
        assert!(failed.starts_with(told), "{failed}");
    }
}

#[test]
fn pages_of_sites_without_a_model_are_told() {
    let folder = two_trained();
    fs::remove_dir_all(folder.path().join("models/b.test")).expect("a model");
    let (_, told) = output(folder.path(), "observe", &["crawl.jsonl"]);
    assert!(told.contains("crawl.jsonl: 120 pages of sites without a model passed over"), "{told}");
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
    let told = || {
        let mut train = undust(folder.path(), "train");
        train.args(["crawl.jsonl", "--method", "tree", "--models", "."]);
        stderr(train.assert().failure().code(1).get_output())
    };
    let why = "undust: ./a.test is in the way: it holds other files, and no model.json; move it, and \
               try again\nundust: 1 site trained, 1 failed, 0 not started\n";
    assert!(told().ends_with(why), "{}", told());
    assert_eq!(fs::read_dir(path("a.test")).expect("a folder").count(), 1);
    assert_eq!(fs::read(path("a.test/index.html")).expect("a file"), b"precious");
    // The empty folder has become a model, and a broken one may be replaced, too.
    for broken in ["", "{\"format\": 1}"] {
        write(folder.path(), "b.test/model.json", broken);
        assert!(told().ends_with(why), "{}", told());
        output(folder.path(), "show", &["b.test"]);
    }
}

/// Before anything is learned: a folder that somebody keeps beside a `model.json` of any kind, or
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
    let told = stderr(train.assert().failure().code(1).get_output());
    let why = "undust: m/a.test is in the way: it holds precious, which is no file of a model; move it, \
               and try again\n";
    assert!(told.contains(why), "{told}");
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
    let told = failure(train.args(["crawl.jsonl", "--method", "tree"]), 1);
    assert_eq!(
        told,
        "crawl.jsonl: no page to learn from; left out: 120 URLs of no site: no valid host in the URL, or one \
         of more than 253 bytes"
    );
    write(folder.path(), "crawl.jsonl", crawl(&long, 1) + &crawl("a.test", 60));
    let (_, told) = output(folder.path(), "train", &["crawl.jsonl", "--method", "tree"]);
    let left_out = "\n2 URLs of no site: no valid host in the URL, or one of more than 253 bytes\n";
    assert!(told.contains(left_out), "{told}");
    write(folder.path(), "list", format!("http://{long}/\n"));
    let mut train = undust(folder.path(), "train");
    let told = failure(train.args(["list", "--method", "dustbuster"]), 1);
    assert!(
        told.starts_with("list: no page to learn from; left out: 1 URL of no site: "),
        "{told}"
    );
}

/// WACZ is a zip file; its WARC files are read, once they are unpacked.
#[test]
fn a_zip_file_is_told() {
    let folder = two_trained();
    write(folder.path(), "crawl.wacz", b"PK\x03\x04\x14\0\0\0\0\0\nhttp://a.test/users/7x/name7\n");
    let why = "crawl.wacz: is a zip file, as WACZ files are: unpack it, and name the WARC files in its \
               folder archive";
    for (arguments, code) in [
        (&["ingest"][..], 1),
        (&["train", "--method", "dustbuster"], 1),
        (&["evaluate", "--methods", "tree"], 1),
        (&["cluster"], 1),
        (&["observe"], 2),
    ] {
        let mut command = undust(folder.path(), arguments[0]);
        command.args(&arguments[1..]).arg("crawl.wacz");
        assert_eq!(failure(&mut command, code), why, "{arguments:?}");
    }
    for arguments in [&["translate"][..], &["diff", "models", "models"]] {
        let mut command = undust(folder.path(), arguments[0]);
        let told = failure(command.args(&arguments[1..]).arg("crawl.wacz"), 1);
        assert!(told.starts_with("crawl.wacz: is no list of URLs but a zip file"), "{told}");
    }
}

#[test]
fn crawls_without_a_common_url_do_not_agree() {
    let folder = folder(&crawl("a.test", 9));
    write(folder.path(), "other", crawl("b.test", 9));
    write(folder.path(), "empty", "");
    for other in ["other", "empty"] {
        let mut cluster = undust(folder.path(), "cluster");
        let told = failure(cluster.args(["crawl.jsonl", "--against", other]), 1);
        assert!(told.starts_with(&format!("{other}: there is nothing to compare")), "{told}");
    }
    let (_, told) = output(folder.path(), "cluster", &["crawl.jsonl", "--against", "crawl.jsonl"]);
    assert!(told.contains("18 common URLs: adjusted Rand index 1.0000"), "{told}");
}

#[test]
fn models_that_are_broken_or_missing_are_told_by_explain() {
    let folder = two_trained();
    let model = folder.path().join("models/a.test/model.json");
    let json = fs::read_to_string(&model).expect("a model");
    fs::write(&model, json.replace("\"format\": 4", "\"format\": 99")).expect("a model");
    for arguments in [&[URL, FORM][..], &[URL, "http://b.test/x", "--format", "json"]] {
        let output = undust(folder.path(), "explain").args(arguments).output().expect("a run");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stdout).contains("broken model"));
        let told = "undust: model models/a.test/model.json: has format 99, this undust reads 4; make the \
                    model anew with `undust train CRAWL --method tree`\n";
        assert_eq!(stderr(&output), told);
    }
    let urls = ["http://c.test/", "http://www.c.test/x", "http://b.test/", "no URL"];
    let (text, told) = output(folder.path(), "explain", &urls);
    assert!(text.starts_with("http://c.test/\nstays as it is: no model\n"), "{text}");
    assert_eq!(told, "c.test has no model in models; make one with `undust train`\n");
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
    let arguments = ["crawl.jsonl", "--methods", "tree", "--json", "judged.gz"];
    output(folder.path(), "evaluate", &arguments);
    let judged = fs::read(folder.path().join("judged.gz")).expect("the results");
    assert!(judged.starts_with(b"\x1f\x8b"));
}

#[test]
fn an_empty_input_is_told() {
    let folder = two_trained();
    write(folder.path(), "empty", "");
    write(folder.path(), "gone", "{\"url\":\"http://a.test/\",\"status\":404}\n");
    write(folder.path(), "out", "clusters of yesterday");
    for (crawl, why) in [("empty", ""), ("gone", "; left out: 1 not answered with 200")] {
        let told = failure(undust(folder.path(), "cluster").args([crawl, "-o", "out"]), 1);
        assert_eq!(told, format!("{crawl}: no page to cluster{why}"));
    }
    assert_eq!(fs::read(folder.path().join("out")).expect("a file"), b"clusters of yesterday");
    let told = failure(undust(folder.path(), "observe").arg("gone"), 2);
    assert!(told.starts_with("gone: no page to compare"), "{told}");
    // Nothing came back of what was fetched all the same: so be it.
    let (counts, told) = output(folder.path(), "observe", &["empty"]);
    assert!(counts.starts_with("0 URLs came back"), "{counts}");
    assert_eq!(told, "empty: holds no observation\n");
}

#[cfg(target_os = "linux")]
#[test]
fn errors_name_what_was_typed() {
    let folder = two_trained();
    for (command, wanted) in [("ingest", "cannot create "), ("cluster", "cannot write ")] {
        let told = failure(undust(folder.path(), command).args(["crawl.jsonl", "-o", "no/out"]), 1);
        assert_eq!(told, format!("{wanted}no/out: No such file or directory (os error 2)"));
    }
    for (command, argument) in
        [("translate", "queue"), ("ingest", "crawl.jsonl"), ("models", "models")]
    {
        write(folder.path(), "queue", URL);
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let mut undust = std::process::Command::new(assert_cmd::cargo::cargo_bin!("undust"));
        let output = undust.current_dir(folder.path()).args([command, argument]).stdout(full);
        let told = stderr(&output.output().expect("a run"));
        assert!(told.contains("undust: cannot write standard output: No space left"), "{told}");
    }
}

#[test]
fn a_folder_of_one_site_and_a_file_are_told_from_a_folder_of_models() {
    let folder = two_trained();
    for arguments in [["translate", "--models"], ["models", "--"]] {
        let mut command = undust(folder.path(), arguments[0]);
        let told = failure(command.args([arguments[1], "models/a.test"]), 1);
        assert!(
            told.ends_with("is one site's folder; name the folder above it, which holds all sites")
        );
    }
    for file in ["crawl.jsonl", "models/a.test/model.json"] {
        let told = failure(undust(folder.path(), "show").arg(file), 1);
        assert!(
            told.ends_with("is a file; one site's folder is asked for, such as models/example.com")
        );
    }
}

#[test]
fn wrong_values_of_flags_exit_with_2() {
    let folder = two_trained();
    let told = |arguments: &[&str]| {
        let mut command = undust(folder.path(), arguments[0]);
        stderr(command.args(&arguments[1..]).assert().failure().code(2).get_output())
    };
    for number in ["0", "1025", "100000"] {
        for arguments in [
            ["translate", "--threads", number],
            ["train", "--jobs", number],
            ["evaluate", "--jobs", number],
        ] {
            let told = told(&[&arguments[..], &["crawl.jsonl"]].concat());
            assert!(told.contains(&format!("{number} is not in 1..=1024")), "{told}");
        }
    }
    for file in ["none.toml", "models"] {
        for arguments in [&["config"][..], &["train", "crawl.jsonl"]] {
            let told = told(&[arguments, &["--config", file]].concat());
            assert!(told.starts_with(&format!("undust: {file}: cannot be read: ")), "{told}");
        }
    }
    for address in ["here", "127.0.0.1", "127.0.0.1:99999", ":7878", "::1:7878", "http://a:1", ""] {
        let told = told(&["serve", "--listen", address]);
        assert!(
            told.contains("must be an address or a name of this machine, and a port"),
            "{told}"
        );
    }
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
    let told = failure(&mut train(&["crawl.jsonl"]), 1);
    let why = "no site has the 100 pages and 3 duplicate clusters that a model needs; 120 of 120 pages have \
               no title, and near pages count only under one title: ";
    assert_eq!(told, format!("{why}set clusters.title = false"));
    output(folder.path(), "cluster", &["crawl.jsonl", "--state", "state"]);
    let told = failure(&mut train(&["--state", "state"]), 1);
    assert_eq!(told, format!("{why}make a state with `undust cluster --no-title`"));
    train(&["crawl.jsonl"]).env("UNDUST_CLUSTERS_TITLE", "false").assert().success();
}

#[test]
fn a_file_in_place_of_a_folder_is_told_before_any_work() {
    let folder = folder(&crawl("a.test", 60));
    write(folder.path(), "file", "");
    for (command, arguments) in [
        ("train", &["crawl.jsonl", "--method", "tree", "--models", "file"][..]),
        ("train", &["crawl.jsonl", "--method", "tree", "--models", "file/models"]),
        ("train", &["--state", "file", "--method", "tree"]),
        ("cluster", &["crawl.jsonl", "--state", "file"]),
        ("cluster", &["--state", "file", "--query", URL]),
        ("translate", &["--models", "file"]),
    ] {
        let output = undust(folder.path(), command).args(arguments).output().expect("a run");
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(told.ends_with("file: is a file, and a folder is asked for\n"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    assert!(!folder.path().join("models").exists());
}

/// As is a name that nothing can be written to.
#[test]
fn a_mistyped_name_is_told_before_any_work() {
    let folder = folder(&crawl("a.test", 60));
    for (command, arguments) in [
        ("cluster", &["crawl.jsonl", "nofile"][..]),
        ("cluster", &["crawl.jsonl", "--against", "nofile"]),
        ("cluster", &["crawl.jsonl", "nofile", "--state", "state"]),
        ("cluster", &["crawl.jsonl", "--against", "nofile", "--state", "state"]),
        ("cluster", &["crawl.jsonl", "nofile", "--partitions", "2"]),
        ("train", &["crawl.jsonl", "nofile", "--method", "tree"]),
        ("ingest", &["crawl.jsonl", "nofile", "-o", "out.jsonl"]),
        ("cluster", &["crawl.jsonl", "-o", "nofile/clusters.jsonl"]),
        ("cluster", &["crawl.jsonl", "-o", "nofile/clusters.jsonl", "--state", "state"]),
    ] {
        let output = undust(folder.path(), command).args(arguments).output().expect("a run");
        let told = stderr(&output);
        assert_eq!(
            (output.status.code(), &*output.stdout),
            (Some(1), &b""[..]),
            "{arguments:?}: {told}"
        );
        assert!(told.starts_with("undust: cannot ") && told.contains(" nofile"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    let mut left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    left.sort_by_key(fs::DirEntry::file_name);
    let left: Vec<_> = left.iter().map(fs::DirEntry::file_name).collect();
    assert_eq!(left, ["crawl.jsonl", "tiny.toml"]);
}

#[test]
fn an_empty_variable_is_none() {
    let folder = two_trained();
    for (command, arguments) in
        [("translate", &[][..]), ("models", &[]), ("train", &["crawl.jsonl", "--method", "tree"])]
    {
        let mut run = undust(folder.path(), command);
        for name in ["MODELS", "CONFIG", "COLOR", "GATE_RISK", "GATE_KEEP", "SEED", "GATE_RIKS"] {
            run.env(format!("UNDUST_{name}"), "");
        }
        run.args(arguments).write_stdin(URL).assert().success();
    }
    let mut config = undust(folder.path(), "config");
    let config = config.env("UNDUST_MODELS", "").assert().success();
    let told = String::from_utf8_lossy(&config.get_output().stdout).into_owned();
    assert!(told.contains("# models = \"models\" "), "{told}");
}

#[test]
fn one_is_told_as_one() {
    let folder = two_trained();
    write(folder.path(), "queue", URL);
    let (_, told) = output(folder.path(), "translate", &["queue"]);
    assert!(told.starts_with("1 line, 1 written, 1 changed;"), "{told}");
    let (_, told) = output(folder.path(), "diff", &["models", "models", "queue"]);
    assert!(told.starts_with("0 of 1 URL change form"), "{told}");
    write(folder.path(), "one", crawl("a.test", 1));
    let (_, told) = output(folder.path(), "cluster", &["one"]);
    assert!(
        told.ends_with("2 pages in 1 cluster, 1 duplicate URL; 0 URLs left out: none\n"),
        "{told}"
    );
}
