//! One line in, one line out, whatever the lines are.

use proptest::prelude::*;

use super::*;
use crate::model::tests::saved;

/// A folder with a model of s.com that was hardly trained.
fn models() -> tempfile::TempDir {
    saved(30).0
}

static MODELS: std::sync::LazyLock<tempfile::TempDir> = std::sync::LazyLock::new(models);

fn run(inputs: &[&[u8]], format: QueueFormat, unique: bool) -> (Vec<u8>, QueueCounts) {
    let registry = Registry::open(MODELS.path()).expect("a model");
    let mut output = Vec::new();
    let mut queue = Queue::new(
        &registry,
        &mut output,
        QueueOptions { format, unique, min_confidence: None, stats: false, strict: false },
    );
    for input in inputs {
        let mut input = *input;
        queue.feed(Path::new("-"), &mut input).expect("translating");
    }
    let counts = queue.finish().expect("translating");
    (output, counts)
}

fn text(input: &[u8]) -> Vec<u8> {
    run(&[input], QueueFormat::Text, false).0
}

#[test]
fn lines_of_no_known_site_come_back_byte_for_byte() {
    let input = b"http://t.com/a\r\nfoo\n\n\xff\xfe\nhttp://[::1]/\nhttp://u:p@h/\x00\nno end";
    assert_eq!(text(input), input);
}

#[test]
fn a_line_longer_than_memory_allows_is_passed_on() {
    let mut input = b"http://s.com/".to_vec();
    input.resize(3 * LONGEST + 17, b'a');
    input.extend(b"\nhttp://t.com/\n");
    let (output, counts) = run(&[&input], QueueFormat::Text, false);
    assert!(output == input);
    assert_eq!((counts.lines, counts.of(How::Unchanged(Reason::TooLong))), (2, 1));
    let (json, _) = run(&[&input], QueueFormat::Jsonl, false);
    assert_eq!(json.iter().filter(|byte| **byte == b'\n').count(), 2);
}

#[test]
fn an_input_without_a_last_line_end_does_not_run_into_the_next() {
    let (output, counts) = run(&[b"http://t.com/a", b"http://t.com/b"], QueueFormat::Text, false);
    assert_eq!(output, b"http://t.com/a\nhttp://t.com/b");
    assert_eq!(counts.lines, 2);
}

#[test]
fn json_says_how() {
    let (output, _) = run(&[b"http://t.com/a\nfoo\n"], QueueFormat::Jsonl, false);
    let output = String::from_utf8(output).expect("text");
    let lines: Vec<serde_json::Value> =
        output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["canonical"], "http://t.com/a");
    assert_eq!((&lines[0]["how"], &lines[0]["reason"]), (&"unchanged".into(), &"no model".into()));
    assert_eq!(
        (&lines[1]["site"], &lines[1]["reason"]),
        (&serde_json::Value::Null, &"no URL".into())
    );
}

#[test]
fn unique_prints_a_url_that_comes_again_once() {
    let (output, counts) =
        run(&[b"http://t.com/b\nhttp://t.com/a\nhttp://t.com/b\n"], QueueFormat::Text, true);
    assert_eq!(output, b"http://t.com/b\nhttp://t.com/a\n");
    assert_eq!((counts.lines, counts.written), (3, 2));
}

#[test]
fn templates_of_one_block_are_decoded_once() {
    let queue: String = (0..50).map(|n| format!("http://s.com/users/{n}a/name{n}\n")).collect();
    let (_, counts) = run(&[queue.as_bytes()], QueueFormat::Text, false);
    let decoded = counts.of(How::Network) + counts.of(How::Memo);
    let unchanged: u64 = Reason::ALL.iter().map(|reason| counts.of(How::Unchanged(*reason))).sum();
    assert_eq!((counts.lines, decoded + unchanged), (50, 50));
    assert!(counts.of(How::Network) <= 1, "{counts}");
}

/// Known and new templates, other sites, text that is none, lines without an end.
fn mixed(lines: usize) -> Vec<u8> {
    let line = |n: usize| match n % 7 {
        0 => format!("http://s.com/users/{n}a/name{n}\r\n"),
        1 => format!("http://t.com/{n}\n"),
        2 => format!("HTTP://s.com:80/users/{}a?new={n}#top\n", n % 50),
        3 => format!("http://s.com/{}\n", "x/".repeat(n % 40)),
        4 => "\n".to_owned(),
        5 => format!("http://s.com/{}\n", "y".repeat((n % 6) * 20_000)),
        _ => format!("http://s.com/users/{n}a\n"),
    };
    let mut queue: Vec<u8> = (0..lines).map(line).collect::<String>().into_bytes();
    queue.extend(b"\xff\nhttp://s.com/users/1a");
    queue
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let queue = mixed(1500);
    for (format, unique) in
        [(QueueFormat::Text, false), (QueueFormat::Jsonl, false), (QueueFormat::Text, true)]
    {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let (output, counts) =
                pool.expect("threads").install(|| run(&[&queue], format, unique));
            (output, counts.to_string())
        };
        let alone = on(1);
        for threads in [2, 5] {
            assert!(on(threads) == alone, "{threads} threads, {format:?}, {unique}");
        }
    }
}

/// Gives so many bytes at a time.
struct Trickle<'t>(&'t [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(buffer.len());
        self.0.read(&mut buffer[..most])
    }
}

#[test]
fn it_does_not_matter_how_the_input_comes() {
    let queue = mixed(90);
    for format in [QueueFormat::Text, QueueFormat::Jsonl] {
        let at_once = run(&[&queue], format, true);
        for bytes in [1, 17, 4096, 70_000] {
            let registry = Registry::open(MODELS.path()).expect("a model");
            let mut output = Vec::new();
            let mut trickled = Queue::new(
                &registry,
                &mut output,
                QueueOptions {
                    format,
                    unique: true,
                    min_confidence: None,
                    stats: false,
                    strict: false,
                },
            );
            trickled.feed(Path::new("-"), Trickle(&queue, bytes)).expect("translating");
            let counts = trickled.finish().expect("translating");
            assert_eq!(counts.to_string(), at_once.1.to_string(), "{bytes}");
            assert!(output == at_once.0, "{bytes}");
        }
    }
}

proptest! {
    #[test]
    fn one_line_in_one_line_out(lines in proptest::collection::vec("(http://s.com/)?[ -~]{0,30}", 0..20)) {
        let input = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let output = text(input.as_bytes());
        prop_assert_eq!(output.iter().filter(|byte| **byte == b'\n').count(), lines.len());
    }

    #[test]
    fn a_translated_queue_does_not_change_again(paths in proptest::collection::vec("[a-z0-9/?=.]{0,20}", 1..20)) {
        let input = paths.iter().map(|path| format!("http://s.com/{path}\n")).collect::<String>();
        let once = text(input.as_bytes());
        prop_assert_eq!(text(&once), once);
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        text(&bytes);
        run(&[&bytes], QueueFormat::Jsonl, true);
    }
}
