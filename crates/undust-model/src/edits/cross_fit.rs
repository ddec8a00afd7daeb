//! Two networks that propose edits, each for the shapes that it was not trained on.
//!
//! What a network says of a shape that it was trained on, it remembers; that is no evidence of
//! what it says elsewhere. So one half of all shapes, by a hash, trains the network that proposes
//! for the other half, in training as in use: the gate tests what will be served.

use serde::{Deserialize, Serialize};

use undust_url::lexicon::{Lexicon, Symbol};
use undust_util::error::{ModelReason, RulesReason};

use super::diff::{InsertedText, of_tags};
use super::edit::Edit;
use super::gate_record::shape_hash;
use super::literals::Literals;
use super::program::{Cell, MOST_PIECES, STAR, TextSource, symbols};
use crate::networks::pointer::decode::{Decoded, Written};
use crate::networks::pointer::weights::{PointerSizes, PointerWeights};
use crate::networks::pointer::{PointerOptions, PointerTranslator, PointerWords};
use crate::networks::tagger::labels::Tag;
use crate::networks::tagger::weights::{TaggerSizes, TaggerWeights};
use crate::networks::tagger::{Tagger, TaggingOptions};

/// The two networks, which may insert the same phrases.
#[derive(Debug)]
pub enum CrossFit {
    /// Two edit taggers.
    Tagger(Box<[Tagger; 2]>),
    /// Two pointer networks.
    Pointer(Box<[PointerTranslator; 2]>),
}

/// Which half a shape is of. A model must always know which half trained a network and which half the network
/// is asked for, so the half follows from how the shape is spelled.
pub fn fold_of(shape: &[Symbol], lexicon: &Lexicon) -> usize {
    (shape_hash(shape, lexicon) & 1) as usize
}

/// What a folder says of the networks, without their weights.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CrossFitInfo {
    /// Two edit taggers.
    Tagger {
        /// What they may insert.
        phrases: Vec<String>,
        /// Their sizes.
        sizes: TaggerSizes,
        /// How they are used.
        options: TaggingOptions,
    },
    /// Two pointer networks.
    Pointer {
        /// What they may insert.
        phrases: Vec<String>,
        /// Their sizes.
        sizes: PointerSizes,
        /// How they are used.
        options: PointerOptions,
    },
}

/// What becomes of each piece of a shape, and of its end: whether it stays, and what is inserted before it.
type ShapeTags = Vec<(bool, InsertedText)>;

impl CrossFit {
    /// What they may insert.
    pub fn phrases(&self) -> &[String] {
        match self {
            Self::Tagger(taggers) => taggers[0].phrases(),
            Self::Pointer(translators) => translators[0].phrases(),
        }
    }

    /// What a folder says of them, and the bytes of their weights.
    pub fn parts(&self) -> Result<(CrossFitInfo, [Vec<u8>; 2]), ModelReason> {
        let phrases = self.phrases().to_vec();
        let (info, [first, second]) = match self {
            Self::Tagger(taggers) => {
                let weights = taggers.each_ref().map(Tagger::weights);
                let (sizes, options) = (weights[0].sizes(), taggers[0].options());
                let info = CrossFitInfo::Tagger { phrases, sizes, options };
                (info, weights.map(TaggerWeights::to_bytes))
            }
            Self::Pointer(translators) => {
                let weights = translators.each_ref().map(PointerTranslator::weights);
                let (sizes, options) = (weights[0].sizes(), translators[0].options());
                let info = CrossFitInfo::Pointer { phrases, sizes, options };
                (info, weights.map(PointerWeights::to_bytes))
            }
        };
        Ok((info, [first?, second?]))
    }

    /// The networks of a folder.
    ///
    /// # Errors
    ///
    /// Sizes that no network has, words or weights that do not match them, a `min_probability` that
    /// is no probability.
    pub fn from_parts(
        lexicon: &Lexicon,
        info: CrossFitInfo,
        [first, second]: [&[u8]; 2],
    ) -> Result<Self, ModelReason> {
        match info {
            CrossFitInfo::Tagger { phrases, sizes, options } => {
                check(sizes.is_usable(), ModelReason::ImpossibleSize)?;
                check_words(lexicon, &phrases, sizes.vocabulary, sizes.phrases)?;
                let tagger = |bytes: &[u8]| -> Result<Tagger, ModelReason> {
                    let weights = TaggerWeights::from_bytes(bytes, &sizes)?;
                    Ok(Tagger::new(lexicon.clone(), phrases.clone(), weights, options))
                };
                Ok(Self::Tagger(Box::new([tagger(first)?, tagger(second)?])))
            }
            CrossFitInfo::Pointer { phrases, sizes, options } => {
                check(sizes.is_usable(), ModelReason::ImpossibleSize)?;
                check_words(lexicon, &phrases, sizes.vocabulary, sizes.phrases)?;
                check(options.is_usable(), ModelReason::NoProbability)?;
                let translator = |bytes: &[u8]| -> Result<PointerTranslator, ModelReason> {
                    let weights = PointerWeights::from_bytes(bytes, &sizes)?;
                    let (lexicon, phrases) = (lexicon.clone(), phrases.clone());
                    let words = PointerWords { lexicon, phrases, shapes: Vec::new() };
                    Ok(PointerTranslator::new(words, weights, options))
                };
                Ok(Self::Pointer(Box::new([translator(first)?, translator(second)?])))
            }
        }
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
        for half in 0..2 {
            let of_half = |place: &usize| {
                is_read(programs[*place]) && fold_of(&shapes[*place], lexicon) == half
            };
            let places: Vec<usize> = (0..shapes.len()).filter(of_half).collect();
            let asked: Vec<&[Symbol]> = places.iter().map(|place| &*shapes[*place]).collect();
            for (place, tags) in places.into_iter().zip(self.tags(half, &asked)) {
                let edits = tags.and_then(|tags| of_tags(&shapes[place], &tags, lexicon, literals));
                proposed[place] = with_joint(edits.unwrap_or_default());
            }
        }
        proposed
    }

    /// What the network of a half says of shapes; nothing where pieces would change their order, which is no
    /// edit.
    fn tags(&self, half: usize, shapes: &[&[Symbol]]) -> Vec<Option<ShapeTags>> {
        match self {
            Self::Tagger(taggers) => {
                let tags = taggers[half].edits(shapes).into_iter();
                tags.map(|tags| Some(spelled_tags(&tags, self.phrases()))).collect()
            }
            Self::Pointer(translators) => {
                let translator = &translators[half];
                let least = translator.options().min_probability;
                let decoded = translator.decode(shapes).into_iter().zip(shapes);
                let tags = |decoded: Option<Decoded>, shape: &[Symbol]| {
                    let decoded = decoded.filter(|decoded| decoded.probability >= least)?;
                    tags_of(&decoded.written, shape.len(), self.phrases())
                };
                decoded.map(|(decoded, shape)| tags(decoded, shape)).collect()
            }
        }
    }
}

/// Whether networks have the words and phrases that they are saved with.
fn check_words(
    lexicon: &Lexicon,
    phrases: &[String],
    vocabulary: usize,
    most_phrases: usize,
) -> Result<(), ModelReason> {
    let is_same = vocabulary == lexicon.len() && most_phrases == phrases.len();
    check(is_same, RulesReason::OtherWords.into())
}

fn check(holds: bool, reason: ModelReason) -> Result<(), ModelReason> {
    if holds { Ok(()) } else { Err(reason) }
}

/// Tags with the texts of their phrases.
fn spelled_tags(tags: &[Tag], phrases: &[String]) -> ShapeTags {
    let spelled = |tag: &Tag| {
        let phrase = usize::from(tag.insert).checked_sub(1);
        let phrase = phrase.and_then(|number| phrases.get(number)).cloned();
        (tag.keep, phrase.unwrap_or_default())
    };
    tags.iter().map(spelled).collect()
}

/// What a pointer network writes, as tags; nothing where it moves a piece or writes one twice.
fn tags_of(written: &[Written], pieces: usize, phrases: &[String]) -> Option<ShapeTags> {
    let mut tags = vec![(false, String::new()); pieces + 1];
    let mut next = 0;
    for written in written {
        match *written {
            Written::Copy(place) => {
                let place = usize::from(place);
                if place < next || place >= pieces {
                    return None;
                }
                tags[place].0 = true;
                next = place + 1;
            }
            Written::Phrase(number) => tags[next].1 += phrases.get(usize::from(number))?,
        }
    }
    Some(tags)
}

/// Whether a network can read a program: it knows no dropped slots.
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

    /// What is inserted stands before the piece that follows; what moves is no edit.
    #[test]
    fn what_is_copied_in_order_is_tags() {
        let phrases = ["~".to_owned(), "x".to_owned()];
        let tags = |written: &[Written]| tags_of(written, 3, &phrases);
        let [first, second, third] = [0, 1, 2].map(Written::Copy);
        let [tilde, x] = [0, 1].map(Written::Phrase);
        let kept = (true, String::new());
        let dropped = (false, String::new());
        assert_eq!(
            tags(&[first, tilde, x, third]),
            Some(vec![kept.clone(), (false, "~x".into()), kept.clone(), dropped.clone()])
        );
        assert_eq!(
            tags(&[first, second, third]),
            Some(vec![kept.clone(), kept.clone(), kept, dropped])
        );
        for moved in [
            vec![second, first],
            vec![first, first],
            vec![Written::Copy(3)],
            vec![Written::Phrase(2)],
        ] {
            assert_eq!(tags(&moved), None, "{moved:?}");
        }
    }

    /// A network that was trained on one half must not be asked for it as long as the model lives.
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
