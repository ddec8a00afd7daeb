//! `undust diff`: which URLs get another form by other models.

use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::output::leave_when_closed;
use super::progress::{Watch, tell};
use super::table::safe_line;
use super::translate::refuse_crawls;
use crate::crawl::lines::{ReadLine, read_line};
use crate::crawl::source::open_text;
use crate::error::{Error, Result};
use crate::json;
use crate::model::registry::Registry;
use crate::translation::Canonicalizer;
use crate::words::counted;

/// Lines translated at once.
const BLOCK: usize = 4096;
/// Bytes of lines that are held at once.
const BLOCK_BYTES: usize = 1 << 20;

/// Show which URLs change form between two folders of models.
///
/// Prints a line for each URL whose form changes: the URL, its form by the first models and its
/// form by the second, with tabs between. A summary goes to standard error. Memory does not grow
/// with the queue.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// The models from which the forms come
    #[arg(value_name = "MODELS-A")]
    before: PathBuf,

    /// The models to which they go
    #[arg(value_name = "MODELS-B")]
    after: PathBuf,

    /// URLs, one a line, plain, gzip or zstd; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    /// How to print a change
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// URL, tab, form before, tab, form after
    Text,
    /// An object a line: url, before, after
    Jsonl,
}

#[derive(Serialize)]
struct Change<'c> {
    url: &'c str,
    before: &'c str,
    after: &'c str,
}

#[derive(Default)]
struct Counts {
    urls: u64,
    changed: u64,
    /// Changed by the models that come first, and no more; the other way round.
    only_before: u64,
    only_after: u64,
}

/// Translates the queue by both, block by block.
pub(super) fn run(args: DiffArgs) -> Result<()> {
    let models = [Registry::open(&args.before)?, Registry::open(&args.after)?];
    leave_when_closed();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut counts = Counts::default();
    let (watch, read) = Watch::queue(&args.inputs);
    for path in &args.inputs {
        let mut input = open_text(path, Arc::clone(&read))?;
        refuse_crawls(path, &mut input)?;
        while let Some(lines) = block(path, &mut input)? {
            compare(&models, &lines, args.format, &mut counts, &mut out)
                .map_err(Error::io("write", "-"))?;
        }
    }
    out.flush().map_err(Error::io("write", "-"))?;
    drop(watch);
    let Counts { urls, changed, only_before, only_after } = counts;
    tell(&format!(
        "{changed} of {} change form; {only_after} that stayed as they were change now, and \
         {only_before} that changed stay now",
        counted(urls, "URL"),
    ));
    Ok(())
}

/// The next lines; none at the end. A line that is no text, or too long for any URL, is passed
/// over: no model changes it.
fn block(path: &Path, input: &mut impl BufRead) -> Result<Option<Vec<String>>> {
    let (mut lines, mut line, mut bytes) = (Vec::new(), Vec::new(), 0);
    while lines.len() < BLOCK && bytes < BLOCK_BYTES {
        match read_line(input, &mut line).map_err(Error::io("read", path))? {
            ReadLine::End if lines.is_empty() => return Ok(None),
            ReadLine::End => break,
            ReadLine::TooLong => lines.push(String::new()),
            ReadLine::Whole => lines.push(String::from_utf8(line.clone()).unwrap_or_default()),
        }
        bytes += line.len();
    }
    Ok(Some(lines))
}

fn compare(
    models: &[Registry; 2],
    lines: &[String],
    format: Format,
    counts: &mut Counts,
    out: &mut impl Write,
) -> io::Result<()> {
    for models in models {
        models.prepare(&mut lines.iter().map(String::as_str));
    }
    let forms: Vec<_> =
        lines.par_iter().map(|url| [0, 1].map(|which| models[which].canonicalize(url))).collect();
    for (url, [before, after]) in lines.iter().zip(&forms) {
        counts.urls += 1;
        if before == after {
            continue;
        }
        counts.changed += 1;
        counts.only_before += u64::from(after == url);
        counts.only_after += u64::from(before == url);
        match format {
            Format::Text => {
                let [url, before, after] = [url, &**before, &**after].map(safe_line);
                writeln!(out, "{url}\t{before}\t{after}")?
            }
            Format::Jsonl => {
                json::to_writer(&mut *out, &Change { url, before, after })?;
                out.write_all(b"\n")?
            }
        }
    }
    Ok(())
}
