//! Small files that stand for large ones. However large, what is held and what is given out is bounded by the
//! bytes of the file.
//!
//! This is a program of its own, for its allocator counts all that is held; its tests run one by one.

#![allow(unsafe_code, reason = "an allocator that counts")]

#[cfg(feature = "parquet")]
mod columns;
mod zips;

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use undust_crawl::options::ReadOptions;
use undust_crawl::pipeline::read_all;
use undust_crawl::report::ReadReport;
use undust_util::error::Result;

/// Counts the bytes that are held.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
/// The most that was ever held.
static HIGHEST: AtomicUsize = AtomicUsize::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        HIGHEST.fetch_max(held, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What any file may become, and what reading takes besides.
const ALWAYS: usize = 16 << 20;
const BESIDE: usize = 64 << 20;
/// Bytes that a byte may become.
const MOST_TIMES: usize = 1000;

/// What became of a file.
struct ReadFile {
    report: Result<ReadReport>,
    responses: usize,
    /// Bytes of all URLs and titles.
    given: usize,
}

impl ReadFile {
    /// All that is said of it.
    fn described(&self) -> String {
        match &self.report {
            Ok(report) => format!("{report} {:?}", report.notes),
            Err(error) => error.to_string(),
        }
    }
}

/// Each test holds it from its beginning to its end: what others hold would count.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_BY_ONE: Mutex<()> = Mutex::new(());
    ONE_BY_ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a file, and holds what becomes of it to its bounds.
fn read(name: &str, bytes: &[u8]) -> ReadFile {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("written");
    let (mut responses, mut given) = (0, 0);
    let before = BYTES.load(Relaxed);
    HIGHEST.store(before, Relaxed);
    let report = read_all(&[file.path().to_owned()], &ReadOptions::default(), &mut |response| {
        responses += 1;
        given += response.url.len() + response.title.map_or(0, |title| title.len());
        Ok(())
    });
    let held = HIGHEST.load(Relaxed).saturating_sub(before);
    let read = ReadFile { report, responses, given };
    let most = ALWAYS + MOST_TIMES * bytes.len();
    println!(
        "{name}: {} bytes, {} responses of {}, {held} held: {}",
        bytes.len(),
        read.responses,
        read.given,
        read.described()
    );
    assert!(read.given <= most, "{name}: {} given", read.given);
    assert!(held <= most + BESIDE, "{name}: {held} held, of {} bytes", bytes.len());
    read
}

/// The same, of a file that becomes too much or contradicts itself.
fn refused(name: &str, bytes: &[u8], sentence: &str) {
    let described = read(name, bytes).described();
    assert!(described.contains(sentence), "{name}: {described}");
}
