//! What models say that they take in memory is what they take: a registry holds as many as may be
//! held by what they say.
//!
//! This is a program of its own, for its allocator counts all that is held: in `tests/undust` it
//! would count what other tests hold meanwhile.

#[path = "undust/support/mod.rs"]
mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use undust::Registry;

/// Sites with a model each.
const SITES: usize = 65;

/// Counts the bytes that were asked for and are held, and the blocks that they are in.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static BLOCKS: AtomicUsize = AtomicUsize::new(0);
/// The most that was ever held.
static HIGHEST: AtomicUsize = AtomicUsize::new(0);

/// What an allocator may take for a block in addition to what was asked for: its size, and what makes that
/// a multiple of what it gives out.
const BESIDE: usize = 32;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        HIGHEST.fetch_max(held, Relaxed);
        BLOCKS.fetch_add(1, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        BLOCKS.fetch_sub(1, Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Trains by every method that this build has. For each its name, and the folder of its models.
fn models_of(crawl: &Path, folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let mut methods = vec!["rewrite", "tree", "dustbuster", "duster", "slots", "auto"];
    if cfg!(feature = "network") {
        methods.push("seq2seq");
    }
    for method in &methods {
        support::undust(folder, "train")
            .arg(crawl)
            .args(["--config", "tiny.toml", "--models", method, "--method", method, "-q"])
            .assert()
            .success();
    }
    methods.into_iter().map(|method| (method, folder.join(method))).collect()
}

/// What is held at a time.
#[derive(Clone, Copy)]
struct Held {
    bytes: usize,
    blocks: usize,
    /// Bytes that a registry says it holds.
    said: usize,
}

impl Held {
    fn by(registry: &Registry) -> Self {
        let (bytes, blocks) = (BYTES.load(Relaxed), BLOCKS.load(Relaxed));
        Self { bytes, blocks, said: registry.in_memory().bytes }
    }

    /// With the models of these URLs.
    fn with(registry: &Registry, urls: impl Iterator<Item = String>) -> Self {
        urls.for_each(|url| drop(registry.model(&url).expect("a model")));
        Self::by(registry)
    }

    /// What came since, for each of `models` models.
    fn since(self, before: Self, models: usize) -> Self {
        Self {
            bytes: (self.bytes - before.bytes) / models,
            blocks: (self.blocks - before.blocks) / models,
            said: (self.said - before.said) / models,
        }
    }

    /// What is said is no less than what is held, and the files that it is reckoned by take no more
    /// than a few times that.
    fn check(self, what: &str) {
        /// Bytes that are said of any model.
        const LEAST: usize = 16_384;
        let Self { bytes, blocks, said } = self;
        println!("{what}: {said} bytes said, {bytes} asked for in {blocks} blocks");
        let held = bytes + BESIDE * blocks;
        assert!((held..=12 * held + LEAST).contains(&said), "{what}: {said} said of {held}");
    }
}

/// Many small sites, where what every model takes counts most; and one large one.
#[test]
fn models_take_what_they_say() {
    let pages = |site: usize, n: usize| {
        let url = format!("http://s{site}.test/list{}/item{n}.html", n % 8);
        let page = |url: String| {
            format!("{{\"url\":\"{url}\",\"status\":200,\"digest\":\"{n}\",\"title\":\"t{n}\"}}\n")
        };
        [url.clone(), format!("{url}?sid={n}"), format!("{url}?from=list")].map(page).concat()
    };
    let crawl: String = (0..SITES).flat_map(|site| (0..40).map(move |n| pages(site, n))).collect();
    let folder = support::folder(&crawl);
    let urls = |sites: Range<usize>| sites.map(|site| format!("http://s{site}.test/"));
    for (method, place) in models_of(Path::new("crawl.jsonl"), folder.path()) {
        let registry = Registry::open(&place).expect("a registry");
        // Of the first model nothing is asked: the registry's own tables come with it.
        let first = Held::with(&registry, urls(0..1));
        Held::with(&registry, urls(0..SITES)).since(first, SITES - 1).check(method);
    }
    let large = support::data("wiki.jsonl.gz");
    for (method, place) in models_of(&large, folder.path()) {
        let registry = Registry::open(&place).expect("a registry");
        let none = Held::by(&registry);
        let urls = ["http://wiki.example.test/".to_owned()];
        HIGHEST.store(none.bytes, Relaxed);
        let one = Held::with(&registry, urls.into_iter()).since(none, 1);
        one.check(&format!("{method} of a large site"));
        let highest = HIGHEST.load(Relaxed) - none.bytes;
        assert!(highest <= one.said, "{method}: {highest} while it is loaded, {} said", one.said);
    }
}
