//! Packs of models that are not what they were.

use std::fs;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use tempfile::TempDir;
use undust::Registry;

use super::root;
use super::serving::{URLS, assert_canonical};

/// What the bytes change: where, as a share of the pack, and what is there then. What is left over is appended.
const CHANGE: usize = 5;

/// Reads bytes as changes of a pack (two bytes for the place, one for the kind of the place, one for the length that
/// is cut off, one that is written), or as a pack if they begin as one does. It is refused in a sentence, or serves.
pub fn check(bytes: &[u8]) {
    let whole = &WHOLE.1;
    let pack = if bytes.starts_with(&whole[..8]) { bytes.to_vec() } else { changed(whole, bytes) };
    static FOLDER: LazyLock<Mutex<TempDir>> =
        LazyLock::new(|| Mutex::new(tempfile::tempdir().expect("a folder")));
    let folder = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    let path = folder.path().join("models.undust");
    fs::write(&path, pack).expect("a file");
    let registry = match Registry::open(&path) {
        Ok(registry) => registry,
        Err(error) => return assert_sentence(&error.to_string()),
    };
    for url in URLS {
        assert_canonical(&registry, url);
        if let Err(lookup_error) = registry.model(url) {
            lookup_error.error.iter().for_each(|error| assert_sentence(&error.to_string()));
        }
    }
    // At most one name for each entry of the index.
    let sites = registry.sites().expect("sites").filter_map(Result::ok).take(100_000).count();
    assert!(sites < 100_000);
}

fn assert_sentence(sentence: &str) {
    assert!(sentence.starts_with("model "), "{sentence}");
    assert!(!sentence.contains('\n'), "{sentence}");
}

/// The pack of the saved models, in its folder.
static WHOLE: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("models.undust");
    let mut writer = undust::model::pack::PackWriter::create(&path).expect("a pack");
    let models = root().join("tests/formats/5");
    writer.add_all(&models, &Default::default()).expect("models");
    writer.finish().expect("a pack");
    let bytes = fs::read(&path).expect("a pack");
    (folder, bytes)
});

fn changed(whole: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut pack = whole.to_vec();
    let changes = bytes.chunks_exact(CHANGE);
    let rest = changes.remainder().to_vec();
    for change in changes {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
        // The header, the end with the index, or anywhere.
        let at = match change[2] % 3 {
            0 => place % 192,
            1 => pack.len().saturating_sub(1 + place % 4096),
            _ => (place * whole.len()) >> 16,
        };
        if let Some(byte) = pack.get_mut(at) {
            *byte = change[4];
        }
        if change[3] == 255 {
            pack.truncate(at);
        }
    }
    pack.extend(rest);
    pack
}
