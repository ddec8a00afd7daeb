//! The contents of a registry, for monitoring.

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
    /// Approximate bytes that they take, cached answers included.
    pub bytes: usize,
    /// When the `model.json` of each was written, as far as that is known; in no order.
    pub written: Vec<SystemTime>,
    /// Models whose folder cannot be loaded now; in no order.
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
    /// Whether the previous model is served.
    pub is_replaced: bool,
}

impl Registry {
    /// Approximate bytes that the models in memory take, cached answers included.
    pub(super) fn bytes_in_memory(&self) -> usize {
        self.loaded.bytes() + self.remembered.held()
    }

    /// The current contents. Linear in the number of models.
    pub fn in_memory(&self) -> InMemory {
        let mut held = InMemory { bytes: self.bytes_in_memory(), ..InMemory::default() };
        for (site, entry) in self.loaded.entries() {
            held.models += usize::from(entry.newest().is_some());
            held.written.extend(entry.written);
            if let Some(Err(error)) = entry.model.get() {
                let (error, is_replaced) = (Arc::clone(error), entry.before.is_some());
                held.broken.push(BrokenModel { site, error, is_replaced });
            }
        }
        held
    }

    /// Whether a model is in memory, and the error of its folder, if any.
    pub fn state_of(&self, site: &str) -> (bool, Option<Arc<Error>>) {
        let Some(entry) = self.loaded.entry(site) else { return (false, None) };
        let error = entry.model.get().and_then(|loading| loading.as_ref().err().cloned());
        (entry.newest().is_some(), error)
    }
}
