//! Which sites have a model, looked up on disk on demand.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use quick_cache::UnitWeighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use rustc_hash::{FxBuildHasher, FxHasher};

use undust_url::site::{SiteBy, site_of};
use undust_util::atomic_file::check_no_file;
use undust_util::error::{Error, ModelReason, NoModelsReason, PackReason, Result};

use super::info::site_by;
use super::names::{MODEL, loaded};
use super::source::Source;
use crate::pack::{LivePack, Pack, PackedModel};
use crate::site_model::SiteModel;
use crate::translation::Reason;

/// How long a look at a folder stays valid.
pub(crate) const FRESH: Duration = Duration::from_millis(500);

/// Sites, those without a model included, that are remembered: some 8 MB.
const REMEMBERED: usize = 1 << 16;

/// The sites below a folder of models, or in a pack. Nothing is read before it is asked for, and what changes
/// on the disk is seen within half a second.
pub struct Sites {
    folder: PathBuf,
    /// The pack at this place, where it is no folder.
    pack: Option<LivePack>,
    known: Cache<Box<str>, SiteLookup, UnitWeighter, FxBuildHasher>,
}

impl fmt::Debug for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sites").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// What was last seen of a site.
#[derive(Debug, Clone, Copy)]
struct SiteLookup {
    model: Option<FoundModel>,
    at: Instant,
}

/// A model that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FoundModel {
    by: SiteBy,
    stamp: Stamp,
}

/// Distinguishes one state of a model folder from another: a hash of what the file system says of its
/// files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// Of the folder as it is; nothing where it holds no model. A folder that may not be read may hold one.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        let mut hasher = FxHasher::default();
        let model = folder.join(MODEL);
        if is_absent(&model) {
            return None;
        }
        FileIdentity::of(&model).hash(&mut hasher);
        for file in loaded() {
            FileIdentity::of(&folder.join(file)).hash(&mut hasher);
        }
        Some(Self(hasher.finish()))
    }
}

/// Whether a file is not there, rather than out of reach.
pub(crate) fn is_absent(path: &Path) -> bool {
    let absent = |error: io::Error| {
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    };
    fs::metadata(path).is_err_and(absent)
}

/// What changes where a file is replaced or written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FileIdentity(u64, u64, Option<SystemTime>);

impl FileIdentity {
    /// Of the file at a path; none where there is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let inode = 0u64;
        Some(Self(inode, metadata.len(), metadata.modified().ok()))
    }
}

impl Sites {
    /// Of a folder that may hold no model, or not be there.
    pub(crate) fn any(folder: &Path) -> Self {
        let known = Cache::with(
            REMEMBERED,
            REMEMBERED as u64,
            UnitWeighter,
            FxBuildHasher,
            DefaultLifecycle::default(),
        );
        let pack = folder.is_file().then(|| LivePack::at(folder));
        Self { folder: folder.to_path_buf(), pack, known }
    }

    /// Of a folder that holds one model at least.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let missing = |reason| Error::NoModels { path: folder.to_path_buf(), reason };
        if is_absent(folder) {
            return Err(missing(NoModelsReason::NoFolder));
        }
        if Pack::is_pack(folder) {
            return match Pack::open(folder)?.models() {
                0 => Err(missing(NoModelsReason::Empty)),
                _ => Ok(Self::any(folder)),
            };
        }
        let wrong = |reason| Error::Model { path: folder.to_path_buf(), reason };
        check_no_file(folder, || wrong(ModelReason::NotAFolder))?;
        let sites = Self::any(folder);
        match sites.names()?.next() {
            Some(_) => Ok(sites),
            None if folder.join(MODEL).exists() => Err(wrong(ModelReason::OneSite)),
            None => Err(missing(NoModelsReason::Empty)),
        }
    }

    /// The sites that have a model, in no order; an error for each part of a pack that is damaged.
    pub(crate) fn each(&self) -> Result<Box<dyn Iterator<Item = Result<String>> + Send>> {
        match &self.pack {
            Some(pack) => {
                let name = |model: PackedModel| model.site().to_owned();
                Ok(Box::new(pack.current()?.all().map(move |model| model.map(name))))
            }
            None => Ok(Box::new(self.folders()?.map(Ok))),
        }
    }

    /// The sites that have a model, in no order, as far as they can be read.
    pub(crate) fn names(&self) -> Result<impl Iterator<Item = String> + use<>> {
        Ok(self.each()?.filter_map(Result::ok))
    }

    fn folders(&self) -> Result<impl Iterator<Item = String> + Send + use<>> {
        let folder = &self.folder;
        let entries = fs::read_dir(folder).map_err(Error::io("read models in", folder))?;
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let is_site = !name.starts_with('.') && name != SiteModel::BASE;
            (is_site && !is_absent(&entry.path().join(MODEL))).then_some(name)
        };
        Ok(entries.filter_map(move |entry| name(entry.ok()?)))
    }

    /// Whether there is a folder of models.
    pub(crate) fn is_there(&self) -> bool {
        !is_absent(&self.folder)
    }

    /// The folder of all models, or the pack.
    pub(crate) fn place(&self) -> &Path {
        &self.folder
    }

    /// The folder of a site; in a pack, what would be it.
    pub(crate) fn folder(&self, site: &str) -> PathBuf {
        self.folder.join(site)
    }

    /// Where the files of a site's model are.
    ///
    /// # Errors
    ///
    /// The pack has no model of this site, or the part of it that would say so is damaged.
    pub(crate) fn source(&self, site: &str) -> Result<Source> {
        let Some(pack) = &self.pack else { return Ok(Source::Folder(self.folder(site))) };
        let none = || Error::Pack { path: self.folder(site), reason: PackReason::NoModel };
        pack.current()?.find(site)?.map(Source::Packed).ok_or_else(none)
    }

    /// Of the files of a site's model as they are now; nothing in a pack, where they stay the same.
    pub(crate) fn stamp(&self, site: &str) -> Option<Stamp> {
        self.pack.is_none().then(|| Stamp::of(&self.folder(site))).flatten()
    }

    /// The site whose model translates `url`: its host's, else its domain's where that was
    /// trained with [`SiteBy::Domain`].
    pub(crate) fn find_site<'u>(&self, url: &'u str) -> Result<(Cow<'u, str>, Stamp), Reason> {
        let now = Instant::now();
        for by in [SiteBy::Host, SiteBy::Domain] {
            let site = site_of(url, by).ok_or(Reason::NoUrl)?;
            match self.look(&site, now) {
                Some(seen) if seen.by == by => return Ok((site, seen.stamp)),
                _ => {}
            }
        }
        Err(Reason::NoModel)
    }

    fn look(&self, site: &str, now: Instant) -> Option<FoundModel> {
        let before = match self.known.get(site) {
            Some(known) if now.saturating_duration_since(known.at) < FRESH => return known.model,
            before => before.and_then(|known| known.model),
        };
        let model = self.look_again(site, before);
        self.known.insert(site.into(), SiteLookup { model, at: now });
        model
    }

    /// A folder whose `model.json` cannot be read counts as what it was, else as a host's, so that
    /// a URL of that host reports the error.
    fn look_again(&self, site: &str, before: Option<FoundModel>) -> Option<FoundModel> {
        if site == SiteModel::BASE {
            return None;
        }
        if let Some(pack) = &self.pack {
            return found_in(pack, site, before);
        }
        let folder = self.folder(site);
        let stamp = Stamp::of(&folder)?;
        match before {
            Some(before) if before.stamp == stamp => Some(before),
            before => {
                let by = site_by(&folder).or_else(|| before.map(|before| before.by));
                Some(FoundModel { by: by.unwrap_or(SiteBy::Host), stamp })
            }
        }
    }
}

/// What a pack has of a site. Where the part of it is damaged that would say so, it counts as what it was, else as a
/// host's, so that a URL of that host reports the error.
fn found_in(pack: &LivePack, site: &str, before: Option<FoundModel>) -> Option<FoundModel> {
    let known_by =
        |by: Option<SiteBy>| by.or(before.map(|before| before.by)).unwrap_or(SiteBy::Host);
    match pack.current().and_then(|pack| pack.find(site)) {
        Ok(model) => model
            .map(|model| FoundModel { by: known_by(model.site_by()), stamp: Stamp(model.sum()) }),
        Err(_) => Some(FoundModel { by: known_by(None), stamp: Stamp(0) }),
    }
}
