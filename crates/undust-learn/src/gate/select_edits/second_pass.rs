//! What differs yet between pages' forms once edits are accepted, proposed as edits of those forms.
//!
//! An edit that saves much may leave what no difference of two URLs shows: where any version of
//! `/r/7/diff/2/` is `/r/7/diff/*/`, that and `/r/7/diff/` are two forms of one page still.

use undust_edits::diff::ReadUrl;
use undust_edits::literals::Literals;
use undust_edits::program::{STAR, TextSource};
use undust_edits::replacement::DROPPED;
use undust_url::lexicon::Lexicon;

use super::gate::Gate;
use crate::gate::budget::drop_costly;
use crate::gate::propose::Differences;
use crate::training::TrainingSet;

impl Gate<'_> {
    /// Proposes the differences of pages' forms and those of their canonical URLs, as long as a URL can pay
    /// for them; whether any was not proposed before. Linear in the URLs.
    pub(crate) fn propose_again(
        &mut self,
        set: &TrainingSet<'_>,
        lexicon: &Lexicon,
        literals: &mut Literals,
    ) -> bool {
        let mut shape_of = vec![0; set.pages().len()];
        for (place, row) in self.rows.shapes.iter().enumerate() {
            row.urls.iter().for_each(|url| shape_of[*url as usize] = place);
        }
        let written = literals.clone();
        let read = |page: usize| {
            let url = ReadUrl::of(&set.pages()[page].url, lexicon);
            let mut form = ReadUrl::default();
            for cell in &self.rows.shapes[shape_of[page]].program {
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
            if self.form_of[page] != self.form_of[canonical] {
                differences.add(&read(page), &read(canonical), *cluster, literals);
            }
        }
        let before = self.proposals.len();
        self.proposals.add_all(differences, lexicon);
        let is_new = self.proposals.len() > before;
        if is_new {
            drop_costly(&mut self.proposals, self.rows);
        }
        is_new
    }
}
