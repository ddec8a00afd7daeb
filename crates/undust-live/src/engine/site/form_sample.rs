//! A sample of the pages of a site to learn from, where there are too many.
//!
//! What an edit joins and what it confuses are pairs of URLs. A sample of one URL in ten keeps one pair in a hundred, and
//! sees no harm where there is some. So forms are drawn, and all URLs of a form that is drawn are in the sample: the form of a
//! URL without one of its parts is that of every other URL which differs in that part alone. A form of very many URLs, such as
//! a list of all items, counts for its first ones.

use rustc_hash::FxHashMap;

use crate::engine::evidence::{Asked, Hypotheses};
use crate::engine::options::bytes_of_row;
use crate::engine::secret::Secret;

/// URLs of one form that are in the sample for it.
const MOST_OF_FORM: u32 = 64;

/// Forms of a URL, about.
const FORMS: usize = 6;

/// A sample that is drawn URL by URL.
pub(super) struct FormSample {
    hypotheses: Hypotheses,
    asked: Asked,
    /// Forms with a lower hash are drawn.
    below: u64,
    /// URLs so far of the forms that are drawn.
    drawn: FxHashMap<u64, u32>,
    /// Bytes that it still takes.
    room: usize,
}

impl FormSample {
    /// One that takes at most so many bytes where all URLs take `all`, by the forms that are proposed for an unknown site.
    pub(super) fn new(secret: Secret, hypotheses: Hypotheses, all: usize, most: usize) -> Self {
        let share = if all <= most { 1.0 } else { most as f64 / all as f64 / FORMS as f64 };
        let below = (share * u64::MAX as f64) as u64;
        let (asked, drawn) = (Asked::new(secret), FxHashMap::default());
        Self { hypotheses, asked, below, drawn, room: most }
    }

    /// Whether a URL is in it.
    pub(super) fn has(&mut self, url: &str) -> bool {
        if self.below == u64::MAX {
            return true;
        }
        let bytes = bytes_of_row(url);
        if self.room < bytes {
            return false;
        }
        self.asked.ask(&self.hypotheses, url);
        let mut is_in = false;
        for form in self.asked.forms().filter(|form| *form < self.below) {
            let urls = self.drawn.entry(form).or_default();
            *urls = urls.saturating_add(1);
            is_in |= *urls <= MOST_OF_FORM;
        }
        self.room -= usize::from(is_in) * bytes;
        is_in
    }
}
