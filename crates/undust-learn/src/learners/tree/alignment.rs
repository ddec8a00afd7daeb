//! The alignment of a source's pieces with its target's.

/// One step of an alignment, by positions in the source and in the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AlignmentStep {
    Keep(usize),
    Replace(usize, usize),
    Delete(usize),
    Insert(usize),
}

/// The cheapest way from `source` to `target`. A common beginning and a common end are kept; the
/// pieces between are aligned with the fewest changes. A replacement costs less than a deletion
/// and an insertion; of equal ways the one with the earliest replacements is taken.
///
/// O(n) for the common ends, O(n m) between; callers bound n and m.
pub(super) fn align(source: &[&str], target: &[&str]) -> Vec<AlignmentStep> {
    let pairs = || source.iter().zip(target);
    let prefix = pairs().take_while(|(a, b)| a == b).count();
    let backwards = source[prefix..].iter().rev().zip(target[prefix..].iter().rev());
    let suffix = backwards.take_while(|(a, b)| a == b).count();
    let (end, target_end) = (source.len() - suffix, target.len() - suffix);
    let between = fewest_changes(&source[prefix..end], &target[prefix..target_end]);
    let shifted = between.into_iter().map(|step| match step {
        AlignmentStep::Keep(i) => AlignmentStep::Keep(i + prefix),
        AlignmentStep::Replace(i, j) => AlignmentStep::Replace(i + prefix, j + prefix),
        AlignmentStep::Delete(i) => AlignmentStep::Delete(i + prefix),
        AlignmentStep::Insert(j) => AlignmentStep::Insert(j + prefix),
    });
    (0..prefix)
        .map(AlignmentStep::Keep)
        .chain(shifted)
        .chain((end..source.len()).map(AlignmentStep::Keep))
        .collect()
}

fn fewest_changes(source: &[&str], target: &[&str]) -> Vec<AlignmentStep> {
    const REPLACE: usize = 3;
    const GAP: usize = 2;
    let (n, m) = (source.len(), target.len());
    let width = m + 1;
    // cost[i * width + j]: from source[i..] to target[j..].
    let mut cost = vec![0; (n + 1) * width];
    let step = |cost: &[usize], i: usize, j: usize| {
        let at = |i: usize, j: usize| cost[i * width + j];
        let both = (i < n && j < m).then(|| match source[i] == target[j] {
            true => (at(i + 1, j + 1), AlignmentStep::Keep(i)),
            false => (at(i + 1, j + 1) + REPLACE, AlignmentStep::Replace(i, j)),
        });
        let delete = (i < n).then(|| (at(i + 1, j) + GAP, AlignmentStep::Delete(i)));
        let insert = (j < m).then(|| (at(i, j + 1) + GAP, AlignmentStep::Insert(j)));
        [both, delete, insert].into_iter().flatten().min_by_key(|(cost, _)| *cost)
    };
    for i in (0..=n).rev() {
        for j in (0..=m).rev() {
            cost[i * width + j] = step(&cost, i, j).map_or(0, |(cost, _)| cost);
        }
    }
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(|| {
        let (_, step) = step(&cost, i, j)?;
        i += usize::from(!matches!(step, AlignmentStep::Insert(_)));
        j += usize::from(!matches!(step, AlignmentStep::Delete(_)));
        Some(step)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_last_is_deleted_where_the_rest_is_alike() {
        assert_eq!(
            align(&["art", "index.html"], &["art"]),
            [AlignmentStep::Keep(0), AlignmentStep::Delete(1)]
        );
        assert_eq!(align(&["a"], &["a", ""]), [AlignmentStep::Keep(0), AlignmentStep::Insert(1)]);
        assert_eq!(
            align(&["people", "olga", "x"], &["~olga", "x"]),
            [AlignmentStep::Replace(0, 0), AlignmentStep::Delete(1), AlignmentStep::Keep(2)]
        );
    }

    /// The cost of the cheapest way, tried one by one.
    fn least(source: &[&str], target: &[&str]) -> usize {
        match (source, target) {
            ([], rest) | (rest, []) => 2 * rest.len(),
            ([a, source_rest @ ..], [b, target_rest @ ..]) => {
                let both = least(source_rest, target_rest) + if a == b { 0 } else { 3 };
                both.min(2 + least(source_rest, target)).min(2 + least(source, target_rest))
            }
        }
    }

    proptest! {
        #[test]
        fn no_way_is_cheaper(
            source in prop::collection::vec("[abc]", 0..6),
            target in prop::collection::vec("[abc]", 0..6),
        ) {
            let source: Vec<_> = source.iter().map(String::as_str).collect();
            let target: Vec<_> = target.iter().map(String::as_str).collect();
            let cost = |step: &AlignmentStep| match step {
                AlignmentStep::Keep(_) => 0,
                AlignmentStep::Replace(..) => 3,
                AlignmentStep::Delete(_) | AlignmentStep::Insert(_) => 2,
            };
            let steps = fewest_changes(&source, &target);
            prop_assert_eq!(steps.iter().map(cost).sum::<usize>(), least(&source, &target));
        }

        #[test]
        fn steps_lead_from_source_to_target(
            source in prop::collection::vec("[ab]", 0..8),
            target in prop::collection::vec("[ab]", 0..8),
        ) {
            let source: Vec<_> = source.iter().map(String::as_str).collect();
            let target: Vec<_> = target.iter().map(String::as_str).collect();
            let (mut read, mut written) = (0, Vec::new());
            for step in align(&source, &target) {
                if let AlignmentStep::Keep(i) | AlignmentStep::Replace(i, _) | AlignmentStep::Delete(i) = step {
                    prop_assert_eq!(i, read);
                    read += 1;
                }
                match step {
                    AlignmentStep::Keep(i) => written.push(source[i]),
                    AlignmentStep::Replace(_, j) | AlignmentStep::Insert(j) => written.push(target[j]),
                    AlignmentStep::Delete(_) => {}
                }
            }
            prop_assert_eq!(read, source.len());
            prop_assert_eq!(written, target);
        }
    }
}
