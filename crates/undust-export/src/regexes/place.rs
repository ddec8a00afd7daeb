//! Where an edit holds, as lookaheads.

use rustc_hash::FxHashSet;

use undust_model::edits::accepted::AcceptedEdit;
use undust_model::edits::edit::Edit;
use undust_model::edits::known_values::{Attribute, KnownValues};
use undust_model::edits::program::{FRONT, copy};
use undust_model::edits::replacement::{ANY, any_kind};
use undust_model::edits::restriction::Restriction;
use undust_model::edits::scope::{ContextFeature, Scope, ScopePart};
use undust_url::lexicon::{EDGE, Lexicon, Symbol, is_constant};

use super::piece::{LETTER, Match, Words, literal, path_letters, value};
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

/// Longest list of paths in one regex, in bytes: servers bound the length of a line.
const LONGEST_LIST: usize = 1500;
/// Most values that one rule lists.
const MOST_VALUES: usize = 150;

/// What is known of the site.
pub(crate) struct Site<'s> {
    pub words: Words<'s>,
    /// Simple names of arguments that training saw, as regexes.
    pub names: Vec<String>,
    pub known_values: &'s [KnownValues],
    /// Whether training saw arguments without `=`.
    pub has_bare_arguments: bool,
}

/// The places of an edit, one after another.
struct Place<'s> {
    site: &'s Site<'s>,
    edit: &'s AcceptedEdit,
    /// Patterns of paths with their origin, if they are listed.
    paths: Option<Vec<Pattern>>,
    /// Lists of names, if they are listed.
    names: Option<Vec<Vec<Symbol>>>,
    /// The pieces of the first segment of the path.
    beginning: Option<Pattern>,
    lookaheads: String,
}

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

/// The lookaheads of an accepted edit; a URL that fulfils one of them is in its reach.
///
/// # Errors
///
/// What of its place cannot be said.
pub(crate) fn heads(site: &Site<'_>, edit: &AcceptedEdit) -> Result<Vec<Head>, Unsaid> {
    Place::of(site, edit)?.heads()
}

/// The same in wildcards.
///
/// # Errors
///
/// What of its place cannot be said.
pub(crate) fn globs(site: &Site<'_>, edit: &AcceptedEdit) -> Result<Vec<Glob>, Unsaid> {
    Place::of(site, edit)?.globs()
}

/// A pattern with constants taken for any argument.
fn without_constants(pattern: &[Symbol]) -> Vec<Symbol> {
    pattern
        .iter()
        .map(|symbol| if is_constant(*symbol) { ANY } else { any_kind(*symbol) })
        .collect()
}

impl<'s> Place<'s> {
    fn of(site: &'s Site<'s>, edit: &'s AcceptedEdit) -> Result<Self, Unsaid> {
        let lookaheads = String::new();
        let mut place = Self { site, edit, paths: None, names: None, beginning: None, lookaheads };
        if let Some(only) = &edit.only {
            place.restrict(only)?;
        }
        place.narrow(&edit.scope)?;
        Ok(place)
    }

    fn globs(&self) -> Result<Vec<Glob>, Unsaid> {
        if !self.lookaheads.is_empty() {
            return Err(Unsaid::Place("where wildcards do not tell paths apart"));
        }
        if !self.exceptions().is_empty() {
            return Err(Unsaid::Place("with exceptions"));
        }
        let paths: Vec<(Option<String>, String)> = match (&self.paths, &self.beginning) {
            (Some(paths), _) => paths.iter().filter_map(|path| self.glob(path)).collect(),
            (None, Some(segment)) => {
                let text = self.wildcards(segment)?;
                vec![(None, format!("/{text}/")), (None, format!("/{text}|"))]
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

    fn restrict(&mut self, only: &Restriction) -> Result<(), Unsaid> {
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
            Restriction::Beginning(segment) => {
                self.site.words.pattern(segment, Match::Strict)?;
                self.beginning = Some(segment.clone());
            }
            Restriction::All(all) => all.iter().try_for_each(|only| self.restrict(only))?,
        }
        Ok(())
    }

    fn with_names(&mut self, lists: Vec<Vec<Symbol>>) -> Result<(), Unsaid> {
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

    /// Adds what a scope asks for.
    fn narrow(&mut self, scope: &Scope) -> Result<(), Unsaid> {
        match scope.context_feature() {
            Some(ContextFeature::Word(word)) => self.with_word(word)?,
            Some(ContextFeature::Argument(key, value)) => {
                let value = self.site.words.pattern(&[value], Match::Strict)?;
                let name = self.name(key)?;
                self.lookaheads += &format!("(?=[^?]*\\?(?:.*[&;])?{name}={value}(?:[&;]|$))");
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
                ScopePart::Before | ScopePart::Query => {
                    return Err(Unsaid::Placeholder);
                }
            }
        }
        Ok(())
    }

    fn name(&self, key: Symbol) -> Result<String, Unsaid> {
        self.site.words.name(key).ok_or(Unsaid::Place("with a name that is more than one word"))
    }

    /// Keeps the listed paths for which this holds.
    fn keep_paths(&mut self, holds: impl Fn(&[Symbol]) -> bool) -> bool {
        let Some(paths) = &mut self.paths else { return false };
        paths.retain(|path| holds(path));
        true
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
        let of = |path: &[Symbol]| {
            path.iter()
                .copied()
                .filter(|symbol| Lexicon::is_word(*symbol))
                .eq(words.iter().copied())
        };
        if self.keep_paths(of) {
            Ok(())
        } else {
            Err(Unsaid::Place("where a path has certain words"))
        }
    }

    fn with_path(&mut self, wanted: &[Symbol]) -> Result<(), Unsaid> {
        if !self.keep_paths(|path| without_constants(path) == wanted) {
            self.paths = Some(vec![wanted.into()]);
        }
        Ok(())
    }

    /// What stands beside the first piece that is replaced follows from the path, if the query is empty.
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
        if is_bare && self.keep_paths(neighbours) {
            Ok(())
        } else {
            Err(Unsaid::Place("between certain neighbours"))
        }
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
                format!("(?=[^?]*\\?(?:.*[&;])?{}=(?:{values})(?:[&;]|$))", self.name(name)?)
            }
        };
        Ok(())
    }

    fn heads(&self) -> Result<Vec<Head>, Unsaid> {
        let exceptions = self.exceptions();
        let query = self.query();
        let beginning = match &self.beginning {
            Some(segment) => {
                let segment = self.site.words.pattern(segment, Match::Strict)?;
                format!("(?=/{segment}(?:[/?]|$))")
            }
            None => String::new(),
        };
        let rest = |path: &str| format!("{path}{beginning}{}{query}{exceptions}", self.lookaheads);
        let Some(paths) = &self.paths else {
            let guard =
                format!("(?=/{}(?:\\?|$))(?![^?]*//)(?![^?]*/\\.\\.?(?:[/?]|$))", path_letters());
            return Ok(vec![Head { origin: None, lookaheads: rest(&guard) }]);
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
        let guard = format!("(?={}(?:\\?|$))", path_letters());
        let head = |(origin, paths): (String, Vec<String>)| {
            let paths = match &paths[..] {
                [path] => path.clone(),
                paths => format!("(?:{})", paths.join("|")),
            };
            let is_plain = !paths.contains("[^/");
            let guard = if is_plain { "" } else { &*guard };
            let path = format!("(?={paths}(?:\\?|$)){guard}");
            Head { origin: Some(origin), lookaheads: rest(&path) }
        };
        Ok(heads.into_iter().map(head).collect())
    }

    /// The origin of a path, and the regex of the rest.
    fn path(&self, path: &[Symbol]) -> Result<(String, String), Unsaid> {
        let words = &self.site.words;
        let (front, rest) = path.split_at_checked(FRONT - 1).ok_or(Unsaid::Nowhere)?;
        if !front.iter().all(|symbol| Lexicon::is_word(*symbol) || Lexicon::is_delimiter(*symbol)) {
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

    /// The query: names that are listed, or names that training saw.
    fn query(&self) -> String {
        let name = |symbol: &Symbol| {
            self.site.words.name(*symbol).and_then(|name| literal(&name)).unwrap_or_default()
        };
        // Of the argument that goes any value goes.
        let dropped = match &self.edit.edit {
            Edit::DropKey(key) | Edit::DropArgument(key, _) => name(key),
            _ => String::new(),
        };
        let bare = self.site.has_bare_arguments;
        // A name that training saw bare alone is another if it has a value.
        let tail = |name: &str| match self.site.names.iter().any(|known| known == name) {
            true => value(name == dropped, bare),
            false => String::new(),
        };
        let Some(lists) = &self.names else { return query_of(&self.site.names, &dropped, tail) };
        let exactly =
            |list: &Vec<Symbol>| exactly(&list.iter().map(name).collect::<Vec<_>>(), tail);
        let lists: Vec<String> = lists.iter().map(exactly).collect();
        match &lists[..] {
            [list] => list.clone(),
            lists => format!("(?:{})", lists.join("|")),
        }
    }

    fn exceptions(&self) -> String {
        let scopes = self.edit.exceptions.iter();
        scopes.filter_map(|scope| self.exception(scope)).collect()
    }

    /// A scope in which the edit does not hold; none if it lies outside anyway.
    fn exception(&self, scope: &Scope) -> Option<String> {
        let words = &self.site.words;
        let loose = |symbols: &[Symbol]| {
            words.pattern(symbols, Match::Loose).unwrap_or(format!("{LETTER}+"))
        };
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
                    let simple: Vec<String> = symbols
                        .iter()
                        .filter_map(|symbol| words.name(*symbol).and_then(|name| literal(&name)))
                        .collect();
                    text += &has_all(&simple);
                    if simple.len() == symbols.len() {
                        text += &so_many(symbols.len());
                    }
                }
                ScopePart::Ending => {
                    text += &ending_regex(words, symbols, Match::Loose).unwrap_or_default();
                }
                ScopePart::Words => {
                    let in_order: String = symbols
                        .iter()
                        .skip(2)
                        .map(|word| format!("[/:.,~_-]{}(?![A-Za-z0-9])[^?]*", loose(&[*word])))
                        .collect();
                    text += &format!("(?=[^?]*?{in_order}(?:\\?|$))");
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
                ScopePart::Neighbours => text += &self.between(symbols, loose),
                ScopePart::Before | ScopePart::Query => {}
            }
        }
        Some(format!("(?!{text})"))
    }

    /// What is replaced, between neighbours of which the end of the URL may be one.
    fn between(&self, neighbours: &[Symbol], loose: impl Fn(&[Symbol]) -> String) -> String {
        let (Edit::Replace { from, .. }, [left, right]) = (&self.edit.edit, neighbours) else {
            return String::new();
        };
        let from: Vec<Symbol> = from.iter().copied().filter(|symbol| *symbol != EDGE).collect();
        let (from, left) =
            (loose(&from), if *left == EDGE { String::new() } else { loose(&[*left]) });
        let right = if *right == EDGE { "$".to_owned() } else { loose(&[*right]) };
        format!("(?=.*{left}{from}{right})")
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

/// A query of arguments with some of these names, or none.
fn query_of(names: &[String], dropped: &str, tail: impl Fn(&str) -> String) -> String {
    let others: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| *name != dropped).collect();
    let mut arguments = Vec::new();
    if let [first, ..] = others[..] {
        arguments.push(format!("(?:{}){}", others.join("|"), tail(first)));
    }
    if others.len() < names.len() {
        arguments.push(format!("{dropped}{}", tail(dropped)));
    }
    if arguments.is_empty() {
        return "(?=[^?]*$)".into();
    }
    format!("(?=[^?]*(?:\\?(?:(?:{})(?:[&;](?!$)|$))+)?$)", arguments.join("|"))
}

/// A query of these names, in any order, each with its tail.
fn exactly(names: &[String], tail: impl Fn(&str) -> String) -> String {
    if names.is_empty() {
        return "(?=[^?]*$)".into();
    }
    let mut distinct: Vec<&String> = names.iter().collect::<FxHashSet<_>>().into_iter().collect();
    distinct.sort_unstable();
    let same = tail(distinct[0]);
    let argument = if distinct.iter().all(|name| tail(name) == same) {
        format!(
            "(?:{}){same}",
            distinct.iter().map(|name| name.as_str()).collect::<Vec<_>>().join("|")
        )
    } else {
        let each = distinct.iter().map(|name| format!("{name}{}", tail(name)));
        format!("(?:{})", each.collect::<Vec<_>>().join("|"))
    };
    let each = if distinct.len() > 1 { has_all(names) } else { String::new() };
    match names.len() {
        1 => format!("(?=[^?]*\\?{argument}$)"),
        count => format!("(?=[^?]*\\?(?:{argument}(?:[&;](?!$)|$)){{{count}}}$){each}"),
    }
}

/// What follows a name.
const END_OF_NAME: &str = "(?![^=&;])";

/// Arguments of all these names, each so often.
fn has_all(names: &[String]) -> String {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    let has = |group: &[&String]| {
        let name = group[0];
        let again = format!(".*[&;]{name}{END_OF_NAME}").repeat(group.len() - 1);
        format!("(?=[^?]*\\?(?:.*[&;])?{name}{END_OF_NAME}{again})")
    };
    sorted.chunk_by(|a, b| a == b).map(has).collect()
}

/// So many arguments.
fn so_many(count: usize) -> String {
    match count {
        0 => "(?=[^?]*$)".into(),
        1 => "(?=[^?]*\\?[^&;]*$)".into(),
        _ => format!("(?=[^?]*\\?(?:[^&;]*[&;]){{{}}}[^&;]*$)", count - 1),
    }
}
