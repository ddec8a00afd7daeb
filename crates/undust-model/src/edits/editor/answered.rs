//! Which edits give URLs that answer: what may be fetched, and not only compared.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use super::{Editor, ServedEdit};
use crate::conventions::UrlConventions;
use crate::translation::Rewriter;

impl Editor {
    /// The same, and of each edit how many forms it has a part in, and how many of them were themselves URLs of the
    /// crawl and showed the page of the URL that they were made of. `crawl` has the URLs as they were fetched, each with the number
    /// of its page.
    pub fn with_answers<'u>(
        mut self,
        crawl: impl Iterator<Item = (&'u str, u32)> + Clone,
        conventions: &UrlConventions,
    ) -> Self {
        let pages: FxHashMap<u64, u32> =
            crawl.clone().map(|(url, page)| (xxh3_64(url.as_bytes()), page)).collect();
        let place: FxHashMap<*const (), usize> =
            self.rules.iter().enumerate().map(|(place, rule)| (address(rule), place)).collect();
        let mut forms = vec![[FxHashSet::default(), FxHashSet::default()]; self.rules.len()];
        for (url, page) in crawl {
            let url = conventions.normalize(url).url;
            let translation = self.rewrite(&url);
            let form = xxh3_64(translation.canonical.as_bytes());
            let answers = pages.get(&form) == Some(&page);
            for step in translation.cause.steps() {
                if let Some(place) = place.get(&std::ptr::from_ref(step).cast()) {
                    let [all, answered] = &mut forms[*place];
                    all.insert(form);
                    if answers {
                        answered.insert(form);
                    }
                }
            }
        }
        for (rule, [all, answered]) in self.rules.iter_mut().zip(forms) {
            let mut served = ServedEdit::clone(rule);
            served.accepted.evidence.forms = Some(all.len() as u32);
            served.accepted.evidence.answered = Some(answered.len() as u32);
            *rule = Arc::new(served);
        }
        self
    }
}

fn address(rule: &Arc<ServedEdit>) -> *const () {
    Arc::as_ptr(rule).cast()
}
