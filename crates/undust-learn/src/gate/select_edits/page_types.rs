//! Page types, and how an edit is expected to do on one that the crawl does not have.
//!
//! An edit in a wide scope may be tested on thousands of URLs of one page type (a log-in wall); the few URLs
//! of other types, where it fails, are then exceptions. But an unseen page type resembles the average page
//! type, not the average URL: so each type counts once, however many URLs it has.

use std::collections::BTreeMap;

use undust_model::edit_evidence::of_another;
use undust_model::edits::scope::PAGE_TYPE;

use super::shape_change::ShapeChange;
use crate::gate::forms::MoveResult;

/// The expected share of URLs that an edit puts wrong on page types other than those it changes: a page is
/// lost, or gets the form of another. That other URLs show the page as well says nothing of other types.
pub(super) fn wrong_on_another(changes: &[ShapeChange], tags: &[MoveResult]) -> f64 {
    let mut page_types: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
    for tag in tags.iter().filter(|tag| tag.tested) {
        let page_type = changes[tag.tag as usize].scopes[PAGE_TYPE];
        let (tested, wrong) = page_types.entry(page_type).or_default();
        *tested += 1;
        *wrong += u32::from(tag.lost || tag.collides);
    }
    of_another(page_types.values().map(|(tested, wrong)| f64::from(*wrong) / f64::from(*tested)))
}

#[cfg(test)]
mod tests {
    use undust_model::edits::editor::Editor;
    use undust_model::translation::Rewriter;
    use undust_testing::crawl;

    use crate::config::Config;
    use crate::gate::learn::{Proposers, learn};
    use crate::training::TrainingSet;

    fn learned(groups: &[Vec<String>]) -> Editor {
        let (pages, clusters) = crawl(groups);
        let set = TrainingSet::new(&pages, &clusters);
        learn(&set, &Proposers::SLOTS, &Config::default(), &()).expect("a model")
    }

    /// Three hundred topics behind a log-in wall, and twenty whose second page is one of its own.
    fn wall_and_topics() -> Vec<Vec<String>> {
        let wall = (100..400).map(|t| format!("http://a.test/post.php?mode=reply&t={t}"));
        let topics = (100..120).map(|t| vec![format!("http://a.test/view.php?start=15&t={t}")]);
        [wall.collect()].into_iter().chain(topics).collect()
    }

    fn drops_topic(editor: &Editor, page: &str) -> bool {
        let form = editor.rewritten(&format!("http://a.test/{page}&t=777")).into_owned();
        form == format!("http://a.test/{page}")
    }

    #[test]
    fn what_one_kind_of_pages_in_two_refutes_holds_on_the_other_alone() {
        let editor = learned(&wall_and_topics());
        let scope = &editor.rules().next().expect("a rule").scope;
        let known = "only on known page types (ending and names)";
        assert_eq!(*scope, format!("anywhere, {known}, only on one path"));
        assert!(drops_topic(&editor, "post.php?mode=reply"));
        assert!(!drops_topic(&editor, "view.php?start=15"), "an exception");
        assert!(!drops_topic(&editor, "view.php?print=1"), "nobody has seen it");
        let (json, _) = editor.to_json().expect("JSON");
        let again = Editor::from_json(&json, None).expect("an editor");
        assert!(drops_topic(&again, "post.php?mode=reply"));
        assert!(!drops_topic(&again, "view.php?print=1"));
    }

    /// Ten page types whose URLs show one page each promise the same of the next.
    #[test]
    fn what_one_kind_of_pages_in_many_refutes_holds_on_those_that_nobody_has_seen() {
        let mut groups = wall_and_topics();
        for page_type in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
            let url = |t: usize| format!("http://a.test/{page_type}.php?{page_type}=1&t={t}");
            groups.push((100..110).map(url).collect());
        }
        let editor = learned(&groups);
        assert!(drops_topic(&editor, "post.php?mode=reply"));
        assert!(!drops_topic(&editor, "view.php?start=15"), "an exception");
        assert!(drops_topic(&editor, "view.php?print=1"));
    }
}
