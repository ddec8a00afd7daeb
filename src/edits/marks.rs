//! Values that name one page, whatever another argument says: marked in what is read.
//!
//! `viewtopic.php?t=7&p=4711` is a post of a topic. What page that is, `p` tells where a topic has
//! several pages, and is of no use where it has one. The dependency `t → page` holds for some
//! values of `t` alone: a conditional functional dependency (Bohannon et al., ICDE 2007), whose
//! tableau is the list of these values. Of a value that the crawl did not have it says nothing.

use serde::{Deserialize, Serialize};

use super::edit::{Cell, Text, arguments};
use crate::url::lexicon::{Lexicon, Symbol};
use crate::url::text_index::TextIndex;

/// Values of an argument, each of which names one page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownValues {
    /// The argument's name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
}

/// The known values of a site, at hand for reading.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    lists: Vec<KnownValues>,
    /// The name of each list's argument, and its values.
    by_name: Vec<(Symbol, TextIndex)>,
}

/// What a symbol of a shape is more than it would be if its value were not known.
const MARK: Symbol = 1 << 31;

/// A symbol of a shape without its mark, and whether it had one.
pub(crate) fn unmarked(symbol: Symbol) -> (Symbol, bool) {
    (symbol & !MARK, symbol & MARK != 0)
}

/// A cell's symbol as a shape has it.
pub(crate) fn marked(symbol: Symbol, known: bool) -> Symbol {
    if known { symbol | MARK } else { symbol }
}

impl Marks {
    /// Of lists; the names that `lexicon` does not have are of no use.
    pub(crate) fn new(lists: Vec<KnownValues>, lexicon: &Lexicon) -> Self {
        let index = |list: &KnownValues| {
            let mut values = TextIndex::default();
            list.values.iter().for_each(|value| values.insert(value, 0));
            Some((lexicon.key(&list.name)?, values))
        };
        let by_name = lists.iter().filter_map(index).collect();
        Self { lists, by_name }
    }

    /// The lists.
    pub(crate) fn lists(&self) -> &[KnownValues] {
        &self.lists
    }

    /// Marks the known values of a shape, and no others; `text` gives the text of a piece.
    #[inline]
    pub(crate) fn mark<'u>(&self, shape: &mut [Symbol], text: impl Fn(usize) -> &'u str) {
        if !self.by_name.is_empty() {
            self.mark_all(shape, text);
        }
    }

    fn mark_all<'u>(&self, shape: &mut [Symbol], text: impl Fn(usize) -> &'u str) {
        let equals = Lexicon::delimiter("=");
        for place in 2..shape.len() {
            let (symbol, _) = unmarked(shape[place]);
            if Some(shape[place - 1]) == equals && Lexicon::is_argument(symbol) {
                let values = self.values(shape[place - 2]);
                let known = values.is_some_and(|values| values.get(text(place)).is_some());
                shape[place] = marked(symbol, known);
            }
        }
    }

    fn values(&self, name: Symbol) -> Option<&TextIndex> {
        self.by_name.iter().find(|(other, _)| *other == name).map(|(_, values)| values)
    }

    /// Whether a form is marked when it is read as the URL was: every value that is known, or could
    /// be, is copied together with its name.
    pub(crate) fn hold_for(&self, form: &[Cell]) -> bool {
        let could_be = |(start, _): &(usize, usize)| {
            form.get(*start).is_some_and(|name| self.values(name.symbol).is_some())
        };
        let could_be = arguments(form).into_iter().filter(could_be).map(|(start, _)| start + 2);
        let known = (0..form.len()).filter(|place| form[*place].known);
        could_be.chain(known).all(|place| {
            let texts = place.checked_sub(2).and_then(|name| form.get(name..=place));
            texts.is_none_or(|cells| match [cells[0].text, cells[1].text, cells[2].text] {
                [Text::Source(a), Text::Source(b), Text::Source(c)] => (a + 1, b + 1) == (b, c),
                _ => false,
            })
        })
    }

    /// Bytes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        let of = |value: &String| 2 * value.len() + 96;
        self.lists.iter().flat_map(|list| &list.values).map(of).sum()
    }
}

/// The place in the URL of an argument's value, if the value is one piece and no function word.
pub(crate) fn place_of_value(program: &[Cell], name: Symbol) -> Option<u16> {
    let of = |(start, end): (usize, usize)| match &program[start..end] {
        [key, _, Cell { symbol, text: Text::Source(place), .. }]
            if key.symbol == name && Lexicon::is_argument(*symbol) =>
        {
            Some(*place)
        }
        _ => None,
    };
    arguments(program).into_iter().find_map(of)
}
