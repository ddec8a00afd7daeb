//! Templates: the tokens of a URL without its arguments.
//!
//! A token is a *function token* if many URLs of the site contain it, else an *argument* (Xu,
//! Liu, Callan, SIGIR 2017, section 2.1). Replacing each argument by its number leaves a
//! sequence over a small vocabulary, the same for thousands of URLs.

use rustc_hash::FxHashMap;

use super::frequency::{DfMode, DocumentFrequencies, FunctionRule};
use super::text_index::TextIndex;
use super::tokens::{Delimiters, Joiner, Role, Token};

/// A member of a site's vocabulary; an index into [`Vocabulary`].
pub type TemplateSymbol = u32;

/// Pads short sequences of a batch.
pub const PAD: TemplateSymbol = 0;
/// Starts the decoder.
pub const GO: TemplateSymbol = 1;
/// Ends a target.
pub const EOS: TemplateSymbol = 2;
/// An argument beyond the last placeholder.
pub const UNK: TemplateSymbol = 3;
/// Number of placeholders. A URL with more arguments is not translated.
pub const ARGUMENTS: usize = 32;

const FIRST_ARGUMENT: TemplateSymbol = 4;
const FIRST_TEXT: TemplateSymbol = FIRST_ARGUMENT + ARGUMENTS as TemplateSymbol;

/// What a symbol of the vocabulary stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meaning {
    Special,
    Argument(usize),
    Delimiter,
    Word,
}

/// The vocabulary of a site: special symbols, placeholders, delimiters, function tokens, and
/// literals, which occur in targets only.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    delimiters: Delimiters,
    mode: DfMode,
    /// The spelling of each symbol in `tokenizer.json`, by symbol.
    spellings: Vec<String>,
    meanings: Vec<Meaning>,
    words: TextIndex,
    keys: TextIndex,
    bytes: [TemplateSymbol; 128],
    literals: FxHashMap<String, TemplateSymbol>,
}

/// Marks a name in the query in [`DfMode::Typed`]: no word contains this delimiter.
const KEY_MARK: char = '?';

impl Vocabulary {
    /// The vocabulary of a site by its document frequencies, without literals (see
    /// [`Vocabulary::add_literal`]). Function tokens are sorted, so the same crawl gives the
    /// same symbols.
    pub fn learn(df: &DocumentFrequencies<'_>, rule: &FunctionRule) -> Self {
        let (delimiters, mode) = df.cut();
        let mut vocabulary = Self::empty(delimiters, mode);
        for (text, key) in df.functions(rule) {
            vocabulary.add_function(text, key);
        }
        vocabulary
    }

    /// Special symbols, placeholders and delimiters only.
    fn empty(delimiters: Delimiters, mode: DfMode) -> Self {
        let mut vocabulary = Self {
            delimiters,
            mode,
            spellings: Vec::new(),
            meanings: Vec::new(),
            words: TextIndex::default(),
            keys: TextIndex::default(),
            bytes: [UNK; 128],
            literals: FxHashMap::default(),
        };
        for special in ["[PAD]", "[GO]", "[EOS]", "[UNK]"] {
            vocabulary.push(special.to_owned(), Meaning::Special);
        }
        for number in 1..=ARGUMENTS {
            vocabulary.push(format!("arg{number}"), Meaning::Argument(number));
        }
        for byte in (0..128u8).filter(|byte| delimiters.contains(*byte)) {
            vocabulary.bytes[usize::from(byte)] =
                vocabulary.push(char::from(byte).to_string(), Meaning::Delimiter);
        }
        vocabulary
    }

    fn push(&mut self, spelling: String, meaning: Meaning) -> TemplateSymbol {
        self.spellings.push(spelling);
        self.meanings.push(meaning);
        (self.spellings.len() - 1) as TemplateSymbol
    }

    /// Adds a function token. A text that could be confused with another symbol, or that
    /// `tokenizer.json` cannot represent as one word, stays an argument.
    fn add_function(&mut self, text: &str, key: bool) {
        if self.is_reserved(text) {
            return;
        }
        let spelling = if key { format!("{KEY_MARK}{text}") } else { text.to_owned() };
        let symbol = self.push(spelling, Meaning::Word);
        let index = if key { &mut self.keys } else { &mut self.words };
        index.insert(text, symbol);
    }

    fn is_reserved(&self, text: &str) -> bool {
        let first = &self.spellings[..FIRST_TEXT as usize];
        text.contains(char::is_whitespace)
            || self.delimiters.is_delimiter(text)
            || text.starts_with(KEY_MARK)
            || first.iter().any(|spelling| spelling == text)
    }

    /// The symbol of a word that occurs in targets and not in sources, such as a constant page
    /// that many URLs redirect to. Adds it if it is new. None if the text cannot be a symbol.
    pub fn add_literal(&mut self, text: &str) -> Option<TemplateSymbol> {
        if let Some(symbol) = self.literal(text) {
            return Some(symbol);
        }
        if self.is_reserved(text) {
            return None;
        }
        let symbol = self.push(text.to_owned(), Meaning::Word);
        self.literals.insert(text.to_owned(), symbol);
        Some(symbol)
    }

    /// The symbol of a word that a target may contain.
    pub fn literal(&self, text: &str) -> Option<TemplateSymbol> {
        self.words.get(text).or_else(|| self.literals.get(text).copied())
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Always false: every vocabulary has the special symbols.
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }

    /// Number of literals, which are the last symbols.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    /// The delimiters that its tokens were cut at.
    pub fn delimiters(&self) -> Delimiters {
        self.delimiters
    }

    /// Whether names in the query are kept apart from words.
    pub fn mode(&self) -> DfMode {
        self.mode
    }

    /// Every symbol's spelling, by symbol.
    pub fn spellings(&self) -> &[String] {
        &self.spellings
    }

    /// The symbol of placeholder `number`, from 1; [`UNK`] beyond the last.
    pub fn argument(number: usize) -> TemplateSymbol {
        if (1..=ARGUMENTS).contains(&number) {
            FIRST_ARGUMENT + number as TemplateSymbol - 1
        } else {
            UNK
        }
    }

    /// The number of a placeholder, from 1; none for any other symbol.
    pub fn argument_number(symbol: TemplateSymbol) -> Option<usize> {
        (FIRST_ARGUMENT..FIRST_TEXT)
            .contains(&symbol)
            .then(|| (symbol - FIRST_ARGUMENT) as usize + 1)
    }

    /// The symbol of a function token or delimiter; none for an argument.
    pub fn function(&self, token: Token<'_>) -> Option<TemplateSymbol> {
        match token.role {
            Role::Delimiter => Some(self.bytes[usize::from(token.text.as_bytes()[0] & 127)]),
            Role::Key if self.mode == DfMode::Typed => self.keys.get(token.text),
            _ => self.words.get(token.text),
        }
    }

    /// Reads `url` into a template and its arguments; see [`Reading`].
    pub fn read<'u>(&self, url: &'u str, reading: &mut Reading<'u>) {
        reading.template.clear();
        reading.arguments.clear();
        for token in self.delimiters.tokens(url) {
            let symbol = self.function(token).unwrap_or_else(|| {
                reading.arguments.push(token.text);
                Self::argument(reading.arguments.len())
            });
            reading.template.push(symbol);
        }
    }

    /// Writes a target template as a URL, with the arguments of its source. None if it contains
    /// a special symbol, or an argument that the source lacks.
    pub fn write(&self, template: &[TemplateSymbol], arguments: &[&str]) -> Option<String> {
        let mut joiner = Joiner::default();
        for symbol in template {
            match self.meanings.get(*symbol as usize)? {
                Meaning::Special => return None,
                Meaning::Argument(number) => joiner.push(arguments.get(number - 1)?, false),
                Meaning::Delimiter => joiner.push(&self.spellings[*symbol as usize], true),
                Meaning::Word => joiner.push(self.text(*symbol), false),
            }
        }
        Some(joiner.finish())
    }

    /// The text that a symbol adds to a URL.
    fn text(&self, symbol: TemplateSymbol) -> &str {
        let spelling = &self.spellings[symbol as usize];
        match self.meanings[symbol as usize] {
            Meaning::Word => spelling.strip_prefix(KEY_MARK).unwrap_or(spelling),
            _ => spelling,
        }
    }

    /// The vocabulary with these spellings; the last `literals` ones are literals. None if
    /// no vocabulary has them.
    pub fn from_spellings(
        spellings: &[String],
        literals: usize,
        delimiters: Delimiters,
        mode: DfMode,
    ) -> Option<Self> {
        let mut vocabulary = Self::empty(delimiters, mode);
        let rest = spellings.strip_prefix(vocabulary.spellings.as_slice())?;
        let functions = rest.len().checked_sub(literals)?;
        for (index, spelling) in rest.iter().enumerate() {
            let before = vocabulary.len();
            match spelling.strip_prefix(KEY_MARK) {
                _ if index >= functions => {
                    vocabulary.add_literal(spelling);
                }
                Some(key) => vocabulary.add_function(key, true),
                None => vocabulary.add_function(spelling, false),
            }
            if vocabulary.len() == before {
                return None;
            }
        }
        Some(vocabulary)
    }
}

/// A URL as a template and its arguments, from the left. Reused for the next URL, so that
/// reading a long queue does not allocate for each URL.
#[derive(Debug, Default, Clone)]
pub struct Reading<'u> {
    /// Function tokens, delimiters and placeholders.
    pub template: Vec<TemplateSymbol>,
    /// `arguments[n - 1]` is the text of placeholder `n`.
    pub arguments: Vec<&'u str>,
}

#[cfg(test)]
mod tests;
