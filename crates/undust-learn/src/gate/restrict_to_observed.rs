//! What is known of one place alone holds there alone.
//!
//! A log-in wall shows the same whatever argument led to it, and that says nothing of the argument
//! elsewhere. So does a list that looks the same from wherever it begins, as a small project's: of the
//! next project's nothing is known. That a chart is the same in every month says nothing of a calendar, and that
//! a question shows the same answers however they are sorted says nothing of the lists of a user.
//!
//! A site whose addresses are all query (`/?p=project;a=log`) has one path, and so but one place.

use undust_model::edits::edit::Edit;
use undust_model::edits::editor::Editor;
use undust_model::edits::program::Cell;
use undust_model::edits::restriction::Restriction;

use super::replay::firsts;

/// Restricts each edit to the place that it is known of. What counts are the URLs that it changes and that come
/// to share a form. If all of them end at one form and come from one path, the edit holds on that path alone.
/// Otherwise, if their paths all end in the same word, or begin with the same word, or both, it holds on such
/// paths. An edit whose scope is made by one word (`?do=login`) stays as wide: that word determines the page.
///
/// `urls` are those of the crawl, each with its cluster; what shares a form still does. Linear in them and the
/// edits that each goes through.
pub(crate) fn narrow(editor: Editor, urls: &[(&str, u32)]) -> Editor {
    let only: Vec<Option<Restriction>> =
        known(&editor, urls).into_iter().map(CommonPlaces::only).collect();
    if only.iter().all(Option::is_none) { editor } else { editor.narrow(only) }
}

/// What is the same of all URLs that an edit helps to bring together.
#[derive(Debug, Clone, Default)]
struct CommonPlaces {
    /// The form at which they end, by the number of its first URL, and the path that they come from.
    page: One<(u32, Restriction)>,
    /// The end of their paths.
    ending: One<Restriction>,
    /// The beginning of their paths.
    beginning: One<Restriction>,
}

/// One and the same, or several.
#[derive(Debug, Clone, Default)]
enum One<T> {
    #[default]
    Unseen,
    Known(T),
    Several,
}

impl<T> One<T> {
    /// Notes an observation: `the_same` as the known one, or not; `read` reads the first.
    fn see(&mut self, the_same: impl FnOnce(&T) -> bool, read: impl FnOnce() -> Option<T>) {
        match self {
            Self::Unseen => *self = read().map_or(Self::Several, Self::Known),
            Self::Known(known) if the_same(known) => {}
            Self::Known(_) | Self::Several => *self = Self::Several,
        }
    }
}

impl CommonPlaces {
    /// Sees a program that an edit changes in scopes of a level, and that ends at a form of this number.
    fn see(&mut self, form: u32, edit: &Edit, level: usize, program: &[Cell]) {
        let is_there = |only: &Restriction| only.holds(edit, program);
        let path = || Restriction::path(edit, level, program).map(|path| (form, path));
        self.page.see(|(known, path)| *known == form && is_there(path), path);
        self.ending.see(is_there, || Restriction::ending(edit, level, program));
        self.beginning.see(is_there, || Restriction::beginning(edit, level, program));
    }

    fn only(self) -> Option<Restriction> {
        match (self.page, self.beginning, self.ending) {
            (One::Known((_, path)), ..) => Some(path),
            (_, One::Known(beginning), One::Known(ending)) => Some(beginning.and(ending)),
            (_, One::Known(only), _) | (.., One::Known(only)) => Some(only),
            _ => None,
        }
    }
}

/// By edit: what is known of the URLs that it changes and that come to share a form. That it is this edit
/// that brings them together is not asked: where it does not hold, a later one may not know their names.
fn known(editor: &Editor, urls: &[(&str, u32)]) -> Vec<CommonPlaces> {
    let firsts = firsts(editor, urls);
    let mut is_shared = vec![false; urls.len()];
    for (number, first) in (0..).zip(&firsts) {
        is_shared[*first as usize] |= *first != number;
    }
    let mut known = vec![CommonPlaces::default(); editor.rules().len()];
    for ((url, _), first) in urls.iter().zip(firsts) {
        if is_shared[first as usize] {
            editor.each_step(url, |rule, accepted, program| {
                known[rule].see(first, &accepted.edit, accepted.scope.level(), program);
            });
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use undust_model::translation::Rewriter;
    use undust_testing::crawl;

    use super::*;
    use crate::config::Config;
    use crate::gate::learn::{Proposers, learn};
    use crate::training::TrainingSet;

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
        learn(&set, &Proposers::SLOTS, &config, &()).expect("a model")
    }

    /// The order changes nothing on the pages of these folders.
    fn sorted(folders: &[&str]) -> Editor {
        sorted_lists(folders, "")
    }

    /// The same where the pages' paths end in a word.
    fn sorted_lists(folders: &[&str], end: &str) -> Editor {
        let url = |folder: &str, n: usize| format!("http://a.test/{folder}/{n}{end}");
        let mut groups = Vec::new();
        for folder in folders {
            groups.extend((700..740).map(|n| {
                ["", "?sort=new", "?sort=old"].map(|order| url(folder, n) + order).to_vec()
            }));
        }
        groups.extend((700..740).map(|n| vec![url("users", n)]));
        let (pages, clusters) = crawl(&groups);
        let (set, config) = (TrainingSet::new(&pages, &clusters), Config::default());
        learn(&set, &Proposers::SLOTS, &config, &()).expect("a model")
    }

    #[test]
    fn what_one_folder_tells_holds_in_that_folder() {
        let dropped = |editor: &Editor| {
            ["question", "story", "users"].map(|folder| {
                let url = format!("http://a.test/{folder}/777");
                editor.rewritten(&format!("{url}?sort=new")) == url
            })
        };
        let editor = sorted(&["question"]);
        assert_eq!(describe(&editor).1, ["anywhere, where the path begins with /question"]);
        assert_eq!(dropped(&editor), [true, false, false]);
        assert_eq!(dropped(&sorted(&["question", "story"])), [true, true, true]);
    }

    #[test]
    fn what_one_kind_of_pages_of_one_folder_tells_holds_on_those() {
        let editor = sorted_lists(&["question"], "/answers");
        let both = "where the path begins with /question and ends in /answers";
        assert_eq!(describe(&editor).1, [format!("anywhere, {both}")]);
        let dropped =
            ["question/777/answers", "question/777/votes", "users/777/answers"].map(|list| {
                let list = format!("http://a.test/{list}");
                editor.rewritten(&format!("{list}?sort=new")) == list
            });
        assert_eq!(dropped, [true, false, false]);
        let (json, _) = editor.to_json().expect("JSON");
        let again = Editor::from_json(&json, None).expect("an editor");
        assert_eq!(describe(&again), describe(&editor));
    }

    /// The lists of which the model says that they are one page wherever they begin; and where it says so.
    fn describe(editor: &Editor) -> (Vec<&'static str>, Vec<String>) {
        let lists = ["flask/timeline", "w3lib/timeline", "w3lib/tickets", "w3lib/unseen"];
        let is_flat = |list: &&str| {
            let list = format!("http://a.test/{list}");
            editor.rewritten(&format!("{list}?from=777")) == list
        };
        let scopes = editor.rules().map(|rule| rule.scope.clone().into_owned()).collect();
        (lists.into_iter().filter(is_flat).collect(), scopes)
    }

    fn assert_unknown(editor: &Editor, list: &str) {
        let refused = editor.refusals_of(&format!("http://a.test/{list}?from=777"));
        assert_eq!(
            refused[0].why,
            "accepted elsewhere; there is no evidence for pages like this one"
        );
    }

    #[test]
    fn what_one_page_tells_holds_where_it_is() {
        let editor = learned(&["flask/timeline"]);
        let scope = "anywhere, only on one path".to_owned();
        assert_eq!(describe(&editor), (vec!["flask/timeline"], vec![scope]));
        assert_unknown(&editor, "w3lib/timeline");
    }

    #[test]
    fn what_one_kind_of_pages_tells_holds_on_pages_of_its_kind() {
        let editor = learned(&["flask/timeline", "tinydb/timeline"]);
        let scope = "anywhere, where the path ends in /timeline".to_owned();
        assert_eq!(describe(&editor), (vec!["flask/timeline", "w3lib/timeline"], vec![scope]));
        assert_unknown(&editor, "w3lib/tickets");
        let (json, _) = editor.to_json().expect("JSON");
        assert_eq!(
            describe(&Editor::from_json(&json, None).expect("an editor")),
            describe(&editor)
        );
    }

    #[test]
    fn what_pages_of_two_kinds_tell_holds_anywhere() {
        let editor = learned(&["flask/timeline", "tinydb/tickets"]);
        let lists = vec!["flask/timeline", "w3lib/timeline", "w3lib/tickets", "w3lib/unseen"];
        assert_eq!(describe(&editor), (lists, vec!["anywhere".into()]));
    }
}
