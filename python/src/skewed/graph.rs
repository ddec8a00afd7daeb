//! URLs and links become clusters.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use pyo3::prelude::*;
use undust::cluster::distributed::{ClusterOf, Node, SiteGraph};

use super::{PAGE, REDIRECT};
use crate::table::{Rows, Whole, batch_of};

/// The duplicate clusters of one site, of its URLs and then its links, each in batches.
#[pyclass(module = "undust")]
#[derive(Default)]
pub(crate) struct SiteClusters {
    graph: SiteGraph,
}

#[pymethods]
impl SiteClusters {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Takes rows of URLs, in the order of the crawl, or of links, which have `other`.
    fn push(&mut self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<()> {
        let batch = batch_of(batch)?;
        py.detach(|| self.push_batch(&batch))
    }

    /// The pages of other sites to which pages of the site lead, by the hashes of their URLs.
    fn ends_elsewhere(&mut self, py: Python<'_>) -> PyResult<Rows> {
        py.detach(|| {
            let ends = self.graph.ends_elsewhere().into_iter().map(u64::cast_signed);
            let hashes = Int64Array::from_iter_values(ends);
            Rows::of(vec![("hash", Arc::new(hashes) as ArrayRef)])
        })
    }

    /// The cluster of each page, by the hash of its URL.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Rows> {
        let graph = std::mem::take(&mut self.graph);
        py.detach(|| {
            let clusters = graph.finish();
            let column = |of: fn(&ClusterOf) -> i64| -> ArrayRef {
                Arc::new(clusters.iter().map(|of_page| Some(of(of_page))).collect::<Int64Array>())
            };
            Rows::of(vec![
                ("hash", column(|of| of.url.cast_signed())),
                ("cluster", column(|of| of.cluster.into())),
                ("size", column(|of| of.size.into())),
            ])
        })
    }
}

impl SiteClusters {
    fn push_batch(&mut self, batch: &RecordBatch) -> PyResult<()> {
        let [hashes, others, are_own, outcomes] =
            ["hash", "other", "own", "outcome"].map(|name| Whole::of(batch, name));
        let (hashes, others, are_own, outcomes) = (hashes?, others?, are_own?, outcomes?);
        let targets =
            batch.column_by_name("targets").and_then(|column| column.as_binary_opt::<i32>());
        for row in 0..batch.num_rows() {
            let Some(hash) = hashes.get(row).map(i64::cast_unsigned) else { continue };
            if let Some(other) = others.get(row) {
                self.graph.link(hash, other.cast_unsigned());
                continue;
            }
            let bytes = targets
                .filter(|column| column.is_valid(row))
                .map_or(&[][..], |column| column.value(row));
            let (words, _) = bytes.as_chunks::<8>();
            let led_to: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
            let node = match outcomes.get(row).map(i32::try_from) {
                Some(Ok(PAGE)) => Node::Page,
                Some(Ok(REDIRECT)) => Node::Redirect(&led_to),
                _ => Node::Nothing,
            };
            self.graph.push(hash, are_own.get(row) == Some(1), node);
        }
        Ok(())
    }
}
