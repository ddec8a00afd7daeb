//! The end from which each edit is addressed (Koppula et al., section 3.1: "a component is
//! addressed by start index or end index, whichever is consistent").

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::place::{Address, KeyChange, New, PlaceChange, Side, Sides};

/// Number of clusters in which each change occurs, addressed from each end.
#[derive(Debug, Default)]
pub(super) struct Addresses(FxHashMap<u64, AddressCount>);

#[derive(Debug, Clone, Copy)]
struct AddressCount {
    clusters: u32,
    last: u32,
}

impl Addresses {
    /// Counts an edit of a cluster. The edits of one cluster come in a row.
    pub(super) fn count(&mut self, edit: &PlaceChange<'_>, cluster: u32) {
        for sides in edit.sides() {
            for signature in signatures(edit, sides) {
                let new = AddressCount { clusters: 0, last: u32::MAX };
                let count = self.0.entry(signature).or_insert(new);
                count.clusters += u32::from(count.last != cluster);
                count.last = cluster;
            }
        }
    }

    /// The edit, addressed from the end from which more clusters have it with the same old and new
    /// text or, on a tie, with any text.
    pub(super) fn choose<'a>(&self, edit: &PlaceChange<'a>) -> KeyChange<'a> {
        let clusters = |sides: Sides| {
            signatures(edit, sides).map(|s| self.0.get(&s).map_or(0, |count| count.clusters))
        };
        // `max_by_key` takes the last of equals; the preferred sides come first.
        let sides: Vec<Sides> = edit.sides().collect();
        let best = sides.iter().rev().copied().max_by_key(|sides| clusters(*sides));
        let from_start = Sides { component: Side::Start, token: Side::Start };
        edit.change(best.unwrap_or(from_start))
    }
}

/// Hashes of the edit as addressed from the given sides, with its text and without.
fn signatures(edit: &PlaceChange<'_>, sides: Sides) -> [u64; 2] {
    let change = edit.change(sides);
    let hash = |what: &dyn Fn(&mut rustc_hash::FxHasher)| {
        let mut hasher = FxBuildHasher.build_hasher();
        what(&mut hasher);
        hasher.finish()
    };
    let with_text = hash(&|hasher| (edit.old, &change).hash(hasher));
    let without = hash(&|hasher| {
        change.at.hash(hasher);
        for new in &change.new {
            match new {
                New::Literal(_) => New::<Address<'_>>::Star.hash(hasher),
                other => other.hash(hasher),
            }
        }
    });
    [with_text, without]
}
