//! Programs: forms in the making, as functions of the pieces of a URL.

use smallvec::SmallVec;
use undust_url::lexicon::{Lexicon, STAR_KIND, Symbol};

/// Longest URL in pieces that is edited.
pub const MOST_PIECES: usize = 64;

/// The pieces before a path: scheme, `://`, host, and the first `/`.
pub const FRONT: usize = 4;

/// A piece of a form in the making.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell {
    /// What it is.
    pub symbol: Symbol,
    /// Where its text is from.
    pub text: TextSource,
    /// Whether it is a [value that is known](super::known_values) to name one page.
    pub known: bool,
    /// The number of its text among the [constants](undust_url::lexicon::Constants) that the model distinguishes;
    /// zero for any other.
    pub constant: u32,
}

impl Cell {
    /// A piece that is neither a known value nor a constant.
    pub fn new(symbol: Symbol, text: TextSource) -> Self {
        Self { symbol, text, known: false, constant: 0 }
    }
}

/// Where the text of a piece is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextSource {
    /// The piece of the URL at this place.
    Source(u16),
    /// A literal, by its number in [`Literals`](super::literals::Literals).
    Literal(u16),
}

/// The literal that stands for a dropped piece of a path.
pub const STAR: u16 = 0;

/// A dropped piece, which is what a `*` is when the form is read again.
pub(super) const STARRED: Cell =
    Cell { symbol: STAR_KIND, text: TextSource::Literal(STAR), known: false, constant: 0 };

/// The literal that begins a query which lost its own.
pub(crate) const QUESTION: u16 = 1;

/// A form as a function of a URL's pieces.
pub type Program = Vec<Cell>;

/// The symbols of a program.
pub fn symbols(program: &[Cell]) -> Box<[Symbol]> {
    program.iter().map(|cell| cell.symbol).collect()
}

/// The program that copies a shape of this many pieces.
pub fn copy(shape: &[Symbol]) -> Program {
    let cell = |(place, symbol): (usize, &Symbol)| {
        let Unmarked { symbol, known, constant } = unmarked(*symbol);
        Cell { symbol, text: TextSource::Source(place as u16), known, constant }
    };
    shape.iter().enumerate().map(cell).collect()
}

/// The bit of a symbol of a shape whose value is known.
const KNOWN: Symbol = 1 << 31;

/// The bit of a symbol whose text is a constant, and the bits of its number above those of the kind.
const CONSTANT: Symbol = 1 << 30;
const NUMBER: u32 = 8;
const KIND: Symbol = (1 << NUMBER) - 1;

/// A symbol of a shape without its marks, and what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unmarked {
    /// The symbol as a lexicon has it.
    pub symbol: Symbol,
    /// Whether its value is known.
    pub known: bool,
    /// The number of its constant, or zero.
    pub constant: u32,
}

/// A symbol of a shape without its marks.
pub fn unmarked(symbol: Symbol) -> Unmarked {
    let known = symbol & KNOWN != 0;
    let symbol = symbol & !KNOWN;
    if symbol & CONSTANT == 0 {
        return Unmarked { symbol, known, constant: 0 };
    }
    Unmarked { symbol: symbol & KIND, known, constant: (symbol & !CONSTANT) >> NUMBER }
}

/// A cell's symbol as a shape has it. Only arguments, whose symbols are small, can be constants.
pub fn marked(Unmarked { symbol, known, constant }: Unmarked) -> Symbol {
    let known = if known { KNOWN } else { 0 };
    let is_constant = constant > 0 && Lexicon::is_argument(symbol) && constant < CONSTANT >> NUMBER;
    let constant = if is_constant { CONSTANT | constant << NUMBER } else { 0 };
    symbol | known | constant
}

/// The delimiters that edits look for.
#[derive(Debug, Clone, Copy)]
pub struct QueryDelimiters {
    /// `?`
    pub question: Symbol,
    /// `&`
    pub and: Symbol,
    /// `;`
    pub semicolon: Symbol,
    /// `=`
    pub equals: Symbol,
    /// `#`
    pub hash: Symbol,
}

/// The symbols of these delimiters, which are the same in every lexicon.
pub const DELIMITERS: QueryDelimiters = {
    const fn symbol(delimiter: &str) -> Symbol {
        Lexicon::delimiter(delimiter).expect("a delimiter")
    }
    QueryDelimiters {
        question: symbol("?"),
        and: symbol("&"),
        semicolon: symbol(";"),
        equals: symbol("="),
        hash: symbol("#"),
    }
};

/// Where the path ends: at the query, the fragment, or the end.
pub fn path_end(program: &[Cell]) -> usize {
    let ends = |cell: &Cell| cell.symbol == DELIMITERS.question || cell.symbol == DELIMITERS.hash;
    program.iter().position(ends).unwrap_or(program.len())
}

/// The arguments of the query: the place of each name, and the place after its value.
pub fn arguments(program: &[Cell]) -> SmallVec<[(usize, usize); 8]> {
    let Some(question) = program.iter().position(|cell| cell.symbol == DELIMITERS.question) else {
        return SmallVec::new();
    };
    let end = program[question..].iter().position(|cell| cell.symbol == DELIMITERS.hash);
    let end = end.map_or(program.len(), |at| question + at);
    let (mut found, mut start) = (SmallVec::new(), question + 1);
    for place in question + 1..=end {
        let symbol = program.get(place).map(|cell| cell.symbol);
        if place == end || symbol == Some(DELIMITERS.and) || symbol == Some(DELIMITERS.semicolon) {
            found.push((start, place));
            start = place + 1;
        }
    }
    found
}
