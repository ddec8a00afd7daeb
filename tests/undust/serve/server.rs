//! A running service, and a client of it that does what it is told and no more.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use undust_model::registry::Registry;
use undust_serve::{ServiceLimits, ServiceOptions, serve};

use crate::support::{copy_folder, ends_within, models_of_format, program, signal};

/// Longer than anything takes that a test waits for; only one that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// A service of its own folder of models; killed when it is dropped.
pub(crate) struct Server {
    /// Without one it runs in this process.
    child: Option<Child>,
    pub(crate) address: SocketAddr,
    pub(crate) folder: TempDir,
    log: Arc<Mutex<String>>,
    /// Ends when the log does.
    reader: Option<JoinHandle<()>>,
}

/// The models of format 4: a network of a.test, rules of b.test, edits of c.test.
pub(crate) fn models() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy_folder(&models_of_format(5), folder.path());
    folder
}

pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.arg("serve").arg("--models").arg(folder).args(arguments);
    command.env_remove("UNDUST_TOKEN").stderr(Stdio::piped());
    command
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let folder = models();
        let mut command = command(folder.path(), &["--listen", "127.0.0.1:0"]);
        Self::run(command.args(arguments), folder)
    }

    pub(crate) fn run(command: &mut Command, folder: TempDir) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a log")).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let address = loop {
            let line = lines.next().expect("it says where it listens").expect("text");
            log.lock().unwrap().push_str(&line);
            if let Some((_, address)) = line.split_once("listening on http://") {
                let end = address.find('"').unwrap_or(address.len());
                break address[..end].parse().expect("an address");
            }
        };
        let rest = Arc::clone(&log);
        let reader = thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                *rest.lock().unwrap() += &(line + "\n");
            }
        });
        Self { child: Some(child), address, folder, log, reader: Some(reader) }
    }

    /// A service in this process, for limits that no argument sets.
    pub(crate) fn within(limits: ServiceLimits) -> Self {
        let folder = models();
        let registry = Arc::new(Registry::open(folder.path()).expect("models"));
        let (told, address) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("threads");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
                told.send(listener.local_addr().expect("an address")).expect("a listener");
                let options = ServiceOptions { limits, ..ServiceOptions::default() };
                serve(listener, registry, options, std::future::pending::<()>()).await
            })
        });
        let address = address.recv().expect("an address");
        Self { child: None, address, folder, log: Arc::default(), reader: None }
    }

    fn child(&mut self) -> &mut Child {
        self.child.as_mut().expect("a process")
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.as_ref().expect("a process").id()
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn place(&self, site: &str, file: &str) -> PathBuf {
        self.folder.path().join(site).join(file)
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection::to(self.address)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.connect().ask("GET", path, &[], b"")
    }

    pub(crate) fn get_json(&self, path: &str) -> serde_json::Value {
        let answer = self.connect().ask("GET", path, &["accept: application/json"], b"");
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    pub(crate) fn post(&self, kind: &str, body: &[u8]) -> Answer {
        let kind = format!("content-type: {kind}");
        self.connect().ask("POST", "/v1/translate", &[&kind], body)
    }

    /// What a counter or gauge says.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let described = self.get("/metrics").text();
        let value = described.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap_or_else(|| panic!("no {name} in {described}")).parse().expect("a number")
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        signal(self.id(), "TERM");
    }

    /// How it ended. From then on [`Self::log`] is whole.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let ended = ends_within(self.child(), Duration::from_secs(20));
        let ended = ended.unwrap_or_else(|| panic!("it does not end: {}", self.log()));
        if let Some(reader) = self.reader.take() {
            reader.join().expect("a log");
        }
        ended
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// Waits for what must become so, and says how long that took. While other tests run, a service may
/// wait for a processor longer than for anything else.
pub(crate) fn until(mut is_so: impl FnMut() -> bool) -> Duration {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "not within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(5));
    }
    begin.elapsed()
}

/// A connection that is kept.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    reader: BufReader<TcpStream>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("JSON: {}", self.text()))
    }

    /// The sentence of a failure with this status.
    pub(crate) fn failure(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()["error"].as_str().expect("a sentence").to_owned()
    }
}

impl Connection {
    pub(crate) fn to(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time");
        let reader = BufReader::new(stream.try_clone().expect("the same"));
        Self { stream, reader }
    }

    /// Sends a request whose body has a known length, and reads the answer meanwhile.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[&str],
        body: &[u8],
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
        for header in headers {
            head += &format!("{header}\r\n");
        }
        head += &format!("content-length: {}\r\n\r\n", body.len());
        let mut stream = self.stream.try_clone().expect("the same");
        thread::scope(|scope| {
            // A service that has heard enough may hang up.
            let writer = scope.spawn(move || {
                stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()
            });
            let answer = self.read();
            writer.join().expect("no panic");
            answer
        })
    }

    /// Reads an answer, of known length or in chunks.
    pub(crate) fn read(&mut self) -> Answer {
        self.try_read().expect("an answer")
    }

    pub(crate) fn try_read(&mut self) -> std::io::Result<Answer> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.reader.read_line(&mut head)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        let lower = head.to_ascii_lowercase();
        let mut body = Vec::new();
        if lower.contains("transfer-encoding: chunked") {
            while let Some(chunk) = self.chunk()? {
                body.extend(chunk);
            }
        } else if let Some((_, length)) = lower.split_once("content-length: ") {
            let length = length.lines().next().and_then(|n| n.parse().ok()).expect("a length");
            body.resize(length, 0);
            self.reader.read_exact(&mut body)?;
        }
        Ok(Answer { status, head, body })
    }

    /// The next chunk; nothing at the end.
    pub(crate) fn chunk(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let mut length = String::new();
        self.reader.read_line(&mut length)?;
        let no_length = |_| std::io::Error::other(format!("no length of a chunk: {length:?}"));
        let length = usize::from_str_radix(length.trim_end(), 16).map_err(no_length)?;
        let mut chunk = vec![0; length + 2];
        self.reader.read_exact(&mut chunk)?;
        chunk.truncate(length);
        Ok((length > 0).then_some(chunk))
    }

    /// Reads the lines of a head, so that chunks may be read.
    pub(crate) fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(self.reader.read_line(&mut head).expect("a head") > 0, "{head}");
        }
        head
    }

    /// Whether the service hangs up within this time.
    pub(crate) fn hangs_up_within(&mut self, time: Duration) -> bool {
        self.stream.set_read_timeout(Some(time)).expect("a time");
        let mut rest = Vec::new();
        match self.reader.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}
