//! Finds the model of a URL among the folders of many sites, and keeps those in use in memory.

mod in_memory;
mod pinned;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use lru::LruCache;

pub use self::in_memory::{BrokenModel, InMemory};
pub(crate) use self::pinned::{Models, Pinned};

use super::files::load;
use super::front::Front;
use super::info::ModelInfo;
use super::off::Off;
use super::site_model::{Home, SiteModel};
use super::sites::{FRESH, Sites, Stamp};
use crate::error::{Error, Result};
use crate::translation::{Canonicalizer, LONGEST_URL, Reason, Translation};
use crate::work;

/// Bytes of models that are held in memory unless another number is asked for.
const MOST_BYTES: usize = 1 << 30;

/// Bytes counted for a model that could not be loaded: its error.
const BROKEN_BYTES: usize = 256;

/// How long the model before is served while nothing is heard of the one that is being loaded.
const LOADING: Duration = Duration::from_secs(10);

/// The models of a folder: any URL in, its canonical form out. Each model is loaded when a URL
/// of its site first comes by; if those in memory exceed the limit, the least recently used is
/// dropped, to within a tenth of a second. A folder that training replaced is served within a
/// second; until the new model is loaded, and for as long as it cannot be, the one before is
/// served if it is still in memory. A folder that could not be loaded is tried again when it
/// changes. Safe to share between threads.
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
/// same model wait, and they only where there is none before it.
#[derive(Debug)]
struct Slot {
    stamp: Stamp,
    model: Arc<OnceLock<Loading>>,
    /// The last one that could be loaded, until this one is.
    before: Before,
    /// When `model.json` was written, if it is loaded and that is known.
    written: Option<SystemTime>,
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

    /// What is served of it, as long as it holds; nothing where its first user must wait for it.
    fn served(&self) -> Option<Loading> {
        match (self.model.get(), &self.before) {
            (Some(Ok(model)), _) => Some(Ok(Arc::clone(model))),
            (Some(Err(_)), Some(before)) => Some(Ok(Arc::clone(before))),
            (Some(Err(error)), None) => Some(Err(Arc::clone(error))),
            // Whoever made the slot is loading it.
            (None, Some(before)) if self.at.elapsed() < LOADING => Some(Ok(Arc::clone(before))),
            (None, _) => None,
        }
    }

    /// The newest model that could be loaded.
    fn newest(&self) -> Option<&Arc<SiteModel>> {
        self.model.get().and_then(|loading| loading.as_ref().ok()).or(self.before.as_ref())
    }
}

type Loading = Result<Arc<SiteModel>, Arc<Error>>;

type Before = Option<Arc<SiteModel>>;

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

impl From<Arc<Error>> for Absence {
    fn from(error: Arc<Error>) -> Self {
        Self { reason: Reason::BrokenModel, error: Some(error) }
    }
}

/// The answer for a URL by what was found for it.
pub(crate) fn answer<'u>(found: &Result<Arc<SiteModel>, Absence>, url: &'u str) -> Translation<'u> {
    match found {
        Ok(model) => model.translate(url),
        Err(absence) => Translation::unchanged(url, absence.reason),
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

    /// The sites that have a model, in no order. Reads the folder.
    ///
    /// # Errors
    ///
    /// The folder cannot be read.
    pub fn sites(&self) -> Result<impl Iterator<Item = String> + use<>> {
        self.sites.names()
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
        let served = self.lock().served(&site, stamp);
        served.unwrap_or_else(|| self.load_now(&site, stamp)).map_err(Absence::from)
    }

    /// Loads a model, unless another thread does: then waits for it.
    fn load_now(&self, site: &str, stamp: Stamp) -> Loading {
        let (slot, before) = self.lock().slot(site, stamp);
        let loading = slot.get_or_init(|| {
            let loading = self.load(site);
            let written = ModelInfo::written(&self.place(site));
            self.lock().account(site, stamp, &loading, written);
            // It may hold what was dropped or replaced.
            self.front.clear();
            loading
        });
        loading.clone().or_else(|error| before.ok_or(error))
    }

    /// The model in charge of `url` if no file need be read for it: what a thread that must not be
    /// held up may ask.
    #[cfg(feature = "serve")]
    pub(crate) fn model_at_once(&self, url: &str) -> Option<Result<Arc<SiteModel>, Absence>> {
        if url.len() > LONGEST_URL {
            return Some(Err(Reason::TooLong.into()));
        }
        if let Some(model) = self.front.ask(url, Arc::clone) {
            return Some(Ok(model));
        }
        let (site, stamp) = match self.sites.in_charge(url) {
            Ok(found) => found,
            Err(reason) => return Some(Err(reason.into())),
        };
        let served = self.lock().served(&site, stamp)?;
        if let Ok(model) = &served {
            self.front.put(url, model);
        }
        Some(served.map_err(Absence::from))
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

    fn lock(&self) -> std::sync::MutexGuard<'_, Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A folder that is replaced while it is read is read again.
    fn load(&self, site: &str) -> Loading {
        const TRIES: usize = 3;
        let place = self.sites.place(site);
        let load = |place: &Path| load(place).and_then(|found| Ok((found, Off::read(place)?)));
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
        let model = |((_, usage, model), off)| {
            Arc::new(SiteModel::new(site, (usage, model), home).without(off))
        };
        loaded.map(model).map_err(Arc::new)
    }
}

impl Loaded {
    /// What is served of a site, the most recently used from now on; nothing where a model must
    /// be loaded first.
    fn served(&mut self, site: &str, stamp: Stamp) -> Option<Loading> {
        self.models.get(site).filter(|slot| slot.holds(stamp))?.served()
    }

    /// The slot of a site, the most recently used from now on, a new one where the folder has
    /// changed; and the model before it.
    fn slot(&mut self, site: &str, stamp: Stamp) -> (Arc<OnceLock<Loading>>, Before) {
        if let Some(slot) = self.models.get(site).filter(|slot| slot.holds(stamp)) {
            return (Arc::clone(&slot.model), slot.before.clone());
        }
        let old = self.models.pop(site);
        self.bytes -= old.as_ref().map_or(0, |slot| slot.bytes);
        let before = old.and_then(|slot| slot.newest().cloned());
        let model = Arc::default();
        let slot = Slot {
            stamp,
            model: Arc::clone(&model),
            before: before.clone(),
            written: None,
            bytes: 0,
            at: Instant::now(),
        };
        self.models.put(site.into(), slot);
        (model, before)
    }

    /// Counts a model that was just loaded, and makes room for it.
    fn account(
        &mut self,
        site: &str,
        stamp: Stamp,
        loading: &Loading,
        written: Option<SystemTime>,
    ) {
        // Asking for it makes it the most recently used: it stays.
        if let Some(slot) = self.models.get_mut(site).filter(|slot| slot.stamp == stamp) {
            let kept = slot.before.as_ref().filter(|_| loading.is_err());
            let bytes = match loading {
                Ok(model) => model.bytes(),
                Err(_) => BROKEN_BYTES + kept.map_or(0, |before| before.bytes()),
            };
            slot.before = kept.cloned();
            slot.written = written.filter(|_| loading.is_ok());
            self.bytes = self.bytes - slot.bytes + bytes;
            slot.bytes = bytes;
        }
        while self.bytes > self.most_bytes && self.drop_oldest(site) {}
    }

    /// Drops the model not asked for the longest, but for `site` and those still being loaded;
    /// whether there was one.
    fn drop_oldest(&mut self, site: &str) -> bool {
        let mut from_oldest = self.models.iter().rev();
        let oldest = from_oldest.find(|(name, slot)| {
            work::count(1);
            slot.bytes > 0 && ***name != *site
        });
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
        Pinned::new(self).prepare(urls);
    }
}

#[cfg(test)]
pub(crate) mod tests;
