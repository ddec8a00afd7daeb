//! Duplicate clusters that live with the crawl: the incremental service of Zhu, Potapova and
//! others (WWW 2012) on an embedded store. Pages come in batches; after each the groups stand, and a group
//! keeps its id.
//!
//! The groups are those of [`cluster`](fn@undust_cluster::clusters::cluster) where pages only come. Where they
//! change, three approximations of the paper keep an update cheap: a changed page that is near its
//! group's signature stays without being compared with others (tier 1); pages that are left when one
//! leaves stay together; and pages that stay are not compared anew. What that breaks is repaired
//! when it is noticed, by [`LiveClusters::query`] or [`LiveClusters::repair`].
//!
//! A batch costs, in rows of the store: a few for each of its URLs; the members of groups that are
//! merged into larger ones; for each title among its new and changed pages, the fingerprints under
//! this title (all of them without
//! [`ClusterOptions::title`](undust_cluster::clusters::ClusterOptions::title)); and the members of
//! groups that lose their canonical URL.

mod batch;
mod fault;
pub mod guard;
mod index;
mod ingest;
mod options;
mod query;
mod record;
mod redirects;
mod regroup;
mod report;
mod same;
mod sites;
mod snapshot;
mod store;
#[cfg(test)]
mod tests;
mod tiers;
mod time;
mod update;
mod write;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

pub use self::batch::ResponseBatch;
use self::fault::Stored;
use self::guard::guarded;
pub use self::options::LiveOptions;
pub use self::query::{LiveAnswer, UrlVerdict};
pub use self::report::BatchReport;
pub use self::sites::{LiveSite, Trained};
pub use self::snapshot::LivePages;
use undust_util::address::Address;

use self::store::{CACHE_BYTES, Meta, Store};
use self::update::Update;
use crate::error::{Error, Result, StateReason};

/// Duplicate clusters in a folder. One process has it at a time.
#[derive(Debug)]
pub struct LiveClusters {
    store: Store,
    meta: Meta,
}

/// Refuses an address: it would become a folder of that name, secret and all.
fn check_is_here(folder: &Path) -> Result<()> {
    match Address::new(folder.to_string_lossy()).is_elsewhere() {
        true => Err(Error::at(folder, StateReason::Elsewhere)),
        false => Ok(()),
    }
}

impl LiveClusters {
    /// Opens a state.
    ///
    /// # Errors
    ///
    /// A folder without a state; one of another version, one that is damaged, and one that another
    /// process has open.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::open_within(folder, CACHE_BYTES)
    }

    /// The same with this many bytes of memory for pages of the file.
    pub(crate) fn open_within(folder: &Path, cache_bytes: usize) -> Result<Self> {
        let (store, meta) = Store::open(folder, cache_bytes, || None)?;
        Ok(Self { store, meta })
    }

    /// Whether a folder has a state.
    pub fn is_in(folder: &Path) -> bool {
        Store::is_in(folder)
    }

    /// Whether a folder can have a state, before any work is put into it.
    pub fn check_place(folder: &Path) -> Result<()> {
        check_is_here(folder)?;
        Store::check_place(folder)
    }

    /// Opens a state, or makes one. `configure` changes the options of the state, or the default ones.
    ///
    /// # Errors
    ///
    /// Those of [`Self::open`], a folder that cannot be made, and options that an old state does not
    /// fulfil.
    pub fn open_or_make(folder: &Path, configure: impl Fn(&mut LiveOptions)) -> Result<Self> {
        Self::open_or_make_within(folder, CACHE_BYTES, configure)
    }

    /// The same with this many bytes of memory for pages of the file.
    pub(crate) fn open_or_make_within(
        folder: &Path,
        cache_bytes: usize,
        configure: impl Fn(&mut LiveOptions),
    ) -> Result<Self> {
        check_is_here(folder)?;
        let mut default = LiveOptions::default();
        configure(&mut default);
        default.canonical.check()?;
        let made = || {
            let mut options = LiveOptions::default();
            configure(&mut options);
            Some(options)
        };
        let (store, meta) = Store::open(folder, cache_bytes, made)?;
        let mut expected = meta.options.clone();
        configure(&mut expected);
        expected.canonical.check()?;
        let state = Self { store, meta };
        state.expect(&expected)?;
        Ok(state)
    }

    /// What the state was made with.
    pub fn options(&self) -> &LiveOptions {
        &self.meta.options
    }

    /// Whether the state was made with these options; an error that says what differs where not.
    pub fn expect(&self, options: &LiveOptions) -> Result<()> {
        let made = &self.meta.options;
        let (bits, title) = (made.clusters.bits, made.clusters.title);
        let reason = if options.clusters.bits != bits {
            StateReason::OtherBits { bits }
        } else if options.clusters.title != title {
            StateReason::OtherTitles { title }
        } else if options.canonical != made.canonical {
            let order = format!("{:?}", made.canonical.order);
            StateReason::OtherOrder { order, countries: made.canonical.countries.clone() }
        } else {
            return Ok(());
        };
        Err(Error::at(&self.store.path, reason))
    }

    /// Takes a batch in. When this returns, all of it is kept, whatever happens to the process or the
    /// machine; after an error nothing of it is.
    ///
    /// # Errors
    ///
    /// A store that cannot be read or written, such as for a full disk.
    pub fn ingest(&mut self, batch: ResponseBatch) -> Result<BatchReport> {
        self.ingest_counting(batch, &Arc::default())
    }

    /// The same; `done` counts the [steps](ResponseBatch::steps) on the way.
    pub fn ingest_counting(
        &mut self,
        batch: ResponseBatch,
        done: &Arc<AtomicU64>,
    ) -> Result<BatchReport> {
        self.change(|update| {
            update.done = Arc::clone(done);
            update.run(batch)
        })
    }

    /// Whether no URL was ever taken in.
    pub(crate) fn is_empty(&self) -> bool {
        self.meta.pages == 0
    }

    /// How far they have the journal of a crawl, as it was noted.
    pub(crate) fn journal_mark(&self) -> Result<Option<String>> {
        guarded(&self.store.path, || self.store.journal_mark())
    }

    /// Notes how far they have it.
    pub(crate) fn note_journal(&mut self, mark: Option<&str>) -> Result<()> {
        self.change(|update| update.tables.put_journal_mark(mark))
    }

    /// Their file.
    pub(crate) fn path(&self) -> &Path {
        &self.store.path
    }

    /// The error of a state in a folder that has the journal of a crawl, which has what damage takes from the clusters.
    pub(crate) fn beside_journal(folder: &Path, error: Error) -> Error {
        let detail = error.reason::<StateReason>().and_then(StateReason::damage);
        let damaged = |detail| Store::damaged(folder, StateReason::DamagedClusters { detail });
        detail.map_or(error, damaged)
    }

    /// Reads what a change would see, and changes nothing.
    fn look<T>(&self, look: impl FnOnce(&mut Update<'_>) -> Stored<T>) -> Result<T> {
        guarded(&self.store.path, || {
            let change = self.store.begin()?;
            look(&mut Update::new(change.tables()?, self.meta.clone()))
        })
    }

    /// Makes a change hold.
    fn change<T>(&mut self, make: impl FnOnce(&mut Update<'_>) -> Stored<T>) -> Result<T> {
        let (made, meta) = guarded(&self.store.path, || {
            let change = self.store.begin()?;
            let mut update = Update::new(change.tables()?, self.meta.clone());
            let made = make(&mut update)?;
            let meta = update.finish()?;
            change.commit()?;
            Ok((made, meta))
        })?;
        self.meta = meta;
        Ok(made)
    }

    /// Gives the file system back what the store has no use for. Takes time: the file is written
    /// anew in part.
    ///
    /// # Errors
    ///
    /// A store that cannot be read or written.
    pub fn compact(&mut self) -> Result<()> {
        let path = self.store.path.clone();
        guarded(&path, || self.store.compact())
    }
}
