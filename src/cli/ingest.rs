//! `undust ingest`: crawls in, one manifest out.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::progress::tell;
use crate::crawl::manifest::ManifestWriter;
use crate::crawl::options::ReadOptions;
use crate::crawl::pipeline::read_all;
use crate::error::{Error, Result};

/// Responses between two looks at the progress.
const TICK: u64 = 64;

/// Make a crawl manifest of WARC files, access logs or other manifests.
#[derive(Debug, Args)]
pub(super) struct IngestArgs {
    /// WARC files, access logs or manifests, plain, gzip or zstd; `-` is standard input
    #[arg(required = true, value_name = "CRAWL")]
    inputs: Vec<PathBuf>,
    /// Where the manifest goes; compressed if it ends in .gz or .zst, `-` is standard output
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    output: PathBuf,
    /// Skip and count bad manifest lines instead of failing
    #[arg(long)]
    lenient: bool,
    /// Host of access logs that name none, such as `www.example.org` or `https://www.example.org`
    #[arg(long)]
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
}

/// Runs the command: the manifest goes to `--output`, what was skipped is reported on
/// standard error. After an error no output file is left behind.
pub(super) fn run(args: IngestArgs) -> Result<()> {
    let (bar, progress) = progress(&args.inputs);
    let defaults = ReadOptions::default();
    let options = ReadOptions {
        lenient: args.lenient,
        host: args.host,
        max_body: args.max_body,
        lengths: args.lengths,
        threads: args.threads.map_or(defaults.threads, usize::from),
        progress: Some(Arc::clone(&progress)),
        ..defaults
    };
    let mut writer = ManifestWriter::create(&args.output)?;
    let mut written = 0;
    let report = read_all(&args.inputs, &options, &mut |response| {
        written += 1;
        if written % TICK == 0 {
            bar.set_position(progress.load(Ordering::Relaxed));
        }
        writer.write(&response)
    })?;
    bar.finish_and_clear();
    if report.responses == 0 {
        return Err(nothing_in(&args.inputs));
    }
    writer.finish()?;
    tell(&report.to_string());
    Ok(())
}

fn nothing_in(inputs: &[PathBuf]) -> Error {
    let path = inputs.first().cloned().unwrap_or_default();
    let reason = "there is no HTML response in the crawl".into();
    Error::Crawl { path, reason, remedy: None }
}

/// A bar over the bytes of the inputs, shown on a terminal only, and its counter.
fn progress(inputs: &[PathBuf]) -> (ProgressBar, Arc<AtomicU64>) {
    let bar = match io::stderr().is_terminal() {
        true => ProgressBar::new(inputs.iter().map(|input| bytes_of(input)).sum()),
        false => ProgressBar::hidden(),
    };
    let style = ProgressStyle::with_template("{wide_bar} {bytes} of {total_bytes}, {eta} left");
    (style.map_or(bar.clone(), |style| bar.with_style(style)), Arc::default())
}

fn bytes_of(input: &Path) -> u64 {
    std::fs::metadata(input).map_or(0, |metadata| metadata.len())
}
