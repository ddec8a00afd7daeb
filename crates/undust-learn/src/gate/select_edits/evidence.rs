//! What is known of a crawl, and what is proposed: none of it changes while edits are accepted.

use undust_edits::edit::Edit;
use undust_edits::program::{Cell, Program};
use undust_url::lexicon::Lexicon;

use super::limits::LossLimits;
use super::named_pages::named;
use crate::gate::budget::drop_costly;
use crate::gate::propose::{Differences, Proposals};
use crate::gate::rows::Rows;

/// What is known of a crawl, and what is proposed.
pub(crate) struct Evidence {
    /// The crawl.
    pub(super) rows: Rows,
    /// The numbers of the literals' texts.
    pub(super) literals: Vec<u32>,
    /// The edits to test.
    pub(super) proposals: Proposals,
    /// How much may be lost.
    pub(super) limits: LossLimits,
    /// By URL: whether a word of it names its page.
    is_named: Vec<bool>,
}

impl Evidence {
    /// Of a crawl; `titles` are those of the clusters' pages, as hashes, and `literals` the numbers of the literals'
    /// texts.
    pub(crate) fn new(
        rows: Rows,
        titles: &[Option<u64>],
        literals: Vec<u32>,
        proposals: Proposals,
        limits: LossLimits,
    ) -> Self {
        let is_named = named(&rows, titles);
        Self { rows, literals, proposals, limits, is_named }
    }

    /// The URLs of a shape.
    pub(super) fn urls(&self, shape: u32) -> &[u32] {
        &self.rows.shapes[shape as usize].urls
    }

    /// The cluster of a URL.
    pub(super) fn cluster(&self, url: u32) -> u32 {
        self.rows.clusters[url as usize]
    }

    /// Whether a word of a URL names its page.
    pub(super) fn is_named(&self, url: u32) -> bool {
        self.is_named[url as usize]
    }

    /// The hash of the form that `program` gives a URL.
    pub(super) fn form(&self, url: u32, program: &[Cell]) -> u64 {
        self.rows.form(url, program, &self.literals)
    }

    /// A proposed edit by its number.
    pub(super) fn edit(&self, number: u32) -> &Edit {
        self.proposals.edit(number)
    }

    /// Clusters that all edits together may lose.
    pub(super) fn most_lost(&self) -> i32 {
        let clusters = self.rows.clusters.iter().max().map_or(0, |last| *last as usize + 1);
        (self.limits.total * clusters as f64) as i32
    }

    /// Proposes what enough of these differences suggest, as long as a URL can pay for it; whether any was not proposed
    /// before. `programs` are those of the shapes.
    pub(super) fn propose(
        &mut self,
        differences: Differences,
        lexicon: &Lexicon,
        programs: &[Program],
    ) -> bool {
        let before = self.proposals.len();
        self.proposals.add_all(differences, lexicon);
        let is_new = self.proposals.len() > before;
        if is_new {
            drop_costly(&mut self.proposals, &self.rows, programs);
        }
        is_new
    }
}
