//! Two taggers that propose edits, each for the shapes that it was not trained on.
//!
//! What a network says of a shape that it was trained on, it remembers; that is no evidence of
//! what it says elsewhere. So one half of all shapes, by a hash, trains the tagger that proposes
//! for the other half, in training as in use: the gate tests what will be served.

use serde::{Deserialize, Serialize};

use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::error::{ModelReason, RulesReason};

use super::diff::of_tags;
use super::edit::Edit;
use super::gate_record::shape_hash;
use super::literals::Literals;
use super::program::{Cell, MOST_PIECES, STAR, TextSource, symbols};
use crate::networks::tagger::weights::{TaggerSizes, TaggerWeights};
use crate::networks::tagger::{Tagger, TaggingOptions};

/// The two taggers.
#[derive(Debug)]
pub struct CrossFit(pub [Tagger; 2]);

/// Which half a shape is of. A model must always know which half trained a tagger and which half the tagger
/// is asked for, so the half follows from how the shape is spelled.
pub fn fold_of(shape: &[Symbol], lexicon: &Lexicon) -> usize {
    (shape_hash(shape, lexicon) & 1) as usize
}

/// What a folder says of the taggers, without their weights.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CrossFitInfo {
    /// What they may insert.
    pub phrases: Vec<String>,
    /// Their sizes.
    pub sizes: TaggerSizes,
    /// How they are used.
    pub options: TaggingOptions,
}

impl CrossFit {
    /// What a folder says of them, and the bytes of their weights.
    pub fn parts(&self) -> Result<(CrossFitInfo, [Vec<u8>; 2]), ModelReason> {
        let [first, second] = &self.0;
        let info = CrossFitInfo {
            phrases: first.phrases().to_vec(),
            sizes: first.weights().sizes(),
            options: first.options(),
        };
        Ok((info, [first.weights().to_bytes()?, second.weights().to_bytes()?]))
    }

    /// The taggers of a folder.
    pub fn from_parts(
        lexicon: &Lexicon,
        info: CrossFitInfo,
        weights: [&[u8]; 2],
    ) -> Result<Self, ModelReason> {
        if !info.sizes.is_usable()
            || info.sizes.vocabulary != lexicon.len()
            || info.sizes.phrases != info.phrases.len()
        {
            return Err(RulesReason::OtherWords.into());
        }
        let tagger = |bytes: &[u8]| -> Result<Tagger, ModelReason> {
            let weights = TaggerWeights::from_bytes(bytes, &info.sizes)?;
            Ok(Tagger::new(lexicon.clone(), info.phrases.clone(), weights, info.options))
        };
        let [first, second] = weights;
        Ok(Self([tagger(first)?, tagger(second)?]))
    }

    /// What is proposed for each program: single edits, and all together. The programs are read
    /// in batches.
    pub fn propose(
        &self,
        programs: &[&[Cell]],
        lexicon: &Lexicon,
        literals: &mut Literals,
    ) -> Vec<Vec<Edit>> {
        let shapes: Vec<Box<[Symbol]>> = programs.iter().map(|program| symbols(program)).collect();
        let mut proposed = vec![Vec::new(); programs.len()];
        for (number, tagger) in self.0.iter().enumerate() {
            let of_half = |place: &usize| {
                is_read(programs[*place]) && fold_of(&shapes[*place], lexicon) == number
            };
            let places: Vec<usize> = (0..shapes.len()).filter(of_half).collect();
            let asked: Vec<&[Symbol]> = places.iter().map(|place| &*shapes[*place]).collect();
            for (place, tags) in places.into_iter().zip(tagger.edits(&asked)) {
                let tags = tags.iter().map(|tag| {
                    let phrase = usize::from(tag.insert).checked_sub(1);
                    let phrase = phrase.and_then(|number| tagger.phrases().get(number));
                    (tag.keep, phrase.map_or("", String::as_str))
                });
                let edits = of_tags(&shapes[place], tags, lexicon, literals).unwrap_or_default();
                proposed[place] = with_joint(edits);
            }
        }
        proposed
    }
}

/// Whether a tagger can read a program: it knows no dropped slots.
fn is_read(program: &[Cell]) -> bool {
    program.len() <= MOST_PIECES
        && program.iter().all(|cell| !matches!(cell.text, TextSource::Literal(STAR)))
}

fn with_joint(mut edits: Vec<Edit>) -> Vec<Edit> {
    if edits.len() > 1 {
        edits.push(Edit::Joint(edits.clone().into()));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tagger that was trained on one half must not be asked for it as long as the model lives.
    #[test]
    fn shapes_stay_in_their_halves() {
        let lexicon = serde_json::json!({"words": ["a.test", "http", "story"], "names": []});
        let lexicon: Lexicon = serde_json::from_value(lexicon).expect("a lexicon");
        for (piece, number) in [
            ("7", 0),
            ("77", 0),
            ("777", 0),
            ("7777", 1),
            ("77777", 0),
            ("7777777", 0),
            ("0123456789ab", 0),
            ("Seven", 0),
            ("seven", 1),
            ("%C3%A4", 1),
        ] {
            let url = format!("http://a.test/story/{piece}");
            let (mut shape, mut texts) = (Vec::new(), Vec::new());
            lexicon.read(&url, &mut shape, &mut texts);
            assert_eq!(fold_of(&shape, &lexicon), number, "{piece}");
        }
    }
}
