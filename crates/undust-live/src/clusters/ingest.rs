//! One batch, from what it brings to what the store holds after it. The steps follow Zhu, Potapova
//! and others (WWW 2012): tier 1, tier 2, redirects, canonical URLs.
//!
//! Rows are read once, changed in memory, and compared in the end with what they were: what differs
//! is written. So a batch costs the rows that it changes, those it compares with, and no more.

use std::sync::atomic::Ordering;

use redb::ReadableTable;

use undust_pages::pages::ResponseOutcome;

use super::batch::{NewResponse, ResponseBatch};
use super::fault::Stored;
use super::record::{GroupPlace, PageRecord};
use super::redirects::targets;
use super::report::BatchReport;
use super::update::{BeforeBatch, PageRow, UNDECIDED, Update, next};

/// The URLs whose last response differs from the one before.
#[derive(Debug, Default)]
struct Changed {
    /// In crawl order.
    pages: Vec<u32>,
    /// URLs whose importance alone changed, or not even that.
    importance: Vec<u32>,
    /// Redirects that were, and redirects that are.
    edges: [Vec<(u128, u32)>; 2],
}

impl Update<'_> {
    /// Takes a batch in; all but the commit.
    pub(super) fn run(&mut self, batch: ResponseBatch) -> Stored<BatchReport> {
        self.report.responses = batch.responses;
        self.report.urls = batch.len() as u64;
        let (urls, steps) = (batch.len() as u64, batch.steps());
        let changed = self.enter(batch)?;
        self.has_done(urls);
        let tiers = self.tier_one(&changed.pages)?;
        let moved = self.move_redirects(&tiers)?;
        self.tier_two(&tiers, &moved)?;
        self.has_done(2 * urls);
        self.write(&changed.importance)?;
        self.has_done(steps);
        Ok(self.report)
    }

    /// Stores how many steps are done; a batch may change fewer rows than it names, or more.
    fn has_done(&self, steps: u64) {
        self.done.store(steps, Ordering::Relaxed);
    }

    /// Finds or makes the row of each URL. Keys are looked up in their order: that reads each
    /// part of the file once.
    fn enter(&mut self, batch: ResponseBatch) -> Stored<Changed> {
        let news = batch.news;
        let mut order: Vec<u32> = (0..news.len() as u32).collect();
        order.sort_unstable_by_key(|&at| news[at as usize].id);
        let mut numbers = vec![None; news.len()];
        for &at in &order {
            let known = self.tables.ids.get(news[at as usize].id)?;
            numbers[at as usize] = known.map(|number| number.value());
            self.count();
        }
        let first_new = self.meta.pages;
        for number in numbers.iter_mut().filter(|number| number.is_none()) {
            *number = Some(self.meta.pages);
            self.meta.pages = next(self.meta.pages)?;
        }
        for &at in &order {
            match numbers[at as usize] {
                Some(number) if number >= first_new => {
                    self.tables.ids.insert(news[at as usize].id, number)?;
                }
                _ => {}
            }
        }
        let mut changed = Changed::default();
        self.rows.reserve(news.len());
        for (number, news) in numbers.into_iter().flatten().zip(news) {
            if number >= first_new {
                self.add(number, news, &mut changed);
            } else {
                self.renew(number, news, &mut changed)?;
            }
        }
        self.write_edges(&mut changed.edges)?;
        Ok(changed)
    }

    fn add(&mut self, number: u32, news: NewResponse, changed: &mut Changed) {
        self.report.new += 1;
        let place = match &news.outcome {
            ResponseOutcome::Dropped(why) => Err(*why),
            _ => Ok(GroupPlace { end: number, group: UNDECIDED }),
        };
        let NewResponse { url, outcome, importance, time, .. } = news;
        changed.edges[1].extend(edges(&outcome, number));
        let page = PageRecord { url, outcome, place, importance, time };
        let row =
            PageRow { page, was: BeforeBatch::default(), is_changed: true, is_compared: false };
        self.rows.insert(number, row);
        changed.pages.push(number);
    }

    fn renew(&mut self, number: u32, news: NewResponse, changed: &mut Changed) -> Stored<()> {
        let row = self.row(number)?;
        let page = &mut row.page;
        if *page.url != *news.url {
            // Somebody made the two for it: the first one stays.
            self.report.unanswered += 1;
            return Ok(());
        }
        if news.says_nothing {
            self.report.unanswered += 1;
            return Ok(());
        }
        if news.time.zip(page.time).is_some_and(|(new, old)| new < old) {
            self.report.outdated += 1;
            return Ok(());
        }
        let importance = news.importance.or(page.importance);
        if importance != page.importance {
            changed.importance.push(number);
        }
        let time = news.time.or(page.time);
        row.is_changed |= importance != page.importance || time != page.time;
        (page.importance, page.time) = (importance, time);
        if news.outcome == page.outcome || is_revisit(&news.outcome, &page.outcome) {
            self.report.unchanged += 1;
            return Ok(());
        }
        row.is_changed = true;
        let old = std::mem::replace(&mut page.outcome, news.outcome);
        changed.edges[0].extend(edges(&old, number));
        changed.edges[1].extend(edges(&page.outcome, number));
        changed.pages.push(number);
        self.report.changed += 1;
        Ok(())
    }

    fn write_edges(&mut self, [gone, new]: &mut [Vec<(u128, u32)>; 2]) -> Stored<()> {
        gone.sort_unstable();
        new.sort_unstable();
        for edge in gone {
            self.tables.sources.remove(*edge)?;
        }
        for edge in new {
            self.tables.sources.insert(*edge, ())?;
        }
        Ok(())
    }
}

/// Whether an answer says by its digest alone that the page is as it was: a WARC's `revisit`.
fn is_revisit(news: &ResponseOutcome, known: &ResponseOutcome) -> bool {
    match (news, known) {
        (
            ResponseOutcome::Content { simhash: None, digest: Some(digest), .. },
            ResponseOutcome::Content { simhash: Some(_), digest: Some(known), .. },
        ) => digest == known,
        _ => false,
    }
}

fn edges(outcome: &ResponseOutcome, number: u32) -> Vec<(u128, u32)> {
    match outcome {
        ResponseOutcome::Redirect(location) => {
            targets(location).map(|target| (target, number)).collect()
        }
        _ => Vec::new(),
    }
}
