//! The live engine, asked from Python while a crawl goes on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;
use pythonize::{PythonizeError, depythonize};
use undust::crawl::{Response, Simhash, TextHash};
use undust::live::{AutoLearner, Decision as Decided, EngineOptions, Live as Engine};
use undust::{Error as LibraryError, Result as LibraryResult};

use crate::errors::{CrawlError, StateError, raised, refuse_text, require_share};
use crate::page::Html;
use crate::settings::config;
use crate::site_stats::SiteStats;

/// Decides for a crawler which URLs it fetches, and learns from what comes back.
#[pyclass(frozen, module = "undust")]
pub(crate) struct Live {
    state: Option<PathBuf>,
    /// None once it is closed.
    engine: RwLock<Option<Engine>>,
}

/// What becomes of a URL.
#[pyclass(frozen, get_all, module = "undust")]
pub(crate) struct Decision {
    /// `fetch`, `skip`, or `probe`: a fetch that tests whether such URLs can be skipped.
    #[pyo3(name = "do")]
    action: &'static str,
    /// Of a skip: the form of the URL.
    form: Option<String>,
    /// Of a skip: what gives it this form.
    why: Option<String>,
    /// Of a skip: how many URLs of this form were fetched and showed one page; else 0.
    fetched: u32,
    /// The probability that a skip loses a page; 0 for what is fetched.
    loss: f32,
    /// Of a probe: what it tests.
    hypothesis: Option<String>,
    /// Whether the URL is fetched.
    fetches: bool,
}

impl From<Decided> for Decision {
    fn from(decided: Decided) -> Self {
        let fetches = decided.fetches();
        let (form, why, hypothesis) = Default::default();
        let fetch = Self { action: "fetch", form, why, fetched: 0, loss: 0.0, hypothesis, fetches };
        match decided {
            Decided::Fetch => fetch,
            Decided::Probe { hypothesis } => {
                Self { action: "probe", hypothesis: Some(hypothesis), ..fetch }
            }
            Decided::Skip { form, why, fetched, loss } => {
                Self { action: "skip", form: Some(form), why: Some(why), fetched, loss, ..fetch }
            }
        }
    }
}

#[pymethods]
impl Decision {
    fn __bool__(&self) -> bool {
        self.fetches
    }

    fn __repr__(&self) -> String {
        match self {
            Self { form: Some(form), why: Some(why), loss, .. } => {
                format!("<Decision skip: {form} by {why}, loss {loss:.4}>")
            }
            Self { hypothesis: Some(hypothesis), .. } => {
                format!("<Decision probe: {hypothesis}>")
            }
            Self { action, .. } => format!("<Decision {action}>"),
        }
    }
}

#[pymethods]
impl Live {
    #[new]
    #[pyo3(signature = (
        state = None,
        *,
        risk = EngineOptions::default().risk,
        audits = EngineOptions::default().audits,
        settings = None,
        background = EngineOptions::default().background,
    ))]
    fn new(
        py: Python<'_>,
        state: Option<PathBuf>,
        risk: f64,
        audits: f64,
        settings: Option<&Bound<'_, PyAny>>,
        background: bool,
    ) -> PyResult<Self> {
        require_share("risk", risk)?;
        require_share("audits", audits)?;
        let config = config(settings)?;
        let options = EngineOptions {
            risk,
            audits,
            background,
            clusters: config.clusters,
            ..EngineOptions::default()
        };
        let learner = AutoLearner { state: state.clone(), ..AutoLearner::new(config) };
        let opened = py.detach(|| open(state.as_deref(), options, learner));
        let engine = RwLock::new(Some(opened.map_err(|error| raised(&error))?));
        Ok(Self { state, engine })
    }

    /// Decides upon a URL that leaves the crawler's queue.
    fn decide(&self, py: Python<'_>, url: PyBackedStr) -> PyResult<Decision> {
        self.ask(py, |engine| engine.decide(&url)).map(Decision::from)
    }

    /// Decides upon many URLs, in their order.
    fn decide_many(&self, py: Python<'_>, urls: &Bound<'_, PyAny>) -> PyResult<Vec<Decision>> {
        refuse_text("urls", urls)?;
        let urls: Vec<PyBackedStr> = urls.extract()?;
        let decide = |engine: &Engine| urls.iter().map(|url| engine.decide(url)).collect();
        let decided: Vec<Decided> = self.ask(py, decide)?;
        Ok(decided.into_iter().map(Decision::from).collect())
    }

    /// Takes what came back for a URL; the name of a site that was learned anew meanwhile.
    #[pyo3(signature = (
        url,
        status,
        *,
        html = None,
        content_type = None,
        title = None,
        simhash = None,
        text_hash = None,
        words = None,
        digest = None,
        location = None,
        time = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn saw(
        &self,
        py: Python<'_>,
        url: String,
        status: u16,
        html: Option<Html<'_>>,
        content_type: Option<&str>,
        title: Option<String>,
        simhash: Option<&Bound<'_, PyString>>,
        text_hash: Option<&Bound<'_, PyString>>,
        words: Option<u64>,
        digest: Option<String>,
        location: Option<String>,
        time: Option<String>,
    ) -> PyResult<Option<String>> {
        let html = html.filter(|_| status == 200);
        let read = html.map(|html| html.response(py, &url, content_type)).transpose()?.flatten();
        let read = read.unwrap_or_default();
        let wrong = |error: PythonizeError| CrawlError::new_err(error.to_string());
        let simhash: Option<Simhash> =
            simhash.map(|hex| depythonize(hex)).transpose().map_err(wrong)?;
        let text_hash: Option<TextHash> =
            text_hash.map(|hex| depythonize(hex)).transpose().map_err(wrong)?;
        let response = Response {
            url,
            status,
            title: title.or(read.title),
            simhash: simhash.or(read.simhash),
            text_hash: text_hash.or(read.text_hash),
            words: words.or(read.words),
            digest: digest.or(read.digest),
            location,
            time,
            ..Response::default()
        };
        let learned = self.ask(py, |engine| engine.saw(response))?;
        Ok(learned.map(String::from))
    }

    /// Begins another crawl: every page is to be found again, and what is known of forms stays.
    fn begin_crawl(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, Engine::begin_crawl)
    }

    /// Learns a site now, by its host.
    fn learn(&self, py: Python<'_>, site: PyBackedStr) -> PyResult<()> {
        self.ask(py, |engine| engine.learn_now(&site)).map(drop)
    }

    /// Waits for what is being learned in the background, and lets it take effect.
    fn settle(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, Engine::settle)
    }

    /// What became of the URLs, by site.
    fn stats(&self, py: Python<'_>) -> PyResult<BTreeMap<String, SiteStats>> {
        let stats = self.ask(py, |engine| Ok(engine.stats()))?;
        Ok(stats.into_iter().map(|(site, stats)| (site, stats.into())).collect())
    }

    /// Waits for what is being learned, unless `settle` is false, puts what came back into the
    /// clusters of the state, and lets go of the state.
    #[pyo3(signature = (*, settle = true))]
    fn close(&self, py: Python<'_>, settle: bool) -> PyResult<()> {
        let closed = py.detach(|| {
            let engine = self.engine.write().unwrap_or_else(PoisonError::into_inner).take();
            let Some(engine) = engine else { return Ok(()) };
            let settled = if settle { engine.settle() } else { Ok(()) };
            engine.keep().and(settled)
        });
        closed.map_err(|error| raised(&error))
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// Closes it. After an exception nobody waits for what is being learned.
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: Option<&Bound<'_, PyAny>>,
        _value: Option<&Bound<'_, PyAny>>,
        _traceback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.close(py, kind.is_none())
    }

    fn __repr__(&self) -> String {
        self.state.as_ref().map_or_else(|| "Live()".to_owned(), |state| format!("Live({state:?})"))
    }
}

impl Live {
    /// Asks the engine without the GIL.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Engine) -> LibraryResult<T> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| {
            let engine = self.engine.read().unwrap_or_else(PoisonError::into_inner);
            engine.as_ref().map(question)
        });
        let closed = || StateError::new_err("this Live is closed: make another one");
        answer.ok_or_else(closed)?.map_err(|error: LibraryError| raised(&error))
    }
}

fn open(
    state: Option<&Path>,
    options: EngineOptions,
    learner: AutoLearner,
) -> LibraryResult<Engine> {
    let learner = Arc::new(learner);
    match state {
        Some(folder) => Engine::open(folder, options, learner),
        None => Engine::in_memory(options, learner),
    }
}
