//! `undust evaluate CRAWL --models FOLDER`: tests saved models on a later crawl.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Serialize;

use undust_cluster::clusters::{ClusterOptions, cluster};
use undust_crawl::read_pages;
use undust_learn::drift::detect::{Drift, Subject, detect};
use undust_learn::drift::relearn::ROUNDS;
use undust_model::folder::info::ModelInfo;
use undust_model::operation::OperationRef;
use undust_model::registry::Registry;
use undust_model::translation::spelled_out;
use undust_pages::{Page, Pages};
use undust_util::{Result, counted, shown};

use super::args::EvaluateArgs;
use super::drift_table::drift_table;
use super::{json_output, print};
use crate::cli::failure::Failure;
use crate::cli::progress::{Watch, info};
use crate::cli::reading::{Reading, by_site, check_readable, model_of, without_host};
use crate::cli::standard::check_output;

/// Largest share of a site's clusters that a model may lose.
const MOST_LOST: f64 = 0.01;

/// The pages of the sites of a crawl that have a model.
struct Crawl {
    name: String,
    sites: IndexMap<String, Vec<Page>>,
}

/// How a site's model fared on a crawl.
#[derive(Serialize)]
pub(super) struct ModelDrift {
    /// The crawl's file.
    pub crawl: String,
    /// The site.
    pub site: String,
    /// The method that learned its model.
    pub method: String,
    /// The result.
    #[serde(flatten)]
    pub drift: Drift,
    /// The operations that were pruned because a crawl refutes them.
    pub pruned: Vec<String>,
}

/// Evaluates, prunes if asked to, and prints.
///
/// # Errors
///
/// A crawl or model cannot be read, the results cannot be written, an operation is refuted, or a
/// model loses too many clusters.
pub(super) fn run(args: &EvaluateArgs, models: &Path) -> Result<()> {
    check_readable(&args.held_out.inputs)?;
    check_output(Path::new("-"))?;
    let options = args.held_out.config()?.clusters;
    let registry = Registry::open(models)?;
    if args.prune {
        registry.check_writable()?;
    }
    let json = json_output(args)?;
    let read = |path: &PathBuf| Crawl::read(path, &args.held_out.reading, &registry);
    let crawls = args.held_out.inputs.iter().map(read).collect::<Result<Vec<_>>>()?;
    let mut drifts = detect_all(&crawls, models, &options)?;
    if drifts.is_empty() {
        let path = args.held_out.inputs.first().cloned().unwrap_or_default();
        return Err(Failure::NoPageOfModels { path, models: models.to_owned() }.into());
    }
    if args.prune {
        drifts = prune_all(drifts, &crawls, models, &options)?;
    }
    // The exit code gives the verdict even if printing fails.
    let table = || drift_table(&drifts);
    let printed = print(args, json, &drifts, table);
    verdict(&drifts)?;
    printed
}

impl Crawl {
    fn read(path: &PathBuf, reading: &Reading, registry: &Registry) -> Result<Self> {
        let (options, _watch) = reading.of(std::slice::from_ref(path));
        let (Pages { pages, left_out, .. }, report) =
            read_pages(std::slice::from_ref(path), &options).map_err(without_host)?;
        let name = shown(&path).to_string();
        let total = counted(left_out.total(), "URL");
        info(&format!("{name}: {report}; {total} left out: {left_out}"));
        let (sites, without_model) = by_site(pages, registry);
        if without_model > 0 {
            let pages = counted(without_model, "page");
            info(&format!("{name}: {pages} of sites without a model"));
        }
        Ok(Self { name, sites })
    }
}

/// Evaluates the models as they are on disk now.
fn detect_all(
    crawls: &[Crawl],
    models: &Path,
    options: &ClusterOptions,
) -> Result<Vec<ModelDrift>> {
    let registry = Registry::open(models)?;
    let mut drifts = Vec::new();
    let total = crawls.iter().map(|crawl| crawl.sites.len()).sum();
    let watch = Watch::count("testing", total, "models");
    for Crawl { name, sites } in crawls {
        for (site, pages) in sites {
            let method = ModelInfo::read(&models.join(site))?.method;
            let model = model_of(site, pages, &registry)?;
            drifts.push(ModelDrift {
                crawl: name.clone(),
                site: site.clone(),
                method,
                drift: detect(pages, &cluster(pages, options), Subject::from(&*model)),
                pruned: Vec::new(),
            });
            watch.pass();
        }
    }
    Ok(drifts)
}

/// Prunes what is refuted and tests again, because the rest acts differently then. Ends when
/// nothing that can be pruned is refuted.
fn prune_all(
    mut drifts: Vec<ModelDrift>,
    crawls: &[Crawl],
    models: &Path,
    options: &ClusterOptions,
) -> Result<Vec<ModelDrift>> {
    let registry = Registry::open(models)?;
    let mut pruned: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let refuted = prunable(&drifts);
        if refuted.is_empty() {
            break;
        }
        for (site, operations) in refuted {
            registry.prune(&site, &operations)?;
            pruned.entry(site).or_default().extend(operations.into_values());
        }
        drifts = detect_all(crawls, models, options)?;
    }
    for (site, notations) in &pruned {
        let described: Vec<_> = notations.iter().map(|notation| spelled_out(notation)).collect();
        info(&format!("{site}: pruned {}: {}", described.len(), described.join("; ")));
    }
    for ModelDrift { site, method, drift, .. } in &drifts {
        let left = drift.refuted().filter(|operation| operation.reference.is_none()).count();
        if left > 0 {
            info(&format!(
                "{site}: {} not pruned: the answers of a {method} model and the settings' overrides \
                 cannot be",
                counted(left, "refuted operation"),
            ));
        }
    }
    for one in &mut drifts {
        one.pruned = pruned.get(&one.site).cloned().unwrap_or_default();
    }
    Ok(drifts)
}

/// By site: the refuted operations that can be removed from its model, with their notations.
fn prunable(drifts: &[ModelDrift]) -> BTreeMap<String, BTreeMap<OperationRef, String>> {
    let mut refuted: BTreeMap<String, BTreeMap<OperationRef, String>> = BTreeMap::new();
    for ModelDrift { site, drift, .. } in drifts {
        for operation in drift.refuted() {
            if let Some(reference) = &operation.reference {
                let of_site = refuted.entry(site.clone()).or_default();
                of_site.insert(reference.clone(), operation.label());
            }
        }
    }
    refuted
}

/// [`Failure::Refuted`] if something is refuted, or too much is lost.
fn verdict(drifts: &[ModelDrift]) -> Result<()> {
    let refuted: usize = drifts.iter().map(|one| one.drift.refuted().count()).sum();
    let loses = |one: &&ModelDrift| one.drift.lost_share > MOST_LOST;
    let losing: Vec<String> = drifts.iter().filter(loses).map(loss).collect();
    if refuted == 0 && losing.is_empty() {
        return Ok(());
    }
    Err(Failure::Refuted { operations: refuted, losing }.into())
}

fn loss(one: &ModelDrift) -> String {
    let Drift { lost, clusters, .. } = one.drift;
    format!("{lost} of {clusters} of {}", one.site)
}
