//! Which edits give URLs that answer: what may be fetched, and not only compared.

use rustc_hash::{FxHashMap, FxHashSet};
use undust_edits::conventions::UrlConventions;
use undust_edits::editor::Editor;
use undust_edits::translation::Rewriter;
use xxhash_rust::xxh3::xxh3_64;

use crate::labels::Labelled;
use crate::training::TrainingSet;

/// The same, and of each edit how many forms it has a part in, how many of them the crawl saw answer with the page
/// of a URL that they were made of, how many redirect, and, where there are labels, how many the crawl lacks and the
/// site itself names.
pub(crate) fn with_answers(
    editor: &Editor,
    crawl: &TrainingSet<'_>,
    labelled: Option<&Labelled>,
    conventions: &UrlConventions,
) -> Editor {
    let pages = || crawl.pages().iter().zip(crawl.clusters().labels());
    let fetched: FxHashMap<u64, (u32, bool)> = pages()
        .map(|(page, cluster)| (xxh3_64(page.url.as_bytes()), (*cluster, page.is_redirect)))
        .collect();
    let normalized = |url: &str| xxh3_64(conventions.normalize(url).url.as_bytes());
    let named = labelled.map(|labelled| {
        let mut named: FxHashSet<u64> = labelled.added().map(normalized).collect();
        crawl.pages().iter().for_each(|page| _ = named.remove(&normalized(&page.url)));
        named
    });
    let place: FxHashMap<*const (), usize> = editor
        .rules()
        .enumerate()
        .map(|(place, rule)| (std::ptr::from_ref(rule).cast(), place))
        .collect();
    let mut forms = vec![<[FxHashSet<u64>; 4]>::default(); editor.rules().len()];
    for (page, cluster) in pages() {
        let url = conventions.normalize(&page.url).url;
        let translation = editor.rewrite(&url);
        let form = xxh3_64(translation.canonical.as_bytes());
        let known = fetched.get(&form);
        let is_counted = [
            true,
            known.is_some_and(|(page, is_redirect)| page == cluster && !is_redirect),
            known.is_some_and(|(_, is_redirect)| *is_redirect),
            named.as_ref().is_some_and(|named| named.contains(&form)),
        ];
        for step in translation.cause.steps() {
            if let Some(place) = place.get(&std::ptr::from_ref(step).cast()) {
                let counts = forms[*place].iter_mut().zip(is_counted);
                for (forms, _) in counts.filter(|(_, is_counted)| *is_counted) {
                    forms.insert(form);
                }
            }
        }
    }
    let mut list = editor.list();
    for ((accepted, _), forms) in list.accepted.iter_mut().zip(forms) {
        let [all, answered, redirected, labelled] = forms.map(|forms| forms.len() as u32);
        let evidence = &mut accepted.evidence;
        evidence.forms = Some(all);
        evidence.answered = Some(answered);
        evidence.redirected = Some(redirected);
        evidence.labelled = named.is_some().then_some(labelled);
    }
    Editor::new(list)
}
