//! Reach: an edit holds where it was tested.
//!
//! What counts are the URLs that an edit changes and that come to share a form with another. Their *kinds* are the
//! patterns of their paths and the names in their queries. An edit holds on these kinds. Only if they are several,
//! it holds on others, too: a log-in wall shows the same whatever argument led to it, and that says nothing of the
//! argument elsewhere.
//!
//! An argument of the path that was nearly always the same is a part of the kind, as a constant. So what pages in an
//! author's folder show says nothing of another author's, however rare the name of the folder is. Of an
//! argument that the edit drops its format is a part: what `(S(x1))/` is not, `eu/` may be.

use std::collections::{BTreeMap, BTreeSet};

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::Edit;
use undust_edits::editor::Editor;
use undust_edits::fold::Fold;
use undust_edits::program::{Cell, FRONT, TextSource, arguments, path_end};
use undust_edits::replacement::{ANY, any_kind};
use undust_edits::restriction::{Restriction, first_segment as first_segment_of};
use undust_edits::scope::{ScopePart, dropped_slot, names};
use undust_url::lexicon::{Constants, EDGE, Lexicon, Symbol, format_of};

use super::replay::firsts;
use super::revise;

/// Kinds of paths, or of names, from which on an edit holds on others, too.
const MANY_KINDS: usize = 3;

/// Texts of an argument from which on it may be any.
const MANY_TEXTS: usize = 3;

/// Values of an argument that is changed from which on it may have any.
const MANY_VALUES: usize = 2;

/// Pages from which on what an edit leaves alone may have any value.
const MANY_PAGES: usize = 3;

/// Where no URL is: that of an edit whose constants are too many to be listed.
const NOWHERE: Restriction = Restriction::Beginning(Vec::new());

/// Formats of what is dropped from which on it may be any.
const MANY_FORMATS: usize = 4;

/// Patterns of one kind whose constants differ, at most.
const MOST_PATTERNS: usize = 16;

/// Restricts each edit to its reach. `urls` are those of the crawl, each with its cluster; what shares a form still
/// does. Linear in them and the edits that each goes through.
pub(crate) fn restrict(editor: Editor, urls: &[(&str, u32)]) -> Editor {
    let mut listed = Constants::default();
    let asks_names = editor.rules().map(|rule| asks_names(&rule.accepted));
    let tested = tested(&editor, urls).into_iter().zip(asks_names);
    let reach = |(tested, asks_names): (Tested, bool)| {
        let kinds = tested.kinds.len() as u32;
        (tested.restriction(asks_names, &mut listed), kinds)
    };
    let reaches = tested.map(reach).collect();
    revise::restricted(&editor, reaches, listed)
}

/// Whether an edit's scope determines the names in the query.
fn asks_names(accepted: &AcceptedEdit) -> bool {
    use ScopePart::{Names, Query, Shape, Values};
    let mut parts = accepted.scope.parts(&accepted.edit);
    parts.any(|(part, _)| matches!(part, Names | Query | Shape | Values))
}

/// By edit: where it was tested. That it is this edit that brings URLs together is not asked: where it does not hold, a
/// later one may not know their names.
fn tested(editor: &Editor, urls: &[(&str, u32)]) -> Vec<Tested> {
    let firsts = firsts(editor, urls);
    let mut is_shared = vec![false; urls.len()];
    for (number, first) in (0..).zip(&firsts) {
        is_shared[*first as usize] |= *first != number;
    }
    let mut tested: Vec<Tested> = editor.rules().map(|_| Tested::default()).collect();
    let (mut shape, mut texts) = (Vec::new(), Vec::new());
    for ((url, page), first) in urls.iter().zip(firsts) {
        if is_shared[first as usize] {
            editor.lexicon().read(url, &mut shape, &mut texts);
            editor.each_step(url, |rule, accepted, program| {
                tested[rule].see(accepted, program, &texts);
                if tested[rule].pages.len() < MANY_PAGES {
                    tested[rule].pages.insert(*page);
                }
            });
        }
    }
    tested
}

/// Where an edit was tested.
#[derive(Default)]
struct Tested {
    /// By the path's pieces: what its arguments were.
    paths: BTreeMap<Box<[Symbol]>, Vec<Argument>>,
    names: BTreeSet<Box<[Symbol]>>,
    /// The first segments of the paths, as patterns; not all, once there are many.
    folders: BTreeSet<Vec<Piece>>,
    /// By name: the values of the query's arguments.
    values: BTreeMap<Symbol, Values>,
    /// Pages; not all, once there are many.
    pages: BTreeSet<u32>,
    /// Kinds of pages, as numbers.
    kinds: BTreeSet<u64>,
}

/// The values of an argument of the query.
#[derive(Default)]
struct Values {
    /// Not all, once there are many.
    texts: BTreeSet<Vec<Piece>>,
    /// Whether the edit changes or drops them.
    are_changed: bool,
}

impl Values {
    /// Whether these values alone were tested: one, if the edit changes it, or few, where few pages say that they do
    /// not matter.
    fn are_bound(&self, pages: usize) -> bool {
        let values = self.texts.len();
        self.are_changed && values < MANY_VALUES || pages < MANY_PAGES && values < MANY_TEXTS
    }
}

/// An argument of the path.
#[derive(Default)]
struct Argument {
    /// Its place in the path.
    place: usize,
    /// Whether the edit drops it.
    is_dropped: bool,
    /// What it was, as constants; not all, once it may be any.
    constants: BTreeSet<String>,
    /// Whether it was a function word, too: a slot may hold one.
    has_word: bool,
}

impl Argument {
    fn see(&mut self, text: &str) {
        if !self.is_any() {
            let is_format = self.is_dropped;
            let constant =
                if is_format { format!("~{}", format_of(text)) } else { format!("={text}") };
            self.constants.insert(constant);
        }
    }

    fn is_any(&self) -> bool {
        let many = if self.is_dropped { MANY_FORMATS } else { MANY_TEXTS };
        self.has_word || self.constants.len() >= many
    }
}

impl Tested {
    /// Sees a program that the edit changes, with the texts of the URL's pieces.
    fn see(&mut self, accepted: &AcceptedEdit, program: &[Cell], texts: &[&str]) {
        let path = &program[..path_end(program)];
        let pattern = ScopePart::Path.of(&accepted.edit, program);
        let names = names(program);
        let kind = pattern.iter().copied().chain([EDGE]).chain(names.iter().copied());
        self.kinds.insert(Fold::of(kind));
        let known = self.paths.entry(pattern);
        let known = known.or_insert_with(|| path_arguments(accepted, program, path.len()));
        for argument in known {
            let cell = &path[argument.place];
            argument.has_word |= !Lexicon::is_argument(cell.symbol);
            if let TextSource::Source(piece) = cell.text {
                argument.see(texts.get(usize::from(piece)).copied().unwrap_or_default());
            }
        }
        self.names.insert(names.into());
        if self.folders.len() < MANY_KINDS {
            self.folders.insert(spelled(first_segment_of(program), texts));
        }
        self.see_values(accepted, program, texts);
    }

    /// Sees what the arguments of the query are.
    fn see_values(&mut self, accepted: &AcceptedEdit, program: &[Cell], texts: &[&str]) {
        let edited = accepted.edit.apply(program).unwrap_or_default();
        let is_kept = |cell: &Cell| {
            !matches!(cell.text, TextSource::Source(_))
                || edited.iter().any(|one| one.text == cell.text)
        };
        let is_bound =
            |name: Symbol| matches!(accepted.edit, Edit::DropArgument(key, _) if key == name);
        for (start, end) in arguments(program) {
            let Some((name, value)) = program[start..end].split_first() else { continue };
            let values = self.values.entry(name.symbol).or_default();
            values.are_changed |=
                !is_bound(name.symbol) && !program[start..end].iter().all(is_kept);
            if values.texts.len() < MANY_TEXTS {
                values.texts.insert(spelled(value, texts));
            }
        }
    }

    /// The restriction to these kinds. Where the scope asks for the names in the query, they need not be told again.
    fn restriction(self, asks_names: bool, listed: &mut Constants) -> Option<Restriction> {
        let Self { paths, names, folders, values, pages, .. } = self;
        if paths.is_empty() {
            return None;
        }
        let is_wide = paths.len() >= MANY_KINDS;
        let patterns: Vec<Box<[Symbol]>> = paths
            .iter()
            .flat_map(|(path, arguments)| with_constants(path, arguments, listed))
            .collect();
        let mut only = Vec::new();
        if !is_wide {
            only.push(Restriction::Paths(patterns));
        } else {
            if folders.len() < MANY_KINDS {
                let folders = folders.iter().map(|folder| pattern(folder, listed));
                only.push(folders.collect::<Option<_>>().map_or(NOWHERE, Restriction::Beginning));
            }
            only.extend(common_ending(&patterns).map(Restriction::Ending));
        }
        if !asks_names && names.len() < MANY_KINDS {
            only.push(Restriction::Names(names.into_iter().collect()));
        }
        for (name, values) in values {
            if values.are_bound(pages.len()) {
                let values = values.texts.iter().map(|value| pattern(value, listed));
                let values = values.collect::<Option<_>>();
                only.push(values.map_or(NOWHERE, |values| Restriction::Values(name, values)));
            }
        }
        Restriction::all(only)
    }
}

/// A piece that a pattern is made of: itself, or the text of an argument.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    Symbol(Symbol),
    Text(String),
}

/// Pieces, arguments spelled out.
fn spelled(cells: &[Cell], texts: &[&str]) -> Vec<Piece> {
    let piece = |cell: &Cell| match cell.text {
        TextSource::Source(piece) if Lexicon::is_argument(cell.symbol) => {
            Piece::Text(texts.get(usize::from(piece)).copied().unwrap_or_default().to_owned())
        }
        _ => Piece::Symbol(any_kind(cell.symbol)),
    };
    cells.iter().map(piece).collect()
}

/// A pattern of these, with their texts as constants; none if these would be too many.
fn pattern(pieces: &[Piece], listed: &mut Constants) -> Option<Box<[Symbol]>> {
    let symbol = |piece: &Piece| match piece {
        Piece::Symbol(symbol) => Some(*symbol),
        Piece::Text(text) => listed.add(&format!("={text}")),
    };
    pieces.iter().map(symbol).collect()
}

/// The arguments of a path that were read from the URL.
fn path_arguments(accepted: &AcceptedEdit, program: &[Cell], end: usize) -> Vec<Argument> {
    let slot = dropped_slot(&accepted.edit);
    let edited = accepted.edit.apply(program).unwrap_or_default();
    let argument = |(place, cell): (usize, &Cell)| {
        let is_read = matches!(cell.text, TextSource::Source(_));
        let is_argument = slot == Some(place) || Lexicon::is_argument(cell.symbol);
        let is_dropped = !edited.iter().any(|one| one.text == cell.text);
        let argument = Argument { place, is_dropped, ..Argument::default() };
        (is_read && is_argument).then_some(argument)
    };
    program[..end].iter().enumerate().filter_map(argument).collect()
}

/// A path with the constants of its arguments: each combination of them.
fn with_constants(
    path: &[Symbol],
    arguments: &[Argument],
    listed: &mut Constants,
) -> Vec<Box<[Symbol]>> {
    let mut patterns: Vec<Box<[Symbol]>> = vec![path.into()];
    for argument in arguments.iter().filter(|argument| !argument.is_any()) {
        if patterns.len() * argument.constants.len() > MOST_PATTERNS {
            continue;
        }
        // A constant too many is nowhere.
        let constants = argument.constants.iter();
        let symbols: Vec<Symbol> = constants.filter_map(|constant| listed.add(constant)).collect();
        let with = |pattern: &[Symbol], symbol: &Symbol| -> Box<[Symbol]> {
            let mut pattern = pattern.to_vec();
            pattern[argument.place] = *symbol;
            pattern.into()
        };
        let all = patterns.iter().flat_map(|path| symbols.iter().map(move |one| with(path, one)));
        patterns = all.collect();
    }
    patterns
}

/// The last segment, if all patterns have it in common, and a word or a constant is in it.
fn common_ending(patterns: &[Box<[Symbol]>]) -> Option<Box<[Symbol]>> {
    let first = last_segment(patterns.first()?);
    let is_told = first.iter().any(|symbol| *symbol != ANY && !Lexicon::is_delimiter(*symbol));
    (is_told && patterns.iter().all(|path| last_segment(path) == first)).then(|| first.into())
}

fn last_segment(path: &[Symbol]) -> &[Symbol] {
    let rest = path.get(FRONT..).unwrap_or_default();
    let mut segments = rest.split(|symbol| Some(*symbol) == Lexicon::delimiter("/"));
    segments.rfind(|segment| !segment.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
