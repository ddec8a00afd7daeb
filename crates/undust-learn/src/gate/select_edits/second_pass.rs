//! What differs yet between pages' forms once edits are accepted, proposed as edits of those forms.
//!
//! An edit that saves much may leave what no difference of two URLs shows: where any version of
//! `/r/7/diff/2/` is `/r/7/diff/*/`, that and `/r/7/diff/` are two forms of one page still.

use undust_edits::diff::ReadUrl;
use undust_edits::literals::Literals;
use undust_edits::program::{STAR, TextSource};
use undust_edits::replacement::DROPPED;
use undust_url::lexicon::Lexicon;

use super::accepted_edits::AcceptedEdits;
use super::evidence::Evidence;
use crate::gate::propose::Differences;
use crate::training::TrainingSet;

/// The differences of pages' forms and those of their canonical URLs. Linear in the URLs.
pub(super) fn differences(
    evidence: &Evidence,
    accepted: &AcceptedEdits,
    set: &TrainingSet<'_>,
    lexicon: &Lexicon,
    literals: &mut Literals,
) -> Differences {
    let mut shape_of = vec![0; set.pages().len()];
    for (place, row) in (0..).zip(&evidence.rows.shapes) {
        row.urls.iter().for_each(|url| shape_of[*url as usize] = place);
    }
    let written = literals.clone();
    let read = |page: usize| {
        let url = ReadUrl::of(&set.pages()[page].url, lexicon);
        let mut form = ReadUrl::default();
        for cell in accepted.program(shape_of[page]) {
            let (symbol, text) = match cell.text {
                TextSource::Source(place) => (cell.symbol, url.texts[usize::from(place)]),
                TextSource::Literal(STAR) => (DROPPED, written.text(STAR)),
                TextSource::Literal(number) => (cell.symbol, written.text(number)),
            };
            form.shape.push(symbol);
            form.texts.push(text);
        }
        form
    };
    let mut differences = Differences::default();
    for (page, cluster) in set.clusters().labels().iter().enumerate() {
        let canonical = set.canonical_page(*cluster);
        if accepted.form(page as u32) != accepted.form(canonical as u32) {
            differences.add(&read(page), &read(canonical), *cluster, literals);
        }
    }
    differences
}
