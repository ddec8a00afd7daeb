//! What each rule does to a URL, one after another, and where rules hold.

use super::Editor;
use crate::accepted::AcceptedEdit;
use crate::program::{Cell, copy};

impl Editor {
    /// Calls `see` for each rule that is applied to a URL, up to its first form: with its number,
    /// the edit, and the program that it changes.
    pub fn each_step(&self, url: &str, mut see: impl FnMut(usize, &AcceptedEdit, &[Cell])) {
        let known = self.ask(url, |known, shape, _| {
            Some((self.edited(known, shape).rules.clone(), copy(shape)))
        });
        let (rules, mut program) = known.unwrap_or_default();
        for number in rules {
            let rule = &self.rules[number as usize].accepted;
            let Some(edited) = rule.edit.apply(&program) else { return };
            see(number as usize, rule, &program);
            program = edited;
        }
    }
}
