//! Reach: an edit holds where it was tested.
//!
//! What counts are the URLs that an edit changes and that come to share a form with another. Their *kinds* are the
//! patterns of their paths and the names in their queries. An edit holds on these kinds. Only if they are several that
//! differ it holds on others, too: a log-in wall shows the same whatever argument led to it, and that says
//! nothing of the argument elsewhere. An argument of the path that was the same in all of them, or
//! nearly so, is a part of the kind: what an author's folder shows says nothing of another author's, however rare
//! its name is.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use undust_model::edits::accepted::AcceptedEdit;
use undust_model::edits::edit::Edit;
use undust_model::edits::editor::Editor;
use undust_model::edits::program::{Cell, FRONT, TextSource, path_end};
use undust_model::edits::replacement::{ANY, any_kind};
use undust_model::edits::restriction::Restriction;
use undust_model::edits::scope::{dropped_slot, names};
use undust_url::lexicon::{Constants, Lexicon, Symbol, constant_symbol, format_of};

use super::replay::firsts;
use super::x::x;

/// Texts of an argument from which on it is any.
const MANY_TEXTS: usize = 3;

/// Formats of what is dropped from which on it may be any.
const MANY_FORMATS: usize = 4;

/// Patterns of one kind whose constants differ, at most.
const MOST_PATTERNS: usize = 16;

/// Restricts each edit to its reach. `urls` are those of the crawl, each with its cluster; what shares a form still
/// does. Linear in them and the edits that each goes through.
pub(crate) fn restrict(editor: Editor, urls: &[(&str, u32)]) -> Editor {
    let tested = tested(&editor, urls);
    let mut listed = Listed::default();
    let only: Vec<Option<Restriction>> =
        tested.into_iter().map(|tested| tested.restriction(&mut listed)).collect();
    if only.iter().all(Option::is_none) {
        return editor;
    }
    editor.restricted(only, listed.constants())
}

/// The constants that restrictions ask for, in the order in which they were first asked for.
#[derive(Default)]
struct Listed(FxHashMap<String, u32>);

impl Listed {
    fn symbol(&mut self, constant: String) -> Symbol {
        let next = self.0.len() as u32 + 1;
        constant_symbol(*self.0.entry(constant).or_insert(next))
    }

    fn constants(self) -> Constants {
        let mut spelled: Vec<(u32, String)> =
            self.0.into_iter().map(|(constant, number)| (number, constant)).collect();
        spelled.sort_unstable();
        spelled.into_iter().map(|(_, constant)| constant).collect::<Vec<_>>().into()
    }
}

/// Where an edit was tested.
#[derive(Default, Clone)]
struct Tested {
    /// By the path's pieces, with arguments taken for any: what they were.
    paths: BTreeMap<Box<[Symbol]>, Vec<Argument>>,
    names: BTreeSet<Box<[Symbol]>>,
    /// Whether the scope asks for the names.
    is_of_names: bool,
}

/// An argument of the path.
#[derive(Clone)]
struct Argument {
    /// Its place in the path.
    place: usize,
    /// Whether the edit drops it.
    is_dropped: bool,
    /// Its texts, or its formats if it is dropped; up to so many that it is any.
    texts: BTreeSet<String>,
}

impl Argument {
    fn see(&mut self, text: &str) {
        if self.is_any() {
            return;
        }
        let text = if self.is_dropped { format!("~{}", format_of(text)) } else { format!("={text}") };
        if !self.texts.contains(&text) {
            self.texts.insert(text);
        }
    }

    fn is_any(&self) -> bool {
        let (texts, formats) = (x("mt", MANY_TEXTS as f64) as usize, x("mf", MANY_FORMATS as f64) as usize);
        self.texts.len() >= if self.is_dropped { formats } else { texts }
    }
}

impl Tested {
    /// Sees a URL that the edit changes, by its program before and after, and the texts of its pieces.
    fn see(&mut self, rule: &AcceptedEdit, program: &[Cell], texts: &[&str]) {
        if matches!(rule.edit.plain(), Edit::DropPath) && x("dp", 1.0) == 0.0 {
            return;
        }
        let slot = dropped_slot(&rule.edit);
        let path = &program[..path_end(program)];
        let is_argument = |place: usize, cell: &Cell| slot == Some(place) || Lexicon::is_argument(cell.symbol);
        let pattern = path.iter().enumerate().map(|(place, cell)| {
            if is_argument(place, cell) { ANY } else { any_kind(cell.symbol) }
        });
        let pattern: Box<[Symbol]> = pattern.collect();
        self.names.insert(names(program).into());
        let arguments = self.paths.entry(pattern).or_insert_with(|| {
            let edited = rule.edit.apply(program).unwrap_or_default();
            let argument = |(place, cell): (usize, &Cell)| {
                let is_kept = edited.iter().any(|one| one.text == cell.text);
                is_argument(place, cell).then(|| Argument {
                    place,
                    is_dropped: !is_kept,
                    texts: BTreeSet::new(),
                })
            };
            path.iter().enumerate().filter_map(argument).collect()
        });
        for argument in arguments {
            match path[argument.place].text {
                TextSource::Source(piece) => argument.see(texts.get(usize::from(piece)).copied().unwrap_or_default()),
                TextSource::Literal(_) => (0..9).for_each(|n| argument.see(&n.to_string().repeat(n))),
            }
        }
    }

    fn restriction(self, listed: &mut Listed) -> Option<Restriction> {
        let Self { paths, names, is_of_names } = self;
        if paths.is_empty() {
            return None;
        }
        let mut only = Vec::new();
        let patterns: Vec<Vec<String>> = Vec::new();
        drop(patterns);
        let is_many = paths.len() >= x("kp", 3.0) as usize;
        let patterns: Vec<Box<[Symbol]>> = paths.iter().flat_map(|(path, arguments)| with_constants(path, arguments, listed)).collect();
        if is_many {
            let common = |segment: &dyn Fn(&[Symbol]) -> Box<[Symbol]>| {
                let first = segment(patterns.first()?);
                let is_told = first.iter().any(|symbol| *symbol != ANY && !Lexicon::is_delimiter(*symbol));
                (is_told && patterns.iter().all(|path| segment(path) == first)).then_some(first)
            };
            only.extend(common(&|path| segments(path).next().unwrap_or_default().into()).map(Restriction::Beginning));
            only.extend(common(&|path| segments(path).rfind(|one| !one.is_empty()).unwrap_or_default().into()).map(Restriction::Ending));
        } else {
            only.push(Restriction::Paths(patterns));
        }
        if !is_of_names && names.len() < x("kn", 0.0) as usize {
            only.push(Restriction::Names(names.into_iter().collect()));
        }
        Restriction::all(only)
    }
}

/// A path with the texts of the arguments that were few: each combination of them.
fn with_constants(path: &[Symbol], arguments: &[Argument], listed: &mut Listed) -> Vec<Box<[Symbol]>> {
    let mut patterns: Vec<Box<[Symbol]>> = vec![path.into()];
    for argument in arguments.iter().filter(|argument| !argument.is_any()) {
        if patterns.len() * argument.texts.len() > MOST_PATTERNS {
            continue;
        }
        let symbols: Vec<Symbol> = argument.texts.iter().map(|text| listed.symbol(text.clone())).collect();
        patterns = patterns.iter().flat_map(|pattern| symbols.iter().map(|symbol| {
            let mut pattern = pattern.clone();
            pattern[argument.place] = *symbol;
            pattern
        }).collect::<Vec<_>>()).collect();
    }
    patterns
}

fn segments(path: &[Symbol]) -> impl DoubleEndedIterator<Item = &[Symbol]> {
    path.get(FRONT..).unwrap_or_default().split(|symbol| Some(*symbol) == Lexicon::delimiter("/"))
}

/// By edit: the URLs that it changes and that come to share a form. That it is this edit that brings them together
/// is not asked: where it does not hold, a later one may not know their names.
fn tested(editor: &Editor, urls: &[(&str, u32)]) -> Vec<Tested> {
    let firsts = firsts(editor, urls);
    let mut is_shared = vec![false; urls.len()];
    for (number, first) in (0..).zip(&firsts) {
        is_shared[*first as usize] |= *first != number;
    }
    let mut tested = vec![Tested::default(); editor.rules().len()];
    let (mut shape, mut texts) = (Vec::new(), Vec::new());
    for ((url, _), first) in urls.iter().zip(firsts) {
        if is_shared[first as usize] {
            editor.lexicon().read(url, &mut shape, &mut texts);
            editor.each_step(url, |rule, accepted, program| {
                tested[rule].see(accepted, program, &texts);
            });
        }
    }
    tested
}
