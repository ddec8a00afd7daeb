//! `undust config`: the settings in force, and where each comes from.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use toml::Value;

use undust_util::error::{Error, Result};

use super::arguments::TrainingSettings;
use super::standard::stdout;
use super::table;

/// Print the settings in force, and where each comes from.
///
/// A flag comes before an environment variable (UNDUST_GATE_MAX_LOST_SHARE for max_lost_share of
/// [gate], UNDUST_SEED for seed), the variable before the file, and the file before the default. The
/// output is a settings file; what such a file cannot hold is a comment in it.
#[derive(Debug, clap::Args)]
pub(super) struct ConfigArgs {
    #[command(flatten)]
    settings: TrainingSettings,

    /// Folder of the models
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    models: PathBuf,
}

/// Columns before the origin of a setting.
const SETTING: usize = 40;

/// Prints them all. The matches are those of this command.
pub(super) fn run(args: ConfigArgs, matches: &ArgMatches) -> Result<()> {
    let layers = args.settings.layers()?;
    layers.config()?;
    let mut text = flags(&args, matches);
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
    write!(stdout()?.lock(), "{text}").map_err(Error::io("write", "-"))
}

/// Values that are not settings, as comments.
fn flags(args: &ConfigArgs, matches: &ArgMatches) -> String {
    let config = matches.get_one::<PathBuf>("config");
    let path = |path: &PathBuf| Value::String(path.display().to_string()).to_string();
    let flags = [
        ("config", config.map_or_else(|| "none".to_owned(), path), origin(matches, "config")),
        ("models", path(&args.models), origin(matches, "models")),
        ("color", table::color().to_string(), color_origin(matches)),
    ];
    let line = |(name, value, origin)| {
        let setting = format!("# {name} = {value}");
        format!("{setting:SETTING$} # {origin}\n")
    };
    flags.map(line).concat() + "\n"
}

/// Where the value of a flag comes from. An environment variable of the same name can set it.
fn origin(matches: &ArgMatches, name: &str) -> String {
    match matches.value_source(name) {
        Some(ValueSource::CommandLine) => format!("--{name}"),
        Some(ValueSource::EnvVariable) => format!("UNDUST_{}", name.to_uppercase()),
        _ => "default".to_owned(),
    }
}

fn color_origin(matches: &ArgMatches) -> String {
    let origin = origin(matches, "color");
    match table::is_color_refused() {
        true => format!("{origin}; NO_COLOR makes it never"),
        false => origin,
    }
}
