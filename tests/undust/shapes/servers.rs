//! The rules, held to the programs that keep to them, as far as they are installed here; for the others to what their
//! manuals say of the few forms that are printed.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use regex::Regex;

use super::{FIREFOX, GPT, json, request};
use crate::support::{Daemon, folder_with, output};

/// Traps of all kinds of rules, and pages that people ask for, some of which look like them.
fn log() -> (String, Vec<String>) {
    let mut targets = Vec::new();
    for n in 0..400 {
        targets.push((
            format!(
                "/ann/{}/src/commit/{:040x}/lib/{}.rs",
                ["x", "y"][n % 2],
                0xabc_u64 + n as u64 / 8,
                word(n % 30)
            ),
            GPT,
        ));
        targets.push((format!("/caf%C3%A9/{}.html?a=1&srsltid=Afm{:020}", word(n % 60), n), GPT));
        let facets = ["brand", "color", "f[0]", "size", "year"].iter().enumerate();
        let query: Vec<String> = facets
            .filter(|(bit, _)| (n % 31 + 1) >> bit & 1 == 1)
            .map(|(bit, name)| {
                format!("{name}={}", (n * n * (bit + 1) + n / 31 * (bit + 3) + n / 7) % 10)
            })
            .collect();
        targets.push((format!("/list/?{}", query.join("&")), GPT));
    }
    for n in 0..600 {
        targets.push((format!("/caf%C3%A9/{}.html?a=1", word(n % 60)), FIREFOX));
        targets.push((format!("/ann/x/src/branch/main/lib/{}.rs", word(n % 30)), FIREFOX));
        targets.push((format!("/?s={}", word(n % 20)), FIREFOX));
    }
    let odd = [
        "/list/",
        "/list/?",
        "/list/?xbrand=1",
        "/list/?a=1&color",
        "/ann/x/src/commit/",
        "/list/?q=size=1",
    ];
    let lines =
        targets.iter().enumerate().map(|(n, (target, agent))| request(n / 3, target, agent));
    let log = lines.collect();
    let urls: BTreeSet<String> =
        targets.into_iter().map(|(target, _)| target).chain(odd.map(str::to_owned)).collect();
    (log, urls.into_iter().collect())
}

/// A word of letters alone.
fn word(number: usize) -> String {
    ["ka", "lo", "mi", "nu", "pe", "ra"]
        .iter()
        .cycle()
        .skip(number % 6)
        .take(2 + number / 6 % 9)
        .copied()
        .collect::<String>()
        + ["s", "t", "r"][number % 3]
}

/// The rules in a format, the URLs, and for each whether the expressions of the report meet it.
fn rules(format: &str) -> (String, Vec<(String, bool)>) {
    let (log, urls) = log();
    let folder = folder_with(&[("access.log", log)]);
    let arguments = ["access.log", "--host", "a.test"];
    let report = json(folder.path(), &arguments);
    let regexes: Vec<Regex> = (report["patterns"].as_array().expect("a list").iter())
        .filter_map(|pattern| pattern["policy"]["regex"].as_str())
        .map(|regex| Regex::new(regex).expect("an expression"))
        .collect();
    assert_eq!(regexes.len(), 3, "{report:#}");
    let rules =
        output(folder.path(), "shapes", &[&arguments[..], &["--format", format]].concat()).0;
    let urls: Vec<(String, bool)> = urls
        .into_iter()
        .map(|url| {
            let is_met = regexes.iter().any(|regex| regex.is_match(&url));
            (url, is_met)
        })
        .collect();
    let met = urls.iter().filter(|(_, is_met)| *is_met).count();
    assert!(met > 900 && urls.len() - met > 90, "{met} of {}", urls.len());
    (rules, urls)
}

/// A server that keeps to rules.
struct Server(Daemon);

impl Server {
    /// None where the program is not installed; where `UNDUST_CONSUMERS` is set, as in CI, it must be.
    fn start(
        program: &str,
        version: &str,
        config: impl Fn(&Path, u16) -> String,
        arguments: impl Fn(&Path) -> Vec<String>,
    ) -> Option<Self> {
        let is_there =
            Command::new(program).arg(version).output().is_ok_and(|output| output.status.success());
        if !is_there {
            assert!(std::env::var_os("UNDUST_CONSUMERS").is_none(), "{program} is not installed");
            eprintln!("skipped: {program} is not installed");
            return None;
        }
        Some(Self(Daemon::start(program, |folder, port| {
            let path = folder.join("config");
            std::fs::write(&path, config(folder, port)).expect("a file");
            let mut command = Command::new(program);
            command.args(arguments(&path)).env("HOME", folder);
            command
        })))
    }

    /// The status of an answer.
    fn ask(&self, target: &str, agent: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.0.port)).expect("the server");
        let request = format!(
            "GET {target} HTTP/1.1\r\nHost: a.test\r\nUser-Agent: {agent}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("the server");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer.split(' ').nth(1).expect("a status").to_owned()
    }

    /// Robots are refused what the rules meet, and nothing else; people nothing.
    fn check(&self, urls: &[(String, bool)], refusal: &str) {
        for (url, is_met) in urls {
            let expected = if *is_met { refusal } else { "204" };
            assert_eq!(self.ask(url, GPT), expected, "a robot asks for {url}");
            assert_eq!(self.ask(url, FIREFOX), "204", "a browser asks for {url}");
        }
    }
}

#[test]
fn nginx_keeps_to_the_rules() {
    let (rules, urls) = rules("nginx");
    let line = |begin: &str| {
        rules
            .lines()
            .find_map(|line| line.strip_prefix("#   ").filter(|line| line.starts_with(begin)))
            .expect("a line")
    };
    for (line, refusal) in [(line("if "), "410"), (line("limit_req "), "429")] {
        let config = |folder: &Path, port: u16| {
            let folder = folder.display();
            // One request in a minute, so that the second is refused.
            let rules = rules.replace("10r/m", "1r/m").replace("60r/m", "100000r/s");
            let line = line.replace("burst=5 nodelay", "");
            format!(
                "daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n\
                 events {{ worker_connections 64; }}\n\
                 http {{ access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;\n\
                 fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;\n{rules}\n\
                 server {{ listen 127.0.0.1:{port}; {line}\n location / {{ try_files /none @site; }}\n\
                 location @site {{ return 204; }} }} }}\n"
            )
        };
        let arguments = |path: &Path| vec!["-c".to_owned(), path.display().to_string()];
        let Some(server) = Server::start("nginx", "-v", config, arguments) else { return };
        if refusal == "429" {
            urls.iter().filter(|(_, is_met)| *is_met).for_each(|(url, _)| {
                server.ask(url, GPT);
            });
        }
        server.check(&urls, refusal);
    }
}

#[test]
fn caddy_keeps_to_the_rules() {
    let (rules, urls) = rules("caddy");
    let config = |_: &Path, port: u16| {
        format!(
            "{{\n\tadmin off\n\tauto_https off\n}}\n:{port} {{\n{rules}\nhandle {{\n\trespond 204\n}}\n}}\n"
        )
    };
    let arguments = |path: &Path| {
        let path = path.display().to_string();
        ["run", "--adapter", "caddyfile", "--config"]
            .map(str::to_owned)
            .into_iter()
            .chain([path])
            .collect()
    };
    if let Some(server) = Server::start("caddy", "version", config, arguments) {
        server.check(&urls, "429");
    }
}

#[test]
fn haproxy_keeps_to_the_rules() {
    let (rules, urls) = rules("haproxy");
    let config = |_: &Path, port: u16| {
        // None is let through, so that the first is refused.
        let rules = rules.replace("gt 10", "gt 0");
        format!(
            "global\n    maxconn 100\ndefaults\n    mode http\n    timeout client 10s\n    timeout server 10s\n    timeout connect 10s\n\
             frontend site\n    bind 127.0.0.1:{port}\n    default_backend site\n{rules}\n\
             backend site\n    http-request return status 204\n"
        )
    };
    let arguments = |path: &Path| {
        ["-db", "-f"].map(str::to_owned).into_iter().chain([path.display().to_string()]).collect()
    };
    if let Some(server) = Server::start("haproxy", "-v", config, arguments) {
        server.check(&urls, "429");
    }
}

/// As the manual of Cloudflare's rules says: raw strings, `matches`, `or`, at most 4,096 letters.
#[test]
fn cloudflare_reads_the_rules() {
    let (rules, urls) = rules("cloudflare");
    let expressions: Vec<&str> = rules.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(expressions.iter().all(|one| one.len() <= 4096));
    let regexes: Vec<Regex> = (expressions.iter())
        .flat_map(|one| {
            let any =
                one.strip_prefix('(').and_then(|one| one.strip_suffix(") and not cf.client.bot"));
            any.expect("an expression").split(" or ")
        })
        .map(|one| {
            let one = one
                .strip_prefix("(http.request.uri matches r\"")
                .and_then(|one| one.strip_suffix("\")"));
            Regex::new(one.expect("a comparison")).expect("an expression")
        })
        .collect();
    for (url, is_met) in urls {
        assert_eq!(regexes.iter().any(|regex| regex.is_match(&url)), is_met, "{url}");
    }
}

/// As the manual of Anubis says: `path` has no escapes, `query` is a map by names without escapes.
#[test]
fn anubis_reads_the_rules() {
    let (rules, urls) = rules("anubis");
    assert!(
        rules.contains("\nbots:\n")
            && rules.contains("\n    action: WEIGH\n    expression:\n      all:\n"),
        "{rules}"
    );
    let path = Regex::new(r#"^        - 'path\.matches\("([^"]*)"\)'$"#).expect("an expression");
    let name = Regex::new(r#""([^"]*)" in query"#).expect("an expression");
    let rules: Vec<(Regex, Vec<String>)> = rules
        .split("  - name: ")
        .skip(1)
        .map(|rule| {
            let path = rule.lines().find_map(|line| path.captures(line)).expect("a path");
            let names = name.captures_iter(rule).map(|found| found[1].to_owned()).collect();
            (Regex::new(&path[1]).expect("an expression"), names)
        })
        .collect();
    assert_eq!(rules.len(), 3);
    for (url, is_met) in urls {
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let path = path.replace("%C3%A9", "é");
        let names: Vec<&str> =
            query.split('&').map(|one| one.split('=').next().unwrap_or_default()).collect();
        let meets = |(on_path, asked): &(Regex, Vec<String>)| {
            let has = |name: &String| names.contains(&name.as_str());
            on_path.is_match(&path) && (asked.is_empty() || asked.iter().any(has))
        };
        assert_eq!(rules.iter().any(meets), is_met, "{url}");
    }
}
