//! What the scope of an edit asks of a URL.

use undust_edits::known_values::Attribute;
use undust_edits::program::{FRONT, copy};
use undust_edits::replacement::ANY;
use undust_edits::scope::{ContextFeature, Scope, ScopePart};
use undust_url::lexicon::{Lexicon, Symbol};

use super::super::piece::{Match, literal};
use super::{Place, ending_of, ending_regex, without_constants};
use crate::unsaid::Unsaid;

/// Most values that one rule lists.
const MOST_VALUES: usize = 150;

impl Place<'_> {
    /// Adds what a scope asks for.
    pub(super) fn narrow(&mut self, scope: &Scope) -> Result<(), Unsaid> {
        match scope.context_feature() {
            Some(ContextFeature::Word(word)) => self.with_word(word)?,
            Some(ContextFeature::Argument(key, value)) => {
                let value = self.site.words.pattern(&[value], Match::Strict)?;
                let name = self.name(key)?;
                self.lookaheads += &format!("(?=.*[?&;]{name}={value}(?:[&;]|$))");
            }
            Some(ContextFeature::Known(attribute)) => self.with_known_value(attribute)?,
            None => {}
        }
        let edit = &self.edit.edit;
        for (part, symbols) in scope.parts(edit) {
            match part {
                ScopePart::Names => self.with_names(vec![symbols.to_vec()])?,
                ScopePart::Ending => self.with_ending(symbols)?,
                ScopePart::Words => self.with_words(symbols)?,
                ScopePart::Path => self.with_path(symbols)?,
                ScopePart::Neighbours => self.with_neighbours(symbols)?,
                ScopePart::Values | ScopePart::Shape => self.with_url(symbols)?,
                ScopePart::Before if scope.context_feature().is_some() => {}
                ScopePart::Before | ScopePart::Query => return Err(Unsaid::Placeholder),
            }
        }
        Ok(())
    }

    fn name(&self, key: Symbol) -> Result<String, Unsaid> {
        self.site.words.name(key).ok_or(Unsaid::Place("with a name that is more than one word"))
    }

    fn with_word(&mut self, word: Symbol) -> Result<(), Unsaid> {
        if !self.keep_paths(|path| path.iter().skip(FRONT).any(|symbol| *symbol == word)) {
            let word = self.site.words.pattern(&[word], Match::Strict)?;
            self.lookaheads += &format!("(?=[^?]*[/:.,~]{word}(?:[/:.,~?]|$))");
        }
        Ok(())
    }

    fn with_ending(&mut self, ending: &[Symbol]) -> Result<(), Unsaid> {
        if !self.keep_paths(|path| ending_of(&without_constants(path)) == ending) {
            let ending = ending_regex(&self.site.words, ending, Match::Strict)?;
            self.lookaheads += &ending;
        }
        Ok(())
    }

    fn with_words(&mut self, words: &[Symbol]) -> Result<(), Unsaid> {
        let of =
            |path: &[Symbol]| path.iter().filter(|symbol| Lexicon::is_word(**symbol)).eq(words);
        self.keep_paths(of).then_some(()).ok_or(Unsaid::Place("where a path has certain words"))
    }

    fn with_path(&mut self, wanted: &[Symbol]) -> Result<(), Unsaid> {
        if !self.keep_paths(|path| without_constants(path) == wanted) {
            self.paths = Some(vec![wanted.into()]);
        }
        Ok(())
    }

    /// What stands next to the first piece that is replaced follows from the path, if the query is empty.
    fn with_neighbours(&mut self, wanted: &[Symbol]) -> Result<(), Unsaid> {
        if wanted.is_empty() {
            return Ok(());
        }
        let is_bare = self.names.as_ref().is_some_and(|lists| lists.iter().all(Vec::is_empty));
        let edit = &self.edit.edit;
        let Some(word) = Lexicon::kind("word") else { return Err(Unsaid::Nowhere) };
        let neighbours = |path: &[Symbol]| {
            let path: Vec<Symbol> = without_constants(path)
                .into_iter()
                .map(|symbol| if symbol == ANY { word } else { symbol })
                .collect();
            edit.neighbours(&copy(&path)).is_some_and(|found| found[..] == *wanted)
        };
        let is_said = is_bare && self.keep_paths(neighbours);
        is_said.then_some(()).ok_or(Unsaid::Place("between certain neighbours"))
    }

    /// The pattern of a whole URL.
    fn with_url(&mut self, url: &[Symbol]) -> Result<(), Unsaid> {
        let question = Lexicon::delimiter("?");
        let end = url.iter().position(|symbol| Some(*symbol) == question).unwrap_or(url.len());
        let (path, query) = url.split_at(end);
        let words = &self.site.words;
        let query = words.pattern(query, Match::Strict)?;
        let path = without_constants(path);
        if self.paths.is_none() {
            self.paths = Some(vec![path.clone().into()]);
        } else {
            self.keep_paths(|one| without_constants(one) == path);
        }
        let kinds = words.pattern(&url[FRONT.min(end)..end], Match::Strict)?;
        self.lookaheads += &format!("(?=/{kinds}{query}$)");
        Ok(())
    }

    fn with_known_value(&mut self, attribute: Attribute) -> Result<(), Unsaid> {
        let lists = &self.site.known_values;
        let list = lists.iter().find(|list| list.attribute == attribute).ok_or(Unsaid::Nowhere)?;
        if list.values.len() > MOST_VALUES {
            return Err(Unsaid::Place("with more than 150 known values"));
        }
        let values: Vec<String> = list.values.iter().filter_map(|value| literal(value)).collect();
        let values = values.join("|");
        self.lookaheads += &match attribute {
            Attribute::Path => format!("(?=(?:{values})(?:\\?|$))"),
            Attribute::Argument(name) => {
                format!("(?=.*[?&;]{}=(?:{values})(?:[&;]|$))", self.name(name)?)
            }
        };
        Ok(())
    }
}
