//! Where the program, the crawls and the sample models are.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the package.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program that was built with the tests.
pub fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("undust").to_path_buf()
}

/// A file in `data`.
pub fn data(name: &str) -> PathBuf {
    repository().join("data").join(name)
}

/// The sample models of a format.
pub fn models_of_format(number: u32) -> PathBuf {
    repository().join("tests/formats").join(number.to_string())
}

/// The crawls of public sites, which tests need that are marked so.
pub fn public_crawls() -> PathBuf {
    PathBuf::from(std::env::var_os("UNDUST_CRAWLS").expect("UNDUST_CRAWLS names their folder"))
}

/// Copies a folder and all below it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let (entry, name) = (entry.expect("an entry").path(), to.to_path_buf());
        let name = name.join(entry.file_name().expect("a name"));
        match entry.is_dir() {
            true => copy_folder(&entry, &name),
            false => _ = fs::copy(&entry, &name).expect("a copy"),
        }
    }
}
