//! Where an edit holds: its reach, then its scope, then its exceptions. It is said in lookaheads or in wildcards.
//!
//! | module | what it says |
//! |---|---|
//! | `reach` | the kinds of pages on which the edit was tested |
//! | `scope` | what its scope asks of a URL |
//! | `exceptions` | the scopes in which it does not hold |
//! | `query` | a query by the names in it |
//! | `globs` | all of it in wildcards |

mod exceptions;
mod globs;
mod query;
mod reach;
mod scope;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::Edit;
use undust_edits::known_values::KnownValues;
use undust_edits::replacement::{ANY, any_kind};
use undust_url::lexicon::{Lexicon, Symbol, is_constant};

pub(crate) use self::globs::Glob;
use super::piece::{LETTER, Match, Words};
use crate::unsaid::Unsaid;

/// Pieces of a pattern.
type Pattern = Box<[Symbol]>;

/// What a rule asks of a URL before it changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// Scheme and host as the site writes them; none if any URL of the site may be meant.
    pub origin: Option<String>,
    /// Lookaheads at the beginning of the path.
    pub lookaheads: String,
}

/// What is known of the site.
pub(crate) struct Site<'s> {
    pub words: Words<'s>,
    /// Simple names of arguments that training saw, as regexes.
    pub names: Vec<String>,
    pub known_values: &'s [KnownValues],
}

/// The places of an edit, one after another.
pub(crate) struct Place<'s> {
    site: &'s Site<'s>,
    edit: &'s AcceptedEdit,
    /// Patterns of paths with their origin, if they are listed.
    paths: Option<Vec<Pattern>>,
    /// Lists of names, if they are listed.
    names: Option<Vec<Vec<Symbol>>>,
    /// The pieces of the first segment of the path, one of these.
    beginning: Option<Vec<Pattern>>,
    lookaheads: String,
}

/// Whether a URL in the place of `later` may come into the place of `earlier` because the argument goes that `later` drops.
pub(crate) fn leads_to(site: &Site<'_>, later: &AcceptedEdit, earlier: &AcceptedEdit) -> bool {
    let (Edit::DropKey(key) | Edit::DropArgument(key, _)) = &later.edit else { return false };
    let (Ok(later), Ok(earlier)) = (Place::of(site, later), Place::of(site, earlier)) else {
        return false;
    };
    let before = |names: &Vec<Symbol>| {
        let mut names: Vec<Symbol> = names.iter().chain([key]).copied().collect();
        names.sort_unstable();
        later.names.as_ref().is_none_or(|lists| {
            lists.iter().any(|list| {
                let mut list = list.clone();
                list.sort_unstable();
                list == names
            })
        })
    };
    let shares_path = match (&later.paths, &earlier.paths) {
        (Some(later), Some(earlier)) => later.iter().any(|path| earlier.contains(path)),
        _ => true,
    };
    shares_path && earlier.names.is_some_and(|lists| lists.iter().any(before))
}

impl<'s> Place<'s> {
    /// # Errors
    ///
    /// What of its place cannot be said.
    pub(crate) fn of(site: &'s Site<'s>, edit: &'s AcceptedEdit) -> Result<Self, Unsaid> {
        let lookaheads = String::new();
        let mut place = Self { site, edit, paths: None, names: None, beginning: None, lookaheads };
        if let Some(only) = &edit.only {
            place.restrict(only)?;
        }
        place.narrow(&edit.scope)?;
        Ok(place)
    }

    /// Keeps the listed paths for which this holds.
    fn keep_paths(&mut self, holds: impl Fn(&[Symbol]) -> bool) -> bool {
        let Some(paths) = &mut self.paths else { return false };
        paths.retain(|path| holds(path));
        true
    }
}

/// A pattern with constants taken for any argument.
fn without_constants(pattern: &[Symbol]) -> Vec<Symbol> {
    pattern
        .iter()
        .map(|symbol| if is_constant(*symbol) { ANY } else { any_kind(*symbol) })
        .collect()
}

/// The last pieces of a pattern that distinguish a file from a folder.
fn ending_of(path: &[Symbol]) -> &[Symbol] {
    match path {
        [.., last] if Lexicon::is_delimiter(*last) => std::slice::from_ref(last),
        [.., mark, _] if Lexicon::delimiter(".") == Some(*mark) => &path[path.len() - 2..],
        _ => &[],
    }
}

fn ending_regex(words: &Words<'_>, ending: &[Symbol], how: Match) -> Result<String, Unsaid> {
    if ending.is_empty() {
        return Ok(format!("(?=[^?]*{LETTER}(?:\\?|$))(?![^?]*\\.{LETTER}+(?:\\?|$))"));
    }
    Ok(format!("(?=[^?]*{}(?:\\?|$))", words.pattern(ending, how)?))
}
