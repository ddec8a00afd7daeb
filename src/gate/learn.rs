//! From a training set to accepted edits: learners propose, the gate disposes.

use super::dispose::{Gate, Risk};
use super::tagged::Tagged;
use crate::edits::edit::{Edit, TAGGED, UNTAGGED};
use crate::edits::editor::Editor;
use crate::edits::halves::{Halves, half};
use crate::edits::known::{Known, shape_hash};
use crate::edits::literals::Literals;
use crate::edits::propose::Proposals;
use crate::edits::rows::{Rows, ShapeRow, Texts};
use crate::error::Result;
use crate::method::Training;
use crate::rules::learners::LEARNERS;
use crate::seq2seq::tagger;
use crate::training::TrainingSet;
use crate::translation::Canonicalizer;
use crate::url::lexicon::{Lexicon, Shares};
use crate::url::pieces::pieces;

/// Who proposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proposers {
    /// Deletions of arguments and slots alone.
    Slots,
    /// Also differences of URLs and canonical forms, and the learners of rules.
    Rules,
    /// Also the tagger.
    All,
}

/// Share of redundant fetches from which on a tagger is trained: it costs seconds.
const LEFT: f64 = 0.005;

/// Learns a site. Cost: linear in the length of the URLs, times the edits that change one, plus
/// that of the learners that propose.
///
/// # Errors
///
/// Those of training the tagger.
pub(crate) fn learn(
    set: &TrainingSet<'_>,
    proposers: Proposers,
    training: &Training<'_>,
) -> Result<Editor> {
    let urls = || set.pages().iter().map(|page| page.url.as_ref());
    let config = &training.config.gate;
    let shares = Shares { word: training.config.tokens.threshold, key: 0.0 };
    let lexicon = Lexicon::learn(urls(), shares).with_keys(&config.keep);
    let kept = config.keep.iter().filter_map(|name| lexicon.key(name)).collect();
    let (mut literals, mut proposals) = (Literals::default(), Proposals::keeping(kept));
    if proposers != Proposers::Slots {
        add_differences(set, training, &lexicon, &mut proposals, &mut literals);
    }
    let mut texts = Texts::default();
    let labels = set.clusters().labels().iter().copied();
    let mut rows = Rows::new(urls().zip(labels), &lexicon, &mut texts);
    proposals.add_slots(&rows, lexicon.keys());
    let risk = Risk {
        mixture: config.mixture,
        rate: config.rate,
        price: config.price,
        total: config.risk,
    };
    let shape = |row: &ShapeRow| shape_hash(row.program.iter().map(|cell| cell.symbol));
    let mut known = Known::of(rows.shapes.iter().map(shape));
    let mut gate = Gate::new(&mut rows, texts.of(&literals), proposals, risk);
    let mut accepted = gate.run(1..=UNTAGGED);
    let mut halves = None;
    let left = gate.left() as f64 > LEFT * set.pages().len() as f64;
    if proposers == Proposers::All && left {
        let learned =
            tagger::learn_halves(&lexicon, set, training.config, training.observer, half)?;
        halves = learned.map(Halves);
    }
    if let Some(halves) = &halves {
        for phrase in halves.0.iter().flat_map(|tagger| tagger.phrases()) {
            for piece in pieces(phrase) {
                literals.number(piece.text);
            }
        }
        gate.add_tagger(Tagged::new(halves, &lexicon, literals.clone()), texts.of(&literals));
        accepted.extend(gate.run(TAGGED..=TAGGED));
    }
    known.refused = gate.refused();
    let halves = halves.filter(|_| accepted.iter().any(|one| matches!(one.edit, Edit::Tagged(_))));
    let accepted = accepted.into_iter().map(|one| (one, Vec::new())).collect();
    let editor = Editor::new(lexicon, literals, accepted, known, halves);
    Ok(editor.with_examples(|url| set.pages().get(url as usize).map(|page| page.url.as_ref())))
}

/// What canonical URLs suggest, and what the learners of rules make of the URLs.
fn add_differences(
    set: &TrainingSet<'_>,
    training: &Training<'_>,
    lexicon: &Lexicon,
    proposals: &mut Proposals,
    literals: &mut Literals,
) {
    let pairs = set.pairs().filter(|pair| pair.source != pair.target);
    let pairs = pairs.map(|pair| (pair.source, pair.target.into(), pair.cluster));
    proposals.add_differences(pairs, lexicon, literals);
    for learner in LEARNERS {
        let (rules, _) = learner.learn(set, training.config);
        let answers =
            set.pairs().map(|pair| (pair.source, rules.canonicalize(pair.source), pair.cluster));
        let changed = answers.filter(|(source, form, _)| source != form);
        proposals.add_differences(changed, lexicon, literals);
    }
}

#[cfg(test)]
mod tests;
