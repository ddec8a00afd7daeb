//! `undust cluster --state`: clusters that a folder keeps between crawls.

use std::io::{self, Write};
use std::path::Path;

use undust_crawl::{ReadReport, read_all};
use undust_learn::config::Config;
use undust_live::clusters::{LiveAnswer, LiveClusters, LivePages, ResponseBatch, UrlVerdict};
use undust_pages::pages::LeftOut;
use undust_util::{Result, counted, json};

use super::args::ClusterArgs;
use super::clustered::{Clustered, report};
use crate::cli::failure::Failure;
use crate::cli::output::{Output, write_whole};
use crate::cli::progress::{Watch, info};
use crate::cli::reading::{no_page, report_kinds, without_host};

/// Adds the crawls to the state and writes all clusters, or answers queries. A state that
/// does not exist yet is made by the settings.
pub(super) fn run(folder: &Path, args: &ClusterArgs, settings: Config) -> Result<()> {
    if !args.live.query.is_empty() {
        return answer(folder, args);
    }
    LiveClusters::check_place(folder)?;
    Failure::check_state(folder)?;
    let output = Output::begin(&args.output)?;
    let (mut state, read) = take_in(folder, args, settings)?;
    if args.live.repair {
        let watch = Watch::step("splitting groups");
        let apart = state.repair()?;
        drop(watch);
        info(&format!("{} split", counted(apart, "group")));
    }
    if args.live.compact {
        let _watch = Watch::step("compacting");
        state.compact()?;
    }
    let watch = Watch::step("reading the clusters");
    let found = state.pages()?;
    drop(state);
    let clusters = found.clusters();
    drop(watch);
    let LivePages { pages, groups, left_out } = found;
    let first = |members: &[u32]| members.first().map(|&first| groups[first as usize]);
    let ids = Some(clusters.iter().filter_map(first).collect());
    report(args, output, &Clustered { pages, left_out, clusters, ids, report: read })
}

/// Opens the state and adds the crawls as one batch. A state is made only if there is something to
/// keep.
fn take_in(
    folder: &Path,
    args: &ClusterArgs,
    settings: Config,
) -> Result<(LiveClusters, ReadReport)> {
    if args.inputs.is_empty() {
        return Ok((LiveClusters::open(folder)?, ReadReport::default()));
    }
    let state = LiveClusters::is_in(folder).then(|| LiveClusters::open(folder)).transpose()?;
    let mut batch = ResponseBatch::new();
    let (options, watch) = args.reading.of(&args.inputs);
    let read = read_all(&args.inputs, &options, &mut |response| {
        batch.push(response);
        Ok(())
    })
    .map_err(without_host)?;
    drop(watch);
    report_kinds(&read);
    if batch.is_empty() && state.is_none() {
        info(&read.to_string());
        // The batch ignores entries of logs and lists.
        let left_out = LeftOut { no_content: read.responses, ..LeftOut::default() };
        return Err(no_page(&args.inputs, "cluster", &read, &left_out));
    }
    let watch = Watch::share("adding the crawl", batch.steps());
    let mut state = match state {
        Some(state) => state,
        None => LiveClusters::open_or_make(folder, |options| {
            options.clusters = settings.clusters;
            options.canonical = settings.canonical.clone();
        })?,
    };
    let report = state.ingest_counting(batch, &watch.done)?;
    drop(watch);
    info(&report.to_string());
    Ok((state, read))
}

#[derive(serde::Serialize)]
struct AnswerLine<'l> {
    url: &'l str,
    group: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<&'l str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
}

fn answer(folder: &Path, args: &ClusterArgs) -> Result<()> {
    let mut state = LiveClusters::open(folder)?;
    let mut answers = Vec::with_capacity(args.live.query.len());
    for url in &args.live.query {
        let answer = state.query(url)?;
        if let Some(LiveAnswer { repaired: true, .. }) = answer {
            info(&format!("the group of {url} was split: its pages no longer agree"));
        }
        answers.push((url, answer));
    }
    write_whole(&args.output, |out| {
        answers.iter().try_for_each(|(url, answer)| write_answer(out, url, answer.as_ref()))
    })
}

fn write_answer(out: &mut dyn Write, url: &str, answer: Option<&LiveAnswer>) -> io::Result<()> {
    let verdict = |answer: &LiveAnswer| match answer.verdict {
        UrlVerdict::Canonical => "canonical",
        UrlVerdict::Duplicate => "duplicate",
        UrlVerdict::Differs => "differs",
    };
    let line = AnswerLine {
        url,
        group: answer.map(|answer| answer.group),
        size: answer.map(|answer| answer.size),
        canonical: answer.map(|answer| &*answer.canonical),
        verdict: answer.map(verdict),
    };
    json::write_line(out, &line)
}
