//! Asks a running service whether it is healthy. Containers without a shell need this for health checks.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use undust_util::error::Result;

use crate::cli::failure::Failure;

/// Time for connecting, asking and being answered, all together, once the addresses of the name are known.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of an answer that are read: its first line suffices.
const FIRST_LINE: usize = 256;

/// # Errors
///
/// Nobody listens there, or does not answer that it is well in time.
pub(super) fn check(address: &str) -> Result<()> {
    let unwell = |reason: String| Failure::ServiceNotWell { address: address.to_owned(), reason };
    let answer = addresses(address).and_then(|all| ask(&all, address));
    let answer = answer.map_err(|error| unwell(error.to_string()))?;
    match answer.starts_with("HTTP/1.1 200 ") {
        true => Ok(()),
        false => {
            Err(unwell(format!("it answers {:?}", answer.lines().next().unwrap_or(""))).into())
        }
    }
}

fn addresses(name: &str) -> io::Result<Vec<SocketAddr>> {
    name.to_socket_addrs().map(Iterator::collect)
}

/// The first answer of these addresses of a host: `localhost` may be `::1` first, where nobody listens.
fn ask(all: &[SocketAddr], host: &str) -> io::Result<String> {
    let end = Instant::now() + PATIENCE;
    let mut last = io::Error::other("the name has no address");
    for (place, found) in all.iter().enumerate() {
        // One that does not answer leaves time for the others.
        let others = (all.len() - place) as u32;
        let own_end = Instant::now() + end.saturating_duration_since(Instant::now()) / others;
        match ask_at(found, host, own_end) {
            Ok(answer) => return Ok(answer),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn ask_at(found: &SocketAddr, host: &str, end: Instant) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(found, left(end)?)?;
    stream.set_write_timeout(Some(left(end)?))?;
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(in_words)?;
    let mut answer = Vec::new();
    let mut part = [0; FIRST_LINE];
    while answer.len() < FIRST_LINE && !answer.contains(&b'\n') {
        stream.set_read_timeout(Some(left(end)?))?;
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => answer.extend_from_slice(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(in_words(error)),
        }
    }
    match answer.is_empty() {
        true => Err(io::Error::other("it closes the connection without an answer")),
        false => Ok(String::from_utf8_lossy(&answer).into_owned()),
    }
}

/// The time that is left.
fn left(end: Instant) -> io::Result<Duration> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(too_slow()) } else { Ok(left) }
}

/// A time that is over says so; systems have several names for it.
fn in_words(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => too_slow(),
        _ => error,
    }
}

fn too_slow() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "it does not answer in time")
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Answers one connection piece by piece, with this pause between them.
    fn served(pieces: &'static [&'static str], pause: Duration) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            for piece in pieces {
                if stream.write_all(piece.as_bytes()).is_err() {
                    return;
                }
                thread::sleep(pause);
            }
        });
        address
    }

    #[test]
    fn the_first_line_decides() {
        let well = served(&["HTTP/1.1 ", "200 OK\r\n\r\n"], Duration::from_millis(20));
        check(&well.to_string()).expect("it is well");
        let other = served(&["HTTP/1.1 503 No\r\n\r\n"], Duration::ZERO);
        let message = check(&other.to_string()).expect_err("it is not well").to_string();
        assert!(message.contains("503"), "{message}");
    }

    /// Each piece comes in time, and all of them would not.
    #[test]
    fn an_answer_that_trickles_in_has_an_end() {
        let slow = served(&["H"; 40], Duration::from_millis(200));
        let begun = Instant::now();
        let message = check(&slow.to_string()).expect_err("it is too slow").to_string();
        assert!(message.contains("it does not answer in time"), "{message}");
        assert!(begun.elapsed() < 2 * PATIENCE, "{:?}", begun.elapsed());
    }

    #[test]
    fn every_address_is_asked_until_one_answers() {
        let well = served(&["HTTP/1.1 200 OK\r\n\r\n"], Duration::ZERO);
        let closed = {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            listener.local_addr().expect("an address")
        };
        // It takes connections, and nobody answers them.
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
        let silent = (silent.local_addr().expect("an address"), silent);
        let answer = ask(&[closed, silent.0, well], "localhost").expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let error = ask(&[silent.0, closed], "localhost").expect_err("nobody answers");
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        assert!(ask(&[], "localhost").is_err());
    }
}
