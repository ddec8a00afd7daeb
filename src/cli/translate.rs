//! `undust translate`: a queue of URLs becomes a queue of canonical URLs.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use super::progress::tell;
use crate::crawl::open_text;
use crate::models::Registry;
use crate::translate::{Format, Options, Queue};
use crate::{Error, Result};

/// Turn URLs into their canonical forms, one a line, in order.
///
/// A line whose site has no model, or that is no URL, comes back as it came; a summary on
/// standard error counts them. Memory does not grow with the queue.
#[derive(Debug, clap::Args)]
pub struct TranslateArgs {
    /// URLs, one a line, plain, gzip or zstd; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    /// Where the models are
    #[arg(long, value_name = "FOLDER", default_value = "models")]
    models: PathBuf,

    /// What to print for each line
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Print only the first URL of each canonical form, as it came: the URLs worth fetching
    #[arg(long)]
    unique: bool,
}

/// Translates the inputs one after another, as one queue.
pub fn run(args: TranslateArgs) -> Result<()> {
    let mut registry = Registry::open(&args.models)?;
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let options = Options { format: args.format, unique: args.unique };
    let mut queue = Queue::new(&mut registry, &mut output, options);
    for path in &args.inputs {
        queue.feed(path, &mut open_text(path)?)?;
    }
    let counts = queue.finish()?;
    tell(&counts.to_string());
    match counts.broken.as_slice() {
        [] => Ok(()),
        broken => Err(Error::Unusable(broken.join("\nundust: "))),
    }
}
