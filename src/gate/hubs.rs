//! Hubs: edits of which all that is known ends at one page.
//!
//! A log-in wall shows the same whatever argument led to it, and that says nothing of the argument
//! elsewhere. So does a list that looks the same from wherever it begins, as a small project's: of the
//! next project's nothing is known.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::edits::editor::Editor;
use crate::edits::scope::on_path;
use crate::translation::Canonicalizer;

/// Where all URLs that an edit brings together end at one form and come from one path, it holds on that
/// path alone. Where one word makes its scope (`?do=login`), that word tells the page. `urls` are
/// those of the crawl. Linear in them.
pub(crate) fn narrow(editor: Editor, urls: &[&str]) -> Editor {
    let places = places(&editor, urls);
    let hub = |(rule, place)| match place {
        Place::One(_, Some(scope)) => Some((rule, scope)),
        _ => None,
    };
    let narrowed: Vec<_> = places.into_iter().enumerate().filter_map(hub).collect();
    if narrowed.is_empty() { editor } else { editor.narrow(&narrowed) }
}

/// Where an edit brings URLs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// At one form, told by the number of its first URL; with the scope of the one path that the URLs
    /// come from, if it is narrower than the edit's own.
    One(u32, Option<(usize, u64)>),
    Several,
}

impl Place {
    fn and(self, other: Self) -> Self {
        if self == Self::Nowhere || self == other { other } else { Self::Several }
    }
}

/// By edit: where it brings URLs together.
fn places(editor: &Editor, urls: &[&str]) -> Vec<Place> {
    let mut forms: FxHashMap<u64, (u32, usize)> = FxHashMap::default();
    let mut form_of = Vec::with_capacity(urls.len());
    for (number, url) in (0..).zip(urls) {
        let form = xxh3_64(editor.canonicalize(url).as_bytes());
        forms.entry(form).or_insert((number, 0)).1 += 1;
        form_of.push(form);
    }
    let mut places = vec![Place::Nowhere; editor.rules().len()];
    for (url, form) in urls.iter().zip(form_of) {
        let (first, count) = forms[&form];
        if count > 1 {
            editor.each_applied(url, |rule, accepted, program| {
                let scope = on_path(&accepted.edit, accepted.level, program);
                places[rule] = places[rule].and(Place::One(first, scope));
            });
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::gate::learn::{Proposers, learn};
    use crate::method::Training;
    use crate::training::TrainingSet;
    use crate::training::tests::crawl;

    /// A site of projects, of which some have a timeline that is one page wherever it begins.
    fn learned(flat: &[&str]) -> Editor {
        let url = |project: &str, rest: &str| format!("http://a.test/{project}/{rest}");
        let mut groups: Vec<Vec<String>> = Vec::new();
        for project in ["flask", "tinydb", "w3lib"] {
            groups.extend((0..20).map(|n| vec![url(project, &format!("wiki?name={n}"))]));
        }
        for project in flat {
            let from = |n: usize| url(project, &format!("timeline?from={n}"));
            groups.push([url(project, "timeline")].into_iter().chain((0..50).map(from)).collect());
        }
        let (pages, clusters) = crawl(&groups);
        let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
        learn(&set, &Proposers::SLOTS, &Training::new(&config)).expect("a model")
    }

    fn is_dropped(editor: &Editor, project: &str) -> bool {
        let list = format!("http://a.test/{project}/timeline");
        editor.canonicalize(&format!("{list}?from=777")) == list
    }

    #[test]
    fn what_one_page_tells_holds_where_it_is() {
        let editor = learned(&["flask"]);
        assert!(is_dropped(&editor, "flask") && !is_dropped(&editor, "w3lib"));
        let scopes: Vec<&str> = editor.rules().map(|rule| &*rule.scope).collect();
        assert_eq!(scopes, ["on one path"]);
    }

    #[test]
    fn what_two_pages_tell_holds_anywhere() {
        let editor = learned(&["flask", "tinydb"]);
        assert!(["flask", "tinydb", "w3lib"].iter().all(|project| is_dropped(&editor, project)));
    }
}
