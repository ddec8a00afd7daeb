//! A learner that ends when the user asks the program to stop.

use undust_cluster::clusters::Clusters;
use undust_learn::observer::Observer;
use undust_live::engine::{AutoLearner, Hypotheses, Learn};
use undust_pages::page::Page;
use undust_util::error::Result;

use crate::cli::progress::interrupted;

/// Learns until the user asks the program to stop: a replay learns again and again.
pub(crate) struct UntilInterrupted(pub(crate) AutoLearner);

/// Observes the signals alone.
struct Signals;

impl Observer for Signals {
    fn interrupted(&self) -> bool {
        interrupted()
    }
}

impl Learn for UntilInterrupted {
    fn begin(&self) -> Hypotheses {
        self.0.begin()
    }

    fn learn(&self, pages: &[Page], clusters: &Clusters, _: &dyn Observer) -> Result<Hypotheses> {
        self.0.learn(pages, clusters, &Signals)
    }

    fn is_interrupted(&self) -> bool {
        interrupted()
    }
}
