//! One line in, one line out, whatever the lines are.

mod broken;

use std::fs;

use proptest::prelude::*;

use undust_testing::{copied_models, saved_models};

use super::counts::Novelty;
use super::*;
use crate::registry::Registry;
use crate::translation::{How, Reason};
use undust_edits::translation::LONGEST_URL;

fn run(inputs: &[&[u8]], format: QueueFormat, unique: bool) -> (Vec<u8>, QueueCounts) {
    run_with(inputs, QueueOptions { format, unique, ..QueueOptions::default() })
}

/// Whether somebody waits for the answers or not, they are the same.
fn run_with(inputs: &[&[u8]], options: QueueOptions) -> (Vec<u8>, QueueCounts) {
    let waited_for = feed_all(inputs.iter().copied(), options, false);
    let file = feed_all(inputs.iter().copied(), options, true);
    assert!(waited_for.0 == file.0);
    assert_eq!(waited_for.1.to_string(), file.1.to_string());
    waited_for
}

fn feed_all(
    inputs: impl Iterator<Item = impl Read>,
    options: QueueOptions,
    read_ahead: bool,
) -> (Vec<u8>, QueueCounts) {
    let registry = Registry::open(&saved_models()).expect("models");
    let (mut output, name) = (Vec::new(), Path::new("-"));
    let mut queue = Queue::new(&registry, &mut output, QueueOptions { read_ahead, ..options });
    for input in inputs {
        queue.feed(name, input).expect("translating");
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
    let mut input = b"http://a.test/".to_vec();
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

/// A form that ended with white space would be another URL in the next queue.
#[test]
fn a_form_never_ends_in_white_space() {
    for url in ["http://b.test/story/7/print", "HTTP://b.test:80/story/7/print"] {
        for white in [" ", "\t", "\x0c", "\r", "\t \r"] {
            let line = format!("{url}{white}#x\n");
            assert_eq!(String::from_utf8(text(line.as_bytes())).expect("a text"), line);
        }
    }
    assert_eq!(text(b"HTTP://b.test/x#\r\n"), b"http://b.test/x\r\n");
}

/// The network's cache holds its template from the second line on.
#[test]
fn every_line_is_counted_once() {
    let queue: &[u8] = b"http://b.test/story/7/print\nhttp://b.test/story/7\nHTTP://c.test/x#y\n\
        http://a.test/users/9x/bob\nhttp://a.test/users/8x/ann\nhttp://t.com/\nno\nneither\n";
    let described = "8 lines, 8 written, 4 changed; 1 from the cache, 1 by the network, 1 by rules, \
        1 by the normal form, 1 unchanged (no model), 2 unchanged (not a URL), 1 unchanged (no rule)";
    let (output, counts) = run(&[queue], QueueFormat::Text, false);
    assert_eq!(counts.to_string(), described);
    let output = String::from_utf8(output).expect("text");
    let forms: Vec<&str> = output.lines().collect();
    assert_eq!(
        forms,
        [
            "http://b.test/story/7",
            "http://b.test/story/7",
            "http://c.test/x",
            "http://a.test/users/9x",
            "http://a.test/users/8x",
            "http://t.com/",
            "no",
            "neither"
        ]
    );
    // Two inputs are one queue.
    let (front, back) = queue.split_at(28);
    assert_eq!(run(&[front, back], QueueFormat::Text, false).1.to_string(), described);
    let (output, counts) = run(&[queue], QueueFormat::Text, true);
    assert_eq!((counts.lines, counts.written), (8, 7));
    assert!(output.starts_with(b"http://b.test/story/7/print\nHTTP://c.test/x#y\n"));
    let (output, counts) = run(&[b"http://t.com/a\n"], QueueFormat::Text, false);
    let none = "1 line, 1 written, 0 changed; 0 from the cache, 0 by the network, \
        1 unchanged (no model)";
    assert_eq!((&*output, &*counts.to_string()), (&b"http://t.com/a\n"[..], none));
}

#[test]
fn a_form_that_is_not_trusted_enough_is_left() {
    let line = b"http://b.test/story/7/print\n";
    let asked = |least| {
        run_with(&[line], QueueOptions { min_confidence: Some(least), ..QueueOptions::default() })
    };
    let (output, counts) = asked(0.5);
    assert_eq!((&*output, counts.changed), (&b"http://b.test/story/7\n"[..], 1));
    let (output, counts) = asked(1.0);
    let refused = counts.of(How::Unchanged(Reason::TooLittleConfidence));
    assert_eq!((&*output, counts.changed, refused), (&line[..], 0, 1));
}

/// Lines of two sites by turns, each of which waits for the network of its own.
#[test]
fn each_line_that_waits_is_answered_by_the_network_of_its_site() {
    let folder = copied_models();
    let (from, to) = (folder.path().join("a.test"), folder.path().join("d.test"));
    fs::create_dir(&to).expect("a folder");
    for file in ["tokenizer.json", "weights.safetensors", "conventions.json", "model.json"] {
        fs::copy(from.join(file), to.join(file)).expect("a copy");
    }
    let json = fs::read_to_string(to.join("model.json")).expect("a model");
    let named = json.replace("\"site\": \"a.test\"", "\"site\": \"d.test\"");
    assert_ne!(named, json);
    fs::write(to.join("model.json"), named).expect("another site's");
    let registry = Registry::open(folder.path()).expect("models");
    let user = |n: usize| format!("http://{}.test/users/{n}x/bob\n", ["a", "d"][n % 2]);
    let lines: String = (0..40).map(user).collect();
    let options = QueueOptions { format: QueueFormat::Jsonl, ..QueueOptions::default() };
    let mut output = Vec::new();
    let mut queue = Queue::new(&registry, &mut output, options);
    queue.feed(Path::new("-"), lines.as_bytes()).expect("translating");
    queue.finish().expect("translating");
    let answers = String::from_utf8(output).expect("text");
    for (n, answer) in answers.lines().enumerate() {
        // The copy knows another host alone.
        let (site, form) = [("a.test", "users/1x"), ("d.test", "users/1x/bob")][n % 2];
        let form = format!("http://{site}/{}", form.replace('1', &n.to_string()));
        let expected = [format!("\"site\":\"{site}\""), format!("\"canonical\":\"{form}\"")];
        assert!(expected.iter().all(|part| answer.contains(part)), "{answer}");
    }
}

#[test]
fn a_queue_says_how_much_of_it_is_new() {
    let asked = |lines: &str| {
        run_with(&[lines.as_bytes()], QueueOptions { stats: true, ..QueueOptions::default() })
            .1
            .novelty
    };
    let known = "http://c.test/story/7/print\n";
    let new = "http://c.test/x/y/z?unheard=of\n";
    let undecided = "http://b.test/story/7\n";
    let counts = asked(&[&known.repeat(3), new, &undecided.repeat(2), "http://t.com/\n"].concat());
    assert_eq!(counts, Novelty { seen: 3, new: 1, undecided: 2 });
    assert_eq!(run(&[known.as_bytes()], QueueFormat::Text, false).1.novelty, Novelty::default());
    let describe = |seen, new, undecided| Novelty { seen, new, undecided }.to_string();
    assert_eq!(describe(0, 0, 0), "no URL belongs to a site with a model");
    assert_eq!(describe(0, 0, 2), "2 URLs with models that do not record shapes");
    let of_shapes = "shapes that training never saw:";
    assert_eq!(
        describe(3, 1, 2),
        format!(
            "1 of 4 URLs (25.0 %) have {of_shapes} too few URLs to say whether to train again; \
             2 URLs with models that do not record shapes"
        )
    );
    assert_eq!(
        describe(80, 20, 0),
        format!(
            "20 of 100 URLs (20.0 %) have {of_shapes} the site has changed; train again on a newer \
             crawl"
        )
    );
    assert_eq!(
        describe(81, 19, 0),
        format!("19 of 100 URLs (19.0 %) have {of_shapes} no need to train again below 20 %")
    );
}

/// In JSON what is no text is written as text, and of what is too long the beginning.
#[test]
fn lines_that_are_no_text_or_too_long_are_passed_on() {
    let mut lines = b"\xff\n".to_vec();
    lines.extend([b'x'; LONGEST_URL + 9]);
    lines.push(b'\n');
    lines.extend([&vec![b'y'; LONGEST + 9][..], b"\n\xff\r\n"].concat());
    for unique in [false, true] {
        let (output, counts) = run(&[&lines], QueueFormat::Text, unique);
        let expected = if unique { &lines[..lines.len() - 3] } else { &lines };
        assert!(output == expected, "{unique}");
        assert_eq!(counts.of(How::Unchanged(Reason::TooLong)), 2);
        assert_eq!(counts.of(How::Unchanged(Reason::NoUrl)), 2);
    }
    let (output, counts) = run(&[&lines], QueueFormat::Jsonl, false);
    assert_eq!(counts.written, 4);
    let output = String::from_utf8(output).expect("text");
    let objects = output.lines().map(|line| serde_json::from_str(line).expect("an object"));
    let objects: Vec<serde_json::Value> = objects.collect();
    let lengths = objects.iter().map(|object| object["url"].as_str().expect("a text").len());
    assert_eq!(lengths.collect::<Vec<_>>(), [3, LONGEST_URL + 9, LONGEST_URL + 1, 3]);
    assert!(objects.iter().all(|object| object["url"] == object["canonical"]));
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
        (&serde_json::Value::Null, &"not a URL".into())
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
    let queue: String = (0..50).map(|n| format!("http://a.test/users/{n}a/name{n}\n")).collect();
    let (_, counts) = run(&[queue.as_bytes()], QueueFormat::Text, false);
    let decoded = counts.of(How::Network) + counts.of(How::Cache);
    let unchanged: u64 = Reason::ALL.iter().map(|reason| counts.of(How::Unchanged(*reason))).sum();
    assert_eq!((counts.lines, decoded + unchanged), (50, 50));
    assert!(counts.of(How::Network) <= 1, "{counts}");
}

/// Known and new templates, other sites, lines that are no text, lines without an end.
fn mixed(lines: usize) -> Vec<u8> {
    let line = |n: usize| match n % 7 {
        0 => format!("http://a.test/users/{n}a/name{n}\r\n"),
        1 => format!("http://t.com/{n}\n"),
        2 => format!("HTTP://a.test:80/users/{}a?new={n}#top\n", n % 50),
        3 => format!("http://a.test/{}\n", "x/".repeat(n % 40)),
        4 => "\n".to_owned(),
        5 => format!("http://a.test/{}\n", "y".repeat((n % 6) * 20_000)),
        _ => format!("http://a.test/users/{n}a\n"),
    };
    let mut queue: Vec<u8> = (0..lines).map(line).collect::<String>().into_bytes();
    queue.extend(b"\xff\nhttp://a.test/users/1a");
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

/// Gives this number of bytes at a time.
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
        let options = QueueOptions { format, unique: true, ..QueueOptions::default() };
        for (bytes, is_file) in
            [1, 17, 4096, 70_000].into_iter().flat_map(|n| [(n, false), (n, true)])
        {
            let trickle = [Trickle(&queue, bytes)].into_iter();
            let (output, counts) = feed_all(trickle, options, is_file);
            assert_eq!(counts.to_string(), at_once.1.to_string(), "{bytes}");
            assert!(output == at_once.0, "{bytes}");
        }
    }
}

proptest! {
    #[test]
    fn one_line_in_one_line_out(lines in proptest::collection::vec("(http://a.test/)?[ -~]{0,30}", 0..20)) {
        let input = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let output = text(input.as_bytes());
        prop_assert_eq!(output.iter().filter(|byte| **byte == b'\n').count(), lines.len());
    }

    #[test]
    fn a_translated_queue_does_not_change_again(
        urls in proptest::collection::vec(
            "(HTTP|http)://[A-Ca-c]\\.test(:80)?/(story/|print|[a-z0-9/?=.&; \t\r\x0b\x0c]){0,8}(#[a-z]?)?",
            1..20,
        ),
    ) {
        let input = urls.iter().map(|url| format!("{url}\n")).collect::<String>();
        let once = text(input.as_bytes());
        prop_assert_eq!(text(&once), once);
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        text(&bytes);
        run(&[&bytes], QueueFormat::Jsonl, true);
    }
}

/// Is interrupted once, gives a line, and fails in the end.
struct Interrupted(Vec<io::Result<&'static [u8]>>);

impl Read for Interrupted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.pop().map_or(Ok(0), |next| next.and_then(|mut bytes| bytes.read(buffer)))
    }
}

#[test]
fn an_interruption_is_no_error_and_an_error_ends_the_queue() {
    let registry = Registry::open(&saved_models()).expect("models");
    let line: &[u8] = b"http://t.com/a\n";
    for (is_fed, read_ahead) in [(true, false), (false, false), (true, true), (false, true)] {
        let failure = || io::ErrorKind::TimedOut.into();
        let last = if is_fed { Ok(&b""[..]) } else { Err(failure()) };
        let mut output = Vec::new();
        let options = QueueOptions { read_ahead, ..QueueOptions::default() };
        let mut queue = Queue::new(&registry, &mut output, options);
        let input = Interrupted(vec![last, Ok(line), Err(io::ErrorKind::Interrupted.into())]);
        let fed = queue.feed(Path::new("-"), input);
        assert_eq!(fed.is_ok(), is_fed);
        assert_eq!(queue.finish().expect("no error").lines, 1);
        assert_eq!(output, line);
    }
}
