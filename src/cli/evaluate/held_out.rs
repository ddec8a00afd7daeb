//! Crawls are read and cut, and methods learn from one part and are replayed on the other: what `undust evaluate` and
//! `undust report` share.

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use undust_crawl::{ReadOptions, read_pages_into};
use undust_learn::evaluate::queue::{Work, evaluate_all};
use undust_learn::evaluate::result::{SiteResult, make_names_unique};
use undust_learn::evaluate::run::MethodRun;
use undust_learn::evaluate::units::{Unit, UnitBy, Units, units};
use undust_learn::evaluate::{EvaluationOptions, Split};
use undust_learn::{Config, Method, TrainTranslator, Training};
use undust_pages::{Page, Pages, PagesBuilder};
use undust_report::Live;
use undust_util::{Error, Result, counted, shown};

use super::args::HeldOutArgs;
use crate::cli::device::{check_device, translator_trainer};
use crate::cli::failure::Failure;
use crate::cli::progress::{Board, catch_interrupt, info, interrupted};
use crate::cli::reading::{check_readable, no_page, report_kinds, without_host};
use crate::cli::remedy::sentence;
use crate::cli::report::{Gatherer, Replayer};

/// What is wanted of an evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// The methods; one that is given twice counts once.
    pub(crate) methods: &'a [Method],
    /// Replays each unit as the live engine would crawl it.
    pub(crate) live: Option<&'a Replayer>,
}

/// What was evaluated.
pub(crate) struct Evaluated {
    /// At least one, with different names.
    pub(crate) results: Vec<SiteResult>,
    /// What the live engine did on each, if it was asked for and could learn.
    pub(crate) live: Vec<Option<Live>>,
    /// The first crawl that could not be read.
    pub(crate) failure: Option<Error>,
    /// What could not be evaluated, in sentences, the failure included.
    pub(crate) skipped: Vec<String>,
    /// The last error of evaluation, which is not reported yet.
    unusable: Option<Error>,
}

impl Evaluated {
    /// Reports what is left to report; whether the command succeeded.
    pub(crate) fn finish(self, printed: Result<()>) -> Result<()> {
        if let Some(error) = self.unusable {
            info(&sentence(&error));
        }
        printed?;
        self.failure.map_or_else(|| any_evaluated(&self.results), Err)
    }
}

/// Reads and evaluates. If a crawl cannot be read, the others are evaluated all the same. Where there is a gatherer, it
/// sees all that is read, and the results have details.
///
/// # Errors
///
/// The settings cannot be read, or nothing could be evaluated.
pub(crate) fn evaluate(
    args: &HeldOutArgs,
    wanted: Wanted<'_>,
    gatherer: Option<&mut Gatherer>,
) -> Result<Evaluated> {
    let plan = Plan::new(args, wanted, gatherer.is_some())?;
    let mut supply = Supply::new(args, &plan, gatherer);
    let done = evaluate_all(&mut supply, &plan.methods, plan.threads, &plan);
    let (mut results, live): (Vec<SiteResult>, Vec<Option<Live>>) = done.into_iter().unzip();
    make_names_unique(&mut results);
    let Supply { failure, unusable, inputs, skipped, .. } = supply;
    if interrupted() && inputs.len() > 0 {
        info(&format!("interrupted: {} not evaluated", counted(inputs.len(), "crawl")));
    }
    if results.is_empty() {
        return Err(failure.or(unusable).unwrap_or_else(|| Failure::NothingEvaluated.into()));
    }
    Ok(Evaluated { results, live, failure, skipped, unusable })
}

fn any_evaluated(results: &[SiteResult]) -> Result<()> {
    let mut methods = results.iter().flat_map(|result| &result.methods);
    let is_any = methods.any(|method| method.figures().is_some());
    is_any.then_some(()).ok_or_else(|| Failure::NothingLearned.into())
}

/// Names the methods that may drop arguments which the settings keep. They are evaluated for comparison;
/// `train` refuses them.
fn report_unkept(methods: &[Method], config: &Config) {
    let unkept = methods.iter().filter(|method| !method.is_baseline());
    let unkept = unkept.filter(|method| method.check_keeps(&config.gate).is_err());
    let unkept: Vec<&str> = unkept.map(|method| method.name()).collect();
    if !unkept.is_empty() {
        info(&format!(
            "gate.keep has no effect on methods without the gate, which may drop any argument: {}",
            unkept.join(", ")
        ));
    }
}

/// What the command does, from its arguments and settings.
struct Plan<'a> {
    methods: Vec<Method>,
    config: Config,
    translator: Option<Box<dyn TrainTranslator>>,
    options: EvaluationOptions,
    threads: usize,
    board: Board,
    /// The URLs that sitemaps list.
    listed: Vec<String>,
    live: Option<&'a Replayer>,
}

impl<'a> Plan<'a> {
    fn new(args: &HeldOutArgs, wanted: Wanted<'a>, details: bool) -> Result<Self> {
        check_readable(&args.files())?;
        let config = args.config()?;
        let mut listed = Vec::new();
        let list = &mut |url: &str| listed.push(url.to_owned());
        args.sitemaps.read(&config.labels, &ReadOptions::default(), list)?;
        let trains = |method: &Method| method.is_network();
        check_device(args.networks.device, wanted.methods.iter().any(trains))?;
        let options = EvaluationOptions {
            split: args.split,
            hold_out: args.hold_out,
            clusters: config.clusters,
            word_share: config.tokens.threshold,
            seed: config.seed,
            details,
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let methods = distinct(wanted.methods);
        report_unkept(&methods, &config);
        Ok(Plan {
            config,
            translator: translator_trainer(&args.networks),
            options,
            threads: args.jobs.map_or(cores, usize::from),
            board: Board::new(methods.len() * args.inputs.len(), "methods"),
            methods,
            listed,
            live: wanted.live,
        })
    }
}

impl Work<Option<Live>> for Plan<'_> {
    /// One job on one thread: training would gain nothing from more, and other jobs need them.
    fn evaluate(&self, split: &Split, method: Method) -> MethodRun {
        // Before this, while crawls are read, there is nothing to finish.
        catch_interrupt();
        if interrupted() {
            return MethodRun::failed(method, "interrupted before it began");
        }
        let line = self.board.line(&format!("{}, {}", split.unit().site, method.name()));
        let translator = self.translator.as_deref();
        let training = Training { config: &self.config, translator, observer: &line };
        match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(|| split.evaluate(method, &training)),
            Err(error) => MethodRun::failed(method, &error.to_string()),
        }
    }

    fn extra(&self, split: &Split) -> Option<Live> {
        self.live?.replay(split)
    }
}

fn distinct(methods: &[Method]) -> Vec<Method> {
    let first = |(at, method): &(usize, &Method)| !methods[..*at].contains(method);
    methods.iter().enumerate().filter(first).map(|(_, method)| *method).collect()
}

/// Supplies one unit after the other. A crawl is read when its first unit is needed.
struct Supply<'a> {
    args: &'a HeldOutArgs,
    plan: &'a Plan<'a>,
    gatherer: Option<&'a mut Gatherer>,
    inputs: std::slice::Iter<'a, PathBuf>,
    units: VecDeque<Unit>,
    /// The first crawl that could not be read.
    failure: Option<Error>,
    /// The last unit that could not be evaluated.
    unusable: Option<Error>,
    /// All that could not be read or evaluated, in sentences.
    skipped: Vec<String>,
}

impl<'a> Supply<'a> {
    fn new(args: &'a HeldOutArgs, plan: &'a Plan<'a>, gatherer: Option<&'a mut Gatherer>) -> Self {
        let inputs = args.inputs.iter();
        Supply {
            args,
            plan,
            gatherer,
            inputs,
            units: VecDeque::new(),
            failure: None,
            unusable: None,
            skipped: Vec::new(),
        }
    }

    fn read(&mut self, input: &'a PathBuf) {
        let inputs = std::slice::from_ref(input);
        let (mut options, watch) = self.args.reading.of(inputs);
        options.truth_field.clone_from(&self.args.truth);
        let builder = self.builder();
        let read = match &mut self.gatherer {
            None => read_pages_into(builder, inputs, &options, &mut |_| ()),
            Some(gatherer) => gatherer.read(input, &options, builder),
        };
        drop(watch);
        match read {
            Ok((crawl, report)) => {
                report_kinds(&report);
                let left_out = crawl.left_out;
                let total = counted(left_out.total(), "URL");
                let name = shown(&input);
                info(&format!("{name}: {report}; {total} left out: {left_out}"));
                match self.truth(input, &crawl.pages) {
                    _ if crawl.pages.is_empty() => {
                        self.skip(no_page(inputs, "test on", &report, &left_out));
                    }
                    Err(error) => self.fail(error),
                    Ok(()) => self.cut(input, crawl),
                }
            }
            Err(error) => self.fail(without_host(error)),
        }
    }

    /// Of the pages of a crawl, which keep what the site says of them if that is evidence.
    fn builder(&self) -> PagesBuilder {
        if !self.plan.config.labels.is_used() {
            return PagesBuilder::new();
        }
        let mut builder = PagesBuilder::new().with_labels();
        self.plan.listed.iter().for_each(|url| builder.list(url));
        builder
    }

    /// Tells how many pages have no field to judge them by. That none has it is an error.
    fn truth(&self, input: &Path, pages: &[Page]) -> Result<()> {
        let Some(field) = &self.args.truth else { return Ok(()) };
        let without = pages.iter().filter(|page| page.truth.is_none()).count();
        if without == pages.len() {
            return Err(Failure::NoTruth { path: input.to_owned(), field: field.clone() }.into());
        }
        if without > 0 {
            let pages = counted(without, "page");
            let place = shown(&input);
            info(&format!(
                "{place}: {pages} without {field}, judged by the others of their cluster"
            ));
        }
        Ok(())
    }

    fn cut(&mut self, input: &Path, crawl: Pages) {
        let min_pages = self.plan.config.site.min_pages;
        let by = self.args.site_by;
        let found = units(input, crawl.pages, by, min_pages);
        if let Some(note) = note(&found, by, min_pages) {
            info(&format!("{}: {note}", shown(&input)));
        }
        self.units = found.units.into();
        let methods = self.plan.methods.len();
        self.plan.board.expect(self.units.len() * methods, methods);
    }

    /// Skips what cannot be evaluated.
    fn skip(&mut self, error: Error) {
        self.plan.board.expect(0, self.plan.methods.len());
        self.skipped.push(sentence(&error));
        let earlier = self.unusable.replace(error);
        earlier.iter().for_each(|error| info(&sentence(error)));
    }

    fn fail(&mut self, error: Error) {
        self.plan.board.expect(0, self.plan.methods.len());
        self.skipped.push(sentence(&error));
        match self.failure {
            None => self.failure = Some(error),
            Some(_) => info(&sentence(&error)),
        }
    }
}

impl Iterator for Supply<'_> {
    type Item = Split;

    fn next(&mut self) -> Option<Split> {
        while !interrupted() {
            let Some(unit) = self.units.pop_front() else {
                let input = self.inputs.next()?;
                self.read(input);
                continue;
            };
            match Split::of(unit, &self.plan.options) {
                Ok(parts) => {
                    self.gatherer.iter_mut().for_each(|gatherer| gatherer.look(&parts));
                    return Some(parts);
                }
                Err(error) => self.skip(error),
            }
        }
        None
    }
}

/// A note for users who expect one unit, or all sites, to be evaluated.
fn note(found: &Units, by: UnitBy, min_pages: usize) -> Option<String> {
    let Units { sites, small_sites, pages_without_site, .. } = found;
    match by {
        UnitBy::Crawl if *sites > 1 => Some(format!(
            "{sites} hosts are evaluated as one site; --site-by host evaluates each by itself"
        )),
        UnitBy::Crawl => None,
        _ if small_sites + pages_without_site == 0 => None,
        _ => Some(format!(
            "{small_sites} of {sites} sites skipped, with fewer than {min_pages} pages; {} without a \
             site",
            counted(*pages_without_site, "page"),
        )),
    }
}
