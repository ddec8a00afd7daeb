//! Sites that nobody asked for lately are put away, so that the others have the memory.

use std::io;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use undust_util::error::{Error, Result};
use undust_util::op_counter;

use super::idle::{Idle, Place};
use super::totals::{Slot, Watched};
use super::{Live, Site};
use crate::engine::evidence::Hypotheses;
use crate::engine::kept_model::ModelKey;
use crate::engine::lock::locked;
use crate::engine::shared::Member;
use crate::engine::site::SiteEngine;

/// What is known of a site that is put away.
pub(super) struct Away {
    place: Place,
    pub(super) believed: Believed,
    pub(super) member: Option<Member>,
}

/// What is believed of a site that is put away.
pub(super) enum Believed {
    /// What the learner has kept: a model takes more memory than the site.
    Kept(ModelKey),
    Here(Arc<Hypotheses>),
}

/// When a site was last asked for: larger is later.
#[derive(Debug, Default)]
pub(super) struct LastUse(AtomicU64);

impl Live {
    /// Puts sites away in a file of this folder from now on.
    ///
    /// # Errors
    ///
    /// A folder that takes no file.
    pub(in crate::engine) fn put_away_in(&mut self, folder: &Path) -> Result<()> {
        self.idle = Some(Idle::new(folder).map_err(Error::io("write a file in", folder))?);
        Ok(())
    }

    /// Locks a site.
    ///
    /// # Errors
    ///
    /// It was put away and cannot be read.
    pub(super) fn engine<'s>(&'s self, site: &'s Arc<Site>) -> Result<Watched<'s>> {
        let mut slot = locked(&site.engine);
        if let Slot::Away(away) = &*slot {
            let engine = self.woken(away).map_err(Error::io("read", WHERE))?;
            let (place, memory) = (away.place, engine.memory());
            *slot = Slot::Here(Box::new(engine));
            locked(&self.totals).memory += memory as u64;
            self.idle.iter().for_each(|idle| idle.free(place));
            locked(&self.here).push(Arc::clone(site));
        }
        site.last_use.0.store(self.uses.fetch_add(1, Relaxed), Relaxed);
        Ok(Watched::new(slot, &self.totals))
    }

    /// Calls with a site as it is, and leaves it where it is. None where it cannot be read.
    pub(super) fn look<T>(&self, site: &Site, ask: impl FnOnce(&SiteEngine) -> T) -> Option<T> {
        match &*locked(&site.engine) {
            Slot::Here(engine) => Some(ask(engine)),
            Slot::Away(away) => self.woken(away).ok().map(|engine| ask(&engine)),
        }
    }

    /// The bytes of a site that is put away.
    pub(super) fn bytes_of(&self, away: &Away) -> io::Result<Vec<u8>> {
        self.idle.as_ref().ok_or(io::ErrorKind::NotFound)?.get(away.place)
    }

    /// What the learner has kept by this key.
    pub(super) fn believed(&self, key: &ModelKey) -> Option<Arc<Hypotheses>> {
        Some(Arc::new(self.options.with_own(self.learner.kept(key)?)))
    }

    fn woken(&self, away: &Away) -> io::Result<SiteEngine> {
        let bytes = self.bytes_of(away)?;
        let hypotheses = match &away.believed {
            Believed::Here(hypotheses) => Ok(Arc::clone(hypotheses)),
            Believed::Kept(key) => self.believed(key).ok_or(&self.given),
        };
        let is_lost = hypotheses.is_err();
        let hypotheses = hypotheses.unwrap_or_else(Arc::clone);
        let (options, member) = (self.options, away.member.clone());
        let site = SiteEngine::from_bytes(&bytes, options, self.secret, hypotheses, member);
        let mut site = site.map_err(io::Error::other)?;
        if is_lost {
            site.learn_again();
        }
        Ok(site)
    }

    /// Puts sites away until those that are here take at most half of the memory, or the latest alone is left.
    ///
    /// # Errors
    ///
    /// A disk that takes no more.
    pub(super) fn relieve(&self) -> Result<()> {
        if locked(&self.totals).memory <= self.relieve_above.load(Relaxed) {
            return Ok(());
        }
        self.relieve_to(self.options.memory as u64 / 2)
    }

    /// The same to this many bytes.
    pub(super) fn relieve_to(&self, most: u64) -> Result<()> {
        let is_relieved = |most: u64| locked(&self.totals).memory <= most;
        if is_relieved(most) || self.idle.is_none() {
            return Ok(());
        }
        // Whoever else is at it does it for all.
        let Ok(_relieving) = self.relieving.try_lock() else { return Ok(()) };
        let mut here = mem::take(&mut *locked(&self.here));
        op_counter::count(here.len());
        here.sort_by_cached_key(|site| site.last_use.0.load(Relaxed));
        let (mut stay, latest) = (Vec::new(), here.pop());
        let (mut done, mut here) = (Ok(()), here.into_iter());
        // Some more, so that this is seldom.
        while done.is_ok()
            && !is_relieved(most / 4 * 3)
            && let Some(site) = here.next()
        {
            match self.put_away(&site) {
                Ok(true) => {}
                Ok(false) => stay.push(site),
                Err(error) => {
                    stay.push(site);
                    done = Err(error);
                }
            }
        }
        locked(&self.here).extend(stay.into_iter().chain(here).chain(latest));
        // One large site may take more than all should: looking for others to put away takes a step for each.
        self.relieve_above.store(locked(&self.totals).memory + most / 16, Relaxed);
        done.map_err(Error::io("write", WHERE))
    }

    /// Puts a site away, unless somebody asks for it; whether it is away.
    fn put_away(&self, site: &Site) -> io::Result<bool> {
        let (Some(idle), Ok(mut slot)) = (&self.idle, site.engine.try_lock()) else {
            return Ok(false);
        };
        let Slot::Here(engine) = &mut *slot else { return Ok(true) };
        let memory = engine.memory();
        let bytes = engine.put_in_bytes().map_err(io::Error::other)?;
        let place = idle.put(&bytes)?;
        let hypotheses = engine.hypotheses();
        // What is being learned is kept in the place of what is believed.
        let believed = match hypotheses.kept.clone().filter(|_| !site.is_learning()) {
            Some(key) => Believed::Kept(key),
            None => Believed::Here(hypotheses),
        };
        *slot = Slot::Away(Away { place, believed, member: engine.member() });
        let mut totals = locked(&self.totals);
        totals.memory = totals.memory.saturating_sub(memory as u64);
        Ok(true)
    }
}

/// What cannot be read or written.
const WHERE: &str = "the sites that are put away";
