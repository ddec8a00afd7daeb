//! How many visible words a page has in each of twelve fixed subsets of the dictionary: what the
//! length partitions of `undust_cluster::partitions` are cut from.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

/// Subsets of the dictionary. Twelve deal out evenly to one, two, three, four and six dimensions.
pub const SUBSETS: usize = 12;

/// Visible words by subset of the dictionary, each occurrence counted. The subset of a word is
/// the XXH64 (seed 0) of its lower-case form modulo 12, so that the counts of any two crawls
/// can be compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordLengths(pub [u32; SUBSETS]);

impl WordLengths {
    /// Counts one occurrence of a word, which the caller has lower-cased.
    pub(crate) fn count(&mut self, word: &[u8]) {
        let subset = &mut self.0[(xxh64(word, 0) % SUBSETS as u64) as usize];
        *subset = subset.saturating_add(1);
    }

    /// All words of the page.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&words| u64::from(words)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simhash::Shingles;

    #[test]
    fn a_word_is_counted_in_one_subset_whatever_its_case() {
        let mut expected = WordLengths::default();
        for word in ["größe", "und", "und", "ende"] {
            expected.count(word.as_bytes());
        }
        let mut shingles = Shingles::with_lengths();
        shingles.push_text("Größe und UND, ende");
        assert_eq!(shingles.lengths().as_deref(), Some(&expected));
        assert_eq!(expected.total(), 4);
        assert_eq!(expected.0.iter().max(), Some(&2));
    }

    #[test]
    fn only_words_have_lengths_and_only_where_they_are_asked_for() {
        let lengths = |mut shingles: Shingles, text| {
            shingles.push_text(text);
            shingles.lengths()
        };
        assert_eq!(lengths(Shingles::with_lengths(), " - "), None);
        assert_eq!(lengths(Shingles::default(), "some words"), None);
    }

    /// Manifests are compared across machines and versions: the subsets may not move.
    #[test]
    fn the_subsets_are_those_of_every_version() {
        let mut lengths = WordLengths::default();
        (0..1000).for_each(|number| lengths.count(format!("word{number}").as_bytes()));
        assert_eq!(
            serde_json::to_string(&lengths).expect("JSON"),
            "[77,103,86,92,74,89,92,82,76,76,75,78]"
        );
    }
}
