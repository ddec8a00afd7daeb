//! Finds the model of a URL among the folders of many sites.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{ModelInfo, load};
use crate::seq2seq::Translator;
use crate::site::{SiteBy, site_of};
use crate::translation::{How, Reason, Translation};
use crate::{Error, Result};

/// Models held in memory at once; beyond, the one not asked for the longest is dropped.
const LOADED: usize = 256;

/// The models of a folder. Each is loaded when a URL of its site first comes by.
#[derive(Debug)]
pub struct Registry {
    folder: PathBuf,
    sites: FxHashMap<String, Slot>,
    clock: u64,
    loaded: usize,
}

#[derive(Debug)]
enum Slot {
    OnDisk,
    Loaded { model: Arc<SiteModel>, used: u64 },
    Broken,
}

/// The model of one site, at work.
#[derive(Debug)]
pub struct SiteModel {
    /// What it is.
    pub info: ModelInfo,
    translator: Translator,
}

impl SiteModel {
    /// Decodes in batches what [`SiteModel::translate`] will need for these URLs.
    pub fn prepare<'u>(&self, urls: impl IntoIterator<Item = &'u str>) {
        self.translator.prepare(urls);
    }

    /// Translates a URL of the site; never to another site, whose own model would have a
    /// say in it.
    pub fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        let translation = self.translator.translate(url);
        let changed = matches!(&translation.canonical, Cow::Owned(canonical) if canonical != url);
        if changed && !self.is_home_of(&translation.canonical) {
            return Translation { canonical: url.into(), how: How::Unchanged(Reason::OtherSite) };
        }
        translation
    }

    fn is_home_of(&self, url: &str) -> bool {
        site_of(url, self.info.site_by).is_some_and(|site| site == self.info.site)
    }
}

impl Registry {
    /// Lists the models below `folder`, which must hold one at least.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut sites = FxHashMap::default();
        for entry in std::fs::read_dir(folder).map_err(Error::io("read models in", folder))? {
            let entry = entry.map_err(Error::io("read models in", folder))?;
            let name = entry.file_name().into_string().unwrap_or_default();
            if !name.starts_with('.') && entry.path().join(super::MODEL).exists() {
                sites.insert(name, Slot::OnDisk);
            }
        }
        if sites.is_empty() {
            let reason = "holds no model; make one with `undust train`".into();
            return Err(Error::Model { path: folder.to_path_buf(), reason });
        }
        Ok(Self { folder: folder.to_path_buf(), sites, clock: 0, loaded: 0 })
    }

    /// Number of sites.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether there is no model; never, for [`Registry::open`] refuses that.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The name of the site whose model translates `url`: its host's, else its domain's.
    pub fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        let host = site_of(url, SiteBy::Host).ok_or(Reason::NoUrl)?;
        if self.sites.contains_key(host.as_ref()) {
            return Ok(host);
        }
        let domain = site_of(url, SiteBy::Domain).ok_or(Reason::NoUrl)?;
        if self.sites.contains_key(domain.as_ref()) { Ok(domain) } else { Err(Reason::NoModel) }
    }

    /// The model of a site. A folder that cannot be loaded is an error once, and no model
    /// from then on.
    pub fn model(&mut self, site: &str) -> Result<Option<Arc<SiteModel>>> {
        self.clock += 1;
        match self.sites.get_mut(site) {
            None | Some(Slot::Broken) => Ok(None),
            Some(Slot::Loaded { model, used }) => {
                *used = self.clock;
                Ok(Some(Arc::clone(model)))
            }
            Some(Slot::OnDisk) => self.load(site).map(Some),
        }
    }

    fn load(&mut self, site: &str) -> Result<Arc<SiteModel>> {
        if self.loaded >= LOADED {
            self.forget_oldest();
        }
        let loaded = load(&self.folder.join(site));
        let (slot, model) = match loaded {
            Ok((info, translator)) => {
                let model = Arc::new(SiteModel { info, translator });
                self.loaded += 1;
                (Slot::Loaded { model: Arc::clone(&model), used: self.clock }, Ok(model))
            }
            Err(error) => (Slot::Broken, Err(error)),
        };
        if let Entry::Occupied(mut entry) = self.sites.entry(site.to_owned()) {
            entry.insert(slot);
        }
        model
    }

    fn forget_oldest(&mut self) {
        let oldest = self.sites.values_mut().filter_map(|slot| match slot {
            Slot::Loaded { used, .. } => Some((*used, slot)),
            _ => None,
        });
        if let Some((_, slot)) = oldest.min_by_key(|(used, _)| *used) {
            *slot = Slot::OnDisk;
            self.loaded -= 1;
        }
    }
}
