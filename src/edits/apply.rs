//! What edits do to programs.

use super::edit::{
    ANY, Cell, DROPPED, FRONT, Piece, Program, Text, WORD, arguments, marks, path_end,
};
use super::rows::MOST_PIECES;
use crate::url::lexicon::{EDGE, Lexicon, Symbol};

pub(super) fn drop_key(program: &[Cell], key: Symbol, value: Option<Symbol>) -> Option<Program> {
    let marks = marks();
    let arguments = arguments(program);
    let named = |place: usize| program.get(place).is_some_and(|cell| cell.symbol == key);
    let is_dropped = |(start, end): &(usize, usize)| {
        let equals = program.get(start + 1).is_some_and(|cell| cell.symbol == marks.equals);
        let of_value =
            |value: Symbol| equals && *end == start + 3 && program[start + 2].symbol == value;
        named(*start) && (*end == start + 1 || equals) && value.is_none_or(of_value)
    };
    if !arguments.iter().any(is_dropped) {
        return None;
    }
    let (first, last) = (arguments.first()?.0, arguments.last()?.1);
    let mut edited = program[..first - 1].to_vec();
    let mut mark = program[first - 1];
    for argument in arguments.iter().filter(|argument| !is_dropped(argument)) {
        edited.push(mark);
        edited.extend_from_slice(&program[argument.0..argument.1]);
        mark = program.get(argument.1).copied().unwrap_or(mark);
        if mark.symbol == marks.hash || argument.1 == last {
            mark = Cell::new(marks.and, mark.text);
        }
    }
    edited.extend_from_slice(&program[last..]);
    Some(edited)
}

pub(super) fn matches(program: &[Cell], at: usize, from: &[Symbol]) -> bool {
    from.iter().enumerate().all(|(offset, symbol)| match program.get(at + offset) {
        Some(cell) if *symbol == ANY => Lexicon::is_argument(cell.symbol) && !is_front(cell),
        Some(cell) if *symbol == WORD => !Lexicon::is_delimiter(cell.symbol) && !is_front(cell),
        Some(cell) if *symbol == DROPPED => cell.text == Text::Literal(STAR),
        // A dropped piece has the symbol of the end, and is none.
        Some(_) if *symbol == EDGE => false,
        Some(cell) => cell.symbol == *symbol,
        None => *symbol == EDGE && at + offset == program.len(),
    })
}

/// Whether a piece is the scheme or the host, which only an edit that names it may change.
fn is_front(cell: &Cell) -> bool {
    matches!(cell.text, Text::Source(0..=2))
}

pub(super) fn replace(program: &[Cell], from: &[Symbol], to: &[Piece]) -> Option<Program> {
    // Nothing stands everywhere, without end. Only a saved edit may ask for it.
    if from.is_empty() {
        return None;
    }
    let mut edited = Vec::with_capacity(program.len());
    let (mut at, mut changed) = (0, false);
    while at < program.len() {
        if !matches(program, at, from) {
            edited.push(program[at]);
            at += 1;
            continue;
        }
        for piece in to {
            // Edits of edits would double it without end.
            if edited.len() > LONGEST {
                return None;
            }
            match piece {
                Piece::Literal(DROPPED, _) => edited.push(STARRED),
                Piece::Literal(symbol, number) => {
                    edited.push(Cell::new(*symbol, Text::Literal(*number)));
                }
                Piece::Keep(offset) => {
                    edited.extend(program.get(at + usize::from(*offset)));
                }
                Piece::Value(key) => {
                    let value = value(program, *key)?;
                    edited.extend_from_slice(&program[value]);
                }
            }
        }
        changed = true;
        at += from.len();
    }
    let edited = with_question(program, edited);
    (changed && edited != program).then_some(edited)
}

/// Most pieces that an edit may make of a URL's: more than any real one does.
const LONGEST: usize = 4 * MOST_PIECES;

/// The literal that begins a query which lost its own.
pub(crate) const QUESTION: u16 = 1;

/// Where an edit took the `?` away and arguments are left, the first begins the query. An `&` or `;` of
/// the path begins none.
fn with_question(before: &[Cell], mut edited: Program) -> Program {
    let marks = marks();
    let question = |program: &[Cell]| program.iter().position(|cell| cell.symbol == marks.question);
    let Some(at) = question(before).filter(|_| question(&edited).is_none()) else { return edited };
    let parts = |cell: &Cell| cell.symbol == marks.and || cell.symbol == marks.semicolon;
    let mark = edited.iter_mut().find(|cell| parts(cell) && before[at..].contains(cell));
    if let Some(mark) = mark {
        *mark = Cell::new(marks.question, Text::Literal(QUESTION));
    }
    edited
}

/// The place of an argument's value.
fn value(program: &[Cell], key: Symbol) -> Option<std::ops::Range<usize>> {
    let named = |(start, end): &(usize, usize)| {
        program[*start..*end].first().is_some_and(|cell| cell.symbol == key)
    };
    let (start, end) = arguments(program).into_iter().find(named)?;
    let is = program.get(start + 1).filter(|cell| cell.symbol == marks().equals);
    is.filter(|_| start + 2 <= end).map(|_| start + 2..end)
}

/// The literal that stands for a dropped piece of a path.
pub(crate) const STAR: u16 = 0;

/// A dropped piece.
const STARRED: Cell = Cell { symbol: EDGE, text: Text::Literal(STAR), known: false };

pub(super) fn drop_slot(program: &[Cell], place: usize) -> Option<Program> {
    let cell = program[..path_end(program)].get(place)?;
    if Lexicon::is_delimiter(cell.symbol) || cell.text == Text::Literal(STAR) {
        return None;
    }
    let mut edited = program.to_vec();
    edited[place] = STARRED;
    Some(edited)
}

pub(super) fn drop_path(program: &[Cell]) -> Option<Program> {
    let end = path_end(program);
    let front = program.get(..FRONT)?;
    if end <= FRONT || end == program.len() || program[FRONT].text == Text::Literal(STAR) {
        return None;
    }
    Some(front.iter().copied().chain([STARRED]).chain(program[end..].iter().copied()).collect())
}
