//! `undust explain`: why a URL gets its form.

use std::io::{self, Write};
use std::path::PathBuf;

use super::table::safe;
use crate::error::{Error, Result};
use crate::explain::Explanation;
use crate::model::registry::Registry;

/// Say why URLs get their forms: every step, and what the training crawl says of it.
///
/// It also says what else was proposed there, and why that was refused.
#[derive(Debug, clap::Args)]
pub(super) struct ExplainArgs {
    /// URLs
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,

    /// Where the models are
    #[arg(long, value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    #[arg(hide_env_values = true)]
    models: PathBuf,

    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// To read
    Text,
    /// A list of objects, one a URL, for programs
    Json,
}

/// Explains URL after URL.
pub(super) fn run(args: ExplainArgs) -> Result<()> {
    let registry = Registry::open(&args.models)?;
    let told = args.urls.iter().map(|url| registry.explain(url));
    let told: Vec<Explanation> = told.collect();
    let text = match args.format {
        Format::Text => {
            let text = told.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n");
            safe(&text).into_owned()
        }
        Format::Json => serde_json::to_string_pretty(&told)
            .map_err(|error| Error::Unusable(error.to_string()))?,
    };
    writeln!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"))
}
