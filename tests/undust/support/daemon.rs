//! A server of another program, which a test starts and asks.

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A running server, ended with the test.
pub struct Daemon {
    process: Child,
    /// Where it is reached on this machine.
    pub port: u16,
    folder: TempDir,
}

impl Daemon {
    /// Starts what `command` says, given a folder of its own and a free port, and waits until it can be reached.
    pub fn start(name: &str, command: impl FnOnce(&Path, u16) -> Command) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let port = free.expect("a port").port();
        let folder = tempfile::tempdir().expect("a folder");
        let log = File::create(folder.path().join("log")).expect("a file");
        let mut command = command(folder.path(), port);
        let process = command.stdout(Stdio::null()).stderr(log).spawn().expect("a server");
        let daemon = Self { process, port, folder };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let is_late = begun.elapsed() >= Duration::from_secs(60);
            assert!(!is_late, "{name} did not start: {}", daemon.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        daemon
    }

    /// What it said.
    fn log(&self) -> String {
        let said = |name| fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
        said("log") + &said("error.log")
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It is ended either way.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
