//! `undust ingest`: crawls in, one manifest out.

use std::path::{Path, PathBuf};

use clap::Args;

use undust_crawl::manifest::ManifestWriter;
use undust_crawl::options::ReadOptions;
use undust_crawl::pipeline::read_all;
use undust_util::error::{Error, Result};

use super::arguments::host;
use super::output::leave_when_closed;
use super::progress::info;
use super::reading::{Reading, check_host, check_readable, tell_kinds};
use super::signals::leave_nothing;

/// Make a crawl manifest of archives, indexes, feeds, logs or other manifests.
///
/// The content of an input tells its kind: WARC and ARC files, WET files, CDX and CDXJ indexes and
/// the JSON of index servers, Scrapy's feeds as JSON, CSV or XML, Heritrix's crawl.log, Screaming
/// Frog's tables as CSV, access logs, manifests.
#[derive(Debug, Args)]
pub(super) struct IngestArgs {
    /// Crawls of any kind, plain, gzip or zstd; `-` is standard input
    #[arg(required = true, value_name = "CRAWL")]
    inputs: Vec<PathBuf>,
    /// Where the manifest goes; compressed if it ends in .gz or .zst, `-` is standard output
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
    /// Host of access logs that name none, such as `www.example.org` or `https://www.example.org`
    #[arg(long, value_parser = host)]
    host: Option<String>,
    /// Bytes of a page that are read
    #[arg(long, default_value_t = ReadOptions::default().max_body, value_name = "BYTES")]
    max_body: usize,
    /// Count the words of each page by subset of the dictionary, for `cluster --partitions`
    #[arg(long)]
    lengths: bool,
    /// Threads for the text work [default: all cores, at most 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    reading: Reading,
}

/// Runs the command: the manifest goes to `--output`, what was skipped is reported on
/// standard error. After an error no output file is left behind.
pub(super) fn run(args: IngestArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    let (options, watch) = args.reading.of(&args.inputs);
    let threads = args.threads.map_or(options.threads, usize::from);
    let options = ReadOptions {
        host: args.host,
        max_body: args.max_body,
        lengths: args.lengths,
        threads,
        ..options
    };
    if args.output == Path::new("-") {
        leave_when_closed();
    } else {
        leave_nothing();
    }
    let mut writer = ManifestWriter::create(&args.output)?;
    let report = read_all(&args.inputs, &options, &mut |response| writer.write(&response))?;
    drop(watch);
    check_host(options.host.as_deref(), &report)?;
    tell_kinds(&report);
    if report.responses == 0 {
        info(&report.to_string());
        return Err(nothing_in(&args.inputs));
    }
    writer.finish()?;
    info(&report.to_string());
    Ok(())
}

fn nothing_in(inputs: &[PathBuf]) -> Error {
    let path = inputs.first().cloned().unwrap_or_default();
    let reason = "there is no HTML response in the crawl".into();
    Error::Crawl { path, reason, remedy: None }
}
