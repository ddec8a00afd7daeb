//! What becomes of a URL, and what became of all so far.

use serde::{Deserialize, Serialize};

use super::audit::Audits;

/// What becomes of a URL that leaves the queue.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Decision {
    /// It may show a page that nobody has seen.
    Fetch,
    /// It shows a page that was fetched.
    Skip {
        /// Its form.
        form: String,
        /// What gives it this form.
        why: String,
        /// How many URLs of this form were fetched and showed one page; of earlier crawls, eight at most.
        fetched: u32,
        /// The probability that it shows another page, which then is lost.
        loss: f32,
    },
    /// It is to be fetched, which tests whether such URLs can be skipped.
    Probe {
        /// What is tested.
        hypothesis: String,
    },
}

impl Decision {
    /// Whether the URL is fetched.
    pub fn fetches(&self) -> bool {
        !matches!(self, Self::Skip { .. })
    }
}

/// A URL and what becomes of it, as JSON has them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecidedUrl<'u> {
    /// The URL as it came.
    pub url: &'u str,
    /// What becomes of it.
    #[serde(flatten)]
    pub decision: Decision,
}

/// What became of the URLs of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SiteStats {
    /// Pages fetched.
    pub fetched: u64,
    /// Distinct pages of the current crawl.
    pub distinct: u64,
    /// URLs skipped.
    pub skipped: u64,
    /// The current crawl, from 1 on.
    pub crawl: u16,
    /// Pages fetched in it.
    pub fetched_in_crawl: u64,
    /// URLs skipped in it.
    pub skipped_in_crawl: u64,
    /// Of these, those that the model gives the form of another.
    pub by_model: u64,
    /// Of these, those that a proposal does which proved right.
    pub by_probes: u64,
    /// Of these, those that were certain enough to need no audit, such as the hundreds of URLs of
    /// one endless page. The bound of the audits says nothing of them; probes go on.
    pub settled: u64,
    /// Fetches that tested a proposal. A killed process loses count of those that did not replace a skip.
    pub probes: u64,
    /// URLs that were decided upon and have not come back.
    pub pending: u64,
    /// What audits showed.
    pub audits: Audits,
    /// At most this share of the skips lost a page, at all times at once with probability 0.95.
    pub lost_share_bound: f64,
    /// The sum of the probabilities that a skip lost a page.
    pub spent: f64,
    /// Times that the site was learned.
    pub learnings: u32,
    /// Learnings that failed.
    pub failed_learnings: u32,
    /// Kinds of skips that audits have stopped since the last learning.
    pub switched_off: u64,
    /// Whether the site, or a folder of it, answers everything with one page at the moment, of
    /// which nothing is learned.
    pub banned: bool,
    /// Pages of bans, which say nothing.
    pub ignored: u64,
}
