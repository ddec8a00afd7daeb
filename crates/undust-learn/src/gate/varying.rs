//! What differs between two URLs of one shape that show one page, dropped as a whole.
//!
//! A session identifier and a zoom that always come together differ in every pair of URLs of one page. No canonical
//! URL lacks either, and neither can go alone: the pair proposes that both go.

use undust_edits::diff::ReadUrl;
use undust_edits::edit::Edit;
use undust_edits::program::{FRONT, arguments, copy, path_end};
use undust_edits::replacement::{ANY, ReplacementPiece};
use undust_url::lexicon::{Lexicon, Symbol};

/// The edits that drop what differs, to be made together; none where the shapes differ. Linear in the pieces.
pub(super) fn varying(source: &ReadUrl<'_>, target: &ReadUrl<'_>) -> Vec<Edit> {
    let front = |url: &ReadUrl<'_>| url.texts.get(..FRONT).map(<[&str]>::concat);
    if source.shape != target.shape || front(source) != front(target) {
        return Vec::new();
    }
    let program = copy(&source.shape);
    let differs = |place: usize| source.texts.get(place) != target.texts.get(place);
    // From behind, so that what stands before keeps its place.
    let slots = (FRONT..path_end(&program)).rev().filter(|place| differs(*place));
    let slots = slots.map(|place| Edit::DropSlot(place as u16));
    let values = arguments(&program).into_iter().filter_map(|(start, end)| {
        let places: Vec<usize> = (start..end).filter(|place| differs(*place)).collect();
        let is_argument = |place: &usize| Lexicon::is_argument(source.shape[*place]);
        let all = (start + 1..end).filter(is_argument).count();
        match places.len() {
            0 => None,
            some if some == all => Some(Edit::DropKey(source.shape[start])),
            _ => Some(without(&source.shape[start..=*places.last()?], start, &places)),
        }
    });
    slots.chain(values).collect()
}

/// Drops pieces of a value, given from its name on.
fn without(shape: &[Symbol], start: usize, places: &[usize]) -> Edit {
    let kind = |symbol: &Symbol| if Lexicon::is_argument(*symbol) { ANY } else { *symbol };
    let kept = (0..shape.len()).filter(|place| !places.contains(&(start + place)));
    Edit::Replace {
        from: shape.iter().map(kind).collect(),
        to: kept.map(|place| ReplacementPiece::Keep(place as u16)).collect(),
    }
}
