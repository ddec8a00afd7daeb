//! A state is read again: what is known after it is what was known before.

use std::mem;

use rustc_hash::FxHashMap;

use undust_pages::page::Page;
use undust_pages::pages::ResponseOutcome;
use undust_pages::response::Response;
use undust_url::site::SiteBy;

use super::{BYTES_OF_RESPONSE, COPIES_OF_TEXT, Live};
use crate::clusters::{LiveClusters, ResponseBatch};
use crate::engine::classes::LearnedTest;
use crate::engine::journal::{Event, Journal, Position};
use crate::engine::secret::Secret;
use crate::engine::site::{SiteEngine, SiteSnapshot};
use crate::error::{Error, Result, StateReason};

/// The last learning of a site.
struct LastLearning {
    /// Pages that it was learned from.
    pages: usize,
    /// The line that says so.
    line: usize,
    /// The site at that time.
    snapshot: Option<SiteSnapshot>,
}

impl LastLearning {
    /// The snapshot of a learning is the site as it was when learning began.
    fn note(&mut self, engine: &mut SiteEngine) {
        if self.snapshot.is_none() && engine.len() >= self.pages {
            self.snapshot = Some(engine.snapshot());
        }
    }
}

/// What a journal begins with whose clusters were there before: an earlier crawl.
pub(super) fn earlier_crawl(clusters: &LiveClusters) -> impl Iterator<Item = Result<Event>> {
    let events = |part: Result<Vec<Page>>| match part {
        Ok(pages) => pages.into_iter().map(|page| Ok(Event::Page(page.into()))).collect(),
        Err(error) => vec![Err(error)],
    };
    let mut pages = clusters.pages_in_parts().flat_map(events).peekable();
    let crawl = pages.peek().is_some().then_some(Ok(Event::Crawl));
    pages.chain(crawl)
}

/// What must be known of a journal before it is replayed.
#[derive(Default)]
pub(super) struct Known {
    secret: Option<Secret>,
    has_domains: bool,
    last: FxHashMap<String, LastLearning>,
}

impl Known {
    /// Looks a journal through from a place on.
    pub(super) fn after(journal: &Journal, position: &Position) -> Result<Self> {
        let (mut known, mut line) = (Self::default(), 0);
        journal.each_after(position, |event| {
            line += 1;
            match event {
                Event::Secret(secret) => known.secret = Some(secret),
                Event::Domains => known.has_domains = true,
                Event::Learned { site, pages, .. } => {
                    known.last.insert(site, LastLearning { pages, line, snapshot: None });
                }
                _ => {}
            }
            Ok(())
        })?;
        Ok(known)
    }

    /// Lets a site begin in the middle; none where it was learned from fewer pages since.
    pub(super) fn begin_at(&mut self, name: &str, engine: &mut SiteEngine) -> Option<()> {
        let Some(last) = self.last.get_mut(name) else { return Some(()) };
        if engine.len() > last.pages {
            return None;
        }
        engine.defer_tests();
        last.note(engine);
        Some(())
    }

    /// Whether a site was learned.
    pub(super) fn has_learned(&self, name: &str) -> bool {
        self.last.contains_key(name)
    }

    /// What a site is: this in a new state.
    pub(super) fn site_by(&self, journal: &mut Journal, by: SiteBy) -> Result<SiteBy> {
        match (self.secret, by) {
            (None, SiteBy::Domain) => journal.append(&Event::Domains).map(|()| by),
            _ if self.has_domains => Ok(SiteBy::Domain),
            _ => Ok(SiteBy::Host),
        }
    }

    /// The secret of the state; one of an earlier version has none, and gets one.
    pub(super) fn secret(&self, journal: &mut Journal) -> Result<Secret> {
        if let Some(secret) = self.secret {
            return Ok(secret);
        }
        let secret = Secret::drawn()?;
        journal.append(&Event::Secret(secret))?;
        Ok(secret)
    }
}

/// Up to where the clusters of a state have its journal.
///
/// # Errors
///
/// They have lines that the journal has not.
pub(super) fn taken(journal: &Journal, clusters: &LiveClusters) -> Result<Position> {
    let Some(mark) = clusters.journal_mark()? else { return Ok(Position::begin()) };
    match serde_json::from_str(&mark) {
        Ok(position) if journal.has(&position)? => Ok(position),
        _ => Err(Error::at(clusters.path(), StateReason::OtherJournal)),
    }
}

/// Gives the clusters what came back after a place, with at most about so many bytes at once, as they take them;
/// whether there was any.
pub(super) fn give(
    clusters: &mut LiveClusters,
    journal: &Journal,
    after: &Position,
    most_bytes: usize,
) -> Result<bool> {
    // Of what they knew before there was a journal they know more than the journal.
    let are_new = clusters.is_empty();
    let (mut batch, mut bytes, mut is_any) = (ResponseBatch::new(), 0, false);
    journal.each_after(after, |event| {
        let is_end = event == Event::Kept;
        match event {
            Event::Saw(response) => {
                bytes += bytes_of(&response);
                batch.push(*response);
                is_any = true;
            }
            Event::Page(page) if are_new => {
                bytes += BYTES_OF_RESPONSE + COPIES_OF_TEXT * page.url.len();
                let (url, content) = page.content();
                batch.push_known(url, content);
            }
            _ => {}
        }
        // Of the responses of a URL that come at once the first counts, and the last of those that do not.
        if bytes >= most_bytes || is_end && !batch.is_empty() {
            bytes = 0;
            clusters.ingest(mem::take(&mut batch))?;
        }
        Ok(())
    })?;
    if !batch.is_empty() {
        clusters.ingest(batch)?;
    }
    Ok(is_any)
}

/// What the clusters need to take a response, about.
fn bytes_of(response: &Response) -> usize {
    BYTES_OF_RESPONSE + COPIES_OF_TEXT * response.bytes()
}

impl Live {
    /// Takes all events of a journal after a place. Only the last learning of each site is learned again.
    pub(super) fn restore(
        &self,
        journal: &Journal,
        position: &Position,
        known: Known,
    ) -> Result<()> {
        let Known { mut last, .. } = known;
        let mut line = 0;
        journal.each_after(position, |event| {
            line += 1;
            self.replay(event, line, &mut last)
        })
    }

    fn replay(
        &self,
        event: Event,
        line: usize,
        last: &mut FxHashMap<String, LastLearning>,
    ) -> Result<()> {
        match event {
            Event::Format(_) | Event::Part(_) | Event::Kept | Event::Secret(_) | Event::Domains => {
            }
            Event::Crawl => self.begin_crawl_of_all()?,
            Event::Saw(response) => {
                let outcome = ResponseOutcome::from(&*response);
                self.take(&response.url, outcome, None, last)?;
            }
            Event::Page(page) => {
                let end = format!("known {}", page.end);
                let (url, content) = page.content();
                self.take(&url, content, Some(&end), last)?;
            }
            Event::Skip { ref url, .. }
            | Event::Audit { ref url, .. }
            | Event::Probe { ref url, .. } => {
                if let Some(site) = self.known(url) {
                    self.engine(&site)?.keep(&event);
                }
            }
            Event::Learned { site, pages, tests } => {
                self.learned(&site, pages, (line, &tests), last)?;
            }
        }
        Ok(())
    }

    fn take(
        &self,
        url: &str,
        outcome: ResponseOutcome,
        end: Option<&str>,
        last: &mut FxHashMap<String, LastLearning>,
    ) -> Result<()> {
        let Some(name) = self.site_of(url) else { return Ok(()) };
        let outcome = self.of_site(&name, outcome);
        let Some(site) = self.taking(&name, &outcome) else { return Ok(()) };
        self.relieve()?;
        let mut engine = self.engine(&site)?;
        if engine.len() == 0 && last.contains_key(&*site.name) {
            engine.defer_tests();
        }
        engine.take_part(&outcome);
        engine.saw_at(url, outcome, end);
        last.get_mut(&*site.name).into_iter().for_each(|last| last.note(&mut engine));
        Ok(())
    }

    fn learned(
        &self,
        name: &str,
        pages: usize,
        (line, tests): (usize, &[LearnedTest]),
        last: &mut FxHashMap<String, LastLearning>,
    ) -> Result<()> {
        let site = self.named(name);
        let mut engine = self.engine(&site)?;
        let is_last = last.get(name).is_some_and(|last| last.line == line);
        // Pages that come later begin no other.
        let snapshot =
            if is_last { last.remove(name).and_then(|last| last.snapshot) } else { None };
        match snapshot {
            Some(snapshot) => {
                engine.restore_tests(tests);
                engine.install(snapshot.learn(&*self.learner, &())?);
            }
            None => engine.note_learning(pages),
        }
        Ok(())
    }
}
