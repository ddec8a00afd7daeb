//! Which sites have a model, looked up on disk when they are asked for.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use std::{fmt, fs};

use quick_cache::UnitWeighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use rustc_hash::{FxBuildHasher, FxHasher};

use undust_url::site::{SiteBy, site_of};
use undust_util::atomic_file::check_no_file;

use super::info::site_by;
use super::names::{MODEL, loaded};
use super::source::Source;
use crate::error::{Error, ModelReason, Result};
use crate::file_state::{FRESH, FileIdentity, is_absent};
use crate::pack::{LivePack, Pack, PackedModel, StoredPack, check_writable};
use crate::translation::Reason;

/// Sites, those without a model included, that are remembered: some 8 MB.
const REMEMBERED: usize = 1 << 16;

/// The sites below a folder of models, or in a pack. Nothing is read before it is asked for, and what changes
/// on the disk is seen within half a second.
pub(crate) struct Sites {
    folder: PathBuf,
    place: Place,
    known: Cache<Box<str>, SiteLookup, UnitWeighter, FxBuildHasher>,
}

/// What is at the place of the models.
enum Place {
    Folder,
    /// A pack in a file of this machine.
    File(LivePack),
    /// A pack in storage elsewhere.
    Stored(StoredPack),
}

impl Place {
    /// The pack, if it is one.
    fn pack(&self) -> Option<Result<Arc<Pack>>> {
        match self {
            Self::Folder => None,
            Self::File(pack) => Some(pack.current()),
            Self::Stored(pack) => Some(Ok(pack.current())),
        }
    }

    /// The model of a site, if it is a pack.
    fn find(&self, site: &str) -> Option<Result<Option<PackedModel>>> {
        match self {
            Self::Folder => None,
            Self::File(pack) => Some(pack.current().and_then(|pack| pack.find(site))),
            Self::Stored(pack) => Some(pack.find(site)),
        }
    }
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
    /// The number of the pack in storage.
    number: u64,
}

/// A model that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FoundModel {
    by: SiteBy,
    stamp: Stamp,
    /// Whether that there is one is certain.
    is_certain: bool,
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

impl Sites {
    /// Of a folder that may hold no model, or not be there.
    pub(crate) fn any(folder: &Path) -> Self {
        let place = match folder.is_file() {
            true => Place::File(LivePack::at(folder)),
            false => Place::Folder,
        };
        Self::of(folder, place)
    }

    /// Of a pack in storage that holds one model at least.
    pub(crate) fn stored(pack: StoredPack) -> Result<Self> {
        let path = pack.name().to_path_buf();
        match pack.current().models() {
            0 => Err(Error::at(path, ModelReason::NoModels)),
            _ => Ok(Self::of(&path, Place::Stored(pack))),
        }
    }

    fn of(folder: &Path, place: Place) -> Self {
        let known = Cache::with(
            REMEMBERED,
            REMEMBERED as u64,
            UnitWeighter,
            FxBuildHasher,
            DefaultLifecycle::default(),
        );
        Self { folder: folder.to_path_buf(), place, known }
    }

    /// Of a folder that holds one model at least.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        if is_absent(folder) {
            return Err(Error::at(folder, ModelReason::NoFolder));
        }
        if Pack::is_pack(folder) {
            return match Pack::open(folder)?.models() {
                0 => Err(Error::at(folder, ModelReason::NoModels)),
                _ => Ok(Self::any(folder)),
            };
        }
        check_no_file(folder, || Error::at(folder, ModelReason::NotAFolder))?;
        let sites = Self::any(folder);
        match sites.each()?.find_map(Result::ok) {
            Some(_) => Ok(sites),
            None if folder.join(MODEL).exists() => Err(Error::at(folder, ModelReason::OneSite)),
            None => Err(Error::at(folder, ModelReason::NoModels)),
        }
    }

    /// The sites that have a model, in no order; an error for each part of a pack that is damaged.
    pub(crate) fn each(&self) -> Result<Box<dyn Iterator<Item = Result<String>> + Send>> {
        match self.place.pack() {
            Some(pack) => {
                let name = |model: PackedModel| model.site().to_owned();
                Ok(Box::new(pack?.all().map(move |model| model.map(name))))
            }
            None => Ok(Box::new(self.folders()?.map(Ok))),
        }
    }

    fn folders(&self) -> Result<impl Iterator<Item = String> + Send + use<>> {
        let folder = &self.folder;
        let entries = fs::read_dir(folder).map_err(Error::io("read models in", folder))?;
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            let is_site = !name.starts_with('.');
            (is_site && !is_absent(&entry.path().join(MODEL))).then_some(name)
        };
        Ok(entries.filter_map(move |entry| name(entry.ok()?)))
    }

    /// Whether they are in storage elsewhere, where each read takes a round trip.
    pub(crate) fn is_stored(&self) -> bool {
        matches!(self.place, Place::Stored(_))
    }

    /// Checks that files can be written into the folders of models.
    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.is_stored() {
            return Err(Error::at(&self.folder, ModelReason::ReadOnly));
        }
        check_writable(&self.folder)
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
        let Some(found) = self.place.find(site) else {
            return Ok(Source::Folder(self.folder(site)));
        };
        let none = || Error::at(self.folder(site), ModelReason::NoModel);
        found?.map(Source::Packed).ok_or_else(none)
    }

    /// Of the files of a site's model as they are now; nothing in a pack of this machine, where they stay the same. In
    /// storage a pack may have taken the place of the one that is open.
    pub(crate) fn stamp(&self, site: &str) -> Option<Stamp> {
        match &self.place {
            Place::Folder => Stamp::of(&self.folder(site)),
            Place::File(_) => None,
            Place::Stored(pack) => Some(Stamp(pack.number())),
        }
    }

    /// The same, after files of an earlier stamp could not be loaded.
    pub(crate) fn stamp_after(
        &self,
        site: &str,
        before: Option<Stamp>,
        error: &Error,
    ) -> Option<Stamp> {
        if let (Place::Stored(pack), Some(Stamp(number))) = (&self.place, before) {
            pack.is_replaced(number, error);
        }
        self.stamp(site)
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

    /// Whether [`Self::find_site`] would wait for storage.
    pub(crate) fn must_wait(&self, url: &str) -> bool {
        let Place::Stored(pack) = &self.place else { return false };
        let (now, number) = (Instant::now(), pack.number_seen());
        for by in [SiteBy::Host, SiteBy::Domain] {
            let Some(site) = site_of(url, by) else { break };
            match self.known.get(&*site).filter(|known| self.holds(known, number, now)) {
                None => return true,
                Some(known) if known.model.is_some_and(|seen| seen.by == by) => break,
                Some(_) => {}
            }
        }
        pack.is_due()
    }

    /// Whether a look-up still holds. What a pack in storage said holds until there is another one.
    fn holds(&self, known: &SiteLookup, number: u64, now: Instant) -> bool {
        let is_certain = known.model.is_none_or(|model| model.is_certain);
        let is_fresh = now.saturating_duration_since(known.at) < FRESH;
        match &self.place {
            Place::Stored(_) => known.number == number && (is_certain || is_fresh),
            Place::Folder | Place::File(_) => is_fresh,
        }
    }

    fn look(&self, site: &str, now: Instant) -> Option<FoundModel> {
        let number = match &self.place {
            Place::Stored(pack) => pack.number(),
            Place::Folder | Place::File(_) => 0,
        };
        let before = match self.known.get(site) {
            Some(known) if self.holds(&known, number, now) => return known.model,
            before => before.and_then(|known| known.model),
        };
        let model = self.look_again(site, before);
        self.known.insert(site.into(), SiteLookup { model, at: now, number });
        model
    }

    /// A folder whose `model.json` cannot be read counts as what it was, else as a host's, so that
    /// a URL of that host reports the error.
    fn look_again(&self, site: &str, before: Option<FoundModel>) -> Option<FoundModel> {
        match (self.place.find(site), before) {
            // What is in memory is served for as long as storage fails.
            (Some(Err(_)), Some(before)) if self.is_stored() => {
                return Some(FoundModel { is_certain: false, ..before });
            }
            (Some(found), before) => return found_in(found, before),
            (None, _) => {}
        }
        let folder = self.folder(site);
        let stamp = Stamp::of(&folder)?;
        match before {
            Some(before) if before.stamp == stamp => Some(before),
            before => {
                let by = site_by(&folder).or_else(|| before.map(|before| before.by));
                let by = by.unwrap_or(SiteBy::Host);
                Some(FoundModel { by, stamp, is_certain: true })
            }
        }
    }
}

/// What a pack has of a site. Where the part of it is damaged that would say so, it counts as what it was, else as a
/// host's, so that a URL of that host reports the error.
fn found_in(found: Result<Option<PackedModel>>, before: Option<FoundModel>) -> Option<FoundModel> {
    let known_by =
        |by: Option<SiteBy>| by.or(before.map(|before| before.by)).unwrap_or(SiteBy::Host);
    match found {
        Ok(model) => model.map(|model| FoundModel {
            by: known_by(model.site_by()),
            stamp: Stamp(model.sum()),
            is_certain: true,
        }),
        Err(_) => Some(FoundModel { by: known_by(None), stamp: Stamp(0), is_certain: false }),
    }
}
