//! Reads sitemaps, whose URLs are labels of pages and no pages.

use std::path::PathBuf;
use std::slice;

use crate::error::{CrawlReason, Error, Result};
use crate::kind::SITEMAP;
use crate::options::ReadOptions;
use crate::pipeline::read_all;

/// Gives every URL that sitemaps list to `list`, and says how many they are.
///
/// # Errors
///
/// Those of [`read_all`], and an input that is no sitemap.
pub fn read_sitemaps(
    inputs: &[PathBuf],
    options: &ReadOptions,
    list: &mut dyn FnMut(&str),
) -> Result<u64> {
    let options = ReadOptions { lists: true, ..options.clone() };
    let mut urls = 0;
    for input in inputs {
        let report = read_all(slice::from_ref(input), &options, &mut |response| {
            list(&response.url);
            urls += 1;
            Ok(())
        })?;
        if let Some((path, kind)) = report.inputs.iter().find(|(_, kind)| *kind != SITEMAP) {
            return Err(Error::at(path, CrawlReason::NoSitemap { kind }));
        }
    }
    Ok(urls)
}
