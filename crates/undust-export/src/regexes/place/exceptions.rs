//! The scopes in which an edit does not hold. They are said loosely: where a rule cannot be sure, it does nothing.

use undust_edits::edit::Edit;
use undust_edits::program::FRONT;
use undust_edits::scope::{ContextFeature, Scope, ScopePart};
use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::super::piece::Match;
use super::query::{has_all, with_count};
use super::{Place, ending_regex};

impl Place<'_> {
    pub(super) fn exceptions(&self) -> String {
        let scopes = self.edit.exceptions.iter();
        scopes.filter_map(|scope| self.exception(scope)).collect()
    }

    /// A scope in which the edit does not hold; none if it lies outside anyway.
    fn exception(&self, scope: &Scope) -> Option<String> {
        let words = &self.site.words;
        let loose = |symbols: &[Symbol]| words.loosely(symbols);
        let mut text = String::new();
        match scope.context_feature() {
            Some(ContextFeature::Word(word)) => {
                text += &format!("(?=[^?]*{}(?:[^A-Za-z0-9]|$))", loose(&[word]));
            }
            Some(ContextFeature::Argument(key, value)) => {
                text += &format!("(?=.*[?&;]{}={}(?:[&;]|$))", loose(&[key]), loose(&[value]));
            }
            Some(ContextFeature::Known(_)) | None => {}
        }
        for (part, symbols) in scope.parts(&self.edit.edit) {
            match part {
                ScopePart::Names => {
                    let list = symbols.to_vec();
                    if self.names.as_ref().is_some_and(|lists| !lists.contains(&list)) {
                        return None;
                    }
                    let simple = symbols.iter().filter_map(|symbol| words.name_regex(*symbol));
                    let simple: Vec<String> = simple.collect();
                    text += &has_all(&simple);
                    if simple.len() == symbols.len() {
                        text += &with_count(symbols.len());
                    }
                }
                ScopePart::Ending => {
                    text += &ending_regex(words, symbols, Match::Loose).unwrap_or_default();
                }
                ScopePart::Words => {
                    // Where the first of each is taken, and no other tried, one reading finds all that are in order.
                    let word = |word: &Symbol| {
                        format!("(?>[^?]*?[/:.,~_-]{}(?![A-Za-z0-9]))", loose(&[*word]))
                    };
                    let in_order: String = symbols.iter().skip(2).map(word).collect();
                    text += &format!("(?={in_order})");
                }
                ScopePart::Path => {
                    text += &format!(
                        "(?=/{}(?:\\?|$))",
                        loose(symbols.get(FRONT..).unwrap_or_default())
                    );
                }
                ScopePart::Values | ScopePart::Shape => {
                    text += &in_any_order(symbols.get(FRONT..).unwrap_or_default(), loose);
                }
                ScopePart::Neighbours => text += &self.between(symbols),
                ScopePart::Before | ScopePart::Query => {}
            }
        }
        Some(format!("(?!{text})"))
    }

    /// What is replaced, between neighbours; the end of the URL may be one of them.
    fn between(&self, neighbours: &[Symbol]) -> String {
        let (Edit::Replace { from, .. }, [left, right]) = (&self.edit.edit, neighbours) else {
            return String::new();
        };
        let pieces = [*left].into_iter().chain(from.iter().copied()).chain([*right]);
        let pieces: Vec<Symbol> = pieces.filter(|symbol| *symbol != EDGE).collect();
        let end = if *right == EDGE { "$" } else { "" };
        format!("(?=.*{}{end})", self.site.words.loosely_anywhere(&pieces))
    }
}

/// A path and the arguments of a query, which a URL may have in another order than its site writes.
fn in_any_order(url: &[Symbol], loose: impl Fn(&[Symbol]) -> String) -> String {
    let is = |mark: &str| Lexicon::delimiter(mark);
    let end = url.iter().position(|symbol| Some(*symbol) == is("?")).unwrap_or(url.len());
    let path = format!("(?=/{}(?:\\?|$))", loose(&url[..end]));
    let arguments = url[end..].split(|symbol| [is("?"), is("&"), is(";")].contains(&Some(*symbol)));
    let argument = |pieces: &[Symbol]| format!("(?=.*[?&;]{}(?:[&;]|$))", loose(pieces));
    let arguments: String = arguments.filter(|pieces| !pieces.is_empty()).map(argument).collect();
    path + &arguments
}
