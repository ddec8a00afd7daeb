//! `tokenizer.json`: the vocabulary as a Hugging Face `tokenizers` file, a WordLevel tokenizer
//! over words set apart by spaces. Training writes it; only the spellings are read.

use std::collections::HashMap;

use serde::Deserialize;

use crate::error::WeightsReason;

/// What is read of the file. A WordLevel model holds its whole vocabulary, special symbols
/// included, so reading it needs no tokenizer.
#[derive(Deserialize)]
struct TokenizerFile {
    model: WordLevelModel,
}

#[derive(Deserialize)]
struct WordLevelModel {
    vocab: HashMap<String, usize>,
}

/// The spellings that such a file holds, by symbol.
pub fn spellings(json: &[u8]) -> Result<Vec<String>, WeightsReason> {
    let file: TokenizerFile =
        serde_json::from_slice(json).map_err(|source| WeightsReason::Json { source })?;
    let mut spellings = vec![None; file.model.vocab.len()];
    for (spelling, symbol) in file.model.vocab {
        let Some(place) = spellings.get_mut(symbol) else {
            return Err(WeightsReason::UnknownSymbol { spelling, symbol });
        };
        *place = Some(spelling);
    }
    let known = |(symbol, spelling): (usize, Option<String>)| {
        spelling.ok_or(WeightsReason::NoSpelling { symbol })
    };
    spellings.into_iter().enumerate().map(known).collect()
}
