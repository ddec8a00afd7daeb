//! `undust ingest`: reads crawls, writes one manifest.

use std::path::{Path, PathBuf};

use clap::Args;

use undust_crawl::manifest::ManifestWriter;
use undust_crawl::{ReadOptions, read_all};
use undust_util::error::Result;

use super::arguments::host;
use super::failure::Failure;
use super::output::leave_when_closed;
use super::progress::info;
use super::reading::{Reading, check_host, check_readable, report_kinds};
use super::replacing::check_manifest;
use super::signals::leave_nothing;
use super::standard::check_output;

/// Convert archives, indexes, feeds, logs or other manifests into one crawl manifest.
///
/// The format is detected from the content: WARC and ARC files, WET files, CDX and CDXJ indexes, the
/// JSON of index servers, Scrapy feeds as JSON, CSV or XML, Heritrix's crawl.log, Screaming Frog's
/// CSV tables, access logs, manifests.
#[derive(Debug, Args)]
pub(super) struct IngestArgs {
    /// Crawls in any of these formats, plain, gzip or zstd; `-` is standard input
    #[arg(required = true, value_name = "CRAWL")]
    inputs: Vec<PathBuf>,
    /// Output file, compressed if the name ends in .gz or .zst; `-` is standard output
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
    /// Host of access logs that do not name one, such as `www.example.org` or
    /// `https://www.example.org`
    #[arg(long, value_parser = host)]
    host: Option<String>,
    /// Threads for parsing and fingerprints [default: all cores, at most 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    #[command(flatten)]
    reading: Reading,
}

/// Writes the manifest to `--output`, and reports on standard error what was skipped. After an error
/// no output file is left behind.
pub(super) fn run(args: IngestArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    check_output(&args.output)?;
    check_manifest(&args.output, &args.inputs)?;
    let (options, watch) = args.reading.of(&args.inputs);
    let threads = args.jobs.map_or(options.threads, usize::from);
    let options = ReadOptions { host: args.host, threads, ..options };
    if args.output == Path::new("-") {
        leave_when_closed();
    } else {
        leave_nothing();
    }
    let mut writer = ManifestWriter::create(&args.output)?;
    let report = read_all(&args.inputs, &options, &mut |response| writer.write(&response))?;
    drop(watch);
    check_host(options.host.as_deref(), &report)?;
    report_kinds(&report);
    if report.responses == 0 {
        info(&report.to_string());
        let path = args.inputs.first().cloned().unwrap_or_default();
        return Err(Failure::NoHtml { path }.into());
    }
    writer.finish()?;
    info(&report.to_string());
    Ok(())
}
