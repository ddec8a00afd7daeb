//! A model folder written again without some of its rules, its edits, or steps by which URLs are
//! normalised.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::checksum::checksum;
use super::files::{ModelFile, conventions_file, load};
use super::info::ModelInfo;
use super::names::{DISABLED, GATE, MODEL, RULES, TRIALS, VALIDATED};
use super::{bytes, exchange};
use crate::error::{Error, ModelReason, Result};
use crate::model::Model;
use crate::operation::{Disabled, OperationRef};
use undust_edits::conventions::UrlConventions;
use undust_rules::store::to_json;

/// What `model.json` records of what was taken from a model, in the record of its training.
const PRUNED: &str = "pruned";

/// Removes rules, edits and steps of normalisation from the served model of `site`, and replaces
/// the folder in one step. Their notations are added to the record in `model.json`, and so are
/// those of rules and edits that were switched off, which are removed, too. All other files stay as
/// they are; if one of them does not belong to a model, nothing is changed.
///
/// # Errors
///
/// Those of reading and writing the folder; rules of a network, which has none to take away.
pub fn prune(models: &Path, site: &str, pruned: &BTreeMap<OperationRef, String>) -> Result<()> {
    let folder = models.join(site);
    let fail = |reason| Error::at(&folder, reason);
    let unwritable = |error| fail(ModelReason::unwritable(error));
    let (mut info, conventions, model) = load(&folder)?;
    let mut disabled = Disabled::read(&folder)?;
    let (switched_off, names) = model.places_of(&disabled);
    let (places, steps) = OperationRef::split(pruned.keys());
    let mut files = Vec::new();
    files.extend(operations_file(&info, model.without(&switched_off), &places).map_err(fail)?);
    if let (Some(conventions), false) = (conventions, steps.is_empty()) {
        let conventions =
            steps.iter().fold(UrlConventions::clone(&conventions), |conventions, step| {
                conventions.without(step)
            });
        files.push(conventions_file(&conventions).map_err(fail)?);
    }
    for (name, bytes) in &files {
        if let Some(sum) = info.checksums.get_mut(*name) {
            *sum = checksum(bytes);
        }
    }
    record(&mut info.record, pruned.values().chain(names.iter().map(|name| &name.notation)));
    let mut json = serde_json::to_vec_pretty(&info).map_err(unwritable)?;
    json.push(b'\n');
    disabled.operations.retain(|operation| !names.contains(&operation.name));
    if !disabled.operations.is_empty() {
        let disabled = Disabled { model: checksum(&json), ..disabled };
        let disabled = serde_json::to_vec_pretty(&disabled).map_err(unwritable)?;
        files.push((DISABLED, disabled));
    }
    files.push((MODEL, json));
    let written: Vec<_> =
        files.iter().map(|(name, _)| *name).chain([DISABLED, TRIALS, VALIDATED]).collect();
    let others = others(&folder, &written)?;
    files.extend(others.iter().map(|(name, bytes)| (&**name, bytes.clone())));
    exchange::replace(models, site, &files)
}

/// The file of a model without the rules or edits in these places; none for a network.
fn operations_file(
    info: &ModelInfo,
    model: Model,
    places: &FxHashSet<usize>,
) -> Result<Option<ModelFile>, ModelReason> {
    let (name, json) = match model.without(places) {
        Model::Rules(rules) => (RULES, to_json(&info.method, &rules)),
        Model::Edits(editor) => (GATE, editor.to_json()),
        _ if places.is_empty() => return Ok(None),
        _ => return Err(ModelReason::Network),
    };
    Ok(Some((name, json.map_err(ModelReason::unwritable)?)))
}

/// Adds notations to what a record says was pruned.
fn record<'n>(record: &mut Value, notations: impl Iterator<Item = &'n String>) {
    if !record.is_object() {
        *record = json!({});
    }
    let before = record.get(PRUNED).and_then(Value::as_array).cloned().unwrap_or_default();
    let notations = notations.map(|notation| Value::from(notation.as_str()));
    record[PRUNED] = before.into_iter().chain(notations).collect();
}

/// The files of a folder except those of these names.
fn others(folder: &Path, but: &[&str]) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io("read", folder))? {
        let path = entry.map_err(Error::io("read", folder))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.filter(|name| !but.contains(&&**name) && path.is_file()) else {
            continue;
        };
        files.push((name, bytes::read(&path)?));
    }
    files.sort_unstable();
    Ok(files)
}
