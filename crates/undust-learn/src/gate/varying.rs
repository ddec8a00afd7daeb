//! What differs between two URLs of one page, dropped as a whole.
//!
//! A session identifier and a zoom that always come together differ in every pair of URLs of one page. No canonical
//! URL lacks either, and neither can go alone: the pair proposes that both go.

use std::ops::Range;

use undust_edits::diff::ReadUrl;
use undust_edits::edit::Edit;
use undust_edits::program::{FRONT, arguments, copy, path_end};
use undust_edits::replacement::{ReplacementPiece, any_kind};
use undust_url::lexicon::{Lexicon, Symbol};

/// The edits that drop what differs, to be made together; none where paths or queries are not built alike. Linear in
/// the pieces.
pub(super) fn varying(source: &ReadUrl<'_>, target: &ReadUrl<'_>) -> Vec<Edit> {
    let Some(mut edits) = slots(source, target) else { return Vec::new() };
    let [queries, others] = [source, target].map(|url| arguments(&copy(&url.shape)));
    let name = |url: &ReadUrl<'_>, span: &(usize, usize)| url.shape.get(span.0).copied();
    let names = queries.iter().map(|span| name(source, span));
    if !names.eq(others.iter().map(|span| name(target, span))) {
        return Vec::new();
    }
    for (one, other) in queries.iter().zip(&others) {
        let (value, of_target) = (&source.texts[one.0..one.1], &target.texts[other.0..other.1]);
        if value != of_target {
            edits.push(dropped(source, one.0..one.1, of_target));
        }
    }
    edits
}

/// The slots of the path that differ; none where the paths are not built alike. From behind, so that what stands before
/// keeps its place.
fn slots(source: &ReadUrl<'_>, target: &ReadUrl<'_>) -> Option<Vec<Edit>> {
    let [end, other] = [source, target].map(|url| path_end(&copy(&url.shape)));
    let is_delimiter = |symbol: &Symbol| Lexicon::is_delimiter(*symbol);
    let alike = end == other
        && source.texts.get(..FRONT) == target.texts.get(..FRONT)
        && (0..end).all(|place| {
            let [one, other] = [source, target].map(|url| url.shape[place]);
            one == other || !is_delimiter(&one) && !is_delimiter(&other)
        });
    let places = (FRONT..end).rev().filter(|place| source.texts[*place] != target.texts[*place]);
    alike.then(|| places.map(|place| Edit::DropSlot(place as u16)).collect())
}

/// Drops an argument, or of a value that is partly the same the pieces that are not.
fn dropped(source: &ReadUrl<'_>, span: Range<usize>, of_target: &[&str]) -> Edit {
    let drop_key = Edit::DropKey(source.shape[span.start]);
    let (value, shape) = (&source.texts[span.clone()], &source.shape[span]);
    if value.len() != of_target.len() {
        return drop_key;
    }
    let differs = |place: usize| value[place] != of_target[place];
    let (differing, same): (Vec<usize>, Vec<usize>) = (1..shape.len())
        .filter(|place| !Lexicon::is_delimiter(shape[*place]))
        .partition(|place| differs(*place));
    match differing.last() {
        Some(last) if !same.is_empty() => without(&shape[..=*last], &differing),
        _ => drop_key,
    }
}

/// Drops pieces of a value, given from its name on.
fn without(shape: &[Symbol], places: &[usize]) -> Edit {
    let kept = (0..shape.len()).filter(|place| !places.contains(place));
    Edit::Replace {
        from: shape.iter().copied().map(any_kind).collect(),
        to: kept.map(|place| ReplacementPiece::Keep(place as u16)).collect(),
    }
}
