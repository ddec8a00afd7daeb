//! `undust cluster`: which URLs of a crawl show the same page.

mod args;
mod clustered;
mod live;
mod sample;

use std::path::Path;

use undust_util::error::Result;

pub(super) use self::args::ClusterArgs;
use self::clustered::{report, summary};
use self::sample::{Titles, count_marks, write_sample};
use super::guarded::quietly;
use super::output::Output;
use super::progress::info;
use super::reading::{check_readable, no_page};
use super::replacing::check_outputs;
use super::signals::leave_nothing;

/// Reads, clusters, writes.
///
/// # Errors
///
/// Those of reading the crawls and of writing the output.
pub(super) fn run(args: ClusterArgs) -> Result<()> {
    if let Some(marked) = &args.marked {
        check_readable(std::slice::from_ref(marked))?;
        return count_marks(marked);
    }
    check_readable(&args.inputs)?;
    check_outputs([&args.output], &args.inputs)?;
    let settings = args.settings()?;
    if args.output != Path::new("-") {
        leave_nothing();
    }
    if let Some(folder) = &args.live.state {
        return quietly(|| live::run(folder, &args, settings));
    }
    let output = Output::begin(&args.output)?;
    let mut titles = Titles::new();
    let found = args.read(&settings.clusters, args.sample.map(|_| &mut titles))?;
    if found.pages.is_empty() {
        info(&found.report.to_string());
        return Err(no_page(&args.inputs, "cluster", &found.report, &found.left_out));
    }
    match args.sample {
        Some(count) => {
            write_sample(
                output,
                &found,
                &titles,
                (count as usize, args.seed.unwrap_or(settings.seed)),
            )?;
            info(&summary(&found));
            Ok(())
        }
        None => report(&args, output, &found),
    }
}
