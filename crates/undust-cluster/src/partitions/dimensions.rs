//! The twelve subsets of the dictionary dealt to dimensions.

use undust_pages::lengths::{SUBSETS, WordLengths};

/// Which dimension each subset of the dictionary belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dimensions {
    of_subset: [usize; SUBSETS],
    count: usize,
}

impl Dimensions {
    /// Deals the subsets so that each dimension has about as many of the pages' words as any
    /// other (the largest first, each to the dimension with the fewest words), which keeps δ
    /// small. Every dimension gets at least one subset.
    pub(super) fn balanced(pages: &[WordLengths], count: usize) -> Dimensions {
        let mut words = [0u64; SUBSETS];
        for page in pages {
            words.iter_mut().zip(page.0).for_each(|(sum, length)| *sum += u64::from(length));
        }
        let mut largest_first: Vec<usize> = (0..SUBSETS).collect();
        largest_first.sort_by_key(|&subset| (std::cmp::Reverse(words[subset]), subset));
        // Subsets without a word count as well, so that none of many dimensions stays empty.
        let mut load = vec![(0, 0); count];
        let mut of_subset = [0; SUBSETS];
        for subset in largest_first {
            let lightest = (0..count).min_by_key(|&dimension| load[dimension]).unwrap_or(0);
            of_subset[subset] = lightest;
            load[lightest].0 += words[subset];
            load[lightest].1 += 1;
        }
        Dimensions { of_subset, count }
    }

    /// The lengths of a page, one for each dimension.
    pub(super) fn of(&self, page: &WordLengths) -> Vec<u64> {
        let mut lengths = vec![0; self.count];
        for (&dimension, &words) in self.of_subset.iter().zip(&page.0) {
            lengths[dimension] += u64::from(words);
        }
        lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_share_the_words_evenly() {
        let page = WordLengths([9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
        assert_eq!(Dimensions::balanced(&[page], 1).of(&page), [18]);
        assert_eq!(Dimensions::balanced(&[page], 2).of(&page), [9, 9]);
        let mut three = Dimensions::balanced(&[page], 3).of(&page);
        three.sort_unstable();
        assert_eq!(three, [4, 5, 9]);
    }

    #[test]
    fn without_a_word_the_subsets_are_dealt_by_number() {
        let of_subset = Dimensions::balanced(&[], 3).of_subset;
        assert_eq!(of_subset, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    }
}
