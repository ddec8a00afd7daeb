//! Models that a registry has dropped, but that running requests have.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use undust_util::op_counter;

use crate::registry::sites::Stamp;
use crate::site_model::SiteModel;

/// So many may have gone from memory before they are looked for.
const FEW: usize = 64;

/// Counts a model's bytes among those held elsewhere, for as long as it is there.
#[derive(Debug)]
pub(crate) struct MemoryLease {
    all: Arc<AtomicUsize>,
    bytes: usize,
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Relaxed);
    }
}

/// A model that was dropped, and may be in memory yet.
#[derive(Debug)]
pub(super) struct Dropped {
    pub stamp: Stamp,
    pub written: Option<SystemTime>,
    pub bytes: usize,
    pub model: Weak<SiteModel>,
}

/// Models that the registry dropped. Who asks for one that somebody still has gets that one: no model
/// is twice in memory.
#[derive(Debug, Default)]
pub(super) struct Evicted {
    bytes: Arc<AtomicUsize>,
    dropped: FxHashMap<Box<str>, Dropped>,
    /// How many there may be before those that are gone from memory are forgotten.
    most: usize,
}

impl Evicted {
    /// Bytes of models that somebody still has.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Counts a model for as long as somebody has it.
    pub(super) fn count(&self, model: &SiteModel, bytes: usize) {
        self.bytes.fetch_add(bytes, Relaxed);
        model.charge(Some(MemoryLease { all: Arc::clone(&self.bytes), bytes }));
    }

    /// Keeps in mind where a model is that was dropped.
    pub(super) fn put(&mut self, site: Box<str>, dropped: Dropped) {
        if self.dropped.len() >= self.most.max(FEW) {
            op_counter::count(self.dropped.len());
            self.dropped.retain(|_, dropped| dropped.model.strong_count() > 0);
            self.most = 2 * self.dropped.len();
        }
        self.dropped.insert(site, dropped);
    }

    /// Takes a model back, if it is of the folder as it is and somebody has it.
    pub(super) fn take(&mut self, site: &str, stamp: Stamp) -> Option<(Arc<SiteModel>, Dropped)> {
        let dropped = self.dropped.remove(site)?;
        let model = dropped.model.upgrade().filter(|_| dropped.stamp == stamp)?;
        model.charge(None);
        Some((model, dropped))
    }
}
