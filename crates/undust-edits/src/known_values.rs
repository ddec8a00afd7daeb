//! Values that name one page, whatever another argument says: marked in what is read.
//!
//! `viewtopic.php?t=7&p=4711` is a post of a topic. `p` determines the page where a topic has
//! several pages, and is of no use where it has one. The dependency `t → page` holds for some
//! values of `t` alone: a conditional functional dependency (Bohannon et al., ICDE 2007), whose
//! tableau is the list of these values. It says nothing of a value that the crawl did not have.
//! In `/topic/7/?post=4711` the path takes the place of `t`.
//!
//! A mark speaks of the URL that was read. A form that an edit gave another path or value is read
//! again, and may be marked then.

use std::ops::Range;

use undust_url::lexicon::{Constants, Lexicon, Symbol};
use undust_url::text_index::TextIndex;

use super::program::{
    Cell, FRONT, MOST_PIECES, TextSource, Unmarked, arguments, copy, marked, path_end, unmarked,
};

/// An attribute of a URL whose values may be known to name one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attribute {
    /// The path as a whole.
    Path,
    /// The argument of this name.
    Argument(Symbol),
}

/// Values of an attribute, each of which names one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownValues {
    /// Whose values they are.
    pub attribute: Attribute,
    /// The values.
    pub values: Vec<String>,
}

/// The known values of a site, at hand for reading.
#[derive(Debug, Default)]
pub struct KnownValueMarks {
    lists: Vec<KnownValues>,
    values: Vec<(Attribute, TextIndex)>,
}

/// The piece that is marked where a path is known: the `/` that it begins with.
const START: usize = FRONT - 1;

impl Attribute {
    /// The pieces of a program that copies a URL which are the attribute's value. An argument's must be
    /// one, and no function word.
    pub fn pieces(self, url: &[Cell]) -> Option<Range<usize>> {
        let one_piece = |name: Symbol, (start, end): (usize, usize)| match &url[start..end] {
            [key, mark, value]
                if key.symbol == name
                    && Some(mark.symbol) == Lexicon::delimiter("=")
                    && Lexicon::is_argument(value.symbol) =>
            {
                Some(start + 2..end)
            }
            _ => None,
        };
        match self {
            Self::Argument(name) => {
                arguments(url).into_iter().find_map(|argument| one_piece(name, argument))
            }
            Self::Path => {
                let slash = Lexicon::delimiter("/");
                let begins = url.get(START).is_some_and(|cell| Some(cell.symbol) == slash);
                begins.then(|| START..path_end(url))
            }
        }
    }
}

impl KnownValueMarks {
    /// The marks for these lists, each of another attribute.
    pub fn new(lists: Vec<KnownValues>) -> Self {
        let index = |list: &KnownValues| {
            let mut values = TextIndex::default();
            list.values.iter().for_each(|value| values.insert(value, 0));
            (list.attribute, values)
        };
        let values = lists.iter().map(index).collect();
        Self { lists, values }
    }

    /// The lists.
    pub fn lists(&self) -> &[KnownValues] {
        &self.lists
    }

    /// Known values of an attribute.
    pub fn count(&self, attribute: Attribute) -> usize {
        self.lists
            .iter()
            .filter(|list| list.attribute == attribute)
            .map(|list| list.values.len())
            .sum()
    }

    /// Marks the known values of a shape, and no others; `text` gives the text of some pieces. Free
    /// if no value is known.
    #[inline]
    pub fn mark<'u>(
        &self,
        shape: &mut [Symbol],
        constants: &Constants,
        text: impl Fn(Range<usize>) -> &'u str,
    ) {
        if !self.lists.is_empty() || !constants.is_empty() {
            self.mark_all(shape, constants, text);
        }
    }

    fn mark_all<'u>(
        &self,
        shape: &mut [Symbol],
        constants: &Constants,
        text: impl Fn(Range<usize>) -> &'u str,
    ) {
        shape.iter_mut().for_each(|symbol| *symbol = unmarked(*symbol).symbol);
        if shape.len() > MOST_PIECES {
            return;
        }
        if !constants.is_empty() {
            for (place, symbol) in shape.iter_mut().enumerate() {
                if Lexicon::is_argument(*symbol) {
                    let constant = constants.number(text(place..place + 1));
                    *symbol = marked(Unmarked { symbol: *symbol, known: false, constant });
                }
            }
        }
        let url = copy(shape);
        for (attribute, values) in &self.values {
            if let Some(pieces) = attribute.pieces(&url) {
                let first = pieces.start;
                let known = values.get(text(pieces)).is_some();
                shape[first] = marked(Unmarked { known, ..unmarked(shape[first]) });
            }
        }
    }

    /// Whether the form of a URL, when it is read again, is marked as the URL was: known values,
    /// and values that could be known, are copied as a whole, an argument together with its name.
    pub fn hold_for(&self, url: &[Cell], form: &[Cell]) -> bool {
        self.values.iter().all(|(attribute, _)| match attribute {
            Attribute::Path => {
                let path = form[..path_end(form)].iter().map(|cell| cell.text);
                path.eq(texts(0..path_end(url)))
            }
            Attribute::Argument(name) => {
                let whole = |cells: &[Cell]| -> Vec<Vec<TextSource>> {
                    let named = |(start, _): &(usize, usize)| {
                        cells.get(*start).is_some_and(|cell| cell.symbol == *name)
                    };
                    let text = |(start, end): (usize, usize)| {
                        cells[start..end].iter().map(|cell| cell.text).collect()
                    };
                    arguments(cells).into_iter().filter(named).map(text).collect()
                };
                let left = whole(form);
                left.is_empty() || left == whole(url)
            }
        })
    }
}

/// Pieces of the URL, as texts of a program.
fn texts(places: Range<usize>) -> impl Iterator<Item = TextSource> {
    places.map(|place| TextSource::Source(place as u16))
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use undust_url::last_shape::LastShape;
    use undust_url::lexicon::FrequencyThresholds;

    use super::*;
    use crate::program::copy;

    /// The shape of a URL, and its pieces.
    pub(crate) fn read<'u>(lexicon: &Lexicon, url: &'u str) -> (Vec<Symbol>, Vec<&'u str>) {
        let (mut shape, mut texts) = (Vec::new(), Vec::new());
        lexicon.read(url, &mut shape, &mut texts);
        (shape, texts)
    }

    proptest! {
        /// What is marked is what the lists hold, whatever was read and marked before.
        #[test]
        fn known_values_are_marked_and_no_others(
            urls in proptest::collection::vec("(http://a.test|x)(/[ab1-]{0,2}){0,3}(\\?[tp]=[12-]{0,2}(&[tp]=[12]{0,2})?)?(#[a1]?)?", 1..20),
            listed in proptest::collection::vec("/[ab1]{0,2}(/[ab1]?)?|[12]{1,2}", 0..8),
        ) {
            let all = FrequencyThresholds { word: 0.3, key: 0.0 };
            let lexicon = Lexicon::learn(urls.iter().map(String::as_str), all);
            let mut attributes = vec![Attribute::Path];
            attributes.extend(lexicon.key("t").map(Attribute::Argument));
            let list = |attribute: &Attribute| KnownValues { attribute: *attribute, values: listed.clone() };
            let marks = KnownValueMarks::new(attributes.iter().map(list).collect());
            let mut last = LastShape::new();
            for url in urls.iter().chain(urls.iter().rev()) {
                last.read(1, &lexicon, url);
                let ends: Vec<usize> = last.ends.iter().map(|end| end.at as usize).collect();
                let start = |place: usize| place.checked_sub(1).map_or(0, |before| ends[before]);
                marks.mark(&mut last.shape, &Constants::default(), |pieces| &url[start(pieces.start)..start(pieces.end)]);
                let (raw, texts) = read(&lexicon, url);
                let mut expected = raw.clone();
                for attribute in &attributes {
                    if let Some(pieces) = attribute.pieces(&copy(&raw)) {
                        let known = listed.contains(&texts[pieces.clone()].concat());
                        expected[pieces.start] = marked(Unmarked { known, ..unmarked(raw[pieces.start]) });
                    }
                }
                let unmarked: Vec<Symbol> = last.shape.iter().map(|one| unmarked(*one).symbol).collect();
                prop_assert_eq!(&unmarked, &raw, "{}", url);
                prop_assert_eq!(&last.shape, &expected, "{}", url);
            }
        }
    }

    /// A form is marked as its URL was where values are copied with their names.
    #[test]
    fn values_that_move_are_other_values() {
        let urls = ["http://a.test/x/y?t=12&p=1", "http://a.test/x/y?t=12&p=12"];
        let lexicon = Lexicon::learn(
            urls.into_iter().cycle().take(9),
            FrequencyThresholds { word: 0.9, key: 0.0 },
        );
        let name = Attribute::Argument(lexicon.key("t").expect("a name"));
        let list = |attribute| {
            KnownValueMarks::new(vec![KnownValues { attribute, values: vec!["12".into()] }])
        };
        let url = copy(&read(&lexicon, urls[0]).0);
        let swapped: Vec<Cell> = {
            let mut form = url.clone();
            form.swap(10, 14);
            form
        };
        let without = |range: Range<usize>| [&url[..range.start], &url[range.end..]].concat();
        let (short, shorter) = (without(11..15), without(5..7));
        for (attribute, form, holds) in [
            (name, &url, true),
            (name, &short, true),
            (name, &shorter, true),
            (name, &swapped, false),
            (Attribute::Path, &url, true),
            (Attribute::Path, &short, true),
            (Attribute::Path, &shorter, false),
            (Attribute::Path, &swapped, true),
        ] {
            assert_eq!(list(attribute).hold_for(&url, form), holds, "{attribute:?} {form:?}");
        }
        // A value that is a part of another.
        let url = copy(&read(&lexicon, "http://a.test/x/y?t=12.x&p=1").0);
        let part = [&url[..11], &url[13..]].concat();
        assert!(list(name).hold_for(&url, &url) && !list(name).hold_for(&url, &part));
    }
}
