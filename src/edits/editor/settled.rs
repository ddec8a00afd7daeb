//! Whether a form is its own form: told of a program, for all URLs of its shape.

use super::Editor;
use crate::edits::edit::{Cell, Text, arguments, copy};
use crate::edits::marks::marked;
use crate::url::lexicon::{Lexicon, Symbol};
use crate::url::pieces::pieces;

impl Editor {
    /// Whether a form that a program writes stays as it is, whatever the arguments. Pieces that
    /// come to stand side by side could become one, and cuts at `-` and `_` depend on more than
    /// kinds: such forms are read again.
    pub(super) fn is_settled(&self, shape: &[Symbol], program: &[Cell]) -> bool {
        let symbols: Vec<Symbol> = program.iter().map(|cell| self.symbol(cell)).collect();
        let as_read = |(symbol, cell): (&Symbol, &Cell)| marked(*symbol, cell.known);
        let as_read: Vec<Symbol> = symbols.iter().zip(program).map(as_read).collect();
        let marks = ["-", "_"].map(Lexicon::delimiter);
        let apart = symbols
            .windows(2)
            .all(|pair| Lexicon::is_delimiter(pair[0]) || Lexicon::is_delimiter(pair[1]));
        apart
            && !symbols.iter().any(|symbol| marks.contains(&Some(*symbol)))
            && self.same_parts(program)
            && self.marks.hold_for(&copy(shape), program)
            && self.program(&as_read).0.is_none()
    }

    /// The symbol that a piece of a form has when the form is read.
    fn symbol(&self, cell: &Cell) -> Symbol {
        match cell.text {
            Text::Source(_) => cell.symbol,
            Text::Literal(number) => {
                let text = self.literals.text(number);
                pieces(text).next().map_or(cell.symbol, |piece| self.lexicon.symbol(piece))
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
