//! Describes a state: its figures, and why a URL would be fetched or skipped.

use std::path::Path;
use std::sync::Arc;

use undust_learn::config::Config;
use undust_live::Live;
use undust_live::engine::{
    AutoLearner, Decision, EngineOptions, FormEvidence, LiveTotals, NoLearner, SiteStats,
    UrlExplanation,
};
use undust_util::error::Result;

use crate::cli::arguments::TextOrJson;
use crate::cli::progress::info;
use crate::cli::table::{new_table, numbers, safe_line, word};

/// Prints what was fetched, skipped and lost, by site.
pub(crate) fn show(state: &Path, format: TextOrJson) -> Result<()> {
    let live = Live::open_existing(state, EngineOptions::default(), Arc::new(NoLearner))?;
    let stats = live.stats();
    format.print(&stats, || table(stats.iter(), &live.totals()))
}

/// Prints what is known of the forms of URLs, and what would become of them now.
pub(crate) fn explain(
    state: &Path,
    config: &Config,
    urls: &[String],
    format: TextOrJson,
) -> Result<()> {
    let options = EngineOptions { clusters: config.clusters, ..Default::default() };
    let learner = Arc::new(AutoLearner {
        state: Some(state.into()),
        is_read_only: true,
        ..AutoLearner::new(config.clone())
    });
    let live = Live::open_existing(state, options, learner)?;
    let explained: Vec<UrlExplanation> = urls.iter().filter_map(|url| live.explain(url)).collect();
    for url in urls.iter().filter(|url| live.explain(url).is_none()) {
        info(&format!("{} would be fetched: nothing is known of its site", safe_line(url)));
    }
    let text = || explained.iter().map(paragraph).collect::<Vec<_>>().join("\n\n");
    format.print(&explained, text)
}

fn table<'s>(
    sites: impl Iterator<Item = (&'s String, &'s SiteStats)>,
    totals: &LiveTotals,
) -> String {
    let mut table = new_table([
        "site",
        "crawl",
        "fetched in it",
        "distinct",
        "skipped in it",
        "fetched",
        "skipped",
        "audits",
        "new in audits",
        "lost at most",
        "learned",
    ]);
    let (mut fetched_in_crawl, mut skipped_in_crawl) = (0, 0);
    for (site, stats) in sites {
        fetched_in_crawl += stats.fetched_in_crawl;
        skipped_in_crawl += stats.skipped_in_crawl;
        table.add_row([
            word(&safe_line(site)),
            stats.crawl.to_string(),
            stats.fetched_in_crawl.to_string(),
            stats.distinct.to_string(),
            stats.skipped_in_crawl.to_string(),
            stats.fetched.to_string(),
            stats.skipped.to_string(),
            stats.audits.audited.to_string(),
            stats.audits.lost.to_string(),
            lost_at_most(stats.skipped, stats.lost_share_bound),
            format!("{} times", stats.learnings),
        ]);
    }
    if totals.sites > 1 {
        table.add_row([
            "all sites".to_owned(),
            String::new(),
            fetched_in_crawl.to_string(),
            totals.distinct.to_string(),
            skipped_in_crawl.to_string(),
            totals.fetched.to_string(),
            totals.skipped.to_string(),
            totals.audits.audited.to_string(),
            totals.audits.lost.to_string(),
            lost_at_most(totals.skipped, totals.lost_share_bound),
            format!("{} times", totals.learnings),
        ]);
    }
    numbers(&mut table, 1..11);
    table.to_string()
}

/// Nothing that was skipped was lost.
fn lost_at_most(skipped: u64, bound: f64) -> String {
    if skipped == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * bound) }
}

fn paragraph(explained: &UrlExplanation) -> String {
    let decision = match &explained.decision {
        Decision::Fetch => "fetch: no URL of its forms was fetched".to_owned(),
        Decision::Probe { hypothesis } => {
            format!("fetch, which tests: {}", safe_line(hypothesis))
        }
        Decision::Skip { form, why, fetched, loss } => format!(
            "skip: {} shows its page ({}), as {fetched} URL{} of this form did; a page is lost with probability {loss:.4}",
            safe_line(form),
            safe_line(why),
            if *fetched == 1 { "" } else { "s" }
        ),
    };
    let mut table =
        new_table(["form", "by", "accepted", "fetched", "shows", "probability of a loss"]);
    for FormEvidence { form, hypothesis, is_accepted, fetched, shows_two_pages, loss } in
        &explained.forms
    {
        let shows = match (shows_two_pages, fetched) {
            (true, _) => "two pages",
            (false, 0) => "",
            (false, _) => "one page",
        };
        table.add_row([
            word(&safe_line(form)),
            safe_line(named(hypothesis)),
            if *is_accepted { "yes" } else { "" }.to_owned(),
            fetched.to_string(),
            shows.to_owned(),
            loss.map_or_else(String::new, |loss| format!("{loss:.4}")),
        ]);
    }
    numbers(&mut table, [3, 5]);
    format!("{}\n  {decision}\n{table}", safe_line(&explained.url))
}

fn named(hypothesis: &str) -> &str {
    if hypothesis.is_empty() { "as it is" } else { hypothesis }
}
