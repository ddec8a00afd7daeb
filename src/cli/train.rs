//! `undust train`: a model for every site of a crawl.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::progress::{Board, catch_interrupt, interrupted, tell};
use crate::cluster::{ClusterOptions, Clusters, cluster};
use crate::config::Config;
use crate::crawl::{Page, Pages, ReadOptions};
use crate::models::{self, Kept, SiteFacts};
use crate::pairs::TrainingSet;
use crate::rules::Lesson;
use crate::seq2seq::{DeviceKind, Stopped, Trained};
use crate::site::{SiteBy, pages_by_site};
use crate::{Error, Method, Model, Result, Workshop};

/// Learn a model for every site of a crawl.
///
/// Each site's model goes into a folder of its own, models/<site>/, which takes the place of
/// an older one at once. Ctrl-C ends the training in good order and keeps the best weights
/// so far.
#[derive(Debug, clap::Args)]
pub struct TrainArgs {
    /// Crawls: manifests (.jsonl), WARC files, access logs; several are read as one
    #[arg(value_name = "CRAWL", required = true)]
    inputs: Vec<PathBuf>,

    /// Settings as train.toml of the source lists them; those left out keep their defaults
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Which method learns
    #[arg(long, value_enum, default_value = "auto")]
    method: TrainMethod,

    /// Where models go
    #[arg(long, value_name = "FOLDER", default_value = "models")]
    models: PathBuf,

    /// Where networks are trained
    #[arg(long, value_enum, default_value = "cpu")]
    device: DeviceKind,

    /// What is one site: a host (with its www. twin) or a registrable domain
    #[arg(long, value_enum, default_value = "host")]
    site_by: SiteBy,

    /// Everything random follows from this number, instead of the settings' seed
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Sites trained at once [default: one a processor]
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<NonZero<usize>>,

    /// Skip and count damaged lines instead of stopping at the first
    #[arg(long)]
    lenient: bool,
}

/// The methods that leave a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum TrainMethod {
    /// The best there is for the site; so far always the network
    Auto,
    /// The neural translator
    #[value(name = "seq2seq")]
    Seq2Seq,
    /// Rewrite rules
    Rewrite,
    /// Decision-tree rules with deep tokens
    Tree,
    /// DustBuster's substring rules
    Dustbuster,
    /// DUSTER's rules of aligned URLs
    Duster,
}

impl TrainMethod {
    fn method(self) -> Method {
        match self {
            Self::Auto | Self::Seq2Seq => Method::Seq2Seq,
            Self::Rewrite => Method::Rewrite,
            Self::Tree => Method::Tree,
            Self::Dustbuster => Method::Dustbuster,
            Self::Duster => Method::Duster,
        }
    }
}

/// Reads the crawl, then trains its sites side by side.
pub fn run(args: TrainArgs) -> Result<()> {
    let config = args.config()?;
    args.device.open()?;
    let options = ReadOptions { lenient: args.lenient, ..ReadOptions::default() };
    let (crawl, report) = Pages::read(&args.inputs, &options)?;
    tell(&report.to_string());
    if crawl.pages.is_empty() {
        let path = args.inputs.first().cloned().unwrap_or_default();
        let left_out = crawl.left_out;
        let reason = format!("no page to learn from; left out: {left_out}");
        return Err(Error::Crawl { path, reason });
    }
    let pages = crawl.pages.len();
    let sites = pages_by_site(crawl.pages, args.site_by);
    let homeless = pages - sites.iter().map(|(_, pages)| pages.len()).sum::<usize>();
    if homeless > 0 {
        tell(&format!("{homeless} pages are of no site: their URLs name no host"));
    }
    catch_interrupt();
    let outcomes = Job { args: &args, config: &config, board: Board::default() }.train_all(sites);
    summarize(&outcomes, &config)
}

impl TrainArgs {
    fn config(&self) -> Result<Config> {
        let mut config =
            self.config.as_deref().map_or_else(|| Ok(Config::default()), Config::read)?;
        config.seq2seq.seed = self.seed.unwrap_or(config.seq2seq.seed);
        Ok(config)
    }
}

/// What became of a site.
enum Outcome {
    Trained,
    /// Too few pages or duplicate clusters to learn from.
    TooLittle {
        site: String,
        pages: usize,
        duplicates: usize,
    },
    NotStarted,
    Failed(Error),
}

struct Job<'j> {
    args: &'j TrainArgs,
    config: &'j Config,
    board: Board,
}

impl Job<'_> {
    /// Trains the sites, the largest first, on as many threads as there are jobs: one
    /// network gains little from a second thread, a second network all of it.
    fn train_all(&self, mut sites: Vec<(String, Vec<Page>)>) -> Vec<Outcome> {
        sites.sort_by_key(|(site, pages)| (std::cmp::Reverse(pages.len()), site.clone()));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.args.jobs.map_or(processors, usize::from).clamp(1, sites.len().max(1));
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some((site, pages)) = sites.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let outcome = self.train(site, pages);
                        outcomes
                            .lock()
                            .unwrap_or_else(|poisoned| poisoned.into_inner())
                            .push(outcome);
                    }
                });
            }
        });
        outcomes.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn train(&self, site: &str, pages: &[Page]) -> Outcome {
        if interrupted() {
            return Outcome::NotStarted;
        }
        let settings = &self.config.clusters;
        let clusters =
            cluster(pages, &ClusterOptions { bits: settings.bits, title: settings.title });
        let duplicates = clusters.iter().filter(|members| members.len() > 1).count();
        let least = &self.config.evidence;
        if pages.len() < least.min_pages || duplicates < least.min_clusters {
            return Outcome::TooLittle { site: site.to_owned(), pages: pages.len(), duplicates };
        }
        match self.learn(site, pages, &clusters) {
            Ok(Some(report)) => {
                tell(&report);
                Outcome::Trained
            }
            Ok(None) => {
                Outcome::TooLittle { site: site.to_owned(), pages: pages.len(), duplicates }
            }
            Err(error) => Outcome::Failed(error),
        }
    }

    /// Learns and keeps a site; what to tell of it, or nothing where there was nothing to
    /// learn from.
    fn learn(&self, site: &str, pages: &[Page], clusters: &Clusters) -> Result<Option<String>> {
        let set = TrainingSet::new(pages, clusters);
        let line = self.board.line(site);
        let workshop = Workshop { config: self.config, device: self.args.device, watch: &line };
        let model = self.args.method.method().learn(&set, &workshop)?;
        let (kept, report) = match &model {
            Model::Network(trained) => (Kept::Network(trained), network_report(trained)),
            Model::Rules(lesson) => (Kept::Rules(lesson), rules_report(lesson)),
            Model::Identity | Model::DropSlashes => return Ok(None),
        };
        let (pages, clusters) = (pages.len(), clusters.len());
        let facts = SiteFacts { site, site_by: self.args.site_by, pages, clusters };
        models::save(&self.args.models, facts, self.config, kept)?;
        Ok(Some(format!("{}: {report}", self.args.models.join(site).display())))
    }
}

fn network_report(trained: &Trained) -> String {
    let best = &trained.report.best;
    let steps = trained.report.curve.last().map_or(0, |last| last.step);
    let why = match trained.report.stopped {
        Stopped::Converged => "no gain since",
        Stopped::MaxSteps => "all steps taken",
        Stopped::Interrupted => "interrupted",
    };
    format!(
        "{} template pairs, {steps} steps ({why}); kept step {}: held-out exact match {:.3}, loss {:.4}",
        trained.templates, best.step, best.exact_match, best.held_out_loss,
    )
}

fn rules_report(lesson: &Lesson) -> String {
    let facts = &lesson.facts;
    let mut report = format!("{} of {} candidate rules kept", facts.kept, facts.candidates);
    for note in &facts.notes {
        report.push_str("; ");
        report.push_str(note);
    }
    report
}

/// How many sites with too little evidence are named.
const NAMED: usize = 5;

/// Says what became of the sites; an error where no model was made, or not every one.
fn summarize(outcomes: &[Outcome], config: &Config) -> Result<()> {
    let trained = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Trained)).count();
    let too_little: Vec<_> = outcomes.iter().filter_map(Outcome::too_little).collect();
    for line in too_little.iter().take(NAMED) {
        tell(line);
    }
    if too_little.len() > NAMED {
        tell(&format!("… and {} sites more with too little evidence", too_little.len() - NAMED));
    }
    let mut failed = 0;
    for outcome in outcomes {
        if let Outcome::Failed(error) = outcome {
            tell(&format!("undust: {error}"));
            failed += 1;
        }
    }
    let not_started =
        outcomes.iter().filter(|outcome| matches!(outcome, Outcome::NotStarted)).count();
    if failed + not_started > 0 {
        return Err(Error::Unusable(format!(
            "{trained} sites trained, {failed} failed, {not_started} not started"
        )));
    }
    if trained == 0 {
        let least = &config.evidence;
        return Err(Error::Unusable(format!(
            "no site has the {} pages and {} duplicate clusters that a model needs; crawl more, or lower \
             evidence.min_pages and evidence.min_clusters in the settings",
            least.min_pages, least.min_clusters,
        )));
    }
    Ok(())
}

impl Outcome {
    fn too_little(&self) -> Option<String> {
        let Self::TooLittle { site, pages, duplicates } = self else { return None };
        Some(format!(
            "{site}: skipped, too little evidence: {pages} pages, {duplicates} duplicate clusters"
        ))
    }
}
