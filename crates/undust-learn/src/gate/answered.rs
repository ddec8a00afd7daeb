//! Which edits give URLs that answer: what may be fetched, and not only compared.

use rustc_hash::{FxHashMap, FxHashSet};
use undust_edits::conventions::UrlConventions;
use undust_edits::editor::Editor;
use undust_edits::translation::Rewriter;
use xxhash_rust::xxh3::xxh3_64;

/// A URL that the crawl fetched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FetchedUrl<'u> {
    /// The URL as it was fetched.
    pub url: &'u str,
    /// The number of the page that it shows.
    pub page: u32,
    /// Whether it redirects to that page.
    pub is_redirect: bool,
}

/// The same, and of each edit how many forms it has a part in, how many of them the crawl saw answer with the page
/// of a URL that they were made of, and how many redirect.
pub(crate) fn with_answers<'u>(
    editor: &Editor,
    crawl: impl Iterator<Item = FetchedUrl<'u>> + Clone,
    conventions: &UrlConventions,
) -> Editor {
    let hashed = |fetched: FetchedUrl<'u>| (xxh3_64(fetched.url.as_bytes()), fetched);
    let fetched: FxHashMap<u64, FetchedUrl<'u>> = crawl.clone().map(hashed).collect();
    let urls = crawl.map(|fetched| (fetched.url, fetched.page));
    let forms = forms_by_edit(editor, urls, conventions, |form, page| {
        let form = fetched.get(&form);
        [
            form.is_some_and(|form| form.page == page && !form.is_redirect),
            form.is_some_and(|form| form.is_redirect),
        ]
    });
    let mut list = editor.list();
    for ((accepted, _), [all, answered, redirected]) in list.accepted.iter_mut().zip(forms) {
        let evidence = &mut accepted.evidence;
        evidence.forms = Some(all.len() as u32);
        evidence.answered = Some(answered.len() as u32);
        evidence.redirected = Some(redirected.len() as u32);
    }
    Editor::new(list)
}

/// The same, and of each edit how many forms it has a part in that `crawl`, the URLs that were fetched, lacks, and that
/// `labels` knows: URLs that the site itself names.
pub(crate) fn with_labels<'u>(
    editor: &Editor,
    crawl: impl Iterator<Item = &'u str>,
    labels: impl Iterator<Item = (&'u str, u32)>,
    conventions: &UrlConventions,
) -> Editor {
    let number = |url: &str| xxh3_64(conventions.normalize(url).url.as_bytes());
    let crawl: Vec<&str> = crawl.collect();
    let mut named: FxHashSet<u64> = labels.map(|(url, _)| number(url)).collect();
    crawl.iter().for_each(|url| _ = named.remove(&number(url)));
    let urls = crawl.iter().map(|url| (*url, 0));
    let forms = forms_by_edit(editor, urls, conventions, |form, _| [named.contains(&form), false]);
    let mut list = editor.list();
    for ((accepted, _), [_, labelled, _]) in list.accepted.iter_mut().zip(forms) {
        accepted.evidence.labelled = Some(labelled.len() as u32);
    }
    Editor::new(list)
}

/// By edit: the forms of the crawl's URLs that it has a part in, and those of them that are `counted` as one thing
/// or the other, each given with the page of a URL that it is the form of.
fn forms_by_edit<'u>(
    editor: &Editor,
    crawl: impl Iterator<Item = (&'u str, u32)>,
    conventions: &UrlConventions,
    counted: impl Fn(u64, u32) -> [bool; 2],
) -> Vec<[FxHashSet<u64>; 3]> {
    let place: FxHashMap<*const (), usize> = editor
        .rules()
        .enumerate()
        .map(|(place, rule)| (std::ptr::from_ref(rule).cast(), place))
        .collect();
    let mut forms = vec![<[FxHashSet<u64>; 3]>::default(); editor.rules().len()];
    for (url, page) in crawl {
        let url = conventions.normalize(url).url;
        let translation = editor.rewrite(&url);
        let form = xxh3_64(translation.canonical.as_bytes());
        let [is_one, is_other] = counted(form, page);
        for step in translation.cause.steps() {
            if let Some(place) = place.get(&std::ptr::from_ref(step).cast()) {
                let counts = forms[*place].iter_mut().zip([true, is_one, is_other]);
                for (forms, _) in counts.filter(|(_, is_counted)| *is_counted) {
                    forms.insert(form);
                }
            }
        }
    }
    forms
}
