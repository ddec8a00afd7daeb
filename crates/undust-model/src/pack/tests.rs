mod stored;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant, SystemTime};

use proptest::prelude::*;
use tempfile::TempDir;

use undust_testing::copied_models;
use undust_url::site::SiteBy;
use undust_util::error::Error;

use super::layout::HEADER;
use super::*;
use crate::folder::names::packed;
use crate::operation::Disabled;
use crate::registry::Registry;
use crate::registry::tests::copies;
use crate::site_model::SiteModel;
use crate::translation::{Canonicalizer, Reason};

/// A URL of each saved model.
pub(super) const URLS: [&str; 4] = [
    "http://a.test/users/9x/bob",
    "http://b.test/story/7/print",
    "http://c.test/forum/?sid=1&t=2",
    "http://d.test/none",
];
pub(super) const SITES: [&str; 3] = ["a.test", "b.test", "c.test"];

/// A pack of the models below a folder.
fn packed_from(models: &Path) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("models.undust");
    let mut writer = PackWriter::create(&path).expect("a pack");
    let packing = writer.add_all(models, &AtomicU64::new(0)).expect("models");
    assert_eq!((packing.broken.len(), packing.foreign), (0, 0), "{packing:?}");
    assert_eq!(writer.finish().expect("a pack"), packing.models);
    (folder, path)
}

/// A pack of the saved models.
pub(super) fn saved_pack() -> (TempDir, PathBuf) {
    packed_from(copied_models().path())
}

fn opened(path: &Path) -> Arc<Pack> {
    Arc::new(Pack::open(path).expect("a pack"))
}

fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for site in fs::read_dir(folder).expect("a folder") {
        for file in fs::read_dir(site.expect("a site").path()).expect("a folder") {
            let path = file.expect("a file").path();
            let name = path.strip_prefix(folder).expect("below").to_path_buf();
            files.insert(name, fs::read(&path).expect("a file"));
        }
    }
    files
}

#[test]
fn folders_come_back_byte_for_byte_and_packs_are_the_same_twice() {
    let (_held, path) = saved_pack();
    let (_other, again) = saved_pack();
    assert_eq!(fs::read(&path).expect("a pack"), fs::read(&again).expect("a pack"));
    // A pack of a pack is that pack.
    let (_third, again) = packed_from(&path);
    assert_eq!(fs::read(&path).expect("a pack"), fs::read(&again).expect("a pack"));
    let models = tempfile::tempdir().expect("a folder");
    unpack(&path, &[], models.path(), &AtomicU64::new(0)).expect("folders");
    assert_eq!(files_below(models.path()), files_below(copied_models().path()));
}

/// What a registry of folders answers, a registry of a pack does, too.
#[test]
fn a_pack_answers_as_its_folder_does() {
    let (_held, path) = saved_pack();
    let models = copied_models();
    let pack = Registry::open(&path).expect("a pack");
    let folder = Registry::open(models.path()).expect("models");
    for url in URLS {
        let (packed, plain) = (pack.canonicalize(url), folder.canonicalize(url));
        assert_eq!((&packed.canonical, packed.how), (&plain.canonical, plain.how), "{url}");
        let described = |registry: &Registry| {
            serde_json::to_string(&registry.explain(url)).expect("an explanation")
        };
        assert_eq!(described(&pack), described(&folder), "{url}");
    }
    let mut sites: Vec<String> =
        pack.sites().expect("sites").map(|site| site.expect("a site")).collect();
    sites.sort_unstable();
    assert_eq!(sites, SITES);
    pack.check().expect("all models load");
    for site in SITES {
        let (packed, plain) = (path.join(site), models.path().join(site));
        let packed = SiteModel::load(packed).expect("a packed model");
        let plain = SiteModel::load(plain).expect("a model");
        for url in URLS {
            assert_eq!(packed.canonical(url), plain.canonical(url));
        }
    }
    let none = SiteModel::load(path.join("d.test")).map(drop).expect_err("no model");
    assert!(none.to_string().contains("models.undust/d.test"), "{none}");
}

/// Where the models of a pack are, with their directories.
fn places(path: &Path) -> BTreeMap<String, Range<usize>> {
    let pack = opened(path);
    let mut begins = Vec::new();
    for bucket in 0..pack.slot.buckets {
        for entry in pack.bucket(bucket).expect("a bucket") {
            begins.push((entry.at as usize, pack.directory(entry).expect("a directory").0.site));
        }
    }
    begins.sort_unstable();
    let ends = begins.iter().skip(1).map(|(at, _)| *at).chain([pack.slot.index_at as usize]);
    begins.iter().zip(ends).map(|((at, site), end)| (site.clone(), *at..end)).collect()
}

fn sentence(error: &Error) -> String {
    let sentence = error.to_string();
    assert!(sentence.starts_with("model ") || sentence.starts_with("cannot "), "{sentence}");
    assert!(!sentence.contains('\n'), "{sentence}");
    sentence
}

/// Whatever byte of a pack is another, it costs the model that it is of, which is named, or the pack does not open.
#[test]
fn a_damaged_byte_costs_its_model_alone() {
    let (_held, path) = saved_pack();
    let whole = fs::read(&path).expect("a pack");
    let (places, index) = (places(&path), opened(&path).slot.index_at as usize);
    let sound = |path: &Path, site: &str| {
        let found = Arc::new(Pack::open(path)?).find(site)?.expect("a model");
        found.files().try_for_each(|(name, _)| found.read(name).map(drop))
    };
    let near = |at: usize| {
        at < 2 * HEADER || (at >= index && at.is_multiple_of(5)) || at.is_multiple_of(29)
    };
    let mut costs = 0;
    for at in (0..whole.len()).filter(|at| near(*at)) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).expect("a file");
        let opens = Pack::open(&path).map_err(|error| sentence(&error)).is_ok();
        for site in SITES {
            let is_hit = !opens || at >= index || places[site].contains(&at);
            match sound(&path, site) {
                Ok(()) if at < HEADER => {}
                Ok(()) => assert!(!is_hit, "byte {at} is of {site}, and nobody noticed"),
                Err(error) => {
                    costs += 1;
                    assert!(is_hit, "byte {at} is not of {site}: {error}");
                    sentence(&error);
                }
            }
        }
    }
    assert!(costs > 500, "{costs}");
}

/// A registry goes on with what is whole.
#[test]
fn a_registry_serves_what_is_whole_and_names_what_is_not() {
    let (_held, path) = saved_pack();
    let whole = fs::read(&path).expect("a pack");
    let at = places(&path)["b.test"].start + 1;
    let mut bytes = whole.clone();
    bytes[at] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let registry = Registry::open(&path).expect("a pack");
    assert_eq!(registry.canonical(URLS[0]), "http://a.test/users/9x");
    let broken = registry.model(URLS[1]).map(drop).expect_err("a broken model");
    assert_eq!(broken.reason, Reason::BrokenModel);
    assert!(sentence(&broken.error.expect("an error")).contains("directory of a model"));
    assert!(registry.check().is_err());
    assert_eq!(registry.sites().expect("sites").filter(Result::is_ok).count(), 2);
    // One that is whole again takes its place.
    fs::write(&path, &whole).expect("a file");
    until(|| registry.canonical(URLS[1]) == "http://b.test/story/7");
}

pub(super) fn until(is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed().as_secs_f64() < 2.0, "not seen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_pack_of_any_length_is_whole_or_said_to_be_cut() {
    let (_held, path) = saved_pack();
    let whole = fs::read(&path).expect("a pack");
    let near = |length: usize| {
        length < 2 * HEADER || length + 100 > whole.len() || length.is_multiple_of(499)
    };
    for length in (0..whole.len()).filter(|length| near(*length)) {
        fs::write(&path, &whole[..length]).expect("a file");
        let said = sentence(&Pack::open(&path).map(drop).expect_err("a refusal"));
        let expected = if length < 8 { "is no pack of models" } else { "ends at byte" };
        assert!(said.contains(expected), "{length}: {said}");
    }
    let mut other = whole.clone();
    other[8] = 9;
    fs::write(&path, &other).expect("a file");
    let said = sentence(&Pack::open(&path).map(drop).expect_err("a refusal"));
    assert!(said.contains("version 9, but this version of undust reads version 1"), "{said}");
}

/// Adds a file of each of these to a pack.
fn add(writer: &mut PackWriter, models: &[(&str, &[u8])]) {
    for (site, bytes) in models {
        writer.add(site, Some(SiteBy::Host), &[("model.json", bytes)]).expect("a model");
    }
}

fn model_json(pack: &Arc<Pack>, site: &str) -> Option<Vec<u8>> {
    pack.find(site).expect("a look-up").map(|model| model.read("model.json").expect("a file"))
}

#[test]
fn generations_replace_and_add_and_those_before_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pack");
    let mut writer = PackWriter::create(&path).expect("a pack");
    add(&mut writer, &[("a.test", b"a1"), ("b.test", b"b1"), ("a.test", b"a2")]);
    assert!(!path.exists());
    assert_eq!(writer.finish().expect("a pack"), 2);
    let first = opened(&path);
    for generation in 2..6_u64 {
        let before = opened(&path);
        let mut writer = PackWriter::append(&path).expect("a pack");
        let text = format!("b{generation}");
        add(&mut writer, &[("b.test", text.as_bytes()), (&format!("{generation}.test"), b"new")]);
        let sites: Vec<_> =
            before.all().map(|model| model.expect("a model").site().to_owned()).collect();
        assert_eq!(writer.finish().expect("a pack"), sites.len() as u64 + 1);
        let now = opened(&path);
        assert_eq!(now.generation(), generation);
        assert_eq!(model_json(&now, "b.test").as_deref(), Some(text.as_bytes()));
        assert_eq!(model_json(&now, &format!("{generation}.test")).as_deref(), Some(&b"new"[..]));
        assert_eq!(model_json(&before, &format!("{generation}.test")), None);
        assert_eq!(model_json(&now, "a.test").as_deref(), Some(&b"a2"[..]));
        assert_eq!(model_json(&first, "b.test").as_deref(), Some(&b"b1"[..]));
    }
}

/// A process that is killed while it appends leaves the generation before, whatever it had written.
#[test]
fn an_append_that_is_never_finished_changes_nothing() {
    let (_held, path) = saved_pack();
    let whole = fs::read(&path).expect("a pack");
    let mut writer = PackWriter::append(&path).expect("a pack");
    add(&mut writer, &[("b.test", b"other")]);
    let busy = PackWriter::append(&path).map(drop).expect_err("one at a time");
    assert!(sentence(&busy).contains("another process"), "{busy}");
    drop(writer);
    let begun = [&whole[..], &[7; 5000][..]].concat();
    fs::write(&path, &begun).expect("a file");
    assert_eq!(opened(&path).generation(), 1);
    let registry = Registry::open(&path).expect("a pack");
    assert_eq!(registry.canonical(URLS[1]), "http://b.test/story/7");
    // The newest slot was written in part: the generation before it counts.
    let mut writer = PackWriter::append(&path).expect("a pack");
    add(&mut writer, &[("new.test", b"new")]);
    writer.finish().expect("a pack");
    let mut torn = fs::read(&path).expect("a pack");
    assert_eq!(torn[..64], whole[..64]);
    torn[64 + 20] ^= 1;
    fs::write(&path, torn).expect("a file");
    assert_eq!((opened(&path).generation(), opened(&path).models()), (1, 3));
}

/// What would be appended to a file that no path leads to is not taken for appended.
#[test]
fn an_append_to_a_pack_that_was_replaced_fails() {
    let (_held, path) = saved_pack();
    let mut append = PackWriter::append(&path).expect("a pack");
    add(&mut append, &[("new.test", b"new")]);
    let mut other = PackWriter::create(&path).expect("a pack");
    add(&mut other, &[("other.test", b"other")]);
    other.finish().expect("a pack");
    let whole = fs::read(&path).expect("a pack");
    let error = append.finish().expect_err("a refusal");
    assert!(error.to_string().contains("another pack was put in its place"), "{error}");
    assert_eq!(fs::read(&path).expect("a pack"), whole);
}

/// A pack that is swapped, or appended to, is served within a second; meanwhile nothing fails.
#[test]
fn a_registry_sees_a_new_generation() {
    let (held, path) = saved_pack();
    let registry = Registry::open(&path).expect("a pack");
    let model = |url| registry.model(url).expect("a model");
    let first = model(URLS[1]);
    let more = copies("c.test", 3);
    assert!(registry.model("http://h1.test/").is_err());
    let mut writer = PackWriter::append(&path).expect("a pack");
    writer.add_all(more.path(), &AtomicU64::new(0)).expect("models");
    writer.finish().expect("a pack");
    until(|| registry.model("http://h1.test/").is_ok());
    // What is the same is not loaded again.
    assert!(Arc::ptr_eq(&first, &model(URLS[1])));
    let (_other, swapped) = packed_from(more.path());
    fs::rename(&swapped, &path).expect("a swap");
    until(|| registry.model(URLS[1]).is_err());
    assert!(registry.model("http://h2.test/").is_ok());
    // Where the file is gone, or is another, the one before is served.
    fs::write(held.path().join("other"), "no pack").expect("a file");
    fs::rename(held.path().join("other"), &path).expect("a swap");
    std::thread::sleep(Duration::from_millis(1200));
    assert!(registry.model("http://h0.test/").is_ok());
}

/// A generation is seen by its header where the file has the inode, the length and the time that it had.
#[test]
fn a_new_generation_is_seen_where_the_file_system_shows_none() {
    let (_held, path) = saved_pack();
    let mut first = fs::read(&path).expect("a pack");
    let mut writer = PackWriter::append(&path).expect("a pack");
    add(&mut writer, &[("new.test", b"new")]);
    writer.finish().expect("a pack");
    let second = fs::read(&path).expect("a pack");
    // What a killed process leaves behind a generation.
    first.resize(second.len(), 0);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let put = |bytes: &[u8]| {
        let mut file = fs::File::options().write(true).open(&path).expect("a file");
        file.write_all(bytes).and_then(|()| file.set_modified(time)).expect("writing");
    };
    put(&first);
    let live = LivePack::at(&path);
    let generation = || live.current().expect("a pack").generation();
    assert_eq!(generation(), 1);
    put(&second);
    until(|| generation() == 2);
}

#[test]
fn nothing_is_written_into_a_pack() {
    let (_held, path) = saved_pack();
    let model = SiteModel::load(path.join("b.test")).expect("a model");
    let whole = fs::read(&path).expect("a pack");
    for place in [path.join("b.test"), path.join("new.test")] {
        let none = Disabled { model: String::new(), operations: Vec::new() };
        let error = none.write(&place);
        assert!(sentence(&error.expect_err("a refusal")).contains("nothing is written"));
    }
    let error = model.save(path.join("b.test")).expect_err("a refusal");
    assert!(sentence(&error).contains("nothing is written"), "{error}");
    let error = crate::folder::check_folder(&path).expect_err("a refusal");
    assert!(sentence(&error).contains("nothing is written"), "{error}");
    assert_eq!(fs::read(&path).expect("a pack"), whole);
}

#[test]
fn models_are_held_up_to_a_sum_of_bytes() {
    let (half, most) = (BYTES_AT_ONCE / 2, BYTES_AT_ONCE);
    for (sizes, held) in [
        (vec![1, 2, 3], 3),
        (vec![half, half, 1], 2),
        (vec![half, half + 1], 1),
        (vec![most + 1, 1], 1),
        (vec![1, u64::MAX, 1], 1),
    ] {
        assert_eq!(held_at_once(sizes.iter().copied()), held, "{sizes:?}");
    }
}

#[test]
fn what_is_no_model_is_not_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = PackWriter::create(&folder.path().join("pack")).expect("a pack");
    for (site, file) in
        [("../x", "model.json"), (".x", "model.json"), ("", "model.json"), ("x", "y")]
    {
        let error = writer.add(site, None, &[(file, b"")]).expect_err("a refusal");
        assert!(sentence(&error).contains("cannot be packed"), "{error}");
    }
}

fn model() -> impl Strategy<Value = (String, BTreeMap<&'static str, Vec<u8>>)> {
    let name = prop::sample::select(packed().collect::<Vec<_>>());
    let bytes = prop::collection::vec(any::<u8>(), 0..300);
    ("[a-z0-9-]{1,3}\\.test", prop::collection::btree_map(name, bytes, 0..6))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// In generations of any number of models, the last of a site is found, and no other site is.
    #[test]
    fn what_was_written_is_found(
        generations in prop::collection::vec(prop::collection::vec(model(), 0..300), 1..4)
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pack");
        let mut expected = BTreeMap::new();
        for (number, models) in generations.into_iter().enumerate() {
            let mut writer = match number {
                0 => PackWriter::create(&path),
                _ => PackWriter::append(&path),
            }.expect("a pack");
            for (site, files) in models {
                let list: Vec<(&str, &Vec<u8>)> = files.iter().map(|(name, bytes)| (*name, bytes)).collect();
                writer.add(&site, None, &list).expect("a model");
                expected.insert(site, files);
            }
            prop_assert_eq!(writer.finish().expect("a pack"), expected.len() as u64);
        }
        let pack = opened(&path);
        for (site, files) in &expected {
            let model = pack.find(site).expect("a look-up").expect("a model");
            prop_assert_eq!(model.files().count(), files.len());
            for (name, bytes) in files {
                prop_assert_eq!(&model.read(name).expect("a file"), bytes);
            }
            let other = site.replace(".test", ".tests");
            prop_assert!(pack.find(&other).expect("a look-up").is_none());
        }
        prop_assert_eq!(pack.all().count(), expected.len());
    }
}
