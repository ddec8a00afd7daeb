//! Sites trained side by side while Python's signals are heard.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use undust::learn::{InPlace, Observer, Outcome, Site, Training, side_by_side, train_site};
use undust::{Config, Error, Method};

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// What became of a site.
pub(super) struct Done {
    pub site: String,
    /// `trained`, `nothing learned`, `too little` or `failed`.
    pub outcome: &'static str,
    pub pages: usize,
    /// Duplicate clusters, pages without a duplicate included, where there is a model; else those
    /// of two pages or more.
    pub clusters: Option<usize>,
    pub folder: Option<PathBuf>,
    pub error: Option<Error>,
}

pub(super) struct Job<'j> {
    pub method: Method,
    pub config: &'j Config,
    pub models: &'j Path,
    pub jobs: Option<NonZero<usize>>,
}

/// Whether the user wants to stop.
#[derive(Default)]
struct Stop(AtomicBool);

impl Observer for Stop {
    fn interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Job<'_> {
    /// Trains the sites. Ctrl-C ends it when the sites at work are done.
    pub(super) fn train_all(&self, py: Python<'_>, sites: Vec<Site>) -> PyResult<Vec<Done>> {
        let stop = Stop::default();
        let mut signal = Ok(());
        let all_done = py.detach(|| {
            thread::scope(|scope| {
                let pool = scope.spawn(|| {
                    side_by_side(sites, self.jobs, |site| {
                        (!stop.interrupted()).then(|| self.train(site, &stop))
                    })
                });
                while !pool.is_finished() {
                    thread::park_timeout(LOOK);
                    if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                        stop.0.store(true, Ordering::Relaxed);
                        signal = Err(interrupt);
                        break;
                    }
                }
                pool.join().unwrap_or_default()
            })
        });
        signal?;
        Ok(all_done.into_iter().flatten().collect())
    }

    fn train(&self, site: &Site, stop: &Stop) -> Done {
        let training = Training { observer: stop, ..Training::new(self.config) };
        let mut done = Done {
            site: site.name.clone(),
            outcome: "failed",
            pages: site.data.len(),
            clusters: None,
            folder: None,
            error: None,
        };
        match train_site(site, self.method, &training, self.models, InPlace::Replaced) {
            Ok(Outcome::Learned(learned)) => {
                done.outcome = "trained";
                done.clusters = Some(learned.report.clusters);
                done.folder = Some(self.models.join(&site.name));
            }
            Ok(Outcome::TooLittle { duplicates, .. }) => {
                done.outcome = "too little";
                done.clusters = Some(duplicates);
            }
            Ok(_) => done.outcome = "nothing learned",
            Err(error) => done.error = Some(error),
        }
        done
    }
}
