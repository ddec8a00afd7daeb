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
        let answers = |form, page| pages.get(&form) == Some(&page);
        let forms = self.forms_by_edit(crawl, conventions, answers);
        for (rule, [all, answered]) in self.rules.iter_mut().zip(forms) {
            let mut served = ServedEdit::clone(rule);
            served.accepted.evidence.forms = Some(all.len() as u32);
            served.accepted.evidence.answered = Some(answered.len() as u32);
            *rule = Arc::new(served);
        }
        self
    }

    /// The same, and of each edit how many forms it has a part in that `crawl`, the URLs that were fetched, lacks, and that
    /// `labels` knows: URLs that the site itself names.
    pub fn with_labels<'u>(
        mut self,
        crawl: impl Iterator<Item = &'u str>,
        labels: impl Iterator<Item = (&'u str, u32)>,
        conventions: &UrlConventions,
    ) -> Self {
        let number = |url: &str| xxh3_64(conventions.normalize(url).url.as_bytes());
        let crawl: Vec<&str> = crawl.collect();
        let mut named: FxHashSet<u64> = labels.map(|(url, _)| number(url)).collect();
        crawl.iter().for_each(|url| _ = named.remove(&number(url)));
        let urls = crawl.iter().map(|url| (*url, 0));
        let forms = self.forms_by_edit(urls, conventions, |form, _| named.contains(&form));
        for (rule, [_, labelled]) in self.rules.iter_mut().zip(forms) {
            let mut served = ServedEdit::clone(rule);
            served.accepted.evidence.labelled = Some(labelled.len() as u32);
            *rule = Arc::new(served);
        }
        self
    }

    /// By edit: the forms of the crawl's URLs that it has a part in, and those of them that are `counted`, each given with
    /// the page of a URL that it is the form of.
    fn forms_by_edit<'u>(
        &self,
        crawl: impl Iterator<Item = (&'u str, u32)>,
        conventions: &UrlConventions,
        counted: impl Fn(u64, u32) -> bool,
    ) -> Vec<[FxHashSet<u64>; 2]> {
        let place: FxHashMap<*const (), usize> =
            self.rules.iter().enumerate().map(|(place, rule)| (address(rule), place)).collect();
        let mut forms = vec![[FxHashSet::default(), FxHashSet::default()]; self.rules.len()];
        for (url, page) in crawl {
            let url = conventions.normalize(url).url;
            let translation = self.rewrite(&url);
            let form = xxh3_64(translation.canonical.as_bytes());
            let is_counted = counted(form, page);
            for step in translation.cause.steps() {
                if let Some(place) = place.get(&std::ptr::from_ref(step).cast()) {
                    let [all, some] = &mut forms[*place];
                    all.insert(form);
                    if is_counted {
                        some.insert(form);
                    }
                }
            }
        }
        forms
    }
}

fn address(rule: &Arc<ServedEdit>) -> *const () {
    Arc::as_ptr(rule).cast()
}
