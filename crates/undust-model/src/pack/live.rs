//! A pack that may be replaced, or appended to, while it is served.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::layout::HEADER;
use super::reader::Pack;
use crate::error::{Error, ModelReason, Result};
use crate::file_state::{FRESH, FileIdentity};

/// The pack at a path, as it is now. Where it cannot be opened, the one before stays.
pub(crate) struct LivePack {
    path: PathBuf,
    opened: Mutex<Opened>,
}

struct Opened {
    pack: Option<Arc<Pack>>,
    seen: Seen,
    at: Instant,
}

/// The identity of a generation. Two writes may leave the same time and length, but not the same
/// header.
#[derive(PartialEq, Eq)]
struct Seen {
    identity: Option<FileIdentity>,
    header: Option<[u8; HEADER]>,
}

impl Seen {
    fn at(path: &Path) -> Self {
        Self { identity: FileIdentity::of(path), header: Pack::header(path) }
    }
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
    /// The pack could never be opened.
    pub(crate) fn current(&self) -> Result<Arc<Pack>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.at.elapsed() >= FRESH {
            if opened.seen != Seen::at(&self.path) {
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
        let seen = Seen::at(path);
        Self { pack: Pack::open(path).ok().map(Arc::new), seen, at: Instant::now() }
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
        Some(path) => Err(Error::at(path, ModelReason::ReadOnly)),
        None => Ok(()),
    }
}
