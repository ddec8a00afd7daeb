//! A batch at work: the rows and groups that it has read or made so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redb::ReadableTable;
use rustc_hash::FxHashMap;

use super::fault::{DAMAGED, Fault, Stored};
use super::record::{Content, GroupPlace, GroupRecord, PageRecord};
use super::report::BatchReport;
use super::store::{Meta, Tables};
use crate::error::StateReason;

/// No group yet.
pub(super) const UNDECIDED: u32 = u32::MAX;

/// A batch at work.
pub(super) struct Update<'t> {
    pub tables: Tables<'t>,
    pub meta: Meta,
    /// The rows read or made.
    pub rows: FxHashMap<u32, PageRow>,
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
pub(super) struct PageRow {
    pub page: PageRecord,
    pub was: BeforeBatch,
    /// Whether something other than its place has changed.
    pub is_changed: bool,
    /// Whether its content is compared in tier 2.
    pub is_compared: bool,
}

/// What a row was before the batch.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BeforeBatch {
    pub place: Option<GroupPlace>,
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

impl<'t> Update<'t> {
    pub(super) fn new(tables: Tables<'t>, meta: Meta) -> Self {
        let report = BatchReport::default();
        let (rows, groups, frequencies, done) = Default::default();
        Self { tables, meta, rows, groups, frequencies, report, done }
    }

    /// A step more is done.
    pub(super) fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes what holds for the whole store; returns it.
    pub(super) fn finish(mut self) -> Stored<Meta> {
        self.tables.put_meta(&self.meta)?;
        Ok(self.meta)
    }

    /// The row of a page that is known.
    pub(super) fn row(&mut self, number: u32) -> Stored<&mut PageRow> {
        use std::collections::hash_map::Entry;
        match self.rows.entry(number) {
            Entry::Occupied(row) => Ok(row.into_mut()),
            Entry::Vacant(entry) => {
                let stored = self.tables.pages.get(number)?.ok_or(DAMAGED)?;
                let page = PageRecord::read(stored.value()).ok_or(DAMAGED)?;
                let was =
                    BeforeBatch { place: page.place.ok(), content: Content::of(&page.outcome) };
                Ok(entry.insert(PageRow { page, was, is_changed: false, is_compared: false }))
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

/// The number after this one.
pub(super) fn next(number: u32) -> Stored<u32> {
    let next = number.checked_add(1).filter(|next| *next < UNDECIDED);
    next.ok_or(Fault::Odd(StateReason::Full))
}
