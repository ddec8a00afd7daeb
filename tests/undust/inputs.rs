//! Crawls in the formats of other tools, through the real program. `formats/inputs/README.md` says
//! how each was made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{
    self, access_log, assert_contains, failure, folder, json_lines, only_sentence, public_crawls,
    repository, stderr, succeed, undust, write,
};

fn input(name: &str) -> PathBuf {
    repository().join("tests/formats/inputs").join(name)
}

/// The lines of the manifest of an input.
fn ingested(path: &Path, arguments: &[&str]) -> Vec<Value> {
    json_lines(&succeed(undust(Path::new("."), "ingest").arg(path).args(arguments)).0)
}

/// The URLs of each page by the path, one group a page.
fn groups(path: &Path, arguments: &[&str]) -> BTreeSet<BTreeSet<String>> {
    let mut cluster = undust(Path::new("."), "cluster");
    let (lines, _) = succeed(cluster.arg(path).args(arguments));
    let group = |line: &Value| -> BTreeSet<String> {
        let urls = line["urls"].as_array().expect("URLs").iter();
        let path =
            |url: &Value| url.as_str().expect("a URL").split("8765").nth(1).map(str::to_owned);
        urls.filter_map(path).collect()
    };
    json_lines(&lines).iter().map(group).collect()
}

/// Archives, indexes and feeds give the same duplicates of the same site.
#[test]
fn every_format_tells_the_same_duplicates() {
    let group = |urls: &[&str]| urls.iter().map(|url| (*url).to_owned()).collect::<BTreeSet<_>>();
    let first = group(&["/", "/page1.html", "/page1.html?print=1"]);
    let second = group(&["/page2.html", "/sub", "/sub/"]);
    // cdxj-indexer and Scrapy do not name the redirect.
    let without_redirect = group(&["/page2.html", "/sub/"]);
    for (name, second) in [
        ("wget.warc.gz", &second),
        ("wget-again.warc.gz", &second),
        ("wget.cdx", &second),
        ("wget.cdxj", &without_redirect),
        ("wget-11.cdx", &without_redirect),
        ("feed.jsonl", &without_redirect),
        ("feed.json", &without_redirect),
        ("feed.csv", &without_redirect),
        ("feed.xml", &without_redirect),
    ] {
        let expected = BTreeSet::from([first.clone(), second.clone()]);
        assert_eq!(groups(&input(name), &[]), expected, "{name}");
    }
}

/// Files by pyarrow, as Common Crawl and Hugging Face publish theirs.
#[cfg(feature = "parquet")]
#[test]
fn parquet_is_read_as_json_lines_are() {
    let index = input("cc-index.parquet");
    let lines = ingested(&index, &[]);
    let by_status = |status: u16| lines.iter().filter(|line| line["status"] == status).count();
    assert_eq!([by_status(200), by_status(301), by_status(404)], [120, 60, 1]);
    let redirect = lines.iter().find(|line| line["url"] == "https://example.org/old/7");
    assert_eq!(redirect.expect("a redirect")["location"], "https://example.org/story?id=7");
    let piped = std::fs::read(&index).expect("a file");
    let (piped, _) = succeed(undust(Path::new("."), "ingest").arg("-").write_stdin(piped));
    assert_eq!(json_lines(&piped), lines);

    let fineweb = input("fineweb.parquet");
    let mut cluster = undust(Path::new("."), "cluster");
    let (clusters, _) = succeed(cluster.arg(&fineweb));
    let clusters = json_lines(&clusters);
    assert!(clusters.len() == 40 && clusters.iter().all(|cluster| cluster["size"] == 2));
    let folder = folder("");
    let (manifest, _) = succeed(undust(Path::new("."), "ingest").arg(&index));
    std::fs::write(folder.path().join("crawl.jsonl"), manifest).expect("a file");
    for (crawl, models) in [(&*index, "parquet"), (Path::new("crawl.jsonl"), "lines")] {
        succeed(undust(folder.path(), "train").arg(crawl).args(["--models", models]));
    }
    let [of_parquet, of_lines] =
        ["parquet", "lines"].map(|models| support::files(&folder.path().join(models)));
    assert!(!of_parquet.is_empty() && of_parquet == of_lines);
}

/// The list of columns of a Parquet file is at its end.
#[cfg(feature = "parquet")]
#[test]
fn a_truncated_parquet_file_is_one_sentence() {
    let folder = folder("");
    let whole = std::fs::read(input("cc-index.parquet")).expect("a file");
    let cut = folder.path().join("cut.parquet");
    std::fs::write(&cut, &whole[..whole.len() / 2]).expect("a file");
    let described = only_sentence(undust(folder.path(), "ingest").arg("cut.parquet"), 1);
    assert_contains(&described, &["cut.parquet", "Parquet"]);
    let unknown = failure(
        undust(folder.path(), "ingest").arg(input("fineweb.parquet")).args(["--field", "url=link"]),
        1,
    );
    assert_contains(&unknown, &["it has: text, id, dump, url"]);
}

/// The crate that reads Parquet panics on a page that refers to a dictionary which is not there. Nobody is shown that.
#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_on_which_the_reader_panics_is_damaged() {
    let folder = folder("");
    let mut bytes = std::fs::read(input("cc-index.parquet")).expect("a file");
    // Each page of a dictionary begins with its type, 2, and its size. Pages of type 1 are passed over.
    let is_dictionary = |at: &usize| bytes[*at..].starts_with(&[0x15, 0x04, 0x15]);
    let dictionaries: Vec<usize> = (0..bytes.len()).filter(is_dictionary).collect();
    dictionaries.iter().for_each(|at| bytes[at + 1] = 0x02);
    let path = write(folder.path(), "crawl.parquet", bytes);
    let output = undust(folder.path(), "ingest").arg(path).output().expect("a run");
    let told = stderr(&output);
    assert_contains(&told, &["contradict themselves"]);
    assert!(!told.contains("panicked"), "{told}");
}

#[test]
fn digests_of_archives_and_their_indexes_agree() {
    let digests = |name: &str| -> BTreeMap<String, Value> {
        let lines = ingested(&input(name), &[]);
        let pages = lines.iter().filter(|line| line["status"] == 200);
        pages.map(|line| (line["url"].to_string(), line["digest"].clone())).collect()
    };
    let archive = digests("wget.warc.gz");
    assert_eq!(archive.len(), 6);
    for name in ["wget-again.warc.gz", "wget.cdx", "wget.cdxj", "wget-11.cdx"] {
        assert_eq!(digests(name), archive, "{name}");
    }
}

#[test]
fn the_fields_of_a_feed_may_have_other_names() {
    // Two crawls of one site come in two orders.
    let ingested = |path: &Path, arguments: &[&str]| {
        let mut lines = ingested(path, arguments);
        lines.sort_by_key(|line| line["url"].to_string());
        lines
    };
    let (text, packed) = (ingested(&input("feed.jsonl"), &[]), ["--field", "body=base64"]);
    for name in ["feed.jsonl", "feed.json", "feed.csv", "feed.xml"] {
        assert_eq!(ingested(&input(name), &[]), text, "{name}");
        assert_eq!(ingested(&input(name), &["--field", "url=url"]), text, "{name}");
        assert_eq!(ingested(&input(name), &packed), text, "{name}");
    }
    let folder = folder("");
    let feed = "{\"address\": \"http://a.test/\", \"page\": \"<title>T</title>\"}\n";
    write(folder.path(), "feed", feed);
    let named = ["--field", "url=address", "--field", "body=page"];
    let lines = ingested(&folder.path().join("feed"), &named);
    assert_eq!((&lines[0]["url"], &lines[0]["title"]), (&"http://a.test/".into(), &"T".into()));
}

#[test]
fn a_crawl_of_any_kind_is_no_queue() {
    for (name, kind) in [
        ("wget.warc.gz", "a WARC file"),
        ("wget.cdx", "a CDX index"),
        ("wget.cdxj", "a CDX index"),
        ("feed.json", "a Scrapy feed"),
        ("feed.csv", "a Scrapy feed"),
        ("feed.xml", "a Scrapy feed"),
    ] {
        let described = failure(undust(repository(), "translate").arg(input(name)), 1);
        assert_contains(&described, &[kind, "not a list of URLs"]);
    }
}

#[test]
fn a_host_that_no_line_needs_is_an_error() {
    let folder = folder(&support::crawl("a.test", 30));
    for command in ["ingest", "train"] {
        let mut command = undust(folder.path(), command);
        command.args(["crawl.jsonl", "--host", "x.test"]);
        assert_contains(&failure(&mut command, 2), &["--host: ", "access logs"]);
    }
}

/// Every URL of the manifest would be another than was asked for.
#[test]
fn a_host_with_more_than_a_host_is_wrong_usage() {
    let folder = folder(&access_log("/a", 1));
    for command in ["ingest", "train"] {
        for host in ["a/b", "a.test?x#", "a.test:x", ""] {
            let mut command = undust(folder.path(), command);
            let output = command.args(["crawl.jsonl", "--host", host]).output().expect("a run");
            let described = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{host}: {described}");
            assert_contains(&described, &["--host", "must be a host name or an IP address"]);
            assert_eq!(output.stdout, b"");
        }
    }
}

/// The samples of other tools lie next to the crawls.
#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn samples_of_other_tools_are_read() {
    let samples = public_crawls().join("../samples");
    let describe = |name: &str| -> Vec<(String, u64)> {
        let lines = ingested(&samples.join(name), &[]);
        let describe = |line: &Value| {
            (
                line["url"].as_str().expect("a URL").to_owned(),
                line["status"].as_u64().expect("a status"),
            )
        };
        lines.iter().map(describe).collect()
    };
    let example = ("http://example.com/".to_owned(), 200);
    let spaces = "http://example.com/index.cfm?FuseAction=Email&EmailTitle=Examples From The Live Web&IsPopUp=False";
    for name in [
        "pywb__example.arc",
        "pywb__example.arc.gz",
        "warcio__example.arc",
        "warcio__example.arc.gz",
    ] {
        assert_eq!(describe(name), std::slice::from_ref(&example), "{name}");
    }
    assert_eq!(describe("warcio__example-space-in-url.arc"), [(spaces.to_owned(), 200)]);
    assert_eq!(describe("warcio__example-trunc.warc"), std::slice::from_ref(&example));
    for (cdx, cdxj) in
        [("pywb__dupes.cdx", "pywb__dupes.cdxj"), ("pywb__iana.cdx", "pywb__iana.cdxj")]
    {
        assert_eq!(describe(cdx), describe(cdxj), "{cdx}");
    }
    assert_eq!(describe("pywb__dupes.cdx").len(), 11);
    // An archive and the archive that refers to it.
    let [original, revisit] = ["orig", "revisit"].map(|which| {
        ingested(&samples.join(format!("pywb__example-url-agnostic-{which}.warc.gz")), &[])
    });
    assert_eq!(original[0]["digest"], revisit[0]["digest"]);
    assert_ne!(original[0]["url"], revisit[0]["url"]);
    for entry in std::fs::read_dir(samples).expect("samples") {
        let path = entry.expect("an entry").path();
        let output = undust(Path::new("."), "ingest").arg(&path).output().expect("a run");
        let described = stderr(&output);
        assert!(
            output.status.code().is_some_and(|code| code < 2),
            "{}: {described}",
            path.display()
        );
        assert!(!described.contains("panicked"), "{}: {described}", path.display());
    }
}

/// A manifest that somebody made a table of keeps its fingerprints: without them the same rows are other pages.
#[test]
fn a_table_of_a_manifest_has_the_clusters_of_the_manifest() {
    use std::io::Read;
    let mut lines = String::new();
    let file = std::fs::File::open(support::data("shop.jsonl.gz")).expect("a crawl");
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut lines).expect("lines");
    let quoted = |value: &serde_json::Value| match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        other => other.to_string(),
    };
    let fields = ["url", "status", "location", "title", "simhash", "digest"];
    let row = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line");
        fields.map(|field| quoted(&line[field])).join(",")
    };
    let rows: Vec<String> = lines.lines().map(row).collect();
    let table = format!("{}\n{}\n", fields.join(","), rows.join("\n"));
    let folder = support::folder_with(&[("shop.csv", table), ("shop.jsonl", lines)]);
    let clusters = |input: &str| support::output(folder.path(), "cluster", &[input]).0;
    assert_eq!(clusters("shop.csv"), clusters("shop.jsonl"));
}

/// Whatever the fields are called, host and query are not lost, and robots are told from people.
#[test]
fn logs_with_hosts_and_queries_apart_keep_both() {
    let lines = |line: &dyn Fn(usize) -> String| (0..40).map(line).collect::<String>();
    let agent = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
    let own = lines(&|n| {
        format!(
            "{{\"status\":\"200\",\"http_host\":\"a.test\",\"request_method\":\"GET\",\"scheme\":\"https\",\"uri\":\"/x\",\
             \"query_string\":\"?n={n} \",\"http_user_agent\":\"{agent}\"}}\n"
        )
    });
    let cloudflare = lines(&|n| {
        format!(
            "{{\"ClientRequestHost\":\"a.test\",\"ClientRequestMethod\":\"GET\",\"ClientRequestPath\":\"/x\",\
             \"ClientRequestURI\":\"/x?n={n}\",\"ClientRequestScheme\":\"https\",\"EdgeResponseStatus\":200,\
             \"ClientRequestUserAgent\":\"{agent}\"}}\n"
        )
    });
    let table = format!(
        "host,uri,query,status,method,scheme,user_agent\n{}",
        lines(&|n| format!("a.test,/x,n={n},200,GET,https,\"{agent}\"\n"))
    );
    let pretty = format!("[\n{}]\n", own.replace("\",", "\",\n ").replace('}', ",},"));
    for (name, log) in
        [("own", own), ("cloudflare", cloudflare), ("table", table), ("pretty", pretty)]
    {
        let folder = support::folder_with(&[(name, log)]);
        let (report, told) =
            succeed(undust(folder.path(), "shapes").args([name, "--format", "json"]));
        let report: Value = serde_json::from_str(&report).expect("a report");
        assert_eq!(
            (&report["requests"], &report["urls"]),
            (&40.into(), &40.into()),
            "{name}: {told}"
        );
        assert_eq!(report["agents"]["ai_crawler"], 40, "{name}");
        let urls = ingested(&folder.path().join(name), &[]);
        assert!(
            urls.iter()
                .enumerate()
                .all(|(n, line)| line["url"] == format!("https://a.test/x?n={n}"))
        );
    }
}

#[test]
fn a_workbook_is_one_sentence() {
    let folder = support::folder_with(&[("book.xls", "")]);
    write(folder.path(), "book.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0");
    for command in ["ingest", "shapes"] {
        let told = only_sentence(undust(folder.path(), command).arg("book.xls"), 1);
        assert_contains(&told, &["book.xls: is a workbook", "save its sheet as CSV"]);
    }
}
