//! What is known of one place alone holds there alone.
//!
//! A log-in wall shows the same whatever argument led to it, and that says nothing of the argument
//! elsewhere. So does a list that looks the same from wherever it begins, as a small project's: of the
//! next project's nothing is known. And what no month changes of a chart says nothing of a calendar.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::edits::edit::ANY;
use crate::edits::editor::Editor;
use crate::edits::scope::{asks_for_words, last_segment, on_path};
use crate::translation::Canonicalizer;
use crate::url::lexicon::{Lexicon, Symbol};

/// Where all URLs that an edit brings together end at one form and come from one path, it holds on that
/// path alone. Where one word makes its scope (`?do=login`), that word tells the page. An edit that
/// asks for no word of the path holds on pages of one kind alone if all that it brings together
/// are of it, and a word tells it. `urls` are those of the crawl. Linear in them.
pub(crate) fn narrow(editor: Editor, urls: &[&str]) -> Editor {
    let known = known(&editor, urls);
    editor.narrow(|rule, accepted| {
        let Known { end, pages } = &known[rule];
        if let One::Known((_, Some((level, scope)))) = end {
            (accepted.level, accepted.scope) = (*level, *scope);
        } else if let One::Known(pages) = pages
            && !asks_for_words(&accepted.edit, accepted.level)
            && pages.iter().any(|symbol| *symbol != ANY && Lexicon::is_word(*symbol))
        {
            accepted.pages = Some(pages.clone());
        }
    })
}

/// What is the same of all URLs that an edit brings together.
#[derive(Debug, Clone, Default)]
struct Known {
    /// The form at which they end, by the number of its first URL; with the scope of the one path that
    /// they come from, if it is narrower than the edit's own.
    end: One<(u32, Option<(usize, u64)>)>,
    /// The last segment of their paths.
    pages: One<Vec<Symbol>>,
}

/// One and the same, or several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum One<T> {
    #[default]
    Unseen,
    Known(T),
    Several,
}

impl<T: PartialEq> One<T> {
    fn see(&mut self, seen: T) {
        match self {
            Self::Unseen => *self = Self::Known(seen),
            Self::Known(known) if *known != seen => *self = Self::Several,
            _ => {}
        }
    }
}

/// By edit: what is known of the URLs that it brings together.
fn known(editor: &Editor, urls: &[&str]) -> Vec<Known> {
    let mut forms: FxHashMap<u64, (u32, usize)> = FxHashMap::default();
    let mut form_of = Vec::with_capacity(urls.len());
    for (number, url) in (0..).zip(urls) {
        let form = xxh3_64(editor.canonicalize(url).as_bytes());
        forms.entry(form).or_insert((number, 0)).1 += 1;
        form_of.push(form);
    }
    let mut known = vec![Known::default(); editor.rules().len()];
    for (url, form) in urls.iter().zip(form_of) {
        let (first, count) = forms[&form];
        if count > 1 {
            editor.each_applied(url, |rule, accepted, program| {
                let scope = on_path(&accepted.edit, accepted.level, program);
                known[rule].end.see((first, scope));
                known[rule].pages.see(last_segment(program).collect());
            });
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::gate::learn::{Proposers, learn};
    use crate::method::Training;
    use crate::training::TrainingSet;
    use crate::training::tests::crawl;

    /// A site of projects, in which some lists are one page wherever they begin.
    fn learned(flat: &[&str]) -> Editor {
        let mut groups: Vec<Vec<String>> = Vec::new();
        for project in ["flask", "tinydb", "w3lib"] {
            for list in ["wiki?name=", "timeline?n=", "tickets?n="] {
                groups.extend((0..20).map(|n| vec![format!("http://a.test/{project}/{list}{n}")]));
            }
        }
        for list in flat {
            let list = format!("http://a.test/{list}");
            let from = |n: usize| format!("{list}?from={n}");
            groups.push([list.clone()].into_iter().chain((0..50).map(from)).collect());
        }
        let (pages, clusters) = crawl(&groups);
        let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
        learn(&set, &Proposers::SLOTS, &Training::new(&config)).expect("a model")
    }

    /// The lists of which the model says that they are one page wherever they begin; and where it says so.
    fn told(editor: &Editor) -> (Vec<&'static str>, Vec<String>) {
        let lists = ["flask/timeline", "w3lib/timeline", "w3lib/tickets", "w3lib/unseen"];
        let is_flat = |list: &&str| {
            let list = format!("http://a.test/{list}");
            editor.canonicalize(&format!("{list}?from=777")) == list
        };
        let scopes = editor.rules().map(|rule| rule.scope.clone().into_owned()).collect();
        (lists.into_iter().filter(is_flat).collect(), scopes)
    }

    #[test]
    fn what_one_page_tells_holds_where_it_is() {
        let editor = learned(&["flask/timeline"]);
        assert_eq!(told(&editor), (vec!["flask/timeline"], vec!["on one path".into()]));
    }

    #[test]
    fn what_one_kind_of_pages_tells_holds_on_pages_of_its_kind() {
        let editor = learned(&["flask/timeline", "tinydb/timeline"]);
        let scope = "anywhere, where the path ends in /timeline".to_owned();
        assert_eq!(told(&editor), (vec!["flask/timeline", "w3lib/timeline"], vec![scope]));
        let refused = editor.refusals_of("http://a.test/w3lib/tickets?from=777");
        assert_eq!(refused[0].why, "it holds elsewhere; of pages like this one nothing is known");
        let (json, _) = editor.to_json().expect("JSON");
        assert_eq!(told(&Editor::from_json(&json, None).expect("an editor")), told(&editor));
    }

    #[test]
    fn what_pages_of_two_kinds_tell_holds_anywhere() {
        let editor = learned(&["flask/timeline", "tinydb/tickets"]);
        let lists = vec!["flask/timeline", "w3lib/timeline", "w3lib/tickets", "w3lib/unseen"];
        assert_eq!(told(&editor), (lists, vec!["anywhere".into()]));
    }
}
