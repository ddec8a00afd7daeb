//! `undust observe`: what came back of URLs that were fetched all the same.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{mem, slice};

use comfy_table::{CellAlignment, ContentArrangement};

use undust_cluster::clusters::cluster_counting;
use undust_crawl::kind::may_begin_crawl;
use undust_crawl::lines::{ReadLine, read_line};
use undust_crawl::read_pages_of;
use undust_crawl::source::{first_line, open_text};
use undust_live::trials::crawl::observations;
use undust_live::trials::observe::{Observation, Observed, ObservedOperation, observe};
use undust_model::registry::Registry;
use undust_model::translation::spelled_out;
use undust_pages::page::Page;
use undust_pages::pages::Pages;
use undust_util::error::{Error, Result};
use undust_util::plural;
use undust_util::plural::counted;

use super::arguments::Settings;
use super::progress::{Watch, info, warn};
use super::reading::{Reading, by_site, check_readable, no_page, tell_kinds, without_host};
use super::remedy::{all_loaded, sentence};
use super::table::{SafeTable, WIDTH, json, new_table, safe_line, terminal_width};

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
    /// Lines as {"url": …, "form": …, "same": true}, whose form is any URL of the same form; or crawls,
    /// whose pages are compared as `cluster` compares them; - is standard input
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
    let mut counting = Counting::new(&args, &registry);
    for path in &args.inputs {
        counting.take(path)?;
    }
    counting.info()
}

/// What came back, as far as it is counted.
struct Counting<'c> {
    args: &'c ObserveArgs,
    registry: &'c Registry,
    observed: Observed,
    /// Observations and pages of sites that have a model, and of others.
    with_model: usize,
    without_model: usize,
}

impl<'c> Counting<'c> {
    fn new(args: &'c ObserveArgs, registry: &'c Registry) -> Self {
        Self { args, registry, observed: Observed::default(), with_model: 0, without_model: 0 }
    }

    /// Counts what an input says. Its first line tells whether it holds observations or is a crawl,
    /// and is read once, for a pipe gives it once.
    fn take(&mut self, path: &PathBuf) -> Result<()> {
        let (options, watch) = self.args.reading.of(slice::from_ref(path));
        let mut input = open_text(path, options.progress.clone().unwrap_or_default())?;
        let (number, line) = first_line(&mut input);
        let wrong = match parse(line) {
            Err(error) if !line.is_empty() && !is_meant(line) => error,
            _ => return self.take_lines(path, &mut input),
        };
        // Whoever types lines, or pipes them in, is told what is wrong with the first.
        if path == Path::new("-") && !may_begin_crawl(line, &options) {
            let reason = format!("line {number} is no observation: {wrong}");
            return Err(Error::Crawl { path: path.into(), reason, remedy: None });
        }
        let read = read_pages_of(path, input, &options).map_err(without_host)?;
        let (Pages { pages, left_out, .. }, report) = read;
        drop(watch);
        tell_kinds(&report);
        info(&format!("{}: {report}", path.display()));
        if pages.is_empty() {
            let to_do = "compare, and its first line is no observation";
            return Err(no_page(slice::from_ref(path), to_do, &report, &left_out));
        }
        self.take_pages(path, pages)
    }

    /// Counts observations, one a line. A line that is none costs only itself.
    fn take_lines(&mut self, path: &Path, input: &mut impl BufRead) -> Result<()> {
        let (mut batch, mut bytes, mut lines) = (Vec::new(), 0, Lines::default());
        let mut held = Vec::new();
        for number in 1.. {
            let whole = read_line(input, &mut held).map_err(Error::io("read", path))?;
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
                Err(error) => lines.skip(number, &error),
            }
            bytes += held.len();
            if bytes > BATCH {
                self.count_lines(&batch)?;
                batch.clear();
                bytes = 0;
            }
        }
        self.count_lines(&batch)?;
        lines.info(path)
    }

    fn count_lines(&mut self, batch: &[Observation]) -> Result<()> {
        let observed = observe(self.registry, batch)?;
        self.with_model += batch.len().saturating_sub(observed.without_model);
        self.without_model += observed.without_model;
        self.add(observed);
        Ok(())
    }

    fn add(&mut self, mut later: Observed) {
        let broken = mem::take(&mut later.broken);
        self.observed.add(later);
        broken.iter().for_each(|error| self.note_broken(error));
    }

    /// Tells at once of a model that cannot be loaded, and once.
    fn note_broken(&mut self, error: &Arc<Error>) {
        if self.observed.broken.note(Arc::clone(error)) {
            warn(&format!("undust: {}", sentence(error)));
        }
    }

    /// Counts what the pages of a crawl say, site by site.
    fn take_pages(&mut self, path: &Path, pages: Vec<Page>) -> Result<()> {
        let clusters = self.args.settings.read()?.clusters;
        let (sites, without_model) = by_site(pages, self.registry);
        self.without_model += without_model;
        if without_model > 0 {
            let (name, pages) = (path.display(), counted(without_model, "page"));
            info(&format!("{name}: {pages} of sites without a model passed over"));
        }
        let done = Arc::default();
        let all = sites.values().map(Vec::len).sum();
        let _watch = Watch::count("comparing", all, "pages", Arc::clone(&done));
        for pages in sites.into_values() {
            match self.registry.model(pages.first().map_or("", |page| &page.url)) {
                Ok(model) => {
                    self.with_model += pages.len();
                    let shown = cluster_counting(&pages, &clusters, &done);
                    let came = observations(&pages, &shown, &model);
                    self.add(observe(self.registry, &came)?);
                }
                Err(absence) => {
                    self.without_model += pages.len();
                    absence.error.iter().for_each(|error| self.note_broken(error));
                }
            }
        }
        Ok(())
    }

    /// Prints what is known, and gives the verdict.
    fn info(&self) -> Result<()> {
        let Self { observed, args, .. } = self;
        if self.with_model == 0 && self.without_model > 0 && observed.broken.is_empty() {
            let models = args.models.display();
            return Err(Error::Unusable(format!(
                "nothing could be judged: no URL is of a site that has a model in {models}"
            )));
        }
        let text = match args.format {
            Format::Table => text(observed),
            Format::Json => json(observed)?,
        };
        // The exit code tells the verdict to whoever reads no further, too.
        let printed = writeln!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"));
        verdict(observed)?;
        printed
    }
}

/// What failed comes before what could not be judged: it is switched off, and the next run finds it
/// no more.
fn verdict(observed: &Observed) -> Result<()> {
    match observed.switched_off().count() {
        0 => {}
        1 => {
            let described = "one operation is switched off until the next training";
            return Err(Error::Refuted(described.into()));
        }
        many => {
            let described = format!("{many} operations are switched off until the next training");
            return Err(Error::Refuted(described));
        }
    }
    all_loaded(&observed.broken, "what came back of its URLs did not count")
}

fn parse(line: &[u8]) -> Result<Observation, String> {
    serde_json::from_slice(line).map_err(|error| {
        let message = error.to_string();
        // serde_json sees one line at a time: its line number is always 1. It quotes what it found,
        // which may be megabytes long.
        let described = message.split(" at line ").next().unwrap_or(&message);
        described[..described.floor_char_boundary(NOTE_BYTES)].to_owned()
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
    fn skip(&mut self, number: u64, error: &str) {
        self.bad += 1;
        if self.notes.len() < MAX_NOTES {
            self.notes.push(format!("line {number} is no observation: {error}"));
        }
    }

    /// Says what was skipped; an error where that is all there was.
    fn info(&self, path: &Path) -> Result<()> {
        match (self.good, self.notes.first()) {
            // A batch in which nothing came back is none that went wrong.
            (0, None) => info(&format!("{}: holds no observation", path.display())),
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

fn text(observed: &Observed) -> String {
    let Observed { counted, conflicts, passed_over, without_model, operations, .. } = observed;
    let came = plural::counted(*counted, "URL");
    let mut counts = format!("{came} came back, {conflicts} of them with another page");
    match passed_over.saturating_sub(*without_model) {
        0 => {}
        apart => {
            counts +=
                &format!("; {apart} did not count: no active rule gives both URLs the same form");
        }
    }
    if *without_model > 0 {
        counts += &format!("; {without_model} of sites without a model that can be loaded");
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
