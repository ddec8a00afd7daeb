//! `undust evaluate`: what each method would have saved and lost on given crawls.

mod args;
mod drift_table;
mod held_out;
mod live;
mod saved;
mod shapes_table;
mod table;

use std::path::Path;

use serde::Serialize;

use undust_util::{Result, json};

pub(super) use self::args::{EvaluateArgs, HeldOutArgs};
pub(super) use self::held_out::{Evaluated, Wanted, evaluate};
use self::table::table;
use super::output::{Output, write_whole};
use super::reading::check_readable;
use super::replacing::check_outputs;
use super::standard::check_output;
use super::table::{safe, width};

/// Reads, evaluates, prints. If a crawl cannot be read, the others are evaluated all the same, and the
/// command fails at the end.
///
/// # Errors
///
/// The settings or a crawl cannot be read, the results cannot be written, or nothing could be
/// evaluated.
pub(super) fn run(args: EvaluateArgs) -> Result<()> {
    check_outputs(args.json.iter(), &[args.held_out.files(), args.then.clone()].concat())?;
    if let Some(models) = &args.models {
        return saved::run(&args, models);
    }
    if args.live {
        return live::run(&args);
    }
    check_readable(&args.held_out.inputs)?;
    check_output(Path::new("-"))?;
    let json = json_output(&args)?;
    let evaluated = evaluate(&args.held_out, Wanted { methods: &args.methods, live: None }, None)?;
    let results = &evaluated.results;
    let printed = print(&args, json, results, || table(results, width()));
    evaluated.finish(printed)
}

/// Where the results go as JSON.
fn json_output(args: &EvaluateArgs) -> Result<Option<Output>> {
    args.json.as_deref().map(Output::begin).transpose()
}

/// Writes the results as JSON if asked to, and as a table unless the JSON replaces it. The table is
/// printed even if the JSON cannot be written.
fn print(
    args: &EvaluateArgs,
    json: Option<Output>,
    results: &[impl Serialize],
    table: impl FnOnce() -> String,
) -> Result<()> {
    let write = |json: Output| {
        json.write(|out| results.iter().try_for_each(|result| json::write_line(out, result)))
    };
    let written = json.map_or(Ok(()), write);
    if args.json.as_deref() == Some(Path::new("-")) {
        return written;
    }
    let table = table();
    let printed = write_whole(Path::new("-"), |out| out.write_all(safe(&table).as_bytes()));
    written.and(printed)
}
