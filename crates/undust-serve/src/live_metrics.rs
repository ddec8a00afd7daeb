//! What is counted of decisions in the crawl.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry as Metrics;

use undust_live::Live;
use undust_live::engine::LiveTotals;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfDecision {
    decision: &'static str,
}

/// Decisions and responses since the service started, and figures of the state, all sites together.
#[derive(Debug, Default)]
pub(super) struct LiveCounted {
    decisions: Family<OfDecision, Counter>,
    /// Events that report responses.
    pub responses: Counter,
    sites: Gauge,
    fetched: Gauge,
    distinct: Gauge,
    skipped: Gauge,
    audited: Gauge,
    lost: Gauge,
    learnings: Gauge,
    failed_learnings: Gauge,
    banned: Gauge,
    pending: Gauge,
    lost_share_bound: Gauge<f64, AtomicU64>,
}

impl LiveCounted {
    pub(super) fn register(&self, metrics: &mut Metrics) {
        let metrics = metrics.sub_registry_with_prefix("live");
        let help = "URLs decided upon, by decision";
        metrics.register("decisions", help, self.decisions.clone());
        let help = "Responses that crawlers reported";
        metrics.register("responses", help, self.responses.clone());
        for (name, help, gauge) in [
            ("sites", "Sites of which something came back", &self.sites),
            ("pages_fetched", "Pages fetched", &self.fetched),
            ("pages_distinct", "Distinct pages found in the current crawl", &self.distinct),
            ("urls_skipped", "URLs skipped", &self.skipped),
            ("audits", "URLs fetched to measure what skips lose", &self.audited),
            ("audits_lost", "Audits that showed a new page", &self.lost),
            ("learnings", "Times that a site was learned", &self.learnings),
            ("failed_learnings", "Learnings that failed", &self.failed_learnings),
            (
                "sites_banned",
                "Sites that answer all, or all of a folder, with one page now",
                &self.banned,
            ),
            ("urls_pending", "URLs to be fetched that have not come back", &self.pending),
        ] {
            metrics.register(name, help, gauge.clone());
        }
        let help = "At most this share of the skips lost a page, with probability 0.95";
        metrics.register("lost_share_bound", help, self.lost_share_bound.clone());
    }

    pub(super) fn decided(&self, decision: &'static str) {
        self.decisions.get_or_create(&OfDecision { decision }).inc();
    }

    /// Takes the figures of all sites.
    pub(super) fn found(&self, live: &Live) {
        let totals = live.totals();
        let LiveTotals { audits, lost_share_bound, .. } = totals;
        for (gauge, count) in [
            (&self.sites, totals.sites),
            (&self.fetched, totals.fetched),
            (&self.distinct, totals.distinct),
            (&self.skipped, totals.skipped),
            (&self.audited, audits.audited),
            (&self.lost, audits.lost),
            (&self.learnings, totals.learnings),
            (&self.failed_learnings, totals.failed_learnings),
            (&self.banned, totals.banned),
            (&self.pending, totals.pending),
        ] {
            gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
        }
        self.lost_share_bound.set(lost_share_bound);
    }
}
