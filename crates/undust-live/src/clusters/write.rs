//! What a batch changed, into the tables: each in the order of its keys, which touches each part of
//! the file once.

use std::borrow::Borrow;
use std::hash::Hash;

use redb::{Key, ReadableTable, Table};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use undust_url::site::{SiteBy, site_of};
use undust_url::tokens::Delimiters;

use super::fault::{DAMAGED, Fault, Stored};
use super::record::{Content, GroupPlace, GroupRecord};
use super::same::near_key;
use super::update::{PageRow, Update};
use crate::error::StateReason;

/// What is counted up and down, by key.
type Deltas<K> = FxHashMap<K, i64>;

/// The differences between the rows and what they were.
#[derive(Default)]
struct Differences {
    pages: Vec<u32>,
    /// Group and page.
    left: Vec<(u32, u32)>,
    joined: Vec<(u32, u32)>,
    digests: Deltas<(u64, u32)>,
    near: Deltas<(u64, u64, u32)>,
    tokens: Deltas<u64>,
    hosts: FxHashMap<String, u64>,
}

impl Update<'_> {
    /// Writes all that differs; `importance` are the pages whose importance does.
    pub(super) fn write(&mut self, importance: &[u32]) -> Stored<()> {
        let found = self.differences();
        self.write_pages(&found.pages)?;
        self.write_members(&found)?;
        self.write_counts(found.digests, found.near, found.tokens)?;
        for (host, count) in found.hosts {
            let before = self.tables.changes.get(host.as_str())?.map_or(0, |count| count.value());
            self.tables.changes.insert(host.as_str(), before + count)?;
        }
        for &number in importance {
            if let Ok(GroupPlace { group, .. }) = self.row(number)?.page.place {
                self.group(group)?.candidates.push(number);
            }
        }
        self.write_groups()
    }

    fn differences(&self) -> Differences {
        let mut found = Differences::default();
        let options = &self.meta.options;
        for (&number, row) in &self.rows {
            let (was, now) = (row.was.place, row.page.place.ok());
            if row.is_changed || was != now {
                found.pages.push(number);
            }
            let (old_group, group) = (was.map(|was| was.group), now.map(|now| now.group));
            if old_group != group {
                found.left.extend(old_group.map(|group| (group, number)));
                found.joined.extend(group.map(|group| (group, number)));
                let host = site_of(&row.page.url, SiteBy::Host).unwrap_or_default();
                match found.hosts.get_mut(host.as_ref()) {
                    Some(count) => *count += 1,
                    None => _ = found.hosts.insert(host.into_owned(), 1),
                }
            }
            if was.is_some() != now.is_some() && options.canonical.needs_frequencies() {
                let by = if now.is_some() { 1 } else { -1 };
                let tokens = tokens(&row.page.url);
                tokens.into_iter().for_each(|token| *found.tokens.entry(token).or_default() += by);
            }
            let (old, new) = (was_indexed(row), is_indexed(row));
            if old != new {
                for (indexed, by) in [(old, -1), (new, 1)] {
                    let Some((content, group)) = indexed else { continue };
                    if let Some(digest) = content.digest {
                        *found.digests.entry((digest, group)).or_default() += by;
                    }
                    if let Some((key, simhash)) = near_key(content, &options.clusters) {
                        *found.near.entry((key, simhash, group)).or_default() += by;
                    }
                }
            }
        }
        found.pages.sort_unstable();
        found.left.sort_unstable();
        found.joined.sort_unstable();
        found
    }

    fn write_pages(&mut self, pages: &[u32]) -> Stored<()> {
        let mut row = Vec::new();
        for &number in pages {
            row.clear();
            self.rows[&number].page.write(&mut row);
            self.tables.pages.insert(number, row.as_slice())?;
            self.count();
        }
        Ok(())
    }

    fn write_members(&mut self, found: &Differences) -> Stored<()> {
        for &(group, number) in &found.left {
            self.tables.members.remove((group, number))?;
            self.group(group)?.size -= 1;
        }
        for &(group, number) in &found.joined {
            self.tables.members.insert((group, number), ())?;
            let work = self.group(group)?;
            work.size += 1;
            work.candidates.push(number);
        }
        Ok(())
    }

    fn write_counts(
        &mut self,
        digests: Deltas<(u64, u32)>,
        near: Deltas<(u64, u64, u32)>,
        tokens: Deltas<u64>,
    ) -> Stored<()> {
        for (key, by) in sorted(digests) {
            add(&mut self.tables.digests, key, by)?;
        }
        for (key, by) in sorted(near) {
            add(&mut self.tables.near, key, by)?;
        }
        for (key, by) in sorted(tokens) {
            let count = add(&mut self.tables.tokens, key, by)?;
            self.frequencies.insert(key, count);
        }
        Ok(())
    }

    fn write_groups(&mut self) -> Stored<()> {
        let mut groups: Vec<u32> = self.groups.keys().copied().collect();
        groups.sort_unstable();
        let mut row = Vec::new();
        for group in groups {
            let record = self.updated_group(group)?;
            if self.groups.get(&group).is_some_and(|work| work.record == record) {
                continue;
            }
            match record {
                None => _ = self.tables.groups.remove(group)?,
                Some(record) => {
                    row.clear();
                    record.write(&mut row);
                    self.tables.groups.insert(group, row.as_slice())?;
                }
            }
        }
        Ok(())
    }

    /// The record of a group after the batch; none if nobody is left.
    fn updated_group(&mut self, group: u32) -> Stored<Option<GroupRecord>> {
        let work = self.groups.get(&group).ok_or(DAMAGED)?;
        let (size, is_loose) = (work.size, work.is_loose && !work.is_verified);
        if size == 0 {
            return Ok(None);
        }
        let canonical = self.canonical(group)?;
        let end = self.row(canonical)?.page.place.map_err(|_| DAMAGED)?.end;
        let signature = Content::of(&self.row(end)?.page.outcome).ok_or(DAMAGED)?;
        let is_loose = is_loose && size > 1 && self.had_others(group);
        Ok(Some(GroupRecord { canonical, size, signature, is_loose }))
    }

    /// A group that was not there before cannot hold pages that came to differ in it.
    fn had_others(&self, group: u32) -> bool {
        self.groups.get(&group).is_some_and(|work| work.record.is_some())
    }

    /// The canonical URL of a group: the best of the old one and those that are new; of all, if the old one
    /// is gone or less important than it was.
    fn canonical(&mut self, group: u32) -> Stored<u32> {
        let Some(work) = self.groups.get_mut(&group) else { return Err(DAMAGED) };
        let mut candidates = std::mem::take(&mut work.candidates);
        if let Some(GroupRecord { canonical, .. }) = work.record {
            let stays = self.row(canonical)?.page.place.is_ok_and(|place| place.group == group);
            if !stays || candidates.contains(&canonical) {
                candidates = self.members(group)?;
            } else {
                candidates.push(canonical);
            }
        }
        self.best(&candidates)
    }

    /// The canonical URL among some pages. Linear in the length of their URLs.
    pub(super) fn best(&mut self, candidates: &[u32]) -> Stored<u32> {
        if let [only] = candidates {
            return Ok(*only);
        }
        for &candidate in candidates {
            self.row(candidate)?;
            if self.meta.options.canonical.needs_frequencies() {
                self.look_up_frequencies(candidate)?;
            }
        }
        let order = &self.meta.options.canonical;
        let rank = |candidate: &&u32| {
            let page = &self.rows[candidate].page;
            let seed = seed(&page.url);
            order.rank(&page.url, page.importance, |token| {
                let key = xxh3_64_with_seed(token.text.as_bytes(), seed);
                self.frequencies.get(&key).copied().unwrap_or(0).into()
            })
        };
        candidates.iter().min_by_key(rank).copied().ok_or(DAMAGED)
    }

    fn look_up_frequencies(&mut self, number: u32) -> Stored<()> {
        for key in tokens(&self.rows[&number].page.url) {
            if !self.frequencies.contains_key(&key) {
                let count = self.tables.tokens.get(key)?.map_or(0, |count| count.value());
                self.frequencies.insert(key, count);
            }
        }
        Ok(())
    }
}

/// The content and group by which tier 2 finds a page; redirects are not found.
fn was_indexed(row: &PageRow) -> Option<(Content, u32)> {
    Some((row.was.content?, row.was.place?.group))
}

fn is_indexed(row: &PageRow) -> Option<(Content, u32)> {
    Some((Content::of(&row.page.outcome)?, row.page.place.ok()?.group))
}

/// Adds to a count and returns it; a count of 0 has no row. Most keys are new, and written without
/// being looked up.
fn add<K: Key>(
    table: &mut Table<'_, K, u32>,
    key: impl for<'k> Borrow<K::SelfType<'k>> + Copy,
    by: i64,
) -> Stored<u32> {
    let guess = u32::try_from(by).unwrap_or(0);
    let before = table.insert(key, guess)?.map_or(0, |count| count.value());
    let count =
        u32::try_from(i64::from(before) + by).map_err(|_| Fault::Odd(StateReason::WrongCount))?;
    if count == 0 {
        table.remove(key)?;
    } else if count != guess {
        table.insert(key, count)?;
    }
    Ok(count)
}

fn sorted<K: Ord + Hash>(deltas: Deltas<K>) -> Vec<(K, i64)> {
    let mut sorted: Vec<_> = deltas.into_iter().filter(|(_, by)| *by != 0).collect();
    sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    sorted
}

/// The host of a URL as sites are named; empty if it names none.
pub(super) fn host(url: &str) -> String {
    site_of(url, SiteBy::Host).unwrap_or_default().into_owned()
}

fn seed(url: &str) -> u64 {
    xxh3_64(site_of(url, SiteBy::Host).unwrap_or_default().as_bytes())
}

/// The distinct tokens of a URL, hashed with its host.
fn tokens(url: &str) -> Vec<u64> {
    let seed = seed(url);
    let hash = |text: &str| xxh3_64_with_seed(text.as_bytes(), seed);
    let mut tokens: Vec<u64> =
        Delimiters::default().tokens(url).map(|token| hash(token.text)).collect();
    tokens.sort_unstable();
    tokens.dedup();
    tokens
}
