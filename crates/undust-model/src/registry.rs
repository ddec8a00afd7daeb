//! Finds the model of a URL among the folders of many sites, and keeps those in use in memory.

pub mod broken;
mod evicted;
mod hot_cache;
mod in_memory;
mod loaded;
mod pinned;
mod reserved;
pub(crate) mod sites;
#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use lru::LruCache;

use self::evicted::Evicted;
pub(super) use self::evicted::MemoryLease;
pub use self::in_memory::{BrokenModel, InMemory};
use self::loaded::{Forgetting, Loaded, Loading};
pub use self::pinned::{Models, Pinned};

use undust_util::error::{Error, Result};

use self::hot_cache::HotCache;
use self::sites::{Sites, Stamp};
use super::folder::disabled::Disabled;
use super::folder::files::load;
use super::folder::info::ModelInfo;
use super::site_model::{SiteModel, SiteScope};
use crate::cache::SharedBudget;
use crate::translation::{Canonicalizer, LONGEST_URL, Reason, Translation};

/// Bytes of models that are held in memory unless another number is asked for.
const MOST_BYTES: usize = 1 << 30;

/// The models of a folder: any URL in, its canonical form out. Each model is loaded when a URL
/// of its site first comes by. Before that, if those in memory, with what they remember of URLs and
/// what loading will take, would exceed the limit, they forget that where it is much, and then the
/// least recently used is dropped, to within a tenth of a second. A folder that training replaced is
/// served within a second; until the new model is loaded, and for as long as it cannot be, the one
/// before is served if it is still in memory. A folder that could not be loaded is tried again when
/// it changes. Safe to share between threads.
#[derive(Debug)]
pub struct Registry {
    sites: Arc<Sites>,
    loaded: Mutex<Loaded>,
    remembered: Arc<SharedBudget>,
    /// Whose turn it is to wait for room.
    turn: Mutex<()>,
    /// Told when a load gave back the room that was kept for it.
    given_back: Condvar,
    /// Spares most URLs the locks of the others.
    front: HotCache,
}

/// Why there is no model for a URL.
#[derive(Debug, Clone)]
pub struct LookupError {
    /// The reason.
    pub reason: Reason,
    /// What is wrong with the model, if there is one.
    pub error: Option<Arc<Error>>,
}

impl From<Reason> for LookupError {
    fn from(reason: Reason) -> Self {
        Self { reason, error: None }
    }
}

impl From<Arc<Error>> for LookupError {
    fn from(error: Arc<Error>) -> Self {
        Self { reason: Reason::BrokenModel, error: Some(error) }
    }
}

/// The answer for a URL by what was found for it.
pub fn answer<'u>(found: &Result<Arc<SiteModel>, LookupError>, url: &'u str) -> Translation<'u> {
    match found {
        Ok(model) => model.canonicalize(url),
        Err(absence) => Translation::unchanged(url, absence.reason),
    }
}

impl Registry {
    /// The models below `folder`, at most 1 GiB of them in memory, with what they remember.
    ///
    /// # Errors
    ///
    /// No such folder, or no model in it. A model that cannot be loaded is an error only when a
    /// URL asks for it.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::with_memory(folder, MOST_BYTES)
    }

    /// The same with another bound on the bytes in memory. While a model is loaded, four to eight times
    /// the bytes of its files are kept free. Models in use are always held.
    pub fn with_memory(folder: &Path, most_bytes: usize) -> Result<Self> {
        let remembered = Arc::<SharedBudget>::default();
        remembered.set_most(most_bytes);
        let loaded = Loaded {
            models: LruCache::unbounded(),
            bytes: 0,
            reserved: 0,
            elsewhere: Evicted::default(),
            remembered: Arc::clone(&remembered),
            most_bytes,
            #[cfg(test)]
            highest: 0,
        };
        Ok(Self {
            sites: Arc::new(Sites::open(folder)?),
            loaded: Mutex::new(loaded),
            remembered,
            turn: Mutex::default(),
            given_back: Condvar::new(),
            front: HotCache::default(),
        })
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
    pub fn place(&self, site: &str) -> PathBuf {
        self.sites.place(site)
    }

    /// The model in charge of `url`.
    pub fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        self.with_model(url, Arc::clone)
    }

    /// Hands the model in charge of `url` to `use_it`.
    fn with_model<R>(
        &self,
        url: &str,
        mut use_it: impl FnMut(&Arc<SiteModel>) -> R,
    ) -> Result<R, LookupError> {
        if url.len() > LONGEST_URL {
            return Err(Reason::TooLong.into());
        }
        if let Some(result) = self.front.ask(url, &mut use_it) {
            return Ok(result);
        }
        let model = self.look_up(url)?;
        self.put_in_front(url, &model);
        Ok(use_it(&model))
    }

    fn look_up(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        let (site, stamp) = self.sites.in_charge(url)?;
        let served = self.served(&site, stamp);
        served.unwrap_or_else(|| self.load_now(&site, stamp)).map_err(LookupError::from)
    }

    /// What is served of a site; nothing where a model must be loaded first.
    fn served(&self, site: &str, stamp: Stamp) -> Option<Loading> {
        self.with_room(site, |loaded| loaded.served(site, stamp))
    }

    /// Does something to what is loaded, and makes room: models remember more from one look-up to the
    /// next, and one that was dropped may be taken back.
    fn with_room<R>(&self, site: &str, change: impl FnOnce(&mut Loaded) -> R) -> R {
        let mut loaded = self.lock();
        let result = change(&mut loaded);
        let room = loaded.make_room(site);
        drop(loaded);
        self.use_room(room);
        result
    }

    /// Holds a model in front, unless it was dropped since it was looked up: whoever dropped it has
    /// cleared the front already.
    fn put_in_front(&self, url: &str, model: &Arc<SiteModel>) {
        let loaded = self.lock();
        if loaded.holds(model) {
            self.front.put(url, model);
        }
    }

    /// Does what must be done to make room and would hold up those who wait for the lock.
    fn use_room(&self, forgetting: Option<Forgetting>) {
        if let Some(models) = forgetting {
            models.iter().for_each(|model| model.forget());
            // It may hold what was dropped.
            self.front.clear();
        }
    }

    /// Loads a model, unless another thread does: then waits for it.
    fn load_now(&self, site: &str, stamp: Stamp) -> Loading {
        let (slot, before) = self.with_room(site, |loaded| loaded.slot(site, stamp));
        let loading = slot.get_or_init(|| {
            let reserved = self.reserve(site);
            self.lock().begin(site, stamp);
            let loading = self.load(site);
            let written = ModelInfo::written(&self.place(site));
            let count = |loaded: &mut Loaded| loaded.account(site, stamp, &loading, written);
            let room = reserved.give_back(count);
            self.use_room(room);
            // It may hold what was replaced.
            self.front.clear();
            loading
        });
        loading.clone().or_else(|error| before.ok_or(error))
    }

    /// The model in charge of `url` if no file need be read for it: what a thread that must not be
    /// held up may ask.
    pub fn model_at_once(&self, url: &str) -> Option<Result<Arc<SiteModel>, LookupError>> {
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
        let served = self.served(&site, stamp)?;
        if let Ok(model) = &served {
            self.put_in_front(url, model);
        }
        Some(served.map_err(LookupError::from))
    }

    /// Loads every model once, in no more memory than models may take.
    ///
    /// # Errors
    ///
    /// That of the first that cannot be loaded.
    pub fn check(&self) -> Result<()> {
        for site in self.sites.names()? {
            let _reserved = self.reserve(&site);
            self.load(&site).map_err(Error::BrokenModel)?;
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
        let load = |place: &Path| load(place).and_then(|found| Ok((found, Disabled::read(place)?)));
        let mut before = Stamp::of(&place);
        let mut loaded = load(&place);
        for _ in 1..TRIES {
            let after = Stamp::of(&place);
            if before == after {
                break;
            }
            // Not two at once.
            drop(loaded);
            (before, loaded) = (after, load(&place));
        }
        let home = SiteScope::Registered(Arc::clone(&self.sites));
        let model = |((_, conventions, model), disabled)| {
            let model = SiteModel::new(site, (conventions, model), home).without(disabled);
            Arc::new(model.remembering(&self.remembered))
        };
        loaded.map(model).map_err(Arc::new)
    }
}

impl Registry {
    /// The canonical form of `url` by its site's model, how it was found and why. The URL is
    /// normalised first. What cannot be translated comes back as it came.
    pub fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        Canonicalizer::canonicalize(self, url)
    }
}

impl Canonicalizer for Registry {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        let form = self.with_model(url, |model| model.canonicalize(url));
        form.unwrap_or_else(|absence| Translation::unchanged(url, absence.reason))
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        Pinned::new(self).prepare(urls);
    }
}
