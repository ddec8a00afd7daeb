//! The kinds of pages on which an edit was tested, and the lookaheads of the whole place.

use undust_edits::program::FRONT;
use undust_edits::restriction::Restriction;
use undust_url::lexicon::{Lexicon, Symbol};

use super::super::piece::{Match, is_text};
use super::query::{ARGUMENT, END_OF_NAME};
use super::{Head, Pattern, Place};
use crate::unsaid::Unsaid;

/// Longest list of paths in one regex, in bytes: servers bound the length of a line.
const LONGEST_LIST: usize = 1500;

impl Place<'_> {
    pub(super) fn restrict(&mut self, only: &Restriction) -> Result<(), Unsaid> {
        match only {
            Restriction::Paths(paths) => {
                self.paths = Some(paths.clone());
            }
            Restriction::Names(lists) => {
                self.with_names(lists.iter().map(|list| list.to_vec()).collect())?;
            }
            Restriction::Ending(segment) => {
                let segment = self.site.words.pattern(segment, Match::Strict)?;
                self.lookaheads += &format!("(?=[^?]*/{segment}/?(?:\\?|$))");
            }
            Restriction::Beginning(segments) => {
                self.beginning_regex(segments)?;
                self.beginning = Some(segments.clone());
            }
            Restriction::Values(name, values) => {
                self.lookaheads += &self.with_values(*name, values)?;
            }
            Restriction::All(all) => all.iter().try_for_each(|only| self.restrict(only))?,
        }
        Ok(())
    }

    pub(super) fn with_names(&mut self, lists: Vec<Vec<Symbol>>) -> Result<(), Unsaid> {
        let kept = match self.names.take() {
            Some(before) => before.into_iter().filter(|list| lists.contains(list)).collect(),
            None => lists,
        };
        let is_simple =
            |list: &Vec<Symbol>| list.iter().all(|name| self.site.words.name(*name).is_some());
        let kept: Vec<Vec<Symbol>> = kept.into_iter().filter(is_simple).collect();
        if kept.is_empty() {
            return Err(Unsaid::Place("with names of arguments that are more than one word"));
        }
        self.names = Some(kept);
        Ok(())
    }

    /// The lookaheads of the edit; a URL that fulfils one of them is in its reach.
    ///
    /// # Errors
    ///
    /// What of it cannot be said.
    pub(crate) fn heads(&self) -> Result<Vec<Head>, Unsaid> {
        let exceptions = self.exceptions();
        let query = self.query();
        let beginning = match &self.beginning {
            Some(segments) => self.beginning_regex(segments)?,
            None => String::new(),
        };
        let rest = |path: &str| format!("{path}{beginning}{}{query}{exceptions}", self.lookaheads);
        let Some(paths) = &self.paths else {
            return Ok(vec![Head { origin: None, lookaheads: rest("") }]);
        };
        let mut heads: Vec<(String, Vec<String>)> = Vec::new();
        let mut unsaid = Unsaid::Nowhere;
        for path in paths {
            match self.path(path) {
                Ok((origin, regex)) => {
                    let fits = |head: &&mut (String, Vec<String>)| {
                        let length: usize = head.1.iter().map(|one| one.len() + 1).sum();
                        head.0 == origin && length + regex.len() < LONGEST_LIST
                    };
                    match heads.iter_mut().find(fits) {
                        Some(head) => head.1.push(regex),
                        None => heads.push((origin, vec![regex])),
                    }
                }
                Err(why) => unsaid = why,
            }
        }
        if heads.is_empty() {
            return Err(unsaid);
        }
        let head = |(origin, paths): (String, Vec<String>)| {
            let paths = match &paths[..] {
                [path] => path.clone(),
                paths => format!("(?:{})", paths.join("|")),
            };
            let path = format!("(?={paths}(?:\\?|$))");
            Head { origin: Some(origin), lookaheads: rest(&path) }
        };
        Ok(heads.into_iter().map(head).collect())
    }

    /// No argument of this name has another value than one of these, which begin with their `=`.
    fn with_values(&self, name: Symbol, values: &[Pattern]) -> Result<String, Unsaid> {
        let odd = Unsaid::Place("with names of arguments that are more than one word");
        let name = self.site.words.name_regex(name).ok_or(odd)?;
        let value = |value: &Pattern| self.site.words.pattern(value, Match::Strict);
        let values: Vec<String> = values.iter().map(value).collect::<Result<_, _>>()?;
        let values = values.join("|");
        Ok(format!("(?!{ARGUMENT}{name}{END_OF_NAME}(?!(?:{values})(?:[&;]|$)))"))
    }

    fn beginning_regex(&self, segments: &[Pattern]) -> Result<String, Unsaid> {
        let segment = |segment: &Pattern| self.site.words.pattern(segment, Match::Strict);
        let segments: Vec<String> = segments.iter().map(segment).collect::<Result<_, _>>()?;
        Ok(format!("(?=/(?:{})(?:[/?]|$))", segments.join("|")))
    }

    /// The origin of a path, and the regex of the rest.
    fn path(&self, path: &[Symbol]) -> Result<(String, String), Unsaid> {
        let words = &self.site.words;
        let (front, rest) = path.split_at_checked(FRONT - 1).ok_or(Unsaid::Nowhere)?;
        if !front.iter().all(|symbol| is_text(*symbol)) {
            return Err(Unsaid::Place("on hosts that are no word of the site"));
        }
        let origin: String = front.iter().map(|symbol| words.lexicon.spell(*symbol)).collect();
        let holds_query = |symbol: &Symbol| {
            ["&", "=", ";", "?"].into_iter().any(|mark| Lexicon::delimiter(mark) == Some(*symbol))
        };
        if rest.iter().any(holds_query) {
            return Err(Unsaid::Place("on paths with characters of a query"));
        }
        Ok((origin, words.pattern(rest, Match::Strict)?))
    }
}
