//! The gate at work on a crawl: what is proposed, accepted and lost so far.

use rustc_hash::FxHashMap;

use undust_edits::accepted::AcceptedEdit;
use undust_edits::edit::JOINT;

use super::accepted_edits::AcceptedEdits;
use super::candidate::{Candidate, CandidateKey};
use super::family::Families;
use super::limits::LossLimits;
use super::named_pages::named;
use super::rates::Rates;
use crate::gate::forms::Forms;
use crate::gate::propose::Proposals;
use crate::gate::rows::Rows;
use crate::observer::Observer;

/// The gate at work on a crawl.
pub(crate) struct Gate<'g> {
    pub(super) rows: &'g mut Rows,
    pub(super) literals: Vec<u32>,
    pub(super) proposals: Proposals,
    pub(super) limits: LossLimits,
    pub(super) forms: Forms,
    /// The form of each URL.
    pub(super) form_of: Vec<u64>,
    /// By shape: whether it was changed since candidates were listed.
    pub(super) is_changed: Vec<bool>,
    /// By URL: whether a word of it names its page.
    pub(super) is_named: Vec<bool>,
    pub(super) candidates: FxHashMap<CandidateKey, Candidate>,
    pub(super) rates: Rates,
    pub(super) families: Families,
    pub(super) accepted: AcceptedEdits,
    pub(super) epoch: u32,
    /// The largest kind of edits that is tested.
    pub(super) kinds: usize,
    pub(super) observer: &'g dyn Observer,
}

impl<'g> Gate<'g> {
    /// The gate for a crawl; `literals` are the numbers of the literals' texts.
    pub(crate) fn new(
        rows: &'g mut Rows,
        literals: Vec<u32>,
        proposals: Proposals,
        limits: LossLimits,
    ) -> Self {
        let mut form_of = vec![0; rows.clusters.len()];
        for row in &rows.shapes {
            for url in &row.urls {
                let form = rows.form(*url, &row.program, &literals);
                form_of[*url as usize] = form;
            }
        }
        let is_named = named(rows, &[]);
        let forms = Forms::new(form_of.iter().copied().zip(rows.clusters.iter().copied()));
        let clusters = rows.clusters.iter().max().map_or(0, |last| *last as usize + 1);
        let most_lost = (limits.total * clusters as f64) as i32;
        Self {
            rows,
            literals,
            proposals,
            limits,
            forms,
            form_of,
            is_changed: Vec::new(),
            is_named,
            candidates: FxHashMap::default(),
            rates: Rates::default(),
            families: Families::default(),
            accepted: AcceptedEdits::new(most_lost),
            epoch: 0,
            kinds: JOINT,
            observer: &(),
        }
    }

    /// With the titles of the clusters' pages, as hashes.
    pub(crate) fn titled(self, titles: Vec<Option<u64>>) -> Self {
        let is_named = named(self.rows, &titles);
        Self { is_named, ..self }
    }

    /// Reports progress to an observer, which may interrupt the gate: what was accepted until then stays.
    pub(crate) fn observed(self, observer: &'g dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// Whether anything was accepted.
    pub(crate) fn has_accepted(&self) -> bool {
        !self.accepted.edits.is_empty()
    }

    /// What was accepted, in order.
    pub(crate) fn into_accepted(self) -> Vec<AcceptedEdit> {
        self.accepted.edits
    }

    /// Sets the numbers of the literals' texts after literals were added.
    pub(crate) fn write(&mut self, literals: Vec<u32>) {
        self.literals = literals;
    }
}
