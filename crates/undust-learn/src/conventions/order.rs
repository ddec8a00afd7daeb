//! An order of names that agrees with the sequences in which they were seen.

use rustc_hash::FxHashMap;

/// Numbers in groups. Where training saw two numbers in one order only, their groups have that
/// order; where it saw both orders, or a circle of them, they share a group.
pub(super) type Groups = Vec<Vec<u32>>;

/// How often each number stood right before each other one.
#[derive(Debug, Default)]
pub(super) struct Precedence(FxHashMap<(u32, u32), u32>);

impl Precedence {
    /// Counts a sequence of numbers.
    pub(super) fn add(&mut self, sequence: &[u32]) {
        for pair in sequence.windows(2).filter(|pair| pair[0] != pair[1]) {
            *self.0.entry((pair[0], pair[1])).or_default() += 1;
        }
    }

    /// The numbers 0 to n - 1 in groups: the strongly connected components of the graph, in
    /// topological order (Sharir, Computers & Mathematics with Applications 1981). Within a group numbers ascend.
    /// n + p log p for p pairs.
    pub(super) fn groups(&self, n: usize) -> Groups {
        let (mut followers, mut leaders) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for &(before, after) in self.0.keys() {
            followers[before as usize].push(after);
            leaders[after as usize].push(before);
        }
        followers.iter_mut().for_each(|list: &mut Vec<u32>| list.sort_unstable());
        let mut seen = vec![false; n];
        let roots = 0..n as u32;
        let left: Vec<u32> = roots.flat_map(|root| reached(root, &followers, &mut seen)).collect();
        seen.fill(false);
        let groups = left.into_iter().rev().map(|root| {
            let mut group = reached(root, &leaders, &mut seen);
            group.sort_unstable();
            group
        });
        groups.filter(|group| !group.is_empty()).collect()
    }

    /// Every number in a group of its own: within a group those that stood before others more
    /// often than behind them come first.
    pub(super) fn one_by_one(&self, groups: &Groups) -> Groups {
        let mut group_of = FxHashMap::default();
        for (place, group) in groups.iter().enumerate() {
            group_of.extend(group.iter().map(|number| (*number, place)));
        }
        let mut ahead: FxHashMap<u32, i64> = FxHashMap::default();
        for (&(before, after), &count) in &self.0 {
            if group_of.get(&before) == group_of.get(&after) {
                *ahead.entry(before).or_default() += i64::from(count);
                *ahead.entry(after).or_default() -= i64::from(count);
            }
        }
        let ahead = |number: &u32| ahead.get(number).copied().unwrap_or(0);
        let in_order = groups.iter().flat_map(|group| {
            let mut group = group.clone();
            group.sort_by_key(|number| (-ahead(number), *number));
            group
        });
        in_order.map(|number| vec![number]).collect()
    }
}

/// What `root` leads to and was not seen before, each number after all that it leads to. Without recursion: a site may
/// have thousands of names in a chain.
fn reached(root: u32, followers: &[Vec<u32>], seen: &mut [bool]) -> Vec<u32> {
    let mut left = Vec::new();
    let mut is_new = |node: u32| !std::mem::replace(&mut seen[node as usize], true);
    let mut path: Vec<(u32, usize)> = is_new(root).then_some((root, 0)).into_iter().collect();
    while let Some((node, next)) = path.pop() {
        match followers[node as usize].get(next) {
            Some(&follower) => {
                path.push((node, next + 1));
                path.extend(is_new(follower).then_some((follower, 0)));
            }
            None => left.push(node),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn precedence(sequences: &[&[u32]]) -> Precedence {
        let mut precedence = Precedence::default();
        sequences.iter().for_each(|sequence| precedence.add(sequence));
        precedence
    }

    #[test]
    fn what_was_seen_in_both_orders_shares_a_group() {
        let seen = precedence(&[&[2, 0, 1], &[2, 1], &[1, 0], &[1, 0], &[0, 3]]);
        let groups = seen.groups(4);
        assert_eq!(groups, [vec![2], vec![0, 1], vec![3]]);
        assert_eq!(seen.one_by_one(&groups), [[2], [1], [0], [3]]);
    }

    #[test]
    fn a_long_chain_takes_no_recursion() {
        let chain: Vec<u32> = (0..100_000).rev().collect();
        let groups = precedence(&[&chain]).groups(chain.len());
        assert_eq!(groups.concat(), chain);
    }

    proptest! {
        /// No sequence that was seen is out of order, and groups are no larger than they must be.
        #[test]
        fn groups_agree_with_what_was_seen(
            sequences in prop::collection::vec(prop::collection::vec(0u32..7, 0..5), 0..9),
        ) {
            let mut seen = Precedence::default();
            sequences.iter().for_each(|sequence| seen.add(sequence));
            let groups = seen.groups(7);
            let rank = |n: u32| groups.iter().position(|group| group.contains(&n)).unwrap();
            for pair in sequences.iter().flat_map(|sequence| sequence.windows(2)) {
                prop_assert!(rank(pair[0]) <= rank(pair[1]));
            }
            let mut reaches = [[false; 7]; 7];
            (0..7).for_each(|n| reaches[n][n] = true);
            for _ in 0..7 {
                for pair in sequences.iter().flat_map(|sequence| sequence.windows(2)) {
                    for from in &mut reaches {
                        from[pair[1] as usize] |= from[pair[0] as usize];
                    }
                }
            }
            for group in &groups {
                for (&a, &b) in group.iter().zip(&group[1..]) {
                    prop_assert!(reaches[a as usize][b as usize] && reaches[b as usize][a as usize]);
                }
            }
        }
    }
}
