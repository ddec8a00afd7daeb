//! Finds the model of a URL among the folders of many sites, or in a pack, and keeps those in use in memory.

mod fetch;
mod in_memory;
mod loaded;
#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, io};

use rustc_hash::FxHashMap;

pub use self::in_memory::{BrokenModel, InMemory, SavedModel};
use self::loaded::{Loaded, Loading};

use undust_util::error::{Error, Result};

use super::folder::files::load_from;
use super::folder::sites::{Sites, Stamp};
use super::folder::source::Source;
use super::operation::Disabled;
use super::site_model::{SiteModel, SiteScope};
use crate::pack::{ReadAt, StoredPack};
use crate::translation::{Canonicalizer, Reason, Translation};
use undust_edits::translation::LONGEST_URL;
use undust_util::cache::MemoryLimit;

/// Bytes of models that are held in memory unless another number is asked for.
const MOST_BYTES: usize = 1 << 30;

/// The models of a folder, or of a [pack](crate::pack): any URL in, its canonical form out. Each
/// model is loaded when the first URL of its site arrives. If the models then take too much memory,
/// one that was not used lately is dropped. A folder that training replaced is served within a
/// second; until the new model is loaded, and for as long as it cannot be, the one before is served
/// if it is still in memory. A folder that could not be loaded is tried again when it changes. Safe
/// to share between threads.
pub struct Registry {
    pub(crate) sites: Arc<Sites>,
    loaded: Loaded,
    remembered: Arc<MemoryLimit>,
    /// Whether edits apply where they were not tested, too.
    extrapolates: bool,
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("sites", &self.sites).finish_non_exhaustive()
    }
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

/// What is found for a URL answers it: its model, or the lack of one.
impl Canonicalizer for Result<Arc<SiteModel>, LookupError> {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        match self {
            Ok(model) => model.canonicalize(url),
            Err(lookup_error) => Translation::unchanged(url, lookup_error.reason),
        }
    }
}

impl Registry {
    /// The models below `folder`, or in a pack, with at most 1 GiB in memory, cached answers
    /// included.
    ///
    /// # Errors
    ///
    /// No such folder, or no model in it. A model that cannot be loaded is an error only when a
    /// URL asks for it.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::with_memory(folder, MOST_BYTES)
    }

    /// [`Self::open`] with another bound on the bytes in memory: three quarters for models, a
    /// quarter for cached answers. A model counts the size of its files times a measured factor. A
    /// dropped model stays in memory until the requests that use it end.
    pub fn with_memory(folder: &Path, most_bytes: usize) -> Result<Self> {
        Ok(Self::of(Sites::open(folder)?, most_bytes))
    }

    /// The models of a pack in object storage. Messages call it `name`; `open` opens the current
    /// object, now and at each look for a new one, every `refresh`. That is one read of 192 bytes, for
    /// which the thread waits whose URL comes next, and no other. While the storage fails, models in
    /// memory are served, and any other is an [`Error::Io`] of this name.
    ///
    /// ```
    /// use std::fs::File;
    /// use std::sync::Arc;
    /// use std::time::Duration;
    ///
    /// use undust_model::registry::Registry;
    /// use undust_model::pack::ReadAt;
    ///
    /// let open = || Ok(Arc::new(File::open("models.undust")?) as Arc<dyn ReadAt>);
    /// let none = Registry::open_stored("models.undust", open, Duration::from_secs(30));
    /// assert!(none.is_err_and(|error| error.to_string().starts_with("cannot read models.undust: ")));
    /// ```
    ///
    /// # Errors
    ///
    /// It cannot be opened, is no pack, or has no model.
    pub fn open_stored(
        name: &str,
        open: impl Fn() -> io::Result<Arc<dyn ReadAt>> + Send + Sync + 'static,
        refresh: Duration,
    ) -> Result<Self> {
        let pack = StoredPack::open(Path::new(name), open, refresh)?;
        Ok(Self::of(Sites::stored(pack)?, MOST_BYTES))
    }

    /// The models below `folder`, which may hold none, or not be there yet.
    pub fn open_any(folder: &Path) -> Self {
        Self::of(Sites::any(folder), MOST_BYTES)
    }

    /// The registry with extrapolating models: edits also apply where they were not tested.
    pub fn extrapolating(self) -> Self {
        Self { extrapolates: true, ..self }
    }

    fn of(sites: Sites, most_bytes: usize) -> Self {
        let remembered = most_bytes / 4;
        Self {
            sites: Arc::new(sites),
            loaded: Loaded::new(most_bytes - remembered),
            remembered: Arc::new(MemoryLimit::new(remembered)),
            extrapolates: false,
        }
    }

    /// The sites that have a model, in no order, and an error for each damaged part of a pack, whose models are not
    /// known. Reads the folder.
    ///
    /// # Errors
    ///
    /// The folder cannot be read.
    pub fn sites(&self) -> Result<impl Iterator<Item = Result<String>> + use<>> {
        self.sites.each()
    }

    /// Checks that files can be written into the folders of models.
    ///
    /// # Errors
    ///
    /// They are in a pack.
    pub fn check_writable(&self) -> Result<()> {
        self.sites.check_writable()
    }

    /// The folder of a site's model, whether there is one or not.
    pub fn folder(&self, site: &str) -> PathBuf {
        self.sites.folder(site)
    }

    /// The model for `url`.
    pub fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        let (site, stamp) = self.find_site(url)?;
        let served = self.loaded.served(&site, stamp);
        served.unwrap_or_else(|| self.load_now(&site, stamp)).map_err(LookupError::from)
    }

    /// The answer for `url` and the model that gave it, unless a file must be read or a network must decode first: a
    /// thread that must not block may call it.
    pub fn answer_at_once<'u>(
        &self,
        url: &'u str,
    ) -> Option<(Translation<'u>, Result<Arc<SiteModel>, LookupError>)> {
        let found = self.model_at_once(url)?;
        let answer = match &found {
            Ok(model) => model.canonicalize_known(url)?,
            none => none.canonicalize(url),
        };
        Some((answer, found))
    }

    /// The model for `url` if it is in memory. Never reads a file.
    pub(crate) fn model_at_once(&self, url: &str) -> Option<Result<Arc<SiteModel>, LookupError>> {
        if self.sites.must_wait(url) {
            return None;
        }
        match self.find_site(url) {
            Ok((site, stamp)) => Some(self.loaded.served(&site, stamp)?.map_err(LookupError::from)),
            Err(reason) => Some(Err(reason.into())),
        }
    }

    fn find_site<'u>(&self, url: &'u str) -> Result<(Cow<'u, str>, Stamp), Reason> {
        if url.len() > LONGEST_URL {
            return Err(Reason::TooLong);
        }
        self.sites.find_site(url)
    }

    /// Loads a model, unless another thread does: then waits for it.
    fn load_now(&self, site: &str, stamp: Stamp) -> Loading {
        let source = self.sites.source(site).ok();
        let bytes = source.as_ref().map_or(0, Source::memory_needed);
        let entry = self.loaded.entry_to_load(site, stamp, bytes);
        let loading = entry.model.get_or_init(|| {
            let loading = self.load(site);
            let written = source.as_ref().and_then(Source::written);
            self.loaded.put(site, &entry, &loading, bytes, written);
            loading
        });
        loading.clone().or_else(|error| entry.before.clone().ok_or(error))
    }

    /// Loads every model once, one after the other.
    ///
    /// # Errors
    ///
    /// That of the first model that cannot be loaded.
    pub fn check(&self) -> Result<()> {
        for site in self.sites.each()? {
            self.load(&site?).map_err(Error::Shared)?;
        }
        Ok(())
    }

    /// What is replaced while it is read is read again.
    fn load(&self, site: &str) -> Loading {
        const TRIES: usize = 3;
        let load = || {
            let source = self.sites.source(site)?;
            Ok((load_from(&source)?, Disabled::of(&source)?))
        };
        let mut before = self.sites.stamp(site);
        let mut loaded: Result<_> = load();
        for _ in 1..TRIES {
            let after = match &loaded {
                Ok(_) => self.sites.stamp(site),
                Err(error) => self.sites.stamp_after(site, before, error),
            };
            if before == after {
                break;
            }
            // Not two at once.
            drop(loaded);
            (before, loaded) = (after, load());
        }
        let scope = SiteScope::Registered(Arc::clone(&self.sites));
        let model = |((_, conventions, model), disabled)| {
            let model = SiteModel::within(scope, site, conventions, model).without(disabled);
            let model = if self.extrapolates { model.extrapolating() } else { model };
            Arc::new(model.sharing(&self.remembered))
        };
        loaded.map(model).map_err(Arc::new)
    }
}

/// A URL that cannot be translated stays unchanged.
impl Canonicalizer for Registry {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        self.model(url).canonicalize(url)
    }

    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        Pinned::new(self).prepare(urls);
    }
}

/// Where a queue finds the model of a URL.
pub trait Models: Sync {
    /// The model for `url`.
    fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError>;

    /// The name of the site whose model translates `url`: its host, or its domain if that was
    /// trained by domain.
    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason>;
}

/// As they are at any moment.
impl Models for Registry {
    fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        Self::model(self, url)
    }

    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        self.find_site(url).map(|(site, _)| site)
    }
}

/// The models of a registry, each as it was when it was first used. So one request gets all answers
/// of a site from one model, even if training replaces it meanwhile.
pub struct Pinned<'r> {
    registry: &'r Registry,
    held: Mutex<FxHashMap<Arc<str>, Arc<SiteModel>>>,
}

impl<'r> Pinned<'r> {
    /// Pins no model yet.
    pub fn new(registry: &'r Registry) -> Self {
        Self { registry, held: Mutex::default() }
    }
}

impl Models for Pinned<'_> {
    fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        let model = self.registry.model(url)?;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(held.entry(Arc::clone(&model.site)).or_insert(model)))
    }

    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        self.registry.site(url)
    }
}

impl Canonicalizer for Pinned<'_> {
    fn canonicalize<'u>(&self, url: &'u str) -> Translation<'u> {
        self.model(url).canonicalize(url)
    }

    /// Lets networks answer these URLs in batches, unless they have answered them before.
    fn prepare(&self, urls: &mut dyn Iterator<Item = &str>) {
        let urls: Vec<&str> = urls.collect();
        self.registry.fetch(&urls);
        let mut by_site: FxHashMap<Arc<str>, (Arc<SiteModel>, Vec<&str>)> = FxHashMap::default();
        for url in urls {
            if let Ok(model) = self.model(url) {
                let site = Arc::clone(&model.site);
                by_site.entry(site).or_insert_with(|| (model, Vec::new())).1.push(url);
            }
        }
        for (model, urls) in by_site.into_values() {
            model.prepare(&mut urls.into_iter());
        }
    }
}
