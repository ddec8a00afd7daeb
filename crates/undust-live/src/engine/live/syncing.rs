//! The journal reaches the disk beside the crawl: a sync takes milliseconds, which no answer should wait for.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use undust_util::error::{Error, Result};

use crate::engine::journal::Journal;
use crate::engine::lock::locked;

/// A thread that syncs a journal at intervals, and ends with this.
pub(super) struct Syncing {
    /// Nothing is sent: the thread ends when this is dropped.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Syncing {
    /// Begins.
    ///
    /// # Errors
    ///
    /// The system gives no thread.
    pub(super) fn begin(journal: &Arc<Mutex<Journal>>, interval: Duration) -> Result<Self> {
        let (stop, stopped) = channel();
        let (named, journal) = (thread::Builder::new().name("sync".into()), Arc::clone(journal));
        let thread = named.spawn(move || {
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                sync(&journal);
            }
        });
        let thread = thread.map_err(Error::io("begin a thread to sync", "the journal"))?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

/// Syncs what was written so far. Nobody who writes meanwhile waits for the disk. If it fails, whoever writes next is told.
fn sync(journal: &Mutex<Journal>) {
    let Some(unsynced) = locked(journal).unsynced() else { return };
    let synced = unsynced.and_then(|unsynced| unsynced.sync());
    locked(journal).note_sync(synced);
}

impl Drop for Syncing {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so.
            let _: thread::Result<()> = thread.join();
        }
    }
}
