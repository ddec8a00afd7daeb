//! A model folder written again without some of its rules or edits.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::files::{GATE, RULES, load};
use super::info::MODEL;
use super::off::{OFF, Off, TRIALS};
use super::{Model, folder};
use crate::error::{Error, Result};
use crate::rules::store::to_json;

/// What `model.json` records of what was taken from a model, in the record of its training.
const PRUNED: &str = "pruned";

/// Takes rules or edits, given by their places, from the model of `site` as it is served, and puts
/// the folder in place of the old one at once; their notations are added to the record in
/// `model.json`, with those of rules and edits that are switched off, which are gone now. All
/// other files stay as they are.
///
/// # Errors
///
/// Those of reading and writing the folder; a network, which has no rules to take away.
pub(crate) fn prune(models: &Path, site: &str, pruned: &BTreeMap<usize, String>) -> Result<()> {
    let place = models.join(site);
    let fail = |reason: String| Error::Model { path: place.clone(), reason };
    let (mut info, _, model) = load(&place)?;
    let mut off = Off::read(&place)?;
    let (switched_off, names) = model.places_of(&off);
    let places: FxHashSet<usize> = pruned.keys().copied().collect();
    let (name, bytes) = match model.without(&switched_off).without(&places) {
        Model::Rules(rules) => (RULES, to_json(&info.method, &rules).map_err(fail)?),
        Model::Edits(editor) => (GATE, editor.to_json().map_err(fail)?.0),
        _ => return Err(fail("is a network, which cannot be pruned".into())),
    };
    if let Some(sum) = info.sha256.get_mut(name) {
        *sum = folder::sha256(&bytes);
    }
    record(&mut info.record, pruned.values().chain(names.iter().map(|name| &name.notation)));
    let mut json = serde_json::to_vec_pretty(&info).map_err(|error| fail(error.to_string()))?;
    json.push(b'\n');
    let mut files = others(&place, &[MODEL, name, OFF, TRIALS])?;
    off.operations.retain(|operation| !names.contains(&operation.name));
    if !off.operations.is_empty() {
        let off = Off { model: folder::sha256(&json), ..off };
        let off = serde_json::to_vec_pretty(&off).map_err(|error| fail(error.to_string()))?;
        files.push((OFF.into(), off));
    }
    files.push((name.into(), bytes));
    files.push((MODEL.into(), json));
    let files: Vec<_> = files.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
    folder::replace(models, site, &files)
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

/// The files of a folder, but for those of these names.
fn others(place: &Path, but: &[&str]) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(place).map_err(Error::io("read", place))? {
        let path = entry.map_err(Error::io("read", place))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.filter(|name| !but.contains(&&**name) && path.is_file()) else {
            continue;
        };
        files.push((name, fs::read(&path).map_err(Error::io("read", &path))?));
    }
    files.sort_unstable();
    Ok(files)
}
