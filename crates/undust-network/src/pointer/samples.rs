//! What a trained pointer network writes: answers and mistakes, for a person who looks at the model.

use rustc_hash::FxHashMap;

use undust_decoder::pointer::decode::{Decoded, Written};
use undust_decoder::pointer::{PointerTranslator, spelled, spelled_target, written_out};
use undust_learn::report::network::{Answer, Mistake, Samples};
use undust_url::lexicon::{Lexicon, Symbol};

use super::examples::{Example, unchanged};

/// Answers that a report keeps.
const MOST_ANSWERS: usize = 20;
/// Mistakes that a report keeps.
const MOST_MISTAKES: usize = 10;
/// Shapes of training that are decoded at once, until enough of them change.
const DECODED: usize = 256;

/// Decodes, as serving does, the most frequent shapes of training and all that are held out.
pub(crate) fn samples(
    translator: &PointerTranslator,
    train: &[Example],
    held_out: &[Example],
) -> Samples {
    let mut mistakes = mistakes(translator, held_out);
    let wrong = mistakes.len();
    mistakes.truncate(MOST_MISTAKES);
    let answers = answers(translator, train);
    Samples { answers, held_out: held_out.len(), wrong, mistakes }
}

/// The answers for the most frequent shapes that the network changes.
fn answers(translator: &PointerTranslator, train: &[Example]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for some in by_frequency(translator.lexicon(), train).chunks(DECODED) {
        let decoded = some.iter().zip(translator.decode(some));
        answers.extend(decoded.filter_map(|(shape, decoded)| {
            let Decoded { written, probability } = decoded?;
            differ(translator, shape, &written, &unchanged(shape.len())).then(|| Answer {
                shape: spelled(translator.lexicon(), shape),
                written: spell(translator, shape, &written),
                probability: rounded(probability),
            })
        }));
        if answers.len() >= MOST_ANSWERS {
            break;
        }
    }
    answers.truncate(MOST_ANSWERS);
    answers
}

/// The shapes by how many pairs of URLs have them, equally frequent ones by their texts.
fn by_frequency<'e>(lexicon: &Lexicon, examples: &'e [Example]) -> Vec<&'e [Symbol]> {
    let mut counts: FxHashMap<&[Symbol], f64> = FxHashMap::default();
    for example in examples {
        *counts.entry(&example.shape).or_default() += example.count;
    }
    let mut shapes: Vec<(&[Symbol], f64)> = counts.into_iter().collect();
    shapes.sort_by_cached_key(|(shape, _)| (spelled(lexicon, shape), *shape));
    shapes.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    shapes.into_iter().map(|(shape, _)| shape).collect()
}

/// The held-out examples for which the network writes another URL than the right one, those that it
/// is surest of first.
fn mistakes(translator: &PointerTranslator, held_out: &[Example]) -> Vec<Mistake> {
    let shapes: Vec<&[Symbol]> = held_out.iter().map(|example| &*example.shape).collect();
    let decoded = held_out.iter().zip(translator.decode(&shapes));
    let wrong = decoded.filter_map(|(Example { shape, target, .. }, decoded)| {
        let Decoded { written, probability } = decoded?;
        differ(translator, shape, &written, target).then(|| Mistake {
            shape: spelled(translator.lexicon(), shape),
            written: spell(translator, shape, &written),
            right: spell(translator, shape, target),
            probability: rounded(probability),
        })
    });
    let mut mistakes: Vec<Mistake> = wrong.collect();
    mistakes.sort_by(|a, b| {
        let by_text = || (&a.shape, &a.written, &a.right).cmp(&(&b.shape, &b.written, &b.right));
        b.probability.total_cmp(&a.probability).then_with(by_text)
    });
    mistakes
}

fn spell(translator: &PointerTranslator, shape: &[Symbol], written: &[Written]) -> String {
    spelled_target(translator.lexicon(), translator.phrases(), shape, written)
}

/// Whether what is written gives different URLs. A `/` is the same from whichever place it is
/// copied; an argument is not.
fn differ(
    translator: &PointerTranslator,
    shape: &[Symbol],
    one: &[Written],
    other: &[Written],
) -> bool {
    let text = |(place, symbol): (usize, &Symbol)| match Lexicon::is_argument(*symbol) {
        true => format!("<{place}>"),
        false => translator.lexicon().spell(*symbol).into_owned(),
    };
    let texts: Vec<String> = shape.iter().enumerate().map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let url = |written| written_out(written, &texts, translator.phrases());
    one != other && url(one) != url(other)
}

/// A probability with as many digits as a person reads.
fn rounded(probability: f32) -> f64 {
    (f64::from(probability) * 1e6).round() / 1e6
}
