//! What DustBuster learns of crawls without pages: access logs and bare lists of URLs.

use std::path::PathBuf;

use crate::Result;
use crate::crawl::{Pages, PagesBuilder, ReadOptions, ReadReport, Response, read_all};
use crate::rules::dustbuster::Listing;
use crate::site::{SiteBy, group_by_site};

/// A crawl, and where it has no page that can be compared, what it says of its URLs.
pub struct Listed {
    pub pages: Pages,
    pub listings: Vec<(String, Listing)>,
    pub report: ReadReport,
}

/// Reads crawls, logs and lists. Holds a URL, a status and a length of each response.
pub fn read(inputs: &[PathBuf], options: &ReadOptions, by: SiteBy) -> Result<Listed> {
    let options = ReadOptions { lists: true, ..options.clone() };
    let (mut builder, mut responses) = (PagesBuilder::new(), Vec::new());
    let report = read_all(inputs, &options, &mut |response| {
        let Response { url, status, length, .. } = &response;
        let (url, status, length) = (url.clone(), *status, *length);
        responses.push(Response { url, status, length, ..Response::default() });
        builder.push(response);
        Ok(())
    })?;
    let pages = builder.finish();
    let listings = if pages.pages.is_empty() { by_site(responses, by) } else { Vec::new() };
    Ok(Listed { pages, listings, report })
}

/// Sites in the order of their first URL; URLs that name no host belong to none.
fn by_site(responses: Vec<Response>, by: SiteBy) -> Vec<(String, Listing)> {
    let sites = group_by_site(responses, by, |response| &response.url);
    let listing = |(site, responses)| (site, Listing::of_responses(responses));
    sites.into_iter().map(listing).collect()
}
