//! `undust observe`: what came back of URLs that were fetched all the same.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use comfy_table::{CellAlignment, ContentArrangement};

use super::arguments::Settings;
use super::progress::{Watch, tell, warn};
use super::reading::{
    Reading, by_site, check_readable, model_of, no_page, tell_kinds, total_bytes,
};
use super::table::{SafeTable, WIDTH, json, new_table, safe_line, terminal_width};
use crate::cluster::cluster_counting;
use crate::crawl::lines::{ReadLine, read_line};
use crate::crawl::pages::Pages;
use crate::crawl::source::open_text;
use crate::error::{Error, Result};
use crate::explore::crawl::observations;
use crate::explore::observe::{Observation, Observed, ObservedOperation};
use crate::model::registry::Registry;
use crate::translation::spelled_out;
use crate::words::{self, counted};

/// Bytes of lines that are counted at once: trials are read and written once for each.
const BATCH: usize = 8 << 20;
/// Lines that are no observations of which is told what is wrong with them.
const MAX_NOTES: usize = 8;
/// Bytes of what is told of each.
const NOTE_BYTES: usize = 1000;

/// Count what came back of URLs fetched all the same, and switch off what fails.
///
/// Each operation of a model (a rule, an edit, a pair of templates) that gives URLs of different
/// pages one form is on trial: a sequential test of 2 % of such URLs against 20 %. Three
/// disagreements in a row are enough. What fails is switched off until the next training. A URL
/// that agrees counts for all operations that changed it, one that disagrees against the most
/// doubtful of them. A line that is no observation is skipped and told.
///
/// The exit code is 0 where nothing fails, 1 where something does, 2 where that could not be judged.
#[derive(Debug, clap::Args)]
pub(super) struct ObserveArgs {
    /// Lines as {"url": …, "form": …, "same": true}, whose form is any URL of the same form (- is
    /// standard input); or crawls, whose pages are compared as `cluster` compares them
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,

    /// Where the models are
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    #[arg(hide_env_values = true)]
    models: PathBuf,

    /// How to print it
    #[arg(long, value_enum, default_value = "table")]
    format: Format,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// To read
    Table,
    /// An object, for programs
    Json,
}

/// Counts input after input, and prints what is known then.
pub(super) fn run(args: ObserveArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    let registry = Registry::open(&args.models)?;
    let mut observed = Observed::default();
    for path in &args.inputs {
        if !observe_lines(path, &registry, &mut observed)? {
            observe_crawl(path, &args, &registry, &mut observed)?;
        }
    }
    let text = match args.format {
        Format::Table => text(&observed),
        Format::Json => json(&observed)?,
    };
    let printed = writeln!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"));
    match observed.switched_off().count() {
        0 => printed,
        1 => Err(Error::Refuted("one operation is switched off until the next training".into())),
        many => Err(Error::Refuted(format!(
            "{many} operations are switched off until the next training"
        ))),
    }
}

/// Counts the observations of a file, one a line. Whether it is such a file: its first line says so,
/// and after that a line that is none costs only itself.
fn observe_lines(path: &Path, registry: &Registry, observed: &mut Observed) -> Result<bool> {
    let (mut batch, mut bytes, mut lines) = (Vec::new(), 0, Lines::default());
    let read = Arc::default();
    let _watch = Watch::bytes(total_bytes(&[path]).unwrap_or(0), Arc::clone(&read));
    let (mut input, mut held) = (open_text(path, read)?, Vec::new());
    for number in 1.. {
        let whole = read_line(&mut input, &mut held).map_err(Error::io("read", path))?;
        let line = held.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&held).trim_ascii();
        let observation = match whole {
            ReadLine::End => break,
            ReadLine::TooLong => Err("it is over 16 MiB long".to_owned()),
            ReadLine::Whole if line.is_empty() => continue,
            ReadLine::Whole => parse(line),
        };
        match observation {
            Ok(observation) => {
                batch.push(observation);
                lines.good += 1;
            }
            Err(_) if lines.are_none() && !is_meant(line) && path != Path::new("-") => {
                return Ok(false);
            }
            // Standard input cannot be read again as something else.
            Err(error) if lines.are_none() && !is_meant(line) => {
                let reason = format!("line {number} is no observation: {error}");
                return Err(Error::Crawl { path: path.into(), reason, remedy: None });
            }
            Err(error) => lines.skip(number, &error),
        }
        bytes += held.len();
        if bytes > BATCH {
            observed.add(registry.observe(&batch)?);
            batch.clear();
            bytes = 0;
        }
    }
    observed.add(registry.observe(&batch)?);
    lines.tell(path).map(|()| true)
}

fn parse(line: &[u8]) -> Result<Observation, String> {
    serde_json::from_slice(line).map_err(|error| {
        let message = error.to_string();
        // serde_json sees one line at a time: its line number is always 1. It quotes what it found,
        // which may be megabytes long.
        let told = message.split(" at line ").next().unwrap_or(&message);
        told[..told.floor_char_boundary(NOTE_BYTES)].to_owned()
    })
}

/// Whether a line that is no observation was meant to be one: no line of a crawl has such a field.
fn is_meant(line: &[u8]) -> bool {
    let object = serde_json::from_slice::<serde_json::Map<_, _>>(line);
    object.is_ok_and(|object| object.contains_key("form") || object.contains_key("same"))
}

/// Lines that were read, and lines that are no observations.
#[derive(Default)]
struct Lines {
    good: u64,
    bad: u64,
    /// What is wrong with the first of them.
    notes: Vec<String>,
}

impl Lines {
    fn are_none(&self) -> bool {
        self.good + self.bad == 0
    }

    fn skip(&mut self, number: u64, error: &str) {
        self.bad += 1;
        if self.notes.len() < MAX_NOTES {
            self.notes.push(format!("line {number} is no observation: {error}"));
        }
    }

    /// Says what was skipped; an error where that is all there was.
    fn tell(&self, path: &Path) -> Result<()> {
        match (self.good, self.notes.first()) {
            // A batch in which nothing came back is none that went wrong.
            (0, None) => tell(&format!("{}: holds no observation", path.display())),
            (_, None) => {}
            (0, Some(first)) => {
                let reason = format!("no line could be read: {first}");
                return Err(Error::Crawl { path: path.into(), reason, remedy: None });
            }
            (good, Some(_)) => {
                let (name, notes) = (path.display(), self.notes.join("\n  "));
                warn(&format!(
                    "{name}: {} skipped of {}\n  {notes}",
                    counted(self.bad, "line"),
                    good + self.bad
                ));
            }
        }
        Ok(())
    }
}

/// Counts what the pages of a crawl say, site by site.
fn observe_crawl(
    path: &Path,
    args: &ObserveArgs,
    registry: &Registry,
    observed: &mut Observed,
) -> Result<()> {
    let clusters = args.settings.read()?.clusters;
    let inputs = [path.to_owned()];
    let (options, watch) = args.reading.of(&inputs);
    let (Pages { pages, left_out, .. }, report) = Pages::read(&inputs, &options)?;
    drop(watch);
    tell_kinds(&report);
    tell(&format!("{}: {report}", path.display()));
    if pages.is_empty() {
        return Err(no_page(&inputs, "compare, and its first line is no observation", &left_out));
    }
    let (sites, without_model) = by_site(pages, registry);
    if without_model > 0 {
        let (name, pages) = (path.display(), counted(without_model, "page"));
        tell(&format!("{name}: {pages} of sites without a model passed over"));
    }
    let done = Arc::default();
    let all = sites.values().map(Vec::len).sum();
    let _watch = Watch::count("comparing", all, "pages", Arc::clone(&done));
    for (site, pages) in sites {
        let model = model_of(&site, &pages, registry)?;
        let came = observations(&pages, &cluster_counting(&pages, &clusters, &done), &model);
        observed.add(registry.observe(&came)?);
    }
    Ok(())
}

fn text(observed: &Observed) -> String {
    let Observed { counted, conflicts, passed_over, operations, .. } = observed;
    let came = words::counted(*counted, "URL");
    let mut counts = format!("{came} came back, {conflicts} of them with another page");
    if *passed_over > 0 {
        counts +=
            &format!("; {passed_over} did not count: nothing that is on gives the two one form");
    }
    if operations.is_empty() { counts } else { format!("{}\n{counts}", table(operations)) }
}

/// What came back since training, of the operations that were told of now.
fn table(operations: &[ObservedOperation]) -> SafeTable {
    let mut table = new_table(["site", "agreed", "disagreed", "verdict", "operation"]);
    let width = terminal_width().unwrap_or(WIDTH);
    table
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for one in operations {
        table.add_row([
            safe_line(&one.site),
            one.agreed.to_string(),
            one.disagreed.to_string(),
            one.standing.to_string(),
            safe_line(&spelled_out(&one.operation)),
        ]);
    }
    for column in table.column_iter_mut().skip(1).take(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
