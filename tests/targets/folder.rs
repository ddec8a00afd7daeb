//! Model folders with one changed file.

use std::fs;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use tempfile::TempDir;
use undust::Registry;
use undust::crawl::{SiteBy, site_of};
use xxhash_rust::xxh3::xxh3_128;

use super::root;
use super::serving::{URLS, assert_canonical};

/// What the first byte chooses among: a site, and the file that the other bytes are.
const FILES: [(&str, &str); 9] = [
    ("a.test", "model.json"),
    ("a.test", "tokenizer.json"),
    ("a.test", "weights.safetensors"),
    ("a.test", "conventions.json"),
    ("b.test", "model.json"),
    ("b.test", "rules.json"),
    ("b.test", "conventions.json"),
    ("c.test", "gate.json"),
    ("c.test", "conventions.json"),
];

/// Replaces a file, checksum and all, and loads the model: it is refused in a sentence, or serves
/// as any model does and names no other site.
///
/// The folder holds this one site, so that a run loads no model but the one it is about.
pub fn check(bytes: &[u8]) {
    let Some((&first, content)) = bytes.split_first() else { return };
    let (site, file) = FILES[usize::from(first) % FILES.len()];
    static MODELS: LazyLock<Mutex<TempDir>> = LazyLock::new(|| Mutex::new(copies()));
    let folders = MODELS.lock().unwrap_or_else(PoisonError::into_inner);
    let (models, good) = (folders.path().join(site), good().join(site));
    let place = models.join(site);
    fs::write(place.join(file), content).expect("a file");
    if file != "model.json" {
        fs::write(place.join("model.json"), with_sum(&good, file, content)).expect("a file");
    }
    ask(&models, site);
    for file in [file, "model.json"] {
        // Not `copy`, which the fuzzer's alarm may interrupt.
        let content = fs::read(good.join(file)).expect("a file");
        fs::write(place.join(file), content).expect("the file as it was");
    }
}

fn ask(models: &Path, site: &str) {
    let registry = match Registry::open(models) {
        Ok(registry) => registry,
        Err(error) => return assert!(error.to_string().contains(site), "{error}"),
    };
    for url in URLS.iter().filter(|url| site_of(url, SiteBy::Host).as_deref() == Some(site)) {
        assert_canonical(&registry, url);
        let form = undust::Canonicalizer::canonical(&registry, url);
        assert_eq!(site_of(&form, SiteBy::Host).as_deref(), Some(site));
        if let Err(lookup_error) = registry.model(url) {
            let sentence = lookup_error.error.map(|error| error.to_string());
            assert!(sentence.is_none_or(|sentence| sentence.starts_with("model ")));
        }
    }
}

fn good() -> std::path::PathBuf {
    root().join("tests/formats/5")
}

/// For each site a folder of models that holds it alone.
fn copies() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for site in ["a.test", "b.test", "c.test"] {
        let place = folder.path().join(site).join(site);
        fs::create_dir_all(&place).expect("a folder");
        for file in fs::read_dir(good().join(site)).expect("a folder") {
            let file = file.expect("an entry");
            fs::copy(file.path(), place.join(file.file_name())).expect("a file");
        }
    }
    folder
}

/// The site's `model.json` with the checksum of another content.
fn with_sum(good: &Path, file: &str, content: &[u8]) -> String {
    let json = fs::read_to_string(good.join("model.json")).expect("a file");
    let known = fs::read(good.join(file)).expect("a file");
    json.replace(&sum(&known), &sum(content))
}

fn sum(content: &[u8]) -> String {
    format!("{:032x}", xxh3_128(content))
}
