//! Families: edits that are the same but for their words, as those of the months of a calendar are.
//!
//! Of many edits that are tried, some are tested well by chance. So what is known of the others of its family is known
//! outside each ([`outside`](super::law::outside)). And one of which little was tested is believed if its family is.

use rustc_hash::FxHashMap;

use undust_edits::edit::Edit;
use undust_edits::replacement::{ReplacementPiece, WORD, is_word};
use undust_url::lexicon::{Lexicon, Symbol};

use super::Round;
use super::candidate::CandidateKey;
use super::law::count_pages;
use crate::gate::forms::MoveEffect;

impl Round<'_> {
    /// What is known of the families of the candidates, anywhere. Linear in the URLs that each of them changes.
    pub(super) fn families(&self) -> FxHashMap<CandidateKey, MoveEffect> {
        let mut members: FxHashMap<Edit, Vec<CandidateKey>> = FxHashMap::default();
        let all = self.candidates.iter();
        let mut widest: Vec<CandidateKey> =
            all.filter(|(_, one)| one.above.is_none()).map(|(key, _)| key).collect();
        widest.sort_unstable();
        for key in widest {
            if let Some(skeleton) = skeleton(self.evidence.edit(key.0)) {
                members.entry(skeleton).or_default().push(key);
            }
        }
        let families = members.into_values().filter(|members| members.len() > 1);
        let known = families.flat_map(|members| {
            let evidence = self.family(&members);
            members.into_iter().map(move |key| (key, evidence))
        });
        known.collect()
    }

    fn family(&self, members: &[CandidateKey]) -> MoveEffect {
        let (mut all, mut family) = (Vec::new(), MoveEffect::default());
        for key in members {
            let look = self.look(&self.changes(*key));
            family.counts += look.effect.counts;
            family.tested_forms += look.effect.tested_forms;
            all.extend(look.moves);
        }
        count_pages(&mut family.counts, all.iter());
        family
    }
}

/// An edit without its words, if it has any; names of arguments stay.
fn skeleton(edit: &Edit) -> Option<Edit> {
    let bare = match edit {
        Edit::DropArgument(name, _) => Edit::DropArgument(*name, [WORD].into()),
        Edit::Replace { from, to } => {
            Edit::Replace { from: without_words(from), to: to.iter().map(without_word).collect() }
        }
        Edit::Joint(edits) => {
            let part = |edit: &Edit| skeleton(edit).unwrap_or_else(|| edit.clone());
            Edit::Joint(edits.iter().map(part).collect())
        }
        Edit::DropKey(_) | Edit::CutValue(..) | Edit::DropSlot(_) | Edit::DropPath => return None,
    };
    (bare != *edit).then_some(bare)
}

fn without_words(symbols: &[Symbol]) -> Box<[Symbol]> {
    let equals = Lexicon::delimiter("=");
    let bare = |(place, symbol): (usize, &Symbol)| {
        let is_name = symbols.get(place + 1).copied() == equals;
        if is_word(*symbol) && !is_name { WORD } else { *symbol }
    };
    symbols.iter().enumerate().map(bare).collect()
}

fn without_word(piece: &ReplacementPiece) -> ReplacementPiece {
    match piece {
        ReplacementPiece::Literal(symbol, _) if is_word(*symbol) => {
            ReplacementPiece::Literal(WORD, 0)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use undust_edits::replacement::ANY;

    use super::*;

    /// A site whose words are `01`, `02` and `month`.
    fn lexicon() -> Lexicon {
        let json = serde_json::json!({"words": ["01", "02"], "names": ["month"]});
        serde_json::from_value(json).expect("a lexicon")
    }

    #[test]
    fn months_are_a_family_and_names_of_arguments_stay() {
        let lexicon = lexicon();
        let [one, two] = ["01", "02"].map(|word| lexicon.word(word).expect("a word"));
        let month = lexicon.key("month").expect("a name");
        let [slash, equals] = ["/", "="].map(|text| Lexicon::delimiter(text).expect("a delimiter"));
        let replace = |from: &[Symbol], to: &[ReplacementPiece]| Edit::Replace {
            from: from.into(),
            to: to.into(),
        };
        let dropped = |word| skeleton(&replace(&[ANY, slash, word, slash], &[]));
        assert_eq!(dropped(one), Some(replace(&[ANY, slash, WORD, slash], &[])));
        assert_eq!(dropped(one), dropped(two));
        let swapped = |from, to| {
            let kept = [ReplacementPiece::Keep(0), ReplacementPiece::Keep(1)];
            let [name, sign] = kept;
            replace(&[month, equals, from], &[name, sign, ReplacementPiece::Literal(to, 7)])
        };
        let family = skeleton(&swapped(one, two)).expect("a family");
        assert_eq!(skeleton(&swapped(two, one)), Some(family.clone()));
        let Edit::Replace { from, .. } = family else { panic!("a replacement") };
        assert_eq!(*from, [month, equals, WORD]);
        let valued = |word| skeleton(&Edit::DropArgument(month, [word].into()));
        assert_eq!(valued(one), valued(two));
        assert_eq!(skeleton(&Edit::DropKey(month)), None);
        assert_eq!(skeleton(&replace(&[ANY, slash], &[])), None);
    }
}
