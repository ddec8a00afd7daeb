//! What a person types wrong: the message names what was typed, before any work is done.

use std::fs;

use crate::support::{
    assert_contains, crawl, failure, folder, only_sentence, process, stderr, two_trained, undust,
    write,
};

const URL: &str = "http://a.test/users/7x/name7";

#[cfg(target_os = "linux")]
#[test]
fn errors_name_what_was_typed() {
    let folder = two_trained();
    for (command, wanted) in [("ingest", "cannot create "), ("cluster", "cannot write ")] {
        let described =
            failure(undust(folder.path(), command).args(["crawl.jsonl", "-o", "no/out"]), 1);
        assert_contains(&described, &[wanted, "no/out: ", "No such file or directory"]);
    }
    for (command, argument) in
        [("translate", "queue"), ("ingest", "crawl.jsonl"), ("models", "models")]
    {
        write(folder.path(), "queue", URL);
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let run = process(folder.path(), &[command, argument]).stdout(full).output();
        let described = stderr(&run.expect("a run"));
        assert_contains(&described, &["undust: cannot write standard output: No space left"]);
    }
}

#[test]
fn a_folder_of_one_site_and_a_file_are_told_from_a_folder_of_models() {
    let folder = two_trained();
    for arguments in [["translate", "--models"], ["models", "--"]] {
        let mut command = undust(folder.path(), arguments[0]);
        let described = failure(command.args([arguments[1], "models/a.test"]), 1);
        assert_contains(
            &described,
            &["models/a.test", "the folder of one site", "its parent folder"],
        );
    }
    for file in ["crawl.jsonl", "models/a.test/model.json"] {
        let described = failure(undust(folder.path(), "show").arg(file), 1);
        assert_contains(&described, &[file, "is a file", "such as models/example.com"]);
    }
}

#[test]
fn wrong_values_of_flags_exit_with_2() {
    let folder = two_trained();
    let describe = |arguments: &[&str]| {
        let mut command = undust(folder.path(), arguments[0]);
        stderr(command.args(&arguments[1..]).assert().failure().code(2).get_output())
    };
    for number in ["0", "1025", "100000"] {
        for arguments in [
            ["translate", "--jobs", number],
            ["train", "--jobs", number],
            ["evaluate", "--jobs", number],
        ] {
            let described = describe(&[&arguments[..], &["crawl.jsonl"]].concat());
            assert_contains(&described, &[arguments[1], &format!("{number} is not in 1..=1024")]);
        }
    }
    for file in ["none.toml", "models"] {
        for arguments in [&["config"][..], &["train", "crawl.jsonl"]] {
            let described = describe(&[arguments, &["--config", file]].concat());
            assert_contains(&described, &[&format!("undust: {file}: cannot be read: ")]);
        }
    }
    for address in ["here", "127.0.0.1", "127.0.0.1:99999", ":7878", "::1:7878", "http://a:1", ""] {
        let described = describe(&["serve", "--listen", address]);
        assert_contains(&described, &["--listen", "address", "port"]);
    }
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
        let described = only_sentence(undust(folder.path(), command).args(arguments), 1);
        assert_contains(&described, &["file: is a file", "a folder"]);
    }
    assert!(!folder.path().join("models").exists());
}

/// As is a name that nothing can be written to.
#[test]
fn a_mistyped_name_is_told_before_any_work() {
    let folder = folder(&crawl("a.test", 60));
    for (command, arguments) in [
        ("cluster", &["crawl.jsonl", "nofile"][..]),
        ("cluster", &["crawl.jsonl", "nofile", "--state", "state"]),
        ("train", &["crawl.jsonl", "nofile", "--method", "tree"]),
        ("ingest", &["crawl.jsonl", "nofile", "-o", "out.jsonl"]),
        ("cluster", &["crawl.jsonl", "-o", "nofile/clusters.jsonl"]),
        ("cluster", &["crawl.jsonl", "-o", "nofile/clusters.jsonl", "--state", "state"]),
    ] {
        let output = undust(folder.path(), command).args(arguments).output().expect("a run");
        let described = stderr(&output);
        assert_eq!(
            (output.status.code(), &*output.stdout),
            (Some(1), &b""[..]),
            "{arguments:?}: {described}"
        );
        assert!(
            described.starts_with("undust: cannot ") && described.contains(" nofile"),
            "{described}"
        );
        assert_eq!(described.lines().count(), 1, "{described}");
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
        for name in
            ["MODELS", "CONFIG", "COLOR", "GATE_MAX_LOST_SHARE", "GATE_KEEP", "SEED", "GATE_RIKS"]
        {
            run.env(format!("UNDUST_{name}"), "");
        }
        run.args(arguments).write_stdin(URL).assert().success();
    }
    let mut config = undust(folder.path(), "config");
    let config = config.env("UNDUST_MODELS", "").assert().success();
    let described = String::from_utf8_lossy(&config.get_output().stdout).into_owned();
    assert!(described.contains("# models = \"models\" "), "{described}");
}

/// A crawl and a queue are files. What the folder holds says what was meant.
#[test]
fn a_folder_in_place_of_a_crawl_or_a_queue_is_told_before_any_work() {
    let folder = two_trained();
    fs::create_dir(folder.path().join("part")).expect("a folder");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    write(folder.path(), "part/2.jsonl", "");
    write(folder.path(), "part/1.jsonl", "");
    undust(folder.path(), "cluster").args(["crawl.jsonl", "--state", "state"]).assert().success();
    let commands = [
        &["ingest"][..],
        &["cluster"],
        &["train", "--method", "tree"],
        &["evaluate", "--methods", "tree"],
        &["evaluate", "--models", "models"],
        &["observe"],
        &["validate", "models/a.test"],
        &["translate"],
        &["diff", "models", "models"],
    ];
    for arguments in commands {
        for (asked, advice) in [
            ("part", &["give the files in it", "part/1.jsonl"][..]),
            ("empty", &["holds no file"]),
            ("models", &["holds models", "--models"]),
            ("models/a.test", &["holds models", "--models"]),
            ("state", &["holds the state", "--state state"]),
        ] {
            let mut command = undust(folder.path(), arguments[0]);
            let is_test =
                arguments == ["observe"] || arguments == ["evaluate", "--models", "models"];
            let code = 1 + i32::from(is_test);
            let described = only_sentence(command.args(&arguments[1..]).arg(asked), code);
            assert_contains(&described, &[&format!("{asked}: is a folder; ")]);
            assert_contains(&described, advice);
        }
    }
}

#[test]
fn models_that_swallow_the_crawl_are_told() {
    let folder = two_trained();
    for (arguments, tip) in [
        (&["evaluate", "--models", "crawl.jsonl"][..], "crawl.jsonl is a file; give both"),
        (&["train", "--models=crawl.jsonl"], "crawl.jsonl is a file; give both"),
        (&["evaluate", "--models", "models"], "comes after it, as in `--models models FILE`"),
        (&["observe", "--models", "models"], "comes after it, as in `--models models FILE`"),
    ] {
        let mut command = undust(folder.path(), arguments[0]);
        let described =
            stderr(command.args(&arguments[1..]).assert().failure().code(2).get_output());
        assert_contains(&described, &["required arguments were not provided", tip]);
    }
}
