//! `undust export`: what a model knows, as rules for other programs.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

use undust_crawl::kind::crawl_in;
use undust_crawl::lines::{ReadLine, read_line};
use undust_crawl::source::open_text;
use undust_crawl::{ReadOptions, read_all};
use undust_export::{CrawledUrl, Export, Format, Missing, export};
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_util::{Error, Result, counted};

use super::arguments::{Values, one_of};
use super::failure::Failure;
use super::output::write_whole;
use super::progress::{info, warn};
use super::replacing::check_outputs;
use super::show::saved_info;
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
    #[arg(long, value_parser = one_of(FORMATS), value_name = "FORMAT")]
    to: Format,

    /// URLs to try the rules on: a crawl, or a list of one URL a line; `-` is a list on standard input
    #[arg(long, value_name = "FILE")]
    urls: Vec<PathBuf>,

    /// Where to write the rules; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// What reads an export.
const FORMATS: Values<Format> = &[
    ("nginx", Format::Nginx, "Maps and a redirect for nginx"),
    ("apache", Format::Apache, "Rules and a redirect for Apache's mod_rewrite"),
    ("vcl", Format::Vcl, "A redirect for Varnish"),
    ("nutch", Format::Nutch, "regex-normalize.xml of Apache Nutch"),
    ("stormcrawler", Format::Stormcrawler, "A URL filter of Apache StormCrawler"),
    ("heritrix", Format::Heritrix, "Canonicalization rules of Heritrix 3: keys"),
    ("dud", Format::Dud, "Rules of Zyte's duplicate-url-discarder for Scrapy: keys"),
    ("clean-param", Format::CleanParam, "Clean-param lines of robots.txt: keys"),
    (
        "anubis",
        Format::Anubis,
        "A policy of Anubis that challenges variants and lets canonical URLs pass: keys",
    ),
    ("names", Format::Names, "Names of arguments that do not matter, one a line: keys"),
    (
        "no-vary-search",
        Format::NoVarySearch,
        "The header No-Vary-Search for browsers and caches, as a map for nginx: keys",
    ),
    (
        "no-vary-search-apache",
        Format::NoVarySearchApache,
        "The same header for Apache's mod_headers",
    ),
    ("no-vary-search-caddy", Format::NoVarySearchCaddy, "The same header for Caddy"),
    ("no-vary-search-json", Format::NoVarySearchJson, "The same header by path, for other servers"),
    ("nginx-dry-run", Format::NginxDryRun, "Maps for nginx, and a log of what would be redirected"),
    (
        "apache-dry-run",
        Format::ApacheDryRun,
        "Rules for Apache, and a log of what would be redirected",
    ),
    ("vcl-dry-run", Format::VclDryRun, "A log of what Varnish would redirect"),
    ("nginx-robots", Format::NginxRobots, "Maps for nginx, and a redirect of robots alone"),
    ("apache-robots", Format::ApacheRobots, "Rules for Apache, and a redirect of robots alone"),
    ("vcl-robots", Format::VclRobots, "A redirect for Varnish, of robots alone"),
    ("csv", Format::Csv, "The edits as a table"),
    ("json", Format::Json, "The edits with their regexes"),
];

/// Loads the model with all checks, tries the rules, and writes them.
pub(super) fn run(args: ExportArgs) -> Result<()> {
    saved_info(&args.model)?;
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
    let done = export(&model, args.to, urls)
        .map_err(|why| Failure::NoExport { path: path.clone(), why })?;
    write_whole(&args.output, |out| out.write_all(done.text.as_bytes()))?;
    report(&done, args.urls.is_empty());
    if args.urls.is_empty() && args.to.is_fetched() {
        info(
            "not looked up in a crawl: --urls CRAWL leaves out rules whose URLs did not answer there",
        );
    }
    Ok(())
}

/// The URLs that the model holds as examples, and their forms.
fn examples(model: &SiteModel) -> Vec<CrawledUrl> {
    let Model::Edits(editor) = &model.model else { return Vec::new() };
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
