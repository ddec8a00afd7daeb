//! Asks a running service whether it is well: what containers need, which have no other program.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use undust_util::error::Result;

use crate::cli::failure::Failure;

/// Time for each of connecting, asking and being answered.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bytes of an answer that are read: its first line tells.
const FIRST_LINE: u64 = 256;

/// # Errors
///
/// Nobody listens there, or does not answer that it is well in time.
pub(super) fn check(address: &str) -> Result<()> {
    let unwell = |reason: String| Failure::ServiceNotWell { address: address.to_owned(), reason };
    let answer = ask(address).map_err(|error| unwell(error.to_string()))?;
    match answer.starts_with("HTTP/1.1 200 ") {
        true => Ok(()),
        false => {
            Err(unwell(format!("it answers {:?}", answer.lines().next().unwrap_or(""))).into())
        }
    }
}

fn ask(address: &str) -> io::Result<String> {
    let found = address.to_socket_addrs()?.next();
    let found = found.ok_or_else(|| io::Error::other("the name has no address"))?;
    let mut stream = TcpStream::connect_timeout(&found, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(stream, "GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.take(FIRST_LINE).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
