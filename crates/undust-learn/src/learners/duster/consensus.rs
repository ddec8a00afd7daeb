//! The consensus of many URLs: progressive alignment, the most alike first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::align::{merge, score};
use super::sequence::Sequence;
use crate::ordered::Ordered;

/// Two sequences, by number, that could be merged next: the most alike is the greatest, of equals the oldest. They are
/// alike by the score of their alignment over the longer one's length; otherwise long URLs would always go first.
type Merge = (Ordered, Reverse<(usize, usize)>);

fn merge_of(sequences: &[Sequence], a: usize, b: usize) -> Merge {
    let (first, second) = (&sequences[a], &sequences[b]);
    let longer = first.len().max(second.len()).max(1);
    (Ordered((score(first, second) / longer as f32).into()), Reverse((a, b)))
}

/// Merges the two most similar sequences until one is left; empty if there were none. K
/// sequences of at most L sets take K² L² steps and K² candidate merges in memory: K is the
/// size of a sample.
pub(super) fn consensus(mut sequences: Vec<Sequence>) -> Sequence {
    let mut active: Vec<usize> = (0..sequences.len()).collect();
    let mut merges = BinaryHeap::new();
    for b in 1..sequences.len() {
        merges.extend((0..b).map(|a| merge_of(&sequences, a, b)));
    }
    while let Some((_, Reverse((a, b)))) = merges.pop() {
        if !active.contains(&a) || !active.contains(&b) {
            continue;
        }
        active.retain(|number| *number != a && *number != b);
        let merged = sequences.len();
        sequences.push(merge(&sequences[a], &sequences[b]));
        merges.extend(active.iter().map(|&other| merge_of(&sequences, other, merged)));
        active.push(merged);
    }
    sequences.pop().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::duster::sequence::SequenceLexicon;

    fn consensus_of(urls: &[&'static str]) -> (SequenceLexicon<'static>, Sequence) {
        let mut lexicon = SequenceLexicon::default();
        let read = |url: &&'static str| {
            let url = lexicon.read(url, 99).unwrap();
            lexicon.sequence(&url, false)
        };
        let sequences = urls.iter().map(read).collect();
        (lexicon, consensus(sequences))
    }

    #[test]
    fn the_consensus_of_one_url_is_itself() {
        let (lexicon, consensus) = consensus_of(&["http://a/1"]);
        assert!(consensus.iter().all(|set| set.is_invariant()));
        let texts: String = consensus.iter().map(|set| lexicon.text(set.first)).collect();
        assert_eq!(texts, "http://a/1");
        assert!(super::consensus(Vec::new()).is_empty());
    }

    #[test]
    fn the_most_alike_are_merged_first() {
        let urls = ["x.com/b/long/2", "x.com/a/1", "x.com/a/2", "x.com/b/long/3"];
        let mut lexicon = SequenceLexicon::default();
        let read = |url: &&'static str| {
            let url = lexicon.read(url, 99).unwrap();
            lexicon.sequence(&url, false)
        };
        let sequences: Vec<Sequence> = urls.iter().map(read).collect();
        let long = merge_of(&sequences, 0, 3);
        let short = merge_of(&sequences, 1, 2);
        let other = merge_of(&sequences, 0, 1);
        assert!(long > short && short > other);
    }

    #[test]
    fn a_gap_stays_a_gap() {
        let (lexicon, consensus) = consensus_of(&["a/b", "a", "a/b", "a/c"]);
        let members = |set: &crate::learners::duster::sequence::TokenSet| {
            let mut texts: Vec<&str> = set.tokens().map(|token| lexicon.text(token)).collect();
            texts.sort_unstable();
            (texts, set.gap)
        };
        let members: Vec<_> = consensus.iter().map(members).collect();
        assert_eq!(members, [(vec!["a"], false), (vec!["/"], true), (vec!["b", "c"], true)]);
    }
}
