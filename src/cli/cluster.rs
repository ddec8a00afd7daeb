//! `undust cluster`: which URLs of a crawl show the same page.

mod args;
mod clustered;
mod live;

use std::path::Path;

use undust_util::error::Result;

pub(super) use self::args::ClusterArgs;
use self::clustered::report;
use super::guarded::quietly;
use super::output::Output;
use super::progress::info;
use super::reading::{check_readable, no_page};
use super::signals::leave_nothing;

/// Reads, clusters, writes.
///
/// # Errors
///
/// Those of reading the crawls and of writing the output.
pub(super) fn run(args: ClusterArgs) -> Result<()> {
    check_readable(&args.inputs)?;
    check_readable(&args.against)?;
    let options = args.options()?;
    if args.output != Path::new("-") {
        leave_nothing();
    }
    if let Some(partitions) = args.partitions.options() {
        return args.partitions.run(&partitions, &args.inputs, &args.reading, &args.output);
    }
    if let Some(folder) = &args.live.state {
        return quietly(|| live::run(folder, &args, options));
    }
    let output = Output::begin(&args.output)?;
    let found = args.read(&args.inputs, &options)?;
    if found.pages.is_empty() {
        info(&found.report.to_string());
        return Err(no_page(&args.inputs, "cluster", &found.report, &found.left_out));
    }
    report(&args, output, &found, &options)
}
