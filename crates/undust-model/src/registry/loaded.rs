//! The models that a registry holds, and what of them goes where they take too much.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use lru::LruCache;

use undust_util::error::{Error, Result};
use undust_util::op_counter;

use super::evicted::{Dropped, Evicted};
use crate::cache::SharedBudget;
use crate::registry::sites::{FRESH, Stamp};
use crate::site_model::SiteModel;

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
    /// Kept free for models that are being loaded: together no more than `most_bytes`.
    pub reserved: usize,
    /// Those that were dropped, as far as somebody has them.
    pub elsewhere: Evicted,
    pub remembered: Arc<SharedBudget>,
    pub most_bytes: usize,
    /// The most that was ever in memory or reserved, when a model had been loaded.
    #[cfg(test)]
    pub highest: usize,
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
    /// While it is being loaded those of the one before, which is still held.
    bytes: usize,
    at: Instant,
    /// Since when it is being loaded; before that it waits for room.
    begun: Option<Instant>,
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
            // Whoever made the slot is loading it, or waits for room.
            (None, Some(before)) if self.begun.is_none_or(|begun| begun.elapsed() < LOADING) => {
                Some(Ok(Arc::clone(before)))
            }
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
    /// With what they remember, and with those that were dropped and somebody still has.
    pub(super) fn all_bytes(&self) -> usize {
        self.bytes + self.elsewhere.bytes() + self.remembered.held()
    }

    /// Whether this is the newest model of its site, and was not dropped.
    pub(super) fn holds(&self, model: &Arc<SiteModel>) -> bool {
        let slot = self.models.peek(&**model.site());
        slot.and_then(Slot::newest).is_some_and(|newest| Arc::ptr_eq(newest, model))
    }

    /// What is served of a site, the most recently used from now on; nothing where a model must
    /// be loaded first.
    pub(super) fn served(&mut self, site: &str, stamp: Stamp) -> Option<Loading> {
        if !self.models.contains(site) {
            self.take_back(site, stamp);
        }
        self.models.get(site).filter(|slot| slot.holds(stamp))?.served()
    }

    /// Holds a model again that was dropped, if somebody has it.
    fn take_back(&mut self, site: &str, stamp: Stamp) {
        if let Some((model, Dropped { written, bytes, .. })) = self.elsewhere.take(site, stamp) {
            self.bytes += bytes;
            let model = Arc::new(OnceLock::from(Ok(model)));
            let at = Instant::now();
            let slot = Slot { stamp, model, before: None, written, bytes, at, begun: None };
            self.models.put(site.into(), slot);
        }
    }

    /// Notes that a model is being loaded from now on.
    pub(super) fn begin(&mut self, site: &str, stamp: Stamp) {
        if let Some(slot) = self.models.peek_mut(site).filter(|slot| slot.stamp == stamp) {
            slot.begun = Some(Instant::now());
        }
    }

    /// The slot of a site, the most recently used from now on, a new one where the folder has
    /// changed; and the model before it.
    pub(super) fn slot(&mut self, site: &str, stamp: Stamp) -> (Arc<OnceLock<Loading>>, Before) {
        if !self.models.contains(site) {
            self.take_back(site, stamp);
        }
        if let Some(slot) = self.models.get(site).filter(|slot| slot.holds(stamp)) {
            return (Arc::clone(&slot.model), slot.before.clone());
        }
        let old = self.models.pop(site);
        let (held, before) = old.map_or((0, None), |slot| (slot.bytes, slot.newest().cloned()));
        let bytes = if before.is_some() { held } else { 0 };
        self.bytes -= held - bytes;
        let model = Arc::default();
        let slot = Slot {
            stamp,
            model: Arc::clone(&model),
            before: before.clone(),
            written: None,
            bytes,
            at: Instant::now(),
            begun: None,
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
                    let described = error.to_string().len().max(BROKEN_BYTES);
                    described + kept.map_or(0, |before| before.bytes())
                }
            };
            if let Some(replaced) = slot.before.as_ref().filter(|_| loading.is_ok()) {
                self.elsewhere.count(replaced, slot.bytes);
            }
            slot.before = kept.cloned();
            slot.written = written.filter(|_| loading.is_ok());
            self.bytes = self.bytes - slot.bytes + bytes;
            slot.bytes = bytes;
        } else if let Ok(model) = loading {
            // Its folder was replaced meanwhile. Those who waited for it have it.
            self.elsewhere.count(model, model.bytes());
        }
        #[cfg(test)]
        self.note_highest();
        self.make_room(site)
    }

    /// Makes room where models, with what they remember and those that come, take too much.
    pub(super) fn make_room(&mut self, site: &str) -> Option<Forgetting> {
        self.make_room_beside(site, |_| 0)
    }

    /// The same before a model is loaded: what somebody else has takes room, too. To drop that gains
    /// nothing, so more goes, but half of all room stays to those that are idle.
    pub(super) fn make_room_to_load(&mut self, site: &str) -> Option<Forgetting> {
        self.make_room_beside(site, |loaded| loaded.elsewhere.bytes().min(loaded.most_bytes / 2))
    }

    /// Makes room, if there is too little. To find something out again costs less than to load a
    /// model: where they remember much, all are to forget it, but not while others wait for the lock.
    /// Then models are dropped, the one not asked for the longest first, but not that of `site`.
    fn make_room_beside(&mut self, site: &str, beside: fn(&Self) -> usize) -> Option<Forgetting> {
        let (models, mut remembered) = (self.models.len(), self.remembered.held());
        let most_bytes = self.most_bytes.saturating_sub(self.reserved);
        let taken = self.bytes + beside(self);
        if taken + remembered <= most_bytes {
            self.remembered.set_most(most_bytes - taken);
            return None;
        }
        let are_to_forget = remembered > self.most_bytes / REMEMBERED;
        if are_to_forget {
            remembered = 0;
        }
        while self.bytes + beside(self) + remembered > most_bytes && self.drop_oldest(site) {
            remembered = remembered.min(self.remembered.held());
        }
        self.remembered.set_most(most_bytes.saturating_sub(self.bytes));
        let mut forgetting = Vec::new();
        if are_to_forget {
            op_counter::count(self.models.len());
            forgetting.extend(self.models.iter().filter_map(|(_, slot)| slot.newest().cloned()));
        }
        (self.models.len() < models || are_to_forget).then_some(forgetting)
    }

    /// Drops the model not asked for the longest, but for `site` and those still being loaded;
    /// whether there was one.
    fn drop_oldest(&mut self, site: &str) -> bool {
        let mut from_oldest = self.models.iter().rev();
        let oldest = from_oldest.find(|(name, slot)| {
            op_counter::count(1);
            slot.model.get().is_some() && ***name != *site
        });
        let Some(name) = oldest.map(|(name, _)| name.clone()) else { return false };
        if let Some(slot) = self.models.pop(&name) {
            self.bytes -= slot.bytes;
            self.let_go(name, &slot);
        }
        true
    }

    /// Somebody may still have what is dropped.
    fn let_go(&mut self, site: Box<str>, slot: &Slot) {
        let Some(model) = slot.newest() else { return };
        model.forget();
        // Who waits for what was just loaded has the slot's cell alone yet.
        if Arc::strong_count(model) == 1 && Arc::strong_count(&slot.model) == 1 {
            return;
        }
        self.elsewhere.count(model, slot.bytes);
        if matches!(slot.model.get(), Some(Ok(_))) {
            let Slot { stamp, written, bytes, .. } = *slot;
            let model = Arc::downgrade(model);
            self.elsewhere.put(site, Dropped { stamp, written, bytes, model });
        }
    }

    /// Notes what is in memory, where nothing was dropped yet for what was just loaded.
    #[cfg(test)]
    fn note_highest(&mut self) {
        self.highest = self.highest.max(self.all_bytes() + self.reserved);
    }
}
