//! A crawl as the gate sees it: shapes, the URLs of each, and the clusters of those.

use rustc_hash::FxHashMap;

use super::edit::{Cell, Program, Text, copy};
use super::literals::Literals;
use crate::url::lexicon::{Lexicon, Symbol};

/// Longest URL in pieces that is edited.
pub(crate) const MOST_PIECES: usize = 64;

/// The URLs of a training set, by shape. Some 4 bytes a piece, and 16 a URL.
pub(crate) struct Rows {
    /// The texts of all URLs' pieces, as numbers.
    cells: Vec<u32>,
    /// Where each URL's pieces begin.
    starts: Vec<u32>,
    /// The cluster of each URL.
    pub clusters: Vec<u32>,
    /// Every shape with its URLs.
    pub shapes: Vec<ShapeRow>,
}

/// A shape, and what has become of it.
pub(crate) struct ShapeRow {
    /// Its form as a function of its pieces.
    pub program: Program,
    /// Its URLs.
    pub urls: Vec<u32>,
}

/// Texts as numbers.
#[derive(Default)]
pub(crate) struct Texts<'u> {
    numbers: FxHashMap<&'u str, u32>,
    others: FxHashMap<String, u32>,
}

impl<'u> Texts<'u> {
    /// The number of a text.
    pub(crate) fn number(&mut self, text: &'u str) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(text).or_insert(next)
    }
}

impl Texts<'_> {
    /// The numbers of literals.
    pub(crate) fn of(&mut self, literals: &Literals) -> Vec<u32> {
        literals.texts().iter().map(|text| self.known(text)).collect()
    }

    /// The number of a text; where no URL has it, one that no other text has.
    fn known(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text).or_else(|| self.others.get(text)) {
            return *number;
        }
        let number = u32::MAX - self.others.len() as u32;
        self.others.insert(text.to_owned(), number);
        number
    }
}

impl Rows {
    /// Reads URLs, each with its cluster. Linear.
    pub(crate) fn new<'u>(
        urls: impl Iterator<Item = (&'u str, u32)>,
        lexicon: &Lexicon,
        texts: &mut Texts<'u>,
    ) -> Self {
        let mut rows =
            Self { cells: Vec::new(), starts: vec![0], clusters: Vec::new(), shapes: Vec::new() };
        let mut places: FxHashMap<Box<[Symbol]>, usize> = FxHashMap::default();
        let (mut shape, mut pieces) = (Vec::new(), Vec::new());
        for (number, (url, cluster)) in urls.enumerate() {
            lexicon.read(url, &mut shape, &mut pieces);
            rows.clusters.push(cluster);
            rows.cells.extend(pieces.iter().map(|text| texts.number(text)));
            rows.starts.push(rows.cells.len() as u32);
            let place = match places.get(shape.as_slice()) {
                Some(place) => *place,
                None => {
                    rows.shapes.push(ShapeRow { program: copy(&shape), urls: Vec::new() });
                    places.insert(shape.as_slice().into(), rows.shapes.len() - 1);
                    rows.shapes.len() - 1
                }
            };
            rows.shapes[place].urls.push(number as u32);
        }
        rows
    }

    /// The hash of the form that `program` gives a URL; `literals` are the literals' numbers.
    pub(crate) fn form(&self, url: u32, program: &[Cell], literals: &[u32]) -> u64 {
        let start = self.starts[url as usize] as usize;
        let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
        for cell in program {
            let text = match cell.text {
                Text::Source(place) => self.cells[start + usize::from(place)],
                Text::Literal(number) => literals[usize::from(number)],
            };
            let product = u128::from(hash ^ u64::from(text)) * 0xd6e8_feb8_6659_fd93;
            hash = (product as u64) ^ (product >> 64) as u64;
        }
        hash
    }
}
