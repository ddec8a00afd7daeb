//! Models that could not be loaded, each reported once.

use std::ops::Deref;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use undust_util::error::Error;

/// What is wrong with models that could not be loaded, each once, as they were met.
#[derive(Debug, Clone, Default)]
pub struct BrokenModels {
    errors: Vec<Arc<Error>>,
    /// What these say.
    described: FxHashSet<String>,
}

impl BrokenModels {
    /// Whether it was not known.
    pub fn note(&mut self, error: Arc<Error>) -> bool {
        // The URLs of one site follow one another.
        if self.errors.last().is_some_and(|last| Arc::ptr_eq(last, &error)) {
            return false;
        }
        let is_new = self.described.insert(error.to_string());
        if is_new {
            self.errors.push(error);
        }
        is_new
    }

    /// Notes all that others have met.
    pub fn add(&mut self, others: Self) {
        others.errors.into_iter().for_each(|error| _ = self.note(error));
    }
}

impl Deref for BrokenModels {
    type Target = [Arc<Error>];

    fn deref(&self) -> &Self::Target {
        &self.errors
    }
}
