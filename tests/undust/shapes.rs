//! `undust shapes`: which patterns of URLs grow, of crawls and of logs.

mod servers;

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use crate::support::{
    access_log, assert_contains, crawl, data, folder_with, json_lines, line, only_sentence, output,
    piped, public_crawls, trained_by, undust,
};

const GPT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const GOOGLE: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0";

/// A line of a log in the combined format.
fn request(number: usize, target: &str, agent: &str) -> String {
    let (day, hour) = (1 + number / 24 % 28, number % 24);
    format!(
        "10.9.8.{} - - [{day:02}/May/2031:{hour:02}:00:00 +0000] \"GET {target} HTTP/1.1\" 200 5 \
         \"http://a.test/\" \"{agent}\"\n",
        number % 256
    )
}

/// A site with a blog, which a browser reads, a calendar of all years, and facets that a crawler walks through.
fn log() -> String {
    let mut log = String::new();
    for n in 0..600 {
        log += &request(n, &format!("/blog/{}", "x".repeat(n % 30 + 1)), FIREFOX);
        log += &request(n, &format!("/calendar/{}/{}", 2000 + n / 12, n % 12 + 1), GOOGLE);
        let facets = ["brand", "color", "size", "year"].iter().enumerate();
        let chosen = facets.filter(|(bit, _)| (n % 15 + 1) >> bit & 1 == 1);
        let query: Vec<String> = chosen.map(|(_, name)| format!("{name}={}", n / 15)).collect();
        log += &request(n, &format!("/list?{}", query.join("&")), GPT);
    }
    log
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let (text, _) = output(folder, "shapes", &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_log_tells_what_grows_and_who_asks() {
    let folder = folder_with(&[("access.log", log())]);
    let host = ["access.log", "--host", "a.test"];
    let (text, _) = output(folder.path(), "shapes", &host);
    insta::assert_snapshot!("shapes_log", text);
    let report = json(folder.path(), &host);
    let worst = (report["patterns"].as_array().expect("a list").iter())
        .find(|pattern| pattern["cause"]["argument"] == "combinations of arguments")
        .expect("filters");
    assert_eq!(worst["pattern"], "/list?[brand&color&size&year]");
    assert_eq!((&worst["urls"], &worst["agents"]["ai_crawler"]), (&600.into(), &600.into()));
    assert_eq!((&worst["people"]["returned"], &worst["bytes"]), (&0.into(), &3000.into()));
    assert_eq!(
        (&worst["policy"]["met"]["requests"], &worst["policy"]["met"]["browsers"]),
        (&600.into(), &0.into())
    );
    assert_eq!((&worst["bots"], &worst["suggestion"]), (&1.0.into(), &"budget".into()));
    assert_eq!(report["agents"]["browser"], 600);
    assert!(report.get("pages").is_none() && worst.get("pages").is_none(), "{report}");
    let text = report.to_string();
    assert!(!text.contains("10.9.8.") && !text.contains("Mozilla") && !text.contains("GPTBot"));
}

/// What a pattern costs the server in time is a column only where the log has it.
#[test]
fn a_log_with_times_of_requests_tells_what_they_cost() {
    let timed = log().replace("\"\n", "\" 0.250\n");
    let folder = folder_with(&[("timed.log", timed), ("access.log", log())]);
    let text = |name| output(folder.path(), "shapes", &[name, "--host", "a.test"]).0;
    assert_contains(
        &text("timed.log"),
        &["robots   MB  seconds  pattern", "0.0    150.0  /list?["],
    );
    assert!(!text("access.log").contains("seconds"), "{}", text("access.log"));
}

#[test]
fn the_order_of_lines_does_not_matter() {
    let log = log();
    let mut lines: Vec<&str> = log.lines().collect();
    lines.sort_by_key(|line| line.bytes().rev().collect::<Vec<u8>>());
    let folder = folder_with(&[("a.log", log.clone()), ("b.log", lines.join("\n"))]);
    let of = |name| json(folder.path(), &[name, "--host", "a.test"]);
    assert_eq!(of("a.log"), of("b.log"));
}

#[test]
fn a_policy_says_that_it_is_one() {
    let folder = folder_with(&[("access.log", log())]);
    let policy = |format| {
        let arguments = ["access.log", "--host", "a.test", "--format", format];
        output(folder.path(), "shapes", &arguments).0
    };
    let nginx = policy("nginx");
    assert_contains(&nginx, &["This is a policy", "limit_req_zone", "~^/list[?]", "return 410"]);
    assert!(!nginx.contains("/blog/"), "{nginx}");
    let robots = policy("robots");
    let lines = ["This is a policy", "Disallow: /list?brand=\n", "Disallow: /calendar/*/*$"];
    assert_contains(&robots, &lines);
}

/// Who reads a log in which no field names the program that asked, is told; and of all others nothing is.
#[test]
fn a_log_that_does_not_say_who_asked_is_told() {
    let json = |field: &str| {
        let line = |n| {
            format!(
                "{{\"status\":200,\"host\":\"a.test\",\"method\":\"GET\",\"uri\":\"/{n}\",\"{field}\":\"{GPT}\"}}\n"
            )
        };
        (0..3).map(line).collect::<String>()
    };
    for (field, is_told) in [("ua", false), ("user_agent", false), ("who", true)] {
        let (_, told) = piped(Path::new("."), "shapes", &["-"], &json(field));
        assert_eq!(told.contains("no record says who asked"), is_told, "{field}: {told}");
    }
    let (_, told) = piped(Path::new("."), "shapes", &["-"], &line("http://a.test/story/1", "1"));
    assert!(!told.contains("who asked"), "{told}");
}

/// What else a rule would meet stands beside it; and where there is none, why, and what else can be done.
#[test]
fn each_budget_says_what_its_rule_meets_or_why_it_has_none() {
    let mut log = log();
    for (number, day) in
        (0..3000).map(|n| (n, format!("/days/{}-{:02}/", 1900 + n / 12, n % 12 + 1)))
    {
        log += &request(number / 5, &day, GPT);
    }
    // The months that people read come again.
    for number in 0..300 {
        log += &request(number, &format!("/days/2031-{:02}/", number % 3 + 4), FIREFOX);
    }
    let folder = folder_with(&[("access.log", log)]);
    let host = ["access.log", "--host", "a.test"];
    let text = output(folder.path(), "shapes", &host).0;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let report = json(folder.path(), &host);
    let budgets: Vec<&Value> = (report["patterns"].as_array().expect("a list").iter())
        .filter(|pattern| pattern["suggestion"] == "budget")
        .collect();
    let all = report["urls"].as_u64().expect("a number");
    let mut without = 0;
    for pattern in &budgets {
        let others = all - pattern["urls"].as_u64().expect("a number");
        match pattern["policy"]["met"]["other_urls"].as_u64() {
            Some(met) => assert_contains(&text, &[&format!("and {met} of {others} other URLs (")]),
            None => without += 1,
        }
    }
    assert_eq!((text.matches("no rule: people come back").count(), without), (1, 1), "{text}");
    assert_contains(&text, &["rel=nofollow on the links", "A challenge, such as Anubis,"]);
}

/// In the file of nginx a limit and an answer 410 are two ways, each of its own block.
#[test]
fn a_limit_and_a_refusal_are_not_pasted_together() {
    let folder = folder_with(&[("access.log", log())]);
    let arguments = ["access.log", "--host", "a.test", "--format", "nginx"];
    let file = output(folder.path(), "shapes", &arguments).0;
    let blocks: Vec<&str> = file.split("\n\n").collect();
    let count = |text: &str| blocks.iter().filter(|block| block.contains(text)).count();
    assert_eq!((count("  limit_req zone"), count("return 410")), (1, 1), "{file}");
    assert!(
        !blocks.iter().any(|one| one.contains("  limit_req zone") && one.contains("410")),
        "{file}"
    );
}

#[test]
fn clusters_are_those_of_cluster() {
    let blog = data("blog.jsonl.gz");
    let blog = blog.to_str().expect("a name");
    let report = json(Path::new("."), &[blog]);
    let (clusters, _) = output(Path::new("."), "cluster", &[blog, "--min-size", "1"]);
    let clusters = json_lines(&clusters);
    let urls: u64 = clusters.iter().filter_map(|cluster| cluster["size"].as_u64()).sum();
    assert_eq!(report["pages"]["distinct"], clusters.len());
    assert_eq!(report["pages"]["compared"], urls);
    assert_eq!(report["pages"]["needless"], urls - clusters.len() as u64);
    let sum = |field: &str| -> u64 {
        let patterns = report["patterns"].as_array().expect("a list");
        patterns.iter().filter_map(|pattern| pattern["pages"][field].as_u64()).sum()
    };
    assert_eq!(
        (sum("compared"), report["pages"]["needless"].as_u64()),
        (urls, Some(sum("needless")))
    );
}

/// A crawler in the facets of a shop: what the crawl says with its pages, its log says without them.
#[test]
fn the_log_of_a_crawl_in_facets_has_a_cause_of_the_crawl() {
    let shop = data("shop.jsonl.gz");
    let shop = shop.to_str().expect("a name");
    let (manifest, _) = output(Path::new("."), "ingest", &[shop]);
    let mut log = String::new();
    for (number, response) in json_lines(&manifest).iter().enumerate() {
        let url = response["url"].as_str().expect("a URL");
        let path = url.splitn(4, '/').nth(3).expect("a path");
        write!(log, "{}", request(number, &format!("/{path}"), GPT)).expect("a string takes all");
    }
    let folder = folder_with(&[("access.log", log)]);
    let of_log = json(folder.path(), &["access.log", "--host", "shop.test"]);
    let of_crawl = json(Path::new("."), &[shop]);
    let worst = &of_log["patterns"][0];
    assert_contains(worst["pattern"].as_str().expect("a text"), &["sort_by"]);
    assert_eq!(worst["cause"]["argument"], "sort_by");
    assert_contains(&of_crawl["patterns"][0]["pattern"].to_string(), &["sort_by"]);
    assert_eq!(of_log["urls"], of_crawl["urls"]);
}

#[test]
fn a_model_tells_which_patterns_it_makes_one_of() {
    let folder = trained_by("auto", &crawl("a.test", 200));
    let report = json(folder.path(), &["crawl.jsonl", "--models", "models"]);
    let named = report["patterns"].as_array().expect("a list").iter();
    let changed =
        named.clone().find(|pattern| pattern["model"]["changed"] != 0).expect("a pattern");
    assert_eq!(changed["model"]["changed"], 200, "{changed}");
    assert!(changed["model"]["edits"][0]["tested"].as_u64() > Some(100), "{changed}");
}

#[test]
fn what_has_no_pattern_that_grows_says_so_in_one_sentence() {
    let different: String =
        (0..30).map(|n| line(&format!("http://a.test/story/{n}"), &n.to_string())).collect();
    let (text, _) = piped(Path::new("."), "shapes", &["-"], &different);
    assert_contains(&text, &["30 requests for 30 URLs", "No pattern grows without new pages"]);
    let shapes = |input: &str| {
        let mut command = undust(Path::new("."), "shapes");
        command.arg("-").write_stdin(input.to_owned());
        only_sentence(&mut command, 1)
    };
    assert_contains(&shapes(""), &["no request of a URL"]);
    assert_contains(&shapes(&access_log("/a", 1)), &["does not name its host", "--host"]);
    assert_contains(&shapes("neither a log\nnor a crawl\n"), &["is of no kind that is known"]);
    let log = access_log("/a", 1) + "no line of a log\n" + &access_log("/b", 1);
    let (text, told) = piped(Path::new("."), "shapes", &["-", "--host", "a.test"], &log);
    assert_contains(&text, &["2 requests for 2 URLs"]);
    assert_contains(&told, &["1 bad log line skipped", "2: is not a line of the log"]);
}

#[test]
#[ignore = "needs UNDUST_CRAWLS"]
fn a_real_log_is_counted_to_the_last_line() {
    let log = public_crawls().join("semicomplete.access.log.gz");
    let log = log.to_str().expect("a name");
    let report = json(Path::new("."), &[log, "--host", "semicomplete.com"]);
    let agents = report["agents"].as_object().expect("agents").values();
    assert_eq!(agents.filter_map(Value::as_u64).sum::<u64>(), 9994);
    // By `zcat | awk '{print $6, $7}' | grep '^"\(GET\|HEAD\)' | cut -d' ' -f2 | cut -d'#' -f1 | sort -u | wc -l`.
    assert_eq!((&report["requests"], &report["urls"]), (&9994.into(), &1496.into()));
}
