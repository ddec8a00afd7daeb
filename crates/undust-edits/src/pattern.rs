//! Symbols as text: what models hold, for people to read and to edit.
//!
//! A pattern is spelled as a URL is: `http://a.test/story/<1234>?view=full`. In angle brackets stand the
//! kinds of arguments, `<any>` for one of any kind, and `<piece>` for whatever is no delimiter; `*` is a
//! piece that an edit dropped before, `$` the end of the URL. A bare word behind `?`, `&` or `;` is a name in the
//! query, any other is a word.
//!
//! Where that would not be read as it was meant, every word stands in braces: `{word}`, `{?name}`. There
//! a backslash goes before a `}`, a backslash, and a `?` that begins a word.

use undust_url::lexicon::{EDGE, Lexicon, Symbol, is_constant};

use super::replacement::{ANY, DROPPED, WORD};

/// What stands for any argument, and for anything but a delimiter.
const SPECIAL: [(&str, Symbol); 2] = [("any", ANY), ("piece", WORD)];

/// Delimiters of one letter that cut a word wherever they stand.
const CUTS: [char; 10] = ['/', '?', '=', '&', ';', ':', '#', '.', ',', '~'];

/// What means something else than itself.
const MARKS: [char; 7] = ['<', '>', '{', '}', '*', '$', '\\'];

/// What a pattern begins with, where that is a bare word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    Word,
    Name,
}

/// Symbols as a URL is spelled, if they are read so again; else with all words in braces.
pub(crate) fn write(symbols: &[Symbol], first: First, lexicon: &Lexicon) -> String {
    let bare = spelled(symbols, lexicon, |text, symbol| text.push_str(&lexicon.spell(symbol)));
    match read(&bare, first, lexicon) {
        Ok(again) if again == symbols => bare,
        _ => exact(symbols, lexicon),
    }
}

/// Symbols with all words in braces: no others are spelled alike.
pub(crate) fn exact(symbols: &[Symbol], lexicon: &Lexicon) -> String {
    spelled(symbols, lexicon, |text, symbol| {
        let word = lexicon.spell(symbol);
        text.push('{');
        if lexicon.is_key(symbol) {
            text.push('?');
        } else if word.starts_with('?') {
            text.push('\\');
        }
        for letter in word.chars() {
            if matches!(letter, '}' | '\\') {
                text.push('\\');
            }
            text.push(letter);
        }
        text.push('}');
    })
}

fn spelled(
    symbols: &[Symbol],
    lexicon: &Lexicon,
    mut word: impl FnMut(&mut String, Symbol),
) -> String {
    let mut text = String::new();
    for (place, symbol) in symbols.iter().copied().enumerate() {
        match symbol {
            EDGE => text.push('$'),
            DROPPED => text.push('*'),
            _ => match SPECIAL.iter().find(|(_, special)| *special == symbol) {
                Some((name, _)) => text.extend(["<", name, ">"]),
                None if Lexicon::is_delimiter(symbol) => {
                    let delimiter = lexicon.spell(symbol);
                    if is_read(&delimiter, place) {
                        text.push_str(&delimiter);
                    } else {
                        text.extend(["<", &*delimiter, ">"]);
                    }
                }
                None if Lexicon::is_argument(symbol) || is_constant(symbol) => {
                    text.push_str(&lexicon.spell(symbol));
                }
                None => word(&mut text, symbol),
            },
        }
    }
    text
}

/// Whether a delimiter is read as itself in this place: `://` is one behind the scheme alone, where it may
/// be taken for none but itself.
fn is_read(delimiter: &str, place: usize) -> bool {
    match delimiter {
        "://" => place == 1,
        ":" => place != 1,
        _ => true,
    }
}

/// The symbols of a pattern.
///
/// # Errors
///
/// What is wrong with it, and what to write.
pub(crate) fn read(text: &str, first: First, lexicon: &Lexicon) -> Result<Vec<Symbol>, String> {
    let is_name = first == First::Name;
    let mut reader = PatternReader { rest: text, is_name, symbols: Vec::new(), lexicon };
    while !reader.rest.is_empty() {
        let symbol = reader.next()?;
        reader.symbols.push(symbol);
    }
    reader.symbols.shrink_to_fit();
    Ok(reader.symbols)
}

struct PatternReader<'t> {
    rest: &'t str,
    /// Whether a bare word is a name here.
    is_name: bool,
    symbols: Vec<Symbol>,
    lexicon: &'t Lexicon,
}

impl<'t> PatternReader<'t> {
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    fn next(&mut self) -> Result<Symbol, String> {
        let is_name = std::mem::take(&mut self.is_name);
        match self.rest.chars().next().unwrap_or_default() {
            '<' => self.bracketed(),
            '{' => self.braced(),
            '*' => {
                self.take(1);
                Ok(DROPPED)
            }
            '$' => {
                self.take(1);
                Ok(EDGE)
            }
            letter @ ('>' | '}' | '\\') => Err(format!("{letter} must be inside a word in braces")),
            letter if CUTS.contains(&letter) || matches!(letter, '-' | '_') => {
                let is_scheme = self.symbols.len() == 1 && self.rest.starts_with("://");
                let delimiter = self.take(if is_scheme { 3 } else { 1 });
                self.is_name = matches!(letter, '?' | '&' | ';');
                Ok(Lexicon::delimiter(delimiter).unwrap_or(EDGE))
            }
            _ => {
                let length = self.bare();
                let word = self.take(length);
                self.word(word, is_name)
            }
        }
    }

    fn bracketed(&mut self) -> Result<Symbol, String> {
        let end = self.rest.find('>').ok_or("a < has no >")?;
        let name = &self.take(end + 1)[1..end];
        let special = SPECIAL.iter().find(|(special, _)| *special == name);
        let known = special.map(|(_, symbol)| *symbol).or_else(|| Lexicon::kind(name));
        let known = known.or_else(|| Lexicon::delimiter(name));
        known.or_else(|| self.lexicon.constants().symbol(name)).ok_or_else(|| {
            let kinds = Lexicon::kinds().join("> <");
            format!("<{name}> is not a kind of piece; there are <any> <piece> <{kinds}>")
        })
    }

    fn braced(&mut self) -> Result<Symbol, String> {
        self.take(1);
        let is_name = self.rest.starts_with('?');
        if is_name {
            self.take(1);
        }
        let (mut word, mut letters) = (String::new(), self.rest.char_indices());
        loop {
            match letters.next() {
                Some((at, '}')) => {
                    self.take(at + 1);
                    return self.word(&word, is_name);
                }
                Some((_, '\\')) => word.extend(letters.next().map(|(_, letter)| letter)),
                Some((_, letter)) => word.push(letter),
                None => return Err("a { has no }".into()),
            }
        }
    }

    /// The length of the bare word that comes next. A mark is a delimiter between a word and a number, and
    /// where the word ends.
    fn bare(&self) -> usize {
        let is_host = self.symbols.len() == 2 && Some(self.symbols[1]) == Lexicon::delimiter("://");
        let ends = |letter: char| {
            let cuts = if is_host { &['/', '?', '#'][..] } else { &CUTS };
            cuts.contains(&letter) || MARKS.contains(&letter)
        };
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        if is_host { end } else { word_length(&self.rest[..end]) }
    }

    fn word(&self, text: &str, is_name: bool) -> Result<Symbol, String> {
        let known = if is_name { self.lexicon.key(text) } else { self.lexicon.word(text) };
        let (what, list) = if is_name { ("name", "names") } else { ("word", "words") };
        known.ok_or_else(|| format!("the lexicon has no {what} {text:?}; add it to lexicon.{list}"))
    }
}

/// How long a word is that begins a text without other delimiters.
fn word_length(text: &str) -> usize {
    let is_mark = |letter: char| matches!(letter, '-' | '_');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let whole = text.trim_end_matches(is_mark);
    if let Some(at) = whole.find(is_mark).filter(|at| is_number(&whole[..*at])) {
        return at;
    }
    let last = whole.rfind(is_mark).filter(|at| is_number(&whole[at + 1..]));
    last.unwrap_or(whole.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lexicon(words: &[&str], names: &[&str]) -> Lexicon {
        let json = serde_json::json!({"words": words, "names": names});
        serde_json::from_value(json).expect("a lexicon")
    }

    fn site() -> Lexicon {
        let words = ["http", "a.test", "story", "full", "wp-content", "post", "3", "view", "a b?"];
        lexicon(&words, &["view", "id"])
    }

    #[test]
    fn patterns_are_spelled_as_urls_are() {
        let site = site();
        for text in [
            "http://a.test/story/<1234>?view=full&<word>=<any>",
            "http://a.test/wp-content/post-3/<1>_<Word>.<word>",
            "http://a.test/view?id=full:/$",
            "<piece>/*",
            "",
        ] {
            let symbols = read(text, First::Word, &site).expect(text);
            assert_eq!(write(&symbols, First::Word, &site), text);
            assert_eq!(read(&exact(&symbols, &site), First::Word, &site), Ok(symbols));
        }
        let name = read("view", First::Name, &site).expect("a name");
        assert_eq!(name, [site.key("view").expect("a name")]);
        assert_eq!(write(&name, First::Word, &site), "{?view}");
        let word = read("{a b?}", First::Word, &site).expect("a word");
        assert_eq!(write(&word, First::Word, &site), "{a b?}");
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let site = site();
        for (text, described) in [
            ("/nowhere", "the lexicon has no word \"nowhere\"; add it to lexicon.words"),
            ("?full=", "the lexicon has no name \"full\"; add it to lexicon.names"),
            ("<12345678>", "<12345678> is not a kind of piece; there are <any> <piece> <1> <12>"),
            ("/<1234", "a < has no >"),
            ("{story", "a { has no }"),
            ("{story\\", "a { has no }"),
            ("story>", "> must be inside a word in braces"),
            ("{}", "the lexicon has no word \"\""),
        ] {
            let error = read(text, First::Word, &site).expect_err(text);
            assert!(error.contains(described), "{text}: {error}");
        }
    }

    fn symbols(of: &Lexicon) -> impl Strategy<Value = Vec<Symbol>> + use<> {
        let one = prop_oneof![0..of.len() as Symbol, Just(ANY), Just(WORD), Just(DROPPED)];
        prop::collection::vec(one, 0..9)
    }

    /// Words of which each may be taken for something else.
    fn odd() -> Lexicon {
        let words = ["a", "1", "-", "a-", "a-1", "?", "}", "\\", "{a}", "<1>", "a/", "é", "$", ":"];
        lexicon(&words, &words)
    }

    proptest! {
        #[test]
        fn symbols_are_read_as_they_were_written(symbols in symbols(&odd())) {
            for first in [First::Word, First::Name] {
                let text = write(&symbols, first, &odd());
                prop_assert_eq!(read(&text, first, &odd()), Ok(symbols.clone()), "{}", text);
                let text = exact(&symbols, &odd());
                prop_assert_eq!(read(&text, first, &odd()), Ok(symbols.clone()), "{}", text);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a1:/?=&{}<>*$\\\\_é-]{0,12}") {
            if let Ok(symbols) = read(&text, First::Word, &odd()) {
                let again = write(&symbols, First::Word, &odd());
                prop_assert_eq!(read(&again, First::Word, &odd()), Ok(symbols));
            }
        }
    }
}
