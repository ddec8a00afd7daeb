//! The cells of the grid, and the partitions that they are dealt to.

use super::slices::Slices;

/// A grid of cells, each with its pages and its partition. A place is one slice for each
/// dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cells {
    /// Slices in each dimension.
    sides: Vec<usize>,
    pages: Vec<u64>,
    partitions: Vec<u32>,
}

impl Cells {
    pub(super) fn new(slices: &[Slices]) -> Cells {
        let sides: Vec<usize> = slices.iter().map(Slices::len).collect();
        let count = sides.iter().product();
        Cells { sides, pages: vec![0; count], partitions: vec![0; count] }
    }

    /// Counts a page that lives at a place.
    pub(super) fn add(&mut self, place: &[usize]) {
        let cell = self.cell(place);
        self.pages[cell] += 1;
    }

    /// Deals the cells to partitions, from short pages to long ones, so that each gets about as
    /// many pages as any other. Neighbours come into one partition, which spares a page
    /// near a border from being sent twice.
    pub(super) fn deal(&mut self, partitions: usize) {
        let mut order: Vec<usize> = (0..self.pages.len()).collect();
        order.sort_by_key(|&cell| (self.distance(cell), cell));
        let mut left: u64 = self.pages.iter().sum();
        let (mut partition, mut held) = (0, 0);
        for cell in order {
            let pages = self.pages[cell];
            // A cell stays out of a partition if more than half of it would be over the
            // partition's share of the pages that are left.
            let open = (partitions - partition) as u64;
            if held > 0 && open > 1 && (2 * held + pages) * open > 2 * left {
                (left, held, partition) = (left - held, 0, partition + 1);
            }
            held += pages;
            self.partitions[cell] = partition as u32;
        }
    }

    /// The partition of a place.
    pub(super) fn partition(&self, place: &[usize]) -> u32 {
        self.partitions[self.cell(place)]
    }

    /// The partitions, ascending, of the places within a first and a last slice of each
    /// dimension.
    pub(super) fn partitions_within(&self, ranges: &[(usize, usize)]) -> Vec<u32> {
        let mut found = Vec::new();
        let mut place: Vec<usize> = ranges.iter().map(|(first, _)| *first).collect();
        loop {
            found.push(self.partition(&place));
            if !advance(&mut place, ranges) {
                found.sort_unstable();
                found.dedup();
                return found;
            }
        }
    }

    fn cell(&self, place: &[usize]) -> usize {
        place.iter().zip(&self.sides).fold(0, |cell, (slice, side)| cell * side + slice)
    }

    /// How far a cell is from the corner of the shortest pages, in slices.
    fn distance(&self, cell: usize) -> usize {
        let digits = self.sides.iter().rev().scan(cell, |rest, side| {
            let digit = *rest % side;
            *rest /= side;
            Some(digit)
        });
        digits.sum()
    }
}

/// Counts on to the next place within the ranges; false after the last.
fn advance(place: &mut [usize], ranges: &[(usize, usize)]) -> bool {
    for (slice, (first, last)) in place.iter_mut().zip(ranges).rev() {
        if *slice < *last {
            *slice += 1;
            return true;
        }
        *slice = *first;
    }
    false
}
