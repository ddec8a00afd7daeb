//! Packs in storage: what is read of them, and what becomes of those that fail.

use std::fs;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use undust_testing::copied_models;
use undust_url::site::SiteBy;

use super::super::*;
use super::{SITES, URLS, saved_pack, until};
use crate::registry::Registry;
use crate::translation::{Canonicalizer, How, Reason};

const NAME: &str = "store://bucket/models.undust";
/// Of a name that no pack has.
const NONE: &str = "http://one.nowhere.test/1";
const NEVER: Duration = Duration::from_secs(3600);

/// An object in storage that counts what is asked of it.
struct Storage {
    object: Mutex<Object>,
    /// Ranges that were read.
    reads: AtomicUsize,
    /// Those that are being read, and most of them at once.
    now: AtomicUsize,
    most: AtomicUsize,
    changed: Condvar,
}

#[derive(Clone, Default)]
struct Object {
    bytes: Arc<[u8]>,
    version: u64,
    /// Whether the reader distinguishes objects.
    is_versioned: bool,
    fault: Option<ErrorKind>,
    late: Duration,
    /// Whether the header is never answered.
    is_stuck: bool,
}

/// The object as a reader opened it.
struct Opened {
    storage: Arc<Storage>,
    version: u64,
}

impl Storage {
    fn of(bytes: Vec<u8>) -> Arc<Self> {
        let object = Object { bytes: bytes.into(), is_versioned: true, ..Object::default() };
        Arc::new(Self {
            object: Mutex::new(object),
            reads: AtomicUsize::new(0),
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            changed: Condvar::new(),
        })
    }

    fn saved() -> Arc<Self> {
        let (_held, path) = saved_pack();
        Self::of(fs::read(path).expect("a pack"))
    }

    fn change(&self, change: impl FnOnce(&mut Object)) {
        change(&mut self.object.lock().expect("an object"));
        self.changed.notify_all();
    }

    fn put(&self, bytes: Vec<u8>) {
        self.change(|object| {
            object.bytes = bytes.into();
            object.version += 1;
        });
    }

    fn fail(&self, fault: Option<ErrorKind>) {
        self.change(|object| object.fault = fault);
    }

    fn opened(self: &Arc<Self>) -> io::Result<Arc<dyn ReadAt>> {
        let object = self.object.lock().expect("an object").clone();
        match object.fault {
            Some(kind) => Err(kind.into()),
            None => Ok(Arc::new(Opened { storage: Arc::clone(self), version: object.version })),
        }
    }

    fn registry(self: &Arc<Self>, refresh: Duration) -> undust_util::error::Result<Registry> {
        let storage = Arc::clone(self);
        Registry::open_stored(NAME, move || storage.opened(), refresh)
    }

    /// The ranges that were read meanwhile.
    fn reads_of(&self, work: impl FnOnce()) -> usize {
        let before = self.reads.load(Ordering::Relaxed);
        work();
        self.reads.load(Ordering::Relaxed) - before
    }

    fn read(&self, buffer: &mut [u8], at: u64, version: u64) -> io::Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let object = self.object.lock().expect("an object");
        let object = self.changed.wait_while(object, |object| object.is_stuck && at == 0);
        let object = object.expect("an object").clone();
        thread::sleep(object.late);
        if let Some(kind) = object.fault {
            return Err(kind.into());
        }
        if object.is_versioned && object.version != version {
            return Err(ErrorKind::StaleNetworkFileHandle.into());
        }
        let bytes = object.bytes.get(at as usize..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl ReadAt for Opened {
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let now = self.storage.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.storage.most.fetch_max(now, Ordering::SeqCst);
        let read = self.storage.read(buffer, at, self.version);
        self.storage.now.fetch_sub(1, Ordering::SeqCst);
        read
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.storage.object.lock().expect("an object").bytes.len() as u64)
    }

    fn version(&self) -> String {
        let object = self.storage.object.lock().expect("an object");
        if object.is_versioned { self.version.to_string() } else { String::new() }
    }
}

/// A pack of models of these sites, which make `http://SITE/story/7` of `http://SITE/story/7/print`, as `b.test` does.
fn pack_of(sites: &[String]) -> Vec<u8> {
    let (folder, models) = (tempfile::tempdir().expect("a folder"), copied_models());
    let path = folder.path().join("pack");
    let mut writer = PackWriter::create(&path).expect("a pack");
    add_sites(&mut writer, models.path(), sites);
    writer.finish().expect("a pack");
    fs::read(path).expect("a pack")
}

fn add_sites(writer: &mut PackWriter, models: &std::path::Path, sites: &[String]) {
    for site in sites {
        let from = models.join("b.test");
        let file = |name: &str| fs::read(from.join(name)).expect("a file");
        let own = |name: &str| {
            let text = String::from_utf8(file(name)).expect("text");
            text.replace("b.test", site).into_bytes()
        };
        let files = [
            ("model.json", own("model.json")),
            ("conventions.json", file("conventions.json")),
            ("rules.json", own("rules.json")),
        ];
        writer.add(site, Some(SiteBy::Host), &files).expect("a model");
    }
}

fn sites(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("h{number}.test")).collect()
}

fn print_of(site: &str) -> (String, String) {
    (format!("http://{site}/story/7/print"), format!("http://{site}/story/7"))
}

/// The sentence of what is wrong with the model for a URL.
fn wrong(registry: &Registry, url: &str) -> String {
    let broken = registry.model(url).map(drop).expect_err("a broken model");
    assert_eq!(broken.reason, Reason::BrokenModel);
    let sentence = broken.error.expect("an error").to_string();
    assert!(sentence.contains(NAME) && !sentence.contains('\n'), "{sentence}");
    sentence
}

#[test]
fn a_small_model_takes_two_ranges_and_what_is_known_takes_none() {
    let storage = Storage::saved();
    let mut registry = None;
    let opening = storage.reads_of(|| registry = storage.registry(NEVER).ok());
    let registry = registry.expect("a pack");
    assert_eq!(opening, 1, "the header");
    // The first has a network of 15 KiB: its files are longer than what is read with the directory.
    for (url, expected) in URLS.into_iter().zip([3, 2, 2]) {
        assert!(registry.model_at_once(url).is_none(), "{url} waits for storage");
        let asked = |url: &str| storage.reads_of(|| drop(registry.model(url).expect("a model")));
        assert_eq!(asked(url), expected, "a bucket, and the directory with the files");
        assert_eq!(asked(&format!("{url}/other")), 0);
        assert!(registry.model_at_once(url).is_some());
    }
    let asked = || storage.reads_of(|| assert_eq!(registry.canonical(NONE), NONE));
    assert_eq!(asked(), 2, "a bucket for the host and one for the domain");
    assert_eq!(asked(), 0);
    // Not after the time either in which a file would be looked at again.
    thread::sleep(Duration::from_millis(600));
    assert_eq!(asked(), 0);
    assert_eq!(storage.reads_of(|| drop(registry.explain(URLS[1]))), 0);
}

#[test]
fn what_is_read_from_storage_answers_as_a_folder_does() {
    let models = copied_models();
    let folder = Registry::open(models.path()).expect("models");
    let registry = Storage::saved().registry(NEVER).expect("a pack");
    for url in URLS.into_iter().chain([NONE, "no URL"]) {
        let described = |registry: &Registry| {
            serde_json::to_string(&registry.explain(url)).expect("an explanation")
        };
        assert_eq!(described(&registry), described(&folder), "{url}");
    }
    let mut found: Vec<String> =
        registry.sites().expect("sites").map(|site| site.expect("a site")).collect();
    found.sort_unstable();
    assert_eq!(found, SITES);
    registry.check().expect("all models load");
    let refused = registry.check_writable().expect_err("a refusal").to_string();
    assert_eq!(
        refused,
        format!("model {NAME}: is a pack of models, into which nothing is written")
    );
}

/// Only the thread that looks waits.
#[test]
fn a_new_generation_is_served_and_nobody_waits_for_it() {
    let (_held, path) = saved_pack();
    let storage = Storage::of(fs::read(&path).expect("a pack"));
    let refresh = Duration::from_millis(100);
    let registry = storage.registry(refresh).expect("a pack");
    let first = registry.model(URLS[1]).expect("a model");
    let (new, form) = print_of("new.test");
    assert_eq!(registry.canonical(&new), new);
    let mut writer = PackWriter::append(&path).expect("a pack");
    add_sites(&mut writer, copied_models().path(), &["new.test".to_owned()]);
    writer.finish().expect("a pack");
    storage.change(|object| object.is_stuck = true);
    storage.put(fs::read(&path).expect("a pack"));
    thread::sleep(2 * refresh);
    thread::scope(|scope| {
        let looks = scope.spawn(|| registry.canonical(&new));
        let is_looking = || storage.now.load(Ordering::SeqCst) > 0;
        until(is_looking);
        assert!(Arc::ptr_eq(&first, &registry.model(URLS[1]).expect("a model")));
        assert!(is_looking() && !looks.is_finished());
        storage.change(|object| object.is_stuck = false);
        assert_eq!(looks.join().expect("a thread"), form);
    });
    // What is the same is not loaded again.
    let seen = registry.model(URLS[1]).expect("a model");
    assert!(Arc::ptr_eq(&first, &seen));
}

/// A pack that replaces another is not mistaken for it, whether the reader can distinguish them or
/// not.
#[test]
fn a_swap_is_noticed_by_what_cannot_be_read() {
    for is_versioned in [true, false] {
        let storage = Storage::of(pack_of(&sites(300)));
        storage.change(|object| object.is_versioned = is_versioned);
        let registry = storage.registry(NEVER).expect("a pack");
        let (url, form) = print_of("h7.test");
        assert_eq!(registry.canonical(&url), form);
        storage.put(pack_of(&sites(700)[200..]));
        for number in [250, 299, 300, 650] {
            let (url, form) = print_of(&format!("h{number}.test"));
            assert_eq!(registry.canonical(&url), form, "{is_versioned}");
        }
        // What is no longer there is known to be so, too.
        assert_eq!(registry.canonicalize(&url).how, How::Unchanged(Reason::NoModel));
    }
}

/// Of models of the same lengths packs have the same header.
#[test]
fn another_pack_of_the_same_header_is_another_pack() {
    let (one, other) = (pack_of(&["a1.test".to_owned()]), pack_of(&["a2.test".to_owned()]));
    assert_eq!(one[..192], other[..192]);
    let storage = Storage::of(one);
    let refresh = Duration::from_millis(50);
    let registry = storage.registry(refresh).expect("a pack");
    let ((first, form), (second, _)) = (print_of("a1.test"), print_of("a2.test"));
    assert_eq!(registry.canonical(&first), form);
    assert_eq!(registry.canonical(&second), second);
    storage.put(other);
    until(|| registry.canonical(&second) == print_of("a2.test").1);
    assert_eq!(registry.canonical(&first), first);
}

#[test]
fn while_storage_fails_what_is_in_memory_is_served_and_the_rest_is_an_error() {
    let names = sites(400);
    let storage = Storage::of(pack_of(&names));
    let refresh = Duration::from_millis(50);
    let registry = storage.registry(refresh).expect("a pack");
    let (known, form) = print_of("h0.test");
    assert_eq!(registry.canonical(&known), form);
    storage.fail(Some(ErrorKind::TimedOut));
    let begun = Instant::now();
    let asked = storage.reads_of(|| {
        for name in &names[1..] {
            let said = wrong(&registry, &print_of(name).0);
            assert_eq!(said, format!("cannot read {NAME}: timed out"));
        }
    });
    // One time-out, and not one for each of them; or none, where the look for a new pack had it.
    let most = 2 + begun.elapsed().as_millis() as usize / 250;
    assert!(asked <= most, "{asked}");
    assert_eq!(registry.canonical(&known), form);
    let refused = storage.registry(refresh).map(drop).expect_err("a refusal").to_string();
    assert_eq!(refused, format!("cannot read {NAME}: timed out"));
    storage.fail(None);
    let (url, form) = print_of("h1.test");
    until(|| registry.canonical(&url) == form);
}

/// A refusal of the storage lasts as long as it took to come.
#[test]
fn late_storage_is_left_alone_for_as_long_as_it_was_late() {
    let storage = Storage::of(pack_of(&sites(40)));
    let registry = storage.registry(NEVER).expect("a pack");
    storage.change(|object| {
        object.fault = Some(ErrorKind::TimedOut);
        object.late = Duration::from_millis(1500);
    });
    wrong(&registry, &print_of("h1.test").0);
    thread::sleep(Duration::from_millis(800));
    let asked = storage.reads_of(|| drop(wrong(&registry, &print_of("h2.test").0)));
    assert_eq!(asked, 0);
}

#[test]
fn many_models_are_waited_for_at_once() {
    let names = sites(32);
    let storage = Storage::of(pack_of(&names));
    storage.change(|object| object.late = Duration::from_millis(20));
    let registry = storage.registry(NEVER).expect("a pack");
    let urls: Vec<String> = names.iter().map(|name| print_of(name).0).collect();
    let asked = storage.reads_of(|| registry.prepare(&mut urls.iter().map(String::as_str)));
    assert_eq!(asked, 2 * names.len());
    let most = storage.most.load(Ordering::SeqCst);
    assert!(most > 4, "{most}");
    let none = storage.reads_of(|| {
        for url in &urls {
            assert_eq!(registry.canonical(url), url.trim_end_matches("/print"));
        }
    });
    assert_eq!(none, 0);
}

#[test]
fn a_pack_that_ends_early_is_refused_and_the_one_before_is_served() {
    let whole = pack_of(&sites(3));
    for length in (0..whole.len()).filter(|length| *length < 400 || length % 997 == 0) {
        let refused = Storage::of(whole[..length].to_vec()).registry(NEVER).map(drop);
        let said = refused.expect_err("a refusal").to_string();
        let expected = if length < 8 { "is no pack of models" } else { "ends at byte" };
        assert!(said.contains(expected) && said.contains(NAME), "{length}: {said}");
    }
    let storage = Storage::of(whole.clone());
    let refresh = Duration::from_millis(50);
    let registry = storage.registry(refresh).expect("a pack");
    let (known, form) = print_of("h0.test");
    assert_eq!(registry.canonical(&known), form);
    storage.change(|object| object.bytes = whole[..300].into());
    thread::sleep(2 * refresh);
    assert_eq!(registry.canonical(&known), form);
    assert!(wrong(&registry, &print_of("h1.test").0).contains("ends at byte 300 of"));
    storage.put(whole);
    let (url, form) = print_of("h1.test");
    until(|| registry.canonical(&url) == form);
}

#[test]
fn an_empty_pack_and_an_absent_one_are_refused() {
    let said = Storage::of(pack_of(&[])).registry(NEVER).map(drop).expect_err("a refusal");
    assert_eq!(said.to_string(), format!("model {NAME}: has no model"));
    let storage = Storage::of(Vec::new());
    storage.fail(Some(ErrorKind::NotFound));
    let said = storage.registry(NEVER).map(drop).expect_err("a refusal").to_string();
    assert_eq!(said, format!("cannot read {NAME}: entity not found"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever is read ahead, and whatever bit the storage changes: a file is what it was, or an error.
    #[test]
    fn a_changed_bit_is_an_error_and_never_other_data(bit in any::<prop::sample::Index>(), read_ahead in 0..9000_usize) {
        let (_held, path) = saved_pack();
        let whole = Arc::new(Pack::open(&path).expect("a pack"));
        let mut bytes = fs::read(&path).expect("a pack");
        let bit = bit.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let source = Storage::of(bytes).opened().expect("an object");
        let Ok(changed) = Pack::over(NAME.as_ref(), source, read_ahead) else { return Ok(()) };
        let changed = Arc::new(changed);
        for site in SITES {
            let Ok(found) = changed.find(site) else { continue };
            let (found, expected) = (found.expect("a model"), whole.find(site).expect("a look-up").expect("a model"));
            for (name, _) in expected.files() {
                if let Ok(read) = found.read(name) {
                    prop_assert_eq!(read, expected.read(name).expect("a file"));
                }
            }
        }
    }
}
