//! `undust explain`: why a URL gets its form.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use super::show::evidence_text;
use super::table::safe;
use crate::edits::editor::{ToldEdit, ToldRefusal};
use crate::error::{Error, Result};
use crate::explain::{Explanation, ModelFacts};
use crate::model::registry::Registry;

/// Refused edits that are told of a URL in text.
const TOLD: usize = 3;

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
            let text = told.iter().map(text).collect::<Vec<_>>().join("\n\n");
            safe(&text).into_owned()
        }
        Format::Json => serde_json::to_string_pretty(&told)
            .map_err(|error| Error::Unusable(error.to_string()))?,
    };
    writeln!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"))
}

fn text(told: &Explanation) -> String {
    let mut text = told.url.clone();
    match &told.reason {
        Some(reason) => text.push_str(&format!("\nstays as it is: {reason}")),
        None if told.canonical == told.url => text.push_str("\nis its own form"),
        None => text.push_str(&format!("\n→ {}", told.canonical)),
    }
    if let Some(error) = &told.error {
        let _ = write!(text, "\n{error}");
    }
    if let Some(model) = &told.model {
        let _ = write!(text, "\n\n{}", model_text(model));
    }
    for (number, step) in (1..).zip(&told.steps) {
        let _ = write!(text, "\n\n{number}. {}", step_text(step));
    }
    let is_told = told.canonical == told.url || !told.refused.is_empty();
    if told.keeps_refusals && is_told {
        text.push_str(&refused_text(&told.refused));
    }
    text
}

fn model_text(model: &ModelFacts) -> String {
    let mut text = format!("the model of {}", model.site);
    if let Some(method) = &model.method {
        let _ = write!(text, ": {method}");
    }
    if let Some(pages) = model.pages {
        let _ = write!(text, ", learned from {pages} pages");
    }
    if let Some(clusters) = model.clusters {
        let _ = write!(text, " in {clusters} clusters");
    }
    text
}

fn step_text(step: &ToldEdit) -> String {
    let mut text = step.notation.clone();
    if let Some(details) = &step.details {
        let _ = write!(text, "\n   {}", details.scope);
        match details.exceptions {
            0 => {}
            1 => text.push_str(", with one exception"),
            some => {
                let _ = write!(text, ", with {some} exceptions");
            }
        }
    }
    if let Some(evidence) = &step.evidence {
        let _ = write!(text, "\n   {}", evidence_text(evidence));
    }
    for [url, form] in step.details.iter().flat_map(|details| &details.examples) {
        let _ = write!(text, "\n   {url}\n   → {form}");
    }
    text
}

fn refused_text(refused: &[ToldRefusal]) -> String {
    if refused.is_empty() {
        return "\n\nno edit that would change it was proposed and tested".to_owned();
    }
    let mut text = "\n\nproposed and refused:".to_owned();
    for one in refused.iter().take(TOLD) {
        let ToldRefusal { notation, scope, urls, evidence, why } = one;
        let _ = write!(text, "\n\n   {notation}\n   {scope}: {urls} URLs of the crawl");
        let _ = write!(text, "\n   {}\n   refused: {why}", evidence_text(evidence));
    }
    match refused.len().saturating_sub(TOLD) {
        0 => {}
        more => {
            let _ = write!(text, "\n\n   and {more} more, which --format json lists");
        }
    }
    text
}
