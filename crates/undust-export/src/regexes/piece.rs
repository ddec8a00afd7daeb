//! Pieces of a URL as regexes that PCRE, Java and this crate's engine read alike.
//!
//! Regexes are read against the path and query of a URL. A *strict* regex matches no text that the model
//! would cut or name otherwise, though it may miss some that it would; it says where a rule holds. A
//! *loose* one misses none, and says where a rule does not hold.

use undust_url::lexicon::{EDGE, Lexicon, Symbol, is_constant};

use undust_edits::replacement::{ANY, DROPPED, WORD};

use crate::unsaid::Unsaid;

/// A letter of a piece: no delimiter but a mark.
pub(crate) const LETTER: &str = "[^/?=&:.,~]";
/// Characters that end a piece wherever they stand.
const ENDS: [char; 10] = ['/', '?', '=', '&', ';', ':', '#', '.', ',', '~'];

/// A text that stands for itself; none if a rule cannot hold it.
pub(crate) fn literal(text: &str) -> Option<String> {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '.' | '+' | '*' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' => {
                escaped.extend(['\\', letter]);
            }
            '!'..='~' if !matches!(letter, '"' | '\'' | '\\' | '#' | '|' | '<' | '>' | ';') => {
                escaped.push(letter);
            }
            _ => return None,
        }
    }
    Some(escaped)
}

/// How strictly a regex speaks of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// It matches nothing else than what is meant.
    Strict,
    /// It matches all that is meant.
    Loose,
}

/// The words of a site, as far as regexes ask for them.
#[derive(Debug)]
pub(crate) struct Words<'l> {
    pub lexicon: &'l Lexicon,
    /// Function words, which are no arguments.
    not_words: String,
    /// Those that are numbers.
    not_numbers: String,
}

impl<'l> Words<'l> {
    pub(crate) fn new(lexicon: &'l Lexicon) -> Self {
        let symbols = (0..lexicon.len() as Symbol)
            .filter(|symbol| Lexicon::is_word(*symbol) && !lexicon.is_key(*symbol));
        let words = symbols.map(|symbol| lexicon.spell(symbol).into_owned());
        let words: Vec<String> = words.filter(|word| !word.contains(ENDS)).collect();
        let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
        let list = |words: &mut dyn Iterator<Item = &String>| {
            words.filter_map(|word| literal(word)).collect::<Vec<_>>().join("|")
        };
        let not = |list: String, end: &str| match list.is_empty() {
            true => list,
            false => format!("(?!(?:{list})(?!{end}))"),
        };
        let not_words = not(list(&mut words.iter()), LETTER);
        let not_numbers = not(list(&mut words.iter().filter(is_number)), "[0-9]");
        Self { lexicon, not_words, not_numbers }
    }

    /// A piece of any text that is cut nowhere; with `is_argument`, no function word.
    fn uncut(&self, is_argument: bool) -> String {
        let not_words = if is_argument { &*self.not_words } else { "" };
        format!(
            "{not_words}(?![0-9]+[_-])(?![_-][^_-])(?!{LETTER}*[_-][0-9]+(?!{LETTER}))(?!{LETTER}*[0-9]T[0-9]){LETTER}+"
        )
    }

    /// The pattern of one symbol, next to its neighbours.
    pub(crate) fn piece(
        &self,
        symbol: Symbol,
        beside: [Option<Symbol>; 2],
        how: Match,
    ) -> Result<String, Unsaid> {
        let is_marked = is_marked(beside);
        if is_text(symbol) {
            return literal(&self.lexicon.spell(symbol))
                .ok_or(Unsaid::Place("where words have unusual characters"));
        }
        if is_constant(symbol) && !matches!(symbol, ANY | WORD | DROPPED) {
            return self.constant(symbol, how);
        }
        if how == Match::Loose && symbol != EDGE && symbol != DROPPED {
            return Ok(format!("{LETTER}+"));
        }
        match symbol {
            ANY if is_marked => Ok(format!("{}[0-9]+", self.not_numbers)),
            WORD if is_marked => Ok("[0-9]+".into()),
            ANY => Ok(self.uncut(true)),
            WORD => Ok(self.uncut(false)),
            _ if Lexicon::is_argument(symbol) => self.kind(symbol, is_marked),
            _ => Err(Unsaid::Place("where another edit left a placeholder")),
        }
    }

    /// An argument of one text. Formats differ in how a text is written, which no regex here says.
    fn constant(&self, symbol: Symbol, how: Match) -> Result<String, Unsaid> {
        let spelled = self.lexicon.spell(symbol);
        let text = spelled.strip_prefix("<=").and_then(|text| text.strip_suffix('>'));
        match (text.and_then(literal), how) {
            (Some(text), _) => Ok(text),
            (None, Match::Loose) => Ok(format!("{LETTER}+")),
            (None, Match::Strict) => Err(Unsaid::Place("where arguments have one format")),
        }
    }

    fn kind(&self, symbol: Symbol, is_marked: bool) -> Result<String, Unsaid> {
        let name = self.lexicon.spell(symbol);
        let not = &self.not_numbers;
        let number = match &*name {
            "<1>" => "[0-9]",
            "<12>" => "[0-9]{2}",
            "<123>" => "[0-9]{3}",
            "<1234>" => "[0-9]{4}",
            "<12345>" => "[0-9]{5,6}",
            "<1234567>" => "[0-9]{7,}",
            _ => "",
        };
        if !number.is_empty() {
            let end = if is_marked { "(?![0-9])".to_owned() } else { format!("(?!{LETTER})") };
            return Ok(format!("{not}{number}{end}"));
        }
        let first = match &*name {
            "<Word>" => "[A-Z]",
            "<word>" => "[a-z]",
            _ => return Err(Unsaid::Place("where arguments are of one kind")),
        };
        if is_marked {
            return Err(Unsaid::Place("where arguments are parts of a word"));
        }
        let rest = self.uncut(true);
        Ok(format!("(?!{LETTER}*%)(?![0-9A-Fa-f]{{8,}}(?!{LETTER}))(?={first}){rest}"))
    }

    /// A regex for all that several symbols may stand for. Marks are letters of pieces: between two delimiters all from
    /// the first piece that is no text to the last is one repetition, for several would share what they repeat.
    pub(crate) fn loosely(&self, symbols: &[Symbol]) -> String {
        let text = |symbol: &Symbol| {
            let text = self.piece(*symbol, [None; 2], Match::Loose).ok();
            text.filter(|text| !text.contains(LETTER))
        };
        let mut regex = String::new();
        for run in symbols.chunk_by(|a, b| !is_end(*a) && !is_end(*b)) {
            let texts: Vec<Option<String>> = run.iter().map(text).collect();
            let begins = texts.iter().take_while(|text| text.is_some()).count();
            let ends = texts[begins..].iter().rev().take_while(|text| text.is_some()).count();
            regex.extend(texts[..begins].iter().flatten().map(String::as_str));
            if begins + ends < texts.len() {
                regex += &format!("{LETTER}+");
            }
            regex.extend(texts[texts.len() - ends..].iter().flatten().map(String::as_str));
        }
        regex
    }

    /// The same, where it is looked for anywhere: of a piece at the beginning its last letter is enough.
    pub(crate) fn loosely_anywhere(&self, symbols: &[Symbol]) -> String {
        let text = self.loosely(symbols);
        let rest = text.strip_prefix(LETTER).and_then(|rest| rest.strip_prefix('+'));
        rest.map(|rest| format!("{LETTER}{rest}")).unwrap_or(text)
    }

    /// The pattern of several symbols.
    pub(crate) fn pattern(&self, symbols: &[Symbol], how: Match) -> Result<String, Unsaid> {
        let mut text = String::new();
        for (place, symbol) in symbols.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|place| symbols.get(place));
            let beside = [before.copied(), symbols.get(place + 1).copied()];
            text.push_str(&self.piece(*symbol, beside, how)?);
        }
        Ok(text)
    }

    /// [`Self::name`] as a regex.
    pub(crate) fn name_regex(&self, symbol: Symbol) -> Option<String> {
        literal(&self.name(symbol)?)
    }

    /// The text of a name in the query, if arguments of this name are cut nowhere else.
    pub(crate) fn name(&self, symbol: Symbol) -> Option<String> {
        let name = self.lexicon.spell(symbol);
        (self.lexicon.is_key(symbol) && is_simple_name(&name)).then(|| name.into_owned())
    }
}

/// Whether a symbol stands for one text.
pub(crate) fn is_text(symbol: Symbol) -> bool {
    Lexicon::is_word(symbol) || Lexicon::is_delimiter(symbol)
}

/// Whether a mark stands next to a piece.
pub(super) fn is_marked(beside: [Option<Symbol>; 2]) -> bool {
    beside.into_iter().flatten().any(Lexicon::is_mark)
}

/// Whether a symbol is a delimiter that no piece contains.
fn is_end(symbol: Symbol) -> bool {
    Lexicon::is_delimiter(symbol) && !Lexicon::is_mark(symbol)
}

/// Whether a name is one piece in any argument: it begins with a letter, and no number hangs on a mark.
pub(crate) fn is_simple_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'%');
    let after_mark = name.rfind(['-', '_']).map(|mark| &name[mark + 1..]);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.bytes().all(is_letter)
        && name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && !after_mark.is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_cut_are_not_simple() {
        for (name, is_simple) in [
            ("sid", true),
            ("utm_source", true),
            ("id2", true),
            ("a_2", false),
            ("_facet", false),
            ("a.b", false),
        ] {
            assert_eq!(is_simple_name(name), is_simple, "{name}");
        }
    }

    #[test]
    fn a_literal_stands_for_itself() {
        assert_eq!(literal("a.b(c)").as_deref(), Some("a\\.b\\(c\\)"));
        assert_eq!(literal("ö"), None);
        assert_eq!(literal("a\"b"), None);
    }
}
