//! `undust evaluate`: what each method would have saved and lost on given crawls.

mod args;
mod drift_table;
mod held_out;
mod live;
mod model_drift;
mod output;
mod saved;
mod shapes_table;
mod table;

use std::path::Path;

use undust_util::error::Result;

pub(super) use self::args::{EvaluateArgs, HeldOutArgs};
pub(super) use self::held_out::{Evaluated, Wanted, evaluate};
use self::output::{json_output, print};
use self::table::table;
use super::reading::check_readable;
use super::replacing::check_outputs;
use super::standard::check_output;
use super::table::width;

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
