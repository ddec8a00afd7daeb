//! A crawl as the gate sees it: shapes, the URLs of each, and the clusters of those.

use std::ops::Range;

use rustc_hash::FxHashMap;

use undust_edits::fold::Fold;
use undust_edits::known_values::Attribute;
use undust_edits::literals::Literals;
use undust_edits::program::{Cell, Program, TextSource, copy};
use undust_url::lexicon::{Lexicon, Symbol};

/// The URLs of a training set, by shape. Some 4 bytes a piece, and 16 a URL.
#[derive(Default)]
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

/// A shape.
pub(crate) struct ShapeRow {
    /// Its pieces.
    pub shape: Box<[Symbol]>,
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
        let mut rows = Self::default();
        let mut places: FxHashMap<Box<[Symbol]>, usize> = FxHashMap::default();
        let (mut shape, mut pieces) = (Vec::new(), Vec::new());
        for (number, (url, cluster)) in urls.enumerate() {
            lexicon.read(url, &mut shape, &mut pieces);
            rows.clusters.push(cluster);
            rows.starts.push(rows.cells.len() as u32);
            rows.cells.extend(pieces.iter().map(|text| texts.number(text)));
            let place = match places.get(shape.as_slice()) {
                Some(place) => *place,
                None => {
                    let row = ShapeRow { shape: shape.as_slice().into(), urls: Vec::new() };
                    places.insert(row.shape.clone(), rows.shapes.len());
                    rows.shapes.push(row);
                    rows.shapes.len() - 1
                }
            };
            rows.shapes[place].urls.push(number as u32);
        }
        rows.in_order_of_shapes()
    }

    /// The number of URLs of each shape.
    pub(crate) fn counts(&self) -> impl Iterator<Item = usize> + Clone {
        self.shapes.iter().map(|row| row.urls.len())
    }

    /// Sorts the pieces so that those of one shape's URLs are adjacent: the gate reads all of them again and
    /// again, and those of a million URLs fit into no cache.
    fn in_order_of_shapes(mut self) -> Self {
        let mut cells = Vec::with_capacity(self.cells.len());
        for row in &self.shapes {
            for url in &row.urls {
                let start = &mut self.starts[*url as usize];
                let from = *start as usize;
                *start = cells.len() as u32;
                cells.extend_from_slice(&self.cells[from..from + row.shape.len()]);
            }
        }
        Self { cells, ..self }
    }

    /// The value of an attribute in a URL, as a number; `raw` copies the URL's shape.
    pub(crate) fn value(&self, url: u32, raw: &[Cell], attribute: Attribute) -> Option<u64> {
        let texts = self.texts(url);
        Some(Fold::of(attribute.pieces(raw)?.map(|place| texts[place])))
    }

    /// The text of some pieces of a URL, as a number.
    pub(crate) fn text(&self, url: u32, pieces: Range<usize>) -> u64 {
        Fold::of(self.texts(url)[pieces].iter().copied())
    }

    /// The texts of a URL's pieces, and of the URLs behind it.
    fn texts(&self, url: u32) -> &[u32] {
        &self.cells[self.starts[url as usize] as usize..]
    }

    /// By shape: the program that copies it.
    pub(crate) fn programs(&self) -> Vec<Program> {
        self.shapes.iter().map(|row| copy(&row.shape)).collect()
    }

    /// Marks the values of an attribute which have these numbers, ascending, in the programs of the shapes: a shape that
    /// has both known values and others becomes two.
    pub(crate) fn mark(
        &mut self,
        attribute: Attribute,
        values: &[u64],
        programs: &mut Vec<Program>,
    ) {
        for at in 0..self.shapes.len() {
            let raw = copy(&self.shapes[at].shape);
            let Some(pieces) = attribute.pieces(&raw) else { continue };
            let is_known = |url: &u32| {
                let value = self.value(*url, &raw, attribute);
                value.is_some_and(|value| values.binary_search(&value).is_ok())
            };
            let row = &self.shapes[at];
            let (known, others): (Vec<u32>, Vec<u32>) =
                row.urls.iter().partition(|url| is_known(url));
            let (mut program, first) =
                (programs[at].clone(), TextSource::Source(pieces.start as u16));
            for cell in program.iter_mut().filter(|cell| cell.text == first) {
                cell.known = true;
            }
            if known.is_empty() || program == programs[at] {
                continue;
            }
            let shape = row.shape.clone();
            if others.is_empty() {
                programs[at] = program;
            } else {
                self.shapes[at].urls = others;
                self.shapes.push(ShapeRow { shape, urls: known });
                programs.push(program);
            }
        }
    }

    /// The hash of the form that `program` gives a URL; `literals` are the literals' numbers.
    pub(crate) fn form(&self, url: u32, program: &[Cell], literals: &[u32]) -> u64 {
        let (texts, mut fold) = (self.texts(url), Fold::default());
        for cell in program {
            let text = match cell.text {
                TextSource::Source(place) => texts[usize::from(place)],
                TextSource::Literal(number) => literals[usize::from(number)],
            };
            fold.add(text.into());
        }
        fold.number()
    }
}
