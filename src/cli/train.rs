//! `undust train`: learns a model for each site of a crawl.

mod args;
mod job;
mod live;

use std::path::PathBuf;

use undust::learn::read_crawl;
use undust_crawl::{ReadOptions, ReadReport};
use undust_learn::config::LabelConfig;
use undust_learn::train::sites::{FoundSites, SitesBuilder};
use undust_learn::train::{Site, held_back_folder};
use undust_model::folder::check_folder;
use undust_util::{Result, counted};

pub(super) use self::args::TrainArgs;
use self::job::{summarize, train_all};
use super::device::{check_device, translator_trainer};
use super::guarded::quietly;
use super::progress::info;
use super::reading::{check_host, check_readable, no_page, no_site, of_no_site, report_kinds};

/// Reads the crawl, then trains its sites in parallel.
pub(super) fn run(args: TrainArgs) -> Result<()> {
    let config = args.sitemaps.over(args.settings.layers()?.config()?);
    args.method.check_keeps(&config.gate)?;
    check_device(args.networks.device, args.method.is_network())?;
    let translator = translator_trainer(&args.networks);
    check_readable(&args.inputs)?;
    check_readable(&args.sitemaps.sitemaps)?;
    check_folder(&args.models)?;
    if !args.replace {
        check_folder(&held_back_folder(&args.models))?;
    }
    if let Some(folder) = &args.live.state {
        return quietly(|| live::run(folder, &args, config, translator.as_deref()));
    }
    let sites = args.read(&config.labels)?;
    let outcomes = train_all(&args, &config, translator.as_deref(), sites);
    summarize(&outcomes, &args, &config)
}

impl TrainArgs {
    fn read(&self, labels: &LabelConfig) -> Result<Vec<Site>> {
        let (options, watch) = self.reading.of(&self.inputs);
        let from_urls = self.method.learns_from_urls();
        let options = ReadOptions { host: self.host.clone(), lists: from_urls, ..options };
        let mut builder = SitesBuilder::new(self.inputs.len(), from_urls);
        if labels.is_used() {
            builder = builder.with_labels();
        }
        self.sitemaps.read(labels, &options, &mut |url| builder.list(url))?;
        let report = read_crawls(&self.inputs, &options, &mut builder)?;
        let found = builder.finish(self.site_by);
        drop(watch);
        let FoundSites { sites, left_out, urls_without_site, with_both } = found;
        check_host(self.host.as_deref(), &report)?;
        report_kinds(&report);
        info(&report.to_string());
        if sites.is_empty() && urls_without_site > 0 {
            return Err(no_site(&self.inputs, urls_without_site));
        }
        if sites.is_empty() {
            return Err(no_page(&self.inputs, "learn from", &report, &left_out));
        }
        if left_out.total() > 0 && !from_urls {
            info(&format!("{} left out: {left_out}", counted(left_out.total(), "URL")));
        }
        if urls_without_site > 0 {
            info(&of_no_site(urls_without_site));
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
