//! `undust train`: learns a model for each site of a crawl.

mod job;
mod live;

use std::path::PathBuf;

use undust::learn::read_crawl;
use undust_crawl::{ReadOptions, ReadReport};
use undust_learn::config::Config;
use undust_learn::method::Method;
use undust_learn::train::Site;
use undust_learn::train::sites::{FoundSites, SitesBuilder};
use undust_model::folder::exchange::check_folder;
use undust_util::error::Result;
use undust_util::plural::counted;

use self::job::{Done, Job, summarize};
use self::live::LiveArgs;
use super::arguments::{
    DeviceArgument, SiteArgument, TrainingSettings, host, threads, trained_method,
};
use super::device::check_device;
use super::guarded::quietly;
use super::progress::{Board, catch_interrupt, info};
use super::reading::{
    Reading, check_host, check_readable, no_page, no_site, of_no_site, tell_kinds,
};

/// Learn a model for each site of a crawl.
///
/// Each model is a folder, models/<site>/, which replaces an older one in one step. Ctrl-C ends the
/// training early and keeps the edits accepted, or the best weights, so far.
#[derive(Debug, clap::Args)]
#[allow(rustdoc::invalid_html_tags, reason = "a text for --help, not HTML")]
pub(super) struct TrainArgs {
    /// Crawls: manifests (.jsonl), archives, indexes, feeds; with --method dustbuster also access logs
    /// and lists of URLs. Several are parts of one crawl, or crawls from the oldest to the newest
    ///
    /// All crawls are learned from together. The page of a URL is that of the last crawl that has it.
    /// If two crawls of a site found different pages under one URL, what was learned must hold on each
    /// crawl by itself: rules, edits and URL conventions that one of them refutes are dropped, as
    /// `undust evaluate --models --prune` does.
    #[arg(value_name = "CRAWL", required_unless_present = "state", conflicts_with = "state")]
    inputs: Vec<PathBuf>,

    /// Method to learn by
    #[arg(long, value_parser = trained_method(), default_value = "auto")]
    method: Method,

    #[command(flatten)]
    settings: TrainingSettings,

    /// Folder of the models
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    #[arg(hide_env_values = true)]
    models: PathBuf,

    /// Device to train networks on; only seq2seq uses it
    #[arg(long, value_enum, default_value_t)]
    device: DeviceArgument,

    /// What counts as one site
    #[arg(long, value_enum, default_value_t)]
    site_by: SiteArgument,

    /// Number of sites trained at the same time [default: number of cores]
    #[arg(long, value_name = "NUMBER", value_parser = threads())]
    jobs: Option<u16>,

    /// Host of access logs that do not name one, such as `www.example.org`
    #[arg(long, value_parser = host, conflicts_with = "state")]
    host: Option<String>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    live: LiveArgs,
}

/// Reads the crawl, then trains its sites in parallel.
pub(super) fn run(args: TrainArgs) -> Result<()> {
    let config = args.settings.layers()?.config()?;
    args.method.check_keeps(&config.gate)?;
    check_device(args.device, args.method.is_network())?;
    check_readable(&args.inputs)?;
    check_folder(&args.models)?;
    if let Some(folder) = &args.live.state {
        return quietly(|| live::run(folder, &args, config));
    }
    let sites = args.read()?;
    let outcomes = train_all(&args, &config, sites);
    summarize(&outcomes, &args, &config)
}

fn train_all(args: &TrainArgs, config: &Config, sites: Vec<Site>) -> Vec<Done> {
    catch_interrupt();
    Job { args, config, board: Board::new(sites.len(), "sites") }.train_all(sites)
}

impl TrainArgs {
    fn read(&self) -> Result<Vec<Site>> {
        let (options, watch) = self.reading.of(&self.inputs);
        let from_urls = self.method.learns_from_urls();
        let options = ReadOptions { host: self.host.clone(), lists: from_urls, ..options };
        let mut builder = SitesBuilder::new(self.inputs.len(), from_urls);
        let report = read_crawls(&self.inputs, &options, &mut builder)?;
        let found = builder.finish(self.site_by.into());
        drop(watch);
        let FoundSites { sites, left_out, homeless, with_both } = found;
        check_host(self.host.as_deref(), &report)?;
        tell_kinds(&report);
        info(&report.to_string());
        if sites.is_empty() && homeless > 0 {
            return Err(no_site(&self.inputs, homeless));
        }
        if sites.is_empty() {
            return Err(no_page(&self.inputs, "learn from", &report, &left_out));
        }
        if left_out.total() > 0 && !from_urls {
            info(&format!("{} left out: {left_out}", counted(left_out.total(), "URL")));
        }
        if homeless > 0 {
            info(&of_no_site(homeless));
        }
        if with_both > 0 {
            info(&format!(
                "{} with pages and with entries of logs or lists: only the pages are used",
                counted(with_both, "site"),
            ));
        }
        Ok(sites)
    }
}

/// Reads crawls from the oldest to the newest.
fn read_crawls(
    inputs: &[PathBuf],
    options: &ReadOptions,
    sites: &mut SitesBuilder,
) -> Result<ReadReport> {
    let mut report = ReadReport::default();
    for input in inputs {
        report.add(read_crawl(input, options, sites)?);
    }
    Ok(report)
}
