//! Model folders: what is kept of a site, `models/<site>/`.
//!
//! ```text
//! model.json            site, method, versions, configuration, training figures, checksums
//! rules.json            the rules, if the model is a set of rules; may be edited by hand
//! tokenizer.json        the vocabulary, for Hugging Face `tokenizers`, if it is a network
//! weights.safetensors   the network, if it is one
//! ```
//!
//! A folder is written beside its place and then put there at once, so that a process killed
//! at any time leaves the old model or the new one. Nothing in it depends on the time or the
//! machine: the same crawl, configuration and seed give the same bytes.

mod folder;
mod network;
mod registry;
mod served;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use registry::{Registry, SiteModel};
pub use served::Served;

use crate::config::Config;
use crate::rules::{self, Facts, Learner, Lesson};
use crate::seq2seq::{ExampleCounts, Shape, Trained, TrainingReport};
use crate::site::SiteBy;
use crate::{Error, Result};

/// Version of the folder's format. Another one is refused.
pub const FORMAT: u32 = 1;

/// The method of a network; those of rules have their learners' names.
const NETWORK: &str = "seq2seq";

const MODEL: &str = "model.json";
const RULES: &str = "rules.json";
const TOKENIZER: &str = "tokenizer.json";
const WEIGHTS: &str = "weights.safetensors";

/// `model.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// [`FORMAT`].
    pub format: u32,
    /// The version of undust that wrote it.
    pub undust: String,
    /// The site's name, which is the folder's.
    pub site: String,
    /// What the name means.
    pub site_by: SiteBy,
    /// The method that learned it.
    pub method: String,
    /// Every setting it was trained with.
    pub config: Config,
    /// Sizes of the network, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Shape>,
    /// How many of a network's last symbols are literals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literals: Option<usize>,
    /// What it was trained on and how that went.
    pub training: Training,
    /// SHA-256 of the folder's other files, but of `rules.json`, which may be edited.
    pub sha256: BTreeMap<String, String>,
}

/// What a model was trained on, and how that went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Pages.
    pub pages: usize,
    /// Their duplicate clusters, pages without a duplicate included.
    pub clusters: usize,
    /// Of a set of rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Facts>,
    /// Of a network.
    #[serde(flatten)]
    pub network: Option<NetworkTraining>,
}

/// What a network was trained on, and how that went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkTraining {
    /// How pairs became examples.
    pub pairs: ExampleCounts,
    /// Distinct template pairs.
    pub templates: usize,
    /// The learning curve.
    pub report: TrainingReport,
}

/// What is known of a site when its model is kept.
#[derive(Debug, Clone, Copy)]
pub struct SiteFacts<'s> {
    /// Its name.
    pub site: &'s str,
    /// What the name means.
    pub site_by: SiteBy,
    /// Training pages.
    pub pages: usize,
    /// Training clusters.
    pub clusters: usize,
}

/// What is kept of a site.
#[derive(Debug, Clone, Copy)]
pub enum Kept<'k> {
    /// A network and its vocabulary.
    Network(&'k Trained),
    /// A set of rules.
    Rules(&'k Lesson),
}

/// A file's name and what it holds.
type File = (&'static str, Vec<u8>);

/// Writes the folder of a site below `models`, in place of the one that is there.
pub fn save(models: &Path, facts: SiteFacts<'_>, config: &Config, kept: Kept<'_>) -> Result<()> {
    let place = models.join(facts.site);
    let fail = |reason: String| Error::Model { path: place.clone(), reason };
    let mut info = ModelInfo {
        format: FORMAT,
        undust: env!("CARGO_PKG_VERSION").into(),
        site: facts.site.into(),
        site_by: facts.site_by,
        method: NETWORK.into(),
        config: config.clone(),
        network: None,
        literals: None,
        training: Training {
            pages: facts.pages,
            clusters: facts.clusters,
            rules: None,
            network: None,
        },
        sha256: BTreeMap::new(),
    };
    let mut files = match kept {
        Kept::Network(trained) => network::files(&mut info, trained).map_err(fail)?,
        Kept::Rules(lesson) => rule_files(&mut info, lesson).map_err(fail)?,
    };
    let mut json = serde_json::to_vec_pretty(&info).map_err(|error| fail(error.to_string()))?;
    json.push(b'\n');
    files.insert(0, (MODEL, json));
    folder::replace(models, facts.site, &files)
}

fn rule_files(info: &mut ModelInfo, lesson: &Lesson) -> Result<Vec<File>, String> {
    info.method = lesson.learner.name().into();
    info.training.rules = Some(lesson.facts.clone());
    Ok(vec![(RULES, rules::to_json(lesson.learner, &lesson.rules)?)])
}

/// Reads and checks `model.json` alone.
pub fn info(place: &Path) -> Result<ModelInfo> {
    let path = place.join(MODEL);
    let fail = |reason: String| Error::Model { path: path.clone(), reason };
    let bytes = std::fs::read(&path).map_err(Error::io("read", &path))?;
    let json: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| fail(format!("is no model description: {error}")))?;
    match json.get("format").and_then(serde_json::Value::as_u64) {
        Some(format) if format == u64::from(FORMAT) => {}
        Some(format) => {
            return Err(fail(format!(
                "has format {format}, this undust reads {FORMAT}; train it again"
            )));
        }
        None => return Err(fail("has no format: it is no model of undust".into())),
    }
    let info: ModelInfo = serde_json::from_value(json)
        .map_err(|error| fail(format!("is no model description: {error}")))?;
    if info.network.is_some_and(|network| !network.is_usable()) {
        return Err(fail("describes a network of impossible size".into()));
    }
    info.config
        .check()
        .map_err(|reason| fail(format!("has an unusable configuration: {reason}")))?;
    Ok(info)
}

/// Loads a site's model, every file checked: rules for their meaning, all others against
/// `model.json`.
pub fn load(place: &Path) -> Result<(ModelInfo, Served)> {
    let info = info(place)?;
    let foreign = |reason: String| Error::Model { path: place.join(MODEL), reason };
    if place.file_name().is_some_and(|name| name != info.site.as_str()) {
        return Err(foreign(format!("is the model of {}, not of its folder's site", info.site)));
    }
    let served = match Learner::of_name(&info.method) {
        Some(learner) => {
            let path = place.join(RULES);
            let json = std::fs::read(&path).map_err(Error::io("read", &path))?;
            let rules = rules::parse(&json, learner);
            Served::Rules(rules.map_err(|reason| Error::Model { path, reason })?)
        }
        None if info.method == NETWORK => Served::Network(Box::new(network::load(place, &info)?)),
        None => {
            let method = &info.method;
            let reason = format!("was learned by `{method}`, which this undust does not know");
            return Err(foreign(reason));
        }
    };
    Ok((info, served))
}

#[cfg(test)]
mod tests;
