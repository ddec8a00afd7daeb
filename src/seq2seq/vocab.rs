//! The vocabulary as a Hugging Face `tokenizers` file, so that other tools can read the
//! templates of a model: a WordLevel tokenizer over words set apart by spaces.

use tokenizers::models::wordlevel::WordLevel;
use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;
use tokenizers::{AddedToken, Tokenizer};

use crate::url::Symbols;

/// The vocabulary as `tokenizer.json` holds it.
pub fn to_json(symbols: &Symbols) -> Result<String, String> {
    let vocabulary =
        symbols.spellings().iter().zip(0..).map(|(spelling, id)| (spelling.clone(), id));
    let model = WordLevel::builder()
        .vocab(vocabulary.collect())
        .unk_token("[UNK]".into())
        .build()
        .map_err(|error| error.to_string())?;
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_pre_tokenizer(Some(WhitespaceSplit));
    let special = ["[PAD]", "[GO]", "[EOS]", "[UNK]"].map(|text| AddedToken::from(text, true));
    tokenizer.add_special_tokens(special).map_err(|error| error.to_string())?;
    tokenizer.to_string(true).map_err(|error| error.to_string())
}

/// The spellings that such a file holds, by symbol.
pub fn spellings(json: &[u8]) -> Result<Vec<String>, String> {
    let tokenizer = Tokenizer::from_bytes(json).map_err(|error| error.to_string())?;
    let size = tokenizer.get_vocab_size(true) as u32;
    let spelling =
        |id| tokenizer.id_to_token(id).ok_or_else(|| format!("symbol {id} has no spelling"));
    (0..size).map(spelling).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::{Delimiters, DfMode, DocumentFrequencies, FunctionRule, Reading};

    #[test]
    fn other_programs_read_templates_as_we_do() {
        let urls: Vec<_> =
            (0..50).map(|n| format!("http://s.com/users/{n}?tab={n}.html")).collect();
        let delimiters = Delimiters::default();
        let df =
            DocumentFrequencies::count(urls.iter().map(String::as_str), delimiters, DfMode::Typed);
        let rule = FunctionRule { threshold: 0.01, key_threshold: 0.001, mode: DfMode::Typed };
        let symbols = Symbols::learn(&df, &rule);
        let mut reading = Reading::default();
        symbols.read(&urls[7], &mut reading);
        let spelled: Vec<_> =
            reading.template.iter().map(|id| symbols.spellings()[*id as usize].as_str()).collect();
        let spelled = spelled.join(" ");
        assert_eq!(spelled, "http: s.com users arg1 ? ?tab = arg2 . html");
        let json = to_json(&symbols).expect("a tokenizer");
        let tokenizer = Tokenizer::from_bytes(&json).expect("a tokenizer");
        let encoded = tokenizer.encode(spelled, false).expect("an encoding");
        assert_eq!(encoded.get_ids(), reading.template);
        assert_eq!(spellings(json.as_bytes()).expect("spellings"), symbols.spellings());
    }
}
