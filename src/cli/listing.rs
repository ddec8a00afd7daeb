//! The sites of a crawl, for training: their pages, or where a site has none, what a log or a
//! list says of its URLs.

use std::path::PathBuf;

use crate::crawl::options::ReadOptions;
use crate::crawl::pages::{LeftOut, Pages, PagesBuilder};
use crate::crawl::pipeline::read_all;
use crate::crawl::report::ReadReport;
use crate::crawl::response::Response;
use crate::error::Result;
use crate::rules::dustbuster::listing::Answer;
use crate::site::{SiteBy, site_of};
use crate::train::{Site, add_crawls, add_listings, sites_of};

/// What was read.
pub(super) struct Read {
    /// In the order of their first page, then of their first URL.
    pub sites: Vec<Site>,
    /// What reading met.
    pub report: ReadReport,
    /// URLs that are no page.
    pub left_out: LeftOut,
    /// URLs of pages, logs and lists that belong to no site.
    pub homeless: usize,
    /// Sites with pages and with log or list entries. They learn from their pages alone.
    pub with_both: usize,
}

/// Reads crawls, each later in time than those before it; with `from_urls` logs and lists, too. Of those it holds a URL, a status and a
/// length of each entry.
pub(super) fn read(
    inputs: &[PathBuf],
    options: &ReadOptions,
    by: SiteBy,
    from_urls: bool,
) -> Result<Read> {
    let options = ReadOptions { lists: from_urls, ..options.clone() };
    // Of logs and lists, and of crawls: these answers count only if there is no page at all.
    let (mut listed, mut crawled) = (Vec::new(), Vec::new());
    let mut builder = PagesBuilder::new();
    let (mut crawls, mut report) = (Vec::new(), ReadReport::default());
    for input in inputs {
        // Only where there are several need they be told apart.
        let mut crawl = (inputs.len() > 1).then(PagesBuilder::new);
        builder.next_crawl();
        report.add(read_all(std::slice::from_ref(input), &options, &mut |response| {
            if from_urls && response.simhash.is_none() && response.digest.is_none() {
                let Response { url, status, length, is_listed, .. } = &response;
                let answer = Answer { url: url.clone(), status: *status, length: *length };
                if *is_listed { listed.push(answer) } else { crawled.push(answer) }
            }
            if let Some(crawl) = &mut crawl {
                crawl.push(response.clone());
            }
            builder.push(response);
            Ok(())
        })?);
        crawls.extend(crawl.map(|crawl| crawl.finish().pages));
    }
    let Pages { pages, left_out, .. } = builder.finish();
    if pages.is_empty() {
        listed.append(&mut crawled);
    }
    let count = pages.len();
    let mut sites = sites_of(pages, by);
    add_crawls(&mut sites, crawls);
    let listed_homeless = listed.iter().filter(|answer| site_of(&answer.url, by).is_none()).count();
    let at_home = sites.iter().map(|site| site.material.len()).sum::<usize>();
    let homeless = count - at_home + listed_homeless;
    let with_both = add_listings(&mut sites, listed, by);
    Ok(Read { sites, report, left_out, homeless, with_both })
}
