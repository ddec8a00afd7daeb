//! What was learned of several crawls of a site must hold on each of them.

use crate::learned::Learned;
use undust_cluster::clusters::{ClusterOptions, Clusters, cluster};
use undust_pages::page::Page;

use super::detect::{Subject, detect};
use crate::ordered::distinct;

/// How often the other operations are tested again: dropping one changes what they do.
pub const ROUNDS: usize = 10;

/// Drops what one of the crawls refutes, rules, edits and how URLs are normalised, until none does, and
/// records it in the report. A network stays as it is.
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
            let drift = detect(pages, clusters, Subject::from(&learned));
            for operation in drift.refuted() {
                let reference = operation.reference.clone();
                refuted.extend(reference.map(|reference| (reference, operation.label())));
            }
        }
        let refuted = distinct(refuted);
        if refuted.is_empty() {
            break;
        }
        let operations = refuted.iter().map(|(reference, _)| reference);
        (learned.model, learned.conventions) =
            learned.model.pruned(learned.conventions, operations);
        learned.report.refuted.extend(refuted.into_iter().map(|(_, notation)| notation));
    }
    learned
}
