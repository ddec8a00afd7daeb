//! `undust shapes`: which patterns of URLs grow without showing new pages.

mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use undust_cluster::clusters::{ClusterOptions, cluster};
use undust_crawl::{ReadOptions, read_all};
use undust_model::registry::Registry;
use undust_model::translation::{Canonicalizer, How, Reason};
use undust_pages::{Pages, PagesBuilder};
use undust_shapes::{Form, ModelEdit, PatternReport, Requests, RuleFormat, ShapesReport, rules};
use undust_util::error::{Error, Result};

use super::arguments::{Values, host, layers_over, one_of};
use super::failure::Failure;
use super::progress::{info, warn};
use super::reading::{Reading, check_host, check_readable, report_kinds};
use super::table::{MOST_ROWS, json};

/// Show which patterns of URLs grow without showing new pages, and what to do about them.
///
/// A pattern has the path, with {word}, {number}, {date} or {hex} where many URLs differ, and the names of the
/// arguments. Of a crawl the pages are compared, of an access log the programs that asked are grouped by class. A
/// log says nothing of pages. The worst come first: of a crawl the patterns with most needless URLs, of a log those
/// that grow without an end and that people do not come back to.
#[derive(Debug, clap::Args)]
pub(super) struct ShapesArgs {
    /// Crawls, access logs or lists of URLs, plain, gzip or zstd; `-` is standard input
    #[arg(required = true, value_name = "CRAWL|LOG")]
    inputs: Vec<PathBuf>,

    /// Folder of models: tells which patterns they make one of
    #[arg(long, value_name = "FOLDER")]
    models: Option<PathBuf>,

    /// List every pattern that can grow, with examples, not just the ten that are worst
    #[arg(long)]
    all: bool,

    /// How to print them; JSON always has everything, rules are those for which a budget is suggested
    #[arg(long, value_parser = one_of(FORMATS), default_value = "text")]
    format: ShapesFormat,

    /// Host of access logs that do not name one, such as `www.example.org` or
    /// `https://www.example.org`
    #[arg(long, value_parser = host)]
    host: Option<String>,

    #[command(flatten)]
    reading: Reading,
}

/// How patterns are printed.
#[derive(Debug, Clone, Copy)]
enum ShapesFormat {
    Text,
    Json,
    Rules(RuleFormat),
}

const FORMATS: Values<ShapesFormat> = &[
    ("text", ShapesFormat::Text, "For people"),
    ("json", ShapesFormat::Json, "For programs"),
    (
        "nginx",
        ShapesFormat::Rules(RuleFormat::Nginx),
        "Request budgets as limits of nginx; a policy",
    ),
    (
        "robots",
        ShapesFormat::Rules(RuleFormat::Robots),
        "Request budgets as lines of robots.txt; a policy",
    ),
    (
        "anubis",
        ShapesFormat::Rules(RuleFormat::Anubis),
        "As rules of Anubis that add weight; a policy",
    ),
    ("caddy", ShapesFormat::Rules(RuleFormat::Caddy), "As matchers of Caddy; a policy"),
    (
        "cloudflare",
        ShapesFormat::Rules(RuleFormat::Cloudflare),
        "As the expression of a custom rule of Cloudflare; a policy",
    ),
    (
        "haproxy",
        ShapesFormat::Rules(RuleFormat::Haproxy),
        "As an `acl` with a limit of HAProxy; a policy",
    ),
];

/// Reads, counts, prints.
pub(super) fn run(args: ShapesArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    let models = args.models.as_deref().map(Registry::open).transpose()?;
    let requests = read(&args)?;
    let forms = |url: &str| models.as_ref().and_then(|models| form(models, url));
    let report = ShapesReport::of(&requests, models.as_ref().map(|_| &forms as _));
    if report.agents.is_none() && report.pages.is_none() {
        info("no record says who asked: robots and people are not told apart");
    }
    if models.is_some() && report.patterns.iter().all(|pattern| pattern.model.is_none()) {
        warn("undust: --models has no model of the sites of these URLs");
    }
    let text = match args.format {
        ShapesFormat::Text => text::text(&report, args.all),
        ShapesFormat::Json => json(&report)?,
        ShapesFormat::Rules(format) => rules(format, &limited(&report, args.all), report.has_hosts),
    };
    writeln!(io::stdout().lock(), "{}", text.trim_end()).map_err(Error::io("write", "-"))
}

/// The requests, and with content the pages that they show.
fn read(args: &ShapesArgs) -> Result<Requests> {
    let (options, watch) = args.reading.of(&args.inputs);
    let options = ReadOptions { host: args.host.clone(), lists: true, ..options };
    let (mut requests, mut crawl) = (Requests::default(), PagesBuilder::new());
    let report = read_all(&args.inputs, &options, &mut |response| {
        requests.push(&response);
        // What is listed shows no page, and a log may be longer than memory.
        if !response.is_listed {
            crawl.push(response);
        }
        Ok(())
    })?;
    drop(watch);
    check_host(options.host.as_deref(), &report)?;
    report_kinds(&report);
    if requests.is_empty() {
        let path = args.inputs.first().cloned().unwrap_or_else(|| Path::new("-").to_owned());
        return Err(Failure::NoRequest { path }.into());
    }
    info(&report.to_string());
    let Pages { pages, .. } = crawl.finish();
    let settings = layers_over(None)?.config()?.clusters;
    let duplicates = ClusterOptions { bits: settings.bits, title: settings.title };
    requests.show(&pages, cluster(&pages, &duplicates).labels());
    Ok(requests)
}

/// The patterns for which a limit is suggested.
fn limited(report: &ShapesReport, all: bool) -> Vec<&PatternReport> {
    let most = if all { usize::MAX } else { MOST_ROWS };
    report.growing().filter(|pattern| pattern.policy.is_some()).take(most).collect()
}

/// What the model of a URL's site makes of it, if there is one.
fn form(models: &Registry, url: &str) -> Option<Form> {
    let translation = models.canonicalize(url);
    if matches!(translation.how, How::Unchanged(Reason::NoModel | Reason::BrokenModel)) {
        return None;
    }
    let edit = |step: &dyn undust_model::translation::Applied| {
        let evidence = step.evidence();
        ModelEdit {
            edit: undust_model::translation::spelled_out(&step.to_string()).into_owned(),
            tested: evidence.map(|evidence| evidence.tested),
            lost: evidence.map(|evidence| evidence.lost),
        }
    };
    let edits = translation.cause.steps().map(edit).collect();
    Some(Form { form: translation.canonical.into_owned(), edits })
}
