//! Models that cannot be loaded, or worse.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::*;
use crate::registry::LookupError;
use crate::registry::Registry;
use crate::site_model::SiteModel;

/// Two models that cannot be loaded are reported once each, when their first URL comes.
#[test]
fn broken_models_are_told_of_once_or_end_the_queue() {
    let folder = copied_models();
    for site in ["b.test", "c.test"] {
        fs::write(folder.path().join(site).join("model.json"), "{").expect("a file is written");
    }
    let registry = Registry::open(folder.path()).expect("models");
    let lines = b"http://b.test/1\nhttp://c.test/1\nhttp://b.test/2\nhttp://c.test/2\n";
    let queue = |strict| {
        let (mut output, mut described) = (Vec::new(), Vec::new());
        let options = QueueOptions { strict, ..QueueOptions::default() };
        let mut queue = Queue::new(&registry, &mut output, options)
            .on_broken(|error| described.push(error.to_string()));
        let fed = [&lines[..32], &lines[32..]].map(|part| queue.feed(Path::new("-"), part));
        let counts = queue.finish().expect("no error");
        (output, described, fed, counts)
    };
    let (output, described, fed, counts) = queue(false);
    assert_eq!(output, lines);
    assert!(fed.iter().all(Result::is_ok));
    assert_eq!((described.len(), counts.broken.len()), (2, 2));
    assert!(described[0].contains("b.test") && described[1].contains("c.test"), "{described:?}");
    assert_eq!(counts.of(How::Unchanged(Reason::BrokenModel)), 4);
    let (output, _, fed, _) = queue(true);
    assert!(fed[0].is_err() && output.is_empty());
}

/// No line is written of a block with a model that cannot be loaded, or of later blocks that were begun.
#[test]
fn a_strict_queue_of_a_file_ends_where_a_model_is_broken() {
    let folder = copied_models();
    fs::write(folder.path().join("b.test/model.json"), "{").expect("a file is written");
    let registry = Registry::open(folder.path()).expect("models");
    let file = format!(
        "{}http://b.test/1\n{}",
        "http://t.com/1\n".repeat(100_000),
        "http://t.com/2\n".repeat(200_000)
    );
    let mut output = Vec::new();
    let options = QueueOptions { strict: true, read_ahead: true, ..QueueOptions::default() };
    let mut queue = Queue::new(&registry, &mut output, options);
    assert!(queue.feed(Path::new("-"), file.as_bytes()).is_err());
    queue.finish().expect("no error");
    assert!(output.len() < file.len() / 2 && file.as_bytes().starts_with(&output));
}

/// Models of which one makes its thread panic.
struct Fatal;

impl Models for Fatal {
    fn model(&self, url: &str) -> std::result::Result<Arc<SiteModel>, LookupError> {
        assert!(!url.contains("fatal"), "this model is fatal");
        Err(Reason::NoModel.into())
    }

    fn site<'u>(&self, url: &'u str) -> std::result::Result<Cow<'u, str>, Reason> {
        Ok(url.into())
    }
}

/// A block that is lost takes all behind it along: no line may stand in another's place.
#[test]
fn what_comes_behind_a_panic_is_not_written() {
    let before = "http://t.com/1\n".repeat(100_000);
    let file = format!("{before}http://fatal.test/\n{}", "http://t.com/2\n".repeat(300_000));
    let mut output = Vec::new();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let options = QueueOptions { read_ahead: true, ..QueueOptions::default() };
        let mut queue = Queue::new(&Fatal, &mut output, options);
        queue.feed(Path::new("-"), file.as_bytes())
    }));
    assert!(panicked.is_err());
    assert!(file.as_bytes().starts_with(&output) && output.len() <= before.len());
}
