//! Model folders: what is kept of a site, `models/<site>/`.
//!
//! ```text
//! model.json            site, method, what loading needs, checksums, a record of the training
//! conventions.json      how the site writes its URLs, unless the model is a baseline
//! gate.json             what the gate accepted, if the model is edits; may be edited by hand
//! rules.json            the rules, if the model is a set of rules; may be edited by hand
//! lexicon.json          function words and phrases, if it is a pointer network
//! tokenizer.json        the vocabulary, for Hugging Face `tokenizers`, if it is the paper's network
//! weights.safetensors   the network, if it is one
//! trials.json           what explored URLs showed
//! validated.json        the verdicts of fetched pairs
//! disabled.json         the operations that these switched off; all three are of this model alone, so
//!                       that the next training begins without them
//! ```
//!
//! A folder is written under a temporary name and then renamed, so that a process killed at
//! any time leaves the old model or the new one. Nothing in it depends on the time or the
//! machine: the same crawl, settings and seed give the same bytes.
//!
//! A file of weights may have 4 GiB, any other 64 MiB. A folder with a file of another name is not
//! replaced by training.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use undust_decoder::error::WeightsReason;
use undust_url::lexicon::Lexicon;
use undust_url::site::names_a_site;
use undust_url::template::Vocabulary;
use undust_url::tokens::Delimiters;
use undust_util::json;

use super::info::{ModelInfo, NetworkInfo, PointerInfo, checksum};
use super::names::{CONVENTIONS, GATE, LEXICON, MODEL, RULES, TOKENIZER, WEIGHTS, is_packed};
use super::replace;
use super::source::Source;
use crate::error::{Error, ModelReason, Result};
use crate::model::{Model, ModelKind};
use undust_decoder::pointer::weights::PointerWeights;
use undust_decoder::pointer::{PointerTranslator, PointerWords};
use undust_decoder::tokenizer;
use undust_decoder::translator::Translator;
use undust_decoder::translator_weights::TranslatorWeights;
use undust_edits::conventions::UrlConventions;
use undust_edits::editor::Editor;
use undust_rules::set::RuleSet;
use undust_rules::store::{parse, to_json};

/// A file's name and what it holds.
pub(crate) type ModelFile = (&'static str, Vec<u8>);

/// Writes the files of a model as the folder of `site` below `models`, in place of the one there.
///
/// # Errors
///
/// A name that no site has, a file that is none of a model, or a folder that cannot be written. The
/// old model then stays.
pub fn save_files(models: &Path, site: &str, files: &[(&str, Vec<u8>)]) -> Result<()> {
    let is_model = files.iter().all(|(name, _)| is_packed(name));
    if !names_a_site(site) || !is_model {
        let name = site.to_owned();
        return Err(ModelReason::NotASite { name }.into());
    }
    replace(models, site, files)
}

/// The files of a model's folder, `model.json` first. Of the site and the training they say what `about` says.
///
/// # Errors
///
/// What cannot be written as JSON.
pub fn model_files(
    about: &ModelInfo,
    conventions: Option<&UrlConventions>,
    model: &Model,
) -> Result<Vec<ModelFile>> {
    let fail = |reason: ModelReason| Error::at(&about.site, reason);
    let unwritable = |error| fail(ModelReason::unwritable(error));
    let ModelInfo { site, site_by, method, record, .. } = about;
    let mut info = ModelInfo::new((site, *site_by), method, record.clone());
    info.kind = model.kind();
    let mut files = match model {
        Model::Identity | Model::TokenIdentity => Vec::new(),
        Model::Rules(rules) => vec![(RULES, to_json(&info.method, rules).map_err(unwritable)?)],
        Model::Edits(editor) => vec![(GATE, editor.to_json().map_err(unwritable)?)],
        Model::Pointer(translator) => pointer_files(&mut info, translator).map_err(fail)?,
        Model::Network(translator) => network_files(&mut info, translator).map_err(fail)?,
    };
    if let Some(conventions) = conventions {
        files.insert(0, (CONVENTIONS, json::pretty(conventions).map_err(unwritable)?));
    }
    // The others may be edited by hand.
    let checked = files.iter().filter(|(name, _)| !matches!(*name, RULES | GATE));
    info.checksums = checked.map(|(name, bytes)| ((*name).to_owned(), checksum(bytes))).collect();
    files.insert(0, (MODEL, json::pretty(&info).map_err(unwritable)?));
    Ok(files)
}

/// What `lexicon.json` holds.
#[derive(Serialize, Deserialize)]
struct LexiconFile<'f> {
    /// The function words.
    lexicon: Cow<'f, Lexicon>,
    /// What may be inserted, in the order of their tags.
    phrases: Cow<'f, [String]>,
    /// The shapes that a pointer network was trained on.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    shapes: Cow<'f, [String]>,
}

/// The files of a pointer network, which `info` then describes.
fn pointer_files(
    info: &mut ModelInfo,
    translator: &PointerTranslator,
) -> Result<Vec<ModelFile>, ModelReason> {
    let words = LexiconFile {
        lexicon: Cow::Borrowed(translator.lexicon()),
        phrases: translator.phrases().into(),
        shapes: translator.shapes().into(),
    };
    let words = json::pretty(&words).map_err(ModelReason::unwritable)?;
    let weights = translator.weights().to_bytes().map_err(ModelReason::unwritable)?;
    let (sizes, options) = (translator.weights().sizes(), translator.options());
    info.pointer = Some(PointerInfo { sizes, options });
    Ok(vec![(LEXICON, words), (WEIGHTS, weights)])
}

/// The files of a network, which `info` then describes.
fn network_files(
    info: &mut ModelInfo,
    translator: &Translator,
) -> Result<Vec<ModelFile>, ModelReason> {
    let vocabulary = translator.vocabulary();
    let tokenizer = translator.tokenizer().to_vec();
    let weights = translator.weights().to_bytes().map_err(ModelReason::unwritable)?;
    info.network = Some(NetworkInfo {
        shape: translator.weights().shape(),
        literals: vocabulary.literals(),
        extra_delimiters: vocabulary.delimiters().extra(),
        df: vocabulary.mode(),
        decoding: translator.options().clone(),
    });
    Ok(vec![(TOKENIZER, tokenizer), (WEIGHTS, weights)])
}

/// Loads a site's model, every file checked: rules and edits for their meaning, all others against
/// `model.json`.
pub fn load(folder: &Path) -> Result<LoadedModel> {
    load_from(&Source::at(folder)?)
}

/// What loading gives: what the folder says of the model, how its site writes URLs, and the model.
pub(crate) type LoadedModel = (ModelInfo, Option<Arc<UrlConventions>>, Model);

/// The same of a model wherever it is.
///
/// # Errors
///
/// What of it cannot be read, or cannot be served.
pub(crate) fn load_from(source: &Source) -> Result<LoadedModel> {
    let (info, folder) = (ModelInfo::of(source)?, source.path());
    let has_name_of_site = folder.file_name().is_none_or(|name| name == info.site.as_str());
    if !has_name_of_site {
        return Err(Error::at(folder.join(MODEL), ModelReason::OtherSite { site: info.site }));
    }
    let model = match info.kind {
        ModelKind::Identity => Model::Identity,
        ModelKind::TokenIdentity => Model::TokenIdentity,
        ModelKind::Rules => Model::Rules(load_rules(source, &info.method)?),
        ModelKind::Edits => Model::Edits(Box::new(load_edits(source)?)),
        ModelKind::Pointer => Model::Pointer(Box::new(load_pointer(source, &info)?)),
        ModelKind::Network => Model::Network(Box::new(load_network(source, &info)?)),
    };
    let conventions = load_conventions(source, &info)?.map(|mut conventions| {
        if let Model::Rules(rules) = &model {
            conventions.know(rules.rules().flat_map(|one| one.rule.argument_names()));
        }
        Arc::new(conventions)
    });
    Ok((info, conventions, model))
}

/// Nothing for a baseline.
fn load_conventions(source: &Source, info: &ModelInfo) -> Result<Option<UrlConventions>> {
    if matches!(info.kind, ModelKind::Identity | ModelKind::TokenIdentity) {
        return Ok(None);
    }
    let json = source.read_checked(CONVENTIONS, info)?;
    let wrong = |error| source.wrong(CONVENTIONS, ModelReason::Conventions { source: error });
    serde_json::from_slice(&json).map(Some).map_err(wrong)
}

fn load_rules(source: &Source, method: &str) -> Result<RuleSet> {
    parse(&source.read(RULES)?, method).map_err(|reason| source.wrong(RULES, reason))
}

fn load_edits(source: &Source) -> Result<Editor> {
    Editor::from_json(&source.read(GATE)?).map_err(|reason| source.wrong(GATE, reason))
}

fn load_network(source: &Source, info: &ModelInfo) -> Result<Translator> {
    let Some(NetworkInfo { shape, literals, extra_delimiters, df, decoding }) = &info.network
    else {
        return Err(source.wrong(MODEL, ModelReason::NotDescribed { what: "network" }));
    };
    let spelled = source.read_checked(TOKENIZER, info)?;
    let weights = source.read_checked(WEIGHTS, info)?;
    let no_words = |reason: WeightsReason| source.wrong(TOKENIZER, reason);
    let spellings = tokenizer::spellings(&spelled).map_err(no_words)?;
    let delimiters = Delimiters::with_extra(extra_delimiters);
    let vocabulary = Vocabulary::from_spellings(&spellings, *literals, delimiters, *df)
        .filter(|vocabulary| vocabulary.len() == shape.vocabulary)
        .ok_or_else(|| no_words(WeightsReason::OtherVocabulary))?;
    let weights = TranslatorWeights::from_bytes(&weights, *shape);
    let weights = weights.map_err(|reason| source.wrong(WEIGHTS, reason))?;
    Ok(Translator::new((vocabulary, spelled), weights, decoding.clone()))
}

fn load_pointer(source: &Source, info: &ModelInfo) -> Result<PointerTranslator> {
    let Some(PointerInfo { sizes, options }) = &info.pointer else {
        return Err(source.wrong(MODEL, ModelReason::NotDescribed { what: "pointer network" }));
    };
    let words = load_lexicon(source, info, (sizes.vocabulary, sizes.phrases))?;
    let weights = source.read_checked(WEIGHTS, info)?;
    let weights = PointerWeights::from_bytes(&weights, sizes);
    let weights = weights.map_err(|reason| source.wrong(WEIGHTS, reason))?;
    Ok(PointerTranslator::new(words, weights, *options))
}

/// What the symbols of a network stand for, as many as it has.
fn load_lexicon(source: &Source, info: &ModelInfo, sizes: (usize, usize)) -> Result<PointerWords> {
    let json = source.read_checked(LEXICON, info)?;
    let fail = |reason: WeightsReason| source.wrong(LEXICON, reason);
    let words: LexiconFile<'_> =
        serde_json::from_slice(&json).map_err(|source| fail(WeightsReason::Json { source }))?;
    let (lexicon, phrases) = (words.lexicon.into_owned(), words.phrases.into_owned());
    let mut shapes = words.shapes.into_owned();
    shapes.sort_unstable();
    if (lexicon.len(), phrases.len()) != sizes {
        return Err(fail(WeightsReason::OtherLexicon));
    }
    Ok(PointerWords { lexicon, phrases, shapes })
}
