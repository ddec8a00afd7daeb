//! What a report has beside the results: titles of pages, patterns of URLs, what live would do, what was left out, and
//! what the inputs are.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use indexmap::IndexMap;
use sha1::{Digest, Sha1};

use undust_cluster::clusters::{ClusterOptions, Clusters, cluster};
use undust_crawl::options::ReadOptions;
use undust_crawl::read_pages_seeing;
use undust_crawl::report::ReadReport;
use undust_learn::config::Config;
use undust_learn::evaluate::units::{Unit, UnitBy};
use undust_live::engine::replay::replay;
use undust_live::engine::{AutoLearner, EngineOptions};
use undust_pages::{Pages, Response};
use undust_report::{CountRow, InputRow, Live, Report, Site, Titles};
use undust_shapes::{Requests, ShapesReport};
use undust_url::site::{SiteBy, site_of};
use undust_util::error::{Error, Result};

use super::replayed::live_of;
use super::{empty, parts_options, settings};
use crate::cli::evaluate::{Evaluated, HeldOutArgs};
use crate::cli::live::EngineArgs;
use crate::cli::progress::info;
use crate::cli::remedy::sentence;

/// Sees all that is read, and keeps what a report shows of it.
pub(crate) struct Gatherer {
    wants: Wants,
    by: UnitBy,
    titles: Titles,
    /// The requests of the crawl that was read last, by site; of a crawl that is evaluated as a whole, all together.
    requests: IndexMap<Option<String>, Requests>,
    crawls: Vec<CrawlFacts>,
    units: Vec<UnitFacts>,
}

/// What is gathered beside titles and counts.
struct Wants {
    shapes: bool,
    digests: bool,
    live: Option<(AutoLearner, EngineOptions)>,
    clusters: ClusterOptions,
}

/// What is known of an input.
struct CrawlFacts {
    input: InputRow,
    left_out: Vec<CountRow>,
    notes: Vec<String>,
}

/// What is known of what is evaluated as one.
pub(crate) struct UnitFacts {
    /// The place of its crawl.
    crawl: usize,
    shapes: Option<ShapesReport>,
    live: Option<Live>,
}

impl Gatherer {
    /// For the page of an evaluation, which has what its results say.
    pub(crate) fn of_evaluation(args: &HeldOutArgs) -> Self {
        let clusters = ClusterOptions::default();
        Self::new(Wants { shapes: false, digests: false, live: None, clusters }, args)
    }

    /// For a report, which has all; what live would do only if its options are given.
    ///
    /// # Errors
    ///
    /// The settings or the base network cannot be read.
    pub(crate) fn of_report(args: &HeldOutArgs, engine: Option<&EngineArgs>) -> Result<Self> {
        let config: Config = args.settings.read()?;
        let clusters = config.clusters;
        let live = engine.map(|engine| {
            let options = engine.options(&config);
            let learner = engine.learner_with(config, args.networks.base.as_deref())?;
            Ok::<_, Error>((learner, options))
        });
        let live = live.transpose()?;
        Ok(Self::new(Wants { shapes: true, digests: true, live, clusters }, args))
    }

    fn new(wants: Wants, args: &HeldOutArgs) -> Self {
        Self {
            wants,
            by: args.site_by.into(),
            titles: Titles::new(),
            requests: IndexMap::new(),
            crawls: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Reads a crawl into its pages, as the library does.
    ///
    /// # Errors
    ///
    /// The crawl cannot be read.
    pub(crate) fn read(
        &mut self,
        input: &Path,
        options: &ReadOptions,
    ) -> Result<(Pages, ReadReport)> {
        self.requests.clear();
        let (pages, report) =
            read_pages_seeing(&[input.to_owned()], options, &mut |response| self.see(response))?;
        self.crawls.push(self.facts(input, &pages, &report)?);
        Ok((pages, report))
    }

    fn see(&mut self, response: &Response) {
        response.title.iter().for_each(|title| self.titles.see(title));
        if !self.wants.shapes {
            return;
        }
        let site = |by| site_of(&response.url, by).map(|site| site.into_owned());
        let site = match self.by {
            UnitBy::Crawl => None,
            UnitBy::Host => site(SiteBy::Host),
            UnitBy::Domain => site(SiteBy::Domain),
        };
        self.requests.entry(site).or_default().push(response);
    }

    fn facts(&self, input: &Path, pages: &Pages, report: &ReadReport) -> Result<CrawlFacts> {
        let kind = report.inputs.first().map(|(_, kind)| (*kind).to_owned());
        let mut row = InputRow {
            crawl: input.display().to_string(),
            kind,
            responses: Some(report.responses),
            ..InputRow::default()
        };
        if self.wants.digests && input.is_file() {
            let (bytes, sha1) = digest(input).map_err(Error::io("read", input))?;
            (row.bytes, row.sha1) = (Some(bytes), Some(sha1));
        }
        let reasons = pages.left_out.reasons();
        let reasons = reasons.iter().filter(|(count, _)| *count > 0);
        let urls = reasons.map(|(count, reason)| (format!("URLs {reason}"), *count));
        let lines =
            report.skipped().map(|(count, what)| (format!("responses or lines: {what}"), count));
        Ok(CrawlFacts {
            input: row,
            left_out: urls.chain(lines).map(|(what, count)| CountRow { what, count }).collect(),
            notes: report.notes.clone(),
        })
    }

    /// What is to be known of a unit of the crawl that was read last.
    pub(crate) fn look(&mut self, unit: &Unit) -> UnitFacts {
        let crawl = self.crawls.len().saturating_sub(1);
        if !self.wants.shapes && self.wants.live.is_none() {
            return UnitFacts { crawl, shapes: None, live: None };
        }
        let clusters = cluster(&unit.pages, &self.wants.clusters);
        let shapes = self.shapes(unit, &clusters);
        UnitFacts { crawl, shapes, live: self.live(unit, &clusters) }
    }

    /// Keeps it: the unit is the next that is evaluated.
    pub(crate) fn keep(&mut self, facts: UnitFacts) {
        self.units.push(facts);
    }

    fn shapes(&mut self, unit: &Unit, clusters: &Clusters) -> Option<ShapesReport> {
        let site = (self.by != UnitBy::Crawl).then(|| unit.site.clone());
        let requests = self.requests.get_mut(&site)?;
        requests.show(&unit.pages, clusters.labels());
        Some(ShapesReport::of(requests, None))
    }

    fn live(&self, unit: &Unit, clusters: &Clusters) -> Option<Live> {
        let (learner, options) = self.wants.live.as_ref()?;
        match replay(&unit.pages, clusters, learner, options) {
            Ok(replay) => Some(live_of(&replay)),
            Err(error) => {
                info(&format!("{}: live: {}", unit.crawl, sentence(&error)));
                None
            }
        }
    }

    /// The report on what was evaluated.
    ///
    /// # Errors
    ///
    /// The settings cannot be read.
    pub(crate) fn report(self, evaluated: &Evaluated, args: &HeldOutArgs) -> Result<Report> {
        let Self { titles, crawls, units, .. } = self;
        let mut sites: Vec<Site> =
            evaluated.results.iter().map(|result| Site::of(result, &titles)).collect();
        for (site, unit) in sites.iter_mut().zip(units) {
            unit.live.into_iter().for_each(|live| site.add_live(live));
            unit.shapes.iter().for_each(|shapes| site.add_shapes(shapes));
            if let Some(crawl) = crawls.get(unit.crawl) {
                site.left_out.clone_from(&crawl.left_out);
                site.notes.clone_from(&crawl.notes);
            }
        }
        Ok(Report {
            inputs: crawls.into_iter().map(|crawl| crawl.input).collect(),
            settings: settings(args)?.into_iter().chain(parts_options(args)).collect(),
            failures: evaluated.skipped.clone(),
            sites,
            ..empty()
        })
    }
}

/// The length of a file, and the SHA-1 of its bytes.
fn digest(path: &Path) -> io::Result<(u64, String)> {
    let (mut file, mut sha1) = (File::open(path)?, Sha1::new());
    let (mut bytes, mut block) = (0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut block)?;
        if read == 0 {
            break;
        }
        bytes += read as u64;
        sha1.update(&block[..read]);
    }
    let hex = sha1.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((bytes, hex))
}
