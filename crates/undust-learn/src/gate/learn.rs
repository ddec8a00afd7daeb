//! From a training set to accepted edits: learners propose, the gate selects.

use undust_edits::accepted::AcceptedEdit;
use undust_edits::diff::ReadUrl;
use undust_edits::edit::{JOINT, SINGLE};
use undust_edits::edit_list::EditList;
use undust_edits::editor::Editor;
use undust_edits::gate_record::{GateRecord, shape_hash};
use undust_edits::known_values::KnownValues;
use undust_edits::literals::Literals;
use undust_edits::program::copy;
use undust_model::translation::Rewriter;
use undust_url::lexicon::Lexicon;
use undust_url::pieces::{UrlPart, pieces};

use super::select_edits::values::FoundValues;
use super::select_edits::{Evidence, Gate, LossLimits, titles};
use super::{reach, replay, revise};
use crate::config::Config;
use crate::error::{Error, Result, TrainingReason};
use crate::function_words::function_words_of_clusters;
use crate::gate::budget::drop_costly;
use crate::gate::propose::Proposals;
use crate::gate::rows::{Rows, ShapeRow, Texts};
use crate::learners;
use crate::learners::learner::Learner;
use crate::observer::Observer;
use crate::training::TrainingSet;

/// Who proposes.
#[derive(Clone, Copy)]
pub(crate) struct Proposers<'p> {
    /// Deletions of arguments and slots.
    pub slots: bool,
    /// Differences of URLs and their canonical URLs.
    pub canonical: bool,
    /// Learners, by what their rules make of the URLs.
    pub rules: &'p [&'static Learner],
}

impl Proposers<'_> {
    /// Nobody.
    pub(crate) const NONE: Self = Self { slots: false, canonical: false, rules: &[] };
    /// Slots alone.
    pub(crate) const SLOTS: Self = Self { slots: true, ..Self::NONE };
    /// All of them.
    pub(crate) const ALL: Self =
        Self { canonical: true, rules: &learners::PROPOSERS, ..Self::SLOTS };
}

/// Share of redundant fetches that may be left before values are looked at, which takes long.
const LEFT: f64 = 0.005;

/// Learns a site. Cost: linear in the length of the URLs, times the edits that change one, plus
/// that of the learners that propose.
///
/// # Errors
///
/// The observer interrupts before anything was accepted.
pub(crate) fn learn(
    set: &TrainingSet<'_>,
    proposers: &Proposers<'_>,
    config: &Config,
    observer: &dyn Observer,
) -> Result<Editor> {
    let learning = Learning { set, proposers, config, observer };
    let (lexicon, mut proposals) = learning.words();
    let mut literals = Literals::default();
    learning.add_differences(&lexicon, &mut proposals, &mut literals)?;
    let mut texts = Texts::default();
    let rows = Rows::new(learning.urls(), &lexicon, &mut texts);
    let programs = rows.programs();
    if proposers.slots {
        proposals.add_slots(programs.iter().zip(rows.counts()), lexicon.keys());
    }
    drop_costly(&mut proposals, &rows, &programs);
    let shape = |row: &ShapeRow| shape_hash(&row.shape, &lexicon);
    let mut record = GateRecord::of(rows.shapes.iter().map(shape));
    let limits = LossLimits::of(&config.gate);
    let titles = titles(set.pages(), set.clusters());
    let evidence = Evidence::new(rows, &titles, texts.of(&literals), proposals, limits);
    let mut gate = Gate::new(evidence, observer);
    let enough = (LEFT * set.pages().len() as f64) as usize;
    let found = accept_plain(&mut gate, enough);
    if proposers.canonical
        && !observer.interrupted()
        && gate.propose_again(set, &lexicon, &mut literals, &mut texts)
    {
        gate.run(1..=JOINT);
    }
    if !observer.interrupted() {
        record.refused = gate.refused();
    } else if !gate.has_accepted() {
        // A model that does nothing must not take the place of an older one.
        return Err(interrupted());
    }
    let accepted = gate.into_accepted();
    let known_values = learning.known_values(&found, &accepted, &lexicon);
    let accepted = accepted.into_iter().map(|one| (one, Vec::new())).collect();
    Ok(learning.finished(Editor::new(EditList {
        lexicon,
        literals,
        accepted,
        record,
        known_values,
    })))
}

/// What is learned from, by whom, how, and who watches.
struct Learning<'l> {
    set: &'l TrainingSet<'l>,
    proposers: &'l Proposers<'l>,
    config: &'l Config,
    observer: &'l dyn Observer,
}

impl<'l> Learning<'l> {
    /// The URLs and their clusters.
    fn urls(&self) -> impl Iterator<Item = (&'l str, u32)> + Clone {
        let pages = self.set.pages().iter().map(|page| page.url.as_ref());
        pages.zip(self.set.clusters().labels().iter().copied())
    }

    /// The words of the site, and proposals that leave alone what the settings keep.
    fn words(&self) -> (Lexicon, Proposals) {
        let kept = words_of(&self.config.gate.keep);
        let share = self.config.tokens.threshold;
        let lexicon = function_words_of_clusters(self.urls(), share).with_keys(&kept);
        let kept = kept.iter().filter_map(|name| lexicon.key(name)).collect();
        (lexicon, Proposals::keeping(kept))
    }

    /// Adds what canonical URLs suggest, and what rules make of the URLs.
    fn add_differences(
        &self,
        lexicon: &Lexicon,
        proposals: &mut Proposals,
        literals: &mut Literals,
    ) -> Result<()> {
        let set = self.set;
        if self.proposers.canonical {
            let pairs = set.pairs().filter(|pair| pair.source != pair.target);
            let pairs = pairs.map(|pair| (pair.source, pair.target.into(), pair.cluster));
            proposals.add_differences(pairs, lexicon, literals);
        }
        for learner in self.proposers.rules {
            self.observer.progress(learner.name, 0, 0);
            let rules = learner.learn(set, self.config, &()).0;
            if self.observer.interrupted() {
                return Err(interrupted());
            }
            let answers =
                set.pairs().map(|pair| (pair.source, rules.rewritten(pair.source), pair.cluster));
            let changed = answers.filter(|(source, form, _)| source != form);
            proposals.add_differences(changed, lexicon, literals);
        }
        if self.observer.interrupted() { Err(interrupted()) } else { Ok(()) }
    }

    /// The URL of a page, by its number.
    fn url(&self, number: u32) -> Option<&'l str> {
        self.set.pages().get(number as usize).map(|page| page.url.as_ref())
    }

    /// The values that accepted edits ask for.
    fn known_values(
        &self,
        found: &[FoundValues],
        accepted: &[AcceptedEdit],
        lexicon: &Lexicon,
    ) -> Vec<KnownValues> {
        let used = found.iter().filter(|found| found.is_used(accepted));
        let url = |number| self.url(number);
        used.map(|found| known_values(found, lexicon, url)).collect()
    }

    /// The accepted edits, restricted to the places where they were observed, without those that lose too
    /// many pages when the crawl is replayed.
    fn finished(&self, editor: Editor) -> Editor {
        let crawl: Vec<(&str, u32)> = self.urls().collect();
        let editor = reach::restrict(editor, &crawl);
        let editor = replay::within(editor, &crawl, self.config.gate.max_lost_share);
        revise::with_examples(&editor, |number| self.url(number))
    }
}

fn interrupted() -> Error {
    TrainingReason::Interrupted.into()
}

/// The words of names of arguments, none of which an edit may drop then: `a.b` is no piece of a URL,
/// `a` and `b` are.
fn words_of(names: &[String]) -> Vec<String> {
    let queries = names.iter().map(|name| format!("?{name}"));
    let words = |query: String| {
        let words = pieces(&query).filter(|piece| piece.part == UrlPart::Key && !piece.delimiter);
        words.map(|piece| piece.text.to_owned()).collect::<Vec<_>>()
    };
    queries.flat_map(words).collect()
}

/// Accepts edits. What is known of some values alone comes after what holds for all,
/// from which it would take the evidence, and before several edits as one.
fn accept_plain(gate: &mut Gate<'_>, enough: usize) -> Vec<FoundValues> {
    gate.run(1..=SINGLE);
    let found = gate.mark_known_values(enough);
    if !found.is_empty() {
        gate.run(1..=SINGLE);
        gate.give_back(&found);
    }
    gate.run(JOINT..=JOINT);
    found
}

/// The texts of values; `url` gives a URL of the crawl by its number.
fn known_values<'u>(
    found: &FoundValues,
    lexicon: &Lexicon,
    url: impl Fn(u32) -> Option<&'u str>,
) -> KnownValues {
    let value = |number: &u32| {
        let ReadUrl { shape, texts } = ReadUrl::of(url(*number)?, lexicon);
        Some(texts[found.attribute.pieces(&copy(&shape))?].concat())
    };
    let mut values: Vec<String> = found.urls.iter().filter_map(value).collect();
    values.sort_unstable();
    KnownValues { attribute: found.attribute, values }
}

#[cfg(test)]
mod tests;
