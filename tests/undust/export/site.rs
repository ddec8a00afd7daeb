//! The site behind a server: it answers as the crawl did.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The redirects of a crawl: where URLs lead to.
pub(super) type Redirects = HashMap<String, String>;

/// A running site. Its redirects have the status 301, which tells them from those of rules.
pub(super) struct Site {
    pub(super) port: u16,
    is_over: Arc<AtomicBool>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // It waits for one more client, then it looks.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Site {
    pub(super) fn start(redirects: &Redirects) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let is_over = Arc::new(AtomicBool::new(false));
        let without_scheme =
            |url: &str| url.split_once("://").map_or(url, |parts| parts.1).to_owned();
        let redirects: HashMap<String, String> =
            redirects.iter().map(|(url, to)| (without_scheme(url), to.clone())).collect();
        let (redirects, ends) = (Arc::new(redirects), Arc::clone(&is_over));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if ends.load(Ordering::Relaxed) {
                    return;
                }
                let redirects = Arc::clone(&redirects);
                std::thread::spawn(move || serve(client, &redirects));
            }
        });
        Self { port, is_over }
    }
}

/// Answers one request after another, until the server hangs up.
fn serve(client: TcpStream, redirects: &HashMap<String, String>) {
    let _ = client.set_nodelay(true);
    let mut client = BufReader::new(client);
    loop {
        let (mut target, mut host, mut length) = (String::new(), String::new(), 0_usize);
        for place in 0.. {
            let mut line = String::new();
            if !client.read_line(&mut line).is_ok_and(|read| read > 0) {
                return;
            }
            let line = line.trim_end();
            if place == 0 {
                target = line.split(' ').nth(1).unwrap_or_default().to_owned();
            }
            match line.split_once(": ") {
                _ if line.is_empty() => break,
                Some((name, value)) if name.eq_ignore_ascii_case("host") => host = value.to_owned(),
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().unwrap_or_default();
                }
                _ => {}
            }
        }
        if client.read_exact(&mut vec![0; length]).is_err() {
            return;
        }
        let answer = match redirects.get(&format!("{host}{target}")) {
            Some(to) => format!("301 Moved Permanently\r\nLocation: {to}\r\nContent-Length: 0"),
            None => "204 No Content".into(),
        };
        if client.get_mut().write_all(format!("HTTP/1.1 {answer}\r\n\r\n").as_bytes()).is_err() {
            return;
        }
    }
}
