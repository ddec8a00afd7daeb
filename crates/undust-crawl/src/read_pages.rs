//! Reads a crawl into the pages that learning takes.

use std::path::{Path, PathBuf};

use undust_pages::{Pages, PagesBuilder, Response};
use undust_util::Result;

use crate::options::ReadOptions;
use crate::pipeline::{read_all, read_source};
use crate::report::ReadReport;
use crate::source::Source;

/// The pages of crawls of any kind, read one after the other as if they were one.
///
/// # Errors
///
/// Those of [`read_all`].
pub fn read_pages(inputs: &[PathBuf], options: &ReadOptions) -> Result<(Pages, ReadReport)> {
    read_pages_into(builder(options), inputs, options, &mut |_| ())
}

/// The same with a builder that may know what sitemaps list. `see` gets every response before it counts.
///
/// # Errors
///
/// Those of [`read_all`].
pub fn read_pages_into(
    builder: PagesBuilder,
    inputs: &[PathBuf],
    options: &ReadOptions,
    see: &mut dyn FnMut(&Response),
) -> Result<(Pages, ReadReport)> {
    collect(builder, |each| {
        read_all(inputs, options, &mut |response| {
            see(&response);
            each(response)
        })
    })
}

/// The pages of one crawl that is already open; errors call it `path`.
///
/// # Errors
///
/// Those of [`read_all`].
pub fn read_pages_of(
    path: &Path,
    source: Source,
    options: &ReadOptions,
) -> Result<(Pages, ReadReport)> {
    collect(builder(options), |each| read_source(path, source, options, each))
}

fn builder(options: &ReadOptions) -> PagesBuilder {
    let builder = PagesBuilder::new();
    if options.labels { builder.with_labels() } else { builder }
}

fn collect(
    mut builder: PagesBuilder,
    read: impl FnOnce(&mut dyn FnMut(Response) -> Result<()>) -> Result<ReadReport>,
) -> Result<(Pages, ReadReport)> {
    let report = read(&mut |response| {
        builder.push(response);
        Ok(())
    })?;
    Ok((builder.finish(), report))
}
