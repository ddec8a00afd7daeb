//! Room for a model before it is loaded, so that models in memory, and those that come, take no more
//! than they may.

use std::mem;
use std::sync::PoisonError;

use super::Registry;
use super::loaded::{BROKEN_BYTES, Loaded};
use crate::folder::files::bytes_to_load;
use crate::folder::info::ModelInfo;

/// Bytes kept free for a model that is being loaded.
#[derive(Debug)]
pub(super) struct Reserved<'r> {
    registry: &'r Registry,
    pub(super) bytes: usize,
}

impl Registry {
    /// Makes room for what loading the model of a site will take. Where all loads together would
    /// take more than models may, one waits for those before it; one alone never waits.
    pub(super) fn reserve(&self, site: &str) -> Reserved<'_> {
        let place = self.place(site);
        // Of a folder that is none nothing else is read.
        let foreseen = if ModelInfo::read(&place).is_ok() { bytes_to_load(&place) } else { 0 };
        let bytes = foreseen.max(BROKEN_BYTES);
        // Who waits keeps those behind it from taking the room that it waits for.
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut loaded = self.lock();
        let bytes = bytes.min(loaded.most_bytes);
        while loaded.reserved > 0 && bytes > loaded.most_bytes - loaded.reserved {
            loaded = self.given_back.wait(loaded).unwrap_or_else(PoisonError::into_inner);
        }
        loaded.reserved += bytes;
        // What it alone has is not in use.
        self.front.clear();
        let room = loaded.make_room_to_load(site);
        drop((loaded, turn));
        let reserved = Reserved { registry: self, bytes };
        self.use_room(room);
        reserved
    }
}

impl Reserved<'_> {
    /// Gives the room back and counts what came into it, in one step, so that nobody takes it
    /// between the two.
    pub(super) fn give_back<R>(mut self, count: impl FnOnce(&mut Loaded) -> R) -> R {
        let mut loaded = self.registry.lock();
        loaded.reserved -= mem::take(&mut self.bytes);
        count(&mut loaded)
    }
}

/// A load that panicked gives its room back, too.
impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.registry.lock().reserved -= self.bytes;
        }
        self.registry.given_back.notify_all();
    }
}
