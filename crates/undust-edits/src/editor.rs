//! Accepted edits at work: any URL of their site in, its form out.

mod by_shape;
mod described;
mod hypotheses;
mod output_parts;
mod reread;
mod served_edit;
mod shape_memory;
mod shapes;
mod steps;
#[cfg(test)]
mod tests;
mod writing;

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;

pub use self::described::{EditDescription, RefusalDescription};
pub use self::hypotheses::Hypothesis;
use self::output_parts::{leaves_out_arguments, parts};
pub use self::served_edit::ServedEdit;
use self::shape_memory::{Edited, ShapeMemory};
use undust_url::last_shape::{LastShape, PieceEnd};
use undust_url::lexicon::{Lexicon, Symbol};

use self::reread::Rereading;
use self::shapes::keeps_origin_and_determines_names;
use self::writing::{start, written};
use super::accepted::{AcceptedEdit, Suppression};
use super::diff::ReadUrl;
use super::edit_list::{EditList, WithExamples};
use super::gate_record::GateRecord;
use super::index::EditIndex;
use super::known_values::{KnownValueMarks, KnownValues};
use super::literals::Literals;
use super::program::{Cell, MOST_PIECES, Program, copy};
use super::saved;
use super::scope_words::words;
use super::sequence::reduce;
use super::spell::spell;
use crate::conventions::UrlConventions;
use crate::error::EditsReason;
use crate::translation::{
    Cause, Circle, Endless, FixpointOptions, LONGEST_FORM, Reason, Rewriter, Translation,
    longest_form, to_fixpoint,
};
use undust_util::cache::{Cache, SharedCache};

/// The accepted edits of a site, in the order in which they are applied.
#[derive(Debug)]
pub struct Editor {
    lexicon: Lexicon,
    literals: Literals,
    rules: Vec<Arc<ServedEdit>>,
    record: GateRecord,
    index: EditIndex,
    marks: KnownValueMarks,
    cache: Cache<ShapeMemory>,
    /// Distinguishes this editor from all others of the process.
    number: u64,
    /// How the site writes its URLs, as the verdicts that are remembered have it.
    conventions: OnceLock<Arc<UrlConventions>>,
}

const FIXPOINT: FixpointOptions =
    FixpointOptions { most_changes: 4, bounds_length: true, circle: Circle::Smallest };

impl Editor {
    /// An editor that applies these edits.
    pub fn new(list: EditList) -> Self {
        let EditList { lexicon, literals, mut accepted, mut record, known_values } = list;
        let marks = KnownValueMarks::new(known_values);
        let edits = accepted.iter_mut().map(|(accepted, _)| &mut accepted.edit);
        let refused = record.refused.iter_mut().map(|refused| &mut refused.edit);
        let literals = literals.of_edits(edits.chain(refused));
        let mut index = EditIndex::default();
        for (number, (rule, _)) in (0..).zip(&accepted) {
            index.add(number, &rule.edit);
        }
        let rule = |(accepted, examples): WithExamples| {
            let notation = spell(&accepted.edit, &lexicon, &literals);
            let AcceptedEdit { edit, scope, only, .. } = &accepted;
            let place = saved::line(edit, scope, &lexicon);
            let scope = words(edit, scope, only.as_ref(), &lexicon, &marks);
            Arc::new(ServedEdit { accepted, notation, scope, place, examples })
        };
        let rules = accepted.into_iter().map(rule).collect();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (cache, conventions) = Default::default();
        Self { lexicon, literals, rules, record, index, marks, cache, number, conventions }
    }

    /// Its edits as a list.
    pub fn list(&self) -> EditList {
        let listed = |rule: &Arc<ServedEdit>| (rule.accepted.clone(), rule.examples.clone());
        EditList {
            lexicon: self.lexicon.clone(),
            literals: self.literals.clone(),
            accepted: self.rules.iter().map(listed).collect(),
            record: self.record.clone(),
            known_values: self.marks.lists().to_vec(),
        }
    }

    /// The bytes of `gate.json`.
    ///
    /// # Errors
    ///
    /// None but those of JSON.
    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        saved::to_json(&self.list())
    }

    /// The editor of a `gate.json`.
    ///
    /// # Errors
    ///
    /// Which entry and which field of it is inconsistent, and what to write.
    pub fn from_json(json: &[u8]) -> Result<Self, EditsReason> {
        Ok(Self::new(saved::from_json(json)?))
    }

    /// The words of the site.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The texts that the rules write.
    pub fn literals(&self) -> &Literals {
        &self.literals
    }

    /// The values that are known to name one page, for the rules that ask for them.
    pub fn known_values(&self) -> &[KnownValues] {
        self.marks.lists()
    }

    /// The rules, in order.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = &ServedEdit> {
        self.rules.iter().map(AsRef::as_ref)
    }

    /// Whether the crawl had a URL of this shape; none if the model does not record shapes.
    pub fn knows_shape(&self, url: &str) -> Option<bool> {
        self.record.has(&ReadUrl::of(url, &self.lexicon).shape, &self.lexicon)
    }

    /// The editor without the rules at these positions.
    pub fn without(&self, places: &FxHashSet<usize>) -> Self {
        Self::new(self.list().without(places))
    }

    /// The editor with every edit extrapolated: each applies in its whole scope, also where it was
    /// not tested.
    pub fn extrapolating(&self) -> Self {
        let mut list = self.list();
        list.accepted.iter_mut().for_each(|(accepted, _)| accepted.only = None);
        Self::new(list)
    }

    /// Why a URL that the rules do not change stays as it is.
    fn reason(&self, url: &str) -> Reason {
        let reason = self.ask(url, |known, shape, _| Some(self.edited(known, shape).reason));
        reason.unwrap_or(Reason::NoRule)
    }

    /// Its cache of answers by shape.
    pub fn cache(&self) -> &dyn SharedCache {
        &self.cache
    }

    /// What the rules make of a shape, found out once.
    #[inline]
    fn edited<'k>(&self, record: &'k ShapeMemory, shape: &[Symbol]) -> &'k Edited {
        record.edited.get_or_init(|| {
            let edited = self.edit(shape);
            self.cache.charge(edited.bytes());
            edited
        })
    }

    /// What the rules make of a shape.
    fn edit(&self, shape: &[Symbol]) -> Edited {
        let (program, rules) = self.program(shape);
        let Self { lexicon, literals, marks, .. } = self;
        let reread = Rereading { lexicon, literals, marks };
        let is = |holds: &dyn Fn(&Program) -> bool| program.as_ref().is_some_and(holds);
        let is_known = program.is_some() || !self.is_out_of_reach(shape);
        Edited {
            parts: program.as_deref().map(parts),
            reason: if is_known { Reason::NoRule } else { Reason::NotTested },
            is_stable: is(&|program| {
                reread.shape(shape, program).is_some_and(|shape| self.program(&shape).0.is_none())
            }),
            leaves_out: is(&|program| leaves_out_arguments(shape, program)),
            determines_names: is(&|program| keeps_origin_and_determines_names(program)),
            rules,
        }
    }

    /// What the rules make of a shape, and which of them.
    fn program(&self, shape: &[Symbol]) -> (Option<Program>, Vec<u32>) {
        let nothing = (None, Vec::new());
        if shape.len() > MOST_PIECES {
            return nothing;
        }
        let same = copy(shape);
        let of = |program: &[Cell]| self.index.of(program.iter().map(|cell| cell.symbol));
        let rule = |number: u32| &self.rules[number as usize].accepted;
        match reduce(same.clone(), of, rule) {
            Some((program, applied)) if program != same => (Some(program), applied),
            _ => nothing,
        }
    }

    /// Whether an edit would change a shape if it had been tested on pages like these.
    fn is_out_of_reach(&self, shape: &[Symbol]) -> bool {
        let same = copy(shape);
        let numbers = self.index.of(shape.iter().copied());
        let mut rules = numbers.into_iter().map(|number| &self.rules[number as usize].accepted);
        shape.len() <= MOST_PIECES
            && rules.any(|rule| rule.suppression(&same) == Some(Suppression::Unknown))
    }

    /// Reads `url` with what is known of its values.
    fn read(&self, last: &mut LastShape, url: &str) {
        last.read(self.number, &self.lexicon, url);
        let LastShape { shape, ends, .. } = last;
        let text =
            |pieces: Range<usize>| url.get(start(ends, pieces.start)..start(ends, pieces.end));
        self.marks.mark(shape, self.lexicon.constants(), |pieces| text(pieces).unwrap_or_default());
    }

    fn push_rules(&self, edited: &Edited, cause: &mut Cause) {
        for number in &edited.rules {
            cause.push(Arc::clone(&self.rules[*number as usize]) as _);
        }
    }

    /// Hands what is remembered of the shape of `url`, and the shape, to `answer`. Nothing is
    /// remembered of what is too long to be edited.
    fn ask<R>(
        &self,
        url: &str,
        answer: impl FnOnce(&ShapeMemory, &[Symbol], &[PieceEnd]) -> Option<R>,
    ) -> Option<R> {
        LAST.with_borrow_mut(|last| {
            self.read(last, url);
            let LastShape { shape, ends, .. } = &*last;
            if shape.len() > MOST_PIECES {
                return None;
            }
            self.cache.ask_or(shape, ShapeMemory::default, |record| answer(record, shape, ends))
        })
    }

    /// What the rules make of `url` as it is read now, and whether that is stable: its form for
    /// good, however it is read. None where they change nothing, or where it has more pieces than
    /// are edited. Appends the rules to `cause`.
    ///
    /// # Errors
    ///
    /// A form that is longer than `longest`, or, where it is stable, than that of any URL may be.
    fn step(
        &self,
        url: &str,
        longest: usize,
        cause: &mut Cause,
    ) -> Result<Option<(String, bool)>, Endless> {
        let step = self.ask(url, |record, shape, ends| {
            let edited = self.edited(record, shape);
            let longest = if edited.is_stable { LONGEST_FORM } else { longest };
            let Some(form) = written(&self.literals, edited.parts.as_ref()?, url, ends, longest)
            else {
                return Some(Err(Endless));
            };
            if form == url {
                return None;
            }
            self.push_rules(edited, cause);
            if edited.is_stable && edited.leaves_out {
                cause.leaves_out_arguments();
            }
            Some(Ok((form, edited.is_stable)))
        });
        step.transpose()
    }
}

thread_local! {
    /// The URL at hand.
    static LAST: RefCell<LastShape> = const { RefCell::new(LastShape::new()) };
}

/// The number of the next editor.
static NEXT: AtomicU64 = AtomicU64::new(1);

impl Rewriter for Editor {
    /// One look at the shape, if it was seen before and its form is stable. Else the form is read
    /// and edited again until it stays; a URL without a fixpoint stays as it is.
    fn rewrite<'u>(&self, url: &'u str) -> Translation<'u> {
        let mut cause = Cause::default();
        let longest = longest_form(url);
        let fixpoint = match self.step(url, longest, &mut cause) {
            Ok(None) => return Translation::unchanged(url, self.reason(url)),
            Err(Endless) => None,
            Ok(Some((form, true))) => Some((Cow::Owned(form), cause)),
            Ok(Some((form, false))) => {
                let mut first = Some((form, cause));
                to_fixpoint(url, FIXPOINT, |url, cause| match first.take() {
                    Some((form, applied)) => {
                        *cause = applied;
                        Ok(Some(form))
                    }
                    None => Ok(self.step(url, longest, cause)?.map(|(form, _)| form)),
                })
            }
        };
        Translation::settled(url, fixpoint)
    }
}
