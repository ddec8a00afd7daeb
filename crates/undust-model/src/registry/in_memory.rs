//! What a registry holds, for those who watch it.

use std::sync::Arc;
use std::time::SystemTime;

use undust_util::error::Error;

use super::Registry;

/// The models that a [`Registry`] holds in memory.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct InMemory {
    /// Models that are served.
    pub models: usize,
    /// Bytes that they take, about, with what they remember of URLs, and those of models that only
    /// running requests have.
    pub bytes: usize,
    /// When the `model.json` of each was written, as far as that is known; in no order.
    pub written: Vec<SystemTime>,
    /// Those whose folder, as it is, cannot be loaded; in no order.
    pub broken: Vec<BrokenModel>,
}

/// A model folder that cannot be loaded.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BrokenModel {
    /// The site.
    pub site: Box<str>,
    /// What is wrong with the folder.
    pub error: Arc<Error>,
    /// Whether the model that was there before is served.
    pub is_replaced: bool,
}

impl Registry {
    /// Bytes that the models in memory take, about, with what they remember of URLs; those
    /// included that only running requests have.
    pub fn bytes_in_memory(&self) -> usize {
        self.lock().all_bytes()
    }

    /// What is in memory now. Takes a step for each model, and disturbs no other thread for longer
    /// than that.
    pub fn in_memory(&self) -> InMemory {
        let loaded = self.lock();
        let mut held = InMemory { bytes: loaded.all_bytes(), ..InMemory::default() };
        for (site, slot) in &loaded.models {
            held.models += usize::from(slot.newest().is_some());
            held.written.extend(slot.written);
            if let Some(Err(error)) = slot.model.get() {
                let (error, is_replaced) = (Arc::clone(error), slot.before.is_some());
                held.broken.push(BrokenModel { site: site.clone(), error, is_replaced });
            }
        }
        held
    }

    /// Whether a model is in memory, and what is wrong with its folder if something is.
    pub fn state_of(&self, site: &str) -> (bool, Option<Arc<Error>>) {
        let loaded = self.lock();
        let slot = loaded.models.peek(site);
        let error = slot.and_then(|slot| slot.model.get()?.as_ref().err().cloned());
        (slot.is_some_and(|slot| slot.newest().is_some()), error)
    }
}
