//! Redirects: who ends where, and who moves along when an end changes.

use redb::{ReadableTable, ReadableTableMetadata};
use rustc_hash::FxHashSet;

use undust_pages::pages::{DropReason, MAX_HOPS, ResponseOutcome};
use undust_pages::url_text::redirect_targets;

use super::batch::id_of;
use super::fault::Stored;
use super::record::GroupPlace;
use super::tiers::Tiers;
use super::update::{UNDECIDED, Update};

impl Update<'_> {
    /// Finds the new ends of all URLs whose redirects pass a page that changed (case 3 of the
    /// paper), and takes the pages that have to move out of their groups. Returns what must get a
    /// group: those pages, and new ones. Linear in these, times the length of a chain.
    pub(super) fn move_redirects(&mut self, tiers: &Tiers) -> Stored<Vec<u32>> {
        let mut moved = Vec::with_capacity(tiers.moved.len());
        let followers = self.followers(&tiers.moved)?;
        for &number in tiers.moved.iter().chain(&followers) {
            let end = self.end_of(number)?;
            let is_compared = match end {
                Ok(end) => self.row(end)?.is_compared,
                Err(_) => false,
            };
            let row = self.row(number)?;
            let was = row.was.place;
            if end.is_ok_and(|end| was.is_some_and(|was| was.end == end)) && !is_compared {
                continue;
            }
            let place = end.map(|end| GroupPlace { end, group: UNDECIDED });
            row.is_changed |= row.page.place != place;
            row.page.place = place;
            if let Some(GroupPlace { group, .. }) = was {
                // It may come back, and still have been the bridge between others.
                let work = self.group(group)?;
                work.leaving += 1;
                work.is_loose = true;
            }
            if end.is_ok() {
                moved.push(number);
            }
        }
        Ok(moved)
    }

    /// The URLs whose redirects pass one of `roots`, without these.
    fn followers(&mut self, roots: &[u32]) -> Stored<Vec<u32>> {
        if self.tables.sources.is_empty()? {
            return Ok(Vec::new());
        }
        let mut seen: FxHashSet<u32> = roots.iter().copied().collect();
        let (mut found, mut level) = (Vec::new(), roots.to_vec());
        // A longer chain has no end, whatever happens behind it.
        for _ in 0..MAX_HOPS {
            let mut targets = Vec::with_capacity(level.len());
            for number in level.drain(..) {
                targets.push(id_of(&self.row(number)?.page.url));
            }
            targets.sort_unstable();
            for target in targets {
                for source in self.tables.sources.range((target, 0)..=(target, u32::MAX))? {
                    let source = source?.0.value().1;
                    if seen.insert(source) {
                        level.push(source);
                    }
                }
            }
            if level.is_empty() {
                break;
            }
            found.extend(&level);
        }
        Ok(found)
    }

    /// Where the redirects from a URL end, or why it does not count: as
    /// [`PagesBuilder`](undust_pages::pages::PagesBuilder) has it.
    pub(super) fn end_of(&mut self, number: u32) -> Stored<Result<u32, DropReason>> {
        let mut trail = vec![number];
        let mut at = number;
        loop {
            let location = match &self.row(at)?.page.outcome {
                ResponseOutcome::Content { .. } => return Ok(Ok(at)),
                ResponseOutcome::Dropped(why) => return Ok(Err(*why)),
                ResponseOutcome::Redirect(location) => location.clone(),
            };
            let Some(target) = self.page_at(&location)? else {
                return Ok(Err(DropReason::MissingTarget));
            };
            if trail.contains(&target) {
                return Ok(Err(DropReason::Loop));
            }
            if trail.len() > MAX_HOPS {
                return Ok(Err(DropReason::LongChain));
            }
            trail.push(target);
            at = target;
        }
    }

    /// The page that a redirect leads to.
    pub(super) fn page_at(&self, location: &str) -> Stored<Option<u32>> {
        for target in targets(location) {
            if let Some(number) = self.tables.ids.get(target)? {
                return Ok(Some(number.value()));
            }
        }
        Ok(None)
    }
}

/// The URLs that a redirect may mean.
pub(super) fn targets(location: &str) -> impl Iterator<Item = u128> {
    redirect_targets(location).map(|url| id_of(&url))
}
