//! Finds the model of a URL among the folders of many sites, and keeps those in use in memory.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use lru::LruCache;
use rustc_hash::FxHashMap;

use super::files::load;
use super::front::Front;
use super::site_model::{Home, SiteModel};
use super::sites::{FRESH, Sites, Stamp};
use crate::error::{Error, Result};
use crate::translation::{Canonicalizer, Reason, Translation};

/// Bytes of models that are held in memory unless another number is asked for.
const MOST_BYTES: usize = 1 << 30;

/// Bytes counted for a model that could not be loaded: its error.
const BROKEN_BYTES: usize = 256;

/// Longest URL, in bytes, that is looked at: no server takes longer ones.
pub(crate) const LONGEST_URL: usize = 1 << 15;

/// The models of a folder: any URL in, its canonical form out. Each model is loaded when a URL
/// of its site first comes by; if those in memory exceed the limit, the least recently used is
/// dropped, to within a tenth of a second. A folder that training replaced is served within a second, and one that
/// could not be loaded is tried again when it changes. Safe to share between threads.
#[derive(Debug)]
pub struct Registry {
    sites: Arc<Sites>,
    loaded: Mutex<Loaded>,
    /// Spares most URLs the locks of the others.
    front: Front,
}

#[derive(Debug)]
struct Loaded {
    models: LruCache<Box<str>, Slot>,
    bytes: usize,
    most_bytes: usize,
}

/// A model as it was at some time. The first thread to ask loads it. Only threads that want the
/// same model wait.
#[derive(Debug)]
struct Slot {
    stamp: Stamp,
    model: Arc<OnceLock<Loading>>,
    /// 0 while it is being loaded.
    bytes: usize,
    at: Instant,
}

impl Slot {
    /// Whether it is of the folder as it is. What the file system refused may work again without
    /// any change of the folder.
    fn holds(&self, stamp: Stamp) -> bool {
        let was_refused = self.model.get().is_some_and(
            |loading| matches!(loading, Err(error) if matches!(**error, Error::Io { .. })),
        );
        self.stamp == stamp && !(was_refused && self.at.elapsed() >= FRESH)
    }
}

type Loading = Result<Arc<SiteModel>, Arc<Error>>;

/// Why there is no model for a URL.
#[derive(Debug, Clone)]
pub struct Absence {
    /// The reason.
    pub reason: Reason,
    /// What is wrong with the model, if there is one.
    pub error: Option<Arc<Error>>,
}

impl From<Reason> for Absence {
    fn from(reason: Reason) -> Self {
        Self { reason, error: None }
    }
}

impl Registry {
    /// The models below `folder`, at most 1 GiB of them in memory.
    ///
    /// # Errors
    ///
    /// No such folder, or no model in it. A model that cannot be loaded is an error only when a
    /// URL asks for it.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::with_memory(folder, MOST_BYTES)
    }

    /// The same with another bound on the bytes in memory. The model in use is always held.
    pub fn with_memory(folder: &Path, most_bytes: usize) -> Result<Self> {
        let loaded = Loaded { models: LruCache::unbounded(), bytes: 0, most_bytes };
        let sites = Arc::new(Sites::open(folder)?);
        Ok(Self { sites, loaded: Mutex::new(loaded), front: Front::default() })
    }

    /// The name of the site whose model translates `url`: its host's, else its domain's where
    /// that was trained by domain.
    pub fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        if url.len() > LONGEST_URL {
            return Err(Reason::TooLong);
        }
        self.sites.in_charge(url).map(|(site, _)| site)
    }

    /// The folder of a site's model, whether there is one or not.
    pub(crate) fn place(&self, site: &str) -> PathBuf {
        self.sites.place(site)
    }

    /// The model in charge of `url`.
    pub fn model(&self, url: &str) -> Result<Arc<SiteModel>, Absence> {
        self.with_model(url, Arc::clone)
    }

    /// Hands the model in charge of `url` to `use_it`.
    fn with_model<R>(
        &self,
        url: &str,
        mut use_it: impl FnMut(&Arc<SiteModel>) -> R,
    ) -> Result<R, Absence> {
        if url.len() > LONGEST_URL {
            return Err(Reason::TooLong.into());
        }
        if let Some(result) = self.front.ask(url, &mut use_it) {
            return Ok(result);
        }
        let model = self.look_up(url)?;
        self.front.put(url, &model);
        Ok(use_it(&model))
    }

    fn look_up(&self, url: &str) -> Result<Arc<SiteModel>, Absence> {
        let (site, stamp) = self.sites.in_charge(url)?;
        let slot = self.lock().slot(&site, stamp);
        let loading = slot.get_or_init(|| {
            let loading = self.load(&site);
            self.lock().account(&site, stamp, &loading);
            // It may hold what was dropped or replaced.
            self.front.clear();
            loading
        });
        loading.clone().map_err(|error| Absence { reason: Reason::BrokenModel, error: Some(error) })
    }

    /// Loads every model once, in no more memory than models may take.
    ///
    /// # Errors
    ///
    /// That of the first that cannot be loaded.
    pub fn check(&self) -> Result<()> {
        for site in self.sites.names()? {
            self.load(&site).map_err(|error| Error::Unusable(error.to_string()))?;
        }
        Ok(())
    }

    /// Bytes that the models in memory take, about.
    pub fn bytes_in_memory(&self) -> usize {
        self.lock().bytes
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A folder that is replaced while it is read is read again.
    fn load(&self, site: &str) -> Loading {
        const TRIES: usize = 3;
        let place = self.sites.place(site);
        let mut before = Stamp::of(&place);
        let mut loaded = load(&place);
        for _ in 1..TRIES {
            let after = Stamp::of(&place);
            if before == after {
                break;
            }
            (before, loaded) = (after, load(&place));
        }
        let home = Home::InCharge(Arc::clone(&self.sites));
        let model = |(_, usage, model)| Arc::new(SiteModel::new(site, (usage, model), home));
        loaded.map(model).map_err(Arc::new)
    }
}

impl Loaded {
    /// The slot of a site, the most recently used from now on; a new one where the folder has
    /// changed.
    fn slot(&mut self, site: &str, stamp: Stamp) -> Arc<OnceLock<Loading>> {
        if let Some(slot) = self.models.get(site).filter(|slot| slot.holds(stamp)) {
            return Arc::clone(&slot.model);
        }
        let model = Arc::default();
        let slot = Slot { stamp, model: Arc::clone(&model), bytes: 0, at: Instant::now() };
        let before = self.models.put(site.into(), slot);
        self.bytes -= before.map_or(0, |slot| slot.bytes);
        model
    }

    /// Counts a model that was just loaded, and makes room for it.
    fn account(&mut self, site: &str, stamp: Stamp, loading: &Loading) {
        let bytes = loading.as_ref().map_or(BROKEN_BYTES, |model| model.bytes());
        // Asking for it makes it the most recently used: it stays.
        if let Some(slot) = self.models.get_mut(site).filter(|slot| slot.stamp == stamp) {
            self.bytes = self.bytes - slot.bytes + bytes;
            slot.bytes = bytes;
        }
        while self.bytes > self.most_bytes && self.drop_oldest(site) {}
    }

    /// Drops the model not asked for the longest, but for `site` and those still being loaded;
    /// whether there was one.
    fn drop_oldest(&mut self, site: &str) -> bool {
        let mut from_oldest = self.models.iter().rev();
        let oldest = from_oldest.find(|(name, slot)| slot.bytes > 0 && ***name != *site);
        let Some(name) = oldest.map(|(name, _)| name.clone()) else { return false };
        let dropped = self.models.pop(&name);
        self.bytes -= dropped.map_or(0, |slot| slot.bytes);
        true
    }
}

impl Canonicalizer for Registry {
    fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        let form = self.with_model(url, |model| model.translate(url));
        form.unwrap_or_else(|absence| Translation::unchanged(url, absence.reason))
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        let mut by_site: FxHashMap<Arc<str>, (Arc<SiteModel>, Vec<&str>)> = FxHashMap::default();
        for url in urls {
            if let Ok(model) = self.model(url) {
                let site = Arc::clone(model.site());
                by_site.entry(site).or_insert_with(|| (model, Vec::new())).1.push(url);
            }
        }
        for (model, urls) in by_site.into_values() {
            model.prepare(&mut urls.into_iter());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translation::How;

    /// A network and a set of rules, saved by another build, are served by any.
    #[test]
    fn every_saved_model_is_served_whatever_the_features() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/2");
        let registry = Registry::open(&models).expect("models");
        let network = registry.translate("http://a.test/users/9x/bob");
        assert_eq!((&*network.canonical, network.how), ("http://a.test/users/9x", How::Network));
        let rules = registry.translate("http://b.test/story/7/print");
        assert_eq!((&*rules.canonical, rules.how), ("http://b.test/story/7", How::Rules));
    }
}
