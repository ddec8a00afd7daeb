//! Where a source of labels is believed: the law of evidence, as for an edit.
//!
//! What labels say of a page whose content is known is either right or wrong. The share of the pages of a kind on which
//! they are wrong is shrunk towards that of the site outside it, and must not exceed that of an accepted edit.

use rustc_hash::FxHashMap;

use undust_edits::edit_evidence::EditEvidence;
use undust_edits::shrinkage::UNKNOWN;

use crate::gate::select_edits::law::{LEAST_FORMS, outside, rate};
use crate::ordered::distinct;
use crate::report::{LabelReport, LabelSource};

/// What was seen of a source.
#[derive(Default)]
pub(super) struct Observations {
    /// The kind of pages, what was observed as two numbers, and whether it was wrong. Equal ones count once.
    seen: Vec<(u64, u32, u32, bool)>,
}

impl Observations {
    /// Takes one, on pages of a kind. `what` tells it from others: many URLs of one page count once.
    pub(super) fn push(&mut self, kind: u64, what: (u32, u32), is_wrong: bool) {
        self.seen.push((kind, what.0, what.1, is_wrong));
    }

    /// Where the source is believed, if no more than `limit` of what it says is wrong.
    pub(super) fn belief(self, limit: f64) -> Belief {
        let (mut site, mut kinds) = (EditEvidence::default(), FxHashMap::default());
        for (kind, .., is_wrong) in distinct(self.seen) {
            let collisions = u32::from(is_wrong);
            let one = EditEvidence { tested: 1, pages: 1, collisions, ..EditEvidence::default() };
            site += one;
            *kinds.entry(kind).or_insert_with(EditEvidence::default) += one;
        }
        Belief { site, kinds, limit }
    }
}

/// Where a source is believed.
pub(super) struct Belief {
    /// Effective samples on all pages; those that were wrong are `collisions`.
    site: EditEvidence,
    kinds: FxHashMap<u64, EditEvidence>,
    limit: f64,
}

impl Belief {
    /// Whether the source is believed on a kind of pages. Where nothing was seen, the rest of the site decides.
    pub(super) fn on(&self, kind: u64) -> bool {
        let known = self.kinds.get(&kind).copied().unwrap_or_default();
        let outside = outside(&known, Some((&self.site, UNKNOWN)));
        self.site.tested >= LEAST_FORMS && rate(&known, outside) <= self.limit
    }

    /// What a source says, how often that was seen and was wrong, and how much of it is used.
    pub(super) fn report(&self, source: LabelSource, says: &str, used: usize) -> LabelReport {
        let (seen, wrong) = (self.site.tested as usize, self.site.collisions as usize);
        LabelReport { source, says: says.into(), seen, wrong, used }
    }

    /// Whether it is believed on the site as a whole.
    pub(super) fn anywhere(&self) -> bool {
        self.site.tested >= LEAST_FORMS && rate(&self.site, UNKNOWN) <= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two kinds: how many are right, and how many wrong.
    fn belief(kinds: [(u32, u32); 2]) -> Belief {
        let mut seen = Observations::default();
        for (kind, (right, wrong)) in (0..).zip(kinds) {
            (0..right).for_each(|n| seen.push(kind, (n, 0), false));
            (0..wrong).for_each(|n| seen.push(kind, (n, 1), true));
        }
        seen.belief(0.075)
    }

    #[test]
    fn a_source_is_believed_where_it_is_right() {
        let mixed = belief([(200, 1), (3, 90)]);
        assert!(mixed.on(0) && !mixed.on(1) && !mixed.on(7) && !mixed.anywhere());
        let right = belief([(60, 1), (1, 0)]);
        assert!(right.on(0) && right.on(1) && right.on(7) && right.anywhere());
    }

    #[test]
    fn what_was_seen_too_seldom_or_on_one_page_is_not_believed() {
        assert!(!belief([(4, 0), (0, 0)]).anywhere());
        let mut one = Observations::default();
        (0..50).for_each(|_| one.push(0, (1, 1), false));
        let one = one.belief(0.075);
        assert!(one.site.tested == 1 && !one.on(0) && !one.anywhere());
    }
}
