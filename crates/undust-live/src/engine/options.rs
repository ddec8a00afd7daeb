//! How a crawl is watched.

use std::time::Duration;

use undust_cluster::clusters::ClusterOptions;
use undust_url::site::SiteBy;

use super::evidence::Hypotheses;
use super::propose::AnyHost;

/// How a crawl is watched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngineOptions {
    /// The sum of the probabilities that a skip loses a page stays below this share of the distinct
    /// pages found. A site may spend half a page more while all sites together stay within it.
    pub risk: f64,
    /// Share of the skips that is fetched all the same, to measure what skips lose.
    pub audits: f64,
    /// Fetched pages of a site at which it is learned for the first time.
    pub first_learning: usize,
    /// It is learned again whenever its fetched pages have grown by this factor; more than 1.
    pub growth: f64,
    /// Whether forms that nobody has proven are probed and believed.
    pub probes: bool,
    /// Whether the budget holds; without it only skips that are unlikely to be right are refused.
    pub budget: bool,
    /// Whether sites are learned beside the crawl; otherwise the crawl waits, and the same events
    /// give the same decisions whatever the time.
    pub background: bool,
    /// After which time at the latest an answer outlives a loss of power; zero: before it is given.
    pub sync: Duration,
    /// Bytes of memory that the engine takes at most, about. Which URLs of a site were fetched, and what each showed, is
    /// never forgotten: some 55 bytes for each page.
    pub memory: usize,
    /// What a site is.
    pub site_by: SiteBy,
    /// What a duplicate is.
    pub clusters: ClusterOptions,
}

/// Pages that a site is learned from at most: more hardly change a verdict.
const MOST_ROWS: usize = 200_000;

/// Bytes that a page takes while a site is learned, about, and each byte of a URL that is long.
const BYTES_OF_ROW: usize = 1000;
const BYTES_OF_BYTE: usize = 4;

/// Bytes that the page of such a URL takes while a site is learned, about.
pub(super) fn bytes_of_row(url: &str) -> usize {
    BYTES_OF_ROW.max(BYTES_OF_BYTE * url.len())
}

impl EngineOptions {
    /// What is proposed for such sites, besides this.
    pub(super) fn with_own(&self, mut hypotheses: Hypotheses) -> Hypotheses {
        if self.site_by == SiteBy::Domain {
            hypotheses.given.push(Box::new(AnyHost));
        }
        hypotheses
    }

    /// Bytes that the pages which a site is learned from take at most, about.
    pub(super) fn bytes_of_learning(&self) -> usize {
        (self.memory / 8).min(MOST_ROWS * BYTES_OF_ROW)
    }
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            risk: 0.006,
            audits: 0.02,
            first_learning: 200,
            growth: 1.5,
            probes: true,
            budget: true,
            background: true,
            sync: Duration::from_secs(1),
            memory: 1 << 30,
            site_by: SiteBy::Host,
            clusters: ClusterOptions::default(),
        }
    }
}
