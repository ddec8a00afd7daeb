//! Finds the model of a URL among the folders of many sites.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{ModelInfo, Served, info, load};
use crate::site::{SiteBy, site_of};
use crate::translation::{How, Reason, Translation};
use crate::{Error, Result};

/// Models held in memory at once; beyond, the one not asked for the longest is dropped.
const LOADED: usize = 256;

/// The models of a folder. Each is loaded when a URL of its site first comes by.
#[derive(Debug)]
pub struct Registry {
    folder: PathBuf,
    names: Arc<Names>,
    sites: FxHashMap<String, Slot>,
    clock: u64,
    loaded: usize,
}

/// The sites that have a model, and what each name means.
#[derive(Debug, Default)]
struct Names(FxHashMap<String, SiteBy>);

impl Names {
    /// The site whose model is in charge of `url`: its host's, else its domain's.
    fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        for by in [SiteBy::Host, SiteBy::Domain] {
            let site = site_of(url, by).ok_or(Reason::NoUrl)?;
            if self.0.get(site.as_ref()) == Some(&by) {
                return Ok(site);
            }
        }
        Err(Reason::NoModel)
    }
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
    served: Served,
    names: Arc<Names>,
}

impl SiteModel {
    /// Decodes in batches what [`SiteModel::translate`] will need for these URLs.
    pub fn prepare<'u>(&self, urls: impl IntoIterator<Item = &'u str>) {
        self.served.prepare(urls);
    }

    /// Translates a URL of the site; never to a URL that another model is in charge of, or
    /// none, which would have a say in it.
    pub fn translate<'u>(&self, url: &'u str) -> Translation<'u> {
        let translation = self.served.translate(url);
        let changed = matches!(&translation.canonical, Cow::Owned(canonical) if canonical != url);
        let is_home = |url: &str| self.names.site(url).is_ok_and(|site| site == self.info.site);
        if changed && !is_home(&translation.canonical) {
            return Translation { canonical: url.into(), how: How::Unchanged(Reason::OtherSite) };
        }
        translation
    }
}

impl Registry {
    /// Lists the models below `folder`, which must hold one at least.
    pub fn open(folder: &Path) -> Result<Self> {
        let missing = |reason: &str| {
            let reason = format!("{reason}; make a model with `undust train`");
            Error::Model { path: folder.to_path_buf(), reason }
        };
        if !folder.exists() {
            return Err(missing("there is no such folder"));
        }
        let mut names = Names::default();
        let mut sites = FxHashMap::default();
        for entry in std::fs::read_dir(folder).map_err(Error::io("read models in", folder))? {
            let entry = entry.map_err(Error::io("read models in", folder))?;
            let name = entry.file_name().into_string().unwrap_or_default();
            if !name.starts_with('.') && entry.path().join(super::MODEL).exists() {
                // A folder that cannot be read is told of when a URL asks for it.
                let by = info(&entry.path()).map_or(SiteBy::Host, |info| info.site_by);
                names.0.insert(name.clone(), by);
                sites.insert(name, Slot::OnDisk);
            }
        }
        if sites.is_empty() {
            return Err(missing("holds no model"));
        }
        let (folder, names) = (folder.to_path_buf(), Arc::new(names));
        Ok(Self { folder, names, sites, clock: 0, loaded: 0 })
    }

    /// Number of sites.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether there is no model; never, for [`Registry::open`] refuses that.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The name of the site whose model translates `url`: its host's, else its domain's
    /// where that was trained with [`SiteBy::Domain`].
    pub fn site<'u>(&self, url: &'u str) -> Result<Cow<'u, str>, Reason> {
        self.names.site(url)
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
            Ok((info, served)) => {
                let names = Arc::clone(&self.names);
                let model = Arc::new(SiteModel { info, served, names });
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
