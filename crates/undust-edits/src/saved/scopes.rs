//! Scopes and restrictions in words.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::edits::{name, one, spell};
use super::wrong::{Wrong, each, in_field};
use crate::edit::Edit;
use crate::known_values::Attribute;
use crate::pattern::{First, read, write};
use crate::replacement::{ANY, DROPPED, WORD, is_word};
use crate::restriction::Restriction;
use crate::scope::{
    CONTEXT_LEVEL, ContextFeature, LEVELS, Scope, ScopePart, parts, parts_in_context,
};

/// A [scope](Scope): the name of its level, and what must be the same.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SavedScope {
    /// None of a kind of pages, whose level is the same for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    /// A word of the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<String>,
    /// A name in the query and its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<[String; 2]>,
    /// What has a value that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<SavedAttribute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    between: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

/// What has [values](Attribute).
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SavedAttribute {
    Path,
    Argument(String),
}

/// A [restriction](Restriction).
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SavedRestriction {
    Paths(Vec<String>),
    Names(Vec<Vec<String>>),
    Ending(String),
    Beginning(String),
    Beginnings(Vec<String>),
    Values(String, Vec<String>),
    All(Vec<SavedRestriction>),
}

/// The name of a level of an edit. Levels that ask for the same have one name.
fn level_name(edit: &Edit, level: usize) -> &'static str {
    match (edit, level) {
        (_, CONTEXT_LEVEL..) => "context",
        (Edit::DropPath, 0..=4) => "names",
        (Edit::DropPath, _) => "values",
        (Edit::DropSlot(_), 0) => "beginning",
        (Edit::DropSlot(_), 1..=4) => "path",
        (_, 0) => "anywhere",
        (_, 1) => "page-type",
        (_, 2) => "neighbours",
        (_, 3) => "words",
        (_, 4) => "path",
        (_, 5) => "values",
        _ => "pattern",
    }
}

/// The widest level of a name.
fn level_of(edit: &Edit, name: &str) -> Result<usize, Wrong> {
    let mut names: Vec<&str> = (0..=LEVELS).map(|level| level_name(edit, level)).collect();
    if let Some(level) = names.iter().position(|level| *level == name) {
        return Ok(level);
    }
    names.dedup();
    Err(format!("{name:?} is not a level of this edit: write {}", names.join(", ")).into())
}

/// Longest text that distinguishes a scope from others, in bytes; a file may hold words of any length.
const LONGEST: usize = 1024;

/// A scope on one line, which distinguishes it from all others of its edit. One that is too long is cut, and ends in
/// the hash of the whole.
pub(crate) fn line(edit: &Edit, scope: &Scope, lexicon: &Lexicon) -> String {
    let whole = whole_line(edit, scope, lexicon);
    if whole.len() <= LONGEST {
        return whole;
    }
    let front = whole.get(..whole.floor_char_boundary(LONGEST)).unwrap_or_default();
    format!("{front}… (xxh3 {:016x})", xxh3_64(whole.as_bytes()))
}

fn whole_line(edit: &Edit, scope: &Scope, lexicon: &Lexicon) -> String {
    let SavedScope {
        level,
        word,
        argument,
        known,
        names,
        ending,
        between,
        words,
        path,
        before,
        query,
        url,
    } = SavedScope::of(edit, scope, lexicon);
    let known = known.map(|known| match known {
        SavedAttribute::Path => "the path".to_owned(),
        SavedAttribute::Argument(name) => name,
    });
    let list = |list: Option<Vec<String>>| list.map(|list| list.join(" "));
    let mut line = level.unwrap_or_default();
    for (field, text) in [
        ("word", word),
        ("argument", argument.map(|argument| argument.join("="))),
        ("known", known),
        ("names", list(names)),
        ("ending", ending),
        ("between", between.map(|pair| pair.join(" "))),
        ("words", list(words)),
        ("path", path),
        ("before", before),
        ("query", query),
        ("url", url),
    ] {
        // Writing to a string cannot fail.
        let _ = text.map(|text| write!(line, "; {field}: {text}"));
    }
    line
}

impl SavedScope {
    /// In the words of a lexicon.
    pub(crate) fn of(edit: &Edit, scope: &Scope, lexicon: &Lexicon) -> Self {
        let word = |symbol: Symbol| spell(symbol, First::Word, lexicon);
        let name = |symbol: Symbol| spell(symbol, First::Name, lexicon);
        let level = Some(level_name(edit, scope.level()).to_owned());
        let mut saved = Self { level, ..Self::default() };
        match scope.context_feature() {
            Some(ContextFeature::Word(one)) => saved.word = Some(word(one)),
            Some(ContextFeature::Argument(key, value)) => {
                saved.argument = Some([name(key), word(value)])
            }
            Some(ContextFeature::Known(attribute)) => {
                saved.known = Some(SavedAttribute::of(attribute, lexicon))
            }
            None => {}
        }
        for (part, symbols) in scope.parts(edit) {
            let list = |spell: &dyn Fn(Symbol) -> String| {
                Some(symbols.iter().map(|symbol| spell(*symbol)).collect())
            };
            let pattern = || Some(write(symbols, First::Word, lexicon));
            match part {
                ScopePart::Names => saved.names = list(&name),
                ScopePart::Words => saved.words = list(&word),
                ScopePart::Neighbours => {
                    saved.between = match symbols {
                        [left, right] => Some([word(*left), word(*right)]),
                        _ => None,
                    };
                }
                ScopePart::Ending => saved.ending = pattern(),
                ScopePart::Path => saved.path = pattern(),
                ScopePart::Before => saved.before = pattern(),
                ScopePart::Query => saved.query = pattern(),
                ScopePart::Values | ScopePart::Shape => saved.url = pattern(),
            }
        }
        saved
    }

    /// The same of several, in the order of their texts.
    pub(crate) fn all(edit: &Edit, scopes: &[Scope], lexicon: &Lexicon) -> Vec<Self> {
        let mut all: Vec<Self> =
            scopes.iter().map(|scope| Self::of(edit, scope, lexicon)).collect();
        all.sort_unstable();
        all
    }

    /// In the symbols of a lexicon.
    pub(crate) fn read(mut self, edit: &Edit, lexicon: &Lexicon) -> Result<Scope, Wrong> {
        let name = self.level.take().ok_or("has no level: add one")?;
        let level = in_field("level", level_of(edit, &name))?;
        let context_feature =
            if level == CONTEXT_LEVEL { Some(self.read_feature(lexicon)?) } else { None };
        let parts = context_feature.map_or_else(|| parts(edit, level), parts_in_context);
        let read = |part: &ScopePart| {
            let field = field(*part);
            let symbols = in_field(field, self.take(*part, lexicon))?;
            let symbols =
                symbols.ok_or_else(|| format!("level {name:?} also needs {field:?}: add it"))?;
            in_field(field, check(*part, &symbols))?;
            Ok::<Box<[Symbol]>, Wrong>(symbols.into())
        };
        let symbols = parts.iter().map(read).collect::<Result<_, _>>()?;
        if self != Self::default() {
            let asked: Vec<&str> = parts.iter().map(|part| field(*part)).collect();
            let asked = asked.join(", ");
            let asked = if asked.is_empty() { "nothing more" } else { &*asked };
            return Err(
                format!("level {name:?} takes only {asked}: remove the other fields").into()
            );
        }
        Ok(Scope::new(level, context_feature, parts, symbols))
    }

    /// What makes the scope of one word.
    fn read_feature(&mut self, lexicon: &Lexicon) -> Result<ContextFeature, Wrong> {
        let Self { word, argument, known, .. } = self;
        match (word.take(), argument.take(), known.take()) {
            (Some(word), None, None) => {
                in_field("word", one(&word, First::Word, lexicon).map(ContextFeature::Word))
            }
            (None, Some([key, value]), None) => {
                let value = one(&value, First::Word, lexicon);
                let argument = name(&key, lexicon).and_then(|key| Ok((key, value?)));
                let argument = argument.map(|(key, value)| ContextFeature::Argument(key, value));
                in_field("argument", argument)
            }
            (None, None, Some(attribute)) => {
                in_field("known", attribute.read(lexicon).map(ContextFeature::Known))
            }
            _ => Err("a context is one of \"word\", \"argument\" and \"known\": add one".into()),
        }
    }

    /// The symbols of a part, if they are there.
    fn take(&mut self, part: ScopePart, lexicon: &Lexicon) -> Result<Option<Vec<Symbol>>, Wrong> {
        let list = |texts: Vec<String>, first: First| {
            texts.iter().map(|text| one(text, first, lexicon)).collect::<Result<Vec<_>, _>>()
        };
        let text = match part {
            ScopePart::Names => {
                let names = self.names.take().map(|names| list(names, First::Name)).transpose();
                return names.map(|names| names.map(sorted));
            }
            ScopePart::Words => {
                return self.words.take().map(|words| list(words, First::Word)).transpose();
            }
            // What has no fixed place has none.
            ScopePart::Neighbours => {
                let pair = self.between.take().map_or_else(Vec::new, Vec::from);
                return list(pair, First::Word).map(Some);
            }
            ScopePart::Ending => self.ending.take(),
            ScopePart::Path => self.path.take(),
            ScopePart::Before => self.before.take(),
            ScopePart::Query => self.query.take(),
            ScopePart::Values | ScopePart::Shape => self.url.take(),
        };
        Ok(text.map(|text| read(&text, First::Word, lexicon)).transpose()?)
    }
}

fn sorted(mut symbols: Vec<Symbol>) -> Vec<Symbol> {
    symbols.sort_unstable();
    symbols
}

/// The field that holds a part.
fn field(part: ScopePart) -> &'static str {
    match part {
        ScopePart::Names => "names",
        ScopePart::Ending => "ending",
        ScopePart::Neighbours => "between",
        ScopePart::Words => "words",
        ScopePart::Path => "path",
        ScopePart::Before => "before",
        ScopePart::Query => "query",
        ScopePart::Values | ScopePart::Shape => "url",
    }
}

/// Whether a URL can have these symbols there.
fn check(part: ScopePart, symbols: &[Symbol]) -> Result<(), Wrong> {
    let keeps_kinds = matches!(part, ScopePart::Names | ScopePart::Shape);
    for symbol in symbols {
        match *symbol {
            WORD | DROPPED => return Err("<piece> and * are allowed only in edits".into()),
            ANY if keeps_kinds => {
                return Err("<any> is not a kind of argument: write one, such as <word>".into());
            }
            ANY => {}
            EDGE if !matches!(part, ScopePart::Names | ScopePart::Neighbours) => {
                return Err("$ is allowed only as a context of an edit".into());
            }
            kind if Lexicon::is_argument(kind) && !keeps_kinds => {
                return Err("this place does not tell kinds of arguments apart: write <any>".into());
            }
            _ => {}
        }
    }
    match part {
        ScopePart::Words if !symbols.iter().all(|symbol| is_word(*symbol)) => {
            Err("has something that is not a word: remove it".into())
        }
        ScopePart::Ending if !is_ending(symbols) => {
            Err("is not an end of a path: write / or an extension such as .html, or nothing".into())
        }
        _ => Ok(()),
    }
}

fn is_ending(symbols: &[Symbol]) -> bool {
    match symbols {
        [] => true,
        [mark] => Lexicon::is_delimiter(*mark),
        [mark, extension] => {
            Lexicon::delimiter(".") == Some(*mark) && !Lexicon::is_delimiter(*extension)
        }
        _ => false,
    }
}

impl SavedAttribute {
    /// In the words of a lexicon.
    pub(crate) fn of(attribute: Attribute, lexicon: &Lexicon) -> Self {
        match attribute {
            Attribute::Path => Self::Path,
            Attribute::Argument(name) => Self::Argument(spell(name, First::Name, lexicon)),
        }
    }

    /// In the symbols of a lexicon.
    pub(crate) fn read(self, lexicon: &Lexicon) -> Result<Attribute, Wrong> {
        match self {
            Self::Path => Ok(Attribute::Path),
            Self::Argument(text) => {
                in_field("argument", name(&text, lexicon).map(Attribute::Argument))
            }
        }
    }
}

impl SavedRestriction {
    /// In the words of a lexicon.
    pub(crate) fn of(only: &Restriction, lexicon: &Lexicon) -> Self {
        let pattern = |symbols: &[Symbol]| write(symbols, First::Word, lexicon);
        match only {
            Restriction::Paths(paths) => {
                let mut paths: Vec<String> = paths.iter().map(|path| pattern(path)).collect();
                paths.sort_unstable();
                Self::Paths(paths)
            }
            Restriction::Names(lists) => {
                let name = |symbol: &Symbol| spell(*symbol, First::Name, lexicon);
                let mut lists: Vec<Vec<String>> =
                    lists.iter().map(|list| list.iter().map(name).collect()).collect();
                lists.sort_unstable();
                Self::Names(lists)
            }
            Restriction::Ending(pieces) => Self::Ending(pattern(pieces)),
            Restriction::Beginning(all) => match &all[..] {
                [one] => Self::Beginning(pattern(one)),
                all => Self::Beginnings(all.iter().map(|pieces| pattern(pieces)).collect()),
            },
            Restriction::Values(name, values) => Self::Values(
                spell(*name, First::Name, lexicon),
                values.iter().map(|value| pattern(value)).collect(),
            ),
            Restriction::All(all) => {
                Self::All(all.iter().map(|only| Self::of(only, lexicon)).collect())
            }
        }
    }

    /// In the symbols of a lexicon.
    pub(crate) fn read(self, lexicon: &Lexicon) -> Result<Restriction, Wrong> {
        let pattern = |text: &str, field: &str| {
            let symbols = read(text, First::Word, lexicon).map_err(Wrong::from);
            let check = |symbols: Vec<Symbol>| check(ScopePart::Path, &symbols).map(|()| symbols);
            in_field(field, symbols.and_then(check))
        };
        Ok(match self {
            Self::Paths(paths) => Restriction::Paths(each("paths", paths, |path| {
                pattern(&path, "path").map(Into::into)
            })?),
            Self::Names(lists) => Restriction::Names(each("names", lists, |list| {
                let names = list.iter().map(|name| one(name, First::Name, lexicon));
                Ok(sorted(names.collect::<Result<Vec<_>, _>>()?).into())
            })?),
            Self::Ending(text) => Restriction::Ending(pattern(&text, "ending")?.into()),
            Self::Beginning(text) => {
                Restriction::Beginning(vec![pattern(&text, "beginning")?.into()])
            }
            Self::Beginnings(all) => Restriction::Beginning(each("beginnings", all, |text| {
                pattern(&text, "beginning").map(Into::into)
            })?),
            Self::Values(name, values) => Restriction::Values(
                one(&name, First::Name, lexicon)?,
                each("values", values, |value| pattern(&value, "value").map(Into::into))?,
            ),
            Self::All(all) => Restriction::All(each("all", all, |only| only.read(lexicon))?),
        })
    }
}
