//! `undust cluster`: which URLs of a crawl show the same page.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

use super::output::write_whole;
use super::partitions::PartitionArgs;
use super::progress::tell;
use crate::cluster::agreement::agreement;
use crate::cluster::{ClusterOptions, Clusters, cluster};
use crate::crawl::options::ReadOptions;
use crate::crawl::pages::Pages;
use crate::crawl::report::ReadReport;
use crate::error::Result;
use crate::page::Page;

/// Find the URLs that show the same page.
///
/// Writes one duplicate cluster a line, as JSON, in the order of the first URL of
/// each: {"cluster":0,"size":2,"urls":["http://…","http://…"]}. A summary goes to
/// standard error.
#[derive(Debug, clap::Args)]
pub(super) struct ClusterArgs {
    /// Crawls: manifests (.jsonl), WARC files, access logs; several are read as one
    #[arg(value_name = "CRAWL", required = true)]
    inputs: Vec<PathBuf>,

    /// Most bits in which the fingerprints of two equal pages may differ, 0 to 7
    #[arg(short = 'k', long, value_name = "BITS", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=7))]
    bits: u32,

    /// Let near fingerprints count under different titles, and without a title
    #[arg(long)]
    no_title: bool,

    /// Leave out clusters of fewer URLs; 1 writes every URL that counts
    #[arg(long, value_name = "URLS", default_value_t = 2)]
    min_size: usize,

    /// Where to write the clusters; a file appears only when it is whole
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    /// Report how far another crawl of the same site agrees about the common URLs
    #[arg(long, value_name = "CRAWL")]
    against: Vec<PathBuf>,

    /// Skip and count damaged lines instead of stopping at the first
    #[arg(long)]
    lenient: bool,

    #[command(flatten)]
    partitions: PartitionArgs,
}

impl ClusterArgs {
    fn options(&self) -> ClusterOptions {
        ClusterOptions { bits: self.bits, title: !self.no_title }
    }

    fn reading(&self) -> ReadOptions {
        ReadOptions { lenient: self.lenient, ..ReadOptions::default() }
    }

    fn read(&self, inputs: &[PathBuf]) -> Result<Clustered> {
        let (crawl, report) = Pages::read(inputs, &self.reading())?;
        let clusters = cluster(&crawl.pages, &self.options());
        Ok(Clustered { report, crawl, clusters })
    }
}

/// A crawl and its clusters.
struct Clustered {
    report: ReadReport,
    crawl: Pages,
    clusters: Clusters,
}

/// Reads, clusters, writes.
///
/// # Errors
///
/// Those of reading the crawls and of writing the output.
pub(super) fn run(args: ClusterArgs) -> Result<()> {
    if let Some(options) = args.partitions.options() {
        return args.partitions.run(&options, &args.inputs, args.reading(), &args.output);
    }
    let found = args.read(&args.inputs)?;
    write_whole(&args.output, |out| write_clusters(out, &found, args.min_size))?;
    tell(&summary(&found));
    if !args.against.is_empty() {
        let other = args.read(&args.against)?;
        tell(&comparison(&found, &other));
    }
    Ok(())
}

#[derive(serde::Serialize)]
struct Line<'c> {
    cluster: usize,
    size: usize,
    urls: Vec<&'c str>,
}

fn write_clusters(out: &mut dyn Write, found: &Clustered, min_size: usize) -> io::Result<()> {
    let page = |&page: &u32| &*found.crawl.pages[page as usize].url;
    for (cluster, members) in found.clusters.iter().enumerate() {
        if members.len() >= min_size {
            let urls = members.iter().map(page).collect();
            serde_json::to_writer(&mut *out, &Line { cluster, size: members.len(), urls })?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn summary(found: &Clustered) -> String {
    let (pages, clusters) = (found.crawl.pages.len(), found.clusters.len());
    let left_out = found.crawl.left_out;
    format!(
        "{}\n{pages} pages in {clusters} clusters, {} duplicate URLs; {} URLs left out: {left_out}",
        found.report,
        pages - clusters,
        left_out.total(),
    )
}

fn comparison(found: &Clustered, other: &Clustered) -> String {
    let label = |(page, label): (&Page, &u32)| (page.url.clone(), *label);
    let others: HashMap<Box<str>, u32> =
        other.crawl.pages.iter().zip(other.clusters.labels()).map(label).collect();
    let (labels, reference): (Vec<u32>, Vec<u32>) = (found.crawl.pages.iter())
        .zip(found.clusters.labels())
        .filter_map(|(page, &label)| Some((label, *others.get(&page.url)?)))
        .unzip();
    let agreed = agreement(&labels, &reference);
    format!(
        "{} common URLs: adjusted Rand index {:.4}, pairwise precision {:.4}, recall {:.4}, F1 {:.4}",
        agreed.count, agreed.adjusted_rand, agreed.precision, agreed.recall, agreed.f1,
    )
}
