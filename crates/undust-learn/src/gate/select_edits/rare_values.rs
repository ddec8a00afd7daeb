//! Rare values: arguments where other URLs have function words.
//!
//! Frequency alone makes a value a word. Topics with many URLs are words, and have several pages; those with few are
//! arguments, and have one. So what holds for the arguments of a place says nothing of a topic that was not seen, as long
//! as the words in the same place speak against it.

use rustc_hash::{FxHashMap, FxHashSet};

use undust_edits::fold::Fold;
use undust_edits::program::{Cell, FRONT};
use undust_edits::replacement::{ANY, any_kind, is_word};
use undust_edits::scope::ContextFeature;
use undust_edits::shrinkage::{UNKNOWN, shrunk};
use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::op_counter;

use super::Round;
use super::candidate_test::CandidateTest;
use super::exceptions::MOST_REFUTED;
use super::shape_change::ShapeChange;

/// Pieces, arguments taken for any.
type Pattern = Box<[Symbol]>;

impl Round<'_> {
    /// Whether too many pages collide if words are tested, too, where what a candidate changes has arguments. A value
    /// that is known to name one page was seen.
    pub(super) fn is_refuted_by_words(&self, test: &CandidateTest) -> bool {
        if let Some(ContextFeature::Known(_)) = test.candidate.scope.context_feature() {
            return false;
        }
        let mut changes = self.with_words(test);
        if changes.is_empty() {
            return false;
        }
        changes.extend(test.changes.iter().cloned());
        let evidence = self.look(&changes).effect.counts;
        shrunk(evidence.collisions.into(), evidence.pages.into(), UNKNOWN) > MOST_REFUTED
    }

    /// What the edit would change where words stand instead of arguments.
    fn with_words(&self, test: &CandidateTest) -> Vec<ShapeChange> {
        let mut widest = self.candidates.get(test.key);
        while let Some(above) = widest.above {
            widest = self.candidates.get(above);
        }
        let mut own: FxHashMap<u64, FxHashSet<Pattern>> = FxHashMap::default();
        for change in &test.changes {
            let pattern = pattern(self.before(change));
            own.entry(outline(&pattern)).or_default().insert(pattern);
        }
        let tested: FxHashSet<u32> = test.changes.iter().map(|change| change.shape).collect();
        let change = |shape: &u32| {
            let program = self.accepted.program(*shape);
            let pattern = pattern(program);
            let like = own.get(&outline(&pattern))?;
            op_counter::count(like.len());
            let has_words = like.iter().any(|own| is_rarer(own, &pattern));
            let program = has_words.then(|| test.candidate.edit.apply(program))??;
            Some(ShapeChange { shape: *shape, program })
        };
        widest.shapes.iter().filter(|shape| !tested.contains(shape)).filter_map(change).collect()
    }
}

fn pattern(program: &[Cell]) -> Pattern {
    program.iter().map(|cell| any_kind(cell.symbol)).collect()
}

/// A pattern as a number, words behind the host taken for arguments.
fn outline(pattern: &[Symbol]) -> u64 {
    let is_any = |place: usize, symbol: Symbol| place >= FRONT && is_word(symbol);
    let symbols = pattern.iter().enumerate();
    Fold::of(symbols.map(|(place, symbol)| if is_any(place, *symbol) { ANY } else { *symbol }))
}

/// Whether one pattern is the other, but for arguments where that has words.
fn is_rarer(pattern: &[Symbol], other: &[Symbol]) -> bool {
    let is_rarer = |(one, other): (&Symbol, &Symbol)| {
        one == other || *one == ANY && is_word(*other) && !Lexicon::is_delimiter(*other)
    };
    pattern.len() == other.len() && pattern.iter().zip(other).all(is_rarer)
}
