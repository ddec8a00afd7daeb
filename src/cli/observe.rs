//! `undust observe`: takes in what explored URLs showed.

mod validation;

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{mem, slice};

use serde::Serialize;

use undust_cluster::clusters::cluster_counting;
use undust_crawl::kind::may_begin_crawl;
use undust_crawl::lines::{ReadLine, read_line, without_mark};
use undust_crawl::pipeline::read_source;
use undust_crawl::source::{first_line, open_text};
use undust_learn::config::Config;
use undust_live::trials::crawl::observations;
use undust_live::trials::observe::{Observation, Observed, ObservedOperation, observe};
use undust_model::registry::Registry;
use undust_model::translation::spelled_out;
use undust_pages::{Page, Pages, PagesBuilder};
use undust_util::json::detail;
use undust_util::{Error, Result, counted, plural, shown};

use self::validation::{OtherAnswers, SiteValidation, validate};
use super::arguments::{Settings, TextOrJson};
use super::failure::Failure;
use super::progress::{Watch, info, warn};
use super::reading::{Reading, by_site, check_readable, no_page, report_kinds, without_host};
use super::remedy::{Warnings, all_loaded};
use super::table::{SafeTable, fit, new_table, numbers, safe_line};

/// Bytes of lines per batch; trials are read and written once per batch.
const BATCH: usize = 8 << 20;
/// Invalid lines that are reported in full.
const MAX_NOTES: usize = 8;

/// Count what explored URLs showed, and switch off operations that fail.
///
/// Explored URLs are those that --exploration lets through although a model would skip them. Each
/// operation of a model (a rule, an edit, a pair of templates) is on trial: a sequential test
/// whether 2 % or 20 % of its URLs show another page than their canonical form. Three
/// disagreements in a row are enough. An operation that fails is switched off until the next
/// training. A URL that agrees counts for every operation that changed it. A URL that disagrees
/// counts against the one that failed most often. Invalid lines are skipped and reported.
///
/// Rules that were learned from a log or a list are only likely. A crawl of the pairs that `undust
/// validate` writes also decides them, by the test of DustBuster's paper: a rule is valid if the
/// pages of 95 of 100 URLs and their forms are equal. It is refuted, and switched off, if 5 differ
/// or fail. With fewer pairs, but at least ten, the shares count.
///
/// The exit code is 0 if nothing fails, 1 if something does, 2 if nothing could be tested.
#[derive(Debug, clap::Args)]
pub(super) struct ObserveArgs {
    /// JSON lines {"url": …, "form": …, "same": true}, where form is any URL with the same canonical
    /// form; or crawls, whose pages are compared as `cluster` does; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,

    /// Folder of the models
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    models: PathBuf,

    /// How to print the result
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    reading: Reading,
}

/// Counts one input after the other, and prints the state of all trials.
pub(super) fn run(args: ObserveArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    let registry = Registry::open(&args.models)?;
    registry.check_writable()?;
    let mut counting = Counting::new(&args, &registry);
    for path in &args.inputs {
        counting.take(path)?;
    }
    counting.info()
}

/// The observations counted so far.
struct Counting<'c> {
    args: &'c ObserveArgs,
    registry: &'c Registry,
    observed: Observed,
    warnings: Warnings,
    /// What the fetches said of rules that are only likely.
    validations: Vec<SiteValidation>,
    /// Observations and pages of sites that have a model, and of others.
    with_model: usize,
    without_model: usize,
}

impl<'c> Counting<'c> {
    fn new(args: &'c ObserveArgs, registry: &'c Registry) -> Self {
        let (observed, warnings) = (Observed::default(), Warnings::default());
        let validations = Vec::new();
        Self { args, registry, observed, warnings, validations, with_model: 0, without_model: 0 }
    }

    /// Counts an input. Its first line shows whether it holds observations or a crawl. It is read only
    /// once, because a pipe gives it only once.
    fn take(&mut self, path: &PathBuf) -> Result<()> {
        let (options, watch) = self.args.reading.of(slice::from_ref(path));
        let mut input = open_text(path, options.progress.clone().unwrap_or_default())?;
        let (number, line) = first_line(&mut input);
        let wrong = match serde_json::from_slice::<Observation>(line) {
            Err(error) if !line.is_empty() && !is_meant(line) => detail(&error),
            _ => return self.take_lines(path, &mut input),
        };
        // Lines that are typed or piped in are probably meant as observations.
        if path == Path::new("-") && !may_begin_crawl(line, &options) {
            let (path, line) = (path.into(), number);
            return Err(Failure::NotAnObservation { path, line, detail: wrong }.into());
        }
        let (mut crawl, mut others) = (PagesBuilder::new(), OtherAnswers::default());
        let report = read_source(path, input, &options, &mut |response| {
            others.note(&response);
            crawl.push(response);
            Ok(())
        })
        .map_err(without_host)?;
        let Pages { pages, left_out, .. } = crawl.finish();
        drop(watch);
        report_kinds(&report);
        info(&format!("{}: {report}", shown(&path)));
        if pages.is_empty() {
            let to_do = "compare, and the first line is not an observation";
            return Err(no_page(slice::from_ref(path), to_do, &report, &left_out));
        }
        self.take_pages(path, pages, &others)
    }

    /// Counts observations, one per line. An invalid line is skipped.
    fn take_lines(&mut self, path: &Path, input: &mut impl BufRead) -> Result<()> {
        let (mut batch, mut bytes, mut lines) = (Vec::new(), 0, Lines::default());
        let mut held = Vec::new();
        for number in 1.. {
            let whole = read_line(input, &mut held).map_err(Error::io("read", path))?;
            let line = without_mark(&held).trim_ascii();
            let observation = match whole {
                ReadLine::End => break,
                ReadLine::TooLong => Err("it is longer than 16 MiB".to_owned()),
                ReadLine::Whole if line.is_empty() => continue,
                ReadLine::Whole => serde_json::from_slice(line).map_err(|error| detail(&error)),
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
        broken.values().for_each(|error| self.note_broken(error));
    }

    /// Reports a model that cannot be loaded, at once and only once.
    fn note_broken(&mut self, error: &Arc<Error>) {
        if self.observed.broken.insert(error.to_string(), Arc::clone(error)).is_none() {
            self.warnings.report(error);
        }
    }

    /// Counts the pages of a crawl, site by site.
    fn take_pages(&mut self, path: &Path, pages: Vec<Page>, others: &OtherAnswers) -> Result<()> {
        let Config { clusters, dustbuster, .. } = self.args.settings.read()?;
        let (sites, without_model) = by_site(pages, self.registry);
        self.without_model += without_model;
        if without_model > 0 {
            let (name, pages) = (shown(&path), counted(without_model, "page"));
            info(&format!("{name}: {pages} skipped, of sites without a model"));
        }
        let all = sites.values().map(Vec::len).sum();
        let watch = Watch::count("comparing", all, "pages");
        for pages in sites.into_values() {
            match self.registry.model(pages.first().map_or("", |page| &page.url)) {
                Ok(model) => {
                    self.with_model += pages.len();
                    let shown = cluster_counting(&pages, &clusters, &watch.done);
                    let came = observations(&pages, &shown, &model);
                    self.add(observe(self.registry, &came)?);
                    let fetched = others.with(&pages, &shown);
                    let folder = self.registry.folder(&model.site);
                    self.validations.extend(validate(&folder, &model, &fetched, &dustbuster)?);
                }
                Err(lookup_error) => {
                    self.without_model += pages.len();
                    lookup_error.error.iter().for_each(|error| self.note_broken(error));
                }
            }
        }
        Ok(())
    }

    /// Prints the result, and returns the verdict.
    fn info(&self) -> Result<()> {
        let Self { observed, args, .. } = self;
        if self.with_model == 0 && self.without_model > 0 && observed.broken.is_empty() {
            return Err(Failure::NothingToTest { models: args.models.clone() }.into());
        }
        let validations = &self.validations;
        let text = || [text(observed), validation::text(validations)].concat();
        // The exit code gives the verdict even if printing fails.
        let printed = args.format.print(&Shown { observed, validations }, text);
        verdict(observed, validations)?;
        printed
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Shown<'s> {
    #[serde(flatten)]
    observed: &'s Observed,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    validations: &'s [SiteValidation],
}

/// Failures are reported before models that could not be evaluated: they are switched off now, and the
/// next run would not find them again.
fn verdict(observed: &Observed, validations: &[SiteValidation]) -> Result<()> {
    let refuted: usize = validations.iter().map(|one| one.switched_off).sum();
    match observed.switched_off().count() + refuted {
        0 => all_loaded(observed.broken.len(), "its URLs were not counted"),
        count => Err(Failure::SwitchedOff(count).into()),
    }
}

/// Whether an invalid line was meant as an observation: no line of a crawl has these fields.
fn is_meant(line: &[u8]) -> bool {
    let object = serde_json::from_slice::<serde_json::Map<_, _>>(line);
    object.is_ok_and(|object| object.contains_key("form") || object.contains_key("same"))
}

/// Counts of valid and invalid lines.
#[derive(Default)]
struct Lines {
    good: u64,
    bad: u64,
    /// What is wrong with the first invalid ones.
    notes: Vec<String>,
}

impl Lines {
    fn skip(&mut self, number: u64, error: &str) {
        self.bad += 1;
        if self.notes.len() < MAX_NOTES {
            self.notes.push(format!("line {number} is not an observation: {error}"));
        }
    }

    /// Reports what was skipped. An error if no line was valid.
    fn info(&self, path: &Path) -> Result<()> {
        match (self.good, self.notes.first()) {
            // An empty batch is not an error.
            (0, None) => info(&format!("{}: no observation in it", shown(&path))),
            (_, None) => {}
            (0, Some(first)) => {
                let (path, note) = (path.into(), first.clone());
                return Err(Failure::NoObservation { path, note }.into());
            }
            (good, Some(_)) => {
                let (name, notes) = (shown(&path), self.notes.join("\n  "));
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
    let mut counts = format!("{came} counted, of which {conflicts} showed another page");
    match passed_over.saturating_sub(*without_model) {
        0 => {}
        apart => {
            counts += &format!(
                "; {apart} not counted: no active rule gives both URLs one canonical form"
            );
        }
    }
    if *without_model > 0 {
        counts += &format!(
            "; {without_model} not counted: their sites have no model, or it cannot be loaded"
        );
    }
    if operations.is_empty() { counts } else { format!("{}\n{counts}", table(operations)) }
}

/// The counts since training, of the operations that this run observed.
fn table(operations: &[ObservedOperation]) -> SafeTable {
    let mut table = new_table(["site", "agreed", "disagreed", "verdict", "operation"]);
    fit(&mut table);
    for one in operations {
        table.add_row([
            safe_line(&one.site),
            one.agreed.to_string(),
            one.disagreed.to_string(),
            one.status.to_string(),
            safe_line(&spelled_out(&one.operation)),
        ]);
    }
    numbers(&mut table, 1..3);
    table
}
