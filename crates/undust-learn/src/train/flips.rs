//! The flip guard: a model that suddenly drops what the one in place keeps does not take its place (MIQPS, Pinterest
//! Engineering, April 2026). A crawl during an outage, or of a site that answers robots with one page, teaches such
//! models.

use rustc_hash::{FxHashMap, FxHashSet};

use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_model::translation::Canonicalizer;
use undust_pages::page::Page;

use crate::training::hold_out::HoldOut;

/// Share of the kinds of URLs that may flip.
const MOST_FLIPPED: f64 = 0.2;

/// URLs of a kind that the model in place must keep apart, for the kind to count.
const LEAST_URLS: usize = 5;

/// Pages that are looked at.
const MOST_PAGES: usize = 50_000;

/// Kinds of URLs, by the number of folders and the names in the query, that the model in place was trained on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flips {
    /// Of which it keeps enough URLs apart.
    pub kinds: usize,
    /// Of these, the ones of which a new model gives at most half as many forms.
    pub flipped: usize,
}

impl Flips {
    /// Whether the new model should not take the place of the other without being looked at.
    pub fn is_suspicious(&self) -> bool {
        self.flipped as f64 > MOST_FLIPPED * self.kinds as f64
    }

    /// What a new model does to the pages of the crawl that it was learned from. Linear in the pages.
    pub(super) fn of(in_place: &SiteModel, new: &dyn Canonicalizer, pages: &[Page]) -> Self {
        let urls = || pages.iter().take(MOST_PAGES).map(|page| &*page.url);
        let mut kinds: FxHashMap<u64, [FxHashSet<String>; 2]> = FxHashMap::default();
        in_place.prepare(&mut urls());
        new.prepare(&mut urls());
        for url in urls().filter(|url| is_known(in_place.model(), url)) {
            let [kept, made] = kinds.entry(HoldOut::Shape.group(url, 0)).or_default();
            kept.insert(in_place.canonical(url).into_owned());
            made.insert(new.canonical(url).into_owned());
        }
        let counted = kinds.values().filter(|[kept, _]| kept.len() >= LEAST_URLS);
        let flipped = counted.clone().filter(|[kept, made]| made.len() * 2 <= kept.len()).count();
        Self { kinds: counted.count(), flipped }
    }
}

/// Whether a model was trained on URLs like this one. Of rules and networks that is not known.
fn is_known(model: &Model, url: &str) -> bool {
    match model {
        Model::Edits(editor) => editor.knows_shape(url).unwrap_or(true),
        _ => true,
    }
}
