//! Reads a crawl into the pages that learning takes.

use std::path::PathBuf;

use undust_pages::{Pages, PagesBuilder, Response};
use undust_util::Result;

use crate::options::ReadOptions;
use crate::pipeline::read_all;
use crate::report::ReadReport;

/// The pages of crawls of any kind, read one after the other as if they were one.
///
/// # Errors
///
/// Those of [`read_all`].
pub fn read_pages(inputs: &[PathBuf], options: &ReadOptions) -> Result<(Pages, ReadReport)> {
    let builder = PagesBuilder::new();
    let builder = if options.labels { builder.with_labels() } else { builder };
    read_pages_into(builder, inputs, options, &mut |_| ())
}

/// The same with a builder that may know what sitemaps list. `see` gets every response before it counts.
///
/// # Errors
///
/// Those of [`read_all`].
pub fn read_pages_into(
    mut builder: PagesBuilder,
    inputs: &[PathBuf],
    options: &ReadOptions,
    see: &mut dyn FnMut(&Response),
) -> Result<(Pages, ReadReport)> {
    let report = read_all(inputs, options, &mut |response| {
        see(&response);
        builder.push(response);
        Ok(())
    })?;
    Ok((builder.finish(), report))
}
