//! What a report has in addition to the results: what the crawl itself shows, what was left out,
//! and what the inputs are.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha1::{Digest, Sha1};

use undust_crawl::{ReadOptions, ReadReport, read_pages_into};
use undust_learn::evaluate::Split;
use undust_pages::{Pages, PagesBuilder, Response};
use undust_report::{Answers, CountRow, InputRow, Report, Site, Titles};
use undust_util::{Error, Result, shown};

use super::{empty, parts_options, settings};
use crate::cli::evaluate::{Evaluated, HeldOutArgs};

/// Sees all that is read, and keeps what a report shows of it.
#[derive(Default)]
pub(crate) struct Gatherer {
    titles: Titles,
    /// What the URLs of the crawl that was read last answered.
    answers: Answers,
    crawls: Vec<CrawlFacts>,
    /// What is evaluated as one: the place of its crawl, and what that shows of it.
    units: Vec<(usize, Site)>,
}

/// What is known of an input.
struct CrawlFacts {
    input: InputRow,
    left_out: Vec<CountRow>,
    notes: Vec<String>,
}

impl Gatherer {
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
        self.answers = Answers::default();
        let see = &mut |response: &Response| {
            response.title.iter().for_each(|title| self.titles.see(title));
            self.answers.see(response);
        };
        let (pages, report) = read_pages_into(builder, &[input.to_owned()], options, see)?;
        self.crawls.push(self.facts(input, &pages, &report)?);
        Ok((pages, report))
    }

    fn facts(&self, input: &Path, pages: &Pages, report: &ReadReport) -> Result<CrawlFacts> {
        let kind = report.inputs.first().map(|(_, kind)| (*kind).to_owned());
        let mut row = InputRow {
            crawl: shown(&input).to_string(),
            kind,
            responses: Some(report.responses),
            ..InputRow::default()
        };
        if input.is_file() {
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
        let mut site = Site::default();
        if let Some((pages, clusters)) = split.crawl() {
            site.add_duplicates(&pages, &clusters, &self.answers, &self.titles);
        }
        self.units.push((self.crawls.len().saturating_sub(1), site));
    }

    /// The report on what was evaluated.
    ///
    /// # Errors
    ///
    /// The settings cannot be read.
    pub(crate) fn report(self, evaluated: &Evaluated, args: &HeldOutArgs) -> Result<Report> {
        let Self { titles, crawls, units, .. } = self;
        let asks_for_labels = args.config()?.labels.is_used();
        let mut sites: Vec<Site> = Vec::new();
        for ((result, (crawl, site)), live) in
            evaluated.results.iter().zip(units).zip(&evaluated.live)
        {
            let mut site = Site { live: live.clone(), ..site.with_result(result, &titles) };
            if asks_for_labels {
                site.expect_labels();
            }
            if let Some(crawl) = crawls.get(crawl) {
                site.left_out.clone_from(&crawl.left_out);
                site.notes.clone_from(&crawl.notes);
            }
            sites.push(site);
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
