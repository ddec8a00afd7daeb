//! Models that stay the same while one piece of work lasts.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{LookupError, Registry};
use crate::site_model::SiteModel;
use crate::translation::{Canonicalizer, Reason};

/// Where a queue finds the model of a URL.
pub trait Models: Sync {
    /// The model for `url`.
    fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError>;

    /// The name of the site whose model translates `url`: its host, or its domain if that was
    /// trained by domain.
    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason>;
}

/// As they are at any moment.
impl Models for Registry {
    fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        Self::model(self, url)
    }

    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        self.find_site(url).map(|(site, _)| site)
    }
}

/// The models of a registry, each as it was when it was first used. So one request gets all answers
/// of a site from one model, even if training replaces it meanwhile.
pub struct Pinned<'r> {
    registry: &'r Registry,
    held: Mutex<FxHashMap<Arc<str>, Arc<SiteModel>>>,
}

impl<'r> Pinned<'r> {
    /// Pins no model yet.
    pub fn new(registry: &'r Registry) -> Self {
        Self { registry, held: Mutex::default() }
    }

    /// Lets networks answer these URLs in batches, unless they have answered them before.
    pub fn prepare<'u>(&self, urls: impl Iterator<Item = &'u str>) {
        let urls: Vec<&str> = urls.collect();
        self.registry.fetch(&urls);
        let mut by_site: FxHashMap<Arc<str>, (Arc<SiteModel>, Vec<&str>)> = FxHashMap::default();
        for url in urls {
            if let Ok(model) = self.model(url) {
                let site = Arc::clone(&model.site);
                by_site.entry(site).or_insert_with(|| (model, Vec::new())).1.push(url);
            }
        }
        for (model, urls) in by_site.into_values() {
            model.prepare(&mut urls.into_iter());
        }
    }
}

impl Models for Pinned<'_> {
    fn model(&self, url: &str) -> Result<Arc<SiteModel>, LookupError> {
        let model = self.registry.model(url)?;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(held.entry(Arc::clone(&model.site)).or_insert(model)))
    }

    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        self.registry.site(url)
    }
}
