//! A pack in storage where each read takes a round trip, and may fail.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;

use super::ReadAt;
use super::health::{Guarded, Health};
use super::packed_model::PackedModel;
use super::reader::Pack;
use crate::error::{Error, ModelReason, Result};
use crate::file_state::FRESH;

/// Directories of models that are remembered, so that finding a model and then loading it reads them once.
const REMEMBERED: usize = 256;

/// Bytes of the files that are read with a directory, as many as come in a small part of the time of a round trip: a
/// model that is no longer takes no other.
const READ_AHEAD: usize = 16 << 10;

/// Opens the object as it is now.
type Open = dyn Fn() -> io::Result<Arc<dyn ReadAt>> + Send + Sync;

/// The pack in storage, as it was seen last. Where it cannot be read, the one before stays.
pub(crate) struct StoredPack {
    name: PathBuf,
    open: Box<Open>,
    /// How often it is looked for a newer one.
    refresh: Duration,
    health: Arc<Health>,
    pack: RwLock<Arc<Pack>>,
    /// How many packs and generations have been seen.
    number: AtomicU64,
    /// Held while a thread looks for a newer one. The time of the last look that followed a failed read and found none.
    looking: Mutex<Option<Instant>>,
    /// When the next look is due, in milliseconds after `begun`.
    due: AtomicU64,
    begun: Instant,
    found: Cache<Box<str>, PackedModel>,
}

impl StoredPack {
    /// The pack of this name, for messages.
    ///
    /// # Errors
    ///
    /// It cannot be opened now.
    pub(crate) fn open(
        name: &Path,
        open: impl Fn() -> io::Result<Arc<dyn ReadAt>> + Send + Sync + 'static,
        refresh: Duration,
    ) -> Result<Self> {
        let (open, health): (Box<Open>, _) = (Box::new(open), Arc::new(Health::default()));
        let pack = opened(name, &*open, &health)?;
        let stored = Self {
            name: name.to_path_buf(),
            open,
            refresh,
            health,
            pack: RwLock::new(Arc::new(pack)),
            number: AtomicU64::new(1),
            looking: Mutex::default(),
            due: AtomicU64::default(),
            begun: Instant::now(),
            found: Cache::new(REMEMBERED),
        };
        stored.put_off();
        Ok(stored)
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// The newest generation that was seen.
    pub(crate) fn current(&self) -> Arc<Pack> {
        Arc::clone(&self.pack.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Another number for each generation. Looks for a new one if it is time to.
    pub(crate) fn number(&self) -> u64 {
        if self.is_due() {
            match self.looking.try_lock() {
                Ok(_held) => _ = self.is_due() && self.look(),
                Err(TryLockError::Poisoned(held)) => _ = (held.into_inner(), self.look()),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        self.number_seen()
    }

    /// The same, of what was seen last.
    pub(crate) fn number_seen(&self) -> u64 {
        self.number.load(Ordering::Acquire)
    }

    /// Whether the next look-up looks for a new generation.
    pub(crate) fn is_due(&self) -> bool {
        self.begun.elapsed().as_millis() as u64 >= self.due.load(Ordering::Relaxed)
    }

    fn put_off(&self) {
        let due = self.begun.elapsed().saturating_add(self.refresh);
        let due = u64::try_from(due.as_millis()).unwrap_or(u64::MAX);
        self.due.store(due, Ordering::Relaxed);
    }

    /// Looks for a newer one, and returns whether there is one. The caller holds `looking`.
    fn look(&self) -> bool {
        let opened = opened(&self.name, &*self.open, &self.health);
        self.put_off();
        match opened {
            Ok(pack) if !pack.is_same(&self.current()) => {
                *self.pack.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(pack);
                self.number.fetch_add(1, Ordering::Release);
                true
            }
            _ => false,
        }
    }

    /// After something of the pack of this number could not be read: whether that is because there is a newer one.
    pub(crate) fn is_replaced(&self, number: u64, error: &Error) -> bool {
        if !can_be_of_another(error) {
            return false;
        }
        let mut vain: MutexGuard<'_, _> =
            self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        if self.number_seen() != number {
            return true;
        }
        if vain.is_some_and(|at: Instant| at.elapsed() < FRESH) {
            return false;
        }
        let is_newer = self.look();
        *vain = (!is_newer).then(Instant::now);
        is_newer
    }

    /// The model of a site; none if the pack has none.
    ///
    /// # Errors
    ///
    /// The part of the pack that would say so is damaged, or the storage fails.
    pub(crate) fn find(&self, site: &str) -> Result<Option<PackedModel>> {
        let number = self.number();
        let pack = self.current();
        if let Some(found) = self.found.get(site).filter(|found| found.is_of(&pack)) {
            return Ok(Some(found));
        }
        let found = match pack.find(site) {
            Err(error) if self.is_replaced(number, &error) => self.current().find(site),
            found => found,
        };
        if let Ok(Some(model)) = &found {
            self.found.insert(site.into(), model.clone());
        }
        found
    }
}

fn opened(name: &Path, open: &Open, health: &Arc<Health>) -> Result<Pack> {
    let source = health.ask(open).map_err(Error::io("read", name))?;
    Pack::over(name, Arc::new(Guarded { source, health: Arc::clone(health) }), READ_AHEAD)
}

/// Whether an error may come of reading one pack where another one is.
fn can_be_of_another(error: &Error) -> bool {
    match error {
        Error::Io { source, .. } => source.kind() == io::ErrorKind::StaleNetworkFileHandle,
        error => !matches!(error.reason(), Some(ModelReason::NoModel)),
    }
}
