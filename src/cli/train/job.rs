//! Sites trained side by side, and what became of each.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::progress::{Board, interrupted, tell, warn};
use super::super::remedy::sentence;
use super::TrainArgs;
use crate::config::Config;
use crate::edits::editor::ToldEdit;
use crate::error::{Error, Result};
use crate::method::Training;
use crate::model::{Learned, Model};
use crate::rules::learner::RulesReport;
use crate::seq2seq::report::{NetworkReport, Stopped};
use crate::train::{Outcome, Site, train_site};
use crate::words::counted;

/// What became of a site.
pub(super) enum Done {
    /// The site's name.
    Trained(String),
    /// Its model stands: hardly any of its groups changed.
    Kept,
    /// A sentence on a site with too little evidence.
    TooLittle(String),
    NotStarted,
    Failed(Error),
}

pub(super) struct Job<'j> {
    pub args: &'j TrainArgs,
    pub config: &'j Config,
    pub board: Board,
}

impl Job<'_> {
    /// Trains the sites, the largest first, on as many threads as there are jobs: one
    /// network gains little from a second thread, a second network all of it.
    pub(super) fn train_all(&self, mut sites: Vec<Site>) -> Vec<Done> {
        sites.sort_by_key(|site| (Reverse(site.material.len()), site.name.clone()));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.args.jobs.map_or(processors, usize::from).clamp(1, sites.len().max(1));
        let next = AtomicUsize::new(0);
        let all_done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some(site) = sites.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let done = if interrupted() { Done::NotStarted } else { self.train(site) };
                        all_done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(done);
                    }
                });
            }
        });
        all_done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn train(&self, site: &Site) -> Done {
        let line = self.board.line(&site.name);
        let device = self.args.device.into();
        let training = Training { config: self.config, device, observer: &line };
        let outcome = train_site(site, self.args.method, &training, &self.args.models);
        drop(line);
        match outcome {
            Ok(Outcome::Trained { place, learned }) => {
                tell(&trained(&place, &learned));
                // A network's report says so itself, and no rules are left half learned.
                if interrupted() && self.args.method.is_gated() {
                    tell(&format!(
                        "{}: interrupted: its model has the edits accepted until then",
                        site.name
                    ));
                }
                let refuted = learned.report.refuted.len();
                if refuted > 0 {
                    tell(&format!(
                        "{}: {} dropped: what is learned must hold on all crawls",
                        site.name,
                        counted(refuted, "operation"),
                    ));
                }
                Done::Trained(site.name.clone())
            }
            Ok(Outcome::NothingLearned) => Done::TooLittle(format!(
                "{}: skipped, {} finds nothing to learn from: no pair of duplicate URLs",
                site.name, self.args.method
            )),
            Ok(Outcome::TooLittle { pages, duplicates }) => Done::TooLittle(format!(
                "{}: skipped, too little evidence: {}, {}",
                site.name,
                counted(pages, "page"),
                counted(duplicates, "duplicate cluster"),
            )),
            Err(error) => Done::Failed(error),
        }
    }
}

/// A sentence on a new model.
fn trained(place: &Path, Learned { report, model, .. }: &Learned) -> String {
    let told = match (&report.network, &report.rules, model) {
        (Some(network), _, _) => network_report(network),
        (None, Some(rules), _) => rules_report(rules),
        (None, None, Model::Edits(editor)) => edits_report(&editor.told()),
        (None, None, _) => return place.display().to_string(),
    };
    format!("{}: {told}", place.display())
}

/// What the accepted edits do with the crawl that they were learned from.
fn edits_report(edits: &[ToldEdit]) -> String {
    let evidence = || edits.iter().filter_map(|edit| edit.evidence);
    let saved: i64 = evidence().filter_map(|known| known.saved).sum();
    let lost: usize = evidence().map(|known| known.lost).sum();
    match edits.len() {
        0 => "no edit accepted: URLs are only written as the site does".into(),
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
        "{}, {} ({why}); kept step {}: held-out exact match {:.3}, loss {:.4}",
        counted(network.templates, "template pair"),
        counted(steps, "step"),
        best.step,
        best.exact_match,
        best.held_out_loss,
    )
}

fn rules_report(rules: &RulesReport) -> String {
    let mut report = format!("{} of {} candidate rules kept.", rules.kept, rules.candidates);
    for note in &rules.notes {
        report.push(' ');
        report.push_str(note);
    }
    report
}

/// How many sites with too little evidence are named.
const NAMED: usize = 5;

/// Says what became of the sites; an error where no model was made, or not every one.
pub(super) fn summarize(all_done: &[Done], config: &Config) -> Result<()> {
    let count = |is: fn(&Done) -> bool| all_done.iter().filter(|done| is(done)).count();
    let trained = count(|done| matches!(done, Done::Trained(_)));
    let not_started = count(|done| matches!(done, Done::NotStarted));
    tell_too_little(all_done);
    let mut failed = 0;
    for done in all_done {
        if let Done::Failed(error) = done {
            warn(&format!("undust: {}", sentence(error)));
            failed += 1;
        }
    }
    if failed + not_started > 0 {
        return Err(Error::Unusable(format!(
            "{} trained, {failed} failed, {not_started} not started",
            counted(trained, "site"),
        )));
    }
    if trained + count(|done| matches!(done, Done::Kept)) == 0 {
        let least = &config.site;
        return Err(Error::Unusable(format!(
            "no site has the {} pages and {} duplicate clusters that a model needs; crawl more, or lower \
             site.min_pages and site.min_clusters in the settings",
            least.min_pages, least.min_clusters,
        )));
    }
    Ok(())
}

fn tell_too_little(all_done: &[Done]) {
    let too_little = all_done.iter().filter_map(|done| match done {
        Done::TooLittle(told) => Some(told),
        _ => None,
    });
    let too_little: Vec<_> = too_little.collect();
    for told in too_little.iter().take(NAMED) {
        tell(told);
    }
    if too_little.len() > NAMED {
        let more = counted(too_little.len() - NAMED, "more site");
        tell(&format!("… and {more} with too little evidence"));
    }
}
