//! What the unit tests of several crates share: small crawls, and the models in the repository.
//! Only tests depend on it, and it is not published. Its functions panic where something is
//! missing, as tests do.
//!
//! ```
//! let (pages, clusters) = undust_testing::crawl(&[
//!     vec!["http://a.test/1".into(), "http://a.test/1/print".into()],
//!     vec!["http://a.test/2".into()],
//! ]);
//! assert_eq!((pages.len(), clusters.len()), (3, 2));
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use undust_cluster::{ClusterOptions, Clusters, cluster};
use undust_pages::{Page, PagesBuilder, Response};

/// A crawl in which each group of URLs shows one page.
pub fn crawl(groups: &[Vec<String>]) -> (Vec<Page>, Clusters) {
    let mut pages = PagesBuilder::new();
    for (number, group) in groups.iter().enumerate() {
        for url in group {
            let digest = Some(format!("{number:040x}"));
            pages.push(Response { url: url.clone(), status: 200, digest, ..Response::default() });
        }
    }
    let pages = pages.finish().pages;
    let clusters = cluster(&pages, &ClusterOptions::default());
    (pages, clusters)
}

/// The pages of a site: topics that are shown under two URLs each, and articles under one.
pub fn topics_and_articles(host: &str, count: usize) -> Vec<Page> {
    let mut pages = PagesBuilder::new();
    for number in 0..count {
        let urls = match number % 3 {
            0 => vec![format!("http://{host}/article/{number}")],
            _ => {
                ["topic", "topic/print"].map(|kind| format!("http://{host}/{kind}/{number}")).into()
            }
        };
        for url in urls {
            let digest = Some(format!("{number:040x}"));
            pages.push(Response { url, status: 200, digest, ..Response::default() });
        }
    }
    pages.finish().pages
}

/// A file or folder of the repository, by its path from the root.
pub fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The saved models of today's format: a network of a.test, rules of b.test, edits of c.test.
pub fn saved_models() -> PathBuf {
    in_repository("tests/formats/5")
}

/// A folder of their own with the same models, for a test that changes them.
pub fn copied_models() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for site in ["a.test", "b.test", "c.test"] {
        copy_folder(&saved_models().join(site), &folder.path().join(site));
    }
    folder
}

/// Copies the files of a folder into another, which it makes.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder");
    for file in fs::read_dir(from).expect("a folder") {
        let file = file.expect("a file");
        fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
    }
}
