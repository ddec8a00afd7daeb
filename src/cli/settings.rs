//! `undust config`: the settings that hold, and where each comes from.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::arguments::Settings;
use crate::error::{Error, Result};

/// Print the settings of training that hold, and where each comes from.
///
/// A flag counts first, then a variable of the environment (UNDUST_GATE_RISK for risk of [gate],
/// UNDUST_SEED for seed), then the file, then the default. What is printed is a settings file.
#[derive(Debug, clap::Args)]
pub(super) struct ConfigArgs {
    #[command(flatten)]
    settings: Settings,
}

/// Columns of a setting before its origin.
const SETTING: usize = 40;

/// Prints them all.
pub(super) fn run(args: ConfigArgs) -> Result<()> {
    let layers = args.settings.layers()?;
    layers.config()?;
    let mut text = String::new();
    let mut section = String::new();
    for (name, value, origin) in layers.settings() {
        let (here, name) = name.split_once('.').unwrap_or(("", &name));
        if here != section {
            // Writing to a string cannot fail.
            _ = writeln!(text, "\n[{here}]");
            section = here.to_owned();
        }
        let setting = format!("{name} = {value}");
        _ = writeln!(text, "{setting:SETTING$} # {origin}");
    }
    write!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"))
}
