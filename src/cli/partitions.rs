//! `undust cluster --partitions N`: the partition of each page, and those it is compared with.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use undust_cluster::partitions::load::Loads;
use undust_cluster::partitions::{PartitionOptions, Partitions};
use undust_crawl::options::ReadOptions;
use undust_crawl::read_pages;
use undust_pages::lengths::WordLengths;
use undust_pages::page::Page;
use undust_util::error::{CrawlReason, Error, Remedy, Result};
use undust_util::json;
use undust_util::plural::counted;

use super::arguments::number;
use super::output::write_whole;
use super::progress::{Watch, info};
use super::reading::{Reading, report_kinds, without_host};

/// How pages are spread.
#[derive(Debug, clap::Args)]
pub(super) struct PartitionArgs {
    /// Spread the pages over N partitions by length, and write the partitions instead of clusters
    #[arg(long, value_name = "N")]
    #[arg(conflicts_with_all = ["against", "min_size", "bits", "no_title"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    partitions: Option<u32>,

    /// Print for each page its partition and the partitions that it must be compared with
    #[arg(long, requires = "partitions")]
    explain: bool,

    /// Subsets of the dictionary whose words are counted separately, 1 to 4
    #[arg(long, value_name = "N", default_value_t = 3, requires = "partitions")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=4))]
    dimensions: u32,

    /// Least similarity of two pages that must be compared, 0.5 to 0.99
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, requires = "partitions")]
    #[arg(value_parser = number(0.5..=0.99))]
    similarity: f64,

    /// Tolerance for lengths, 1 to 2; a larger value loses fewer pairs and compares more
    #[arg(long, value_name = "FACTOR", default_value_t = 1.1, requires = "partitions")]
    #[arg(value_parser = number(1.0..=2.0))]
    slack: f64,
}

impl PartitionArgs {
    /// The options, if partitions were asked for.
    pub(super) fn options(&self) -> Option<PartitionOptions> {
        Some(PartitionOptions {
            partitions: self.partitions?,
            dimensions: self.dimensions,
            similarity: self.similarity,
            slack: self.slack,
        })
    }

    /// Reads the pages, spreads them, and writes the partitions.
    ///
    /// # Errors
    ///
    /// A crawl cannot be read or has no lengths, an option is out of range, or the output cannot be
    /// written.
    pub(super) fn run(
        &self,
        options: &PartitionOptions,
        inputs: &[PathBuf],
        reading: &Reading,
        output: &Path,
    ) -> Result<()> {
        let (options_of_reading, watch) = reading.of(inputs);
        let reading = ReadOptions { lengths: true, ..options_of_reading };
        let (crawl, report) = read_pages(inputs, &reading).map_err(without_host)?;
        drop(watch);
        report_kinds(&report);
        let lengths = distinct_lengths(&crawl.pages);
        if lengths.is_empty() {
            return Err(without_lengths(inputs));
        }
        let done = Arc::default();
        let watch = Watch::count("spreading", lengths.len(), "pages", Arc::clone(&done));
        let partitions = Partitions::new(&lengths, options)?;
        let loads = Loads::counting(&partitions, &lengths, options.partitions, &done);
        drop(watch);
        write_whole(output, |out| match self.explain {
            true => write_pages(out, &crawl.pages, &partitions),
            false => write_loads(out, &loads),
        })?;
        info(&format!("{report}\n{}", summary(&crawl.pages, &lengths, options, &loads)));
        Ok(())
    }
}

/// The lengths of each page, once however many URLs lead to it.
fn distinct_lengths(pages: &[Page]) -> Vec<WordLengths> {
    let mut seen = HashSet::new();
    let first = pages.iter().filter(|page| seen.insert(page.end));
    first.filter_map(|page| page.lengths.as_deref().copied()).collect()
}

fn without_lengths(inputs: &[PathBuf]) -> Error {
    let path = inputs.first().cloned().unwrap_or_default();
    let remedy = Some(Remedy::CountWords);
    Error::Crawl { path, reason: CrawlReason::NoLengths, remedy }
}

#[derive(serde::Serialize)]
struct PageLine<'p> {
    url: &'p str,
    lengths: Vec<u64>,
    lives_in: u32,
    compared_with: Vec<u32>,
}

fn write_pages(out: &mut dyn Write, pages: &[Page], partitions: &Partitions) -> io::Result<()> {
    for page in pages {
        let Some(lengths) = page.lengths.as_deref() else { continue };
        let line = PageLine {
            url: &page.url,
            lengths: partitions.lengths(lengths),
            lives_in: partitions.partition_of(lengths),
            compared_with: partitions.compared_with(lengths),
        };
        json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[derive(serde::Serialize)]
struct LoadLine {
    partition: usize,
    pages: u64,
    visitors: u64,
    comparisons: u64,
}

fn write_loads(out: &mut dyn Write, loads: &Loads) -> io::Result<()> {
    for (partition, load) in loads.0.iter().enumerate() {
        let (pages, visitors) = (load.pages, load.visitors);
        let line = LoadLine { partition, pages, visitors, comparisons: load.comparisons() };
        json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn summary(
    pages: &[Page],
    lengths: &[WordLengths],
    options: &PartitionOptions,
    loads: &Loads,
) -> String {
    let without = pages.iter().filter(|page| page.lengths.is_none()).count();
    format!(
        "{} in {} by {}: imbalance of pages {:.3}, of comparisons {:.3} (standard deviation over \
         mean); {:.1} % of messages and {:.1} % of comparisons saved; {} without lengths left out",
        counted(lengths.len(), "page"),
        counted(options.partitions, "partition"),
        counted(options.dimensions, "dimension"),
        loads.imbalance(),
        loads.imbalance_of_comparisons(),
        100.0 * loads.communication_saved(),
        100.0 * loads.comparisons_saved(),
        counted(without, "URL"),
    )
}
