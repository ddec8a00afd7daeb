//! What an edit does, as a regex with groups and what is written for it.

use undust_edits::edit::Edit;
use undust_edits::literals::Literals;
use undust_edits::replacement::{ANY, DROPPED, ReplacementPiece, WORD};
use undust_url::lexicon::{EDGE, Lexicon, Symbol};

use super::piece::{LETTER, Match, Words, is_marked, is_text, literal};
use crate::unsaid::Unsaid;

/// A part of what is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written {
    /// A group of the regex, counted from 1.
    Group(usize),
    /// A text.
    Text(String),
}

/// What is written, with these groups.
pub(crate) fn written<T: AsRef<str>>(parts: &[Written], group: impl Fn(usize) -> T) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Written::Group(number) => text += group(*number).as_ref(),
            Written::Text(part) => text += part,
        }
    }
    text
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
            let value = words.pattern(value, Match::Strict)?;
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
    let odd = Unsaid::Replacement("an argument whose name is more than one word");
    words.name_regex(key).ok_or(odd)
}

/// Drops the one argument of this name and value. A value that begins with `?` is another query to the model.
fn drop(name: &str, value: &str) -> Body {
    let argument = format!("{name}(?!=\\?){value}");
    Body {
        regex: format!(
            "/(?:([^?]*)\\?{argument}$|([^?]*\\?.*)[&;]{argument}$|([^?]*\\?(?:.*[&;])?){argument}[&;](.*)$)"
        ),
        written: std::iter::once(slash()).chain((1..=4).map(Written::Group)).collect(),
        needle: name.replace('\\', ""),
    }
}

/// What every address begins with. It is no part of what an edit replaces: without it a value would be a part of the
/// host, and with two of them its name.
fn slash() -> Written {
    Written::Text("/".into())
}

/// That no argument of this name has a value that would mean something else in a path, or be refused there: a path has
/// no empty segment and none of dots, and `+` is no space in it.
pub(crate) fn fits_in_a_path(name: &str) -> String {
    let unfit = "[./&;]|$|[^&;]*(?:[+=]|%2F|%5C|/[/.&;]|/$)";
    format!("(?!.*[?&;]{name}(?:[&;]|$|=(?:{unfit})))")
}

/// The names of arguments that an edit asks for, as regexes.
pub(super) fn names(words: &Words<'_>, edit: &Edit) -> Vec<String> {
    let name = |key: &Symbol| words.name_regex(*key);
    match edit {
        Edit::DropKey(key) | Edit::DropArgument(key, _) | Edit::CutValue(key, _) => {
            name(key).into_iter().collect()
        }
        Edit::Replace { from, .. } => from.iter().filter_map(name).collect(),
        Edit::Joint(edits) => edits.iter().flat_map(|edit| names(words, edit)).collect(),
        Edit::DropSlot(_) | Edit::DropPath => Vec::new(),
    }
}

/// What an edit replaces by no slash though it begins with one, loosely: as the beginning of a path it would leave none.
pub(super) fn first_slash(words: &Words<'_>, literals: &Literals, edit: &Edit) -> Option<String> {
    let Edit::Replace { from, to } = edit else { return None };
    let replacement = Replacement { words, literals, from, to };
    let has_slash = from.first().copied() == Lexicon::delimiter("/");
    (has_slash && !replacement.keeps_slash()).then(|| replacement.loosely())
}

/// The name of the argument whose value an edit moves into the path, as a regex.
pub(crate) fn moved_name(words: &Words<'_>, literals: &Literals, edit: &Edit) -> Option<String> {
    let Edit::Replace { from, to } = edit else { return None };
    if !(Replacement { words, literals, from, to }).loses_question() {
        return None;
    }
    let [.., key, last] = &from[..] else { return None };
    let key = if Lexicon::delimiter("=") == Some(*last) { key } else { last };
    words.name_regex(*key)
}

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
        let skipped = usize::from(self.keeps_slash());
        let (mut groups, mut pieces) = (1, String::new());
        // By piece of `from`: its group, or its text.
        let mut kept = vec![slash(); skipped];
        for place in skipped..self.from.len() {
            let (piece, is_group) = self.piece(place)?;
            pieces += &piece;
            groups += usize::from(is_group);
            kept.push(match is_group {
                true => Written::Group(groups),
                false => Written::Text(self.text(place)),
            });
        }
        // Java and nginx read a digit behind the number of a group as a part of it, unless there are no more than nine.
        if groups > MOST_GROUPS {
            return Err(Unsaid::Replacement("more than five arguments at once"));
        }
        let written = self.written(&kept)?.split_off(skipped);
        let before = if skipped > 0 { "(.*?)(?<=/)".into() } else { self.before(&written)? };
        let (once, boundary, rest) = (self.once(), self.boundary(), self.rest(&written));
        let regex = format!("{once}/{before}{pieces}{boundary}{rest}");
        let front = |written: &[Written]| {
            let front = [slash(), Written::Group(1)].into_iter();
            front.chain(written.iter().cloned()).collect::<Vec<_>>()
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
        Ok(vec![
            Body { regex: format!("{regex}([^&;]*)$"), written: first, needle: needle.clone() },
            Body { regex: format!("{regex}([^&;]*)[&;](.*)$"), written: second, needle },
        ])
    }

    /// The regex of a piece of `from`, and whether it is a group.
    fn piece(&self, place: usize) -> Result<(String, bool), Unsaid> {
        let symbol = self.from[place];
        if symbol == EDGE {
            let is_last = place + 1 == self.from.len();
            return is_last.then(|| ("$".into(), false)).ok_or(Unsaid::Nowhere);
        }
        if Lexicon::is_argument(symbol) {
            return Err(Unsaid::Replacement("an argument of one kind"));
        }
        let beside = [
            place.checked_sub(1).and_then(|place| self.from.get(place)).copied(),
            self.from.get(place + 1).copied(),
        ];
        let piece = self
            .words
            .piece(symbol, beside, Match::Strict)
            .map_err(|_| Unsaid::Replacement("a text with unusual characters"))?;
        if !matches!(symbol, ANY | WORD) {
            return Ok((piece, false));
        }
        // A piece that stays may be the end of a longer text.
        let may_be_longer = symbol == WORD && self.keeps(place) && !is_marked(beside);
        let piece = if may_be_longer { format!("{LETTER}+") } else { piece };
        Ok((format!("({piece})"), true))
    }

    /// What a piece of `from` stands for, where it is one text.
    fn text(&self, place: usize) -> String {
        match self.from[place] {
            EDGE => String::new(),
            symbol => self.words.lexicon.spell(symbol).into_owned(),
        }
    }

    /// Whether `/` is replaced by itself, at the beginning.
    fn keeps_slash(&self) -> bool {
        let slash = Lexicon::delimiter("/");
        let is_written = match self.to.first() {
            Some(ReplacementPiece::Keep(place)) => *place == 0,
            Some(ReplacementPiece::Literal(symbol, _)) => Some(*symbol) == slash,
            _ => false,
        };
        is_written && self.from.first().copied() == slash
    }

    /// That what is replaced comes but once: the model would replace it in each place.
    fn once(&self) -> String {
        if self.from.last() == Some(&EDGE) {
            return String::new();
        }
        let from = self.loosely();
        format!("(?!.*?(?={from}).+{from})")
    }

    /// All that may be replaced, wherever it stands.
    fn loosely(&self) -> String {
        let is_delimiter =
            |symbol: Option<&Symbol>| symbol.is_some_and(|one| Lexicon::is_delimiter(*one));
        let begins = if is_delimiter(self.from.first()) { "" } else { "(?<=[/?=&;:.,~_-])" };
        let (from, ends) = match self.from {
            [from @ .., EDGE] => (from, "$"),
            from if is_delimiter(from.last()) => (from, ""),
            from => (from, "(?![^/?=&;:.,~_-])"),
        };
        format!("{begins}{}{ends}", self.words.loosely(from))
    }

    /// What the rest may not be. Nothing may make the first slash the beginning of a host, and `+` is a space once it
    /// stands in a query.
    fn rest(&self, written: &[Written]) -> String {
        let (slash, question) = (Lexicon::delimiter("/"), Lexicon::delimiter("?"));
        let has_slash = self.from.first().copied() == slash;
        let has_question = self.from.iter().any(|symbol| Some(*symbol) == question);
        let begins_query =
            |part: &Written| matches!(part, Written::Text(text) if text.contains('?'));
        let no_slash = if written.is_empty() && !has_slash { "(?!/)" } else { "" };
        let no_plus =
            if !has_question && written.iter().any(begins_query) { "(?!.*[+])" } else { "" };
        format!("{no_slash}{no_plus}")
    }

    /// The longest piece that is asked for by its text.
    fn needle(&self) -> String {
        let texts = self.from.iter().filter(|symbol| is_text(**symbol));
        let texts = texts.map(|symbol| self.words.lexicon.spell(*symbol));
        texts.max_by_key(|text| text.len()).unwrap_or_default().into_owned()
    }

    fn keeps(&self, place: usize) -> bool {
        self.to.iter().any(
            |piece| matches!(piece, ReplacementPiece::Keep(kept) if usize::from(*kept) == place),
        )
    }

    /// What stands before the first piece, where this is written.
    fn before(&self, written: &[Written]) -> Result<String, Unsaid> {
        let first = *self.from.first().ok_or(Unsaid::Nowhere)?;
        if first == DROPPED {
            return Err(Unsaid::Placeholder);
        }
        // A slash that is replaced is not the first of the address.
        if Some(first) == Lexicon::delimiter("/") {
            return Ok("(.+?)".into());
        }
        if Lexicon::is_mark(first) {
            return Err(Unsaid::Replacement("a part of a word"));
        }
        let begins = match first {
            _ if Lexicon::is_delimiter(first) => "",
            _ if self.words.lexicon.is_key(first) => "(?<=[?&;])",
            _ => "(?<=[/=:.,~])",
        };
        let writes_slash =
            matches!(written.first(), Some(Written::Text(text)) if text.starts_with('/'));
        let no_slash = if writes_slash { "(?<!/)" } else { "" };
        Ok(format!("(.*?){begins}{no_slash}"))
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
