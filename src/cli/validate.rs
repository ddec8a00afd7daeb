//! `undust validate`: the pairs of URLs whose fetching would decide what is only likely.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use undust_crawl::{ReadOptions, read_all};
use undust_learn::validate::{
    AskedOperation, FetchVerdict, PairLimits, Question, Validated, asked, is_only_likely,
};
use undust_model::folder::info::ModelInfo;
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_model::translation::Applied;
use undust_url::site::{SiteBy, site_of};
use undust_util::{Result, counted, json};

use super::arguments::{Settings, host};
use super::failure::Failure;
use super::output::Output;
use super::progress::info;
use super::reading::{Reading, check_host, check_readable, report_kinds};
use super::replacing::check_outputs;
use super::show::saved_info;

/// Write pairs of URLs to fetch, to decide rules that are only likely.
///
/// Rules that `undust train --method dustbuster` learns from a log or a list are likely: no page
/// confirms them. Fetch the pairs with any crawler (examples/fetch_pairs.py is one), and give what
/// came back to `undust observe`, which accepts or refuses each rule by the test of DustBuster's
/// paper. Edits of `auto` get pairs where they were not tested, or if too few URLs tested them;
/// give what came back to `undust train`, with the crawl before it.
///
/// Each line is a JSON object with the fields url, form (the URL that must show the same page), operation,
/// scope, question (likely, not-tested-here or refused) and saves (fetches among the known URLs). The
/// operations that save most for each pair come first.
#[derive(Debug, clap::Args)]
pub(super) struct ValidateArgs {
    /// Folder of one site's model, such as models/example.com
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// URLs of the site: the log, list or crawl that the model was learned from, or a later one;
    /// without any, the pairs are made of the model's examples
    #[arg(value_name = "FILE")]
    inputs: Vec<PathBuf>,

    /// File of the pairs, compressed if the name ends in .gz or .zst; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,

    /// Largest number of different URLs in all pairs
    #[arg(long, value_name = "URLS", value_parser = clap::value_parser!(u32).range(2..))]
    fetches: Option<u32>,

    /// Host of access logs that do not name one, such as `www.example.org`
    #[arg(long, value_parser = host)]
    host: Option<String>,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    reading: Reading,
}

/// Reads the model and the URLs, and writes the pairs.
pub(super) fn run(args: ValidateArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    check_outputs([&args.output], &args.inputs)?;
    let config = args.settings.read()?;
    let info = saved_info(&args.model)?;
    let model = SiteModel::load(&args.model)?;
    check_open(&args.model, &info, &model.model)?;
    let output = Output::begin(&args.output)?;
    let urls = args.urls(&info, &model.model)?;
    let validated = Validated::read(&args.model)?.operations;
    let decided = validated.into_iter().filter(|one| one.verdict != FetchVerdict::Open);
    let limits = PairLimits {
        pairs: config.dustbuster.validations,
        fetches: args.fetches.map_or(usize::MAX, |most| most as usize),
        seed: config.seed,
    };
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let found = asked(&model, &urls, &decided.map(|one| one.name).collect(), limits);
    output.write(|out| found.iter().try_for_each(|one| write_pairs(out, one)))?;
    info_of(&args, &found);
    Ok(())
}

/// # Errors
///
/// A model that has nothing for fetches to decide: a network, or rules that the pages of a crawl have tested.
fn check_open(folder: &Path, about: &ModelInfo, model: &Model) -> Result<()> {
    match model {
        Model::Edits(_) => Ok(()),
        model if is_only_likely(model, about) => Ok(()),
        _ => {
            let (path, method) = (folder.to_owned(), about.method.clone());
            Err(Failure::NothingToValidate { path, method }.into())
        }
    }
}

impl ValidateArgs {
    /// The URLs of the site in the inputs, each once, in their order; without inputs the examples of the model.
    fn urls(&self, about: &ModelInfo, model: &Model) -> Result<Vec<String>> {
        let mut urls = Urls {
            site: about.site.clone(),
            by: about.site_by,
            found: HashSet::new(),
            all: Vec::new(),
        };
        if self.inputs.is_empty() {
            examples(model).for_each(|url| urls.add(url));
            return Ok(urls.all);
        }
        let (options, watch) = self.reading.of(&self.inputs);
        let options = ReadOptions { host: self.host.clone(), lists: true, ..options };
        let report = read_all(&self.inputs, &options, &mut |response| {
            if (200..400).contains(&response.status) {
                urls.add(response.url);
            }
            Ok(())
        })?;
        drop(watch);
        check_host(self.host.as_deref(), &report)?;
        report_kinds(&report);
        match urls.all.is_empty() {
            true => {
                let (path, site) = (self.inputs[0].clone(), about.site.clone());
                Err(Failure::NoUrlOfSite { path, site }.into())
            }
            false => Ok(urls.all),
        }
    }
}

/// The URLs of a site, each once.
struct Urls {
    site: String,
    by: SiteBy,
    found: HashSet<String>,
    all: Vec<String>,
}

impl Urls {
    fn add(&mut self, url: String) {
        if site_of(&url, self.by).is_some_and(|site| *site == *self.site)
            && self.found.insert(url.clone())
        {
            self.all.push(url);
        }
    }
}

/// The URLs that a model keeps as examples of its rules or edits.
fn examples(model: &Model) -> impl Iterator<Item = String> {
    let (rules, edits) = match model {
        Model::Rules(rules) => (Some(rules.rules()), None),
        Model::Edits(editor) => (None, Some(editor.rules())),
        _ => (None, None),
    };
    let of_rules = rules.into_iter().flatten().filter_map(|rule| rule.example.clone()).flatten();
    let details = edits.into_iter().flatten().filter_map(|edit| edit.details());
    of_rules.chain(details.flat_map(|details| details.examples).flatten())
}

#[derive(Serialize)]
struct PairLine<'p> {
    url: &'p str,
    form: &'p str,
    operation: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'p str>,
    question: Question,
    saves: u64,
}

fn write_pairs(out: &mut dyn Write, asked: &AskedOperation) -> io::Result<()> {
    let AskedOperation { operation, scope, question, saves, pairs } = asked;
    for [url, form] in pairs {
        let (scope, question, saves) = (scope.as_deref(), *question, *saves);
        json::write_line(out, &PairLine { url, form, operation, scope, question, saves })?;
    }
    Ok(())
}

/// Says what was asked for, and what to do with what comes back.
fn info_of(args: &ValidateArgs, found: &[AskedOperation]) {
    let pairs: usize = found.iter().map(|one| one.pairs.len()).sum();
    let urls: HashSet<&String> = found.iter().flat_map(|one| one.pairs.iter().flatten()).collect();
    info(&format!(
        "{} of {} to fetch, {}",
        counted(pairs, "pair"),
        counted(found.len(), "operation"),
        counted(urls.len(), "URL")
    ));
    if args.inputs.is_empty() {
        info(
            "only the examples of the model were asked for; give the URLs of the site, too, for as many pairs as decide",
        );
    }
    if found.iter().any(|one| one.question == Question::Likely) {
        info("give the pages that come back to `undust observe`");
    } else if pairs > 0 {
        info(
            "give the pages that come back to `undust train`, behind the crawl that the model was learned from",
        );
    }
}
