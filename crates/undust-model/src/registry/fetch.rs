//! Models from storage, many at once: while one is waited for, others come.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustc_hash::FxHashSet;
use undust_url::site::{SiteBy, site_of};

use super::Registry;

/// Models that are loaded at once.
const AT_ONCE: usize = 16;

impl Registry {
    /// Loads the models for these URLs that must be waited for, where they are in storage elsewhere.
    pub(super) fn fetch(&self, urls: &[&str]) {
        if !self.sites.is_stored() {
            return;
        }
        let mut hosts = FxHashSet::default();
        let mut missing = Vec::new();
        for url in urls {
            let is_new = site_of(url, SiteBy::Host).is_some_and(|host| hosts.insert(host));
            if is_new && self.model_at_once(url).is_none() {
                missing.push(*url);
            }
        }
        let next = AtomicUsize::new(0);
        let load = || {
            while let Some(url) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                // Whoever asks for it gets its error.
                self.model(url).ok();
            }
        };
        thread::scope(|scope| {
            for _ in 1..missing.len().min(AT_ONCE) {
                // What has no thread is loaded by the others.
                thread::Builder::new().spawn_scoped(scope, load).ok();
            }
            load();
        });
    }
}
