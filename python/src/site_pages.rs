//! The pages of one site as rows of Arrow tables: trained, clustered, evaluated.

use std::num::NonZero;
use std::sync::Arc;

use arrow_array::{Int64Array, StringArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use undust::cluster::clusters::cluster;
use undust::crawl::{Page, SiteBy};
use undust::evaluate::{EvaluationOptions, Unit, evaluate};
use undust::learn::{Outcome, Site, SitesBuilder, Training, TrainingData, files_of, learn_site};
use undust::{Config, Method};

use crate::errors::{CrawlError, Error, raised, sentence};
use crate::ingest::site_rule;
use crate::settings::config;
use crate::table::{Place, ResponseColumns, Rows, batch_of};

/// The pages of one site, taken in batches: rows of `ingest`, in the order of `crawl`, `seq` and
/// `url`. One of the other methods takes them all, and ends it.
#[pyclass(module = "undust")]
pub(crate) struct SitePages {
    site: String,
    by: SiteBy,
    config: Config,
    crawls: NonZero<u32>,
    builder: Option<SitesBuilder>,
    /// Where the last row stood, and its URL.
    last: Option<(Place, String)>,
    /// Rows that were no response.
    bad_rows: u64,
}

#[pymethods]
impl SitePages {
    #[new]
    #[pyo3(signature = (site, settings = None, *, site_by = "host", crawls = NonZero::<u32>::MIN))]
    fn new(
        site: String,
        settings: Option<&Bound<'_, PyAny>>,
        site_by: &str,
        crawls: NonZero<u32>,
    ) -> PyResult<Self> {
        let (config, by) = (config(settings)?, site_rule(site_by)?);
        let mut builder = SitesBuilder::new(crawls.get() as usize, false);
        if config.labels.is_used() {
            builder = builder.with_labels();
        }
        builder.next_crawl();
        Ok(Self { site, by, config, crawls, builder: Some(builder), last: None, bad_rows: 0 })
    }

    /// Takes a record batch. Its own rows may come in any order.
    fn push(&mut self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<()> {
        let batch = batch_of(batch)?;
        py.detach(|| {
            let columns = ResponseColumns::of(&batch)?;
            let mut order: Vec<usize> = (0..batch.num_rows()).collect();
            order.sort_by_key(|&row| (columns.place(row), columns.url(row)));
            for row in order {
                self.push_row(&columns, row)?;
            }
            Ok(())
        })
    }

    /// Rows that were no response: without a URL, with a status or fingerprint that is none.
    #[getter]
    fn bad_rows(&self) -> u64 {
        self.bad_rows
    }

    /// Trains the site, by default on one thread: the outcome, with the files of its model by name.
    #[pyo3(signature = (method, threads = NonZero::<usize>::MIN))]
    fn train<'p>(
        &mut self,
        py: Python<'p>,
        method: &str,
        threads: NonZero<usize>,
    ) -> PyResult<Bound<'p, PyDict>> {
        let method: Method = method.parse().map_err(|error| raised(&error))?;
        let (site, config) = (self.take()?, &self.config);
        let trained = py.detach(|| on_threads(threads, || Trained::of(&site, method, config)))?;
        trained.describe(py)
    }

    /// The duplicate clusters of the site: each URL with the number of its cluster, in the order
    /// of the cluster's first page.
    fn clusters(&mut self, py: Python<'_>) -> PyResult<Rows> {
        let (pages, options) = (self.take_pages()?, &self.config.clusters);
        py.detach(|| {
            let clusters = cluster(&pages, options);
            let sizes: Vec<_> = clusters.iter().map(|members| members.len() as i64).collect();
            let labels = clusters.labels();
            let size = |&label: &u32| Some(sizes[label as usize]);
            let urls = pages.iter().map(|page| Some(&*page.url));
            Rows::of(vec![
                ("url", Arc::new(urls.collect::<StringArray>())),
                (
                    "cluster",
                    Arc::new(
                        labels.iter().map(|&label| Some(i64::from(label))).collect::<Int64Array>(),
                    ),
                ),
                ("size", Arc::new(labels.iter().map(size).collect::<Int64Array>())),
            ])
        })
    }

    /// What methods would have saved and lost on the last pages, as `undust evaluate --format json`
    /// says it of the site; none where no page is left to test on.
    #[pyo3(signature = (methods, split = 0.75, threads = NonZero::<usize>::MIN))]
    fn evaluate<'p>(
        &mut self,
        py: Python<'p>,
        methods: Vec<String>,
        split: f64,
        threads: NonZero<usize>,
    ) -> PyResult<Option<Bound<'p, PyAny>>> {
        let methods = methods.iter().map(|name| name.parse::<Method>());
        let methods = methods.collect::<Result<Vec<_>, _>>().map_err(|error| raised(&error))?;
        let (pages, config) = (self.take_pages()?, &self.config);
        if pages.is_empty() {
            return Ok(None);
        }
        let options = EvaluationOptions {
            split,
            clusters: config.clusters,
            word_share: config.tokens.threshold,
            seed: config.seed,
            ..EvaluationOptions::default()
        };
        let unit =
            Unit { site: self.site.clone(), site_by: self.by, crawl: self.site.clone(), pages };
        let result = py.detach(|| {
            on_threads(threads, || evaluate(unit, &methods, &Training::new(config), &options))
        })?;
        let result = result.map_err(|error| raised(&error))?;
        let described = pythonize::pythonize(py, &result);
        described.map(Some).map_err(|error| Error::new_err(error.to_string()))
    }
}

impl SitePages {
    fn push_row(&mut self, columns: &ResponseColumns<'_>, row: usize) -> PyResult<()> {
        let Some(response) = columns.response(row) else {
            self.bad_rows += 1;
            return Ok(());
        };
        let place = columns.place(row);
        let (last, last_url) = match &self.last {
            Some((place, url)) => (*place, url.as_str()),
            None => ((0, i64::MIN), ""),
        };
        if (place, response.url.as_str()) < (last, last_url) {
            let described = "the rows of a site came out of order: sort them by crawl, seq and url";
            return Err(PyValueError::new_err(described));
        }
        if i64::from(place.0) >= i64::from(self.crawls.get()) {
            return Err(CrawlError::new_err(format!(
                "a row is of crawl {}, and there are {} crawls, numbered from 0: pass crawls={}",
                place.0,
                self.crawls,
                i64::from(place.0) + 1
            )));
        }
        let builder = self.builder.as_mut().ok_or_else(taken)?;
        for _ in last.0..place.0 {
            builder.next_crawl();
        }
        self.last = Some((place, response.url.clone()));
        builder.push(response);
        Ok(())
    }

    /// The site; without a page where the rows have none of it.
    fn take(&mut self) -> PyResult<Site> {
        let found = self.builder.take().ok_or_else(taken)?.finish(self.by);
        let site = found.sites.into_iter().find(|site| site.name == self.site);
        Ok(site.unwrap_or_else(|| Site {
            name: self.site.clone(),
            by: self.by,
            data: TrainingData::Pages(Vec::new()),
            crawls: Vec::new(),
        }))
    }

    fn take_pages(&mut self) -> PyResult<Vec<Page>> {
        match self.take()?.data {
            TrainingData::Pages(pages) | TrainingData::Clustered(pages, _) => Ok(pages),
            TrainingData::Listing(_) => Ok(Vec::new()),
        }
    }
}

fn taken() -> PyErr {
    PyValueError::new_err("the pages of this site were already taken")
}

fn on_threads<T: Send>(threads: NonZero<usize>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    let pool =
        pool.map_err(|error| Error::new_err(format!("no thread can be started: {error}")))?;
    Ok(pool.install(work))
}

/// What became of a site.
struct Trained {
    outcome: &'static str,
    pages: usize,
    clusters: Option<usize>,
    error: Option<String>,
    /// The files of its model, by name.
    files: Vec<(&'static str, Vec<u8>)>,
}

impl Trained {
    fn of(site: &Site, method: Method, config: &Config) -> Self {
        let training = Training::new(config);
        let mut done = Self {
            outcome: "failed",
            pages: site.data.len(),
            clusters: None,
            error: None,
            files: Vec::new(),
        };
        match learn_site(site, method, &training) {
            Ok(Outcome::Learned(learned)) => match files_of(site, &training, &learned) {
                Ok(files) => {
                    done.outcome = "trained";
                    done.clusters = Some(learned.report.clusters);
                    done.files = files;
                }
                Err(error) => return done.failed(sentence(&error)),
            },
            Ok(Outcome::TooLittle { duplicates, .. }) => {
                done.outcome = "too little";
                done.clusters = Some(duplicates);
            }
            // No folder is written, so no model is held back.
            Ok(Outcome::NothingLearned | Outcome::HeldBack(..)) => done.outcome = "nothing learned",
            Err(error) => return done.failed(sentence(&error)),
        }
        done
    }

    fn failed(self, error: String) -> Self {
        Self { outcome: "failed", error: Some(error), ..self }
    }

    fn describe(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let files = PyDict::new(py);
        for (name, content) in &self.files {
            files.set_item(name, PyBytes::new(py, content))?;
        }
        let described = PyDict::new(py);
        described.set_item("outcome", self.outcome)?;
        described.set_item("pages", self.pages)?;
        described.set_item("clusters", self.clusters)?;
        described.set_item("error", self.error)?;
        described.set_item("files", files)?;
        Ok(described)
    }
}
