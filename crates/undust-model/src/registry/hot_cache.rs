//! The models that were asked for a moment ago, by the beginning of URLs.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use rustc_hash::FxHasher;

use crate::site_model::{SiteModel, origin};

/// Beginnings that are held at once.
const SLOTS: usize = 64;

/// How long a model is held: short beside how long a look at the disk stays valid, to which it adds.
const HELD: Duration = Duration::from_millis(100);

/// Models by the scheme and authority of URLs, byte for byte: URLs that agree in these are of one
/// site. Looking one up takes no lock and writes nothing that threads share.
#[derive(Debug)]
pub(super) struct HotCache {
    slots: Vec<ArcSwapOption<Entry>>,
}

/// A model and whose it is.
#[derive(Debug)]
struct Entry {
    origin: Box<str>,
    at: Instant,
    model: Arc<SiteModel>,
}

impl Default for HotCache {
    fn default() -> Self {
        Self { slots: (0..SLOTS).map(|_| ArcSwapOption::empty()).collect() }
    }
}

impl HotCache {
    /// Hands the model of a URL to `use_it`; nothing where it was not asked for a moment ago.
    pub(super) fn ask<R>(&self, url: &str, use_it: impl FnOnce(&Arc<SiteModel>) -> R) -> Option<R> {
        let origin = origin(url)?;
        let entry = self.slot(origin)?.load();
        let entry = entry.as_ref().filter(|entry| *entry.origin == *origin)?;
        (entry.at.elapsed() < HELD).then(|| use_it(&entry.model))
    }

    /// Holds the model of a URL.
    pub(super) fn put(&self, url: &str, model: &Arc<SiteModel>) {
        if let Some(origin) = origin(url)
            && let Some(slot) = self.slot(origin)
        {
            let (at, model) = (Instant::now(), Arc::clone(model));
            slot.store(Some(Arc::new(Entry { origin: origin.into(), at, model })));
        }
    }

    /// Forgets all.
    pub(super) fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.store(None));
    }

    fn slot(&self, origin: &str) -> Option<&ArcSwapOption<Entry>> {
        let mut state = FxHasher::default();
        origin.hash(&mut state);
        self.slots.get(state.finish() as usize % SLOTS)
    }
}

#[cfg(test)]
mod tests {
    use undust_url::site::SiteBy;

    use super::*;
    use crate::model::Model;
    use crate::site_model::SiteScope;

    #[test]
    fn a_model_is_for_urls_that_begin_alike() {
        let home = SiteScope::AnyOf(Arc::default(), SiteBy::Host);
        let model = Arc::new(SiteModel::new("x.com", (None, Model::Identity), home));
        let front = HotCache::default();
        let has = |url| front.ask(url, |model| assert_eq!(&**model.site(), "x.com")).is_some();
        front.put("http://x.com/a", &model);
        front.put("no URL", &model);
        assert!(has("http://x.com/b") && has("http://x.com") && has("http://x.com?a"));
        for url in ["https://x.com/", "http://x.com.org/", "http://x.co/", "http://", "no URL", ""]
        {
            assert!(!has(url), "{url}");
        }
        front.clear();
        assert!(!has("http://x.com/b"));
        assert_eq!(Arc::strong_count(&model), 1);
    }
}
