//! `tokenizer.json`: the vocabulary as a Hugging Face `tokenizers` file, a WordLevel tokenizer
//! over words set apart by spaces. Training writes it; only the spellings are read.

use std::collections::HashMap;

use serde::Deserialize;

/// What is read of the file. A WordLevel model holds its whole vocabulary, special symbols
/// included, so reading it needs no tokenizer.
#[derive(Deserialize)]
struct File {
    model: WordLevelModel,
}

#[derive(Deserialize)]
struct WordLevelModel {
    vocab: HashMap<String, usize>,
}

/// The spellings that such a file holds, by symbol.
pub fn spellings(json: &[u8]) -> Result<Vec<String>, String> {
    let file: File = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    let mut spellings = vec![None; file.model.vocab.len()];
    for (spelling, id) in file.model.vocab {
        let place = spellings.get_mut(id).ok_or_else(|| format!("`{spelling}` is symbol {id}"))?;
        *place = Some(spelling);
    }
    let known = |(id, spelling): (usize, Option<String>)| {
        spelling.ok_or_else(|| format!("symbol {id} has no spelling"))
    };
    spellings.into_iter().enumerate().map(known).collect()
}
