//! One batch, from what it brings to what the store holds after it. The steps follow Zhu, Ntarmos
//! and others (WWW 2012): tier 1, tier 2, redirects, winners.
//!
//! Rows are read once, changed in memory, and compared in the end with what they were: what differs
//! is written. So a batch costs the rows that it changes, those it compares with, and no more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redb::ReadableTable;
use rustc_hash::FxHashMap;

use undust_pages::pages::Fate;
use undust_pages::url_text::as_requested;

use super::batch::{Batch, News, id_of};
use super::fault::{DAMAGED, Fault, Stored};
use super::record::{Content, GroupRecord, PageRecord, Place};
use super::report::BatchReport;
use super::store::{Meta, Tables};

/// No group yet.
pub(super) const UNDECIDED: u32 = u32::MAX;

/// A batch at work.
pub(super) struct Update<'t> {
    pub tables: Tables<'t>,
    pub meta: Meta,
    /// The rows read or made.
    pub rows: FxHashMap<u32, Row>,
    /// The groups that are asked for.
    pub groups: FxHashMap<u32, GroupWork>,
    /// URLs of a host that contain a token, where known.
    pub frequencies: FxHashMap<u64, u32>,
    pub report: BatchReport,
    /// Steps taken, of those that the batch says it takes.
    pub done: Arc<AtomicU64>,
}

/// A URL at work.
#[derive(Debug)]
pub(super) struct Row {
    pub page: PageRecord,
    pub was: Was,
    /// Whether something beside the place has changed.
    pub is_changed: bool,
    /// Whether its content is compared in tier 2.
    pub is_compared: bool,
}

/// What a row was before the batch.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Was {
    pub place: Option<Place>,
    pub content: Option<Content>,
}

/// A group at work.
#[derive(Debug, Default)]
pub(super) struct GroupWork {
    /// As it was; none if it is new.
    pub record: Option<GroupRecord>,
    /// Pages that leave it, before any page joins.
    pub leaving: u32,
    /// Pages that are in it and were not, or whose importance has changed.
    pub candidates: Vec<u32>,
    /// Pages in the end.
    pub size: u32,
    /// Whether pages left it or changed in it.
    pub is_loose: bool,
    /// Whether all of it was looked at.
    pub is_verified: bool,
}

/// The URLs whose last response differs from the one before.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// In crawl order.
    pub pages: Vec<u32>,
    /// URLs of which nothing but the importance changed, or that too.
    pub importance: Vec<u32>,
    /// Redirects that were, and redirects that are.
    edges: [Vec<(u128, u32)>; 2],
}

impl<'t> Update<'t> {
    pub(super) fn new(tables: Tables<'t>, meta: Meta) -> Self {
        let report = BatchReport::default();
        let (rows, groups, frequencies, done) = Default::default();
        Self { tables, meta, rows, groups, frequencies, report, done }
    }

    /// Takes a batch in; all but the commit.
    pub(super) fn run(&mut self, batch: Batch) -> Stored<BatchReport> {
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

    /// A step more is done.
    pub(super) fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// So many steps are done, though a batch may change fewer rows than it names, or more.
    fn has_done(&self, steps: u64) {
        self.done.store(steps, Ordering::Relaxed);
    }

    /// Notes what holds for the whole store; returns it.
    pub(super) fn finish(mut self) -> Stored<Meta> {
        self.tables.put_meta(&self.meta)?;
        Ok(self.meta)
    }

    /// Finds or makes the row of each URL. Keys are looked up in their order: that reads each
    /// part of the file once.
    fn enter(&mut self, batch: Batch) -> Stored<Changed> {
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

    fn add(&mut self, number: u32, news: News, changed: &mut Changed) {
        self.report.new += 1;
        let place = match &news.fate {
            Fate::Dropped(why) => Err(*why),
            _ => Ok(Place { end: number, group: UNDECIDED }),
        };
        let News { url, fate, importance, time, .. } = news;
        changed.edges[1].extend(edges(&fate, number));
        let page = PageRecord { url, fate, place, importance, time };
        let row = Row { page, was: Was::default(), is_changed: true, is_compared: false };
        self.rows.insert(number, row);
        changed.pages.push(number);
    }

    fn renew(&mut self, number: u32, news: News, changed: &mut Changed) -> Stored<()> {
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
        if news.fate == page.fate || is_revisit(&news.fate, &page.fate) {
            self.report.unchanged += 1;
            return Ok(());
        }
        row.is_changed = true;
        let old = std::mem::replace(&mut page.fate, news.fate);
        changed.edges[0].extend(edges(&old, number));
        changed.edges[1].extend(edges(&page.fate, number));
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

    /// The row of a page that is known.
    pub(super) fn row(&mut self, number: u32) -> Stored<&mut Row> {
        use std::collections::hash_map::Entry;
        match self.rows.entry(number) {
            Entry::Occupied(row) => Ok(row.into_mut()),
            Entry::Vacant(entry) => {
                let stored = self.tables.pages.get(number)?.ok_or(DAMAGED)?;
                let page = PageRecord::read(stored.value()).ok_or(DAMAGED)?;
                let was = Was { place: page.place.ok(), content: Content::of(&page.fate) };
                Ok(entry.insert(Row { page, was, is_changed: false, is_compared: false }))
            }
        }
    }

    /// A group that is known.
    pub(super) fn group(&mut self, group: u32) -> Stored<&mut GroupWork> {
        use std::collections::hash_map::Entry;
        match self.groups.entry(group) {
            Entry::Occupied(work) => Ok(work.into_mut()),
            Entry::Vacant(entry) => {
                let stored = self.tables.groups.get(group)?.ok_or(DAMAGED)?;
                let record = GroupRecord::read(stored.value()).ok_or(DAMAGED)?;
                let (size, is_loose) = (record.size, record.is_loose);
                let work = GroupWork { record: Some(record), size, is_loose, ..Default::default() };
                Ok(entry.insert(work))
            }
        }
    }

    /// The record of a group that is known.
    pub(super) fn stored_group(&mut self, group: u32) -> Stored<GroupRecord> {
        let stored = self.tables.groups.get(group)?.ok_or(DAMAGED)?;
        GroupRecord::read(stored.value()).ok_or(DAMAGED)
    }

    /// The groups that are loose. One look at every group.
    pub(super) fn loose(&self) -> Stored<Vec<u32>> {
        let mut loose = Vec::new();
        for row in self.tables.groups.iter()? {
            let (group, row) = row?;
            if GroupRecord::read(row.value()).ok_or(DAMAGED)?.is_loose {
                loose.push(group.value());
            }
        }
        Ok(loose)
    }

    /// The members of a group as the table has them.
    pub(super) fn members(&self, group: u32) -> Stored<Vec<u32>> {
        let range = self.tables.members.range((group, 0)..=(group, u32::MAX))?;
        range.map(|member| Ok(member?.0.value().1)).collect()
    }

    /// An id that no group had.
    pub(super) fn new_group(&mut self) -> Stored<u32> {
        let group = self.meta.groups;
        self.meta.groups = next(group)?;
        self.groups.insert(group, GroupWork::default());
        Ok(group)
    }
}

/// Whether an answer says by its digest alone that the page is as it was: a WARC's `revisit`.
fn is_revisit(news: &Fate, known: &Fate) -> bool {
    match (news, known) {
        (
            Fate::Content { simhash: None, digest: Some(digest), .. },
            Fate::Content { simhash: Some(_), digest: Some(known), .. },
        ) => digest == known,
        _ => false,
    }
}

fn next(number: u32) -> Stored<u32> {
    let next = number.checked_add(1).filter(|next| *next < UNDECIDED);
    next.ok_or(Fault::Odd("is full: it has 4 billion URLs"))
}

/// The URLs that a redirect may mean: its location, that without its fragment, and as clients ask for it.
pub(super) fn targets(location: &str) -> impl Iterator<Item = u128> {
    let without_fragment = location.split_once('#').map(|(url, _)| url);
    let requested = as_requested(location).map(|url| id_of(&url));
    std::iter::once(location).chain(without_fragment).map(id_of).chain(requested)
}

fn edges(fate: &Fate, number: u32) -> Vec<(u128, u32)> {
    match fate {
        Fate::Redirect(location) => targets(location).map(|target| (target, number)).collect(),
        _ => Vec::new(),
    }
}
