//! What was learned of several crawls of a site must hold on each of them.

use super::judge::{Subject, judge};
use crate::cluster::{ClusterOptions, Clusters, cluster};
use crate::model::Learned;
use crate::page::Page;

/// Dropping an operation changes what others do, so that they are judged again; so often.
pub(crate) const ROUNDS: usize = 10;

/// Drops the rules or edits that one of the crawls refutes, until none does, and records them in
/// the report. A network stays as it is.
pub(crate) fn drop_refuted(
    mut learned: Learned,
    crawls: &[Vec<Page>],
    options: &ClusterOptions,
) -> Learned {
    let clustered = |pages: &Vec<Page>| cluster(pages, options);
    let clusters: Vec<Clusters> = crawls.iter().map(clustered).collect();
    for _ in 0..ROUNDS {
        let mut refuted = Vec::new();
        for (pages, clusters) in crawls.iter().zip(&clusters) {
            let drift = judge(pages, clusters, Subject::from(&learned));
            for operation in drift.refuted() {
                refuted.extend(operation.place.map(|place| (place, operation.notation.clone())));
            }
        }
        refuted.sort_unstable();
        refuted.dedup();
        if refuted.is_empty() {
            break;
        }
        let places = refuted.iter().map(|(place, _)| *place).collect();
        learned.model = learned.model.without(&places);
        learned.report.refuted.extend(refuted.into_iter().map(|(_, notation)| notation));
    }
    learned
}
