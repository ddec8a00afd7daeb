//! The results of `undust evaluate`, printed.

use std::path::Path;

use serde::Serialize;

use undust_util::{Result, json};

use super::args::EvaluateArgs;
use crate::cli::output::{Output, write_whole};
use crate::cli::table::safe;

/// Where the results go as JSON.
pub(super) fn json_output(args: &EvaluateArgs) -> Result<Option<Output>> {
    args.json.as_deref().map(Output::begin).transpose()
}

/// Writes the results as JSON if asked to, and as a table unless the JSON replaces it. The table is
/// printed even if the JSON cannot be written.
pub(super) fn print(
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
