//! What is counted, as Prometheus reads it. There is no label for a site: a fleet has too many.

use std::time::{Duration, SystemTime};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry as Metrics;

use undust_model::queue::QueueCounts;
use undust_model::registry::InMemory;
use undust_model::translation::{How, Reason};

use super::live_metrics::LiveCounted;

/// What became of a URL, as `undust_urls_total` counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Changed,
    Same,
    Invalid,
    NoModel,
    /// The model cannot be loaded, and there is none before it.
    Fallback,
}

impl Outcome {
    const NAMES: [&str; 5] = ["changed", "same", "invalid", "no_model", "fallback"];

    pub(super) fn of(how: How, is_changed: bool) -> Self {
        match how {
            How::Unchanged(Reason::NoUrl | Reason::TooLong) => Self::Invalid,
            How::Unchanged(Reason::NoModel) => Self::NoModel,
            How::Unchanged(Reason::BrokenModel) => Self::Fallback,
            _ if is_changed => Self::Changed,
            _ => Self::Same,
        }
    }
}

/// How many URLs had which outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    of: [u64; 5],
    /// Those of the same that are fetched all the same.
    explored: u64,
}

impl Outcomes {
    pub(super) fn add(&mut self, outcome: Outcome, is_explored: bool) {
        self.of[outcome as usize] += 1;
        self.explored += u64::from(is_explored);
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.of.iter_mut().zip(other.of).for_each(|(one, more)| *one += more);
        self.explored += other.explored;
        self
    }

    /// URLs in all.
    pub(super) fn sum(&self) -> u64 {
        self.of.iter().sum()
    }

    pub(super) fn of_lines(counts: &QueueCounts) -> Self {
        let of = |reason| counts.of(How::Unchanged(reason));
        let (invalid, none) = (of(Reason::NoUrl) + of(Reason::TooLong), of(Reason::NoModel));
        let fallback = of(Reason::BrokenModel);
        let described = counts.changed + invalid + none + fallback;
        let same = counts.lines.saturating_sub(described);
        Self { of: [counts.changed, same, invalid, none, fallback], explored: counts.explored }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfOutcome {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfClass {
    class: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfModel {
    model: &'static str,
}

const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// Everything that is counted. Counting takes no lock but those of the two histograms.
#[derive(Debug)]
pub(super) struct Counted {
    metrics: Metrics,
    urls: [Counter; 5],
    responses: [Counter; 5],
    translate_seconds: Histogram,
    batch_size: Histogram,
    explored: Counter,
    conflicts: Counter,
    pub connections: Gauge,
    pub refused_connections: Counter,
    models: Gauge,
    broken: Gauge,
    bytes: Gauge,
    age: Family<OfModel, Gauge>,
    pub live: LiveCounted,
}

impl Counted {
    pub(super) fn new() -> Self {
        let urls = Family::<OfOutcome, Counter>::default();
        let responses = Family::<OfClass, Counter>::default();
        let of_outcome = |outcome| urls.get_or_create_owned(&OfOutcome { outcome });
        let of_class = |class| responses.get_or_create_owned(&OfClass { class });
        let mut counted = Self {
            metrics: Metrics::with_prefix("undust"),
            urls: Outcome::NAMES.map(of_outcome),
            responses: CLASSES.map(of_class),
            translate_seconds: Histogram::new(exponential_buckets(1e-6, 4.0, 12)),
            batch_size: Histogram::new(exponential_buckets(1.0, 4.0, 9)),
            explored: Counter::default(),
            conflicts: Counter::default(),
            connections: Gauge::default(),
            refused_connections: Counter::default(),
            models: Gauge::default(),
            broken: Gauge::default(),
            bytes: Gauge::default(),
            age: Family::default(),
            live: LiveCounted::default(),
        };
        counted.register(urls, responses);
        counted
    }

    fn register(&mut self, urls: Family<OfOutcome, Counter>, responses: Family<OfClass, Counter>) {
        let metrics = &mut self.metrics;
        metrics.register("urls", "Requested URLs, by result", urls);
        metrics.register("http_responses", "HTTP responses, by status class", responses);
        let help = "Time to translate one URL, batch or block of lines";
        metrics.register("translate_seconds", help, self.translate_seconds.clone());
        let help = "URLs per batch";
        metrics.register("batch_size", help, self.batch_size.clone());
        let help = "Explored URLs: returned unchanged although the model changes them";
        metrics.register("explored", help, self.explored.clone());
        let help = "Explored URLs that showed another page than their canonical form";
        metrics.register("rule_conflicts", help, self.conflicts.clone());
        metrics.register("connections", "Open connections", self.connections.clone());
        let help = "Connections refused because there were too many";
        metrics.register("refused_connections", help, self.refused_connections.clone());
        metrics.register("models_loaded", "Models in memory", self.models.clone());
        let help = "Models whose current folder cannot be loaded; the previous one is served, \
                    if there was one";
        metrics.register("models_broken", help, self.broken.clone());
        metrics.register(
            "models_bytes",
            "Approximate bytes of the models in memory",
            self.bytes.clone(),
        );
        let help = "Time since models in memory were trained";
        metrics.register("model_age_seconds", help, self.age.clone());
        self.live.register(metrics);
    }

    /// Counts URLs that were translated together.
    pub(super) fn translated(&self, outcomes: Outcomes, time: Duration) {
        for (counter, count) in self.urls.iter().zip(outcomes.of).filter(|(_, count)| *count > 0) {
            counter.inc_by(count);
        }
        self.translate_seconds.observe(time.as_secs_f64());
        self.batch_size.observe(outcomes.sum() as f64);
        self.explored.inc_by(outcomes.explored);
    }

    /// Counts URLs that came back and showed another page.
    pub(super) fn conflicted(&self, urls: usize) {
        self.conflicts.inc_by(urls as u64);
    }

    /// Counts an answer.
    pub(super) fn responded(&self, status: u16) {
        let class = usize::from(status / 100).saturating_sub(1);
        if let Some(counter) = self.responses.get(class) {
            counter.inc();
        }
    }

    /// As Prometheus reads it, with what is in memory now.
    pub(super) fn describe(&self, held: &InMemory) -> String {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.models.set(number(held.models));
        self.broken.set(number(held.broken.len()));
        self.bytes.set(number(held.bytes));
        let written = held.written.iter();
        for (model, time) in [("oldest", written.clone().min()), ("newest", written.max())] {
            let age = time.map(|time| SystemTime::now().duration_since(*time).unwrap_or_default());
            let age = age.map_or(0, |age| i64::try_from(age.as_secs()).unwrap_or(i64::MAX));
            self.age.get_or_create(&OfModel { model }).set(age);
        }
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.metrics);
        text
    }
}
