use std::fs;
use std::time::{Duration, Instant};

use undust_testing::{copied_models, copy_folder, saved_models};

use super::*;
use crate::folder::names::{MODEL, RULES};
use crate::translation::How;

/// A folder in which this number of sites have the model of one of these sites.
pub(crate) fn copies(site: &str, count: usize) -> tempfile::TempDir {
    let from = saved_models().join(site);
    let json = fs::read_to_string(from.join(MODEL)).expect("a model");
    let folder = tempfile::tempdir().expect("a folder");
    for n in 0..count {
        let to = folder.path().join(format!("h{n}.test"));
        copy_folder(&from, &to);
        let named = format!("\"site\": \"h{n}.test\"");
        let named = json.replace(&format!("\"site\": \"{site}\""), &named);
        assert_ne!(named, json);
        fs::write(to.join(MODEL), named).expect("another site's");
    }
    folder
}

fn until(is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed().as_secs_f64() < 1.5, "not seen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A network and a set of rules, saved by another build, are served by any.
#[test]
fn every_saved_model_is_served_whatever_the_features() {
    let models = saved_models();
    let registry = Registry::open(&models).expect("models");
    let network = registry.canonicalize("http://a.test/users/9x/bob");
    assert_eq!((&*network.canonical, network.how), ("http://a.test/users/9x", How::Network));
    let rules = registry.canonicalize("http://b.test/story/7/print");
    assert_eq!((&*rules.canonical, rules.how), ("http://b.test/story/7", How::Rules));
}

/// The old one stays until the folder is whole again.
#[test]
fn a_broken_model_does_not_take_the_place_of_a_whole_one() {
    let models = copied_models();
    let registry = Registry::open(models.path()).expect("models");
    let (url, form) = ("http://b.test/story/7/print", "http://b.test/story/7");
    assert_eq!(registry.canonical(url), form);
    let bytes = registry.bytes_in_memory();
    for file in [RULES, MODEL, RULES] {
        let path = models.path().join("b.test").join(file);
        let whole = fs::read(&path).expect("a file");
        fs::write(&path, "no JSON").expect("a file is written");
        until(|| {
            assert_eq!(registry.canonical(url), form);
            registry.in_memory().broken.iter().any(|broken| broken.is_replaced)
        });
        assert_eq!(registry.in_memory().models, 1);
        fs::write(&path, whole).expect("a file is written");
        until(|| {
            assert_eq!(registry.canonical(url), form);
            registry.in_memory().broken.is_empty()
        });
        assert_eq!(registry.bytes_in_memory(), bytes);
    }
}

#[test]
fn a_model_that_was_never_whole_is_an_error() {
    let models = copied_models();
    fs::write(models.path().join("b.test").join(MODEL), "no JSON").expect("a file is written");
    let registry = Registry::open(models.path()).expect("models");
    let lookup_error = registry.model("http://b.test/").expect_err("a broken model");
    assert_eq!(lookup_error.reason, Reason::BrokenModel);
    assert!(registry.check().is_err());
    let [broken] = &registry.in_memory().broken[..] else { panic!("one is broken") };
    assert!(!broken.is_replaced && &*broken.site == "b.test");
}

/// What cannot be answered at once is left to those who can wait, and then is known.
#[test]
fn a_thread_that_cannot_wait_is_not_held_up() {
    let models = copied_models();
    let registry = Registry::open(models.path()).expect("models");
    for url in ["http://a.test/users/9x/bob", "http://b.test/story/7/print", "http://c.test/"] {
        assert!(registry.model_at_once(url).is_none(), "{url} waits for a file");
        let waited = registry.canonicalize(url).canonical;
        let model = registry.model_at_once(url).expect("no wait").expect("a model");
        assert_eq!(model.canonicalize_known(url).expect("an answer").canonical, waited);
    }
    let new = "http://a.test/x/y/z?unheard=of";
    let model = registry.model_at_once(new).expect("no wait").expect("a model");
    assert!(model.canonicalize_known(new).is_none());
    for (odd, reason) in [("http://d.test/", Reason::NoModel), ("", Reason::NoUrl)] {
        let lookup_error = registry.model_at_once(odd).expect("no wait").expect_err("no model");
        assert_eq!(lookup_error.reason, reason);
    }
}

/// What is answered together is answered by one model, whatever happens to its folder meanwhile.
#[test]
fn a_pinned_model_stays_while_the_registry_goes_on() {
    let models = copied_models();
    let registry = Registry::open(models.path()).expect("models");
    let (url, form) = ("http://b.test/story/7/print", "http://b.test/story/7");
    let pinned = Pinned::new(&registry);
    let asked =
        |pinned: &Pinned<'_>| pinned.model(url).expect("a model").canonical(url).into_owned();
    assert_eq!(asked(&pinned), form);
    let none = r#"{"method":"tree","rules":[]}"#;
    fs::write(models.path().join("b.test").join(RULES), none).expect("a file is written");
    until(|| registry.canonical(url) == url);
    assert_eq!(asked(&pinned), form);
    assert_eq!(asked(&Pinned::new(&registry)), url);
}

/// A queue that goes from site to site loads each model once: what models could remember takes no
/// room until they do.
#[test]
fn models_of_many_sites_are_loaded_once() {
    let folder = copies("c.test", 200);
    let registry = Registry::open(folder.path()).expect("models");
    let ask = |n: usize| registry.model(&format!("http://h{n}.test/")).expect("a model");
    let first: Vec<_> = (0..200).map(ask).collect();
    for _ in 0..3 {
        for (n, first) in first.iter().enumerate() {
            assert!(Arc::ptr_eq(first, &ask(n)), "h{n}.test was loaded again");
        }
    }
    assert!(registry.bytes_in_memory() < 200 * 65_536, "{}", registry.bytes_in_memory());
}

/// A URL of a site for each number, all of other shapes.
fn shaped(site: usize, number: usize) -> String {
    let piece = |bit: usize| if number >> bit & 1 == 0 { "/a" } else { "/1" };
    format!("http://h{site}.test{}", (0..12).map(piece).collect::<String>())
}

/// What models remember has its own part of memory, and takes none of theirs.
#[test]
fn what_models_remember_takes_its_share_of_memory() {
    const SITES: usize = 4;
    let (folder, most) = (copies("c.test", SITES), 1 << 20);
    let registry = Registry::with_memory(folder.path(), most).expect("models");
    let models: Vec<_> = (0..SITES).map(|site| ask(&registry, site)).collect();
    let before = registry.bytes_in_memory();
    let mut highest = 0;
    for number in 0..4096 {
        for site in 0..SITES {
            let url = shaped(site, number);
            assert_eq!(registry.canonicalize(&url).canonical, url);
        }
        highest = highest.max(registry.bytes_in_memory() - before);
    }
    assert!((most / 10..=most / 4).contains(&highest), "{highest}");
    for (site, model) in models.iter().enumerate() {
        assert!(Arc::ptr_eq(model, &ask(&registry, site)), "h{site}.test was dropped");
    }
    drop((models, registry));
}

fn ask(registry: &Registry, site: usize) -> Arc<SiteModel> {
    registry.model(&format!("http://h{site}.test/")).expect("a model")
}

/// Bytes of a registry that holds this number of models of `c.test`, and one more for the hot part.
fn room_for(models: usize, folder: &Path) -> usize {
    (models + 1) * Source::Folder(folder.join("h0.test")).memory_needed() * 4 / 3
}

/// However many sites there are and whoever asks, there is never more in memory than there may be,
/// and those that were asked for lately stay.
#[test]
fn models_are_dropped_where_they_take_too_much() {
    let folder = copies("c.test", 30);
    let most = room_for(12, folder.path());
    let registry = Registry::with_memory(folder.path(), most).expect("models");
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let registry = &registry;
            scope.spawn(move || {
                for n in 0..200 {
                    drop(ask(registry, (n * 7 + thread) % 30));
                    assert!(registry.bytes_in_memory() <= most);
                }
            });
        }
    });
    assert!((11..=13).contains(&registry.in_memory().models), "{:?}", registry.in_memory());
    let first = Arc::downgrade(&ask(&registry, 0));
    (1..30).for_each(|site| drop(ask(&registry, site)));
    assert!(first.upgrade().is_none() || registry.in_memory().models <= 13);
    let last = ask(&registry, 29);
    assert!(Arc::ptr_eq(&last, &ask(&registry, 29)), "it was dropped at once");
}

/// A model that takes more than there may be is loaded once all the same, and goes for the next.
#[test]
fn one_model_alone_is_always_held() {
    let folder = copies("c.test", 2);
    let registry = Registry::with_memory(folder.path(), 4).expect("models");
    let first = ask(&registry, 0);
    assert!(Arc::ptr_eq(&first, &ask(&registry, 0)));
    ask(&registry, 1);
    assert_eq!(registry.in_memory().models, 1);
}

/// A model that is asked for by many threads at once is loaded by one of them.
#[test]
fn threads_wait_for_the_one_that_loads() {
    let folder = copies("c.test", 1);
    let registry = Registry::open(folder.path()).expect("models");
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| ask(&registry, 0))).collect();
        let models: Vec<_> =
            asked.into_iter().map(|thread| thread.join().expect("a model")).collect();
        assert!(models.iter().all(|model| Arc::ptr_eq(model, &models[0])));
    });
}

/// A folder that may not be read may hold a model; here its file leads nowhere, for a test may be root.
#[cfg(unix)]
#[test]
fn a_model_out_of_reach_is_broken_and_not_absent() {
    let models = copied_models();
    let model = models.path().join("b.test").join(MODEL);
    fs::remove_file(&model).expect("a model");
    std::os::unix::fs::symlink(&model, &model).expect("a link");
    let registry = Registry::open(models.path()).expect("models");
    let lookup_error = registry.model("http://b.test/a").map(drop).expect_err("a broken model");
    assert_eq!(lookup_error.reason, Reason::BrokenModel);
    assert!(lookup_error.error.is_some_and(|error| error.to_string().contains("b.test")));
    assert!(registry.check().is_err());
    assert!(registry.sites().expect("sites").any(|site| site.expect("a site") == "b.test"));
    fs::remove_file(&model).expect("a link");
    let registry = Registry::open(models.path()).expect("models");
    let lookup_error = registry.model("http://b.test/a").map(drop).expect_err("no model");
    assert_eq!(lookup_error.reason, Reason::NoModel);
}
