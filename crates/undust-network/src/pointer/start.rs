//! Weights to start training from: those of a base network, for the words and phrases of a site.

use undust_model::networks::matrix::Matrix;
use undust_model::networks::pointer::PointerTranslator;
use undust_model::networks::pointer::weights::PointerWeights;
use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::error::TrainingReason;

use super::examples::Examples;

/// The weights of `base`, where it knows what they belong to, and `random` ones elsewhere. A word that
/// it does not know starts as the kind of argument that the word would be.
///
/// # Errors
///
/// Networks of different sizes.
pub(crate) fn from_base(
    base: &PointerTranslator,
    examples: &Examples,
    random: &PointerWeights,
) -> Result<PointerWeights, TrainingReason> {
    let known = base.weights();
    let (ours, theirs) = (random.sizes(), known.sizes());
    if (ours.embedding, ours.hidden) != (theirs.embedding, theirs.hidden) {
        let (embedding, hidden) = (theirs.embedding, theirs.hidden);
        return Err(TrainingReason::BaseSizes { embedding, hidden });
    }
    let mut weights = PointerWeights {
        embedding: random.embedding.clone(),
        inserted: random.inserted.clone(),
        phrases: random.phrases.clone(),
        ..known.clone()
    };
    for symbol in 0..examples.lexicon.len() as Symbol {
        let row = known.embedding.row(as_base(symbol, &examples.lexicon, base.lexicon()) as usize);
        weights.embedding.row_mut(symbol as usize).copy_from_slice(row);
    }
    copy_row(&known.inserted, 0, &mut weights.inserted, 0);
    for (number, phrase) in examples.phrases.iter().enumerate() {
        if let Some(place) = base.phrases().iter().position(|known| known == phrase) {
            copy_row(&known.inserted, place + 1, &mut weights.inserted, number + 1);
            copy_row(&known.phrases, place, &mut weights.phrases, number);
        }
    }
    Ok(weights)
}

/// A symbol of a site as the base network knows it. Kinds and delimiters are the same everywhere.
fn as_base(symbol: Symbol, site: &Lexicon, base: &Lexicon) -> Symbol {
    if !Lexicon::is_word(symbol) {
        return symbol;
    }
    let text = site.spell(symbol);
    let known = if site.is_key(symbol) { base.key(&text) } else { base.word(&text) };
    known.unwrap_or_else(|| site.as_argument(symbol))
}

fn copy_row(from: &Matrix, row: usize, to: &mut Matrix, into: usize) {
    to.row_mut(into).copy_from_slice(from.row(row));
}
