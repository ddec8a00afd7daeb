//! `undust translate` between two programs that both stay open: whoever writes a line gets its
//! answer before the next is waited for.
#![cfg(feature = "network")]

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::support::{process, trained};

/// Longer than any answer takes; only a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

struct Pipe {
    child: Child,
    answers: Receiver<Vec<u8>>,
    _models: TempDir,
}

impl Pipe {
    fn open() -> Self {
        let models = trained(&["a.test"]);
        let mut child = process(models.path(), &["translate"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut output = child.stdout.take().expect("its output");
        let (sender, answers) = channel();
        thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, answers, _models: models }
    }

    /// Writes in pieces of `piece` bytes, and reads as many bytes back as lines were completed.
    fn ask(&mut self, text: &[u8], piece: usize) -> Vec<u8> {
        let mut input = self.child.stdin.take().expect("its input");
        let text = text.to_vec();
        let wanted = text.len();
        let writer = thread::spawn(move || {
            for piece in text.chunks(piece) {
                input.write_all(piece).expect("it reads");
                input.flush().expect("it reads");
            }
            input
        });
        let mut answer = Vec::new();
        while answer.len() < wanted {
            answer.extend(self.answers.recv_timeout(PATIENCE).expect("an answer in time"));
        }
        self.child.stdin = Some(writer.join().expect("a writer"));
        answer
    }
}

#[test]
fn every_complete_line_is_answered_before_more_is_waited_for() {
    let mut pipe = Pipe::open();
    // The first line is shorter than what identifies a compressed file.
    for length in [1, 0, 2, 3, 20, 1000, 65_535, 65_536, 65_537, 100_000, 262_144, 5_000_000, 1] {
        for piece in [1_000_000, 65_536, 4096, 1] {
            if length > 70_000 && piece == 1 {
                continue;
            }
            let line = [b"z".repeat(length), b"\n".to_vec()].concat();
            let answer = pipe.ask(&line, piece);
            assert!(answer == line, "a line of {length} bytes in pieces of {piece}");
        }
    }
    drop(pipe.child.stdin.take());
    assert!(pipe.child.wait().expect("an end").success());
}

#[test]
fn what_has_begun_does_not_hold_back_what_is_complete() {
    let mut pipe = Pipe::open();
    let mut input = pipe.child.stdin.take().expect("its input");
    input.write_all(b"no URL\nhttp://c.te").expect("it reads");
    let first = pipe.answers.recv_timeout(PATIENCE).expect("an answer in time");
    assert_eq!(first, b"no URL\n");
    input.write_all(b"st/x\n").expect("it reads");
    let second = pipe.answers.recv_timeout(PATIENCE).expect("an answer in time");
    assert_eq!(second, b"http://c.test/x\n");
    drop(input);
    pipe.child.wait().expect("an end");
}
