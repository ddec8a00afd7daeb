//! What a live crawl counts of a site, as objects with attributes.

use pyo3::prelude::*;
use undust::live;

/// What became of the URLs of a site.
#[pyclass(frozen, get_all, eq, skip_from_py_object, module = "undust")]
#[derive(Clone, PartialEq)]
pub(crate) struct SiteStats {
    /// Pages fetched.
    fetched: u64,
    /// Distinct pages among them.
    distinct: u64,
    /// URLs skipped.
    skipped: u64,
    /// Skips by the form that the model gives.
    by_model: u64,
    /// Skips by a proposal that probes confirmed.
    by_probes: u64,
    /// Skips that were certain enough to need no audit; the bound says nothing of them.
    settled: u64,
    /// Fetches that tested a proposal.
    probes: u64,
    /// URLs that were decided upon and have not come back.
    pending: u64,
    /// What audits showed.
    audits: Audits,
    /// At most this share of the skips lost a page, at all times at once with probability 0.95.
    lost_share_bound: f64,
    /// The sum of the probabilities that a skip lost a page.
    spent: f64,
    /// Times that the site was learned.
    learnings: u32,
    /// Learnings that failed.
    failed_learnings: u32,
    /// Kinds of skips that audits have stopped since the last learning.
    switched_off: u64,
    /// Whether the site, or a folder of it, answers everything with one page at the moment, from
    /// which nothing is learned.
    banned: bool,
    /// Pages of bans, which say nothing.
    ignored: u64,
}

impl From<live::SiteStats> for SiteStats {
    fn from(stats: live::SiteStats) -> Self {
        let audits = stats.audits;
        let audits = Audits { trials: audits.trials, audited: audits.audited, lost: audits.lost };
        Self {
            fetched: stats.fetched,
            distinct: stats.distinct,
            skipped: stats.skipped,
            by_model: stats.by_model,
            by_probes: stats.by_probes,
            settled: stats.settled,
            probes: stats.probes,
            pending: stats.pending,
            audits,
            lost_share_bound: stats.lost_share_bound,
            spent: stats.spent,
            learnings: stats.learnings,
            failed_learnings: stats.failed_learnings,
            switched_off: stats.switched_off,
            banned: stats.banned,
            ignored: stats.ignored,
        }
    }
}

#[pymethods]
impl SiteStats {
    fn __repr__(&self) -> String {
        let Self { fetched, distinct, skipped, lost_share_bound: bound, .. } = self;
        format!(
            "<SiteStats {fetched} fetched, {distinct} distinct, {skipped} skipped, at most {bound:.4} of the skips lost>"
        )
    }
}

/// What audits showed.
#[pyclass(frozen, get_all, eq, skip_from_py_object, module = "undust")]
#[derive(Clone, PartialEq)]
pub(crate) struct Audits {
    /// URLs that were skipped, or would have been but for an audit.
    trials: u64,
    /// Of these, how many were drawn and came back.
    audited: u64,
    /// Of these, how many showed a page that nobody had seen.
    lost: u64,
}

#[pymethods]
impl Audits {
    fn __repr__(&self) -> String {
        let Self { trials, audited, lost } = self;
        format!("<Audits {audited} of {trials}, {lost} lost>")
    }
}
