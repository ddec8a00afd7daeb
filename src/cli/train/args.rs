//! The arguments of `undust train`.

use std::path::PathBuf;

use undust_learn::method::Method;
use undust_url::site::SiteBy;

use crate::cli::arguments::{
    NetworkTraining, SITES, Sitemaps, TrainingSettings, host, one_of, share, threads,
    trained_method,
};
use crate::cli::reading::Reading;

/// Learn a model for each site of a crawl.
///
/// Each model is a folder, models/<site>/, which replaces an older one in one step. Ctrl-C ends the
/// training early and keeps the edits accepted, or the best weights, so far.
#[derive(Debug, clap::Args)]
#[allow(rustdoc::invalid_html_tags, reason = "a text for --help, not HTML")]
pub(crate) struct TrainArgs {
    /// Crawls: manifests (.jsonl), archives, indexes, feeds; with --method dustbuster also access logs
    /// and lists of URLs. Several are parts of one crawl, or crawls from the oldest to the newest
    ///
    /// All crawls are learned from together. The page of a URL is that of the last crawl that has it.
    /// If two crawls of a site found different pages under one URL, what was learned must hold on each
    /// crawl by itself: rules, edits and URL conventions that one of them refutes are dropped, as
    /// `undust evaluate --models --prune` does.
    #[arg(value_name = "CRAWL", required_unless_present = "state", conflicts_with = "state")]
    pub(super) inputs: Vec<PathBuf>,

    /// Method to learn by
    #[arg(long, value_parser = trained_method(), default_value = "auto")]
    pub(super) method: Method,

    #[command(flatten)]
    pub(super) settings: TrainingSettings,

    /// Folder of the models
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    pub(super) models: PathBuf,

    /// Replace a model even if the new one drops arguments that the old one needed
    ///
    /// The model in place knows arguments without which pages would be lost. If the new model drops half of them or more,
    /// counted in the URLs that this was tested on, it is written to MODELS.new and the exit code is 1. A crawl during an
    /// outage teaches such models.
    #[arg(long)]
    pub(super) replace: bool,

    #[command(flatten)]
    pub(super) networks: NetworkTraining,

    /// What counts as one site
    #[arg(long, value_parser = one_of(SITES), default_value = "host")]
    pub(super) site_by: SiteBy,

    /// Number of sites trained at the same time [default: number of cores]
    #[arg(long, value_name = "NUMBER", value_parser = threads())]
    pub(super) jobs: Option<u16>,

    /// Host of access logs that do not name one, such as `www.example.org`
    #[arg(long, value_parser = host, conflicts_with = "state")]
    pub(super) host: Option<String>,

    #[command(flatten)]
    pub(super) sitemaps: Sitemaps,

    #[command(flatten)]
    pub(super) reading: Reading,

    #[command(flatten)]
    pub(super) live: StateArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Training from live clusters")]
pub(super) struct StateArgs {
    /// Train from the clusters that `undust cluster --state` keeps in this folder
    ///
    /// The state decides which pages are duplicates and which URL is canonical. A site is trained if
    /// it has no model in --models, if the method or the settings have changed since its last
    /// training, or if enough of its groups have.
    #[arg(long, value_name = "FOLDER")]
    #[arg(conflicts_with_all = [
        "lenient", "fields", "sitemaps",
    ])]
    pub state: Option<PathBuf>,

    /// Train a site again if this share of its pages joined, left or changed a group since its last
    /// training, 0 to 1; 0 trains every site
    #[arg(long, value_name = "SHARE", value_parser = share, default_value_t = 0.05)]
    #[arg(conflicts_with = "inputs")]
    pub retrain: f64,
}
