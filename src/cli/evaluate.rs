//! `undust evaluate`: what each method would have saved and lost on given crawls.

mod args;
mod drift_table;
mod live;
mod model_drift;
mod output;
mod rules_table;
mod saved;
mod shapes_table;
mod table;

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use undust_crawl::read_pages;
use undust_learn::config::Config;
use undust_learn::evaluate::queue::evaluate_all;
use undust_learn::evaluate::result::{MethodOutcome, MethodResult, SiteResult, make_names_unique};
use undust_learn::evaluate::units::{Unit, UnitBy, Units, units};
use undust_learn::evaluate::{EvaluationOptions, Split};
use undust_learn::method::{Method, Training};
use undust_learn::translator::TrainTranslator;
use undust_pages::pages::Pages;
use undust_util::error::{Error, Result};
use undust_util::plural::counted;

pub(super) use self::args::EvaluateArgs;
use self::output::{json_output, print};
use self::rules_table::rules_table;
use self::table::table;
use super::device::{check_networks, translator_trainer};
use super::failure::Failure;
use super::progress::{Board, catch_interrupt, info, interrupted};
use super::reading::{check_readable, no_page, report_kinds, without_host};
use super::remedy::sentence;
use super::standard::check_output;
use super::table::width;

/// Reads, evaluates, prints. If a crawl cannot be read, the others are evaluated all the same, and the
/// command fails at the end.
///
/// # Errors
///
/// The settings or a crawl cannot be read, the results cannot be written, or nothing could be
/// evaluated.
pub(super) fn run(args: EvaluateArgs) -> Result<()> {
    if let Some(models) = &args.models {
        return saved::run(&args, models);
    }
    if args.live {
        return live::run(&args);
    }
    let plan = Plan::new(&args)?;
    let json = json_output(&args)?;
    let mut supply = Supply::new(&args, &plan);
    let run = |split: &Split, method| plan.evaluate(split, method);
    let mut results = evaluate_all(&mut supply, &plan.methods, plan.threads, &run);
    make_names_unique(&mut results);
    let Supply { failure, unusable, inputs, .. } = supply;
    if interrupted() && inputs.len() > 0 {
        info(&format!("interrupted: {} not evaluated", counted(inputs.len(), "crawl")));
    }
    if results.is_empty() {
        return Err(failure.or(unusable).unwrap_or_else(|| Failure::NothingEvaluated.into()));
    }
    let printed = print(&args, json, &results, || results_table(&args, &results));
    if let Some(error) = unusable {
        info(&sentence(&error));
    }
    printed?;
    failure.map_or_else(|| any_evaluated(&results), Err)
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
struct Plan {
    methods: Vec<Method>,
    config: Config,
    translator: Option<Box<dyn TrainTranslator>>,
    options: EvaluationOptions,
    threads: usize,
    board: Board,
}

impl Plan {
    fn new(args: &EvaluateArgs) -> Result<Plan> {
        check_readable(&args.inputs)?;
        check_output(Path::new("-"))?;
        let config = args.settings.read()?;
        let trains = |method: &Method| method.trains_translator(&config.gate);
        check_networks(&args.networks, args.methods.iter().any(trains))?;
        let options = EvaluationOptions {
            split: args.split,
            hold_out: args.hold_out.into(),
            clusters: config.clusters,
            beta: args.beta,
            word_share: config.tokens.threshold,
            seed: config.seed,
            rules: args.rules,
            details: false,
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let methods = distinct(&args.methods);
        report_unkept(&methods, &config);
        Ok(Plan {
            config,
            translator: translator_trainer(&args.networks)?,
            options,
            threads: args.jobs.map_or(cores, usize::from),
            board: Board::new(methods.len() * args.inputs.len(), "methods"),
            methods,
        })
    }

    /// One job on one thread: training would gain nothing from more, and other jobs need them.
    fn evaluate(&self, split: &Split, method: Method) -> MethodResult {
        let failed = |error: String| MethodResult {
            name: method.name().to_owned(),
            outcome: MethodOutcome::Failed { error },
        };
        // Before this, while crawls are read, there is nothing to finish.
        catch_interrupt();
        if interrupted() {
            return failed("interrupted before it began".to_owned());
        }
        let line = self.board.line(&format!("{}, {}", split.unit().site, method.name()));
        let translator = self.translator.as_deref();
        let training = Training { config: &self.config, translator, observer: &line };
        match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(|| split.evaluate(method, &training)),
            Err(error) => failed(error.to_string()),
        }
    }
}

fn distinct(methods: &[Method]) -> Vec<Method> {
    let first = |(at, method): &(usize, &Method)| !methods[..*at].contains(method);
    methods.iter().enumerate().filter(first).map(|(_, method)| *method).collect()
}

/// Supplies one unit after the other. A crawl is read when its first unit is needed.
struct Supply<'a> {
    args: &'a EvaluateArgs,
    plan: &'a Plan,
    inputs: std::slice::Iter<'a, PathBuf>,
    units: VecDeque<Unit>,
    /// The first crawl that could not be read.
    failure: Option<Error>,
    /// The last unit that could not be evaluated.
    unusable: Option<Error>,
}

impl<'a> Supply<'a> {
    fn new(args: &'a EvaluateArgs, plan: &'a Plan) -> Self {
        let inputs = args.inputs.iter();
        Supply { args, plan, inputs, units: VecDeque::new(), failure: None, unusable: None }
    }

    fn read(&mut self, input: &'a PathBuf) {
        let inputs = std::slice::from_ref(input);
        let (options, watch) = self.args.reading.of(inputs);
        let read = read_pages(inputs, &options);
        drop(watch);
        match read {
            Ok((crawl, report)) => {
                report_kinds(&report);
                let left_out = crawl.left_out;
                let total = counted(left_out.total(), "URL");
                let name = input.display();
                info(&format!("{name}: {report}; {total} left out: {left_out}"));
                match crawl.pages.is_empty() {
                    true => self.skip(no_page(inputs, "test on", &report, &left_out)),
                    false => self.cut(input, crawl),
                }
            }
            Err(error) => self.fail(without_host(error)),
        }
    }

    fn cut(&mut self, input: &Path, crawl: Pages) {
        let min_pages = self.plan.config.site.min_pages;
        let by = self.args.site_by.into();
        let found = units(input, crawl.pages, by, min_pages);
        if let Some(note) = note(&found, by, min_pages) {
            info(&format!("{}: {note}", input.display()));
        }
        self.units = found.units.into();
        let methods = self.plan.methods.len();
        self.plan.board.expect(self.units.len() * methods, methods);
    }

    /// Skips what cannot be evaluated.
    fn skip(&mut self, error: Error) {
        self.plan.board.expect(0, self.plan.methods.len());
        let earlier = self.unusable.replace(error);
        earlier.iter().for_each(|error| info(&sentence(error)));
    }

    fn fail(&mut self, error: Error) {
        self.plan.board.expect(0, self.plan.methods.len());
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
            match self.units.pop_front().map(|unit| Split::of(unit, &self.plan.options)) {
                Some(Ok(parts)) => return Some(parts),
                Some(Err(error)) => self.skip(error),
                None => {
                    let input = self.inputs.next()?;
                    self.read(input);
                }
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

fn results_table(args: &EvaluateArgs, results: &[SiteResult]) -> String {
    let mut table = table(results, args.beta, width());
    if args.rules {
        table.push('\n');
        table.push_str(&rules_table(results));
    }
    table
}
