//! A crawl and its clusters: read, written and described.

use std::io::{self, Write};

use undust_cluster::clusters::{ClusterOptions, Clusters, cluster_counting};
use undust_crawl::{ReadReport, read_pages_into};
use undust_pages::{LeftOut, Page, Pages, PagesBuilder};
use undust_util::{Result, counted, json};

use super::args::ClusterArgs;
use super::sample::Titles;
use crate::cli::output::Output;
use crate::cli::progress::{Watch, info};
use crate::cli::reading::{report_kinds, without_host};

/// A crawl and its clusters.
pub(super) struct Clustered {
    pub pages: Vec<Page>,
    pub left_out: LeftOut,
    pub clusters: Clusters,
    /// The id of each cluster; without a state, its place.
    pub ids: Option<Vec<u32>>,
    pub report: ReadReport,
}

impl ClusterArgs {
    /// Reads the crawls as one, and clusters it. The titles of its URLs are kept where they are asked for.
    pub(super) fn read(
        &self,
        options: &ClusterOptions,
        mut titles: Option<&mut Titles>,
    ) -> Result<Clustered> {
        let (reading, watch) = self.reading.of(&self.inputs);
        let (Pages { pages, left_out, .. }, report) =
            read_pages_into(PagesBuilder::new(), &self.inputs, &reading, &mut |response| {
                if let (Some(titles), Some(title)) = (&mut titles, &response.title) {
                    titles.insert(response.url.as_str().into(), title.as_str().into());
                }
            })
            .map_err(without_host)?;
        drop(watch);
        report_kinds(&report);
        let watch = Watch::count("clustering", pages.len(), "pages");
        let clusters = cluster_counting(&pages, options, &watch.done);
        Ok(Clustered { pages, left_out, clusters, ids: None, report })
    }
}

/// Writes the clusters and a summary.
pub(super) fn report(args: &ClusterArgs, output: Output, found: &Clustered) -> Result<()> {
    output.write(|out| write_clusters(out, found, args.min_size))?;
    info(&summary(found));
    Ok(())
}

#[derive(serde::Serialize)]
struct ClusterLine<'c> {
    cluster: usize,
    size: usize,
    urls: Vec<&'c str>,
}

fn write_clusters(out: &mut dyn Write, found: &Clustered, min_size: usize) -> io::Result<()> {
    let page = |&page: &u32| &*found.pages[page as usize].url;
    for (place, members) in found.clusters.iter().enumerate() {
        if members.len() >= min_size {
            let urls = members.iter().map(page).collect();
            let cluster = found.ids.as_ref().map_or(place, |ids| ids[place] as usize);
            json::write_line(out, &ClusterLine { cluster, size: members.len(), urls })?;
        }
    }
    Ok(())
}

/// What was read and found, in a sentence or two.
pub(super) fn summary(found: &Clustered) -> String {
    let (pages, clusters) = (found.pages.len(), found.clusters.len());
    let left_out = found.left_out;
    format!(
        "{}\n{} in {}, {}; {} left out: {left_out}",
        found.report,
        counted(pages, "page"),
        counted(clusters, "cluster"),
        counted(pages - clusters, "duplicate URL"),
        counted(left_out.total(), "URL"),
    )
}
