//! Pages spread over partitions by their lengths, so that near pages meet and most others never
//! do: the N-dimensional length mapping of Zhu, Potapova, Alabduljalil, Liu and Yang, "Clustering
//! and Load Balancing Optimization for Redundant Content Removal" (WWW 2012, section 4).
//!
//! The dictionary is split in as many subsets as there are dimensions (`dimensions`), and the
//! words of a page in each of them are its place in a grid. Each dimension is sliced at lengths
//! of which few near pages stand on both sides (`slices`). A page lives in one cell of
//! the grid, and a page near it can only live in the cells within its bound (`bound`,
//! Expression 1). Cells are dealt to partitions, neighbours together (`cells`).
//!
//! The paper makes a partition of each cell. Lengths in several dimensions go up and down
//! together, though: most pages live on the grid's diagonal, and most cells are empty. There
//! are therefore many more cells than partitions here.

mod bound;
mod cells;
mod dimensions;
pub mod load;
mod slices;
#[cfg(test)]
mod tests;

use undust_pages::lengths::WordLengths;
use undust_util::error::{ArgumentReason, Error, Result};

use bound::Bound;
pub use bound::slack;
use cells::Cells;
use dimensions::Dimensions;
use slices::Slices;

/// More partitions than machines that anybody gives to one crawl.
pub(crate) const MAX_PARTITIONS: u32 = 1024;
/// More dimensions than this make cells smaller than a page's bound.
pub(crate) const MAX_DIMENSIONS: u32 = 4;
/// Cells of the grid for each partition. Measured: with 4, half of 64 partitions stand empty;
/// with more than 16, little changes.
const CELLS_PER_PARTITION: usize = 16;

/// How pages are spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionOptions {
    /// Partitions: 1 to 1024.
    pub partitions: u32,
    /// N, the subsets of the dictionary whose lengths are compared: 1 to 4.
    pub dimensions: u32,
    /// τ, the Jaccard similarity from which two pages must meet: 0.5 to 0.99.
    pub similarity: f64,
    /// ρ, what lengths may stray from the similarity, see [`slack`]: 1 to 2.
    pub slack: f64,
}

/// The paper's production values, and a slack from the middle of those that it tried.
impl Default for PartitionOptions {
    fn default() -> PartitionOptions {
        PartitionOptions { partitions: 1, dimensions: 3, similarity: 0.9, slack: 1.1 }
    }
}

impl PartitionOptions {
    fn check(&self) -> Result<()> {
        within("number of partitions", self.partitions.into(), 1.0, MAX_PARTITIONS.into())?;
        within("number of dimensions", self.dimensions.into(), 1.0, MAX_DIMENSIONS.into())?;
        within("similarity of partitions", self.similarity, 0.5, 0.99)?;
        within("slack of partitions", self.slack, 1.0, 2.0)
    }
}

/// An error if an option is out of its range.
fn within(what: &'static str, value: f64, least: f64, most: f64) -> Result<()> {
    let wrong = || Error::Argument(ArgumentReason::OutOfRange { what, least, most });
    (least..=most).contains(&value).then_some(()).ok_or_else(wrong)
}

/// Where pages live, and where they look for near pages.
///
/// Two pages whose lengths are in every dimension within `slack / similarity` of each other
/// (Expression 1) meet: each looks into the partition where the other lives. Any page has a
/// place, also one longer or unlike all that the partitions were made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Partitions {
    dimensions: Dimensions,
    bound: Bound,
    slices: Vec<Slices>,
    cells: Cells,
}

impl Partitions {
    /// Partitions of about equally many of these pages each; a part of a crawl will do. Which
    /// come out depends on nothing but the pages, in any order. Linear in them.
    ///
    /// # Errors
    ///
    /// An option out of its range.
    pub fn new(pages: &[WordLengths], options: &PartitionOptions) -> Result<Partitions> {
        options.check()?;
        let dimensions = Dimensions::balanced(pages, options.dimensions as usize);
        let bound = Bound::new(options.similarity, options.slack);
        let partitions = options.partitions as usize;
        let count = slices_for(partitions, options.dimensions);
        let sliced = |dimension| {
            let lengths = pages.iter().map(|page| dimensions.of(page)[dimension]).collect();
            Slices::of(lengths, count, options.similarity)
        };
        let slices: Vec<Slices> = (0..options.dimensions as usize).map(sliced).collect();
        let mut cells = Cells::new(&slices);
        for page in pages {
            cells.add(&place(&slices, &dimensions.of(page)));
        }
        cells.deal(partitions);
        Ok(Partitions { dimensions, bound, slices, cells })
    }

    /// The partition of a page.
    pub fn partition_of(&self, page: &WordLengths) -> u32 {
        self.cells.partition(&place(&self.slices, &self.dimensions.of(page)))
    }

    /// The partitions, ascending, where pages near this one may be: those it must be compared
    /// with, its own among them. Takes a step for each cell within the page's bound;
    /// there are at most some 16 for each partition.
    pub fn compared_with(&self, page: &WordLengths) -> Vec<u32> {
        let lengths = self.dimensions.of(page);
        let ranges = self.slices.iter().zip(lengths).map(|(slices, length)| {
            let (least, most) = self.bound.range(length);
            (slices.of_length(least), slices.of_length(most))
        });
        self.cells.partitions_within(&ranges.collect::<Vec<_>>())
    }

    /// The words of a page in each dimension.
    pub fn lengths(&self, page: &WordLengths) -> Vec<u64> {
        self.dimensions.of(page)
    }

    /// δ of a page, the most that a dimension's share strays from an equal one: 0 with one
    /// dimension, infinite where a dimension has no word.
    pub fn stray(&self, page: &WordLengths) -> f64 {
        let lengths = self.dimensions.of(page);
        let equal = page.total() as f64 / lengths.len() as f64;
        let stray = |&length: &u64| {
            if length == 0 { f64::INFINITY } else { (equal / length as f64 - 1.0).abs() }
        };
        lengths.iter().map(stray).fold(0.0, f64::max)
    }
}

/// Slices in each dimension that give every partition enough cells.
fn slices_for(partitions: usize, dimensions: u32) -> usize {
    match partitions {
        1 => 1,
        _ => (1..)
            .find(|slices: &usize| slices.pow(dimensions) >= CELLS_PER_PARTITION * partitions)
            .unwrap_or(1),
    }
}

fn place(slices: &[Slices], lengths: &[u64]) -> Vec<usize> {
    slices.iter().zip(lengths).map(|(slices, &length)| slices.of_length(length)).collect()
}
