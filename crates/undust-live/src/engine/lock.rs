//! Locks of the engine.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whoever panicked has left a page out at worst.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
