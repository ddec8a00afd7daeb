//! `undust explain`: why a URL gets its canonical form.

use std::collections::HashSet;
use std::path::PathBuf;

use indexmap::IndexMap;

use undust_model::explain::Explanation;
use undust_model::registry::Registry;
use undust_model::translation::Reason;
use undust_url::site::{SiteBy, site_of};
use undust_util::error::Result;

use super::arguments::{ServedModels, Settings, TextOrJson};
use super::failure::Failure;
use super::live;
use super::progress::{info, warn};
use super::remedy::{Warnings, sentence};
use super::table::{safe, wrapped};

/// Explain how URLs get their canonical form: every step, with its evidence.
///
/// Also lists edits that were proposed for these URLs and refused, with the reason. The exit code is
/// 1 if a model cannot be loaded. With --state it explains instead why `undust live` would fetch or
/// skip them.
#[derive(Debug, clap::Args)]
pub(super) struct ExplainArgs {
    /// URLs
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,

    #[command(flatten)]
    models: ServedModels,

    /// State of `undust live`: what is known of the forms of the URLs, and whether they would be fetched
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// Explains one URL after the other.
pub(super) fn run(args: ExplainArgs) -> Result<()> {
    if let Some(state) = &args.state {
        return live::explain(state, &args.settings.read()?, &args.urls, args.format);
    }
    let registry = args.models.open()?;
    let described = args.urls.iter().map(|url| registry.explain(url));
    let described: Vec<Explanation> = described.collect();
    args.format.print(&described, || {
        let text = described.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n");
        wrapped(&safe(&text))
    })?;
    report_absent(&args, &registry)
}

/// Says what to do if a site has no model.
///
/// # Errors
///
/// A model cannot be loaded; the sentence says what to do.
fn report_absent(args: &ExplainArgs, registry: &Registry) -> Result<()> {
    let (mut hinted, mut broken) = (HashSet::new(), IndexMap::new());
    for url in &args.urls {
        let Err(lookup_error) = registry.model(url) else { continue };
        if let Some(error) = lookup_error.error {
            broken.insert(sentence(&error), error);
        } else if let (Reason::NoModel, Some(site)) =
            (lookup_error.reason, site_of(url, SiteBy::Host))
            && hinted.insert(site.clone())
        {
            let models = undust_util::address::shown(&args.models.models);
            info(&format!("{site} has no model in {models}; make one with `undust train`"));
        }
    }
    if broken.len() > Warnings::MOST {
        let mut warnings = Warnings::default();
        broken.values().for_each(|error| warnings.report(error));
        let became = "its URLs stay as they are".to_owned();
        return Err(Failure::BrokenModels { count: broken.len(), became }.into());
    }
    let last = broken.pop();
    broken.keys().for_each(|sentence| warn(&format!("undust: {sentence}")));
    last.map_or(Ok(()), |(_, error)| Err(Failure::BrokenModel(error).into()))
}
