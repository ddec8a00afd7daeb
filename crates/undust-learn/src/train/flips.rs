//! The flip guard: a new model that drops what the one in place has seen to matter does not take its place (MIQPS,
//! Pinterest Engineering, April 2026). A crawl during an outage, or of a site that answers robots with one page, teaches
//! such models.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::learned::Learned;
use undust_edits::editor::Editor;
use undust_edits::refused::RefusalReason;
use undust_model::folder::files::load;
use undust_model::model::Model;

use crate::config::Config;

/// Share of what matters from which on a flip is suspicious. Of a site that suddenly ignores all arguments half of the
/// models are held then, and none of those that are learned anew from twice or four times as many pages.
const SUSPICIOUS: f64 = 0.5;

/// Arguments that must matter: one alone often turns out to matter in one place.
const LEAST: usize = 2;

/// What matters by the model in place: arguments of the query that it did not drop because pages would be lost. Counted
/// in the URLs that this was tested on, so that nobody weighs more than the pages that are his.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flips {
    /// What the new model does all the same: `drop ?order`.
    pub edits: Vec<String>,
    /// How many arguments matter.
    arguments: usize,
    /// URLs that these were tested on.
    flipped: usize,
    /// The same of all that matters.
    all: usize,
}

impl Flips {
    /// Whether the new model should not take the place of the other before somebody has looked at it.
    pub fn is_suspicious(&self) -> bool {
        let is_much = self.flipped as f64 >= SUSPICIOUS * self.all as f64;
        self.flipped > 0 && self.arguments >= LEAST && is_much
    }

    /// How a new model stands to the one in place, in a folder. Another method, or other settings of the gate, are meant
    /// to make another model. A model that cannot be loaded, and one of rules or a network, says nothing of what matters.
    pub(super) fn of(place: &Path, learned: &Learned, config: &Config) -> Self {
        let Ok((info, _, Model::Edits(in_place))) = load(place) else { return Self::default() };
        let Model::Edits(new) = &learned.model else { return Self::default() };
        let gate = info.record.get("config").and_then(|config| config.get("gate"));
        if info.method != learned.report.method || gate != config.record().get("gate") {
            return Self::default();
        }
        Self::between(&in_place, new)
    }

    fn between(in_place: &Editor, new: &Editor) -> Self {
        let made = |editor: &Editor| -> FxHashSet<String> {
            editor.describe().into_iter().map(|edit| edit.notation).collect()
        };
        let (kept, new) = (made(in_place), made(new));
        let loses = RefusalReason::Loses.to_string();
        let mut matters: FxHashMap<String, usize> = FxHashMap::default();
        let is_argument = |edit: &str| edit.starts_with("drop ?") && !edit.contains(" and ");
        let refused = in_place.refusals().into_iter();
        for refused in refused.filter(|one| one.why == loses && is_argument(&one.notation)) {
            let tested = matters.entry(refused.notation).or_default();
            *tested = refused.evidence.tested.max(*tested);
        }
        let (all, arguments) = (matters.values().sum(), matters.len());
        let mut flips = Self { all, arguments, ..Self::default() };
        matters.retain(|edit, _| new.contains(edit) && !kept.contains(edit));
        flips.flipped = matters.values().sum();
        flips.edits = matters.into_keys().collect();
        flips.edits.sort_unstable();
        flips
    }
}
