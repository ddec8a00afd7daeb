//! `undust evaluate`: what each method would have saved and lost on given crawls.

mod args;
mod drift_table;
mod held_out;
mod live;
mod model_drift;
mod output;
mod rules_table;
mod saved;
mod shapes_table;
mod table;

use std::path::Path;

use undust_learn::evaluate::result::SiteResult;
use undust_util::error::Result;

pub(super) use self::args::{EvaluateArgs, HeldOutArgs};
pub(super) use self::held_out::{Evaluated, Wanted, evaluate};
use self::output::{html_output, json_output, print};
use self::rules_table::rules_table;
use self::table::table;
use super::reading::check_readable;
use super::replacing::check_outputs;
use super::report::{Gatherer, write_html};
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
    let outputs = args.json.iter().chain(&args.html);
    check_outputs(outputs, &[args.held_out.files(), args.then.clone()].concat())?;
    if let Some(models) = &args.models {
        return saved::run(&args, models);
    }
    if args.live {
        return live::run(&args);
    }
    check_readable(&args.held_out.inputs)?;
    check_output(Path::new("-"))?;
    let json = json_output(&args)?;
    let html = html_output(&args)?;
    let mut gatherer = html.is_some().then(|| Gatherer::new(false));
    let wanted = Wanted { methods: &args.methods, beta: args.beta, rules: args.rules, live: None };
    let evaluated = evaluate(&args.held_out, wanted, gatherer.as_mut())?;
    let results = &evaluated.results;
    let printed = print(&args, json, results, || results_table(&args, results));
    let written = html.zip(gatherer).map_or(Ok(()), |(html, gatherer)| {
        write_html(html, &gatherer.report(&evaluated, &args.held_out)?)
    });
    evaluated.finish(printed.and(written))
}

fn results_table(args: &EvaluateArgs, results: &[SiteResult]) -> String {
    let mut table = table(results, args.beta, width());
    if args.rules {
        table.push('\n');
        table.push_str(&rules_table(results));
    }
    table
}
