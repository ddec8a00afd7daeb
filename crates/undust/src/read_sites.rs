//! Crawl files become the sites to be trained: the one step that knows readers and learning.

use std::path::PathBuf;
use std::slice;

use undust_crawl::{ReadOptions, ReadReport, read_all};
use undust_learn::train::sites::SitesBuilder;
use undust_util::error::Result;

/// Reads sitemaps, whose URLs are labels of pages and no pages.
///
/// # Errors
///
/// Those of [`undust_crawl::read_sitemaps`].
pub fn read_sitemaps(
    inputs: &[PathBuf],
    options: &ReadOptions,
    sites: &mut SitesBuilder,
) -> Result<u64> {
    undust_crawl::read_sitemaps(inputs, options, &mut |url| sites.list(url))
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
