//! The alignment of two sequences of token sets.

use undust_util::op_counter;

use super::sequence::Sequence;

/// What the last step of the best alignment of two prefixes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastStep {
    /// Two sets become one.
    Both,
    /// The second sequence's set stands against a gap.
    Second,
    /// The first sequence's set stands against a gap.
    First,
}

/// The score of the best alignment: the sum of the similarities; gaps cost nothing. Time is the
/// product of the lengths, memory the second's length.
pub(super) fn score(first: &Sequence, second: &Sequence) -> f32 {
    let mut scores = vec![0.0f32; second.len() + 1];
    each_row(first, second, &mut scores, |_| ());
    scores.last().copied().unwrap_or_default()
}

/// The consensus of two sequences: aligned sets are united, all others get λ. Ties between
/// alignments are broken from the end: a pair comes before a gap in the first sequence, and
/// that before a gap in the second. Time and memory are the product of the lengths.
pub(super) fn merge(first: &Sequence, second: &Sequence) -> Sequence {
    let mut scores = vec![0.0f32; second.len() + 1];
    let mut steps = Vec::with_capacity(first.len() * second.len());
    each_row(first, second, &mut scores, |step| steps.push(step));
    let mut merged = Vec::with_capacity(first.len().max(second.len()));
    let (mut i, mut j) = (first.len(), second.len());
    while i > 0 || j > 0 {
        let step = match (i, j) {
            (0, _) => LastStep::Second,
            (_, 0) => LastStep::First,
            _ => steps[(i - 1) * second.len() + j - 1],
        };
        i -= usize::from(step != LastStep::Second);
        j -= usize::from(step != LastStep::First);
        merged.push(match step {
            LastStep::Both => first[i].union(&second[j]),
            LastStep::Second => second[j].with_gap(),
            LastStep::First => first[i].with_gap(),
        });
    }
    merged.reverse();
    merged
}

/// Fills the table of scores row by row, in place, and reports the best step of each cell.
fn each_row(
    first: &Sequence,
    second: &Sequence,
    scores: &mut [f32],
    mut seen: impl FnMut(LastStep),
) {
    op_counter::count(first.len() * second.len());
    for set in first {
        let mut diagonal = scores[0];
        for (column, other) in second.iter().enumerate() {
            let (left, up) = (scores[column], scores[column + 1]);
            let both = diagonal + set.similarity(other);
            let (best, step) = if both >= left && both >= up {
                (both, LastStep::Both)
            } else if left >= up {
                (left, LastStep::Second)
            } else {
                (up, LastStep::First)
            };
            diagonal = up;
            scores[column + 1] = best;
            seen(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::duster::sequence::SequenceLexicon;

    /// A consensus as the paper writes it.
    fn aligned(first: &str, second: &str) -> String {
        let mut lexicon = SequenceLexicon::default();
        let urls = [first, second].map(|url| {
            let url = lexicon.read(url, 99).unwrap();
            lexicon.sequence(&url, false)
        });
        let set = |set: &crate::learners::duster::sequence::TokenSet| {
            let mut members: Vec<&str> = set.tokens().map(|token| lexicon.text(token)).collect();
            if set.gap {
                members.push("λ");
            }
            if members.len() == 1 {
                members[0].into()
            } else {
                format!("{{{}}}", members.join(","))
            }
        };
        merge(&urls[0], &urls[1]).iter().map(set).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_papers_example() {
        assert_eq!(
            aligned("http://www.ex/", "http://www.un/home"),
            "http : / / www . {ex,un} / {home,λ}"
        );
    }

    #[test]
    fn a_prefix_that_matches_nothing_is_kept() {
        assert_eq!(aligned("www.ex", "ex"), "{www,λ} {.,λ} ex");
        assert_eq!(aligned("ex", "12.ex"), "{12,λ} {.,λ} ex");
        assert_eq!(aligned("a", ""), "{a,λ}");
    }

    #[test]
    fn tokens_of_different_kinds_are_not_aligned_though_nothing_else_is() {
        assert_eq!(aligned("a", "1"), "{a,λ} {1,λ}");
        assert_eq!(aligned("a", "b"), "{a,b}");
        assert_eq!(aligned("x/a", "x/1"), "x / {a,λ} {1,λ}");
    }

    #[test]
    fn a_url_aligned_with_itself_is_itself() {
        assert_eq!(aligned("a/b?c=1", "a/b?c=1"), "a / b ? c = 1");
    }

    #[test]
    fn a_score_is_the_number_of_common_tokens_where_sets_are_single() {
        let mut lexicon = SequenceLexicon::default();
        let mut sequence = |url| {
            let url = lexicon.read(url, 99).unwrap();
            lexicon.sequence(&url, false)
        };
        assert_eq!(score(&sequence("a/b?c"), &sequence("a/d?e")), 3.0);
        assert_eq!(score(&sequence("a"), &sequence("1")), 0.0);
        assert_eq!(score(&sequence(""), &sequence("1")), 0.0);
    }

    #[test]
    fn a_gap_is_a_member_of_its_set() {
        let mut lexicon = SequenceLexicon::default();
        let url = lexicon.read("a", 9).unwrap();
        let plain = &lexicon.sequence(&url, false)[0];
        assert_eq!(plain.similarity(&plain.with_gap()), 0.5);
        assert_eq!(plain.with_gap().similarity(&plain.with_gap()), 1.0);
    }
}
