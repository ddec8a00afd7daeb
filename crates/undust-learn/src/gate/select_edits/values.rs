//! [Values that name one page](undust_edits::known_values): which, and whether that is to be trusted.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::Edit;
use undust_edits::fold::Fold;
use undust_edits::known_values::Attribute;
use undust_edits::program::{Cell, MOST_PIECES, Program, arguments, copy, path_end};
use undust_edits::replacement::any_kind;
use undust_edits::scope::{ContextFeature, names};
use undust_edits::shrinkage::{UNKNOWN, shrunk};
use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::op_counter;

use super::accepted_edits::AcceptedEdits;
use super::evidence::Evidence;
use crate::gate::rows::Rows;
use crate::observer::Observer;

/// Arguments of a URL beyond which its values are not looked at: the cost is their square.
const MOST_ARGUMENTS: usize = 8;

/// URLs that a value must have, all of one page: of these numbers the one that gains most, of those that
/// lose little enough.
const LEAST_URLS: [usize; 5] = [2, 3, 4, 6, 9];

/// URLs that must have put known values to the test.
const LEAST_TESTED: usize = 20;

/// Pages that a word must have lost to be refuted: two may be one that changed while it was crawled.
const LEAST_LOST: usize = 3;

/// Values of an attribute, each of which names one page.
pub(crate) struct FoundValues {
    /// Whose values they are.
    pub attribute: Attribute,
    /// For each value a URL that has it.
    pub urls: Vec<u32>,
    /// The values' numbers, ascending.
    pub(super) values: Vec<u64>,
    /// Fetches that would be saved if an argument were dropped where one of these stands.
    saved: usize,
    /// Clusters that would have been lost, had it been dropped as soon as a value was known.
    pub(super) lost: usize,
}

impl FoundValues {
    /// Whether an edit holds only where the attribute has one of these values.
    pub(crate) fn is_used(&self, accepted: &[AcceptedEdit]) -> bool {
        let known = Some(ContextFeature::Known(self.attribute));
        accepted.iter().any(|one| one.scope.context_feature() == known)
    }
}

/// Shapes by what they have in common: their path, if that matters, and the names in the query.
type Tables = BTreeMap<(Option<u64>, Vec<Symbol>), Vec<usize>>;

/// For values that name several pages, the URL that was the first to show a second one.
type SecondPages = FxHashMap<u64, u32>;

/// A URL that has a value. In the order of the values, and of the URLs: the shorter first, as a crawler finds them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ValueUse {
    /// The value's number.
    value: u64,
    url: u32,
    /// Whether it has the argument that would be dropped.
    has: bool,
    /// That argument's value, if it is made of words: many URLs have it.
    word: Option<u64>,
    /// The form that it would get.
    after: u64,
}

/// By word: pages that it would have lost had its URLs come last, and all that it showed then.
type LastWords = FxHashMap<u64, (usize, usize)>;

/// Looks for values that name one page each.
#[derive(Clone, Copy)]
pub(super) struct ValueSearch<'v> {
    pub evidence: &'v Evidence,
    pub accepted: &'v AcceptedEdits,
    pub observer: &'v dyn Observer,
}

impl ValueSearch<'_> {
    /// For each attribute the values that save most, if these are `least` fetches or more. Cost: n log n in the URLs,
    /// times the square of their arguments, times the paths or names in the query that so many URLs share; of these
    /// there are at most n by `least`.
    pub(super) fn known_values(self, least: usize) -> Vec<FoundValues> {
        let tables = tables(&self.evidence.rows);
        let mut best: BTreeMap<Attribute, FoundValues> = BTreeMap::new();
        let mut seconds: FxHashMap<(Option<u64>, Attribute), SecondPages> = FxHashMap::default();
        let is_word = |name: &Symbol| Lexicon::is_word(*name);
        for ((path, names), with) in &tables {
            for dropped in names {
                let edit = Edit::DropKey(*dropped);
                // At least so many URLs must test it, and no more fetches can be saved.
                let is_rare = self.urls(with) < LEAST_TESTED.max(least);
                if is_rare || !self.evidence.proposals.has(&edit) || self.observer.interrupted() {
                    continue;
                }
                let left: Vec<Symbol> =
                    names.iter().copied().filter(|name| name != dropped).collect();
                let without = tables.get(&(*path, left.clone())).map_or(&[][..], Vec::as_slice);
                // One path is a value where paths are not kept apart.
                let attributes: Vec<Attribute> = match path {
                    Some(_) => left.into_iter().filter(is_word).map(Attribute::Argument).collect(),
                    None => vec![Attribute::Path],
                };
                for attribute in attributes {
                    let second = seconds
                        .entry((*path, attribute))
                        .or_insert_with(|| self.second_pages(attribute, *path, &tables));
                    let mut uses = self.uses(attribute, with, Some(&edit));
                    uses.extend(self.uses(attribute, without, None));
                    uses.sort_unstable();
                    let Some(found) = self.values(attribute, &uses, second) else { continue };
                    if found.saved >= best.get(&attribute).map_or(least, |best| best.saved + 1) {
                        best.insert(attribute, found);
                    }
                }
            }
        }
        self.within_loss_limit(best.into_values().collect())
    }

    /// URLs of shapes.
    fn urls(&self, shapes: &[usize]) -> usize {
        shapes.iter().map(|place| self.evidence.urls(*place as u32).len()).sum()
    }

    /// Those that save most, as long as no more is lost by all together than may be.
    fn within_loss_limit(&self, mut found: Vec<FoundValues>) -> Vec<FoundValues> {
        let mut left = self.accepted.may_lose();
        found.sort_by_key(|found| (Reverse(found.saved), found.attribute));
        found.retain(|found| {
            let fits = found.lost <= left;
            left -= if fits { found.lost } else { 0 };
            fits
        });
        found
    }

    /// The values of an attribute that name one page each, by their uses in order: with an argument that an edit would
    /// drop, and without it. Asks of a value what gains most. None if they are not to be trusted; since the support is chosen on the URLs that test them, what is lost also counts against what may
    /// be lost in all.
    fn values(
        &self,
        attribute: Attribute,
        uses: &[ValueUse],
        second: &SecondPages,
    ) -> Option<FoundValues> {
        let gain = |found: &FoundValues| {
            found.saved as f64 - self.evidence.limits.loss_cost * found.lost as f64
        };
        let supports = LEAST_URLS.into_iter().flat_map(|urls| [(urls, None), (urls, Some(second))]);
        let found =
            supports.filter_map(|(urls, second)| self.known_if(urls, second, attribute, uses));
        // Of equal gains the first, whose support is the weakest.
        let best = found.rev().max_by(|a, b| gain(a).total_cmp(&gain(b)))?;
        (gain(&best) > 0.0).then_some(best)
    }

    /// The values that have so many URLs, by their uses in order. With `second`, no URL may show a second page, whatever
    /// its names are. None if too much was lost.
    fn known_if(
        &self,
        least: usize,
        second: Option<&SecondPages>,
        attribute: Attribute,
        uses: &[ValueUse],
    ) -> Option<FoundValues> {
        op_counter::count(uses.len());
        let mut found =
            FoundValues { attribute, urls: Vec::new(), values: Vec::new(), saved: 0, lost: 0 };
        let (mut tested, mut words) = (0, LastWords::default());
        for uses in uses.chunk_by(|a, b| a.value == b.value) {
            let second = second.and_then(|second| second.get(&uses[0].value).copied());
            tested += self.add_value(&mut found, least, second, uses);
            self.test_words(&mut words, least, second, uses);
        }
        let is_affordable = found.lost <= self.accepted.may_lose();
        let loses_too_much = |(lost, tested): (usize, usize)| {
            shrunk(lost as f64, tested as f64, UNKNOWN) > self.evidence.limits.rate
        };
        let is_trusted = tested >= LEAST_TESTED && !loses_too_much((found.lost, tested));
        let is_refuted = words.into_values().any(|one| one.0 >= LEAST_LOST && loses_too_much(one));
        (is_affordable && is_trusted && !is_refuted).then_some(found)
    }

    /// Tests each word as if its URLs had come last: the order of URLs has `hl=de` before `hl=en`, and what `hl=en` shows
    /// where `hl=de` is known says nothing of `hl=de` where `hl=en` is.
    fn test_words(
        &self,
        words: &mut LastWords,
        least: usize,
        second: Option<u32>,
        uses: &[ValueUse],
    ) {
        op_counter::count(uses.len());
        let page = |one: &ValueUse| self.evidence.cluster(one.url);
        let mut pages: FxHashMap<u32, usize> = FxHashMap::default();
        uses.iter().for_each(|one| *pages.entry(page(one)).or_default() += 1);
        let with = uses.iter().filter(|one| one.has).count();
        let second = second.map(|url| uses.iter().find(|one| one.url == url)?.word);
        let of_word = |one: &ValueUse| Some((one.word?, page(one)));
        let mut by_word: Vec<(u64, u32)> = uses.iter().filter_map(of_word).collect();
        by_word.sort_unstable();
        for last in by_word.chunk_by(|one, other| one.0 == other.0) {
            let word = last[0].0;
            let is_refuted = second.is_some_and(|second| second != Some(word));
            if is_refuted || uses.len() - last.len() < least || with == last.len() {
                continue;
            }
            // The others show what is not of this word alone.
            let shown = last.chunk_by(|one, other| one.1 == other.1);
            let alone = shown.clone().filter(|one| pages[&one[0].1] == one.len());
            let alone: Vec<u32> = alone.map(|one| one[0].1).collect();
            if pages.len() == alone.len() + 1 {
                let first = pages.keys().find(|page| alone.binary_search(page).is_err());
                let (lost, tested) = words.entry(word).or_default();
                *tested += shown.clone().count();
                *lost += shown.filter(|one| Some(&one[0].1) != first).count();
            }
        }
    }

    /// Where the values of an attribute get a second page, in all shapes with a path, or in all that there are.
    fn second_pages(
        &self,
        attribute: Attribute,
        path: Option<u64>,
        tables: &Tables,
    ) -> SecondPages {
        let with_path = tables.range((path, Vec::new())..).take_while(|((of, _), _)| *of == path);
        let with_attribute = with_path.filter(|((_, names), _)| match attribute {
            Attribute::Path => true,
            Attribute::Argument(name) => names.contains(&name),
        });
        let shapes: Vec<usize> = with_attribute.flat_map(|(_, shapes)| shapes).copied().collect();
        let mut uses = self.uses(attribute, &shapes, None);
        op_counter::count(uses.len());
        uses.sort_unstable();
        let page = |one: &ValueUse| self.evidence.cluster(one.url);
        let second = |uses: &[ValueUse]| {
            let other = uses.iter().find(|one| page(one) != page(&uses[0]))?;
            Some((other.value, other.url))
        };
        uses.chunk_by(|a, b| a.value == b.value).filter_map(second).collect()
    }

    /// The URLs of shapes that have a value, and what `edit` and what is accepted would make of them.
    fn uses(&self, attribute: Attribute, shapes: &[usize], edit: Option<&Edit>) -> Vec<ValueUse> {
        let rows = &self.evidence.rows;
        let mut uses = Vec::new();
        for place in shapes {
            let (row, program) = (&rows.shapes[*place], self.accepted.program(*place as u32));
            let raw = copy(&row.shape);
            let edited = edit.and_then(|edit| edit.apply(program));
            let edited = edited.and_then(|edited| self.accepted.served(edited, None));
            let word = edit.and_then(|edit| word_of(edit, &raw));
            let used = |url: &u32| {
                let value = rows.value(*url, &raw, attribute)?;
                let form = |program: &Program| self.evidence.form(*url, program);
                let after = edited.as_ref().map_or_else(|| self.accepted.form(*url), form);
                Some(ValueUse { value, url: *url, has: edit.is_some(), word, after })
            };
            uses.extend(row.urls.iter().filter_map(used));
        }
        uses
    }

    /// Adds a value by the URLs that have it, in their order, if all of them are of one page and enough are. From when
    /// on it is known, each URL with the argument is a test, and each page that no other URL showed is lost. Answers how
    /// many tests there are. `second` is the first URL that showed a second page.
    fn add_value(
        &self,
        found: &mut FoundValues,
        least: usize,
        second: Option<u32>,
        uses: &[ValueUse],
    ) -> usize {
        let (mut before, mut after) = (FxHashSet::default(), FxHashSet::default());
        let (mut pages, mut has) = (FxHashSet::default(), false);
        let (mut is_known, mut tested) = (false, 0);
        for (place, one) in (1..).zip(uses) {
            // Another URL that showed a second page was there before.
            let is_refuted = second.is_some_and(|second| second < one.url);
            let is_new = pages.insert(self.evidence.cluster(one.url));
            if is_known && one.has && !is_refuted {
                tested += 1;
                found.lost += usize::from(is_new);
            }
            has |= one.has;
            is_known |= place >= least && has && pages.len() == 1;
            before.insert(self.accepted.form(one.url));
            after.insert(one.after);
        }
        if is_known && pages.len() == 1 && second.is_none() {
            found.values.push(uses[0].value);
            found.urls.push(uses[0].url);
            found.saved += before.len().saturating_sub(after.len());
        }
        tested
    }
}

/// The value of the argument that an edit drops, if it is made of words.
fn word_of(edit: &Edit, url: &[Cell]) -> Option<u64> {
    let Edit::DropKey(name) = edit else { return None };
    let (start, end) = arguments(url).into_iter().find(|(start, _)| url[*start].symbol == *name)?;
    let value = url[start..end].iter().map(|cell| cell.symbol);
    (!value.clone().any(Lexicon::is_argument)).then(|| Fold::of(value))
}

/// Shapes by their headings, with the path and without it. Shapes with very many arguments, or with two
/// arguments of one name, are left out.
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
        let path = Fold::of(path.iter().map(|cell| any_kind(cell.symbol)));
        for path in [Some(path), None] {
            tables.entry((path, names.clone())).or_default().push(place);
        }
    }
    tables
}

#[cfg(test)]
mod tests;
