//! `undust cluster`: which URLs of a crawl show the same page.

mod live;

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use undust_cluster::agreement::agreement;
use undust_cluster::clusters::{ClusterOptions, Clusters, cluster_counting};
use undust_crawl::read_pages;
use undust_crawl::report::ReadReport;
use undust_pages::page::Page;
use undust_pages::pages::{LeftOut, Pages};
use undust_util::error::Result;
use undust_util::json;
use undust_util::plural::counted;

use self::live::LiveArgs;
use super::arguments::layers_over;
use super::failure::Failure;
use super::guarded::quietly;
use super::output::Output;
use super::partitions::PartitionArgs;
use super::progress::{Watch, info};
use super::reading::{Reading, check_readable, no_page, tell_kinds, without_host};
use super::signals::leave_nothing;

/// Find the URLs that show the same page.
///
/// Writes one duplicate cluster per line, as JSON:
/// {"cluster":0,"size":2,"urls":["http://…","http://…"]}. Clusters are sorted by their first URL in
/// the crawl. A summary goes to standard error.
///
/// With --state a folder keeps the clusters between crawls. The crawls are added to it as one batch,
/// and "cluster" is an id that never changes.
#[derive(Debug, clap::Args)]
#[allow(rustdoc::invalid_html_tags, reason = "a text for --help, not HTML")]
pub(super) struct ClusterArgs {
    /// Crawls: manifests (.jsonl), archives, indexes, feeds; several are read as one crawl
    #[arg(value_name = "CRAWL", required_unless_present = "state")]
    inputs: Vec<PathBuf>,

    /// Largest number of bits in which the fingerprints of duplicates may differ, 0 to 7 [default:
    /// that of the state, or else the setting clusters.bits, which is 3]. Higher values take longer
    /// on pages that were made to be slow to compare
    #[arg(short = 'k', long, value_name = "BITS")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=7))]
    bits: Option<u32>,

    /// Accept duplicates with different titles or without a title
    #[arg(long)]
    no_title: bool,

    /// Settings file (see train.toml), of which only [clusters] is used; ignored once there is a
    /// state
    #[arg(long, value_name = "FILE", env = "UNDUST_CONFIG", hide_env_values = true)]
    config: Option<PathBuf>,

    /// Leave out clusters with fewer URLs; 1 writes every URL of a page
    #[arg(long, value_name = "URLS", default_value_t = 2)]
    min_size: usize,

    /// Output file, compressed if the name ends in .gz or .zst; `-` is standard output. The file
    /// appears only when it is complete
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    /// Report how well another crawl of the same site agrees about the URLs that both have
    #[arg(long, value_name = "CRAWL")]
    against: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    partitions: PartitionArgs,

    #[command(flatten)]
    live: LiveArgs,
}

impl ClusterArgs {
    /// What a duplicate is. As for all settings, a flag comes before a variable, and that before the
    /// file.
    fn options(&self) -> Result<ClusterOptions> {
        let set = layers_over(self.config.as_deref())?.config()?.clusters;
        let bits = self.bits.unwrap_or(set.bits);
        Ok(ClusterOptions { bits, title: set.title && !self.no_title })
    }

    fn read(&self, inputs: &[PathBuf], options: &ClusterOptions) -> Result<Clustered> {
        let (reading, watch) = self.reading.of(inputs);
        let read = read_pages(inputs, &reading).map_err(without_host)?;
        let (Pages { pages, left_out, .. }, report) = read;
        drop(watch);
        tell_kinds(&report);
        let done = Arc::default();
        let _watch = Watch::count("clustering", pages.len(), "pages", Arc::clone(&done));
        let clusters = cluster_counting(&pages, options, &done);
        Ok(Clustered { pages, left_out, clusters, ids: None, report })
    }
}

/// A crawl and its clusters.
struct Clustered {
    pages: Vec<Page>,
    left_out: LeftOut,
    clusters: Clusters,
    /// The id of each cluster; without a state, its place.
    ids: Option<Vec<u32>>,
    report: ReadReport,
}

/// Reads, clusters, writes.
///
/// # Errors
///
/// Those of reading the crawls and of writing the output.
pub(super) fn run(args: ClusterArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    check_readable(&args.against)?;
    let options = args.options()?;
    if args.output != Path::new("-") {
        leave_nothing();
    }
    if let Some(partitions) = args.partitions.options() {
        return args.partitions.run(&partitions, &args.inputs, &args.reading, &args.output);
    }
    if let Some(folder) = &args.live.state {
        return quietly(|| live::run(folder, &args, options));
    }
    let output = Output::begin(&args.output)?;
    let found = args.read(&args.inputs, &options)?;
    if found.pages.is_empty() {
        info(&found.report.to_string());
        return Err(no_page(&args.inputs, "cluster", &found.report, &found.left_out));
    }
    report(&args, output, &found, &options)
}

/// Writes the clusters and a summary.
fn report(
    args: &ClusterArgs,
    output: Output,
    found: &Clustered,
    options: &ClusterOptions,
) -> Result<()> {
    output.write(|out| write_clusters(out, found, args.min_size))?;
    info(&summary(found));
    if !args.against.is_empty() {
        let other = args.read(&args.against, options)?;
        info(&comparison(args, found, &other)?);
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
    let page = |&page: &u32| &*found.pages[page as usize].url;
    for (place, members) in found.clusters.iter().enumerate() {
        if members.len() >= min_size {
            let urls = members.iter().map(page).collect();
            let cluster = found.ids.as_ref().map_or(place, |ids| ids[place] as usize);
            json::to_writer(&mut *out, &Line { cluster, size: members.len(), urls })?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn summary(found: &Clustered) -> String {
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

/// # Errors
///
/// The crawls have no URL in common. The agreement over no pairs would be perfect, which would
/// mislead.
fn comparison(args: &ClusterArgs, found: &Clustered, other: &Clustered) -> Result<String> {
    let label = |(page, label): (&Page, &u32)| (page.url.clone(), *label);
    let others: HashMap<Box<str>, u32> =
        other.pages.iter().zip(other.clusters.labels()).map(label).collect();
    let (labels, reference): (Vec<u32>, Vec<u32>) = (found.pages.iter())
        .zip(found.clusters.labels())
        .filter_map(|(page, &label)| Some((label, *others.get(&page.url)?)))
        .unzip();
    if labels.is_empty() {
        let path = args.against.first().cloned().unwrap_or_default();
        return Err(Failure::NoCommonPage { path }.into());
    }
    let agreed = agreement(&labels, &reference);
    Ok(format!(
        "{} in both crawls: adjusted Rand index {:.4}, pairwise precision {:.4}, recall {:.4}, F1 \
         {:.4}",
        counted(agreed.count, "URL"),
        agreed.adjusted_rand,
        agreed.precision,
        agreed.recall,
        agreed.f1,
    ))
}
