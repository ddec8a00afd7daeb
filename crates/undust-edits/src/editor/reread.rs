//! How a form is read again: found out of a program, for all URLs of its shape.

use undust_url::lexicon::{Lexicon, Symbol};
use undust_url::pieces::pieces;

use crate::known_values::KnownValueMarks;
use crate::literals::Literals;
use crate::program::{Cell, TextSource, Unmarked, arguments, copy, marked};

/// What determines how the forms of programs are read.
pub(super) struct Rereading<'e> {
    pub lexicon: &'e Lexicon,
    pub literals: &'e Literals,
    pub marks: &'e KnownValueMarks,
}

impl Rereading<'_> {
    /// The shape of the form that a program writes, if it is the same whatever the arguments. Forms have several
    /// where pieces come to stand side by side, which could become one, and where a word is cut at
    /// `-` or `_`: that depends on its text, and on marks that the form no longer has.
    pub(super) fn shape(&self, shape: &[Symbol], program: &[Cell]) -> Option<Vec<Symbol>> {
        let symbols: Vec<Symbol> = program.iter().map(|cell| self.symbol(cell)).collect();
        let as_read = |(symbol, cell): (&Symbol, &Cell)| {
            let (symbol, known, constant) = (*symbol, cell.known, self.constant(cell));
            marked(Unmarked { symbol, known, constant })
        };
        let as_read: Vec<Symbol> = symbols.iter().zip(program).map(as_read).collect();
        let is_apart = |(at, pair): (usize, &[Symbol])| {
            pair.iter().any(|symbol| Lexicon::is_delimiter(*symbol))
                || follows(&program[at], &program[at + 1])
        };
        let apart = symbols.windows(2).enumerate().all(is_apart);
        let is_determined = apart
            && !is_torn(shape, program)
            && !symbols.iter().any(|symbol| Lexicon::is_mark(*symbol))
            && self.same_parts(program)
            && self.marks.hold_for(&copy(shape), program);
        is_determined.then_some(as_read)
    }

    /// The symbol that a piece of a form has when the form is read.
    fn symbol(&self, cell: &Cell) -> Symbol {
        match cell.text {
            TextSource::Source(_) => cell.symbol,
            TextSource::Literal(number) => {
                let text = self.literals.text(number);
                pieces(text).next().map_or(cell.symbol, |piece| self.lexicon.symbol(piece))
            }
        }
    }

    /// The constant that it is then.
    fn constant(&self, cell: &Cell) -> u32 {
        match cell.text {
            TextSource::Source(_) => cell.constant,
            TextSource::Literal(number) => {
                // Of a function word, `marked` asks for none.
                self.lexicon.constants().number(self.literals.text(number))
            }
        }
    }

    /// Whether the pieces of a form stand in the same part of the URL as they did: a word of the
    /// path and a name in the query are not the same though they be spelled alike.
    fn same_parts(&self, program: &[Cell]) -> bool {
        let names: Vec<usize> = arguments(program).into_iter().map(|(start, _)| start).collect();
        program.iter().enumerate().all(|(place, cell)| {
            self.lexicon.is_key(cell.symbol) == names.contains(&place)
                || !Lexicon::is_word(cell.symbol) && !names.contains(&place)
        })
    }
}

/// Whether two pieces of a form stood side by side in the URL.
fn follows(first: &Cell, second: &Cell) -> bool {
    matches!((first.text, second.text), (TextSource::Source(a), TextSource::Source(b)) if Some(b) == a.checked_add(1))
}

/// Whether a form has a word without the piece that it was joined to and distinguished by:
/// `post-2024` is one piece of `post-2024-12`. A number is one piece anyway.
fn is_torn(shape: &[Symbol], program: &[Cell]) -> bool {
    let joins = |place: usize| {
        let symbol = shape.get(place);
        symbol.is_some_and(|one| !Lexicon::is_delimiter(*one) || Lexicon::is_mark(*one))
    };
    program.iter().enumerate().any(|(at, cell)| {
        let TextSource::Source(place) = cell.text else { return false };
        let is_whole = program.get(at + 1).is_some_and(|next| follows(cell, next));
        !Lexicon::is_delimiter(cell.symbol)
            && !Lexicon::is_number(cell.symbol)
            && !is_whole
            && joins(usize::from(place) + 1)
    })
}
