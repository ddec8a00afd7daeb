//! The sites of a crawl, for training: their pages, or where a site has none, what a log or a
//! list says of its URLs.

use std::path::PathBuf;

use rustc_hash::FxHashSet;

use crate::crawl::options::ReadOptions;
use crate::crawl::pages::{LeftOut, Pages, PagesBuilder};
use crate::crawl::pipeline::read_all;
use crate::crawl::report::ReadReport;
use crate::crawl::response::Response;
use crate::error::Result;
use crate::rules::dustbuster::listing::{Answer, Listing};
use crate::site::{SiteBy, group_by_site};
use crate::train::{Material, Site, sites_of};

/// What was read.
pub(super) struct Read {
    /// In the order of their first page, then of their first URL.
    pub sites: Vec<Site>,
    /// What reading met.
    pub report: ReadReport,
    /// URLs that are no page.
    pub left_out: LeftOut,
    /// Pages whose URLs name no host.
    pub homeless: usize,
    /// Sites with pages and with log or list entries. They learn from their pages alone.
    pub with_both: usize,
}

/// Reads crawls; with `from_urls` logs and lists, too. Of those it holds a URL, a status and a
/// length of each entry.
pub(super) fn read(
    inputs: &[PathBuf],
    options: &ReadOptions,
    by: SiteBy,
    from_urls: bool,
) -> Result<Read> {
    let options = ReadOptions { lists: from_urls, ..options.clone() };
    let (mut builder, mut answers) = (PagesBuilder::new(), Vec::new());
    let report = read_all(inputs, &options, &mut |response| {
        if from_urls && says_nothing_of_a_page(&response) {
            let Response { url, status, length, .. } = &response;
            answers.push(Answer { url: url.clone(), status: *status, length: *length });
        }
        builder.push(response);
        Ok(())
    })?;
    let Pages { pages, left_out, .. } = builder.finish();
    let count = pages.len();
    let mut sites = sites_of(pages, by);
    let homeless = count - sites.iter().map(|site| site.material.len()).sum::<usize>();
    let with_both = add_listings(&mut sites, answers, by);
    Ok(Read { sites, report, left_out, homeless, with_both })
}

/// What a log or a list holds, which has no content.
fn says_nothing_of_a_page(response: &Response) -> bool {
    response.simhash.is_none() && response.digest.is_none()
}

/// Adds the sites without pages; returns how many sites have both pages and answers.
fn add_listings(sites: &mut Vec<Site>, answers: Vec<Answer>, by: SiteBy) -> usize {
    let with_pages: FxHashSet<String> = sites.iter().map(|site| site.name.clone()).collect();
    let listed = group_by_site(answers, by, |answer| &answer.url);
    let (known, new): (Vec<_>, Vec<_>) =
        listed.into_iter().partition(|(name, _)| with_pages.contains(name));
    let listing = |(name, answers)| Site {
        name,
        by,
        material: Material::Listing(Listing::of_answers(answers)),
    };
    sites.extend(new.into_iter().map(listing));
    let has_page_like =
        |(_, answers): &&(String, Vec<Answer>)| answers.iter().any(|answer| answer.status == 200);
    known.iter().filter(has_page_like).count()
}
