//! Learning beside the crawl: `decide` never waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};

use undust_learn::observer::Observer;
use undust_util::error::Result;

use super::{Live, Site};
use crate::engine::journal::Event;
use crate::engine::lock::locked;
use crate::engine::site::{Learning, SiteEngine};

/// What a site is being taught.
#[derive(Default)]
pub(super) struct Background {
    running: Option<Running>,
}

struct Running {
    done: Receiver<Result<Learning>>,
    stop: Arc<AtomicBool>,
}

/// Ends learning when nobody waits for it any more.
struct Stop(Arc<AtomicBool>);

impl Observer for Stop {
    fn interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Background {
    /// Whether somebody learns.
    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// What was learned meanwhile; none where it goes on, or nobody learns.
    fn poll(&mut self) -> Option<Result<Learning>> {
        match self.running.as_ref()?.done.try_recv() {
            Ok(done) => {
                self.running = None;
                Some(done)
            }
            Err(TryRecvError::Empty) => None,
            // It panicked, and said so.
            Err(TryRecvError::Disconnected) => {
                self.running = None;
                None
            }
        }
    }

    /// The same, when it has come to its end.
    pub(super) fn wait(&mut self) -> Option<Result<Learning>> {
        let running = self.running.take()?;
        running.done.recv().ok()
    }
}

impl Site {
    /// Whether it is being learned, or somebody waits for that.
    pub(super) fn is_learning(&self) -> bool {
        self.background.try_lock().map_or(true, |background| background.is_running())
    }
}

/// A site whose learning has come to its end, whether or not it panicked.
struct Taught(Arc<Mutex<Vec<Arc<Site>>>>, Arc<Site>);

impl Drop for Taught {
    fn drop(&mut self) {
        locked(&self.0).push(Arc::clone(&self.1));
    }
}

impl Live {
    /// Lets what was learned take effect, and has a site learned where that is due.
    pub(super) fn learn(&self, site: &Arc<Site>, engine: &mut SiteEngine) -> Option<Box<str>> {
        let mut background = locked(&site.background);
        if let Some(done) = background.poll() {
            return self.finish(site, engine, done);
        }
        if background.running.is_some() || !engine.is_learning_due() {
            return None;
        }
        if !self.options.background {
            let done = engine.snapshot().learn(&*self.learner, &());
            return self.finish(site, engine, done);
        }
        // Where all are busy it is due at the next page as well.
        let room = self.pool.room()?;
        let snapshot = engine.snapshot();
        let (sender, done) = channel();
        let (learner, stop) = (Arc::clone(&self.learner), Arc::new(AtomicBool::new(false)));
        background.running = Some(Running { done, stop: Arc::clone(&stop) });
        let taught = Taught(Arc::clone(&self.taught), Arc::clone(site));
        room.take(move || {
            // The sender goes before it.
            let _taught = taught;
            let sender = sender;
            // Nobody waits any more where this fails.
            let _: std::result::Result<_, _> = sender.send(snapshot.learn(&*learner, &Stop(stop)));
        });
        None
    }

    /// Lets what a site was taught take effect, though nobody asks for the site: until then it takes memory that
    /// no other can have.
    pub(super) fn install_taught(&self) -> Option<Box<str>> {
        let site = locked(&self.taught).pop()?;
        if !locked(&site.background).is_running() {
            return None;
        }
        // One that cannot be read is none of the page's that came.
        let mut engine = self.engine(&site).ok()?;
        let done = locked(&site.background).poll();
        self.finish(&site, &mut engine, done?)
    }

    /// Lets a learning take effect. One that failed, or that the journal does not take, is counted, and what was
    /// believed stays: whoever reported a page is told of that page alone.
    pub(super) fn finish(
        &self,
        site: &Site,
        engine: &mut SiteEngine,
        done: Result<Learning>,
    ) -> Option<Box<str>> {
        let installed = done.and_then(|learning| self.install(site, engine, learning));
        if installed.is_err() {
            engine.fail_learning();
        }
        installed.ok().map(|()| site.name.clone())
    }

    pub(super) fn install(
        &self,
        site: &Site,
        engine: &mut SiteEngine,
        learning: Learning,
    ) -> Result<()> {
        let (pages, tests) = (learning.pages, engine.learned_tests());
        self.write(&Event::Learned { site: site.name.to_string(), pages, tests })?;
        engine.install(learning);
        Ok(())
    }
}
