use std::fs;
use std::time::{Duration, Instant};

use undust_testing::{copied_models, copy_folder, in_repository, saved_models};

use super::loaded::BROKEN_BYTES;
use super::*;
use crate::cache::LEAST_BYTES;
use crate::folder::files::{RULES, bytes_to_load};
use crate::folder::info::MODEL;
use crate::translation::How;

/// A folder with the model of one of these sites as that of so many.
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
        assert_eq!(registry.bytes_in_memory(), bytes + BROKEN_BYTES);
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
    let absence = registry.model("http://b.test/").expect_err("a broken model");
    assert_eq!(absence.reason, Reason::BrokenModel);
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
        let absence = registry.model_at_once(odd).expect("no wait").expect_err("no model");
        assert_eq!(absence.reason, reason);
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
    // Both are in memory, and both are counted.
    let both = registry.bytes_in_memory();
    drop(pinned);
    let one = registry.model(url).expect("a model").bytes();
    assert_eq!(registry.bytes_in_memory(), one);
    assert!(both > one, "{both}");
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
    assert!(registry.bytes_in_memory() < 200 * 32_768, "{}", registry.bytes_in_memory());
}

/// A URL of a site for each number, all of other shapes.
fn shaped(site: usize, number: usize) -> String {
    let piece = |bit: usize| if number >> bit & 1 == 0 { "/a" } else { "/1" };
    format!("http://h{site}.test{}", (0..12).map(piece).collect::<String>())
}

/// What models remember counts, and goes before any of them.
#[test]
fn what_models_remember_takes_its_share_of_memory() {
    const SITES: usize = 4;
    let (folder, most) = (copies("c.test", SITES), 1 << 20);
    let registry = Registry::with_memory(folder.path(), most).expect("models");
    let ask = |n: usize| registry.model(&format!("http://h{n}.test/")).expect("a model");
    let models: Vec<_> = (0..SITES).map(ask).collect();
    let before = registry.bytes_in_memory();
    let mut highest = 0;
    for number in 0..4096 {
        for site in 0..SITES {
            let url = shaped(site, number);
            assert_eq!(registry.canonicalize(&url).canonical, url);
        }
        highest = highest.max(registry.bytes_in_memory());
    }
    assert!(highest > most * 3 / 4, "{highest}");
    assert!(highest < most + SITES * LEAST_BYTES, "{highest}");
    let remembered = |model: &Arc<SiteModel>| {
        let before = registry.bytes_in_memory();
        model.forget();
        before - registry.bytes_in_memory()
    };
    assert!(models.iter().map(remembered).sum::<usize>() > LEAST_BYTES);
    assert_eq!(registry.bytes_in_memory(), before);
    assert!((0..SITES).all(|n| Arc::ptr_eq(&models[n], &ask(n))), "one was dropped");
}

/// As soon as one is looked up again, models that took too much have room.
#[test]
fn models_forget_where_they_remember_too_much() {
    let (folder, most) = (copies("c.test", 2), 1 << 18);
    let registry = Registry::with_memory(folder.path(), most).expect("models");
    let [first, second] =
        [0, 1].map(|n| registry.model(&format!("http://h{n}.test/")).expect("a model"));
    for number in 0..4096 {
        first.canonicalize(&shaped(0, number));
        second.canonicalize(&shaped(1, number));
        if registry.bytes_in_memory() > most {
            break;
        }
    }
    assert!(registry.bytes_in_memory() > most);
    registry.front.clear();
    let again = registry.model("http://h0.test/").expect("a model");
    assert!(Arc::ptr_eq(&first, &again) && registry.bytes_in_memory() < most / 4);
    assert_eq!(registry.in_memory().models, 2);
}

/// A folder of so many sites, a registry with room for twelve models while one more is loaded, and
/// what is kept free for that one.
fn room_for_twelve(count: usize) -> (tempfile::TempDir, Registry, usize) {
    let folder = copies("c.test", count);
    let to_load = bytes_to_load(&folder.path().join("h0.test"));
    let alone = Registry::open(folder.path()).expect("models");
    let one = alone.model("http://h0.test/").expect("a model").bytes();
    let registry = Registry::with_memory(folder.path(), 12 * one + to_load).expect("models");
    (folder, registry, to_load)
}

fn ask(registry: &Registry, site: usize) -> Arc<SiteModel> {
    registry.model(&format!("http://h{site}.test/")).expect("a model")
}

/// What is in memory and what comes, those in use included, is never more than there may be.
#[test]
fn a_model_is_loaded_where_there_is_room() {
    let (_folder, registry, to_load) = room_for_twelve(30);
    for site in (0..30).chain(0..30) {
        ask(&registry, site);
    }
    assert!(registry.in_memory().models >= 12);
    // What is in use counts up to half of all room.
    let in_use: Vec<_> = (0..6).map(|site| ask(&registry, site)).collect();
    for site in 6..30 {
        ask(&registry, site);
    }
    assert_eq!(in_use.len(), 6);
    let Loaded { highest, most_bytes, reserved, .. } = *registry.lock();
    assert!(highest <= most_bytes, "{highest} of {most_bytes}");
    assert!(highest > most_bytes - to_load, "{highest} of {most_bytes}");
    assert_eq!(reserved, 0);
}

/// Threads that load at the same time know of one another.
#[test]
fn loads_at_the_same_time_share_the_room() {
    let (_folder, registry, to_load) = room_for_twelve(30);
    let other = registry.reserve("h1.test");
    (0..30).for_each(|site| drop(ask(&registry, site)));
    let most = registry.lock().most_bytes - to_load;
    assert!(registry.bytes_in_memory() <= most);
    drop(other);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let registry = &registry;
            scope.spawn(move || (0..200).for_each(|n| drop(ask(registry, (n * 7 + thread) % 30))));
        }
    });
    // Seven other threads may have one in their hands that was dropped.
    let in_hands = 7 * ask(&registry, 0).bytes();
    let Loaded { highest, most_bytes, reserved, .. } = *registry.lock();
    assert!(highest <= most_bytes + in_hands, "{highest} of {most_bytes}");
    assert_eq!(reserved, 0);
}

/// Where there is room for one load, the next one begins when it ends.
#[test]
fn a_load_waits_for_room() {
    let folder = copies("c.test", 2);
    let most = bytes_to_load(&folder.path().join("h0.test"));
    let registry = Registry::with_memory(folder.path(), most).expect("models");
    let first = registry.reserve("h0.test");
    std::thread::scope(|scope| {
        let second = scope.spawn(|| ask(&registry, 1));
        std::thread::sleep(Duration::from_millis(100));
        assert!(!second.is_finished() && registry.bytes_in_memory() == 0);
        drop(first);
        assert_eq!(second.join().expect("a model").bytes(), registry.bytes_in_memory());
    });
    let tiny = Registry::with_memory(folder.path(), 1).expect("models");
    assert_eq!(ask(&tiny, 0).bytes(), ask(&tiny, 1).bytes(), "one alone does not wait");
}

/// Who has one that was dropped has the one that others get.
#[test]
fn no_model_is_twice_in_memory() {
    let (_folder, registry, _) = room_for_twelve(30);
    let request = Pinned::new(&registry);
    for _ in 0..2 {
        for site in 0..30 {
            let url = format!("http://h{site}.test/");
            let held = request.model(&url).expect("a model");
            assert!(Arc::ptr_eq(&held, &registry.model(&url).expect("a model")));
        }
    }
    let (one, all) = (ask(&registry, 0).bytes(), registry.bytes_in_memory());
    assert_eq!(all, 30 * one, "of all that are in memory");
    drop(request);
    registry.front.clear();
    assert!(registry.bytes_in_memory() <= registry.lock().most_bytes);
    let seventh = Arc::downgrade(&ask(&registry, 7));
    (8..30).for_each(|site| drop(ask(&registry, site)));
    assert!(seventh.upgrade().is_none(), "nobody has it");
}

/// What is kept free for models is at least what they say of themselves, and not for ever more.
#[test]
fn what_loading_takes_is_foreseen() {
    for models in [saved_models(), in_repository("models")] {
        let registry = Registry::open(&models).expect("models");
        for site in registry.sites().expect("a folder") {
            let model = registry.model(&format!("http://{site}/")).expect("a model");
            let (bytes, foreseen) = (model.bytes(), bytes_to_load(&models.join(&*site)));
            assert!((bytes..12 * bytes).contains(&foreseen), "{site}: {bytes}, {foreseen}");
        }
    }
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
    let absence = registry.model("http://b.test/a").map(drop).expect_err("a broken model");
    assert_eq!(absence.reason, Reason::BrokenModel);
    assert!(absence.error.is_some_and(|error| error.to_string().contains("b.test")));
    assert!(registry.check().is_err());
    assert!(registry.sites().expect("sites").any(|site| site == "b.test"));
    fs::remove_file(&model).expect("a link");
    let registry = Registry::open(models.path()).expect("models");
    let absence = registry.model("http://b.test/a").map(drop).expect_err("no model");
    assert_eq!(absence.reason, Reason::NoModel);
}
