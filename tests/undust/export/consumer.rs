//! The programs that read exports, as far as they are installed here.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::server::{Kind, by_server};
use super::site::Redirects;
use crate::support::repository;

/// What reads an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consumer {
    Nginx,
    Apache,
    Varnish,
    Nutch,
    Stormcrawler,
    Heritrix,
    Dud,
    CleanParam,
    Names,
    NoVarySearch,
}

impl Consumer {
    pub(super) const ALL: [Self; 10] = [
        Self::Nginx,
        Self::Apache,
        Self::Varnish,
        Self::Nutch,
        Self::Stormcrawler,
        Self::Heritrix,
        Self::Dud,
        Self::CleanParam,
        Self::Names,
        Self::NoVarySearch,
    ];

    pub(super) fn format(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Apache => "apache",
            Self::Varnish => "vcl",
            Self::Nutch => "nutch",
            Self::Stormcrawler => "stormcrawler",
            Self::Heritrix => "heritrix",
            Self::Dud => "dud",
            Self::CleanParam => "clean-param",
            Self::Names => "names",
            Self::NoVarySearch => "no-vary-search",
        }
    }

    /// Whether it asks of a query no more than which names are in it.
    pub(super) fn reads_names(self) -> bool {
        matches!(self, Self::Dud | Self::CleanParam | Self::Names | Self::NoVarySearch)
    }

    /// Whether its rules say where they hold.
    pub(super) fn says_where(self) -> bool {
        !matches!(self, Self::CleanParam | Self::Names | Self::NoVarySearch)
    }

    /// Whether its rules pass by what is longer than the model reads: wildcards do not count.
    pub(super) fn says_how_long(self) -> bool {
        self.says_where() && !matches!(self, Self::Dud)
    }

    /// A URL as it reads it: where it asks for names alone, no argument is empty, bare or there twice.
    pub(super) fn read(self, url: &str) -> String {
        let Some((page, query)) = url.split_once('?').filter(|_| self.reads_names()) else {
            return url.to_owned();
        };
        let mut names = Vec::new();
        let mut kept = Vec::new();
        for argument in query.split('&').filter(|argument| !argument.is_empty()) {
            let name = argument.split('=').next().unwrap_or_default();
            if !names.contains(&name) {
                names.push(name);
                let bare = if argument.contains('=') { "" } else { "=" };
                kept.push(format!("{argument}{bare}"));
            }
        }
        if kept.is_empty() { page.to_owned() } else { format!("{page}?{}", kept.join("&")) }
    }
}

/// What it makes of these URLs (the first are crawled); nothing if it is not installed. Servers stand before
/// a site with these redirects.
pub(super) fn answers(
    consumer: Consumer,
    (site, redirects): (&str, (&Redirects, usize)),
    rules: &str,
    urls: &[String],
) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rules");
    std::fs::write(&path, rules).expect("a file");
    match consumer {
        Consumer::Nginx => {
            runs_here("nginx", "-v").then(|| by_server(Kind::Nginx, site, rules, urls, redirects))
        }
        Consumer::Apache => runs_here("apache2", "-v")
            .then(|| by_server(Kind::Apache, site, rules, urls, redirects)),
        Consumer::Varnish => runs_here("varnishd", "-V")
            .then(|| by_server(Kind::Varnish, site, rules, urls, redirects)),
        Consumer::Nutch => by_java("nutch", &path, urls),
        Consumer::Heritrix => by_java("heritrix", &path, urls),
        Consumer::Stormcrawler => {
            std::fs::write(&path, pairs(rules)).expect("a file");
            by_java("pairs", &path, urls)
        }
        Consumer::Dud => {
            let python = std::env::var("UNDUST_DUD_PYTHON").unwrap_or("python3".into());
            let is_there =
                Command::new(&python).args(["-c", "import duplicate_url_discarder"]).output();
            let is_there = is_there.is_ok_and(|output| output.status.success());
            if !is_installed("duplicate-url-discarder (UNDUST_DUD_PYTHON)", is_there) {
                return None;
            }
            let script = repository().join("tests/undust/consumers/discard.py");
            Some(filtered(Command::new(python).arg(script).arg(&path), urls))
        }
        Consumer::CleanParam => Some(by_clean_param(rules, urls)),
        Consumer::Names => {
            let lines: String =
                rules.lines().map(|name| format!("Clean-param: {name} /\n")).collect();
            Some(by_clean_param(&lines, urls))
        }
        Consumer::NoVarySearch => Some(by_clean_param(&params(rules), urls)),
    }
}

/// Says that a consumer is missing; where `UNDUST_CONSUMERS` is set, as in CI, none may be.
fn is_installed(name: &str, is_there: bool) -> bool {
    if !is_there {
        assert!(std::env::var_os("UNDUST_CONSUMERS").is_none(), "{name} is not installed");
        eprintln!("skipped: {name} is not installed");
    }
    is_there
}

fn runs(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|output| output.status.success())
}

/// Whether a server is installed.
fn runs_here(program: &str, version: &str) -> bool {
    is_installed(program, runs(program, version))
}

/// Lines of a program that answers each with one.
fn filtered(command: &mut Command, lines: &[String]) -> Vec<String> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program");
    let mut stdin = child.stdin.take().expect("its input");
    let input = lines.join("\n") + "\n";
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let mut text = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut text).expect("UTF-8");
    writer.join().expect("a thread").expect("a program that reads");
    assert!(child.wait().expect("an end").success(), "{command:?}");
    text.lines().map(str::to_owned).collect()
}

fn by_java(mode: &str, rules: &Path, urls: &[String]) -> Option<Vec<String>> {
    is_installed("java 17", runs("java", "-version")).then(|| {
        let source = repository().join("tests/undust/consumers/Regexes.java");
        filtered(Command::new("java").arg(source).arg(mode).arg(rules), urls)
    })
}

/// A line a pattern, a line a substitution.
fn pairs(rules: &str) -> String {
    let all: Value = serde_json::from_str(rules).expect("JSON");
    let filter = &all["org.apache.stormcrawler.filtering.URLFilters"][0];
    let class = "org.apache.stormcrawler.filtering.regex.RegexURLNormalizer";
    assert_eq!(filter["class"], class);
    let rules = filter["params"]["urlNormalizers"].as_array().expect("a list");
    let text = |rule: &Value, field: &str| rule[field].as_str().expect("a text").to_owned();
    rules
        .iter()
        .map(|rule| text(rule, "pattern") + "\n" + &text(rule, "substitution") + "\n")
        .collect()
}

/// The names and paths of a map of No-Vary-Search, the deepest path first, as lines of Clean-param. A name of a path holds
/// below it, too, so a deeper path has all names of those above it.
fn params(rules: &str) -> String {
    let line = |line: &str| {
        let (regex, header) = line.strip_prefix("    \"~^200 (?i:")?.split_once("\" 'params=(")?;
        let (_, path) = regex.split_once(") /").expect("a path");
        let names = header.strip_suffix(")';").expect("an end");
        let names: Vec<&str> = names.split(' ').map(|name| name.trim_matches('"')).collect();
        Some(format!("Clean-param: {} /{}\n", names.join("&"), path.replace('\\', "")))
    };
    rules.lines().filter_map(line).collect()
}

/// As Yandex says that it reads robots.txt: names between `&`, then the beginning of the path.
fn by_clean_param(rules: &str, urls: &[String]) -> Vec<String> {
    let rules: Vec<(Vec<&str>, &str)> = rules
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let rule = line.strip_prefix("Clean-param: ").expect("a rule");
            assert!(line.len() <= 500, "{line}");
            let (names, path) = rule.split_once(' ').expect("a path");
            (names.split('&').collect(), path)
        })
        .collect();
    let cleaned = |url: &String| {
        let (page, query) = url.split_once('?')?;
        let path = &page[page[8..].find('/')? + 8..];
        let is_dropped = |argument: &&str| {
            let name = argument.split('=').next().unwrap_or_default();
            rules.iter().any(|(names, prefix)| path.starts_with(prefix) && names.contains(&name))
        };
        let all: Vec<&str> = query.split('&').collect();
        let kept: Vec<&str> =
            all.iter().copied().filter(|argument| !is_dropped(argument)).collect();
        let mark = if kept.is_empty() { "" } else { "?" };
        (kept.len() < all.len()).then(|| format!("{page}{mark}{}", kept.join("&")))
    };
    urls.iter().map(|url| cleaned(url).unwrap_or_else(|| url.clone())).collect()
}
