//! `undust translate`: rewrites a queue of URLs to canonical URLs.

use std::fs;
use std::io::{BufRead, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use undust_crawl::kind::crawl_in;
use undust_crawl::source::open_text;
use undust_model::queue::{Queue, QueueFormat, QueueOptions};
use undust_util::error::{Error, Result};

use super::arguments::{LINES, ServedModels, one_of, share, threads};
use super::failure::Failure;
use super::output::leave_when_closed;
use super::progress::{Watch, info};
use super::reading::check_readable;
use super::remedy::{Warnings, all_loaded};
use super::standard::stdout;

/// Rewrite URLs to their canonical forms, one per line, in order.
///
/// A line is printed unchanged if it is not a URL or its site has no model. A summary on standard
/// error counts them. Memory does not grow with the input.
#[derive(Debug, clap::Args)]
pub(super) struct TranslateArgs {
    /// URLs, one per line, plain, gzip or zstd; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    models: ServedModels,

    /// What to print for each line
    ///
    /// jsonl has the fields url, canonical, site, how, reason, probability (of a network's answer),
    /// cause, and the steps with their evidence. With --exploration it also has explored, and the
    /// form that was held back.
    #[arg(long, value_parser = one_of(LINES), default_value = "text")]
    format: QueueFormat,

    /// Print only the first URL of each canonical form, unchanged: the URLs worth fetching
    ///
    /// Memory grows with the number of forms.
    #[arg(long)]
    unique: bool,

    /// Leave a URL unchanged if the confidence in one of its steps is lower, 0 to 1; 0.99 accepts
    /// steps that are expected to lose at most 1 % of the pages
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_confidence: Option<f64>,

    /// Extrapolate: apply edits also where they were not tested
    ///
    /// An edit is known on the kinds of pages on which the crawl tested it. Elsewhere a URL stays as it is
    /// (reason: not tested here), unless this is given.
    #[arg(long)]
    bold: bool,

    /// Explore: print this share of the rewritten URLs in their original form, 0 to 1, so that they
    /// are fetched; then give what they showed to `undust observe`
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    exploration: f64,

    /// Report at the end how many URLs have shapes that training never saw, and whether to train
    /// again
    #[arg(long)]
    stats: bool,

    /// Load every model first, and fail if one of them cannot be loaded
    #[arg(long)]
    strict: bool,

    /// Number of threads; does not change the output [default: number of cores]
    #[arg(long, value_name = "N", value_parser = threads())]
    jobs: Option<u16>,
}

/// Translates the inputs one after another, as one queue.
pub(super) fn run(args: TranslateArgs) -> Result<()> {
    let Some(threads) = args.jobs else { return translate(args) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    pool.map_err(Failure::Threads)?.install(|| translate(args))
}

fn translate(args: TranslateArgs) -> Result<()> {
    let registry = args.models.open()?;
    let registry = if args.bold { registry.extrapolating() } else { registry };
    check_readable(&args.inputs)?;
    let mut output = BufWriter::with_capacity(1 << 16, stdout()?.lock());
    let options = QueueOptions {
        format: args.format,
        unique: args.unique,
        min_confidence: args.min_confidence,
        exploration: args.exploration,
        stats: args.stats,
        strict: args.strict,
        read_ahead: args.inputs.iter().all(|path| is_file(path)),
    };
    if args.strict {
        registry.check()?;
    }
    leave_when_closed();
    let mut warnings = Warnings::default();
    let mut queue =
        Queue::new(&registry, &mut output, options).on_broken(|error| warnings.report(error));
    let watch = Watch::queue(&args.inputs);
    for path in &args.inputs {
        let mut input = open_text(path, Arc::clone(&watch.done))?;
        refuse_crawls(path, &mut input)?;
        queue.feed(path, &mut input)?;
    }
    let counts = queue.finish()?;
    drop(watch);
    info(&counts.to_string());
    if args.stats {
        info(&counts.novelty().to_string());
    }
    all_loaded(counts.broken.len(), "its URLs were printed unchanged")
}

/// Whether an input is a file, so that nobody writes it line by line and waits for answers.
fn is_file(path: &Path) -> bool {
    let path = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path };
    fs::metadata(path).is_ok_and(|about| about.is_file())
}

/// Refuses crawls: line by line they would be reported as not being URLs.
pub(super) fn refuse_crawls(path: &Path, input: &mut impl BufRead) -> Result<()> {
    let start = input.fill_buf().map_err(Error::io("read", path))?;
    let Some(kind) = crawl_in(start) else { return Ok(()) };
    Err(Failure::IsCrawl { path: path.into(), kind }.into())
}
