//! The files of a network: its vocabulary and its weights.

use std::path::Path;

use super::{File, ModelInfo, NetworkTraining, TOKENIZER, WEIGHTS, folder};
use crate::seq2seq::{Serving, Trained, Translator, Weights, spellings, to_json};
use crate::url::Symbols;
use crate::{Error, Result};

/// The files of a network; `info` is told of them.
pub fn files(info: &mut ModelInfo, trained: &Trained) -> Result<Vec<File>, String> {
    let symbols = trained.translator.symbols();
    let tokenizer = to_json(symbols)?.into_bytes();
    let files = vec![(TOKENIZER, tokenizer), (WEIGHTS, trained.weights.to_bytes()?)];
    info.network = Some(trained.weights.shape());
    info.literals = Some(symbols.literals());
    info.training.network = Some(NetworkTraining {
        pairs: trained.counts,
        templates: trained.templates,
        report: trained.report.clone(),
    });
    let sums = files.iter().map(|(name, bytes)| ((*name).to_owned(), folder::sha256(bytes)));
    info.sha256 = sums.collect();
    Ok(files)
}

/// Loads the network that `info` describes.
pub fn load(place: &Path, info: &ModelInfo) -> Result<Translator> {
    let checked = |name: &str| folder::read_checked(&place.join(name), info.sha256.get(name));
    let fail = |name: &str| {
        let path = place.join(name);
        move |reason: &str| Error::Model { path, reason: reason.to_owned() }
    };
    let Some((shape, literals)) = info.network.zip(info.literals) else {
        return Err(fail(super::MODEL)("describes no network"));
    };
    let (tokenizer, weights) = (checked(TOKENIZER)?, checked(WEIGHTS)?);
    let tokens = &info.config.tokens;
    let spellings = spellings(&tokenizer).map_err(|reason| fail(TOKENIZER)(reason.as_str()))?;
    let symbols = Symbols::from_spellings(&spellings, literals, tokens.delimiters(), tokens.df)
        .filter(|symbols| symbols.len() == shape.vocabulary)
        .ok_or_else(|| fail(TOKENIZER)("does not hold the vocabulary that model.json describes"))?;
    let weights =
        Weights::from_bytes(&weights, shape).map_err(|reason| fail(WEIGHTS)(reason.as_str()))?;
    Ok(Translator::new(symbols, weights.decoder(), Serving::of(&info.config)))
}
