//! Queues of any bytes, in any pieces.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use undust::model::{Queue, QueueFormat, QueueOptions};
use undust::{Canonicalizer, Registry};

use super::reading::Pieces;
use super::root;

/// Longest line in bytes that is held.
const LONGEST: usize = 1 << 16;

/// Bytes of a longer line that JSON has.
const TOLD: usize = (1 << 15) + 1;

static MODELS: LazyLock<Registry> =
    LazyLock::new(|| Registry::open(&root().join("tests/formats/5")).expect("models"));

/// The first byte is the length of the pieces, the others are the queue.
pub fn check(bytes: &[u8]) {
    let Some((&first, queue)) = bytes.split_first() else { return };
    let pieces = || Pieces { left: queue.to_vec().into(), piece: 1 + usize::from(first) };
    let lines: Vec<&[u8]> = queue.split_inclusive(|&byte| byte == b'\n').collect();

    let text = run(queue, QueueFormat::Text, false);
    assert!(text == run(pieces(), QueueFormat::Text, false), "it came in other pieces");
    let forms: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(forms.len(), lines.len(), "one line in, one line out");
    for (form, line) in forms.iter().zip(&lines) {
        assert_eq!(*form, expected(line), "in order, each as by itself");
    }
    assert!(run(&*text, QueueFormat::Text, false) == text, "forms are their own forms");

    let objects = run(pieces(), QueueFormat::Jsonl, false);
    let objects: Vec<&[u8]> = objects.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(objects.len(), lines.len());
    for (object, line) in objects.iter().zip(&lines) {
        let object: serde_json::Value = serde_json::from_slice(object).expect("an object a line");
        assert!(object["url"] == *describe(line), "the URL that came, or its beginning");
    }

    let new = run(pieces(), QueueFormat::Text, true);
    let mut rest = lines.iter();
    for line in new.split_inclusive(|&byte| byte == b'\n') {
        assert!(rest.any(|known| url(known) == url(line)), "each as it came, in order");
    }
}

fn run(input: impl Read, format: QueueFormat, unique: bool) -> Vec<u8> {
    let options = QueueOptions { format, unique, ..QueueOptions::default() };
    let mut output = Vec::new();
    let mut queue = Queue::new(&*MODELS, &mut output, options);
    queue.feed(Path::new("-"), input).expect("nothing can fail");
    let counts = queue.finish().expect("nothing can fail");
    assert!(unique || counts.lines == counts.written);
    output
}

/// The line without its end.
fn url(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// What JSON has of a line: its URL without the white space around it. Of a line that is too long
/// to be held it has the beginning as it came, which may cut a character.
fn describe(line: &[u8]) -> Cow<'_, str> {
    let told = if line.len() > LONGEST { &url(line)[..TOLD] } else { line.trim_ascii() };
    String::from_utf8_lossy(told)
}

/// What becomes of a line by itself: the white space around its URL stays.
fn expected(line: &[u8]) -> Vec<u8> {
    let bare = line.trim_ascii();
    if line.len() > LONGEST || bare.is_empty() {
        return line.to_vec();
    }
    let before = line.len() - line.trim_ascii_start().len();
    let end = &line[before + bare.len()..];
    match std::str::from_utf8(bare) {
        Ok(url) => [&line[..before], MODELS.canonical(url).as_bytes(), end].concat(),
        Err(_) => line.to_vec(),
    }
}
