//! Sites trained side by side while Python's signals are heard.

use std::cmp::Reverse;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use undust::{Config, Error, Method, Observer, Outcome, Site, Training, train_site};

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
    /// Trains the sites, the largest first, on as many threads as there are jobs. Ctrl-C ends it
    /// when the sites at work are done.
    pub(super) fn train_all(&self, py: Python<'_>, mut sites: Vec<Site>) -> PyResult<Vec<Done>> {
        sites.sort_by_key(|site| (Reverse(site.material.len()), site.name.clone()));
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or(processors, usize::from).clamp(1, sites.len().max(1));
        let (next, stop) = (AtomicUsize::new(0), Stop::default());
        let (all_done, signal) = (Mutex::new(Vec::new()), Mutex::new(Ok(())));
        py.detach(|| {
            thread::scope(|scope| {
                let (ended, end) = mpsc::channel::<()>();
                for _ in 0..jobs {
                    let ended: Sender<()> = ended.clone();
                    let (sites, next, stop, all_done) = (&sites, &next, &stop, &all_done);
                    scope.spawn(move || {
                        // The last of these to be dropped tells that all is done.
                        let _ended = ended;
                        while let Some(place) = stop.next(next).filter(|at| *at < sites.len()) {
                            let done = (place, self.train(&sites[place], stop));
                            lock(all_done).push(done);
                        }
                    });
                }
                drop(ended);
                while end.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                        stop.0.store(true, Ordering::Relaxed);
                        *lock(&signal) = Err(interrupt);
                        break;
                    }
                }
            });
        });
        signal.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
        let mut all_done: Vec<(usize, Done)> =
            all_done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        all_done.sort_by_key(|(place, _)| *place);
        Ok(all_done.into_iter().map(|(_, done)| done).collect())
    }

    fn train(&self, site: &Site, stop: &Stop) -> Done {
        let training = Training { observer: stop, ..Training::new(self.config) };
        let mut done = Done {
            site: site.name.clone(),
            outcome: "failed",
            pages: site.material.len(),
            clusters: None,
            folder: None,
            error: None,
        };
        match train_site(site, self.method, &training, self.models) {
            Ok(Outcome::Trained { place, learned }) => {
                done.outcome = "trained";
                done.clusters = Some(learned.report.clusters);
                done.folder = Some(place);
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

impl Stop {
    /// The place of the next site to train, until the user wants to stop.
    fn next(&self, next: &AtomicUsize) -> Option<usize> {
        (!self.interrupted()).then(|| next.fetch_add(1, Ordering::Relaxed))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
