//! The queue and the rules that it asks.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Weak};

use undust_testing::saved_models;
use undust_util::op_counter;
use undust_util::op_counter::assert_linear;

use crate::folder::source::Source;
use crate::queue::{Queue, QueueOptions};
use crate::registry::tests::copies;
use crate::registry::{LookupError, Models, Registry};
use crate::site_model::SiteModel;
use crate::translation::{How, Reason, Rewriter};
use undust_rules::dustbuster::substitution::Substitution;
use undust_rules::dustbuster::text_substitution::TextSubstitution;
use undust_rules::measured::MeasuredRule;
use undust_rules::rule::Rule;
use undust_rules::set::RuleSet;

/// Gives this number of bytes at a time.
struct Pieces<'p>(&'p [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(buffer.len());
        self.0.read(&mut buffer[..most])
    }
}

#[test]
fn queues_of_long_lines_in_small_pieces() {
    let registry = Registry::open(&saved_models()).expect("models");
    for (line, piece) in [
        ("http://b.test/a/b/c\n", 1),
        ("http://b.test/a/b/c\n", 4096),
        ("\n", 7),
        ("x", 1),
        ("http://b.test/story/7/print", 100),
        ("http://c.test/?a=b&", 100),
    ] {
        assert_linear(2000, &format!("{line:?} in pieces of {piece}"), |count| {
            let mut output = io::sink();
            let options = QueueOptions { unique: true, ..QueueOptions::default() };
            let mut queue = Queue::new(&registry, &mut output, options);
            let text = line.repeat(count);
            queue.feed(Path::new("-"), Pieces(text.as_bytes(), piece)).expect("no error");
            queue.finish().expect("no error")
        });
    }
}

/// The models of a registry, and how many were alive at once when one was asked for.
struct Alive<'r> {
    registry: &'r Registry,
    given: Mutex<Vec<Weak<SiteModel>>>,
    most: AtomicUsize,
}

impl Models for Alive<'_> {
    fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        let model = self.registry.model(url)?;
        let mut given = self.given.lock().expect("a lock");
        given.retain(|known| known.strong_count() > 0);
        if !given.iter().any(|known| known.as_ptr() == Arc::as_ptr(&model)) {
            given.push(Arc::downgrade(&model));
        }
        self.most.fetch_max(given.len(), Relaxed);
        Ok(model)
    }

    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        self.registry.site(url)
    }
}

/// However many sites the lines of a block are of, and though each line waits for its network: in
/// memory are the two or three for which there is room, the one of the last line, and the one that is
/// asked for.
#[test]
fn a_block_of_many_sites_holds_few_models() {
    let folder = copies("a.test", 40);
    let most_bytes = 4 * Source::Folder(folder.path().join("h0.test")).memory_needed();
    let registry = Registry::with_memory(folder.path(), most_bytes).expect("models");
    let alive = Alive { registry: &registry, given: Mutex::default(), most: AtomicUsize::new(0) };
    let lines: String =
        (0..400).map(|n| format!("http://h{}.test/users/{n}x/bob\n", n % 40)).collect();
    let (_, counts) = op_counter::steps_of(|| {
        let mut output = io::sink();
        let mut queue = Queue::new(&alive, &mut output, QueueOptions::default());
        queue.feed(Path::new("-"), lines.as_bytes()).expect("no error");
        queue.finish().expect("no error")
    });
    // The copies know another host alone, which is the network's answer.
    assert_eq!(counts.of(How::Unchanged(Reason::OtherHost)), 400, "{counts}");
    let most = alive.most.into_inner();
    assert!((2..=5).contains(&most), "{most} models at once");
}

/// As many rules as URLs: each URL meets its own alone.
#[test]
fn many_rules() {
    assert_linear(500, "rules of their own words", |count| {
        let rule = |n: usize| {
            let (from, to) = (format!("/print{n}x"), format!("/page{n}x"));
            let text = TextSubstitution { from, to, at_start: false, at_end: true };
            MeasuredRule::unmeasured(Rule::Substitution(Substitution::Text(text)))
        };
        let rules = RuleSet::new((0..count).map(rule).collect());
        for n in 0..count {
            rules.rewrite(&format!("http://a.test/print{n}x"));
        }
    });
}
