//! From a training set to accepted edits.

use crate::edits::editor::Editor;
use crate::edits::literals::Literals;
use crate::edits::propose::Proposals;
use crate::edits::rows::{Rows, Texts};
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

/// Learns a site.
pub(crate) fn learn(set: &TrainingSet<'_>, proposers: Proposers) -> Editor {
    let env = |name: &str, default: f64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let urls = || set.pages().iter().map(|page| page.url.as_ref());
    let shares = Shares { word: env("WORD", 0.01), key: env("KEY", 0.0) };
    let lexicon = Lexicon::learn(urls(), shares);
    let (mut literals, mut proposals) = (Literals::default(), Proposals::default());
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
        mixture: env("MIX", 0.03),
        rate: env("RATE", 0.03),
        price: env("PRICE", 8.0),
        total: env("TOTAL", 0.005),
    };
    let started = std::time::Instant::now();
    let shapes = rows.shapes.len();
    let mut gate = Gate::new(&mut rows, texts2, &proposals, risk);
    let accepted = gate.run();
    if std::env::var("SHOW").is_ok() {
        eprintln!(
            "{} edits, {shapes} shapes, {} accepted, {:?}",
            proposals.len(),
            accepted.len(),
            started.elapsed()
        );
        for one in &accepted {
            eprintln!(
                "{:>5} saved {:>4} lost {:>5} tested L{} x{} {} | {}",
                one.evidence.saved,
                one.evidence.lost,
                one.evidence.tested,
                one.level,
                one.exceptions.len(),
                crate::edits::propose::spell(&one.edit, &lexicon, &literals),
                set.pages()[one.example as usize].url
            );
        }
    }
    let examples: Vec<String> = accepted
        .iter()
        .map(|one| set.pages().get(one.example as usize).map_or("", |page| &page.url).to_owned())
        .collect();
    Editor::new(lexicon, literals, accepted.into_iter().zip(examples).collect())
}
