//! A state is opened: by its checkpoint and what the journal has after it, or by all of the journal.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::checkpoint::Checkpoint;
use super::restore::{self, Known};
use super::syncing::Syncing;
use super::{CACHE, Live, State};
use crate::clusters::{LiveClusters, LiveOptions};
use crate::engine::journal::{Journal, Position};
use crate::engine::learning::Learn;
use crate::engine::options::EngineOptions;
use crate::error::{Error, Result, StateReason};

impl Live {
    /// Opens the state in a folder, or makes one: that of `undust cluster --state`, and a journal
    /// beside it. What the clusters knew before there was a journal counts as an earlier crawl. A
    /// site that was learned is learned again from the same pages, unless the learner has kept that.
    ///
    /// # Errors
    ///
    /// Those of [`LiveClusters::open_or_make`], and a journal that cannot be read.
    pub fn open(folder: &Path, options: EngineOptions, learner: Arc<dyn Learn>) -> Result<Self> {
        // Before anything is put beside what is not ours.
        let has_journal = Journal::is_in(folder)?;
        let cache = options.memory / CACHE;
        let configure = |made: &mut LiveOptions| made.clusters = options.clusters;
        let clusters =
            LiveClusters::open_or_make_within(folder, cache, configure).map_err(|error| {
                match has_journal {
                    true => LiveClusters::beside_journal(folder, error),
                    false => error,
                }
            })?;
        Self::over(clusters, folder, options, learner)
    }

    /// The same of a state that is there. What a site is stays as it was when the state was made.
    ///
    /// # Errors
    ///
    /// Those of [`LiveClusters::open`], and a journal that cannot be read.
    pub fn open_existing(
        folder: &Path,
        options: EngineOptions,
        learner: Arc<dyn Learn>,
    ) -> Result<Self> {
        let clusters = LiveClusters::open_within(folder, options.memory / CACHE)?;
        Self::over(clusters, folder, options, learner)
    }

    fn over(
        mut clusters: LiveClusters,
        folder: &Path,
        options: EngineOptions,
        learner: Arc<dyn Learn>,
    ) -> Result<Self> {
        if !Journal::is_in(folder)? {
            Self::check_not_lost(folder)?;
            // What they have of a journal that is gone is an earlier crawl.
            if clusters.journal_mark()?.is_some() {
                clusters.note_journal(None)?;
            }
            Journal::make(folder, restore::earlier_crawl(&clusters))?;
        }
        let mut journal = Journal::open(folder)?;
        let (mut live, position) = match Self::of_checkpoint(folder, &journal, options, &learner)? {
            Some((live, position)) => (live, Some(position)),
            None => (Self::of_journal(folder, &mut journal, options, learner)?, None),
        };
        if options.sync.is_zero() {
            journal.sync_each_line();
        }
        let (journal, clusters) = (Arc::new(Mutex::new(journal)), Mutex::new(clusters));
        let syncing = (!options.sync.is_zero()).then(|| Syncing::begin(&journal, options.sync));
        let (folder, checkpoint) = (folder.to_owned(), Mutex::new(position));
        let syncing = syncing.transpose()?;
        live.state = Some(State { folder, journal, clusters, checkpoint, _syncing: syncing });
        live.keep()?;
        Ok(live)
    }

    /// Fails where a folder without a journal has something that was made of one.
    fn check_not_lost(folder: &Path) -> Result<()> {
        let made = [Journal::first_part(folder), Checkpoint::place(folder)];
        match made.into_iter().find(|made| made.symlink_metadata().is_ok()) {
            None => Ok(()),
            Some(made) => Err(Error::at(made, StateReason::NoJournal)),
        }
    }

    /// What the checkpoint of a folder has, and what came after it; none where that cannot be had.
    ///
    /// # Errors
    ///
    /// A journal that does not have the lines of which the checkpoint was made.
    pub(super) fn of_checkpoint(
        folder: &Path,
        journal: &Journal,
        options: EngineOptions,
        learner: &Arc<dyn Learn>,
    ) -> Result<Option<(Self, Position)>> {
        let is_ours = |found: &Checkpoint| journal.secret() == Some(found.secret());
        let Some(checkpoint) = Checkpoint::open(folder).filter(is_ours) else {
            return Ok(None);
        };
        if !journal.has(checkpoint.position())? {
            return Err(Error::at(Checkpoint::place(folder), StateReason::OtherLines));
        }
        if !checkpoint.is_of(&options, &**learner) {
            return Ok(None);
        }
        let position = checkpoint.position().clone();
        let mut known = Known::after(journal, &position)?;
        let options = EngineOptions { site_by: checkpoint.site_by(), ..options };
        let mut live = Self::with_secret(options, checkpoint.secret(), Arc::clone(learner));
        live.put_away_in(folder)?;
        if checkpoint.take(&live, &mut known).is_none() {
            return Ok(None);
        }
        live.restore(journal, &position, known)?;
        Ok(Some((live, position)))
    }

    /// What a journal says.
    fn of_journal(
        folder: &Path,
        journal: &mut Journal,
        options: EngineOptions,
        learner: Arc<dyn Learn>,
    ) -> Result<Self> {
        let known = Known::after(journal, &Position::begin())?;
        let options =
            EngineOptions { site_by: known.site_by(journal, options.site_by)?, ..options };
        let mut live = Self::with_secret(options, known.secret(journal)?, learner);
        live.put_away_in(folder)?;
        live.restore(journal, &Position::begin(), known)?;
        Ok(live)
    }
}
