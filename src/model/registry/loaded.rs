//! The models that a registry holds, and what of them goes where they take too much.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use lru::LruCache;

use crate::error::{Error, Result};
use crate::memo::Together;
use crate::model::site_model::SiteModel;
use crate::model::sites::{FRESH, Stamp};
use crate::work;

/// Bytes counted for a model that could not be loaded: its error.
pub(super) const BROKEN_BYTES: usize = 256;

/// The part of all bytes that models may remember before they forget it to make room.
const REMEMBERED: usize = 4;

/// How long the model before is served while nothing is heard of the one that is being loaded.
const LOADING: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Loaded {
    pub models: LruCache<Box<str>, Slot>,
    /// Without what they remember.
    pub bytes: usize,
    pub remembered: Arc<Together>,
    pub most_bytes: usize,
}

/// A model as it was at some time. The first thread to ask loads it. Only threads that want the
/// same model wait, and they only where there is none before it.
#[derive(Debug)]
pub(super) struct Slot {
    stamp: Stamp,
    pub model: Arc<OnceLock<Loading>>,
    /// The last one that could be loaded, until this one is.
    pub before: Before,
    /// When `model.json` was written, if it is loaded and that is known.
    pub written: Option<SystemTime>,
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
    pub(super) fn newest(&self) -> Option<&Arc<SiteModel>> {
        self.model.get().and_then(|loading| loading.as_ref().ok()).or(self.before.as_ref())
    }
}

pub(super) type Loading = Result<Arc<SiteModel>, Arc<Error>>;

pub(super) type Before = Option<Arc<SiteModel>>;

/// Models that are to forget what they remember.
pub(super) type Forgetting = Vec<Arc<SiteModel>>;

impl Loaded {
    /// With what they remember.
    pub(super) fn all_bytes(&self) -> usize {
        self.bytes + self.remembered.held()
    }

    /// What is served of a site, the most recently used from now on; nothing where a model must
    /// be loaded first.
    pub(super) fn served(&mut self, site: &str, stamp: Stamp) -> Option<Loading> {
        self.models.get(site).filter(|slot| slot.holds(stamp))?.served()
    }

    /// The slot of a site, the most recently used from now on, a new one where the folder has
    /// changed; and the model before it.
    pub(super) fn slot(&mut self, site: &str, stamp: Stamp) -> (Arc<OnceLock<Loading>>, Before) {
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
    pub(super) fn account(
        &mut self,
        site: &str,
        stamp: Stamp,
        loading: &Loading,
        written: Option<SystemTime>,
    ) -> Option<Forgetting> {
        // Asking for it makes it the most recently used: it stays.
        if let Some(slot) = self.models.get_mut(site).filter(|slot| slot.stamp == stamp) {
            let kept = slot.before.as_ref().filter(|_| loading.is_err());
            let bytes = match loading {
                Ok(model) => model.bytes(),
                // Its error may tell what a file holds.
                Err(error) => {
                    let told = error.to_string().len().max(BROKEN_BYTES);
                    told + kept.map_or(0, |before| before.bytes())
                }
            };
            slot.before = kept.cloned();
            slot.written = written.filter(|_| loading.is_ok());
            self.bytes = self.bytes - slot.bytes + bytes;
            slot.bytes = bytes;
        }
        self.make_room(site)
    }

    /// Makes room where models, with what they remember, take too much; nothing where they do not.
    /// To find something out again costs less than to load a model: where they remember much, all
    /// are to forget it, but not while others wait for the lock. Then models are dropped, the one
    /// not asked for the longest first, but not that of `site`.
    pub(super) fn make_room(&mut self, site: &str) -> Option<Forgetting> {
        let (models, mut remembered) = (self.models.len(), self.remembered.held());
        if self.bytes + remembered <= self.most_bytes {
            self.remembered.set_most(self.most_bytes - self.bytes);
            return None;
        }
        let mut forgetting = Vec::new();
        if remembered > self.most_bytes / REMEMBERED {
            work::count(models);
            forgetting.extend(self.models.iter().filter_map(|(_, slot)| slot.newest().cloned()));
            remembered = 0;
        }
        while self.bytes + remembered > self.most_bytes && self.drop_oldest(site) {
            remembered = remembered.min(self.remembered.held());
        }
        self.remembered.set_most(self.most_bytes.saturating_sub(self.bytes));
        (self.models.len() < models || !forgetting.is_empty()).then_some(forgetting)
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
        if let Some(dropped) = self.models.pop(&name) {
            self.bytes -= dropped.bytes;
            // Somebody may still have it.
            dropped.newest().inspect(|model| model.forget());
        }
        true
    }
}
