//! A place in wildcards.

use rustc_hash::FxHashSet;

use undust_edits::program::FRONT;
use undust_edits::replacement::ANY;
use undust_url::lexicon::{Symbol, is_constant};

use super::Place;
use crate::unsaid::Unsaid;

/// A place as wildcards say it: a path, and names of arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob {
    /// Host and port; none if any of the site may be meant.
    pub host: Option<String>,
    /// A path, with `*` for any text; it ends in `|` where it is all of the path.
    pub path: String,
    /// The names in the query, each once; none if there may be any.
    pub names: Option<Vec<String>>,
}

impl Place<'_> {
    /// The same in wildcards.
    ///
    /// # Errors
    ///
    /// What of it cannot be said.
    pub(crate) fn globs(&self) -> Result<Vec<Glob>, Unsaid> {
        if !self.lookaheads.is_empty() {
            return Err(Unsaid::Place("where wildcards do not tell paths apart"));
        }
        if !self.exceptions().is_empty() {
            return Err(Unsaid::Place("with exceptions"));
        }
        let paths: Vec<(Option<String>, String)> = match (&self.paths, &self.beginning) {
            (Some(paths), _) => paths.iter().filter_map(|path| self.glob(path)).collect(),
            (None, Some(segments)) => {
                let texts = segments.iter().map(|segment| self.wildcards(segment));
                let texts = texts.collect::<Result<Vec<String>, _>>()?;
                let both = |text: String| [format!("/{text}/"), format!("/{text}|")];
                texts.into_iter().flat_map(both).map(|path| (None, path)).collect()
            }
            (None, None) => vec![(None, "/".into())],
        };
        let lists: Vec<Option<Vec<String>>> = match &self.names {
            None => vec![None],
            Some(lists) => lists.iter().filter_map(|list| self.each_once(list)).map(Some).collect(),
        };
        let of = |(host, path): &(Option<String>, String)| {
            let (host, path) = (host.clone(), path.clone());
            lists.iter().map(move |names| Glob {
                host: host.clone(),
                path: path.clone(),
                names: names.clone(),
            })
        };
        let globs: Vec<Glob> = paths.iter().flat_map(of).collect();
        if globs.is_empty() { Err(Unsaid::Nowhere) } else { Ok(globs) }
    }

    fn glob(&self, path: &[Symbol]) -> Option<(Option<String>, String)> {
        let (front, rest) = path.split_at_checked(FRONT - 1)?;
        let host = self.site.words.lexicon.spell(*front.last()?).into_owned();
        Some((Some(host), format!("{}|", self.wildcards(rest).ok()?)))
    }

    fn wildcards(&self, pieces: &[Symbol]) -> Result<String, Unsaid> {
        let lexicon = self.site.words.lexicon;
        let of = |symbol: &Symbol| match *symbol {
            ANY => Ok("*".to_owned()),
            symbol if is_constant(symbol) => {
                let spelled = lexicon.spell(symbol);
                let text = spelled.strip_prefix("<=").and_then(|text| text.strip_suffix('>'));
                text.map(str::to_owned).ok_or(Unsaid::Place("where arguments have one format"))
            }
            symbol => Ok(lexicon.spell(symbol).into_owned()),
        };
        let text: String = pieces.iter().map(of).collect::<Result<_, _>>()?;
        let is_plain = text.is_ascii() && !text.contains(['|', '?', '#', ' ']);
        if is_plain { Ok(text) } else { Err(Unsaid::Place("where words have unusual characters")) }
    }

    /// A list of names if none is there twice.
    fn each_once(&self, list: &[Symbol]) -> Option<Vec<String>> {
        let distinct: FxHashSet<&Symbol> = list.iter().collect();
        let names = list.iter().map(|name| self.site.words.name(*name));
        (distinct.len() == list.len()).then(|| names.collect::<Option<_>>()).flatten()
    }
}
