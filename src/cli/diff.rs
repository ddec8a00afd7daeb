//! `undust diff`: which URLs get another canonical form from other models.

use std::borrow::Cow;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use undust_crawl::lines::{ReadLine, read_line};
use undust_crawl::source::open_text;
use undust_model::queue::QueueFormat;
use undust_model::registry::{LookupError, Registry};
use undust_model::translation::Canonicalizer;
use undust_util::{Error, Result, counted, json};

use super::arguments::{LINES, one_of};
use super::output::leave_when_closed;
use super::progress::{Watch, info};
use super::reading::check_readable;
use super::remedy::Broken;
use super::standard::stdout;
use super::table::safe_line;
use super::translate::refuse_crawls;

/// Lines that are translated together.
const BLOCK: usize = 4096;
/// Bytes of lines that are held in memory.
const BLOCK_BYTES: usize = 1 << 20;

/// Show which URLs two folders of models translate differently.
///
/// Prints one line for each such URL: the URL, its canonical form by the first models, and its
/// canonical form by the second, separated by tabs. A summary goes to standard error. URLs whose
/// model cannot be loaded are not compared. Memory does not grow with the input.
#[derive(Debug, clap::Args)]
pub(super) struct DiffArgs {
    /// Folder of the first models
    #[arg(value_name = "MODELS-A")]
    before: PathBuf,

    /// Folder of the second models
    #[arg(value_name = "MODELS-B")]
    after: PathBuf,

    /// URLs, one per line, plain, gzip or zstd; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    inputs: Vec<PathBuf>,

    /// How to print a difference; jsonl has the fields url, before and after
    #[arg(long, value_parser = one_of(LINES), default_value = "text")]
    format: QueueFormat,
}

#[derive(Serialize)]
struct UrlDifference<'c> {
    url: &'c str,
    before: &'c str,
    after: &'c str,
}

#[derive(Default)]
struct Counts {
    urls: u64,
    changed: u64,
    /// Changed only by the models of the first folder, and only by those of the second.
    only_before: u64,
    only_after: u64,
    /// URLs whose model could not be loaded.
    unknown: u64,
}

/// Two folders of models, and what was found.
struct Comparison {
    models: [Registry; 2],
    format: QueueFormat,
    counts: Counts,
    broken: Broken,
}

/// Translates the queue with both, block by block.
pub(super) fn run(args: DiffArgs) -> Result<()> {
    let models = [Registry::open(&args.before)?, Registry::open(&args.after)?];
    check_readable(&args.inputs)?;
    let (counts, broken) = (Counts::default(), Broken::default());
    let mut comparison = Comparison { models, format: args.format, counts, broken };
    leave_when_closed();
    let mut out = BufWriter::with_capacity(1 << 16, stdout()?.lock());
    let watch = Watch::queue(&args.inputs);
    for path in &args.inputs {
        let mut input = open_text(path, Arc::clone(&watch.done))?;
        refuse_crawls(path, &mut input)?;
        while let Some(lines) = block(path, &mut input)? {
            comparison.compare(&lines, &mut out).map_err(Error::io("write", "-"))?;
        }
    }
    out.flush().map_err(Error::io("write", "-"))?;
    drop(watch);
    comparison.info()
}

/// The next lines; none at the end. A line that is not text, or is too long for a URL, counts as
/// empty: no model changes it.
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

impl Comparison {
    fn compare(&mut self, lines: &[String], out: &mut impl Write) -> io::Result<()> {
        for models in &self.models {
            models.prepare(&mut lines.iter().map(String::as_str));
        }
        let models = self.models.each_ref();
        let forms: Vec<_> =
            lines.par_iter().map(|url| models.map(|models| form(models, url))).collect();
        for (url, forms) in lines.iter().zip(forms) {
            self.counts.urls += 1;
            match forms {
                [Ok(before), Ok(after)] if before == after => {}
                [Ok(before), Ok(after)] => {
                    self.write(&UrlDifference { url, before: &before, after: &after }, out)?
                }
                forms => {
                    self.counts.unknown += 1;
                    let errors = forms.into_iter().flat_map(Result::err);
                    errors.for_each(|error| self.broken.note(&error));
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, change: &UrlDifference<'_>, out: &mut impl Write) -> io::Result<()> {
        let &UrlDifference { url, before, after } = change;
        self.counts.changed += 1;
        self.counts.only_before += u64::from(after == url);
        self.counts.only_after += u64::from(before == url);
        match self.format {
            QueueFormat::Text => {
                let [url, before, after] = [url, before, after].map(safe_line);
                writeln!(out, "{url}\t{before}\t{after}")
            }
            QueueFormat::Jsonl => json::write_line(out, change),
        }
    }

    /// Reports what was found. An error if a model could not be loaded.
    fn info(&self) -> Result<()> {
        let Counts { urls, changed, only_before, only_after, unknown } = self.counts;
        let mut described = format!(
            "{changed} of {} differ; {only_after} changed only by the second models, {only_before} only by \
             the first",
            counted(urls, "URL"),
        );
        if unknown > 0 {
            described += &format!("; {unknown} not compared");
        }
        info(&described);
        self.broken.all_loaded("its URLs were not compared")
    }
}

/// The canonical form of a URL, or why its model cannot be loaded.
fn form<'u>(models: &Registry, url: &'u str) -> Result<Cow<'u, str>, Arc<Error>> {
    match models.model(url) {
        Err(LookupError { error: Some(error), .. }) => Err(error),
        found => Ok(found.canonicalize(url).canonical),
    }
}
