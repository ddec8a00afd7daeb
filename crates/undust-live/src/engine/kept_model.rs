//! What a site was taught, kept beside the journal: a start reads it instead of learning it again.
//!
//! The same pages teach the same, so a model is kept with a hash of what it was learned from, and used where that is
//! what is to be learned from now. It may be missing, damaged or of another version: then the site is learned again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use undust_cluster::clusters::Clusters;
use undust_learn::config::Config;
use undust_model::folder::files::{load, save};
use undust_model::learned::Learned;
use undust_model::report::Report;
use undust_pages::page::Page;
use undust_url::site::{SiteBy, site_of};
use xxhash_rust::xxh3::Xxh3Default;

/// The folder of the models in that of a state.
const FOLDER: &str = "learned";

/// Where the model of a site is kept, and what it is learned from.
pub(super) struct KeptModel {
    models: PathBuf,
    site: String,
    /// A hash of the pages, their clusters, the settings and the version of this program.
    learned_from: Value,
}

impl KeptModel {
    /// The model of what these pages teach, in the folder of a state. None where they name no site. Linear in the
    /// length of the URLs.
    pub(super) fn of(
        state: &Path,
        pages: &[Page],
        clusters: &Clusters,
        config: &Config,
    ) -> Option<Self> {
        let site = site_of(&pages.first()?.url, SiteBy::Host)?.into_owned();
        let mut hash = Xxh3Default::new();
        hash.update(env!("CARGO_PKG_VERSION").as_bytes());
        hash.update(config.record().to_string().as_bytes());
        for (page, label) in pages.iter().zip(clusters.labels()) {
            hash.update(page.url.as_bytes());
            hash.update(&label.to_le_bytes());
            hash.update(&page.title.unwrap_or(0).to_le_bytes());
        }
        let learned_from = json!({ "learned_from": format!("{:032x}", hash.digest128()) });
        Some(Self { models: state.join(FOLDER), site, learned_from })
    }

    /// The model, if it was kept.
    pub(super) fn read(&self) -> Option<Learned> {
        let (info, conventions, model) = load(&self.models.join(&self.site)).ok()?;
        let report = Report::default();
        let is_same = info.record.get("config") == Some(&self.learned_from);
        is_same.then_some(Learned { model, report, conventions })
    }

    /// Keeps the model. What cannot be kept is learned again at the next start.
    pub(super) fn write(&self, learned: &Learned) {
        let site = (self.site.as_str(), SiteBy::Host);
        let _: undust_util::error::Result<()> =
            save(&self.models, site, self.learned_from.clone(), learned);
    }
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
            KeptModel::of(state.path(), pages, &clusters, config).expect("a site")
        };
        let kept = of(&pages, &config);
        assert!(kept.read().is_none());
        let set = TrainingSet::by(&pages, &clusters, &config.canonical);
        let learned = Method::Auto.learn(&set, &Training::new(&config)).expect("a model");
        kept.write(&learned);
        let read = kept.read().expect("the model");
        for url in ["http://a.test/story/77?sid=c", "http://a.test/other?sid=c"] {
            assert_eq!(read.canonical(url), learned.canonical(url));
        }
        assert_eq!(read.canonical("http://a.test/story/77?sid=c"), "http://a.test/story/77");
        // One page less, or other settings.
        assert!(of(&pages[1..], &config).read().is_none());
        assert!(of(&pages, &Config { seed: 18, ..config.clone() }).read().is_none());
        let file = state.path().join(FOLDER).join("a.test/gate.json");
        fs::write(&file, "{}").expect("a damaged file");
        assert!(kept.read().is_none());
    }
}
