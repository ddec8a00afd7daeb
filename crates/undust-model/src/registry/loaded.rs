//! The models that a registry holds: a cache with weights.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use quick_cache::sync::Cache;
use quick_cache::{Lifecycle, OptionsBuilder, Weighter};
use rustc_hash::FxBuildHasher;

use undust_util::error::{Error, Result};

use crate::folder::sites::{FRESH, Stamp};
use crate::site_model::SiteModel;

/// Bytes counted for a model that could not be loaded: its error.
const BROKEN_BYTES: usize = 1024;

/// How long the model before is served while nothing is heard of the one that is being loaded.
const LOADING: Duration = Duration::from_secs(10);

/// A model as it was at some time, or what is wrong with its folder.
pub(super) type Loading = Result<Arc<SiteModel>, Arc<Error>>;

/// A model folder as it was at some time. The first thread to ask loads the model. Only threads that
/// want the same model wait, and they only where there is none before it.
#[derive(Debug)]
pub(super) struct ModelSlot {
    stamp: Stamp,
    pub model: OnceLock<Loading>,
    /// The last one that could be loaded, until this one is.
    pub before: Option<Arc<SiteModel>>,
    /// When `model.json` was written, if it is loaded and that is known.
    pub written: Option<SystemTime>,
    /// Bytes of memory, with those of the one before.
    weight: usize,
    at: Instant,
}

impl ModelSlot {
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
    pub(super) fn newest(&self) -> Option<&Arc<SiteModel>> {
        self.model.get().and_then(|loading| loading.as_ref().ok()).or(self.before.as_ref())
    }
}

/// The bytes of a slot.
#[derive(Clone)]
struct Bytes {
    most: u64,
}

impl Weighter<Box<str>, Arc<ModelSlot>> for Bytes {
    /// One model alone is held however much it takes: else it would be loaded for each URL.
    fn weight(&self, _site: &Box<str>, slot: &Arc<ModelSlot>) -> u64 {
        (slot.weight as u64).clamp(1, self.most)
    }
}

/// A model that is being loaded stays, so that it is not loaded twice.
#[derive(Clone)]
struct KeepLoading;

impl Lifecycle<Box<str>, Arc<ModelSlot>> for KeepLoading {
    type RequestState = ();

    fn is_pinned(&self, _site: &Box<str>, slot: &Arc<ModelSlot>) -> bool {
        slot.model.get().is_none()
    }
}

/// Slots by site, as many as so many bytes hold.
pub(super) struct Loaded {
    slots: Cache<Box<str>, Arc<ModelSlot>, Bytes, FxBuildHasher, KeepLoading>,
    /// Held by who puts a slot in the place of another.
    replacing: Mutex<()>,
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} slots of {} bytes", self.slots.len(), self.slots.weight())
    }
}

impl Loaded {
    /// Slots that take so many bytes at most.
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
        let slots = match options {
            Ok(options) => Cache::with_options(options, weighter, FxBuildHasher, KeepLoading),
            Err(_) => Cache::with(SITES, capacity, weighter, FxBuildHasher, KeepLoading),
        };
        Self { slots, replacing: Mutex::default() }
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.slots.weight() as usize
    }

    /// All slots, in no order.
    pub(super) fn slots(&self) -> impl Iterator<Item = (Box<str>, Arc<ModelSlot>)> {
        self.slots.iter()
    }

    /// The slot of a site, if there is one.
    pub(super) fn slot(&self, site: &str) -> Option<Arc<ModelSlot>> {
        self.slots.peek(site)
    }

    /// What is served of a site; nothing where a model must be loaded first.
    pub(super) fn served(&self, site: &str, stamp: Stamp) -> Option<Loading> {
        self.slots.get(site).filter(|slot| slot.holds(stamp))?.served()
    }

    /// The slot of a folder as it is, to be loaded by who asks first. A new one takes so many bytes.
    pub(super) fn slot_to_load(&self, site: &str, stamp: Stamp, bytes: usize) -> Arc<ModelSlot> {
        let _replacing = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.slots.get(site);
        if let Some(slot) = old.as_ref().filter(|slot| slot.holds(stamp)) {
            return Arc::clone(slot);
        }
        let before = old.as_ref().and_then(|slot| slot.newest().cloned());
        let held = old.filter(|_| before.is_some()).map_or(0, |slot| slot.weight);
        let slot = Arc::new(ModelSlot {
            stamp,
            model: OnceLock::new(),
            before,
            written: None,
            weight: bytes.saturating_add(held).max(BROKEN_BYTES),
            at: Instant::now(),
        });
        self.slots.insert(site.into(), Arc::clone(&slot));
        slot
    }

    /// Puts what was loaded in the place of the slot that it was loaded for, unless the folder was
    /// replaced meanwhile.
    pub(super) fn put(
        &self,
        (site, slot): (&str, &Arc<ModelSlot>),
        loading: &Loading,
        (bytes, written): (usize, Option<SystemTime>),
    ) {
        let _replacing = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.slots.peek(site).is_none_or(|now| !Arc::ptr_eq(&now, slot)) {
            return;
        }
        let before = slot.before.as_ref().filter(|_| loading.is_err()).cloned();
        let weight = match loading {
            Ok(_) => bytes,
            Err(_) if before.is_some() => slot.weight,
            // Its error may tell what a file holds.
            Err(error) => error.to_string().len() + BROKEN_BYTES,
        };
        let slot = ModelSlot {
            stamp: slot.stamp,
            model: OnceLock::from(loading.clone()),
            before,
            written: written.filter(|_| loading.is_ok()),
            weight,
            at: Instant::now(),
        };
        self.slots.insert(site.into(), Arc::new(slot));
    }
}

/// The part of all bytes that models may take which were asked for again. One model may take as much.
const HOT: f64 = 0.97;
