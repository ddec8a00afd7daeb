//! Many sites, many threads, one state.

mod background;
mod restore;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use undust_pages::pages::ResponseOutcome;
use undust_pages::response::Response;
use undust_url::site::{SiteBy, site_of};
use undust_util::error::Result;

use self::background::Background;
use super::audit::Audits;
use super::decision::{Decision, SiteStats};
use super::explain::UrlExplanation;
use super::journal::{Event, Journal};
use super::learning::Learn;
use super::options::EngineOptions;
use super::site::{Kept, SiteEngine};
use crate::clusters::LiveClusters;

/// Decides for a crawler which URLs it fetches, and learns from what comes back. Many threads may
/// ask at once: those of different sites do not wait for each other.
///
/// The same events in the same order give the same decisions. What is learned in the background
/// takes effect between two events, and the journal keeps between which.
pub struct Live {
    options: EngineOptions,
    learner: Arc<dyn Learn>,
    sites: Mutex<FxHashMap<Box<str>, Arc<Site>>>,
    state: Option<State>,
}

/// What is kept on disk.
struct State {
    journal: Mutex<Journal>,
    clusters: Mutex<LiveClusters>,
}

struct Site {
    name: Box<str>,
    engine: Mutex<SiteEngine>,
    background: Mutex<Background>,
}

/// Whoever panicked has left a page out at worst.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    /// Keeps nothing on disk.
    pub fn in_memory(options: EngineOptions, learner: Arc<dyn Learn>) -> Self {
        Self { options, learner, sites: Mutex::default(), state: None }
    }

    /// Opens the state in a folder, or makes one: that of `undust cluster --state`, and a journal
    /// beside it. What the clusters knew before there was a journal counts as an earlier crawl. A
    /// site that was learned is learned again from the same pages, which takes as long as it did.
    ///
    /// # Errors
    ///
    /// Those of [`LiveClusters::open_or_make`], and a journal that cannot be read.
    pub fn open(folder: &Path, options: EngineOptions, learner: Arc<dyn Learn>) -> Result<Self> {
        // Before anything is put beside what is not ours.
        Journal::is_in(folder)?;
        let clusters = LiveClusters::open_or_make(folder, |made| made.clusters = options.clusters)?;
        Self::over(clusters, folder, options, learner)
    }

    /// The same of a state that is there.
    ///
    /// # Errors
    ///
    /// Those of [`LiveClusters::open`], and a journal that cannot be read.
    pub fn open_existing(
        folder: &Path,
        options: EngineOptions,
        learner: Arc<dyn Learn>,
    ) -> Result<Self> {
        Self::over(LiveClusters::open(folder)?, folder, options, learner)
    }

    fn over(
        clusters: LiveClusters,
        folder: &Path,
        options: EngineOptions,
        learner: Arc<dyn Learn>,
    ) -> Result<Self> {
        if !Journal::is_in(folder)? {
            Journal::make(folder, restore::earlier_crawl(&clusters)?)?;
        }
        let journal = Journal::open(folder)?;
        let mut live = Self::in_memory(options, learner);
        live.restore(&journal)?;
        let (journal, clusters) = (Mutex::new(journal), Mutex::new(clusters));
        live.state = Some(State { journal, clusters });
        live.keep()?;
        Ok(live)
    }

    /// Decides upon a URL that leaves the crawler's queue. What is no URL of a host is fetched.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written, such as for a full disk: then nothing is decided.
    pub fn decide(&self, url: &str) -> Result<Decision> {
        let Some(site) = self.site(url) else { return Ok(Decision::Fetch) };
        let mut engine = locked(&site.engine);
        let decided = engine.decide(url);
        if let Some(kept) = &decided.kept {
            self.write(&event(url, kept))?;
        }
        Ok(decided.decision)
    }

    /// Takes what came back for a URL: any response, in any order, whether or not it was asked for.
    /// What came of a fetch without an answer has status 0. Returns the name of the site if it was
    /// learned anew.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written: then the response is as if it had not come.
    pub fn saw(&self, response: Response) -> Result<Option<Box<str>>> {
        let Some(site) = self.site(&response.url) else { return Ok(None) };
        let outcome = ResponseOutcome::from(&response);
        let url = response.url.clone();
        let mut engine = locked(&site.engine);
        self.write(&Event::Saw(Box::new(response)))?;
        engine.saw(&url, outcome);
        self.learn(&site, &mut engine)
    }

    /// Begins a crawl: every page is to be found again, and what is known of forms stays.
    ///
    /// # Errors
    ///
    /// A journal that cannot be written.
    pub fn begin_crawl(&self) -> Result<()> {
        let sites = locked(&self.sites);
        self.write(&Event::Crawl)?;
        sites.values().for_each(|site| locked(&site.engine).begin_crawl());
        Ok(())
    }

    /// Learns a site now, whatever has changed. Returns when it is learned.
    ///
    /// # Errors
    ///
    /// Those of [`Learn::learn`], and of the journal.
    pub fn learn_now(&self, site: &str) -> Result<()> {
        let Some(site) = locked(&self.sites).get(site).cloned() else { return Ok(()) };
        let mut engine = locked(&site.engine);
        // What is being learned from fewer pages must not take effect afterwards.
        *locked(&site.background) = Background::default();
        let learning = engine.material().learn(&*self.learner, &())?;
        self.install(&site, &mut engine, learning)
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
                self.finish(&site, &mut locked(&site.engine), done)?;
            }
        }
        Ok(())
    }

    /// Puts what came back into the clusters of the state, for `undust train --state` and others.
    /// Without a call the next [`Self::open`] does so.
    ///
    /// # Errors
    ///
    /// Those of [`LiveClusters::ingest`].
    pub fn keep(&self) -> Result<()> {
        let Some(state) = &self.state else { return Ok(()) };
        let mut clusters = locked(&state.clusters);
        let mut journal = locked(&state.journal);
        // The clusters must not know what the journal may have lost.
        journal.sync()?;
        if let Some(batch) = restore::not_kept(&journal)? {
            clusters.ingest(batch)?;
            journal.append(&Event::Kept)?;
        }
        journal.finish_part()
    }

    /// Why a URL would be fetched or skipped now, which counts nothing. None of what is no URL of a
    /// host, and of a site of which nothing is known.
    pub fn explain(&self, url: &str) -> Option<UrlExplanation> {
        let name = site_of(url, SiteBy::Host)?;
        let site = locked(&self.sites).get(&*name).cloned()?;
        let (decision, forms) = locked(&site.engine).explain(url);
        Some(UrlExplanation { url: url.to_owned(), site: name.into_owned(), decision, forms })
    }

    /// What became of the URLs, by site.
    pub fn stats(&self) -> BTreeMap<String, SiteStats> {
        let sites = locked(&self.sites);
        let stats = |site: &Arc<Site>| (site.name.to_string(), locked(&site.engine).stats());
        sites.values().map(stats).collect()
    }

    /// What audits showed of all sites together, and at most this share of their skips lost a page: true at all
    /// times at once with probability 0.95.
    pub fn audited(&self) -> (Audits, f64) {
        let all = self.stats().into_values().map(|site| site.audits);
        let all = all.fold(Audits::default(), Audits::with);
        (all, all.bound(self.options.audits))
    }

    fn site(&self, url: &str) -> Option<Arc<Site>> {
        let name = site_of(url, SiteBy::Host)?;
        let mut sites = locked(&self.sites);
        if let Some(site) = sites.get(&*name) {
            return Some(Arc::clone(site));
        }
        let site = Arc::new(Site {
            name: (&*name).into(),
            engine: Mutex::new(SiteEngine::new(self.options, self.learner.begin())),
            background: Mutex::default(),
        });
        sites.insert((&*name).into(), Arc::clone(&site));
        Some(site)
    }

    fn write(&self, event: &Event) -> Result<()> {
        self.state.as_ref().map_or(Ok(()), |state| locked(&state.journal).append(event))
    }
}

/// What the journal keeps of a decision.
fn event(url: &str, kept: &Kept) -> Event {
    let url = url.to_owned();
    match *kept {
        Kept::Skip { class, loss, is_by_model: model } => Event::Skip { url, class, loss, model },
        Kept::Audit { class } => Event::Audit { url, class },
        Kept::Probe { class } => Event::Probe { url, class },
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("options", &self.options).finish_non_exhaustive()
    }
}
