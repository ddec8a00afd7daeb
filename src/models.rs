//! Model folders: what is kept of a site, `models/<site>/`.
//!
//! ```text
//! model.json            site, method, versions, configuration, training figures, checksums
//! tokenizer.json        the vocabulary, for Hugging Face `tokenizers`
//! weights.safetensors   the network
//! ```
//!
//! A folder is written beside its place and then put there at once, so that a process killed
//! at any time leaves the old model or the new one. Nothing in it depends on the time or the
//! machine: the same crawl, configuration and seed give the same bytes.

mod folder;
mod registry;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use registry::{Registry, SiteModel};

use crate::config::Config;
use crate::seq2seq::{
    ExampleCounts, Serving, Shape, Trained, TrainingReport, Translator, Weights, spellings, to_json,
};
use crate::site::SiteBy;
use crate::url::Symbols;
use crate::{Error, Result};

/// Version of the folder's format. Another one is refused.
pub const FORMAT: u32 = 1;

/// The method of every model so far.
const METHOD: &str = "seq2seq";

const MODEL: &str = "model.json";
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
    /// Sizes of the network.
    pub network: Shape,
    /// How many of the last symbols are literals.
    pub literals: usize,
    /// What it was trained on and how that went.
    pub training: Training,
    /// SHA-256 of the folder's other files.
    pub sha256: BTreeMap<String, String>,
}

/// What a model was trained on, and how that went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Pages.
    pub pages: usize,
    /// Their duplicate clusters, pages without a duplicate included.
    pub clusters: usize,
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

/// Writes the folder of a site below `models`, in place of the one that is there.
pub fn save(models: &Path, facts: SiteFacts<'_>, config: &Config, trained: &Trained) -> Result<()> {
    let place = models.join(facts.site);
    let fail = |reason: String| Error::Model { path: place.clone(), reason };
    let symbols = trained.translator.symbols();
    let tokenizer = to_json(symbols).map_err(&fail)?.into_bytes();
    let weights = trained.weights.to_bytes().map_err(&fail)?;
    let sums = [(TOKENIZER, &tokenizer), (WEIGHTS, &weights)];
    let info = ModelInfo {
        format: FORMAT,
        undust: env!("CARGO_PKG_VERSION").into(),
        site: facts.site.into(),
        site_by: facts.site_by,
        method: METHOD.into(),
        config: config.clone(),
        network: trained.weights.shape(),
        literals: symbols.literals(),
        training: Training {
            pages: facts.pages,
            clusters: facts.clusters,
            pairs: trained.counts,
            templates: trained.templates,
            report: trained.report.clone(),
        },
        sha256: sums.map(|(name, bytes)| (name.to_owned(), folder::sha256(bytes))).into(),
    };
    let mut json = serde_json::to_vec_pretty(&info).map_err(|error| fail(error.to_string()))?;
    json.push(b'\n');
    folder::replace(
        models,
        facts.site,
        &[(MODEL, &json), (TOKENIZER, &tokenizer), (WEIGHTS, &weights)],
    )
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
    if !info.network.is_usable() {
        return Err(fail("describes a network of impossible size".into()));
    }
    info.config
        .check()
        .map_err(|reason| fail(format!("has an unusable configuration: {reason}")))?;
    Ok(info)
}

/// Loads a site's model, every file checked against `model.json`.
pub fn load(place: &Path) -> Result<(ModelInfo, Translator)> {
    let info = info(place)?;
    let foreign = |reason: String| Error::Model { path: place.join(MODEL), reason };
    if place.file_name().is_some_and(|name| name != info.site.as_str()) {
        return Err(foreign(format!("is the model of {}, not of its folder's site", info.site)));
    }
    if info.method != METHOD {
        let reason = format!("was learned by `{}`, which this undust does not know", info.method);
        return Err(foreign(reason));
    }
    let checked = |name: &str| folder::read_checked(&place.join(name), info.sha256.get(name));
    let (tokenizer, weights) = (checked(TOKENIZER)?, checked(WEIGHTS)?);
    let fail = |name: &str| {
        let path = place.join(name);
        move |reason: String| Error::Model { path, reason }
    };
    let tokens = &info.config.tokens;
    let spellings = spellings(&tokenizer).map_err(fail(TOKENIZER))?;
    let symbols =
        Symbols::from_spellings(&spellings, info.literals, tokens.delimiters(), tokens.df)
            .filter(|symbols| symbols.len() == info.network.vocabulary)
            .ok_or_else(|| {
                fail(TOKENIZER)("does not hold the vocabulary that model.json describes".into())
            })?;
    let weights = Weights::from_bytes(&weights, info.network).map_err(fail(WEIGHTS))?;
    let translator = Translator::new(symbols, weights.decoder(), Serving::of(&info.config));
    Ok((info, translator))
}

#[cfg(test)]
mod tests;
