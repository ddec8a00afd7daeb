//! What a site was taught, kept beside the journal: a start reads it instead of learning it again.
//!
//! The same pages teach the same, so a model is kept with a hash of what it was learned from, and used where that is
//! what is to be learned from now. It may be missing, damaged or of another version: then the site is learned again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use undust_cluster::clusters::Clusters;
use undust_learn::config::Config;
use undust_learn::learned::{Learned, model_files, save};
use undust_learn::report::Report;
use undust_model::folder::files::load;
use undust_pages::page::Page;
use undust_url::site::{SiteBy, names_a_site, site_of};
use undust_util::error::Result;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

/// The folder of the models in that of a state.
const FOLDER: &str = "learned";

/// The file of a model that may be edited by hand. Here nobody may: it would be believed without a test.
const EDITS: &str = "gate.json";

/// Which model is kept: of which site, learned from what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelKey {
    site: String,
    /// A hash of the pages, their clusters, the settings and the version of this program.
    learned_from: String,
}

/// Where the model of a site is kept.
pub(super) struct KeptModel {
    models: PathBuf,
    key: ModelKey,
}

impl ModelKey {
    /// That of what these pages teach. None where they name no site. Linear in the length of the URLs.
    pub(super) fn of(pages: &[Page], clusters: &Clusters, config: &Config) -> Option<Self> {
        let site = site_of(&pages.first()?.url, SiteBy::Host)?.into_owned();
        let mut hash = Xxh3Default::new();
        hash.update(env!("CARGO_PKG_VERSION").as_bytes());
        hash.update(config.record().to_string().as_bytes());
        for (page, label) in pages.iter().zip(clusters.labels()) {
            hash.update(page.url.as_bytes());
            hash.update(&label.to_le_bytes());
            hash.update(&page.title.unwrap_or(0).to_le_bytes());
        }
        let learned_from = format!("{:032x}", hash.digest128());
        let is_kept = names_a_site(&site);
        is_kept.then_some(Self { site, learned_from })
    }
}

impl KeptModel {
    /// That in the folder of a state.
    pub(super) fn of(state: &Path, key: ModelKey) -> Self {
        Self { models: state.join(FOLDER), key }
    }

    /// The model, if it was kept, and is as it was written.
    pub(super) fn read(&self) -> Option<Learned> {
        let place = self.models.join(&self.key.site);
        if fs::symlink_metadata(&self.models).ok()?.is_symlink() {
            return None;
        }
        let (info, conventions, model) = load(&place).ok()?;
        let edits = fs::read(place.join(EDITS)).ok()?;
        let is_same = info.record.get("config") == Some(&self.record(&edits));
        is_same.then(|| Learned { model, report: Report::default(), conventions })
    }

    /// Keeps the model; whether it is kept. What cannot be kept is learned again at the next start.
    pub(super) fn write(&self, learned: &Learned) -> bool {
        self.written(learned).is_ok()
    }

    fn written(&self, learned: &Learned) -> Result<()> {
        let site = (self.key.site.as_str(), SiteBy::Host);
        let files = model_files(site, Value::Null, learned)?;
        let edits = files.iter().find(|(name, _)| *name == EDITS);
        let record = self.record(edits.map_or(&[], |(_, bytes)| bytes));
        let private = make_private(&self.models);
        private.map_err(undust_util::error::Error::io("make", &self.models))?;
        save(&self.models, site, record, learned)
    }

    /// What the model's own record says of where it comes from.
    fn record(&self, edits: &[u8]) -> Value {
        json!({ "learned_from": self.key.learned_from, "edits": format!("{:032x}", xxh3_128(edits)) })
    }
}

/// Makes the folder, which only its owner may enter: models hold whole URLs of the crawl.
fn make_private(folder: &Path) -> io::Result<()> {
    if fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink()) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut made = fs::DirBuilder::new();
    made.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut made, 0o700);
    made.create(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use undust_learn::method::{Method, Training};
    use undust_learn::training::TrainingSet;
    use undust_model::translation::Canonicalizer;

    use super::*;

    fn pages(items: u32) -> (Vec<Page>, Clusters) {
        let of = |n: u32| {
            ["", "?sid=a", "?sid=b"].map(|query| Page {
                url: format!("http://a.test/story/{n}{query}").into(),
                end: n,
                ..Page::default()
            })
        };
        let pages: Vec<Page> = (0..items).flat_map(of).collect();
        let clusters = Clusters::from_labels(pages.iter().map(|page| page.end));
        (pages, clusters)
    }

    #[test]
    fn it_is_read_where_the_same_is_to_be_learned() {
        let state = tempfile::tempdir().expect("a folder");
        let config = Config::default();
        let (pages, clusters) = pages(40);
        let of = |pages: &[Page], config| {
            KeptModel::of(state.path(), ModelKey::of(pages, &clusters, config).expect("a site"))
        };
        let kept = of(&pages, &config);
        assert!(kept.read().is_none());
        let set = TrainingSet::by(&pages, &clusters, &config.canonical);
        let learned = Method::Auto.learn(&set, &Training::new(&config)).expect("a model");
        assert!(kept.write(&learned));
        let read = kept.read().expect("the model");
        for url in ["http://a.test/story/77?sid=c", "http://a.test/other?sid=c"] {
            assert_eq!(read.canonical(url), learned.canonical(url));
        }
        assert_eq!(read.canonical("http://a.test/story/77?sid=c"), "http://a.test/story/77");
        // One page less, or other settings.
        assert!(of(&pages[1..], &config).read().is_none());
        assert!(of(&pages, &Config { seed: 18, ..config.clone() }).read().is_none());
        let file = state.path().join(FOLDER).join("a.test/gate.json");
        let text = fs::read_to_string(&file).expect("a file");
        // Damaged, or edited so that it is a model still.
        for other in ["{}".to_owned(), text.clone() + "\n"] {
            fs::write(&file, other).expect("a damaged file");
            assert!(kept.read().is_none());
        }
        fs::write(&file, text).expect("the file");
        assert!(kept.read().is_some());
    }

    /// Nobody else may read it, and no link is followed.
    #[cfg(unix)]
    #[test]
    fn it_is_private() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let config = Config::default();
        let (pages, clusters) = pages(40);
        let set = TrainingSet::by(&pages, &clusters, &config.canonical);
        let learned = Method::Auto.learn(&set, &Training::new(&config)).expect("a model");
        let [state, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let kept =
            KeptModel::of(state.path(), ModelKey::of(&pages, &clusters, &config).expect("a site"));
        kept.write(&learned);
        let folder = state.path().join(FOLDER);
        let mode = fs::metadata(&folder).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        fs::rename(&folder, other.path().join("models")).expect("a folder");
        symlink(other.path().join("models"), &folder).expect("a link");
        assert!(kept.read().is_none());
        fs::remove_dir_all(other.path().join("models/a.test")).expect("a model");
        assert!(!kept.write(&learned));
        assert!(!other.path().join("models/a.test").exists());
    }
}
