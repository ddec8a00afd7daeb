//! [Values that name one page](crate::edits::marks): which, and whether that is to be trusted.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::Hash;

use rustc_hash::FxHashSet;

use super::Gate;
use crate::edits::edit::{Edit, any_kind, copy, path_end};
use crate::edits::marks::Slot;
use crate::edits::rows::{MOST_PIECES, Rows};
use crate::edits::scope::{hash, names};
use crate::evidence::bound;
use crate::url::lexicon::Symbol;
use crate::work;

/// Arguments of a URL beyond which its values are not looked at: the cost is their square.
const MOST_ARGUMENTS: usize = 8;

/// URLs that a value must have, all of one page.
const LEAST_URLS: usize = 2;

/// URLs that must have put known values to the test.
const LEAST_TESTED: usize = 20;

/// Values of a slot, each of which names one page.
pub(crate) struct Found {
    /// Whose values they are.
    pub slot: Slot,
    /// For each value a URL that has it.
    pub urls: Vec<u32>,
    /// The values' numbers, ascending.
    values: Vec<u64>,
    /// Fetches that would be saved if an argument were dropped where one of these stands.
    saved: usize,
    /// Clusters that would have been lost, had it been dropped as soon as a value was known.
    lost: usize,
}

/// Shapes by what they have in common: their path, if that matters, and the names in the query.
type Tables = BTreeMap<(Option<u64>, Vec<Symbol>), Vec<usize>>;

/// A URL that has a value: the value's number, the URL, and whether it has the argument that would
/// be dropped.
type Use = (u64, u32, bool);

impl Gate<'_> {
    /// Finds the values that name one page each, where an argument makes several forms of them that no
    /// accepted edit joins: for each slot those that save most, if these are `least` fetches or
    /// more. Marks them, so that edits are judged where they stand. Cost: n log n in the URLs with a
    /// query, times the square of their arguments.
    pub(crate) fn mark_known_values(&mut self, least: usize) -> Vec<Found> {
        let found = self.known_values(least);
        for Found { slot, values, lost, .. } in &found {
            self.rows.mark(*slot, values);
            self.lost += *lost as i32;
        }
        self.changed.resize(self.rows.shapes.len(), self.epoch);
        found
    }

    fn known_values(&self, least: usize) -> Vec<Found> {
        let tables = tables(self.rows);
        let mut best: BTreeMap<Slot, Found> = BTreeMap::new();
        for ((path, names), with) in &tables {
            for dropped in names {
                if !self.proposals.has(&Edit::DropKey(*dropped)) {
                    continue;
                }
                let left: Vec<Symbol> =
                    names.iter().copied().filter(|name| name != dropped).collect();
                let without = tables.get(&(*path, left.clone())).map_or(&[][..], Vec::as_slice);
                // One path is a value where paths are not kept apart.
                let slots = match path {
                    Some(_) => left.into_iter().map(Slot::Argument).collect(),
                    None => vec![Slot::Path],
                };
                for slot in slots {
                    let Some(found) = self.values(slot, with, without) else { continue };
                    if found.saved >= best.get(&slot).map_or(least, |best| best.saved + 1) {
                        best.insert(slot, found);
                    }
                }
            }
        }
        self.within_budget(best.into_values().collect())
    }

    /// Those that save most, as long as no more is lost by all together than may be.
    fn within_budget(&self, mut found: Vec<Found>) -> Vec<Found> {
        let mut left = usize::try_from(self.budget - self.lost).unwrap_or(0);
        found.sort_by_key(|found| (Reverse(found.saved), found.slot));
        found.retain(|found| {
            let fits = found.lost <= left;
            left -= if fits { found.lost } else { 0 };
            fits
        });
        found
    }

    /// The values of a slot that name one page each: in the shapes `with` an argument that would be
    /// dropped, and in those `without` it. None if they are not to be trusted.
    fn values(&self, slot: Slot, with: &[usize], without: &[usize]) -> Option<Found> {
        let mut uses: Vec<Use> = Vec::new();
        for (shapes, has) in [(with, true), (without, false)] {
            for row in shapes.iter().map(|place| &self.rows.shapes[*place]) {
                let raw = copy(&row.shape);
                let of = |url: &u32| Some((self.rows.value(*url, &raw, slot)?, *url, has));
                uses.extend(row.urls.iter().filter_map(of));
            }
        }
        work::count(uses.len());
        uses.sort_unstable();
        let mut found = Found { slot, urls: Vec::new(), values: Vec::new(), saved: 0, lost: 0 };
        let mut tested = 0;
        for uses in uses.chunk_by(|a, b| a.0 == b.0) {
            let value = self.value(uses);
            tested += value.tested;
            found.lost += value.lost;
            if value.is_one_page && uses.len() >= LEAST_URLS && uses.iter().any(|(.., has)| *has) {
                found.values.push(uses[0].0);
                found.urls.push(uses[0].1);
                found.saved += value.forms - 1;
            }
        }
        let is_trusted = tested >= LEAST_TESTED && bound(found.lost, tested) <= self.risk.rate;
        let gain = found.saved as f64 - self.risk.price * found.lost as f64;
        (is_trusted && gain > 0.0).then_some(found)
    }

    /// What a value names, by the URLs that have it, in the order of the crawl.
    fn value(&self, uses: &[Use]) -> Value {
        let mut forms = FxHashSet::default();
        let mut value = Value { forms: 0, is_one_page: true, tested: 0, lost: 0 };
        let first = self.rows.clusters[uses[0].1 as usize];
        for (place, (_, url, has)) in uses.iter().enumerate() {
            let is_same = self.rows.clusters[*url as usize] == first;
            if *has && value.is_one_page && place >= LEAST_URLS {
                value.tested += 1;
                value.lost += usize::from(!is_same);
            }
            value.is_one_page &= is_same;
            forms.insert(self.form_of[*url as usize]);
        }
        value.forms = forms.len();
        value
    }
}

struct Value {
    /// Different forms.
    forms: usize,
    /// Whether all are of one cluster.
    is_one_page: bool,
    /// URLs with the argument that would be dropped, which came when it was known already.
    tested: usize,
    /// Those of them that were of another cluster.
    lost: usize,
}

/// Shapes by their headings, with the path and without it, but for those of very many arguments, or of
/// two with one name.
fn tables(rows: &Rows) -> Tables {
    let mut tables = Tables::new();
    for (place, row) in rows.shapes.iter().enumerate() {
        // As it was read: an edit that holds for some shapes hides what it drops there.
        let program = copy(&row.shape);
        let names = names(&program);
        let is_long = program.len() > MOST_PIECES || names.len() > MOST_ARGUMENTS;
        if is_long || names.windows(2).any(|pair| pair[0] == pair[1]) {
            continue;
        }
        let path = &program[..path_end(&program)];
        let path = hash(|state| path.iter().for_each(|cell| any_kind(cell.symbol).hash(state)));
        for path in [Some(path), None] {
            tables.entry((path, names.clone())).or_default().push(place);
        }
    }
    tables
}

#[cfg(test)]
mod tests;
