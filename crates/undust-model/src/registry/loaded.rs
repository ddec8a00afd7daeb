//! The models that a registry holds: a cache with weights.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use quick_cache::sync::Cache;
use quick_cache::{Lifecycle, OptionsBuilder, Weighter};
use rustc_hash::FxBuildHasher;

use undust_util::error::{Error, Result};

use crate::file_state::FRESH;
use crate::folder::sites::Stamp;
use crate::site_model::SiteModel;

/// Bytes counted for a model that could not be loaded: its error.
const BROKEN_BYTES: usize = 1024;

/// How long the model before is served while nothing is heard of the one that is being loaded.
const LOADING: Duration = Duration::from_secs(10);

/// A model as it was at some time, or what is wrong with its folder.
pub(super) type Loading = Result<Arc<SiteModel>, Arc<Error>>;

/// A model folder as it was at some time. The first thread to ask loads the model. Only threads that
/// want the same model wait, and only if there is no older one.
pub(super) struct ModelEntry {
    stamp: Stamp,
    pub model: OnceLock<Loading>,
    /// The last one that could be loaded, until this one is.
    pub before: Option<Arc<SiteModel>>,
    /// When `model.json` was written, if it is loaded and that is known.
    pub written: Option<SystemTime>,
    /// Bytes of memory, including those of the model before.
    weight: usize,
    at: Instant,
}

impl ModelEntry {
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
            // The thread that made the entry is loading it.
            (None, Some(before)) if self.at.elapsed() < LOADING => Some(Ok(Arc::clone(before))),
            (None, _) => None,
        }
    }

    /// The newest model that could be loaded.
    pub(super) fn newest(&self) -> Option<&Arc<SiteModel>> {
        self.model.get().and_then(|loading| loading.as_ref().ok()).or(self.before.as_ref())
    }
}

/// The bytes of an entry.
#[derive(Clone)]
struct Bytes {
    most: u64,
}

impl Weighter<Box<str>, Arc<ModelEntry>> for Bytes {
    /// One model alone is held however much it takes: else it would be loaded for each URL.
    fn weight(&self, _site: &Box<str>, entry: &Arc<ModelEntry>) -> u64 {
        (entry.weight as u64).clamp(1, self.most)
    }
}

/// A model that is being loaded stays, so that it is not loaded twice.
#[derive(Clone)]
struct KeepLoading;

impl Lifecycle<Box<str>, Arc<ModelEntry>> for KeepLoading {
    type RequestState = ();

    fn is_pinned(&self, _site: &Box<str>, entry: &Arc<ModelEntry>) -> bool {
        entry.model.get().is_none()
    }
}

/// Slots by site, within a bound of bytes.
pub(super) struct Loaded {
    entries: Cache<Box<str>, Arc<ModelEntry>, Bytes, FxBuildHasher, KeepLoading>,
    /// Held while an entry is replaced.
    replacing: Mutex<()>,
}

impl Loaded {
    /// Slots that take at most this number of bytes.
    pub(super) fn new(most_bytes: usize) -> Self {
        /// What the cache expects; it grows beyond.
        const SITES: usize = 64;
        let capacity = (most_bytes as u64).max(1);
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(SITES)
            .weight_capacity(capacity)
            .hot_allocation(HOT)
            .build();
        let most = ((capacity as f64 * HOT) as u64).max(1);
        let weighter = Bytes { most };
        let options = options.expect("both capacities are set");
        let entries = Cache::with_options(options, weighter, FxBuildHasher, KeepLoading);
        Self { entries, replacing: Mutex::default() }
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.entries.weight() as usize
    }

    /// All entries, in no order.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Box<str>, Arc<ModelEntry>)> {
        self.entries.iter()
    }

    /// The entry of a site, if there is one.
    pub(super) fn entry(&self, site: &str) -> Option<Arc<ModelEntry>> {
        self.entries.peek(site)
    }

    /// What is served of a site; nothing where a model must be loaded first.
    pub(super) fn served(&self, site: &str, stamp: Stamp) -> Option<Loading> {
        self.entries.get(site).filter(|entry| entry.holds(stamp))?.served()
    }

    /// The entry of a folder as it is, to be loaded by who asks first. A new one takes so many bytes.
    pub(super) fn entry_to_load(&self, site: &str, stamp: Stamp, bytes: usize) -> Arc<ModelEntry> {
        let _replacing = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.entries.get(site);
        if let Some(entry) = old.as_ref().filter(|entry| entry.holds(stamp)) {
            return Arc::clone(entry);
        }
        let before = old.as_ref().and_then(|entry| entry.newest().cloned());
        let held = old.filter(|_| before.is_some()).map_or(0, |entry| entry.weight);
        let entry = Arc::new(ModelEntry {
            stamp,
            model: OnceLock::new(),
            before,
            written: None,
            weight: bytes.saturating_add(held).max(BROKEN_BYTES),
            at: Instant::now(),
        });
        self.entries.insert(site.into(), Arc::clone(&entry));
        entry
    }

    /// Puts what was loaded in the place of the entry that it was loaded for, unless the folder was
    /// replaced meanwhile.
    pub(super) fn put(
        &self,
        site: &str,
        entry: &Arc<ModelEntry>,
        loading: &Loading,
        bytes: usize,
        written: Option<SystemTime>,
    ) {
        let _replacing = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.entries.peek(site).is_none_or(|now| !Arc::ptr_eq(&now, entry)) {
            return;
        }
        let before = entry.before.as_ref().filter(|_| loading.is_err()).cloned();
        let weight = match loading {
            Ok(_) => bytes,
            Err(_) if before.is_some() => entry.weight,
            // Its error may quote what a file holds.
            Err(error) => error.to_string().len() + BROKEN_BYTES,
        };
        let entry = ModelEntry {
            stamp: entry.stamp,
            model: OnceLock::from(loading.clone()),
            before,
            written: written.filter(|_| loading.is_ok()),
            weight,
            at: Instant::now(),
        };
        self.entries.insert(site.into(), Arc::new(entry));
    }
}

/// The part of all bytes that models may take which were asked for again. One model may take as much.
const HOT: f64 = 0.97;
