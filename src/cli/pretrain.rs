//! `undust pretrain`: one network for many sites, which answers for sites without a model.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use undust_cluster::clusters::{Clusters, cluster};
use undust_crawl::read_pages;
use undust_learn::config::Config;
use undust_learn::evaluate::units::stem;
use undust_learn::simulate::simulate;
use undust_learn::training::TrainingSet;
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_model::translation::Unnormalized;
use undust_network::pretrain::{WeightedSite, made_up};
use undust_pages::page::Page;
use undust_util::address::shown;
use undust_util::error::{Error, Result};
use undust_util::plural::counted;

use super::arguments::{DeviceArgument, Settings, TableOrJson};
use super::device::{check_device, trainer_on};
use super::failure::Failure;
use super::progress::{Board, catch_interrupt, info, interrupted};
use super::reading::{Reading, check_readable, no_page, report_kinds, without_host};
use super::standard::{check_output, print_line};
use super::table::{json, new_table, numbers, safe_line};

/// Train one network on the crawls of many sites, for sites that have no model.
///
/// The network is written to the folder base/ of the models; `undust translate --base` and others use
/// it. It learns no words that one site alone has. Ctrl-C ends the training early and keeps the best
/// weights so far.
#[derive(Debug, clap::Args)]
pub(super) struct PretrainArgs {
    /// Crawls of different sites: manifests (.jsonl), archives, indexes, feeds
    #[arg(value_name = "CRAWL", required = true)]
    inputs: Vec<PathBuf>,

    /// Number of made-up sites to train on, too, with the kinds of duplicates that are common; together
    /// they count as a fifth of all
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    made_up_sites: u32,

    #[command(flatten)]
    settings: Settings,

    /// Folder of the models
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    #[arg(hide_env_values = true)]
    models: PathBuf,

    /// Device to train on
    #[arg(long, value_enum, default_value_t)]
    device: DeviceArgument,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    evaluation: EvaluationArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Evaluation")]
struct EvaluationArgs {
    /// Write no network, but print what one saves and loses on each crawl when it is trained on the
    /// crawls of all other applications
    ///
    /// The last quarter of the crawl is replayed, as `undust evaluate` does.
    #[arg(long)]
    evaluate: bool,

    /// Crawls of the same application, such as two wikis of one software, by their names without
    /// endings; may be given several times
    #[arg(long, value_name = "NAME,NAME", requires = "evaluate", value_delimiter = ';')]
    same_application: Vec<String>,

    /// How to print the result
    #[arg(long, value_enum, default_value = "table", requires = "evaluate")]
    format: TableOrJson,
}

/// A crawl to learn from.
struct Crawl {
    name: String,
    pages: Vec<Page>,
    clusters: Clusters,
}

/// What the base network does on a crawl that it was not trained on.
#[derive(Debug, Clone, Serialize)]
struct CrawlResult {
    crawl: String,
    pages: usize,
    clusters: usize,
    keep_all_f1: f64,
    f1: f64,
    lost: usize,
}

/// Reads all crawls, and trains or evaluates.
pub(super) fn run(args: PretrainArgs) -> Result<()> {
    let config = args.settings.read()?;
    check_device(args.device, true)?;
    check_readable(&args.inputs)?;
    if args.evaluation.evaluate {
        check_output(Path::new("-"))?;
    }
    let crawls =
        args.inputs.iter().map(|input| args.read(input, &config)).collect::<Result<Vec<_>>>()?;
    let made_up: Vec<Crawl> =
        (0..args.made_up_sites).map(|number| Crawl::made_up(config.seed, number)).collect();
    catch_interrupt();
    if args.evaluation.evaluate {
        return args.evaluate(&config, &crawls, &made_up);
    }
    let board = Board::new(1, "networks");
    let line = board.line(SiteModel::BASE);
    let sites = weighted(crawls.iter().collect(), &made_up, &config);
    let settings = config.record();
    let model = trainer_on(args.device).pretrain(&sites, &config, settings, &line)?;
    drop(line);
    let place = args.models.join(SiteModel::BASE);
    model.save(&place)?;
    info(&format!(
        "{}: base network of {} and {}{}",
        shown(&place),
        counted(crawls.len(), "crawl"),
        counted(args.made_up_sites as usize, "made-up site"),
        if interrupted() { ", interrupted: the best weights so far" } else { "" },
    ));
    Ok(())
}

/// Each crawl counts alike, and all made-up sites together as a quarter of what the crawls do.
fn weighted<'c>(
    crawls: Vec<&'c Crawl>,
    made_up: &'c [Crawl],
    config: &Config,
) -> Vec<WeightedSite<'c>> {
    let share = 0.25 * crawls.len().max(1) as f64 / made_up.len().max(1) as f64;
    let site = |crawl: &'c Crawl, weight| WeightedSite { set: crawl.set(config), weight };
    let real = crawls.into_iter().map(|crawl| site(crawl, 1.0));
    real.chain(made_up.iter().map(|crawl| site(crawl, share))).collect()
}

impl PretrainArgs {
    fn read(&self, input: &PathBuf, config: &Config) -> Result<Crawl> {
        let inputs = std::slice::from_ref(input);
        let (options, watch) = self.reading.of(inputs);
        let (crawl, report) = read_pages(inputs, &options).map_err(without_host)?;
        drop(watch);
        report_kinds(&report);
        info(&format!("{}: {report}", shown(&input)));
        if crawl.pages.is_empty() {
            return Err(no_page(inputs, "learn from", &report, &crawl.left_out));
        }
        let clusters = cluster(&crawl.pages, &config.clusters);
        Ok(Crawl { name: stem(input), pages: crawl.pages, clusters })
    }

    /// Trains a network for each application, and replays its crawls.
    fn evaluate(&self, config: &Config, crawls: &[Crawl], made_up: &[Crawl]) -> Result<()> {
        let applications = self.applications(crawls)?;
        let board = Board::new(applications.len(), "applications");
        let replay = |held_out: &Vec<usize>| -> Result<Vec<CrawlResult>> {
            if interrupted() {
                return Ok(Vec::new());
            }
            let line = board.line(&crawls[held_out[0]].name);
            let others = crawls.iter().enumerate().filter(|(at, _)| !held_out.contains(at));
            let sites = weighted(others.map(|(_, crawl)| crawl).collect(), made_up, config);
            let trainer = trainer_on(self.device);
            let model = trainer.pretrain(&sites, config, serde_json::Value::Null, &line)?;
            Ok(held_out.iter().map(|at| crawls[*at].replay(&model, config)).collect())
        };
        // One thread for each: a network gains little from a second one.
        let on_one_thread = |held_out: &Vec<usize>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
            pool.map_err(Failure::Threads)?.install(|| replay(held_out))
        };
        let results: Vec<Vec<CrawlResult>> =
            applications.par_iter().map(on_one_thread).collect::<Result<_>>()?;
        let results = results.concat();
        let text = match self.evaluation.format {
            TableOrJson::Json => json(&results)?,
            TableOrJson::Table => table(&results),
        };
        print_line(&text)
    }

    /// The names of all crawls that share an application.
    fn together(&self) -> impl Iterator<Item = &str> {
        self.evaluation.same_application.iter().flat_map(|names| names.split(','))
    }

    /// The crawls of each application, by their positions.
    ///
    /// # Errors
    ///
    /// Two crawls of one name, a name that no crawl has or that two applications have, one application
    /// alone.
    fn applications(&self, crawls: &[Crawl]) -> Result<Vec<Vec<usize>>> {
        let names: Vec<&str> = crawls.iter().map(|crawl| crawl.name.as_str()).collect();
        no_name_twice(&names)?;
        let together: Vec<&str> = self.together().collect();
        no_name_twice(&together)?;
        let place = |name: &str| {
            let found = crawls.iter().position(|crawl| crawl.name == name);
            found.ok_or_else(|| Error::from(Failure::UnknownCrawl { name: name.to_owned() }))
        };
        let mut applications = Vec::new();
        for names in &self.evaluation.same_application {
            applications.push(names.split(',').map(place).collect::<Result<Vec<usize>>>()?);
        }
        if applications.iter().any(|together| together.len() == crawls.len()) || crawls.len() == 1 {
            return Err(Failure::OneApplication.into());
        }
        let alone = |at: &usize| !applications.iter().any(|together| together.contains(at));
        let alone: Vec<usize> = (0..crawls.len()).filter(alone).collect();
        applications.extend(alone.into_iter().map(|at| vec![at]));
        applications.sort();
        Ok(applications)
    }
}

/// Names that tell the crawls apart.
fn no_name_twice(names: &[&str]) -> Result<()> {
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    let twice = sorted.windows(2).find(|two| two[0] == two[1]);
    match twice {
        Some([name, _]) => Err(Failure::CrawlTwice { name: (*name).to_owned() }.into()),
        _ => Ok(()),
    }
}

impl Crawl {
    fn made_up(seed: u64, number: u32) -> Self {
        let (pages, clusters) = made_up::site(seed, number);
        Self { name: format!("made up {number}"), pages, clusters }
    }

    fn set(&self, config: &Config) -> TrainingSet<'_> {
        TrainingSet::by(&self.pages, &self.clusters, &config.canonical)
    }

    /// Replays the last quarter.
    fn replay(&self, model: &SiteModel, config: &Config) -> CrawlResult {
        let pages = &self.pages[self.pages.len() * 3 / 4..];
        let clusters = cluster(pages, &config.clusters);
        let replay = simulate(pages, &clusters, model);
        let keep_all = simulate(pages, &clusters, &Unnormalized(&Model::Identity));
        CrawlResult {
            crawl: self.name.clone(),
            pages: pages.len(),
            clusters: clusters.len(),
            keep_all_f1: keep_all.f1(),
            f1: replay.f1(),
            lost: replay.lost(),
        }
    }
}

fn table(results: &[CrawlResult]) -> String {
    let mut table =
        new_table(["crawl", "pages", "clusters", "keep-all F1", "base F1", "lost", "lost share"]);
    let row = |name: &str, pages: usize, clusters: usize, f1: [f64; 2], lost: usize| {
        [
            safe_line(name),
            pages.to_string(),
            clusters.to_string(),
            format!("{:.3}", f1[0]),
            format!("{:.3}", f1[1]),
            lost.to_string(),
            format!("{:.2} %", 100.0 * lost as f64 / clusters.max(1) as f64),
        ]
    };
    for one in results {
        let f1 = [one.keep_all_f1, one.f1];
        table.add_row(row(&one.crawl, one.pages, one.clusters, f1, one.lost));
    }
    let sum = |count: fn(&CrawlResult) -> usize| results.iter().map(count).sum::<usize>();
    let mean = |figure: fn(&CrawlResult) -> f64| {
        results.iter().map(figure).sum::<f64>() / results.len().max(1) as f64
    };
    table.add_row(row(
        "all (mean F1)",
        sum(|one| one.pages),
        sum(|one| one.clusters),
        [mean(|one| one.keep_all_f1), mean(|one| one.f1)],
        sum(|one| one.lost),
    ));
    numbers(&mut table, 1..7);
    table.to_string()
}
