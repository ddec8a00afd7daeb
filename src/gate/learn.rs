//! From a training set to accepted edits.

use crate::config::GateConfig;
use crate::edits::editor::Editor;
use crate::edits::known::{Known, shape_hash};
use crate::edits::literals::Literals;
use crate::edits::propose::Proposals;
use crate::edits::rows::{Rows, ShapeRow, Texts};
use crate::gate::dispose::{Gate, Risk};
use crate::training::TrainingSet;
use crate::url::lexicon::{Lexicon, Shares};

/// What may propose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proposers {
    /// Deletions of arguments and slots.
    pub slots: bool,
    /// Differences of URLs and canonical forms.
    pub differences: bool,
}

/// Which pieces are function words. Every name in the query is one from three URLs on.
const SHARES: Shares = Shares { word: 0.01, key: 0.0 };

/// Learns a site.
pub(crate) fn learn(set: &TrainingSet<'_>, config: &GateConfig, proposers: Proposers) -> Editor {
    let urls = || set.pages().iter().map(|page| page.url.as_ref());
    let lexicon = Lexicon::learn(urls(), SHARES).with_keys(&config.keep);
    let kept = config.keep.iter().filter_map(|name| lexicon.key(name)).collect();
    let (mut literals, mut proposals) = (Literals::default(), Proposals::keeping(kept));
    if proposers.differences {
        let pairs = set.pairs().filter(|pair| pair.source != pair.target);
        let pairs = pairs.map(|pair| (pair.source, pair.target, pair.cluster));
        proposals.add_differences(pairs, &lexicon, &mut literals);
    }
    let mut texts = Texts::default();
    let labels = set.clusters().labels().iter().copied();
    let mut rows = Rows::new(urls().zip(labels), &lexicon, &mut texts);
    if proposers.slots {
        proposals.add_slots(&rows, lexicon.keys());
    }
    let literal_texts: Vec<String> = literals.texts().to_vec();
    let mut texts2 = Vec::new();
    for text in &literal_texts {
        texts2.push(texts.known(text));
    }
    let risk = Risk {
        mixture: config.mixture,
        rate: config.rate,
        price: config.price,
        total: config.risk,
    };
    let shape = |row: &ShapeRow| shape_hash(row.program.iter().map(|cell| cell.symbol));
    let mut known = Known::of(rows.shapes.iter().map(shape));
    let mut gate = Gate::new(&mut rows, texts2, &proposals, risk);
    let accepted = gate.run();
    known.refused = gate.refused();
    let accepted = accepted.into_iter().map(|one| (one, Vec::new())).collect();
    let editor = Editor::new(lexicon, literals, accepted, known);
    editor.with_examples(|url| set.pages().get(url as usize).map(|page| page.url.as_ref()))
}
