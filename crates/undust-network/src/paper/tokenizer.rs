//! The vocabulary as a Hugging Face `tokenizers` file, so that other tools can read the
//! templates of a model: a WordLevel tokenizer over words set apart by spaces.

use std::fmt;

use undust_url::template::Vocabulary;

use crate::error::NetworkReason;

/// The vocabulary as `tokenizer.json` holds it.
pub(crate) fn to_json(vocabulary: &Vocabulary) -> Result<Vec<u8>, NetworkReason> {
    use tokenizers::models::wordlevel::WordLevel;
    use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;
    use tokenizers::{AddedToken, Tokenizer};
    let ids = vocabulary.spellings().iter().zip(0..).map(|(spelling, id)| (spelling.clone(), id));
    let model = WordLevel::builder()
        .vocab(ids.collect())
        .unk_token("[UNK]".into())
        .build()
        .map_err(unwritable)?;
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_pre_tokenizer(Some(WhitespaceSplit));
    let special = ["[PAD]", "[GO]", "[EOS]", "[UNK]"].map(|text| AddedToken::from(text, true));
    tokenizer.add_special_tokens(special).map_err(unwritable)?;
    tokenizer.to_string(true).map(String::into_bytes).map_err(unwritable)
}

fn unwritable(error: impl fmt::Display) -> NetworkReason {
    NetworkReason::Tokenizer { detail: error.to_string() }
}

#[cfg(test)]
mod tests {
    use tokenizers::Tokenizer;

    use undust_decoder::tokenizer::spellings;
    use undust_url::frequency::{DfMode, DocumentFrequencies, FunctionRule};
    use undust_url::template::Reading;
    use undust_url::tokens::Delimiters;

    use super::*;

    #[test]
    fn other_programs_read_templates_as_we_do() {
        let urls: Vec<_> =
            (0..50).map(|n| format!("http://s.com/users/{n}?tab={n}.html")).collect();
        let delimiters = Delimiters::default();
        let df =
            DocumentFrequencies::count(urls.iter().map(String::as_str), delimiters, DfMode::Typed);
        let rule = FunctionRule { threshold: 0.01, key_threshold: 0.001, mode: DfMode::Typed };
        let vocabulary = Vocabulary::learn(&df, &rule);
        let mut reading = Reading::default();
        vocabulary.read(&urls[7], &mut reading);
        let spelled: Vec<_> = reading
            .template
            .iter()
            .map(|id| vocabulary.spellings()[*id as usize].as_str())
            .collect();
        let spelled = spelled.join(" ");
        assert_eq!(spelled, "http: s.com users arg1 ? ?tab = arg2 . html");
        let json = to_json(&vocabulary).expect("a tokenizer");
        let tokenizer = Tokenizer::from_bytes(&json).expect("a tokenizer");
        let encoded = tokenizer.encode(spelled, false).expect("an encoding");
        assert_eq!(encoded.get_ids(), reading.template);
        assert_eq!(spellings(&json).expect("spellings"), vocabulary.spellings());
    }
}
