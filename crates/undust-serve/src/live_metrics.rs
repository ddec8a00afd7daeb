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

type Figure = fn(&LiveTotals) -> u64;

/// The figures of the state, with their help.
const GAUGES: [(&str, &str, Figure); 10] = [
    ("sites", "Sites of which something came back", |all| all.sites),
    ("pages_fetched", "Pages fetched", |all| all.fetched),
    ("pages_distinct", "Distinct pages found in the current crawl", |all| all.distinct),
    ("urls_skipped", "URLs skipped", |all| all.skipped),
    ("audits", "URLs fetched to measure what skips lose", |all| all.audits.audited),
    ("audits_lost", "Audits that showed a new page", |all| all.audits.lost),
    ("learnings", "Times that a site was learned", |all| all.learnings),
    ("failed_learnings", "Learnings that failed", |all| all.failed_learnings),
    ("sites_banned", "Sites that answer all, or all of a folder, with one page now", |all| {
        all.banned
    }),
    ("urls_pending", "URLs to be fetched that have not come back", |all| all.pending),
];

/// Decisions and responses since the service started, and figures of the state, all sites together.
#[derive(Debug, Default)]
pub(super) struct LiveCounted {
    decisions: Family<OfDecision, Counter>,
    /// Events that report responses.
    pub responses: Counter,
    gauges: [Gauge; GAUGES.len()],
    lost_share_bound: Gauge<f64, AtomicU64>,
}

impl LiveCounted {
    pub(super) fn register(&self, metrics: &mut Metrics) {
        let metrics = metrics.sub_registry_with_prefix("live");
        let help = "URLs decided upon, by decision";
        metrics.register("decisions", help, self.decisions.clone());
        let help = "Responses that crawlers reported";
        metrics.register("responses", help, self.responses.clone());
        for ((name, help, _), gauge) in GAUGES.iter().zip(&self.gauges) {
            metrics.register(*name, *help, gauge.clone());
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
        for ((.., count), gauge) in GAUGES.iter().zip(&self.gauges) {
            gauge.set(i64::try_from(count(&totals)).unwrap_or(i64::MAX));
        }
        self.lost_share_bound.set(totals.lost_share_bound);
    }
}
