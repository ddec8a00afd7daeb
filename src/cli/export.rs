//! `undust export`: what a model knows, as rules for other programs.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

use undust_crawl::kind::crawl_in;
use undust_crawl::lines::{ReadLine, read_line};
use undust_crawl::options::ReadOptions;
use undust_crawl::read_all;
use undust_crawl::source::open_text;
use undust_export::{CrawledUrl, Export, Format, Missing, export};
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_util::error::{Error, Result};
use undust_util::plural::counted;

use super::failure::Failure;
use super::output::write_whole;
use super::progress::{info, warn};
use super::replacing::check_outputs;
use super::show::{is_model, no_model};
use super::table::safe_line;
use super::translate::refuse_crawls;

/// Write what a model knows as rules for other programs.
///
/// A summary on standard error says how many of the URLs that the model changes the rules cover, and
/// which edits they cannot say, and why. It is measured: the rules are tried on the URLs that --urls
/// names, without it on the examples that the model holds, and on odd ones made of them. A rule that
/// would change one of these otherwise than the model is left out, and so is one that sends clients in
/// a circle, or over more than one redirect, with the redirects of a crawl.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// Folder of the model, such as models/example.com, or models.undust/example.com in a pack
    #[arg(value_name = "FOLDER")]
    model: PathBuf,

    /// What the rules are for
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Target,

    /// URLs to try the rules on: a crawl, or a list of one URL a line; `-` is a list on standard input
    #[arg(long, value_name = "FILE")]
    urls: Vec<PathBuf>,

    /// Where to write the rules; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// What reads an export.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Target {
    /// Maps and a redirect for nginx
    Nginx,
    /// Rules and a redirect for Apache's mod_rewrite
    Apache,
    /// A redirect for Varnish
    Vcl,
    /// regex-normalize.xml of Apache Nutch
    Nutch,
    /// A URL filter of Apache StormCrawler
    Stormcrawler,
    /// Canonicalization rules of Heritrix 3: keys
    Heritrix,
    /// Rules of Zyte's duplicate-url-discarder for Scrapy: keys
    Dud,
    /// Clean-param lines of robots.txt: keys
    CleanParam,
    /// A policy of Anubis that challenges variants and lets canonical URLs pass: keys
    Anubis,
    /// Names of arguments that do not matter, one a line: keys
    Names,
    /// The header No-Vary-Search for browsers and caches, as a map for nginx: keys
    NoVarySearch,
    /// The same header for Apache's mod_headers
    NoVarySearchApache,
    /// The same header for Caddy
    NoVarySearchCaddy,
    /// The same header by path, for other servers
    NoVarySearchJson,
    /// Maps for nginx, and a log of what would be redirected
    NginxDryRun,
    /// Rules for Apache, and a log of what would be redirected
    ApacheDryRun,
    /// A log of what Varnish would redirect
    VclDryRun,
    /// Maps for nginx, and a redirect of robots alone
    NginxRobots,
    /// Rules for Apache, and a redirect of robots alone
    ApacheRobots,
    /// A redirect for Varnish, of robots alone
    VclRobots,
    /// The edits as a table
    Csv,
    /// The edits with their regexes
    Json,
}

impl From<Target> for Format {
    fn from(target: Target) -> Self {
        match target {
            Target::Nginx => Self::Nginx,
            Target::Apache => Self::Apache,
            Target::Vcl => Self::Vcl,
            Target::Nutch => Self::Nutch,
            Target::Stormcrawler => Self::Stormcrawler,
            Target::Heritrix => Self::Heritrix,
            Target::Dud => Self::Dud,
            Target::CleanParam => Self::CleanParam,
            Target::Anubis => Self::Anubis,
            Target::Names => Self::Names,
            Target::NoVarySearch => Self::NoVarySearch,
            Target::NoVarySearchApache => Self::NoVarySearchApache,
            Target::NoVarySearchCaddy => Self::NoVarySearchCaddy,
            Target::NoVarySearchJson => Self::NoVarySearchJson,
            Target::NginxDryRun => Self::NginxDryRun,
            Target::ApacheDryRun => Self::ApacheDryRun,
            Target::VclDryRun => Self::VclDryRun,
            Target::NginxRobots => Self::NginxRobots,
            Target::ApacheRobots => Self::ApacheRobots,
            Target::VclRobots => Self::VclRobots,
            Target::Csv => Self::Csv,
            Target::Json => Self::Json,
        }
    }
}

/// Loads the model with all checks, tries the rules, and writes them.
pub(super) fn run(args: ExportArgs) -> Result<()> {
    if !is_model(&args.model)? {
        return Err(no_model(args.model));
    }
    check_outputs([&args.output], &args.urls)?;
    let model = SiteModel::load(&args.model)?;
    let urls = if args.urls.is_empty() {
        examples(&model)
    } else {
        let mut urls = Vec::new();
        args.urls.iter().try_for_each(|path| read_urls(path, &mut urls))?;
        urls
    };
    let path = &args.model;
    let done = export(&model, args.to.into(), urls)
        .map_err(|why| Failure::NoExport { path: path.clone(), why })?;
    write_whole(&args.output, |out| out.write_all(done.text.as_bytes()))?;
    report(&done, args.urls.is_empty());
    if args.urls.is_empty() && Format::from(args.to).is_fetched() {
        info(
            "not looked up in a crawl: --urls CRAWL leaves out rules whose URLs did not answer there",
        );
    }
    Ok(())
}

/// The URLs that the model holds as examples, and their forms.
fn examples(model: &SiteModel) -> Vec<CrawledUrl> {
    let Model::Edits(editor) = model.model() else { return Vec::new() };
    editor
        .rules()
        .flat_map(|edit| edit.examples.iter().flatten().cloned().map(Into::into))
        .collect()
}

/// The URLs of a crawl with its redirects, or of a list.
fn read_urls(path: &Path, urls: &mut Vec<CrawledUrl>) -> Result<()> {
    let mut input = open_text(path, Arc::default())?;
    if path == Path::new("-") {
        refuse_crawls(path, &mut input)?;
    } else if crawl_in(input.fill_buf().map_err(Error::io("read", path))?).is_some() {
        let path = path.to_owned();
        read_all(slice::from_ref(&path), &ReadOptions::default(), &mut |response| {
            let location = response.location.filter(|_| matches!(response.status, 300..=399));
            let status = Some(response.status);
            urls.push(CrawledUrl { url: response.url, status, location });
            Ok(())
        })?;
        return Ok(());
    }
    read_list(&mut BufReader::new(input), urls).map_err(Error::io("read", path))
}

fn read_list(input: &mut impl BufRead, urls: &mut Vec<CrawledUrl>) -> io::Result<()> {
    let (mut line, mut passed) = (Vec::new(), 0_usize);
    loop {
        match read_line(input, &mut line)? {
            ReadLine::End => break,
            ReadLine::TooLong => passed += 1,
            ReadLine::Whole => match std::str::from_utf8(&line) {
                Ok(url) if !url.trim().is_empty() => urls.push(url.trim().to_owned().into()),
                Ok(_) => {}
                Err(_) => passed += 1,
            },
        }
    }
    if passed > 0 {
        warn(&format!("undust: {} passed over: too long, or not UTF-8", counted(passed, "line")));
    }
    Ok(())
}

/// Says how much of the model the export has, and what it lacks.
fn report(done: &Export, by_examples: bool) {
    let Export { coverage, edits, exported, left_out, members, .. } = done;
    let of = if by_examples { "the model's examples" } else { "the URLs given" };
    info(&format!(
        "{exported} of {}; of {}, {of}, the model changes {}: {} covered, {} in part",
        counted(*edits, "edit"),
        counted(coverage.urls, "URL"),
        coverage.changed,
        coverage.covered,
        coverage.in_part
    ));
    for taken in members {
        let line = format!(
            "takes from members: edit {}, {}: {}",
            taken.number, taken.notation, taken.what
        );
        info(&safe_line(&line));
    }
    for left in left_out {
        let urls =
            coverage.missing.iter().find(|(missing, _)| *missing == Missing::Edit(left.number));
        let urls = urls.map_or(String::new(), |(_, urls)| format!(" ({})", counted(*urls, "URL")));
        let line = format!("not said: edit {}, {}{urls}: {}", left.number, left.notation, left.why);
        info(&safe_line(&line));
    }
    for (missing, urls) in &coverage.missing {
        let what = match missing {
            Missing::Convention(notation) => notation.as_str(),
            Missing::Unmatched => "written so that a rule does not match",
            _ => continue,
        };
        info(&safe_line(&format!("not said: {what} ({})", counted(*urls, "URL"))));
    }
}
