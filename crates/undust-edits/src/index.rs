//! Edits found by a symbol that each needs.

use rustc_hash::FxHashMap;

use undust_url::lexicon::Symbol;

use super::edit::Edit;

/// Numbers of edits, by a symbol without which each changes nothing.
#[derive(Debug, Default)]
pub struct EditIndex {
    by_symbol: FxHashMap<Symbol, Vec<u32>>,
    anywhere: Vec<u32>,
}

impl EditIndex {
    /// Adds an edit under the symbol that is rarest by its number: words come after delimiters.
    pub fn add(&mut self, number: u32, edit: &Edit) {
        match edit.needs().into_iter().max() {
            Some(symbol) => self.by_symbol.entry(symbol).or_default().push(number),
            None => self.anywhere.push(number),
        }
    }

    /// Keeps only these edits.
    pub fn retain(&mut self, is_kept: impl Fn(u32) -> bool) {
        for numbers in self.by_symbol.values_mut().chain([&mut self.anywhere]) {
            numbers.retain(|number| is_kept(*number));
        }
    }

    /// The numbers of the edits that may change a program with these symbols.
    pub fn of(&self, symbols: impl Iterator<Item = Symbol>) -> Vec<u32> {
        let mut found = self.anywhere.clone();
        for symbol in symbols {
            found.extend(self.by_symbol.get(&symbol).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
