//! A pack that may be replaced, or appended to, while it is served.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use undust_util::error::{Error, PackReason, Result};

use super::Pack;
use crate::folder::sites::{FRESH, FileIdentity};

/// The pack at a path, as it is now. Where it cannot be opened, the one before stays.
#[derive(Debug)]
pub(crate) struct LivePack {
    path: PathBuf,
    opened: Mutex<Opened>,
}

#[derive(Debug)]
struct Opened {
    pack: Option<Arc<Pack>>,
    identity: Option<FileIdentity>,
    at: Instant,
}

impl LivePack {
    /// The pack at this path, whether it can be opened or not.
    pub(crate) fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf(), opened: Mutex::new(Opened::at(path)) }
    }

    /// The newest generation of it that could be opened, as of half a second ago at most.
    ///
    /// # Errors
    ///
    /// Why none could ever be.
    pub(crate) fn current(&self) -> Result<Arc<Pack>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.at.elapsed() >= FRESH {
            let identity = FileIdentity::of(&self.path);
            if opened.identity != identity {
                let before = opened.pack.take();
                *opened = Opened::at(&self.path);
                opened.pack = opened.pack.take().or(before);
            }
            opened.at = Instant::now();
        }
        match &opened.pack {
            Some(pack) => Ok(Arc::clone(pack)),
            None => Pack::open(&self.path).map(Arc::new),
        }
    }
}

impl Opened {
    /// What is there before it is opened, so that a change in between is seen the next time.
    fn at(path: &Path) -> Self {
        let identity = FileIdentity::of(path);
        Self { pack: Pack::open(path).ok().map(Arc::new), identity, at: Instant::now() }
    }
}

/// Fails where a model is to be written into a pack: at the pack itself, or at a folder in it.
///
/// # Errors
///
/// It is a pack.
pub(crate) fn check_writable(place: &Path) -> Result<()> {
    let packs = place.ancestors().take(3);
    match packs.into_iter().find(|path| Pack::is_pack(path)) {
        Some(path) => Err(Error::Pack { path: path.to_path_buf(), reason: PackReason::ReadOnly }),
        None => Ok(()),
    }
}
