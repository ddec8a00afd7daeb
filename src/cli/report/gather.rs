//! What a report has beside the results: titles of pages, patterns of URLs, what was left out, and what the inputs are.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use indexmap::IndexMap;
use sha1::{Digest, Sha1};

use undust_crawl::options::ReadOptions;
use undust_crawl::read_pages_into;
use undust_crawl::report::ReadReport;
use undust_learn::evaluate::Split;
use undust_learn::evaluate::units::UnitBy;
use undust_pages::{Pages, PagesBuilder, Response};
use undust_report::{CountRow, InputRow, Report, Site, Titles};
use undust_shapes::{Requests, ShapesReport};
use undust_url::site::{SiteBy, site_of};
use undust_util::address::shown;
use undust_util::error::{Error, Result};

use super::{empty, parts_options, settings};
use crate::cli::evaluate::{Evaluated, HeldOutArgs};

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
}

/// What is known of an input.
struct CrawlFacts {
    input: InputRow,
    left_out: Vec<CountRow>,
    notes: Vec<String>,
}

/// What is known of what is evaluated as one.
struct UnitFacts {
    /// The place of its crawl.
    crawl: usize,
    shapes: Option<ShapesReport>,
}

impl Gatherer {
    /// For the page of an evaluation, which has what its results say.
    pub(crate) fn of_evaluation(args: &HeldOutArgs) -> Self {
        Self::new(Wants { shapes: false, digests: false }, args)
    }

    /// For a report, which has all.
    pub(crate) fn of_report(args: &HeldOutArgs) -> Self {
        Self::new(Wants { shapes: true, digests: true }, args)
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
        builder: PagesBuilder,
    ) -> Result<(Pages, ReadReport)> {
        self.requests.clear();
        let see = &mut |response: &Response| self.see(response);
        let (pages, report) = read_pages_into(builder, &[input.to_owned()], options, see)?;
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
            crawl: shown(&input).to_string(),
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

    /// Looks at the next unit that is evaluated, which is of the crawl that was read last.
    pub(crate) fn look(&mut self, split: &Split) {
        let crawl = self.crawls.len().saturating_sub(1);
        let shapes = if self.wants.shapes { self.shapes(split) } else { None };
        self.units.push(UnitFacts { crawl, shapes });
    }

    fn shapes(&mut self, split: &Split) -> Option<ShapesReport> {
        let site = (self.by != UnitBy::Crawl).then(|| split.unit().site.clone());
        let requests = self.requests.get_mut(&site)?;
        let (pages, clusters) = split.crawl()?;
        requests.show(&pages, clusters.labels());
        Some(ShapesReport::of(requests, None))
    }

    /// The report on what was evaluated.
    ///
    /// # Errors
    ///
    /// The settings cannot be read.
    pub(crate) fn report(self, evaluated: &Evaluated, args: &HeldOutArgs) -> Result<Report> {
        let Self { titles, crawls, units, .. } = self;
        let asks_for_labels = args.config()?.labels.is_used();
        let mut sites: Vec<Site> =
            evaluated.results.iter().map(|result| Site::of(result, &titles)).collect();
        for ((site, unit), live) in sites.iter_mut().zip(units).zip(&evaluated.live) {
            live.iter().for_each(|live| site.add_live(live.clone()));
            if asks_for_labels {
                site.expect_labels();
            }
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
