//! Union-find: sets that only merge.

use serde::{Deserialize, Serialize};

use undust_util::op_counter;

use super::hamming::PairSink;

/// A partition of 0..n. The smallest member of each set is its root.
///
/// A union or a look-up takes O(log n) amortised, and hardly more than one step in practice,
/// because every walk halves its path.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// `len` sets of one member each.
    pub fn new(len: usize) -> UnionFind {
        UnionFind { parents: (0..len as u32).collect() }
    }

    /// One more set of one member, which is returned.
    pub fn grow(&mut self) -> u32 {
        let member = self.parents.len() as u32;
        self.parents.push(member);
        member
    }

    /// The smallest member of the set of `member`.
    pub fn root(&mut self, mut member: u32) -> u32 {
        loop {
            op_counter::count(1);
            let parent = self.parents[member as usize];
            if parent == member {
                return member;
            }
            let above = self.parents[parent as usize];
            self.parents[member as usize] = above;
            member = above;
        }
    }

    /// Bytes of memory.
    pub fn memory(&self) -> usize {
        self.parents.capacity() * size_of::<u32>()
    }

    /// Merges the sets of `a` and `b`.
    pub fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// A label for each member: sets are numbered from 0 in the order of their
    /// smallest members.
    pub fn into_labels(mut self) -> Vec<u32> {
        let mut labels: Vec<u32> = Vec::with_capacity(self.parents.len());
        let mut sets = 0;
        for member in 0..self.parents.len() as u32 {
            let root = self.root(member);
            if root == member {
                labels.push(sets);
                sets += 1;
            } else {
                labels.push(labels[root as usize]);
            }
        }
        labels
    }
}

impl PairSink for UnionFind {
    fn pair(&mut self, a: u32, b: u32) {
        self.union(a, b);
    }

    fn set_of(&mut self, position: u32) -> Option<u32> {
        Some(self.root(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_follow_the_smallest_members() {
        let mut sets = UnionFind::new(6);
        sets.union(5, 2);
        sets.union(4, 1);
        sets.union(2, 4);
        assert_eq!(sets.root(5), 1);
        assert_eq!(sets.into_labels(), [0, 1, 1, 2, 1, 1]);
    }

    #[test]
    fn a_long_chain_costs_no_stack() {
        let mut sets = UnionFind::new(1_000_000);
        for member in (1..1_000_000).rev() {
            sets.union(member, member - 1);
        }
        assert!(sets.into_labels().iter().all(|&label| label == 0));
    }
}
