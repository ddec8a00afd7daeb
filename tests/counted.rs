//! What models say that they take in memory is what they take: a registry holds as many as may be
//! held by what they say.

#[path = "undust/support/mod.rs"]
mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use undust::Registry;

/// Sites with a model each.
const SITES: usize = 65;

/// Counts the bytes that are held, in the steps in which they are given out.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

fn given(layout: Layout) -> usize {
    (layout.size() + 8).next_multiple_of(16).max(32)
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(given(layout), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(given(layout), Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Trains by every method that this build has. For each its name, and the folder of its models.
fn models_of(crawl: &Path, folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let mut methods = vec!["rewrite", "tree", "dustbuster", "duster", "slots", "auto"];
    if cfg!(feature = "network") {
        methods.extend(["seq2seq", "tagger"]);
    }
    for method in &methods {
        assert_cmd::cargo::cargo_bin_cmd!("undust")
            .current_dir(folder)
            .arg("train")
            .arg(crawl)
            .args(["--config", "tiny.toml", "--models", method, "--method", method, "-q"])
            .assert()
            .success();
    }
    methods.into_iter().map(|method| (method, folder.join(method))).collect()
}

/// Bytes that are held, and those that a registry says it holds, with the models of these URLs.
fn with(registry: &Registry, urls: impl Iterator<Item = String>) -> (usize, usize) {
    urls.for_each(|url| drop(registry.model(&url).expect("a model")));
    (HELD.load(Relaxed), registry.bytes_in_memory())
}

fn assert_alike(what: &str, said: usize, held: usize) {
    println!("{what}: {said} said, {held} held");
    assert!(
        (held * 19 / 20..2 * held).contains(&said),
        "{what}: {said} bytes are said, {held} held"
    );
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
    let more = "[tagger]\nmax_steps = 5\n[gate]\ntagger = false\n";
    support::write(folder.path(), "tiny.toml", [support::SETTINGS, more].concat());
    let urls = |sites: Range<usize>| sites.map(|site| format!("http://s{site}.test/"));
    for (method, place) in models_of(Path::new("crawl.jsonl"), folder.path()) {
        let registry = Registry::open(&place).expect("a registry");
        // Of the first model nothing is asked: the registry's own tables come with it.
        let (first, all) = (with(&registry, urls(0..1)), with(&registry, urls(0..SITES)));
        let of_one = |first: usize, all: usize| (all - first) / (SITES - 1);
        assert_alike(method, of_one(first.1, all.1), of_one(first.0, all.0));
    }
    let large = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wiki.jsonl.gz");
    for (method, place) in models_of(&large, folder.path()) {
        let registry = Registry::open(&place).expect("a registry");
        let (none, one) = (
            HELD.load(Relaxed),
            with(&registry, ["http://wiki.example.test/".to_owned()].into_iter()),
        );
        assert_alike(&format!("{method} of a large site"), one.1, one.0 - none);
    }
}
