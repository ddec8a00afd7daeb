//! The arguments of `undust evaluate`.

use std::path::PathBuf;
use std::sync::LazyLock;

use undust_learn::evaluate::units::UnitBy;
use undust_learn::training::hold_out::HoldOut;
use undust_learn::{Config, Method};
use undust_util::error::Result;

use crate::cli::arguments::{
    HOLD_OUTS, NetworkTraining, Sitemaps, TrainingSettings, UNITS, any_method, one_of, share,
    threads,
};
use crate::cli::live::EngineArgs;
use crate::cli::reading::Reading;

/// Evaluate methods, or saved models, by replaying crawls.
///
/// Each method learns from one part of a crawl (the first part unless --hold-out is given). Then the
/// URLs of the rest are replayed in crawl order: a URL is fetched unless its canonical form was
/// fetched before. The table has precision, recall and F1.
///
/// With --models, saved models are tested on a later crawl, operation by operation.
#[derive(Debug, clap::Args)]
pub(crate) struct EvaluateArgs {
    #[command(flatten)]
    pub(super) held_out: HeldOutArgs,

    /// Methods to evaluate, separated by commas
    #[arg(long, value_name = "LIST", value_parser = any_method(), value_delimiter = ',')]
    #[arg(default_value = BY_DEFAULT.as_str())]
    pub(super) methods: Vec<Method>,

    /// Write the results as JSON lines, one per site, compressed if the name ends in .gz or .zst; `-`
    /// writes them to standard output instead of the table
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,

    /// Test the saved models in this folder instead, each on all pages of its site
    ///
    /// Use a crawl that is later than the models. Nothing is learned. Each operation of a model (a
    /// rule, an edit, a pair of templates) is tested on the URLs that it changed and that share their
    /// canonical form with another URL (tested). What counts are the pages that these URLs show: a page
    /// collides if it is given a form of another page. An operation is refuted if at least three pages
    /// collide and (collisions + 0.3) / (pages + 3) is above 0.075. It is untested if it merged no URLs,
    /// or if two of so few pages collide that this may be chance. Otherwise it held. A URL that several
    /// operations changed counts for each. URL conventions are tested on what they merge on their own.
    ///
    /// The exit code is 0 if nothing is refuted and at most 1 % of the clusters are lost, 1 if a model
    /// does not hold, 2 if none could be tested.
    #[arg(long, value_name = "FOLDER")]
    #[arg(conflicts_with_all = ["methods", "split", "hold_out", "truth", "device", "site_by", "jobs", "sitemaps", "max_lost_share"])]
    pub(crate) models: Option<PathBuf>,

    /// Replay each crawl from its first page on, as `undust live` crawls it, with nothing known at first
    ///
    /// The table has the redundant fetches saved of all, the pages lost, and what audits say of the
    /// loss next to the truth. The JSON lines have a curve, too: pages found over fetches, of a
    /// crawler that fetches all, of the engine, and of one that knows beforehand what each URL
    /// shows.
    #[arg(long, conflicts_with_all = ["models", "methods", "split", "hold_out", "truth", "sitemaps"])]
    pub(super) live: bool,

    /// Then replay this later crawl, with what the engine learned of its site on CRAWL; may be given several
    /// times, and crawls of one site follow one another
    #[arg(long, value_name = "CRAWL", requires = "live")]
    pub(super) then: Vec<PathBuf>,

    /// Remove from the saved models what a crawl refutes: rules, edits, URL conventions
    ///
    /// The rest is tested again and pruned until nothing is refuted. The last result is printed.
    /// The answers of a network cannot be pruned and stay as they are.
    #[arg(long, requires = "models")]
    pub(super) prune: bool,

    #[command(flatten)]
    pub(super) engine: EngineArgs,
}

/// What is evaluated: crawls, which part of them is held out, and how the other part is learned from.
#[derive(Debug, clap::Args)]
pub(crate) struct HeldOutArgs {
    /// Crawls: manifests (.jsonl), archives, indexes, feeds; each is evaluated by itself
    #[arg(value_name = "CRAWL", required = true)]
    pub(crate) inputs: Vec<PathBuf>,

    /// Share of the pages to learn from, at least 0 and less than 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.75, value_parser = split)]
    pub(crate) split: f64,

    /// Which pages to hold out and replay
    #[arg(long, value_parser = one_of(HOLD_OUTS), default_value = "time")]
    pub(crate) hold_out: HoldOut,

    /// Field of a manifest to judge by: held-out pages are the same if it is equal; methods learn
    /// without it
    ///
    /// For crawls that know more than the rule of duplicates, such as a digest of the main text or
    /// the number of a record. A page without the field is judged by its cluster. Without --truth
    /// all pages are judged by clusters.
    #[arg(long, value_name = "FIELD")]
    pub(crate) truth: Option<String>,

    #[command(flatten)]
    pub(crate) settings: TrainingSettings,

    #[command(flatten)]
    pub(crate) networks: NetworkTraining,

    /// What to evaluate as one unit
    #[arg(long, value_parser = one_of(UNITS), default_value = "crawl")]
    pub(crate) site_by: UnitBy,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) sitemaps: Sitemaps,

    /// Number of methods that learn at the same time, one thread each [default: number of cores]
    #[arg(long, value_name = "THREADS", value_parser = threads())]
    pub(crate) jobs: Option<u16>,
}

impl HeldOutArgs {
    /// The settings in force.
    ///
    /// # Errors
    ///
    /// The settings cannot be read.
    pub(crate) fn config(&self) -> Result<Config> {
        Ok(self.sitemaps.over(self.settings.layers()?.config()?))
    }

    /// All files that are read.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        [&self.inputs[..], &self.sitemaps.sitemaps].concat()
    }
}

/// The methods that are compared by default.
static BY_DEFAULT: LazyLock<String> = LazyLock::new(|| {
    let can_be_trained = |method: &Method| cfg!(feature = "network") || !method.is_network();
    let methods = Method::all().filter(|method| method.is_compared() && can_be_trained(method));
    methods.map(Method::name).collect::<Vec<_>>().join(",")
});

/// Parses a share that leaves pages to test on.
fn split(text: &str) -> Result<f64, String> {
    let split = share(text).ok().filter(|split| *split < 1.0);
    split.ok_or_else(|| "must be a number of at least 0 and less than 1".to_owned())
}
