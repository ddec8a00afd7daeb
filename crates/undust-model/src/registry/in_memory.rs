//! The contents of a registry, for monitoring.

use std::sync::Arc;
use std::time::SystemTime;

use undust_util::error::{Error, Result};

use super::Registry;
use crate::folder::info::ModelInfo;
use crate::folder::source::Source;

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

/// The model of a site, as far as it is known without loading it.
#[derive(Debug)]
#[non_exhaustive]
pub struct SavedModel {
    /// What its `model.json` says.
    pub info: Result<ModelInfo>,
    /// When that was written, as far as that is known.
    pub written: Option<SystemTime>,
    /// Bytes of its files.
    pub bytes: u64,
    /// Whether it, or the one before it, is in memory.
    pub is_loaded: bool,
    /// Why it cannot be loaded, if anybody has asked for it.
    pub error: Option<Arc<Error>>,
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

    /// What is known of a site's model without loading it; none if there is none.
    pub fn describe(&self, site: &str) -> Option<SavedModel> {
        let source = self.sites.source(site).ok().filter(Source::is_there)?;
        let entry = self.loaded.entry(site);
        let loading = entry.as_ref().and_then(|entry| entry.model.get());
        Some(SavedModel {
            info: ModelInfo::of(&source),
            written: source.written(),
            bytes: source.all_bytes(),
            is_loaded: entry.as_ref().is_some_and(|entry| entry.newest().is_some()),
            error: loading.and_then(|loading| loading.as_ref().err().cloned()),
        })
    }
}
