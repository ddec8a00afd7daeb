//! A model folder written again without some of its rules, its edits, or steps by which URLs are
//! normalised.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::files::{load, model_files};
use super::info::checksum;
use super::names::{DISABLED, MODEL};
use super::replace;
use crate::error::{Error, ModelReason, Result};
use crate::model::Model;
use crate::operation::{Disabled, OperationRef};
use crate::registry::Registry;

/// What `model.json` records of what was taken from a model, in the record of its training.
const PRUNED: &str = "pruned";

impl Registry {
    /// Removes rules, edits and steps of normalisation from the served model of `site`, and replaces
    /// the folder in one step. Their notations are added to the record in `model.json`, and so are
    /// those of rules and edits that were switched off, which are removed, too. What was observed of
    /// the model is forgotten. If a file of the folder does not belong to a model, nothing is changed.
    ///
    /// # Errors
    ///
    /// Those of reading and writing the folder; rules of a network, which has none to take away.
    pub fn prune(&self, site: &str, pruned: &BTreeMap<OperationRef, String>) -> Result<()> {
        let folder = self.folder(site);
        let (mut info, conventions, model) = load(&folder)?;
        let mut disabled = Disabled::read(&folder)?;
        let (switched_off, names) = model.places_of(&disabled);
        let is_place = |operation: &OperationRef| matches!(operation, OperationRef::RuleOrEdit(_));
        if matches!(model, Model::Pointer(_) | Model::Network(_)) && pruned.keys().any(is_place) {
            return Err(Error::at(&folder, ModelReason::Network));
        }
        let (model, conventions) = model.without(&switched_off).pruned(conventions, pruned.keys());
        record(&mut info.record, pruned.values().chain(names.iter().map(|name| &name.notation)));
        let mut files = model_files(&info, conventions.as_deref(), &model)?;
        disabled.operations.retain(|operation| !names.contains(&operation.name));
        let json = files.iter().find(|(name, _)| *name == MODEL);
        if let (Some((_, json)), false) = (json, disabled.operations.is_empty()) {
            disabled.model = checksum(json);
            let disabled = serde_json::to_vec_pretty(&disabled);
            let unwritable = |error| Error::at(&folder, ModelReason::unwritable(error));
            files.push((DISABLED, disabled.map_err(unwritable)?));
        }
        replace(folder.parent().unwrap_or(Path::new(".")), site, &files)
    }
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
