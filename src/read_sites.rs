//! Crawl files become the sites to be trained: the one step that knows readers and learning.

use std::path::PathBuf;
use std::slice;

use undust_crawl::kind::SITEMAP;
use undust_crawl::{ReadOptions, ReadReport, read_all};
use undust_learn::train::sites::SitesBuilder;
use undust_util::error::{CrawlReason, Error, Result};

/// Reads sitemaps, whose URLs are labels of pages and no pages.
///
/// # Errors
///
/// Those of [`read_all`], and an input that is no sitemap.
pub fn read_sitemaps(
    inputs: &[PathBuf],
    options: &ReadOptions,
    sites: &mut SitesBuilder,
) -> Result<u64> {
    let options = ReadOptions { lists: true, ..options.clone() };
    let mut urls = 0;
    for input in inputs {
        let report = read_all(slice::from_ref(input), &options, &mut |response| {
            sites.list(&response.url);
            urls += 1;
            Ok(())
        })?;
        if let Some((path, kind)) = report.inputs.iter().find(|(_, kind)| *kind != SITEMAP) {
            let reason = CrawlReason::NoSitemap { kind };
            return Err(Error::Crawl { path: path.clone(), reason, remedy: None });
        }
    }
    Ok(urls)
}

/// Reads one more crawl, later in time than those before it, and says what reading met.
///
/// # Errors
///
/// Those of [`read_all`].
pub fn read_crawl(
    input: &PathBuf,
    options: &ReadOptions,
    sites: &mut SitesBuilder,
) -> Result<ReadReport> {
    sites.next_crawl();
    read_all(slice::from_ref(input), options, &mut |response| {
        sites.push(response);
        Ok(())
    })
}
