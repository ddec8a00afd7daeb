//! The index of tier 2: which groups hold a page like this one. It lives in two tables, by digest
//! and by title and fingerprint, each with the number of such pages a group has, so that thousands
//! of equal pages are one row.
//!
//! The pages of a batch are compared with all rows of their titles at once: the rows that agree with
//! none of them in a block of bits are passed over (Manku, Jain and Das Sarma, WWW 2007), the rest is
//! joined as [`hamming`](undust_cluster::hamming) does it. Two rows that were there before are not
//! compared with each other.

use std::mem;

use redb::ReadableTable;
use rustc_hash::{FxHashMap, FxHashSet};

use undust_cluster::clusters::ClusterOptions;
use undust_cluster::groups::UnionFind;
use undust_cluster::hamming;
use undust_cluster::hamming::{Fingerprint, PairSink};
use undust_util::op_counter;

use super::fault::Stored;
use super::record::Content;
use super::same::near_key;
use super::store::Tables;

/// The tables, and what a batch has changed in them so far.
pub(super) struct Index {
    options: ClusterOptions,
    /// Pages that are no longer there.
    gone_digests: FxHashMap<(u64, u32), u32>,
    gone_near: FxHashMap<(u64, u64, u32), u32>,
    /// Groups that have a new page of a digest, or of a title, with its fingerprint.
    new_digests: FxHashMap<u64, Vec<u32>>,
    new_near: FxHashMap<u64, Vec<(u64, u32)>>,
}

/// One fingerprint under one title, of a page or a group, each of which is a node.
struct Cell {
    value: u64,
    node: u32,
    is_new: bool,
}

impl Index {
    pub(super) fn new(options: ClusterOptions) -> Self {
        let (gone_digests, gone_near, new_digests, new_near) = Default::default();
        Self { options, gone_digests, gone_near, new_digests, new_near }
    }

    /// A page with this content is no longer in the group.
    pub(super) fn forget(&mut self, content: Content, group: u32) {
        if let Some(digest) = content.digest {
            *self.gone_digests.entry((digest, group)).or_default() += 1;
        }
        if let Some((key, simhash)) = near_key(content, &self.options) {
            *self.gone_near.entry((key, simhash, group)).or_default() += 1;
        }
    }

    /// A page with this content is in the group now.
    pub(super) fn note(&mut self, content: Content, group: u32) {
        if let Some(digest) = content.digest {
            self.new_digests.entry(digest).or_default().push(group);
        }
        if let Some((key, simhash)) = near_key(content, &self.options) {
            self.new_near.entry(key).or_default().push((simhash, group));
        }
    }

    /// Unites pages with what they are equal to. The nodes are the pages, in their order, then the
    /// groups that are returned.
    pub(super) fn join(
        &self,
        tables: &Tables<'_>,
        pages: &[Content],
    ) -> Stored<(UnionFind, Vec<u32>)> {
        let mut nodes = Nodes { sets: UnionFind::new(pages.len()), ..Nodes::default() };
        self.join_digests(tables, pages, &mut nodes)?;
        self.join_near(tables, pages, &mut nodes)?;
        Ok((nodes.sets, nodes.groups))
    }

    fn join_digests(
        &self,
        tables: &Tables<'_>,
        pages: &[Content],
        nodes: &mut Nodes,
    ) -> Stored<()> {
        let with_digest = (0..).zip(pages).filter_map(|(node, page)| Some((page.digest?, node)));
        let mut by_digest: Vec<(u64, u32)> = with_digest.collect();
        by_digest.sort_unstable();
        for equal in by_digest.chunk_by(|a, b| a.0 == b.0) {
            let (digest, first) = equal[0];
            equal.iter().for_each(|&(_, node)| nodes.sets.union(first, node));
            for row in tables.digests.range((digest, 0)..=(digest, u32::MAX))? {
                let (key, count) = row?;
                let (_, group) = key.value();
                if count.value() > self.gone_digests.get(&(digest, group)).copied().unwrap_or(0) {
                    let node = nodes.of_group(group);
                    nodes.sets.union(first, node);
                }
            }
            for &group in self.new_digests.get(&digest).into_iter().flatten() {
                let node = nodes.of_group(group);
                nodes.sets.union(first, node);
            }
        }
        Ok(())
    }

    fn join_near(&self, tables: &Tables<'_>, pages: &[Content], nodes: &mut Nodes) -> Stored<()> {
        let with_key = (0..).zip(pages).filter_map(|(node, page)| {
            let (title, value) = near_key(*page, &self.options)?;
            Some((title, Cell { value, node, is_new: true }))
        });
        let mut by_title: Vec<(u64, Cell)> = with_key.collect();
        by_title.sort_unstable_by_key(|(title, cell)| (*title, cell.value, cell.node));
        let mut cells = Vec::new();
        let mut rest = by_title.into_iter().peekable();
        while let Some((title, cell)) = rest.next() {
            cells.clear();
            cells.push(cell);
            while let Some((_, cell)) = rest.next_if(|(next, _)| *next == title) {
                cells.push(cell);
            }
            self.add_known(tables, title, &mut cells, nodes)?;
            join_cells(&mut cells, self.options.bits, nodes);
        }
        Ok(())
    }

    /// Adds the cells of groups that have pages of a title, and could be near one of `cells`.
    fn add_known(
        &self,
        tables: &Tables<'_>,
        title: u64,
        cells: &mut Vec<Cell>,
        nodes: &mut Nodes,
    ) -> Stored<()> {
        let blocks = Blocks::of(cells, self.options.bits);
        let mut add = |value, group| {
            op_counter::count(1);
            if blocks.share_one(value) {
                let node = nodes.of_group(group);
                cells.push(Cell { value, node, is_new: false });
            }
        };
        for row in tables.near.range((title, 0, 0)..=(title, u64::MAX, u32::MAX))? {
            let (key, count) = row?;
            let (_, value, group) = key.value();
            let gone = self.gone_near.get(&(title, value, group)).copied().unwrap_or(0);
            if count.value() > gone {
                add(value, group);
            }
        }
        for &(value, group) in self.new_near.get(&title).into_iter().flatten() {
            add(value, group);
        }
        Ok(())
    }
}

/// The blocks of bits that new values have: a value at most k bits from one of them has one of
/// these.
enum Blocks {
    /// Few values: each is asked.
    Few(Vec<u64>, u32),
    /// By block: its bits, and the values there.
    Many(Vec<(u64, FxHashSet<u64>)>),
}

/// Up to this many values it is cheaper to ask each.
const FEW: usize = 8;

impl Blocks {
    fn of(cells: &[Cell], k: u32) -> Self {
        let values = cells.iter().map(|cell| cell.value);
        if cells.len() <= FEW {
            return Self::Few(values.collect(), k);
        }
        let blocks = hamming::blocks(u64::MAX, k + 1, 1);
        Self::Many(blocks.map(|bits| (bits, values.clone().map(|v| v & bits).collect())).collect())
    }

    fn share_one(&self, value: u64) -> bool {
        match self {
            Self::Few(values, k) => values.iter().any(|other| (value ^ other).count_ones() <= *k),
            Self::Many(blocks) => {
                blocks.iter().any(|(bits, values)| values.contains(&(value & bits)))
            }
        }
    }
}

/// Unites the nodes of cells at most k bits apart, one of which is new.
fn join_cells(cells: &mut [Cell], k: u32, nodes: &mut Nodes) {
    if cells.len() < 2 {
        return;
    }
    cells.sort_unstable_by_key(|cell| (cell.value, cell.node));
    let (mut values, mut spans) = (Vec::new(), Vec::new());
    let mut start = 0;
    for equal in cells.chunk_by(|a, b| a.value == b.value) {
        let has_new = equal.iter().any(|cell| cell.is_new);
        if has_new {
            equal.iter().for_each(|cell| nodes.sets.union(equal[0].node, cell.node));
        }
        values.push(Fingerprint { value: equal[0].value, id: spans.len() as u32 });
        spans.push(Span { cells: &cells[start..start + equal.len()], has_new });
        start += equal.len();
    }
    let is_united = spans.iter().map(|span| span.has_new).collect();
    let mut joiner = Joiner { sets: &mut nodes.sets, spans: &spans, is_united };
    op_counter::count(hamming::join(&mut values, k, &mut joiner) as usize);
}

/// The cells with one value.
struct Span<'c> {
    cells: &'c [Cell],
    has_new: bool,
}

struct Joiner<'j, 'c> {
    sets: &'j mut UnionFind,
    spans: &'j [Span<'c>],
    /// By span: whether its cells are one set. Those of a span with a new one are, and later those of
    /// what is near one.
    is_united: Vec<bool>,
}

impl PairSink for Joiner<'_, '_> {
    fn pair(&mut self, a: u32, b: u32) {
        let spans = [a, b].map(|position| &self.spans[position as usize]);
        if !spans.iter().any(|span| span.has_new) {
            return;
        }
        for (position, span) in [a, b].into_iter().zip(spans) {
            if !mem::replace(&mut self.is_united[position as usize], true) {
                span.cells.iter().for_each(|cell| self.sets.union(span.cells[0].node, cell.node));
            }
        }
        self.sets.union(spans[0].cells[0].node, spans[1].cells[0].node);
    }

    /// The others are one set: what they have in common was found before.
    fn set_of(&mut self, position: u32) -> Option<u32> {
        const OLD: u32 = u32::MAX;
        let is_united = self.is_united[position as usize];
        Some(if is_united {
            self.sets.root(self.spans[position as usize].cells[0].node)
        } else {
            OLD
        })
    }
}

/// Pages and groups in sets.
struct Nodes {
    sets: UnionFind,
    groups: Vec<u32>,
    known: FxHashMap<u32, u32>,
}

impl Default for Nodes {
    fn default() -> Self {
        let (groups, known) = Default::default();
        Self { sets: UnionFind::new(0), groups, known }
    }
}

impl Nodes {
    fn of_group(&mut self, group: u32) -> u32 {
        *self.known.entry(group).or_insert_with(|| {
            self.groups.push(group);
            self.sets.grow()
        })
    }
}
