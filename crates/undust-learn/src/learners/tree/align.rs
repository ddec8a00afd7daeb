//! The alignment of a source's pieces with its target's.

/// One step of an alignment, by positions in the source and in the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
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
pub(super) fn align(source: &[&str], target: &[&str]) -> Vec<Step> {
    let pairs = || source.iter().zip(target);
    let prefix = pairs().take_while(|(a, b)| a == b).count();
    let backwards = source[prefix..].iter().rev().zip(target[prefix..].iter().rev());
    let suffix = backwards.take_while(|(a, b)| a == b).count();
    let (end, target_end) = (source.len() - suffix, target.len() - suffix);
    let between = fewest_changes(&source[prefix..end], &target[prefix..target_end]);
    let shifted = between.into_iter().map(|step| match step {
        Step::Keep(i) => Step::Keep(i + prefix),
        Step::Replace(i, j) => Step::Replace(i + prefix, j + prefix),
        Step::Delete(i) => Step::Delete(i + prefix),
        Step::Insert(j) => Step::Insert(j + prefix),
    });
    (0..prefix).map(Step::Keep).chain(shifted).chain((end..source.len()).map(Step::Keep)).collect()
}

fn fewest_changes(source: &[&str], target: &[&str]) -> Vec<Step> {
    const REPLACE: usize = 3;
    const GAP: usize = 2;
    let (n, m) = (source.len(), target.len());
    let width = m + 1;
    // cost[i * width + j]: from source[i..] to target[j..].
    let mut cost = vec![0; (n + 1) * width];
    let step = |cost: &[usize], i: usize, j: usize| {
        let at = |i: usize, j: usize| cost[i * width + j];
        let both = (i < n && j < m).then(|| match source[i] == target[j] {
            true => (at(i + 1, j + 1), Step::Keep(i)),
            false => (at(i + 1, j + 1) + REPLACE, Step::Replace(i, j)),
        });
        let delete = (i < n).then(|| (at(i + 1, j) + GAP, Step::Delete(i)));
        let insert = (j < m).then(|| (at(i, j + 1) + GAP, Step::Insert(j)));
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
        i += usize::from(!matches!(step, Step::Insert(_)));
        j += usize::from(!matches!(step, Step::Delete(_)));
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
        assert_eq!(align(&["art", "index.html"], &["art"]), [Step::Keep(0), Step::Delete(1)]);
        assert_eq!(align(&["a"], &["a", ""]), [Step::Keep(0), Step::Insert(1)]);
        assert_eq!(
            align(&["people", "olga", "x"], &["~olga", "x"]),
            [Step::Replace(0, 0), Step::Delete(1), Step::Keep(2)]
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
            let cost = |step: &Step| match step {
                Step::Keep(_) => 0,
                Step::Replace(..) => 3,
                Step::Delete(_) | Step::Insert(_) => 2,
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
                if let Step::Keep(i) | Step::Replace(i, _) | Step::Delete(i) = step {
                    prop_assert_eq!(i, read);
                    read += 1;
                }
                match step {
                    Step::Keep(i) => written.push(source[i]),
                    Step::Replace(_, j) | Step::Insert(j) => written.push(target[j]),
                    Step::Delete(_) => {}
                }
            }
            prop_assert_eq!(read, source.len());
            prop_assert_eq!(written, target);
        }
    }
}
