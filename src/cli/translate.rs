//! `undust translate`: a queue of URLs becomes a queue of canonical URLs.

use std::fs;
use std::io::{self, BufRead, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use undust_crawl::kind::crawl_in;
use undust_crawl::source::open_text;
use undust_model::queue::{Queue, QueueFormat, QueueOptions};
use undust_model::registry::Registry;
use undust_util::error::{Error, Result};

use super::arguments::{share, threads};
use super::output::leave_when_closed;
use super::progress::{Watch, info, warn};
use super::remedy::{all_loaded, sentence};

/// Turn URLs into their canonical forms, one a line, in order.
///
/// A line whose site has no model, or that is no URL, comes back as it came; a summary on
/// standard error counts them. Memory does not grow with the queue.
#[derive(Debug, clap::Args)]
pub(super) struct TranslateArgs {
    /// URLs, one a line, plain, gzip or zstd; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    /// Where the models are
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    #[arg(hide_env_values = true)]
    models: PathBuf,

    /// What to print for each line
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Print only the first URL of each canonical form, as it came: the URLs worth fetching
    ///
    /// Takes up to 39 bytes of memory a form, and 58 while its table doubles.
    #[arg(long)]
    unique: bool,

    /// Leave a URL as it is if a step to its form is trusted less than this, 0 to 1: 0.99 takes
    /// steps by which at most 1 % of the pages are expected to be lost
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_confidence: Option<f64>,

    /// Pass this share of the URLs that change form on as they came, 0 to 1, so that they are fetched
    /// all the same; `undust observe` takes what came back
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    exploration: f64,

    /// Say at the end how many URLs are of a kind that training never saw, and whether to train
    /// again
    #[arg(long)]
    stats: bool,

    /// Load every model first, and end if one of them cannot be loaded
    #[arg(long)]
    strict: bool,

    /// Threads to translate on; all cores without it. The output is the same
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<u16>,
}

/// What is printed for a line.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// The canonical form alone
    Text,
    /// An object a line: url, canonical, site, how, reason, cause, and its steps with evidence; of
    /// what is passed on all the same also explored, and the form that it would have had
    Jsonl,
}

impl From<Format> for QueueFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::Jsonl => Self::Jsonl,
        }
    }
}

/// Translates the inputs one after another, as one queue.
pub(super) fn run(args: TranslateArgs) -> Result<()> {
    let Some(threads) = args.threads else { return translate(args) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    pool.map_err(|error| Error::Unusable(error.to_string()))?.install(|| translate(args))
}

fn translate(args: TranslateArgs) -> Result<()> {
    let registry = Registry::open(&args.models)?;
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let options = QueueOptions {
        format: args.format.into(),
        unique: args.unique,
        min_confidence: args.min_confidence,
        exploration: args.exploration,
        stats: args.stats,
        strict: args.strict,
    };
    if args.strict {
        registry.check()?;
    }
    leave_when_closed();
    let broken = |error: &Error| warn(&format!("undust: {}", sentence(error)));
    let mut queue = Queue::new(&registry, &mut output, options).on_broken(broken);
    let (watch, read) = Watch::queue(&args.inputs);
    for path in &args.inputs {
        let mut input = open_text(path, Arc::clone(&read))?;
        refuse_crawls(path, &mut input)?;
        if is_file(path) {
            queue.feed_file(path, &mut input)?
        } else {
            queue.feed(path, &mut input)?
        }
    }
    let counts = queue.finish()?;
    drop(watch);
    info(&counts.to_string());
    if args.stats {
        info(&counts.novelty().to_string());
    }
    all_loaded(&counts.broken, "its URLs came back as they were")
}

/// Whether an input is there as a whole: nobody writes it line by line and waits for the answers.
fn is_file(path: &Path) -> bool {
    let path = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path };
    fs::metadata(path).is_ok_and(|about| about.is_file())
}

/// A crawl in place of a list of URLs would come back line by line as no URL.
pub(super) fn refuse_crawls(path: &Path, input: &mut impl BufRead) -> Result<()> {
    let start = input.fill_buf().map_err(Error::io("read", path))?;
    let Some(kind) = crawl_in(start) else { return Ok(()) };
    let reason = format!(
        "is no list of URLs but {kind}: give its URLs alone, as `undust ingest CRAWL | jq -r .url` \
         prints them"
    );
    Err(Error::Crawl { path: path.into(), reason, remedy: None })
}
