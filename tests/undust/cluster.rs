//! `undust cluster` as a whole program, and the published counts of real crawls.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;
use undust::cluster::{ClusterOptions, cluster};
use undust::crawl::{ReadOptions, read_pages};
use undust::evaluate::{hold_out, simulate};
use undust::model::Model;

use crate::support::{
    data, folder_with, into_closed_pipe, public_crawls, stderr, stdout, succeed, undust,
};
use crate::targets::serving::Unnormalized;

/// What is known of a crawl; two independent programs agree on it.
struct Published {
    crawl: &'static str,
    /// Pages, and clusters of the whole crawl.
    whole: (usize, usize),
    /// Pages and clusters of the first three quarters, then of the rest.
    parts: [(usize, usize); 2],
    /// Precision and F1 of fetching everything.
    keep_all: (&'static str, &'static str),
}

const OWN: [Published; 2] = [
    Published {
        crawl: "wiki.jsonl.gz",
        whole: (8151, 6675),
        parts: [(6113, 5149), (2038, 1601)],
        keep_all: ("0.7856", "0.8799"),
    },
    Published {
        crawl: "cs.jsonl.gz",
        whole: (6187, 4204),
        parts: [(4640, 3212), (1547, 1217)],
        keep_all: ("0.7867", "0.8806"),
    },
];

const OTHERS: [Published; 3] = [
    Published {
        crawl: "hgweb.jsonl.gz",
        whole: (6500, 4972),
        parts: [(4875, 3418), (1625, 1578)],
        keep_all: ("0.9711", "0.9853"),
    },
    Published {
        crawl: "dostips-forum.jsonl.gz",
        whole: (12824, 2754),
        parts: [(9618, 2076), (3206, 908)],
        keep_all: ("0.2832", "0.4414"),
    },
    Published {
        crawl: "wiki-qt-io.jsonl.gz",
        whole: (26915, 16437),
        parts: [(20186, 14655), (6729, 2052)],
        keep_all: ("0.3049", "0.4674"),
    },
];

impl Published {
    fn check(&self, folder: &Path) {
        let path = folder.join(self.crawl);
        let crawl = self.crawl;
        let (read, _) = read_pages(&[path], &ReadOptions::default()).unwrap();
        let whole = cluster(&read.pages, &ClusterOptions::default());
        assert_eq!((read.pages.len(), whole.len()), self.whole, "{crawl}");
        let (train, test) = hold_out::by_time(&read.pages, 0.75);
        let parts = [train, test].map(|part| (part, cluster(part, &ClusterOptions::default())));
        assert_eq!(
            parts.each_ref().map(|(part, found)| (part.len(), found.len())),
            self.parts,
            "{crawl}"
        );
        let replay = simulate(test, &parts[1].1, &Unnormalized(&Model::Identity));
        let figures = (format!("{:.4}", replay.precision()), format!("{:.4}", replay.f1()));
        assert_eq!((figures.0.as_str(), figures.1.as_str()), self.keep_all, "{crawl}");
        assert_eq!(replay.recall(), 1.0, "{crawl}");
    }
}

/// As `train` and `evaluate` find duplicates; a flag counts first, and a state keeps to what it is.
#[test]
fn what_a_duplicate_is_comes_from_the_settings() {
    let page = |n: usize, simhash: &str| {
        format!(
            "{{\"url\":\"http://a.test/{n}\",\"status\":200,\"title\":\"{n}\",\"simhash\":\"{simhash}\"}}\n"
        )
    };
    let folder = with_crawl(&(page(1, "0000000000000000") + &page(2, "000000000000000f")));
    let describe = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut cluster = undust(folder.path(), "cluster");
        cluster.arg("crawl.jsonl").args(arguments).envs(variables.iter().copied());
        let output = cluster.output().unwrap();
        (output.status.code(), stdout(&output).lines().count())
    };
    let set = [("UNDUST_CLUSTERS_TITLE", "false"), ("UNDUST_CLUSTERS_BITS", "4")];
    assert_eq!(describe(&[], &[]), (Some(0), 0));
    assert_eq!(describe(&set, &[]), (Some(0), 1));
    assert_eq!(describe(&set[..1], &[]), (Some(0), 0));
    assert_eq!(describe(&set, &["--state", "state"]), (Some(0), 1));
    assert_eq!(describe(&[], &["--state", "state"]), (Some(0), 1));
    assert_eq!(describe(&[("UNDUST_CLUSTERS_BITS", "9")], &[]), (Some(2), 0));
    assert_eq!(describe(&[("UNDUST_CLUSTERS_BITS", ""), set[0]], &[]), (Some(0), 0));
    let settings = "[clusters]\nbits = 4\ntitle = false\n[gate]\nmax_lost_share = 0.1\n";
    fs::write(folder.path().join("own.toml"), settings).unwrap();
    fs::write(folder.path().join("wrong.toml"), "[clusters]\nbits = 9\n").unwrap();
    let file = [("UNDUST_CONFIG", "own.toml")];
    assert_eq!(describe(&file, &[]), (Some(0), 1));
    assert_eq!(describe(&[], &["--config", "own.toml"]), (Some(0), 1));
    assert_eq!(describe(&[file[0], ("UNDUST_CLUSTERS_TITLE", "true")], &[]), (Some(0), 0));
    assert_eq!(describe(&file, &["--state", "by-file"]), (Some(0), 1));
    assert_eq!(describe(&[], &["--state", "by-file"]), (Some(0), 1));
    for wrong in ["wrong.toml", "nowhere.toml"] {
        assert_eq!(describe(&[], &["--config", wrong]), (Some(2), 0), "{wrong}");
    }
}

#[test]
fn the_counts_of_our_crawls_come_out_exactly() {
    OWN.iter().for_each(|published| published.check(&data("")));
}

#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn the_counts_of_other_crawls_come_out_exactly() {
    let folder = public_crawls();
    OTHERS.iter().for_each(|published| published.check(&folder));
}

/// Six URLs: two with one digest, one redirect, two near under one title, one lost.
const CRAWL: &str = r#"{"url":"http://a.test/1","status":200,"title":"A","digest":"x"}
{"url":"http://a.test/2","status":200,"title":"B","simhash":"00000000000000ff"}
{"url":"http://a.test/3","status":200,"title":"C","digest":"x"}
{"url":"http://a.test/4","status":301,"location":"http://a.test/2"}
{"url":"http://a.test/5","status":200,"title":"B","simhash":"00000000000000f0"}
{"url":"http://a.test/6","status":200,"title":"D","simhash":"00000000000000f8"}
{"url":"http://a.test/7","status":404}
"#;

fn with_crawl(crawl: &str) -> TempDir {
    folder_with(&[("crawl.jsonl", crawl)])
}

fn cluster_in(folder: &TempDir, arguments: &[&str]) -> Output {
    undust(folder.path(), "cluster").args(arguments).output().unwrap()
}

#[test]
fn duplicates_are_written_one_cluster_a_line() {
    let folder = with_crawl(CRAWL);
    let mut cluster = undust(folder.path(), "cluster");
    let output = cluster.arg("crawl.jsonl").env("UNDUST_CLUSTERS_BITS", "4").output().unwrap();
    assert!(output.status.success());
    let expected = r#"{"cluster":0,"size":2,"urls":["http://a.test/1","http://a.test/3"]}
{"cluster":1,"size":3,"urls":["http://a.test/2","http://a.test/4","http://a.test/5"]}
"#;
    assert_eq!(stdout(&output), expected);
    let summary =
        "6 pages in 3 clusters, 3 duplicate URLs; 1 URL left out: 1 not answered with status 200";
    assert!(stderr(&output).contains(summary), "{}", stderr(&output));
}

#[test]
fn bits_title_and_size_can_be_chosen() {
    let folder = with_crawl(CRAWL);
    let lines = |size: &str, settings: &[(&str, &str)]| {
        let mut cluster = undust(folder.path(), "cluster");
        cluster.args(["crawl.jsonl", "--min-size", size]).envs(settings.iter().copied());
        succeed(&mut cluster).0.lines().count()
    };
    assert_eq!(lines("1", &[]), 4);
    assert_eq!(lines("1", &[("UNDUST_CLUSTERS_BITS", "4")]), 3);
    assert_eq!(lines("1", &[("UNDUST_CLUSTERS_TITLE", "false")]), 2);
    assert_eq!(lines("9", &[]), 0);
}

#[test]
fn wrong_usage_exits_with_2_and_failure_with_1() {
    let folder = with_crawl(CRAWL);
    let code = |arguments: &[&str]| cluster_in(&folder, arguments).status.code();
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["missing.jsonl"]), Some(1));
}

#[test]
fn a_file_appears_only_when_it_is_whole() {
    let folder = with_crawl(CRAWL);
    fs::write(folder.path().join("broken.jsonl"), format!("{CRAWL}no JSON\n")).unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let broken = cluster_in(&folder, &["broken.jsonl", "-o", "out.jsonl"]);
    assert_eq!((broken.status.code(), files()), (Some(1), 2));
    let whole = cluster_in(&folder, &["crawl.jsonl", "-o", "out.jsonl"]);
    assert!(whole.status.success() && whole.stdout.is_empty());
    assert_eq!(files(), 3);
    let written = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    assert_eq!(written.lines().count(), 2);
    let lenient = cluster_in(&folder, &["broken.jsonl", "--lenient"]);
    assert_eq!(stdout(&lenient), written);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_in_one_sentence() {
    let folder = with_crawl(CRAWL);
    let output = cluster_in(&folder, &["crawl.jsonl", "-o", "/dev/full"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write /dev/full"), "{}", stderr(&output));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = with_crawl(CRAWL);
    let output = into_closed_pipe(folder.path(), &["cluster", "crawl.jsonl"]);
    assert!(output.status.success(), "{}", stderr(&output));
}
