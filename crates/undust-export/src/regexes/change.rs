//! What an edit does, as a regex with groups and what is written for it.

use undust_model::edits::edit::Edit;
use undust_model::edits::literals::Literals;
use undust_model::edits::replacement::{ANY, DROPPED, ReplacementPiece, WORD};
use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::piece::{LETTER, Match, Words, literal};
use crate::unsaid::Unsaid;

/// A part of what is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written {
    /// A group of the regex, counted from 1.
    Group(usize),
    /// A text.
    Text(String),
}

/// A regex, to stand behind lookaheads, and what is written for all that it matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Body {
    pub regex: String,
    pub written: Vec<Written>,
    /// A text without which the regex matches nothing; it is looked for first.
    pub needle: String,
}

/// What an edit does; the first that matches.
///
/// # Errors
///
/// What of it cannot be said.
pub(crate) fn bodies(
    words: &Words<'_>,
    literals: &Literals,
    edit: &Edit,
) -> Result<Vec<Body>, Unsaid> {
    match edit {
        Edit::DropKey(key) => Ok(vec![drop(&argument(words, *key)?, "(?:=[^&;]*)?")]),
        Edit::DropArgument(key, value) => {
            let value = words.pattern(&[*value], Match::Strict)?;
            Ok(vec![drop(&argument(words, *key)?, &format!("={value}(?![^&;])"))])
        }
        Edit::Replace { from, to } => Replacement { words, literals, from, to }.bodies(),
        Edit::CutValue(..) => Err(Unsaid::CutsValues),
        Edit::DropSlot(_) | Edit::DropPath => Err(Unsaid::Placeholder),
        Edit::Joint(_) => Err(Unsaid::Joint),
    }
}

/// The regex of a name.
fn argument(words: &Words<'_>, key: Symbol) -> Result<String, Unsaid> {
    let name = words.name(key).and_then(|name| literal(&name));
    name.ok_or(Unsaid::Replacement("an argument whose name is more than one word"))
}

/// Drops the one argument of this name and value. Where there are several of the name, all stay.
fn drop(name: &str, value: &str) -> Body {
    let argument = format!("{name}{value}");
    let first = format!("([^?]*)(?:\\?{argument}$|(\\?){argument}[&;](.*)$)");
    let later = format!("([^?]*\\?.*?)(?:[&;]{argument}$|([&;]){argument}[&;](.*)$)");
    Body {
        regex: format!("(?!.*[?&;]{name}(?![^=&;]).*[&;]{name}(?![^=&;]))(?:{first}|{later})"),
        written: (1..=6).map(Written::Group).collect(),
        needle: name.replace('\\', ""),
    }
}

/// A value that means the same in a path: there `+` is no space, and dots climb.
const IN_PATH: &str = "(?!\\.)(?:(?!%2F|%5C)[^&;+=/?]|/(?![/.&;]|$))+";

/// Most groups before those that hold the rest.
const MOST_GROUPS: usize = 6;

/// One text for another.
struct Replacement<'r> {
    words: &'r Words<'r>,
    literals: &'r Literals,
    from: &'r [Symbol],
    to: &'r [ReplacementPiece],
}

impl Replacement<'_> {
    fn bodies(&self) -> Result<Vec<Body>, Unsaid> {
        let mut groups = 1;
        let mut regex = format!("({})", self.before()?);
        // By piece of `from`: its group, or its text.
        let mut kept = Vec::new();
        for (place, symbol) in self.from.iter().enumerate() {
            if *symbol == EDGE {
                if place + 1 != self.from.len() {
                    return Err(Unsaid::Nowhere);
                }
                regex.push('$');
                kept.push(Written::Text(String::new()));
                continue;
            }
            let beside = [
                place.checked_sub(1).and_then(|place| self.from.get(place)).copied(),
                self.from.get(place + 1).copied(),
            ];
            let piece = self
                .words
                .piece(*symbol, beside, Match::Strict)
                .map_err(|_| Unsaid::Replacement("a text with unusual characters"))?;
            if matches!(*symbol, ANY | WORD) {
                groups += 1;
                kept.push(Written::Group(groups));
                // A piece that stays may be the end of a longer text.
                let is_kept = self.keeps(place);
                let piece = if is_kept && *symbol == WORD && !is_marked(beside) {
                    format!("{LETTER}+")
                } else {
                    piece
                };
                regex += &format!("({piece})");
            } else if Lexicon::is_argument(*symbol) {
                return Err(Unsaid::Replacement("an argument of one kind"));
            } else {
                kept.push(Written::Text(self.words.lexicon.spell(*symbol).into_owned()));
                regex += &piece;
            }
        }
        // Java and nginx read a digit behind the number of a group as a part of it, unless there are no more than nine.
        if groups > MOST_GROUPS {
            return Err(Unsaid::Replacement("more than five arguments at once"));
        }
        regex += self.boundary();
        let written = self.written(&kept)?;
        let front = |written: &[Written]| {
            [Written::Group(1)].into_iter().chain(written.iter().cloned()).collect::<Vec<_>>()
        };
        let rest = Written::Group(groups + 1);
        let needle = self.needle();
        if !self.loses_question() {
            let mut written = front(&written);
            written.push(rest);
            return Ok(vec![Body { regex: format!("{regex}(.*)$"), written, needle }]);
        }
        // The first argument that is left begins the query.
        let mut first = front(&written);
        first.push(rest.clone());
        let mut second = front(&written);
        second.extend([rest, Written::Text("?".into()), Written::Group(groups + 2)]);
        let moved = if self.moves_a_value() { IN_PATH } else { "[^&;]*" };
        Ok(vec![
            Body { regex: format!("{regex}({moved})$"), written: first, needle: needle.clone() },
            Body { regex: format!("{regex}({moved})[&;](.*)$"), written: second, needle },
        ])
    }

    /// The longest piece that is asked for by its text.
    fn needle(&self) -> String {
        let is_text =
            |symbol: &&Symbol| Lexicon::is_word(**symbol) || Lexicon::is_delimiter(**symbol);
        let texts =
            self.from.iter().filter(is_text).map(|symbol| self.words.lexicon.spell(*symbol));
        texts.max_by_key(|text| text.len()).unwrap_or_default().into_owned()
    }

    fn keeps(&self, place: usize) -> bool {
        self.to.iter().any(
            |piece| matches!(piece, ReplacementPiece::Keep(kept) if usize::from(*kept) == place),
        )
    }

    /// What stands before the first piece.
    fn before(&self) -> Result<&'static str, Unsaid> {
        let first = *self.from.first().ok_or(Unsaid::Nowhere)?;
        match first {
            ANY | WORD => Ok(".*?[/=:.,~]"),
            DROPPED => Err(Unsaid::Placeholder),
            _ if Lexicon::is_mark(first) => Err(Unsaid::Replacement("a part of a word")),
            _ if Lexicon::is_delimiter(first) => Ok(".*?"),
            _ if self.words.lexicon.is_key(first) => Ok(".*?[?&;]"),
            _ => Ok(".*?[/=:.,~]"),
        }
    }

    /// That the last piece ends where it does.
    fn boundary(&self) -> &'static str {
        match self.from.last() {
            None | Some(&EDGE) => "",
            Some(last) if Lexicon::is_delimiter(*last) => "",
            Some(last) if self.words.lexicon.is_key(*last) => "(?==)",
            Some(_) => "(?![^/?=&:.,~])",
        }
    }

    fn written(&self, kept: &[Written]) -> Result<Vec<Written>, Unsaid> {
        let of = |piece: &ReplacementPiece| match piece {
            ReplacementPiece::Literal(DROPPED, _) => Err(Unsaid::Placeholder),
            ReplacementPiece::Literal(_, number) => {
                let text = self.literals.text(*number);
                let is_plain = literal(text).is_some() && !text.contains(['$', '*', '{', '}']);
                let why = if text == "*" {
                    Unsaid::Placeholder
                } else {
                    Unsaid::Replacement("by a text with unusual characters")
                };
                if is_plain { Ok(Written::Text(text.to_owned())) } else { Err(why) }
            }
            ReplacementPiece::Keep(place) => {
                kept.get(usize::from(*place)).cloned().ok_or(Unsaid::Nowhere)
            }
            ReplacementPiece::Value(_) => Err(Unsaid::Replacement("by a value of another place")),
        };
        self.to.iter().map(of).collect()
    }

    /// Whether a value begins behind the last piece.
    fn moves_a_value(&self) -> bool {
        let last = self.from.last();
        last.is_some_and(|last| {
            Lexicon::delimiter("=") == Some(*last) || self.words.lexicon.is_key(*last)
        })
    }

    /// Whether the `?` goes, and does not come back.
    fn loses_question(&self) -> bool {
        let question = Lexicon::delimiter("?");
        let has = self.from.iter().any(|symbol| Some(*symbol) == question);
        let writes = |piece: &ReplacementPiece| match piece {
            ReplacementPiece::Literal(symbol, _) => Some(*symbol) == question,
            ReplacementPiece::Keep(place) => {
                self.from.get(usize::from(*place)).copied() == question
            }
            ReplacementPiece::Value(_) => false,
        };
        has && !self.to.iter().any(writes)
    }
}

fn is_marked(beside: [Option<Symbol>; 2]) -> bool {
    beside.into_iter().flatten().any(Lexicon::is_mark)
}
