//! Servers that redirect by exported rules, asked over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::site::{Redirects, Site};
use crate::support::Daemon;

/// A server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nginx,
    Apache,
    Varnish,
}

/// What a server with these rules, before a site with these redirects, makes of the URLs: where its rules redirect them
/// to, else what they are. No client is sent in a circle, or from one of the first URLs, which are `crawled`, over more
/// redirects than one, and no POST anywhere.
pub(super) fn by_server(
    kind: Kind,
    name: &str,
    rules: &str,
    urls: &[String],
    (redirects, crawled): (&Redirects, usize),
) -> Vec<String> {
    let site = Site::start(redirects);
    let server = Server::start(kind, name, rules, site.port);
    let mut stream = server.connect();
    urls.iter()
        .enumerate()
        .map(|(place, url)| {
            let Some(first) = server.ask(&mut stream, "GET", url) else { return url.clone() };
            let (mut passed, mut is_ruled) = (vec![url.clone()], first.is_ruled);
            let mut next = first.location.clone();
            while let Some(location) = next {
                if !passed.contains(&location) && passed.len() < MOST_HOPS {
                    passed.push(location);
                    let answer = server.ask(&mut stream, "GET", &passed[passed.len() - 1]);
                    is_ruled |= answer.as_ref().is_some_and(|answer| answer.is_ruled);
                    next = answer.and_then(|answer| answer.location);
                    continue;
                }
                passed.push(location);
                break;
            }
            // What the site does by itself is no rule's fault.
            let comes_back = passed[..passed.len() - 1].contains(&passed[passed.len() - 1]);
            let is_straight = passed.len() == 2 || place >= crawled;
            assert!(!is_ruled || is_straight && !comes_back, "{kind:?}: {passed:#?}");
            if !first.is_ruled {
                return url.clone();
            }
            // What was sent with a POST would be lost on the way.
            let posted = server.ask(&mut stream, "POST", url).expect("a request");
            assert!(!posted.is_ruled, "{kind:?}: a POST of {url} was redirected");
            first.location.expect("a redirect")
        })
        .collect()
}

/// Redirects that are followed.
const MOST_HOPS: usize = 12;

/// What was answered.
struct Answer {
    /// Whether a rule answered, and not the site behind the server.
    is_ruled: bool,
    /// The URL to which the client is sent.
    location: Option<String>,
}

/// A server that redirects by rules.
struct Server(Daemon);

impl Server {
    fn start(kind: Kind, site: &str, rules: &str, behind: u16) -> Self {
        Self(Daemon::start(&format!("{kind:?}"), |folder, port| {
            std::fs::write(folder.join("rules"), rules).expect("a file");
            let config = match kind {
                Kind::Nginx => nginx(folder, port, (site, behind), rules),
                Kind::Apache => apache(folder, port, (site, behind)),
                Kind::Varnish => varnish(folder, behind),
            };
            let path = folder.join("server.conf");
            std::fs::write(&path, config).expect("a file");
            kind.command(&path, folder, port)
        }))
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.0.port)).expect("the server");
        stream.set_nodelay(true).expect("a socket");
        BufReader::new(stream)
    }

    /// What a client that asks for a URL gets; nothing where none would ask.
    fn ask(&self, stream: &mut BufReader<TcpStream>, method: &str, url: &str) -> Option<Answer> {
        let slash = url[8..].find('/').map_or(url.len(), |at| at + 8);
        let (origin, target) = url.split_at(slash);
        // A browser sends no fragment, and no byte that is none of a URL.
        let is_sent = target.starts_with('/')
            && !target.contains('#')
            && target.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_sent {
            return None;
        }
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let request =
            format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n");
        stream.get_mut().write_all(request.as_bytes()).expect("the server");
        let (mut status, mut location, mut length, mut closes) = (String::new(), None, 0, false);
        stream.read_line(&mut status).expect("an answer");
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).expect("a header");
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(": ").expect("a header");
            match name {
                "Location" => location = Some(value.to_owned()),
                "Content-Length" => length = value.parse().expect("a length"),
                "Connection" => closes = value == "close",
                _ => {}
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).expect("a body");
        if closes {
            *stream = self.connect();
        }
        let code = status.split(' ').nth(1).expect("a status");
        // Apache has no page for an escaped slash, whatever the rules are.
        let is_escaped = target.to_ascii_uppercase().contains("%2F") && code == "404";
        assert!(["204", "301", "302", "400"].contains(&code) || is_escaped, "{target}: {status}");
        let is_ruled = code == "302";
        Some(Answer {
            is_ruled,
            location: location.map(|location| whole(&location, origin, is_ruled)),
        })
    }
}

/// The URL that a client asks for next. A server that ends no TLS itself writes `http`.
fn whole(location: &str, origin: &str, is_ruled: bool) -> String {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    if !is_ruled {
        return location.to_owned();
    }
    let path = location.strip_prefix(&format!("http://{host}")).unwrap_or(location);
    let is_path = path.starts_with('/') && !path[1..].starts_with(['/', '\\']);
    assert!(is_path, "{origin} was left for {location}");
    format!("{origin}{path}")
}

impl Kind {
    fn command(self, config: &Path, folder: &Path, port: u16) -> Command {
        let mut command = match self {
            Self::Nginx => Command::new("nginx"),
            Self::Apache => Command::new("apache2"),
            Self::Varnish => Command::new("varnishd"),
        };
        match self {
            Self::Nginx => command.arg("-c").arg(config),
            Self::Apache => command.args(["-X", "-f"]).arg(config),
            Self::Varnish => command
                .args(["-F", "-j", "none", "-s", "default,16m", "-a"])
                .arg(format!("127.0.0.1:{port}"))
                .arg("-n")
                .arg(folder.join("varnish"))
                .arg("-f")
                .arg(config),
        };
        command
    }
}

fn nginx(folder: &Path, port: u16, (site, behind): (&str, u16), rules: &str) -> String {
    // The redirect is the one that the export names.
    let redirect = rules.lines().find_map(|line| line.strip_prefix("#     if "));
    let redirect = redirect.map_or(String::new(), |line| format!("if {line}"));
    let folder = folder.display();
    format!(
        "daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n\
         events {{ worker_connections 64; }}\n\
         http {{ access_log off; keepalive_requests 10000000; large_client_header_buffers 4 64k;\n\
         variables_hash_max_size 4096; client_body_temp_path {folder}/a;\n\
         proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;\n\
         uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;\n\
         {rules}\n\
         upstream site {{ server 127.0.0.1:{behind}; keepalive 8; keepalive_requests 10000000; }}\n\
         server {{ listen 127.0.0.1:{port}; server_name {site}; absolute_redirect off;\n\
         {redirect}\n location / {{ proxy_pass http://site; proxy_http_version 1.1;\n\
         proxy_set_header Connection \"\"; proxy_set_header Host $http_host; proxy_redirect off; }} }} }}\n"
    )
}

fn apache(folder: &Path, port: u16, (site, behind): (&str, u16)) -> String {
    let modules = PathBuf::from("/usr/lib/apache2/modules");
    let load = |name| {
        let file = modules.join(format!("mod_{name}.so"));
        format!("LoadModule {name}_module {}\n", file.display())
    };
    let modules: String =
        ["mpm_event", "authz_core", "rewrite", "proxy", "proxy_http"].map(load).concat();
    let folder = folder.display();
    format!(
        "{modules}User nobody\nGroup nogroup\nServerName {site}\nPidFile {folder}/pid\n\
         ErrorLog {folder}/error.log\nMutex file:{folder} default\nDefaultRuntimeDir {folder}\n\
         Listen 127.0.0.1:{port}\nMaxKeepAliveRequests 0\nKeepAliveTimeout 60\n\
         LimitRequestLine 65536\n<VirtualHost *:{port}>\nServerName {site}\n\
         Include {folder}/rules\nProxyPreserveHost On\nAllowEncodedSlashes NoDecode\n\
         ProxyPass / http://127.0.0.1:{behind}/ nocanon\n</VirtualHost>\n"
    )
}

fn varnish(folder: &Path, behind: u16) -> String {
    format!(
        "vcl 4.1;\nbackend default {{ .host = \"127.0.0.1\"; .port = \"{behind}\"; }}\ninclude \"{}/rules\";\n",
        folder.display()
    )
}
