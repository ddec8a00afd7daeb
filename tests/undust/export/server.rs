//! Servers that redirect by exported rules, asked over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nginx,
    Apache,
    Varnish,
}

/// What a server with these rules makes of the URLs: where it redirects them to, else what they are.
pub(super) fn by_server(kind: Kind, site: &str, rules: &str, urls: &[String]) -> Vec<String> {
    let server = Server::start(kind, site, rules);
    let mut stream = server.connect();
    let mut moved = None;
    let mut answer = |url: &String| {
        let slash = url[8..].find('/').map_or(url.len(), |at| at + 8);
        let (origin, target) = url.split_at(slash);
        // A browser sends no fragment, and no byte that is none of a URL.
        if !target.starts_with('/')
            || target.contains('#')
            || !target.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return url.clone();
        }
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let Some(location) = server.location(&mut stream, "GET", host, target) else {
            return url.clone();
        };
        let location = location.strip_prefix(&format!("http://{host}")).unwrap_or(&location);
        moved = Some((host.to_owned(), target.to_owned()));
        format!("{origin}{location}")
    };
    let answers = urls.iter().map(&mut answer).collect();
    // What was sent with a POST would be lost on the way.
    if let (Some((host, target)), Kind::Apache | Kind::Varnish) = (moved, kind) {
        let location = server.location(&mut server.connect(), "POST", &host, &target);
        assert_eq!(location, None, "a POST of {target} was redirected");
    }
    answers
}

/// A running server, ended with the test.
struct Server {
    process: Child,
    port: u16,
    _folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It is ended either way.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn start(kind: Kind, site: &str, rules: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        drop(listener);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("server.conf");
        std::fs::write(folder.path().join("rules"), rules).expect("a file");
        let config = match kind {
            Kind::Nginx => nginx(folder.path(), port, site, rules),
            Kind::Apache => apache(folder.path(), port, site),
            Kind::Varnish => varnish(folder.path()),
        };
        std::fs::write(&path, config).expect("a file");
        let log = std::fs::File::create(folder.path().join("log")).expect("a file");
        let mut command = kind.command(&path, folder.path(), port);
        command.stdout(Stdio::null()).stderr(log);
        let process = command.spawn().expect("a server");
        let server = Self { process, port, _folder: folder };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let said = |name| std::fs::read_to_string(server._folder.path().join(name));
            let log = said("log").unwrap_or_default() + &said("error.log").unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "{kind:?} did not start: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server");
        stream.set_nodelay(true).expect("a socket");
        BufReader::new(stream)
    }

    /// Where a request is redirected to; nothing if it is answered, or refused as no request.
    fn location(
        &self,
        stream: &mut BufReader<TcpStream>,
        method: &str,
        host: &str,
        target: &str,
    ) -> Option<String> {
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
        // Apache has no page for an escaped slash, whatever the rules are.
        let is_escaped = target.to_ascii_uppercase().contains("%2F") && status.contains(" 404 ");
        let is_known = [" 204 ", " 301 ", " 400 "].iter().any(|known| status.contains(known));
        assert!(is_known || is_escaped, "{target}: {status}");
        location
    }
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

fn nginx(folder: &Path, port: u16, site: &str, rules: &str) -> String {
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
         server {{ listen 127.0.0.1:{port}; server_name {site}; absolute_redirect off;\n\
         {redirect}\n location / {{ return 204; }} }} }}\n"
    )
}

fn apache(folder: &Path, port: u16, site: &str) -> String {
    let modules = PathBuf::from("/usr/lib/apache2/modules");
    let load = |name| {
        let file = modules.join(format!("mod_{name}.so"));
        format!("LoadModule {name}_module {}\n", file.display())
    };
    let modules: String = ["mpm_event", "authz_core", "rewrite"].map(load).concat();
    let folder = folder.display();
    format!(
        "{modules}User nobody\nGroup nogroup\nServerName {site}\nPidFile {folder}/pid\n\
         ErrorLog {folder}/error.log\nMutex file:{folder} default\nDefaultRuntimeDir {folder}\n\
         Listen 127.0.0.1:{port}\nMaxKeepAliveRequests 0\nKeepAliveTimeout 60\n\
         LimitRequestLine 65536\n<VirtualHost *:{port}>\nServerName {site}\n\
         Include {folder}/rules\nRewriteEngine On\nRewriteRule ^ - [R=204,L]\n</VirtualHost>\n"
    )
}

fn varnish(folder: &Path) -> String {
    format!(
        "vcl 4.1;\nbackend default none;\ninclude \"{}/rules\";\n\
         sub vcl_recv {{ return (synth(204)); }}\n",
        folder.display()
    )
}
