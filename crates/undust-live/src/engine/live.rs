//! Many sites, many threads, one state.

mod background;
mod checkpoint;
mod idle;
mod opening;
mod pool;
mod putting_away;
mod restore;
mod syncing;
#[cfg(test)]
mod tests;
mod totals;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use undust_pages::pages::{DropReason, ResponseOutcome};
use undust_pages::response::Response;
use undust_url::normal::normal;
use undust_url::site::site_of;
use undust_util::error::{Error, Result};

use self::background::Background;
use self::idle::Idle;
use self::pool::Pool;
use self::putting_away::LastUse;
use self::syncing::Syncing;
pub use self::totals::LiveTotals;
use self::totals::Slot;
use super::decision::{Decision, SiteStats};
use super::evidence::Hypotheses;
use super::explain::UrlExplanation;
use super::journal::{Event, Journal, Position};
use super::learning::Learn;
use super::lock::locked;
use super::options::EngineOptions;
use super::secret::Secret;
use super::shared::Shared;
use super::site::SiteEngine;
use crate::clusters::LiveClusters;

/// The part of the memory that the clusters of the state have for their file, and for what they take at once, as a divisor.
const CACHE: usize = 8;

/// Bytes that a site takes which is put away, about.
const BYTES_OF_SITE: usize = 400;

/// Bytes that a response takes while the clusters take it, about, beside its text: until they are written, the parts of
/// the file that it changes are in memory.
const BYTES_OF_RESPONSE: usize = 4000;

/// How often the text of a response is in memory meanwhile, about: in the batch, and in parts of the file that hold it or
/// have room for it.
const COPIES_OF_TEXT: usize = 4;

/// Decides for a crawler which URLs it fetches, and learns from what comes back. Many threads may
/// ask at once: those of different sites do not wait for each other.
///
/// The same events in the same order give the same decisions. What is learned in the background
/// takes effect between two events, and the journal keeps between which. Which URLs are audited
/// is drawn by a secret of the state, which nobody is told.
pub struct Live {
    options: EngineOptions,
    secret: Secret,
    learner: Arc<dyn Learn>,
    /// Those that have pages.
    sites: Mutex<BTreeMap<Box<str>, Arc<Site>>>,
    totals: Mutex<LiveTotals>,
    pool: Pool,
    /// Sites whose learning has come to its end, until it takes effect.
    taught: Arc<Mutex<Vec<Arc<Site>>>>,
    state: Option<State>,
    /// What is proposed for every site.
    given: Arc<Hypotheses>,
    /// What the sites share.
    shared: Arc<Shared>,
    /// Sites that are put away, where there is a folder for them.
    idle: Option<Idle>,
    /// Sites that are not put away.
    here: Mutex<Vec<Arc<Site>>>,
    /// Held while sites are put away.
    relieving: Mutex<()>,
    /// Bytes up to which it helps nobody to look for more sites to put away.
    relieve_above: AtomicU64,
    /// How often sites were asked for.
    uses: AtomicU64,
}

/// What is kept on disk.
struct State {
    folder: PathBuf,
    journal: Arc<Mutex<Journal>>,
    clusters: Mutex<LiveClusters>,
    /// What the checkpoint of the sites has of the journal, if there is one.
    checkpoint: Mutex<Option<Position>>,
    _syncing: Option<Syncing>,
}

struct Site {
    name: Box<str>,
    engine: Mutex<Slot>,
    background: Mutex<Background>,
    last_use: LastUse,
}

impl Live {
    /// Keeps nothing on disk.
    ///
    /// # Errors
    ///
    /// The system has no random numbers to give.
    pub fn in_memory(options: EngineOptions, learner: Arc<dyn Learn>) -> Result<Self> {
        Ok(Self::with_secret(options, Secret::drawn()?, learner))
    }

    pub(super) fn with_secret(
        options: EngineOptions,
        secret: Secret,
        learner: Arc<dyn Learn>,
    ) -> Self {
        Self {
            options,
            secret,
            given: Arc::new(options.with_own(learner.begin())),
            learner,
            shared: Arc::new(Shared::new(&options, secret)),
            sites: Mutex::default(),
            totals: Mutex::default(),
            pool: Pool::new(options.memory / 4 / options.bytes_of_learning().max(1)),
            taught: Arc::default(),
            state: None,
            idle: None,
            here: Mutex::default(),
            relieving: Mutex::default(),
            relieve_above: AtomicU64::new(0),
            uses: AtomicU64::new(1),
        }
    }

    /// Decides upon a URL that leaves the crawler's queue. What is no URL of a host is fetched, and
    /// so is a URL of a host without a page so far; nothing is kept of either.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written, such as for a full disk: then nothing is decided.
    pub fn decide(&self, url: &str) -> Result<Decision> {
        // As a browser asks for it: without `#top`, `HTTP://HOST:80/` as `http://host/`.
        let url = &*normal(url);
        let Some(site) = self.known(url) else { return Ok(Decision::Fetch) };
        self.relieve()?;
        let mut engine = self.engine(&site)?;
        let (decision, event) = engine.decide(url);
        if let Some(event) = event {
            self.write(&event)?;
            engine.keep(&event);
        }
        Ok(decision)
    }

    /// Takes what came back for a URL: any response, in any order, whether or not it was asked for.
    /// What came of a fetch without an answer has status 0. Returns the name of a site that was
    /// learned anew meanwhile.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written: then the response is as if it had not come.
    pub fn saw(&self, response: Response) -> Result<Option<Box<str>>> {
        let response = Response { url: normal(&response.url).into_owned(), ..response };
        let Some(name) = self.site_of(&response.url) else { return Ok(None) };
        let outcome = self.of_site(&name, ResponseOutcome::from(&response));
        if outcome == ResponseOutcome::Dropped(DropReason::NoContent) {
            locked(&self.totals).without_content += 1;
        }
        let Some(site) = self.taking(&name, &outcome) else {
            return self.write(&Event::Saw(Box::new(response))).map(|()| None);
        };
        let url = response.url.clone();
        let other = self.install_taught();
        self.relieve()?;
        let mut engine = self.engine(&site)?;
        // Two hosts of a domain take part in the order of the journal.
        self.write_and(&Event::Saw(Box::new(response)), || engine.take_part(&outcome))?;
        engine.saw(&url, outcome);
        Ok(self.learn(&site, &mut engine).or(other))
    }

    /// Begins a crawl: every page is to be found again, and what is known of forms stays.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written.
    pub fn begin_crawl(&self) -> Result<()> {
        // What is kept of the sites is of one crawl.
        let _clusters = self.state.as_ref().map(|state| locked(&state.clusters));
        self.write(&Event::Crawl)?;
        self.begin_crawl_of_all()
    }

    fn begin_crawl_of_all(&self) -> Result<()> {
        let sites: Vec<Arc<Site>> = locked(&self.sites).values().cloned().collect();
        let mut begun = Ok(());
        for site in sites {
            // It has begun for all of them, though the disk takes no site that is put away: whoever asks next is told.
            let _: Result<()> = self.relieve();
            begun = begun.and(self.engine(&site).map(|mut engine| engine.begin_crawl()));
        }
        begun
    }

    /// Learns a site now, whatever has changed. Returns when it is learned; whether the site has pages.
    ///
    /// # Errors
    ///
    /// Those of [`Learn::learn`], and of the journal.
    pub fn learn_now(&self, site: &str) -> Result<bool> {
        let Some(site) = locked(&self.sites).get(site).cloned() else { return Ok(false) };
        let mut engine = self.engine(&site)?;
        // What is being learned from fewer pages must not take effect afterwards.
        *locked(&site.background) = Background::default();
        let learning = engine.snapshot().learn(&*self.learner, &())?;
        self.install(&site, &mut engine, learning)?;
        Ok(true)
    }

    /// Waits for what is being learned, and lets it take effect.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written.
    pub fn settle(&self) -> Result<()> {
        let sites: Vec<Arc<Site>> = locked(&self.sites).values().cloned().collect();
        for site in sites {
            let done = locked(&site.background).wait();
            if let Some(done) = done {
                self.finish(&site, &mut *self.engine(&site)?, done);
            }
        }
        Ok(())
    }

    /// Puts what came back into the clusters of the state, for `undust train --state` and others, and
    /// keeps the sites as they are, for the next start. Without a call the next [`Self::open`] does so.
    ///
    /// # Errors
    ///
    /// Those of [`LiveClusters::ingest`].
    pub fn keep(&self) -> Result<()> {
        let Some(state) = &self.state else { return Ok(()) };
        while !locked(&self.taught).is_empty() {
            self.install_taught();
        }
        // The clusters need what the sites have.
        self.relieve_to(self.options.memory as u64 / 8)?;
        let mut clusters = locked(&state.clusters);
        let mut journal = locked(&state.journal);
        // The clusters must not know what the journal may have lost.
        journal.sync()?;
        let told = |error| LiveClusters::beside_journal(&state.folder, error);
        let taken = restore::taken(&journal, &clusters).map_err(told)?;
        let most = self.options.memory / CACHE;
        let is_any = restore::give(&mut clusters, &journal, &taken, most).map_err(told)?;
        if is_any {
            journal.append(&Event::Kept)?;
        }
        journal.finish_part()?;
        // A full disk may have no room for it, so that a start writes nothing where nothing came.
        if is_any || !journal.is_open_at(&taken) {
            journal.sync()?;
            let mark = serde_json::to_string(&journal.position()?).map_err(Error::Json)?;
            clusters.note_journal(Some(&mark)).map_err(told)?;
        }
        drop(journal);
        self.write_checkpoint(state);
        Ok(())
    }

    /// Why a URL would be fetched or skipped now, which counts nothing. None of what is no URL of a
    /// host, and of an unknown site.
    pub fn explain(&self, url: &str) -> Option<UrlExplanation> {
        let site = self.known(url)?;
        let (decision, forms) = self.engine(&site).ok()?.explain(url);
        Some(UrlExplanation { url: url.to_owned(), site: site.name.to_string(), decision, forms })
    }

    /// What became of the URLs, by site.
    pub fn stats(&self) -> BTreeMap<String, SiteStats> {
        self.stats_after(None, usize::MAX).into_iter().collect()
    }

    /// The same of at most `limit` sites, in the order of their names, from the one after this name
    /// on. A site is locked for a moment, and nobody waits for the others meanwhile. One that was put away and cannot be
    /// read is left out.
    pub fn stats_after(&self, after: Option<&str>, limit: usize) -> Vec<(String, SiteStats)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let sites: Vec<Arc<Site>> = {
            let sites = locked(&self.sites);
            let range = sites.range::<str, _>((from, Bound::Unbounded));
            range.take(limit).map(|(_, site)| Arc::clone(site)).collect()
        };
        let stats =
            |site: Arc<Site>| Some((site.name.to_string(), self.look(&site, SiteEngine::stats)?));
        sites.into_iter().filter_map(stats).collect()
    }

    /// What became of the URLs of all sites together. Takes the same time however many there are.
    pub fn totals(&self) -> LiveTotals {
        let totals = *locked(&self.totals);
        let lost_share_bound = totals.audits.bound(self.options.audits);
        LiveTotals { lost_share_bound, ..totals }
    }

    /// The site of a URL, if it has pages.
    fn known(&self, url: &str) -> Option<Arc<Site>> {
        let name = self.site_of(url)?;
        locked(&self.sites).get(&*name).cloned()
    }

    /// The site that takes what came back; none where that is no page and the site has none: there
    /// is no end to the hosts that somebody can have URLs of.
    fn taking(&self, name: &str, outcome: &ResponseOutcome) -> Option<Arc<Site>> {
        match outcome {
            ResponseOutcome::Dropped(_) => locked(&self.sites).get(name).cloned(),
            _ => Some(self.named(name)),
        }
    }

    /// The site of this name.
    fn named(&self, name: &str) -> Arc<Site> {
        let mut sites = locked(&self.sites);
        if let Some(site) = sites.get(name) {
            return Arc::clone(site);
        }
        let engine = SiteEngine::new(self.options, self.secret, Arc::clone(&self.given));
        let site = self.with(name, engine.among(self.shared.candidate(name)));
        sites.insert(name.into(), Arc::clone(&site));
        site
    }

    /// A site that is to be among the others.
    fn with(&self, name: &str, engine: SiteEngine) -> Arc<Site> {
        let memory = (engine.memory() + BYTES_OF_SITE) as u64;
        let figures = engine.figures();
        let (engine, background) = (Mutex::new(Slot::Here(Box::new(engine))), Mutex::default());
        let last_use = LastUse::default();
        let site = Arc::new(Site { name: name.into(), engine, background, last_use });
        locked(&self.here).push(Arc::clone(&site));
        locked(&self.totals).add(&figures, memory);
        site
    }

    fn site_of<'u>(&self, url: &'u str) -> Option<Cow<'u, str>> {
        site_of(url, self.options.site_by)
    }

    /// What came back as it is for one site: where another one takes over, nothing of this one came.
    fn of_site(&self, name: &str, outcome: ResponseOutcome) -> ResponseOutcome {
        match outcome {
            ResponseOutcome::Redirect(target)
                if self.site_of(&target).is_none_or(|other| other != name) =>
            {
                ResponseOutcome::Dropped(DropReason::MissingTarget)
            }
            outcome => outcome,
        }
    }

    fn write(&self, event: &Event) -> Result<()> {
        self.write_and(event, || ())
    }

    /// Writes a line, and does this before the next one can be written.
    fn write_and(&self, event: &Event, then: impl FnOnce()) -> Result<()> {
        let mut journal = self.state.as_ref().map(|state| locked(&state.journal));
        journal.as_mut().map_or(Ok(()), |journal| journal.append(event))?;
        then();
        Ok(())
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("options", &self.options).finish_non_exhaustive()
    }
}
