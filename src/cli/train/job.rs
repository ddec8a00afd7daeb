//! Training of many sites in parallel, and the outcome of each.

use std::num::NonZero;
use std::path::Path;

use undust_edits::editor::EditDescription;
use undust_learn::config::SiteConfig;
use undust_learn::learned::Learned;
use undust_learn::report::RulesReport;
use undust_learn::report::network::{NetworkReport, Stopped};
use undust_learn::train::flips::Flips;
use undust_learn::train::pool::side_by_side;
use undust_learn::train::{InPlace, Outcome, Site, TrainingData, held_back_folder, train_site};
use undust_learn::{Config, Observer, TrainTranslator, Training};
use undust_model::model::Model;
use undust_model::translation::spelled_out;
use undust_pages::page::Page;
use undust_util::{Error, Result, counted, shown};

use super::args::TrainArgs;
use crate::cli::failure::Failure;
use crate::cli::progress::{Board, catch_interrupt, info, interrupted, warn};
use crate::cli::remedy::sentence;

/// The outcome of a site.
pub(super) enum Done {
    /// The site's name.
    Trained(String),
    /// Its new model was held back, next to the one in place.
    HeldBack,
    /// Its model was kept: hardly any of its groups changed.
    Kept,
    /// A sentence about a site with too little evidence, and its pages if it has enough of them.
    TooLittle(String, Titles),
    NotStarted,
    Failed(Error),
}

/// How many pages there are, and how many of them have no near-duplicates because they lack a title.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Titles {
    pages: usize,
    without: usize,
}

impl Titles {
    /// Of a site with enough pages, if near-duplicates must have the same title.
    fn of(site: &Site, config: &Config) -> Self {
        let (TrainingData::Pages(pages) | TrainingData::Clustered(pages, _)) = &site.data else {
            return Self::default();
        };
        if !config.clusters.title || pages.len() < config.site.min_pages {
            return Self::default();
        }
        let is_without = |page: &&Page| page.title.is_none() && page.simhash.is_some();
        Self { pages: pages.len(), without: pages.iter().filter(is_without).count() }
    }

    /// What to do if most pages lack a title.
    fn advice(self, state: bool) -> Option<String> {
        let Self { pages, without } = self;
        let remedy = match state {
            true => "make the state by settings with clusters.title = false",
            false => "set clusters.title = false",
        };
        (2 * without > pages).then(|| {
            format!(
                "{without} of {} have no title, and near-duplicates must have the same title: {remedy}",
                counted(pages, "page"),
            )
        })
    }
}

pub(super) struct Job<'j> {
    pub args: &'j TrainArgs,
    pub config: &'j Config,
    pub translator: Option<&'j dyn TrainTranslator>,
    pub board: Board,
}

impl Job<'_> {
    /// Trains the sites; the order of the results is that of the sites.
    pub(super) fn train_all(&self, sites: Vec<Site>) -> Vec<Done> {
        let jobs = self.args.jobs.and_then(|jobs| NonZero::new(usize::from(jobs)));
        side_by_side(
            sites,
            jobs,
            |site| {
                if interrupted() { Done::NotStarted } else { self.train(site) }
            },
        )
    }

    fn train(&self, site: &Site) -> Done {
        let outcome = self.train_at_line(site);
        match outcome {
            Ok(Outcome::Learned(learned)) => {
                let folder = self.args.models.join(&site.name);
                self.report_trained(&site.name, &folder, &learned);
                Done::Trained(site.name.clone())
            }
            Ok(Outcome::HeldBack(_, flips)) => {
                self.report_held_back(&site.name, &flips);
                Done::HeldBack
            }
            Ok(Outcome::NothingLearned) => {
                let described = format!(
                    "{}: skipped, {} found no pair of duplicate URLs to learn from",
                    site.name, self.args.method
                );
                Done::TooLittle(described, Titles::default())
            }
            Ok(Outcome::TooLittle { pages, duplicates }) => {
                let titles = Titles::of(site, self.config);
                Done::TooLittle(too_little(&site.name, pages, duplicates, titles), titles)
            }
            Err(error) => Done::Failed(error),
        }
    }

    /// A crawl may have a million sites of one page, which get no line.
    fn train_at_line(&self, site: &Site) -> Result<Outcome> {
        let is_long = site.data.len() >= self.config.site.min_pages;
        let line = is_long.then(|| self.board.line(&site.name));
        if !is_long {
            self.board.pass();
        }
        let observer = line.as_ref().map_or(&() as &dyn Observer, |line| line);
        let (config, translator) = (self.config, self.translator);
        let training = Training { config, translator, observer };
        let in_place = if self.args.replace { InPlace::Replaced } else { InPlace::Guarded };
        train_site(site, self.args.method, &training, &self.args.models, in_place)
    }

    fn report_held_back(&self, site: &str, Flips { edits, .. }: &Flips) {
        let place = held_back_folder(&self.args.models).join(site);
        let first = edits.first().map_or("", String::as_str);
        let more = match edits.len() {
            0 | 1 => String::new(),
            all => format!(" and {} more", all - 1),
        };
        warn(&format!(
            "{site}: the model in place stays: it has seen pages part that the new one joins ({}{more}). The new one is \
             {}: look at it with `undust show`, and train with --replace if it is right",
            spelled_out(first),
            shown(&place)
        ));
    }

    fn report_trained(&self, site: &str, folder: &Path, learned: &Learned) {
        info(&trained(folder, learned));
        // The report of a network says so itself, and rules are never half learned.
        if interrupted() && self.args.method.is_gated() {
            info(&format!("{site}: interrupted: its model has the edits accepted so far"));
        }
        let refuted = learned.report.refuted.len();
        if refuted > 0 {
            info(&format!(
                "{site}: {} dropped, because one of the crawls refutes it",
                counted(refuted, "operation"),
            ));
        }
    }
}

/// A sentence about a site with too little evidence.
fn too_little(site: &str, pages: usize, duplicates: usize, titles: Titles) -> String {
    let mut described = format!(
        "{site}: skipped, too little evidence: {}, {}",
        counted(pages, "page"),
        counted(duplicates, "duplicate cluster"),
    );
    if titles.without > 0 {
        described += &format!(", {} without a title", counted(titles.without, "page"));
    }
    described
}

/// A sentence about a new model.
fn trained(folder: &Path, Learned { report, model, .. }: &Learned) -> String {
    let described = match (&report.network, &report.rules, model) {
        (Some(network), _, _) => network_report(network),
        (None, Some(rules), _) => rules_report(rules),
        (None, None, Model::Edits(editor)) => edits_report(&editor.describe()),
        (None, None, _) => return shown(&folder).to_string(),
    };
    format!("{}: {described}", shown(&folder))
}

/// What the accepted edits save and lose on the training crawl.
fn edits_report(edits: &[EditDescription]) -> String {
    let evidence = || edits.iter().filter_map(|edit| edit.evidence);
    let saved: i64 = evidence().filter_map(|known| known.saved).sum();
    let lost: usize = evidence().map(|known| known.lost).sum();
    match edits.len() {
        0 => "no edit accepted: URLs are only normalised".into(),
        count => format!(
            "{} accepted, {} saved, {} lost",
            counted(count, "edit"),
            counted(saved, "fetch"),
            counted(lost, "page"),
        ),
    }
}

fn network_report(network: &NetworkReport) -> String {
    let best = &network.training.best;
    let steps = network.training.curve.last().map_or(0, |last| last.step);
    let why = match network.training.stopped {
        Stopped::Converged => "no gain since",
        Stopped::MaxSteps => "all steps taken",
        Stopped::Interrupted => "interrupted",
    };
    format!(
        "{}, {} ({why}); kept step {}: {} exact match {:.3}, loss {:.4}",
        counted(network.templates, "template pair"),
        counted(steps, "step"),
        best.step,
        network.checked_by(),
        best.exact_match,
        best.held_out_loss,
    )
}

fn rules_report(rules: &RulesReport) -> String {
    let candidates = counted(rules.candidates, "candidate rule");
    let mut report = format!("{} of {candidates} kept.", rules.kept);
    for note in &rules.notes {
        report.push(' ');
        report.push_str(note);
    }
    report
}

/// Trains the sites, with a line of progress for each.
pub(super) fn train_all(
    args: &TrainArgs,
    config: &Config,
    translator: Option<&dyn TrainTranslator>,
    sites: Vec<Site>,
) -> Vec<Done> {
    catch_interrupt();
    Job { args, config, translator, board: Board::new(sites.len(), "sites") }.train_all(sites)
}

/// How many sites with too little evidence are listed.
const NAMED: usize = 5;

/// Reports the outcomes. An error if no model was made, or if a site failed.
pub(super) fn summarize(all_done: &[Done], args: &TrainArgs, config: &Config) -> Result<()> {
    let count = |is: fn(&Done) -> bool| all_done.iter().filter(|done| is(done)).count();
    let trained = count(|done| matches!(done, Done::Trained(_)));
    let not_started = count(|done| matches!(done, Done::NotStarted));
    let held_back = count(|done| matches!(done, Done::HeldBack));
    report_too_little(all_done);
    let mut failed = 0;
    for done in all_done {
        if let Done::Failed(error) = done {
            warn(&format!("undust: {}", sentence(error)));
            failed += 1;
        }
    }
    if failed + not_started > 0 {
        return Err(Failure::SomeFailed { trained, failed, not_started }.into());
    }
    if held_back > 0 {
        return Err(Failure::HeldBack { trained, held_back }.into());
    }
    if trained + count(|done| matches!(done, Done::Kept)) == 0 {
        let advice = titles(all_done).advice(args.live.state.is_some()).unwrap_or_else(|| {
            "crawl more, or lower site.min_pages and site.min_clusters in the settings".into()
        });
        let SiteConfig { min_pages, min_clusters } = config.site;
        return Err(Failure::TooLittle { min_pages, min_clusters, advice }.into());
    }
    Ok(())
}

/// The sum over all sites with too little evidence.
fn titles(all_done: &[Done]) -> Titles {
    let mut all = Titles::default();
    for done in all_done {
        if let Done::TooLittle(_, Titles { pages, without }) = done {
            all = Titles { pages: all.pages + pages, without: all.without + without };
        }
    }
    all
}

fn report_too_little(all_done: &[Done]) {
    let too_little = all_done.iter().filter_map(|done| match done {
        Done::TooLittle(described, _) => Some(described),
        _ => None,
    });
    let too_little: Vec<_> = too_little.collect();
    for described in too_little.iter().take(NAMED) {
        info(described);
    }
    if too_little.len() > NAMED {
        let more = counted(too_little.len() - NAMED, "more site");
        info(&format!("{more} with too little evidence"));
    }
}
