//! What would change a URL and was tested too little: fetches would decide it.

use super::output_parts::parts;
use super::writing::written;
use super::{Editor, ServedEdit};
use crate::accepted::Suppression;
use crate::program::{Program, copy};
use crate::refused::{RefusalReason, RefusedEdit};
use crate::scope_words::words;
use crate::spell::spell;
use crate::translation::longest_form;

/// An edit that would change a URL and does not, because too little was tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypothesis {
    /// Its notation.
    pub notation: String,
    /// Where it was proposed or accepted, in words.
    pub scope: String,
    /// Whether it was refused; else it was accepted, and not tested on pages like those of the URL.
    pub is_refused: bool,
    /// What the URL would become.
    pub form: String,
}

impl Editor {
    /// The hypotheses for `url`: edits that would each change its form, and are accepted outside
    /// their reach or were refused because too few URLs or pages tested them.
    pub fn hypotheses(&self, url: &str) -> Vec<Hypothesis> {
        let asked = self.ask(url, |_, shape, ends| {
            let program = self.program(shape).0.unwrap_or_else(|| copy(shape));
            let form = |edited: &Program| {
                written(&self.literals, &parts(edited), url, ends, longest_form(url))
            };
            let accepted = self.rules.iter().filter_map(|rule| self.out_of_reach(rule, &program));
            let refused =
                self.record.refused.iter().filter_map(|refused| self.open(refused, &program));
            let found = accepted.chain(refused).filter_map(|(edited, hypothesis)| {
                Some(Hypothesis { form: form(&edited)?, ..hypothesis })
            });
            Some(found.collect())
        });
        asked.unwrap_or_default()
    }

    /// An accepted edit on pages on which it was not tested.
    fn out_of_reach(&self, rule: &ServedEdit, program: &Program) -> Option<(Program, Hypothesis)> {
        let accepted = &rule.accepted;
        let is_open = accepted.suppression(program) == Some(Suppression::Unknown);
        let edited = accepted.edit.apply(program).filter(|_| is_open)?;
        let (notation, scope) = (rule.notation.clone(), rule.scope.to_string());
        Some((edited, Hypothesis { notation, scope, is_refused: false, form: String::new() }))
    }

    /// A refused edit that was tested too little.
    fn open(&self, refused: &RefusedEdit, program: &Program) -> Option<(Program, Hypothesis)> {
        let RefusedEdit { edit, scope, only, why, .. } = refused;
        let is_open = *why == RefusalReason::Untested;
        let edited = is_open.then(|| refused.would_apply(program))??;
        let notation = spell(edit, &self.lexicon, &self.literals);
        let scope = words(edit, scope, only.as_ref(), &self.lexicon, &self.marks).into_owned();
        Some((edited, Hypothesis { notation, scope, is_refused: true, form: String::new() }))
    }
}
