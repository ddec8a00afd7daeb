//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use undust_model::registry::Registry;

use super::metrics::Counted;
use super::options::{ServiceLimits, ServiceOptions};

/// A service at work.
pub(super) struct Service {
    pub registry: Arc<Registry>,
    pub options: ServiceOptions,
    pub counted: Counted,
    /// One for each processor: each translation on a thread of its own takes one.
    pub turns: Semaphore,
    is_stopping: AtomicBool,
}

impl Service {
    pub(super) fn new(registry: Arc<Registry>, options: ServiceOptions) -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            registry,
            options,
            counted: Counted::new(),
            turns: Semaphore::new(processors),
            is_stopping: AtomicBool::new(false),
        }
    }

    pub(super) fn limits(&self) -> &ServiceLimits {
        &self.options.limits
    }

    /// The share of changing URLs that is fetched all the same.
    pub(super) fn exploration(&self) -> f64 {
        self.options.exploration.unwrap_or(0.0)
    }

    /// From now on it is not ready for more.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }
}
