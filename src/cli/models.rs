//! `undust models`: lists the models of a folder, or of a pack.

use std::path::{Path, PathBuf};

use serde::Serialize;

use undust_model::folder::files::load;
use undust_model::folder::info::ModelInfo;
use undust_model::model::Model;
use undust_model::registry::{Registry, SavedModel};
use undust_util::error::Result;

use super::arguments::TextOrJson;
use super::progress::Watch;
use super::remedy::Warnings;
use super::table::{new_table, numbers, safe_line, word};

/// List the models of a folder, or of a pack: site, method, age, savings and size.
#[derive(Debug, clap::Args)]
pub(super) struct ModelsArgs {
    /// Folder of the models, or a pack
    #[arg(value_name = "FOLDER", default_value = "models", env = "UNDUST_MODELS")]
    models: PathBuf,

    /// How to print the list
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// A model, as far as it can be read.
#[derive(Debug, Serialize)]
struct Listed {
    site: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    /// Pages that it learned from, and their duplicate clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clusters: Option<usize>,
    /// Fetches of that crawl that its steps would have saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<i64>,
    age_seconds: u64,
    bytes: u64,
    /// Why it cannot be served.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Lists them one after the other, so that only one is in memory.
pub(super) fn run(args: ModelsArgs) -> Result<()> {
    let listed = list(&args.models)?;
    args.format.print(&listed, || table(&listed))
}

fn list(folder: &Path) -> Result<Vec<Listed>> {
    let registry = Registry::open(folder)?;
    let (mut sites, mut warnings) = (Vec::new(), Warnings::default());
    for site in registry.sites()? {
        match site {
            Ok(site) => sites.push(site),
            Err(error) => warnings.report(&error),
        }
    }
    sites.sort_unstable();
    let watch = Watch::count("reading", sites.len(), "models");
    let listed = sites.into_iter().map(|site| {
        let listed = listed(&registry, site);
        watch.pass();
        listed
    });
    Ok(listed.collect())
}

fn listed(registry: &Registry, site: String) -> Listed {
    let loaded = load(&registry.folder(&site));
    let error = loaded.as_ref().err().map(ToString::to_string);
    let (known, bytes, written) = match registry.describe(&site) {
        Some(SavedModel { info, bytes, written, .. }) => (info.ok(), bytes, written),
        None => (None, 0, None),
    };
    let (pages, clusters) = known.as_ref().map(ModelInfo::counts).unwrap_or_default();
    let duplicates = pages.zip(clusters).map(|(pages, clusters)| pages.saturating_sub(clusters));
    let saved = loaded.ok().and_then(|(_, _, model)| saved(&model));
    Listed {
        site,
        method: known.map(|info| info.method),
        pages,
        clusters,
        // A page may be counted for each step that changes it.
        saved: saved.zip(duplicates).map(|(saved, duplicates)| saved.min(duplicates as i64)),
        age_seconds: written.and_then(|at| at.elapsed().ok()).map_or(0, |age| age.as_secs()),
        bytes,
        error,
    }
}

/// Fetches that a model saved on its training crawl; none if that was not counted.
fn saved(model: &Model) -> Option<i64> {
    match model {
        Model::Edits(editor) => {
            let saved = editor.describe().into_iter().filter_map(|edit| edit.evidence?.saved);
            Some(saved.sum())
        }
        Model::Rules(rules) => Some(rules.rules().map(|rule| rule.evidence.known as i64).sum()),
        _ => None,
    }
}

fn table(listed: &[Listed]) -> String {
    let mut table = new_table(["site", "method", "age", "pages", "saves", "size", ""]);
    let mut broken = 0;
    for one in listed {
        broken += usize::from(one.error.is_some());
        if one.error.is_some() && broken > Warnings::MOST {
            continue;
        }
        let count =
            |count: Option<usize>| count.map_or_else(String::new, |count| count.to_string());
        let saves = one.saved.zip(one.pages).map_or_else(String::new, |(saved, pages)| {
            format!("{saved} ({:.1} %)", 100.0 * saved as f64 / pages.max(1) as f64)
        });
        table.add_row([
            word(&safe_line(&one.site)),
            one.method.as_deref().map(safe_line).unwrap_or_default(),
            age(one.age_seconds),
            count(one.pages),
            saves,
            bytes(one.bytes),
            one.error.as_deref().map(safe_line).unwrap_or_default(),
        ]);
    }
    let total: u64 = listed.iter().map(|one| one.bytes).sum();
    let saved: i64 = listed.iter().filter_map(|one| one.saved).sum();
    let pages: usize = listed.iter().filter_map(|one| one.pages).sum();
    table.add_row([
        format!("{} in all", listed.len()),
        String::new(),
        String::new(),
        pages.to_string(),
        saved.to_string(),
        bytes(total),
        String::new(),
    ]);
    numbers(&mut table, 2..6);
    match broken.saturating_sub(Warnings::MOST) {
        0 => table.to_string(),
        more => format!("{table}\n{more} more cannot be loaded; --format json lists all"),
    }
}

/// `3 days`: the largest unit that fits.
fn age(seconds: u64) -> String {
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
    let (length, unit) =
        units.into_iter().find(|(length, _)| seconds >= *length).unwrap_or((1, "second"));
    let count = seconds / length;
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

fn bytes(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let ages = [0, 1, 59, 60, 7199, 7200, 86_400, 10 * 86_400].map(age);
        let described = [
            "0 seconds",
            "1 second",
            "59 seconds",
            "1 minute",
            "1 hour",
            "2 hours",
            "1 day",
            "10 days",
        ];
        assert_eq!(ages, described);
    }
}
