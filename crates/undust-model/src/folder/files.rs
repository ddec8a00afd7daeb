//! Model folders: what is kept of a site, `models/<site>/`.
//!
//! ```text
//! model.json            site, method, what loading needs, checksums, a record of the training
//! conventions.json      how the site writes its URLs, unless the model is a baseline
//! gate.json             what the gate accepted, if the model is edits; may be edited by hand
//! tagger-*.safetensors  the taggers that some of them ask
//! rules.json            the rules, if the model is a set of rules; may be edited by hand
//! lexicon.json          function words and phrases, if it is an edit tagger
//! tokenizer.json        the vocabulary, for Hugging Face `tokenizers`, if it is a network
//! weights.safetensors   the network, if it is one or a tagger
//! trials.json           what came back of explored URLs
//! disabled.json         what is switched off by it; both are of this model alone, so that the next
//!                       training begins without
//! ```
//!
//! A folder is written beside its place and then put there at once, so that a process killed at
//! any time leaves the old model or the new one. Nothing in it depends on the time or the
//! machine: the same crawl, settings and seed give the same bytes.
//!
//! A file of weights may have 4 GiB, any other 64 MiB. A folder with a file of another name is not
//! replaced by training.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use undust_url::lexicon::Lexicon;
use undust_url::site::SiteBy;
use undust_url::template::Vocabulary;
use undust_url::tokens::Delimiters;
use undust_util::atomic_file::is_unfinished;
use undust_util::error::{Error, Result};

use super::disabled::{OFF, TRIALS};
use super::info::{Kind, MODEL, ModelInfo, NetworkInfo, Record, TaggerInfo};
use super::{bytes, exchange};
use crate::conventions::UrlConventions;
use crate::edits::editor::Editor;
use crate::learned::Learned;
use crate::model::Model;
use crate::networks::tagger::Tagger;
use crate::networks::tagger::weights::Weights as TaggerWeights;
use crate::networks::tokenizer;
use crate::networks::translator::Translator;
use crate::networks::weights::Weights;
use crate::rules::set::RuleSet;
use crate::rules::store::{parse, to_json};

/// The usage of a folder.
pub const CONVENTIONS: &str = "conventions.json";
/// The rules of a folder.
pub const RULES: &str = "rules.json";
/// The accepted edits of a folder.
pub const GATE: &str = "gate.json";
/// The weights of the taggers whose edits are among them.
const TAGGERS: [&str; 2] = ["tagger-0.safetensors", "tagger-1.safetensors"];
/// The vocabulary of a folder.
pub const TOKENIZER: &str = "tokenizer.json";
/// What the symbols of a tagger stand for.
pub const LEXICON: &str = "lexicon.json";
/// The network of a folder.
pub const WEIGHTS: &str = "weights.safetensors";

/// What loading a file takes at most, for each of its bytes: what is made of it, and what stands in
/// memory on the way there. In 170 folders of all methods rules took 7.3 and all else 3.7, beside
/// some 16 KiB a folder. Edits took 4.7 to 6.8 in nine folders of `auto`, and words some 9 in twelve.
const LOADING: [(&str, u64); 10] = [
    (MODEL, 4),
    (CONVENTIONS, 4),
    (GATE, 8),
    (TAGGERS[0], 4),
    (TAGGERS[1], 4),
    (RULES, 8),
    (LEXICON, 12),
    (TOKENIZER, 4),
    (WEIGHTS, 4),
    (OFF, 4),
];

/// Bytes that any model takes, however little its files hold.
const LEAST_TO_LOAD: usize = 8192;

/// What loading a model will take at most, about, by what its files take on disk.
pub fn bytes_to_load(place: &Path) -> usize {
    let of_file = |(name, times): (&str, u64)| {
        let bytes = bytes::bytes(&place.join(name));
        usize::try_from(bytes.saturating_mul(times)).unwrap_or(usize::MAX)
    };
    LOADING.into_iter().map(of_file).fold(LEAST_TO_LOAD, usize::saturating_add)
}

/// Files of earlier formats, which a training may replace with all else.
const FORMER: [&str; 2] = ["usage.json", "off.json"];

/// Whether a file of this name may be one that undust wrote into a model's folder. Whoever writes
/// another kind of file there adds it to those above.
pub fn is_own(name: &str) -> bool {
    LOADING.iter().any(|(own, _)| *own == name)
        || name == TRIALS
        || FORMER.contains(&name)
        || is_unfinished(name)
}

/// A file's name and what it holds.
pub type File = (&'static str, Vec<u8>);

/// Writes the folder of `site` below `models`, in place of the one that is there. `settings` are
/// kept as a record of the training; nothing depends on them.
///
/// # Errors
///
/// A folder that cannot be written. The old model then stays.
pub fn save(models: &Path, site: (&str, SiteBy), settings: Value, learned: &Learned) -> Result<()> {
    let record = Record { config: settings, report: learned.report.clone() };
    save_parts(models, site, &record, (learned.conventions.as_deref(), &learned.model))
}

/// [`save`], of the parts of a model.
pub fn save_parts(
    models: &Path,
    (site, site_by): (&str, SiteBy),
    record: &Record,
    (conventions, model): (Option<&UrlConventions>, &Model),
) -> Result<()> {
    let fail = |reason: String| Error::Model { path: models.join(site), reason };
    let mut info = ModelInfo::new((site, site_by), model.kind(), record);
    let mut files = match model {
        Model::Identity | Model::TokenIdentity => Vec::new(),
        Model::Rules(rules) => vec![(RULES, to_json(&info.method, rules).map_err(fail)?)],
        Model::Edits(editor) => edits_files(&mut info, editor).map_err(fail)?,
        Model::Tagger(tagger) => tagger_files(&mut info, tagger).map_err(fail)?,
        Model::Network(translator) => network_files(&mut info, translator).map_err(fail)?,
    };
    if let Some(conventions) = conventions {
        let conventions = conventions_file(conventions).map_err(|error| fail(error.to_string()))?;
        info.sha256.insert(conventions.0.to_owned(), exchange::sha256(&conventions.1));
        files.insert(0, conventions);
    }
    let mut json = serde_json::to_vec_pretty(&info).map_err(|error| fail(error.to_string()))?;
    json.push(b'\n');
    files.insert(0, (MODEL, json));
    exchange::replace(models, site, &files)
}

/// The file that holds a usage.
pub fn conventions_file(conventions: &UrlConventions) -> Result<File, serde_json::Error> {
    let mut json = serde_json::to_vec_pretty(conventions)?;
    json.push(b'\n');
    Ok((CONVENTIONS, json))
}

/// The files of accepted edits.
fn edits_files(info: &mut ModelInfo, editor: &Editor) -> Result<Vec<File>, String> {
    let (json, weights) = editor.to_json()?;
    let taggers: Vec<File> = TAGGERS.into_iter().zip(weights.into_iter().flatten()).collect();
    info.sha256.extend(sums(&taggers));
    Ok([vec![(GATE, json)], taggers].concat())
}

/// What `lexicon.json` holds.
#[derive(Serialize, Deserialize)]
struct Words<L, P> {
    /// The function words.
    lexicon: L,
    /// What may be inserted, in the order of their tags.
    phrases: P,
}

/// The files of a tagger, which `info` then describes.
fn tagger_files(info: &mut ModelInfo, tagger: &Tagger) -> Result<Vec<File>, String> {
    let words = Words { lexicon: tagger.lexicon(), phrases: tagger.phrases() };
    let mut json = serde_json::to_vec_pretty(&words).map_err(|error| error.to_string())?;
    json.push(b'\n');
    let files = vec![(LEXICON, json), (WEIGHTS, tagger.weights().to_bytes()?)];
    let (sizes, options) = (tagger.weights().sizes(), tagger.options());
    info.tagger = Some(TaggerInfo { sizes, options });
    info.sha256.extend(sums(&files));
    Ok(files)
}

fn sums(files: &[File]) -> BTreeMap<String, String> {
    files.iter().map(|(name, bytes)| ((*name).to_owned(), exchange::sha256(bytes))).collect()
}

/// The files of a network, which `info` then describes.
fn network_files(info: &mut ModelInfo, translator: &Translator) -> Result<Vec<File>, String> {
    let vocabulary = translator.vocabulary();
    let tokenizer = translator.tokenizer().to_vec();
    let files = vec![(TOKENIZER, tokenizer), (WEIGHTS, translator.weights().to_bytes()?)];
    info.network = Some(NetworkInfo {
        shape: translator.weights().shape(),
        literals: vocabulary.literals(),
        extra_delimiters: vocabulary.delimiters().extra(),
        df: vocabulary.mode(),
        decoding: translator.options().clone(),
    });
    info.sha256.extend(sums(&files));
    Ok(files)
}

/// Loads a site's model, every file checked: rules and edits for their meaning, all others against
/// `model.json`.
pub fn load(place: &Path) -> Result<(ModelInfo, Option<Arc<UrlConventions>>, Model)> {
    let info = ModelInfo::read(place)?;
    let foreign = |reason: String| Error::Model { path: place.join(MODEL), reason };
    if place.file_name().is_some_and(|name| name != info.site.as_str()) {
        return Err(foreign(format!(
            "is the model of {}, not of the site that names its folder",
            info.site
        )));
    }
    let model = match info.kind {
        Kind::Identity => Model::Identity,
        Kind::TokenIdentity => Model::TokenIdentity,
        Kind::Rules => Model::Rules(load_rules(place, &info.method)?),
        Kind::Edits => Model::Edits(Box::new(load_edits(place, &info)?)),
        Kind::Tagger => Model::Tagger(Box::new(load_tagger(place, &info)?)),
        Kind::Network => Model::Network(Box::new(load_network(place, &info)?)),
    };
    let conventions = load_conventions(place, &info)?.map(|mut conventions| {
        conventions.know(model.argument_names());
        Arc::new(conventions)
    });
    Ok((info, conventions, model))
}

/// Nothing for a baseline.
fn load_conventions(place: &Path, info: &ModelInfo) -> Result<Option<UrlConventions>> {
    if matches!(info.kind, Kind::Identity | Kind::TokenIdentity) {
        return Ok(None);
    }
    let path = place.join(CONVENTIONS);
    let json = exchange::read_checked(&path, info.sha256.get(CONVENTIONS))?;
    let conventions = serde_json::from_slice(&json).map(Some);
    conventions.map_err(|error| Error::Model {
        path,
        reason: format!("cannot be read as URL conventions: {error}"),
    })
}

fn load_rules(place: &Path, method: &str) -> Result<RuleSet> {
    let path = place.join(RULES);
    let json = bytes::read(&path)?;
    parse(&json, method).map_err(|reason| Error::Model { path, reason })
}

fn load_edits(place: &Path, info: &ModelInfo) -> Result<Editor> {
    let checked = |name: &str| exchange::read_checked(&place.join(name), info.sha256.get(name));
    let has_taggers = TAGGERS.iter().all(|name| info.sha256.contains_key(*name));
    let weights = if has_taggers {
        let [first, second] = TAGGERS.map(checked);
        Some([first?, second?])
    } else {
        None
    };
    let wrong = |reason| Error::Model { path: place.join(GATE), reason };
    Editor::from_json(&bytes::read(&place.join(GATE))?, weights).map_err(wrong)
}

fn load_network(place: &Path, info: &ModelInfo) -> Result<Translator> {
    let checked = |name: &str| exchange::read_checked(&place.join(name), info.sha256.get(name));
    let fail = |name: &str| {
        let path = place.join(name);
        move |reason: &str| Error::Model { path, reason: reason.to_owned() }
    };
    let Some(NetworkInfo { shape, literals, extra_delimiters, df, decoding }) = &info.network
    else {
        return Err(fail(MODEL)("does not describe a network"));
    };
    let (spelled, weights) = (checked(TOKENIZER)?, checked(WEIGHTS)?);
    let spellings =
        tokenizer::spellings(&spelled).map_err(|reason| fail(TOKENIZER)(reason.as_str()))?;
    let delimiters = Delimiters::with_extra(extra_delimiters);
    let vocabulary = Vocabulary::from_spellings(&spellings, *literals, delimiters, *df)
        .filter(|vocabulary| vocabulary.len() == shape.vocabulary)
        .ok_or_else(|| fail(TOKENIZER)("does not have the vocabulary that model.json describes"))?;
    let weights =
        Weights::from_bytes(&weights, *shape).map_err(|reason| fail(WEIGHTS)(reason.as_str()))?;
    Ok(Translator::new((vocabulary, spelled), weights, decoding.clone()))
}

fn load_tagger(place: &Path, info: &ModelInfo) -> Result<Tagger> {
    let checked = |name: &str| exchange::read_checked(&place.join(name), info.sha256.get(name));
    let fail = |name: &str, reason: String| Error::Model { path: place.join(name), reason };
    let Some(TaggerInfo { sizes, options }) = &info.tagger else {
        return Err(fail(MODEL, "does not describe a tagger".into()));
    };
    let (words, weights) = (checked(LEXICON)?, checked(WEIGHTS)?);
    let Words { lexicon, phrases } = serde_json::from_slice::<Words<Lexicon, Vec<String>>>(&words)
        .map_err(|error| fail(LEXICON, error.to_string()))?;
    if (lexicon.len(), phrases.len()) != (sizes.vocabulary, sizes.phrases) {
        let reason = "does not hold the words and phrases that model.json describes";
        return Err(fail(LEXICON, reason.into()));
    }
    let weights =
        TaggerWeights::from_bytes(&weights, sizes).map_err(|reason| fail(WEIGHTS, reason))?;
    Ok(Tagger::new(lexicon, phrases, weights, *options))
}
