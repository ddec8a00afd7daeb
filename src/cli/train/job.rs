//! Sites trained side by side, and what became of each.

use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::progress::{Board, interrupted, tell};
use super::{Material, TrainArgs};
use crate::cluster::{ClusterOptions, Clusters, cluster};
use crate::config::Config;
use crate::crawl::Page;
use crate::models::{self, Kept, SiteFacts};
use crate::pairs::TrainingSet;
use crate::rules::dustbuster::Listing;
use crate::rules::{Lesson, learn_listing};
use crate::seq2seq::{Stopped, Trained};
use crate::{Error, Model, Result, Workshop};

/// What became of a site.
pub enum Outcome {
    Trained,
    /// Too few pages or duplicate clusters to learn from.
    TooLittle {
        site: String,
        pages: usize,
        duplicates: usize,
    },
    NotStarted,
    Failed(Error),
}

pub struct Job<'j> {
    pub args: &'j TrainArgs,
    pub config: &'j Config,
    pub board: Board,
}

impl Job<'_> {
    /// Trains the sites, the largest first, on as many threads as there are jobs: one
    /// network gains little from a second thread, a second network all of it.
    pub fn train_all(&self, mut sites: Vec<(String, Material)>) -> Vec<Outcome> {
        sites.sort_by_key(|(site, material)| (Reverse(material.urls()), site.clone()));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.args.jobs.map_or(processors, usize::from).clamp(1, sites.len().max(1));
        let next = AtomicUsize::new(0);
        let outcomes = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while let Some((site, known)) = sites.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let outcome = match known {
                            _ if interrupted() => Outcome::NotStarted,
                            Material::Pages(pages) => self.train(site, pages),
                            Material::Listing(listing) => self.train_listing(site, listing),
                        };
                        outcomes
                            .lock()
                            .unwrap_or_else(|poisoned| poisoned.into_inner())
                            .push(outcome);
                    }
                });
            }
        });
        outcomes.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn train(&self, site: &str, pages: &[Page]) -> Outcome {
        let settings = &self.config.clusters;
        let clusters =
            cluster(pages, &ClusterOptions { bits: settings.bits, title: settings.title });
        let duplicates = clusters.iter().filter(|members| members.len() > 1).count();
        let least = &self.config.evidence;
        if pages.len() < least.min_pages || duplicates < least.min_clusters {
            return Outcome::TooLittle { site: site.to_owned(), pages: pages.len(), duplicates };
        }
        match self.learn(site, pages, &clusters) {
            Ok(Some(report)) => {
                tell(&report);
                Outcome::Trained
            }
            Ok(None) => {
                Outcome::TooLittle { site: site.to_owned(), pages: pages.len(), duplicates }
            }
            Err(error) => Outcome::Failed(error),
        }
    }

    /// DustBuster on a log or a list of URLs: what it finds, nothing could check.
    fn train_listing(&self, site: &str, listing: &Listing) -> Outcome {
        let pages = listing.records().len();
        if pages < self.config.evidence.min_pages {
            return Outcome::TooLittle { site: site.to_owned(), pages, duplicates: 0 };
        }
        let lesson = learn_listing(listing, self.config);
        match self.keep(site, (pages, 0), Kept::Rules(&lesson)) {
            Ok(()) => {
                tell(&self.told(site, &rules_report(&lesson)));
                Outcome::Trained
            }
            Err(error) => Outcome::Failed(error),
        }
    }

    /// Learns and keeps a site; what to tell of it, or nothing where there was nothing to
    /// learn from.
    fn learn(&self, site: &str, pages: &[Page], clusters: &Clusters) -> Result<Option<String>> {
        let set = TrainingSet::new(pages, clusters);
        let line = self.board.line(site);
        let workshop = Workshop { config: self.config, device: self.args.device, watch: &line };
        let model = self.args.method.method().learn(&set, &workshop)?;
        let (kept, report) = match &model {
            Model::Network(trained) => (Kept::Network(trained), network_report(trained)),
            Model::Rules(lesson) => (Kept::Rules(lesson), rules_report(lesson)),
            Model::Identity | Model::DropSlashes => return Ok(None),
        };
        self.keep(site, (pages.len(), clusters.len()), kept)?;
        Ok(Some(self.told(site, &report)))
    }

    fn keep(&self, site: &str, (pages, clusters): (usize, usize), kept: Kept<'_>) -> Result<()> {
        let facts = SiteFacts { site, site_by: self.args.site_by, pages, clusters };
        models::save(&self.args.models, facts, self.config, kept)
    }

    fn told(&self, site: &str, report: &str) -> String {
        format!("{}: {report}", self.args.models.join(site).display())
    }
}

fn network_report(trained: &Trained) -> String {
    let best = &trained.report.best;
    let steps = trained.report.curve.last().map_or(0, |last| last.step);
    let why = match trained.report.stopped {
        Stopped::Converged => "no gain since",
        Stopped::MaxSteps => "all steps taken",
        Stopped::Interrupted => "interrupted",
    };
    format!(
        "{} template pairs, {steps} steps ({why}); kept step {}: held-out exact match {:.3}, loss {:.4}",
        trained.templates, best.step, best.exact_match, best.held_out_loss,
    )
}

fn rules_report(lesson: &Lesson) -> String {
    let facts = &lesson.facts;
    let mut report = format!("{} of {} candidate rules kept.", facts.kept, facts.candidates);
    for note in &facts.notes {
        report.push(' ');
        report.push_str(note);
    }
    report
}

/// How many sites with too little evidence are named.
const NAMED: usize = 5;

/// Says what became of the sites; an error where no model was made, or not every one.
pub fn summarize(outcomes: &[Outcome], config: &Config) -> Result<()> {
    let trained = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Trained)).count();
    let too_little: Vec<_> = outcomes.iter().filter_map(Outcome::too_little).collect();
    for line in too_little.iter().take(NAMED) {
        tell(line);
    }
    if too_little.len() > NAMED {
        tell(&format!("… and {} sites more with too little evidence", too_little.len() - NAMED));
    }
    let mut failed = 0;
    for outcome in outcomes {
        if let Outcome::Failed(error) = outcome {
            tell(&format!("undust: {error}"));
            failed += 1;
        }
    }
    let not_started =
        outcomes.iter().filter(|outcome| matches!(outcome, Outcome::NotStarted)).count();
    if failed + not_started > 0 {
        return Err(Error::Unusable(format!(
            "{trained} sites trained, {failed} failed, {not_started} not started"
        )));
    }
    if trained == 0 {
        let least = &config.evidence;
        return Err(Error::Unusable(format!(
            "no site has the {} pages and {} duplicate clusters that a model needs; crawl more, or lower \
             evidence.min_pages and evidence.min_clusters in the settings",
            least.min_pages, least.min_clusters,
        )));
    }
    Ok(())
}

impl Outcome {
    fn too_little(&self) -> Option<String> {
        let Self::TooLittle { site, pages, duplicates } = self else { return None };
        Some(format!(
            "{site}: skipped, too little evidence: {pages} pages, {duplicates} duplicate clusters"
        ))
    }
}
