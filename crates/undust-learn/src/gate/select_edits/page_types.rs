//! Kinds of pages, and what is to be expected of an edit on one that the crawl does not have.
//!
//! An edit in a wide scope may be tested on thousands of URLs of one kind (a log-in wall), beside which the
//! few of other kinds, where it fails, are exceptions. A kind that nobody has seen is not as most URLs are,
//! but as kinds are: each counts once, however many URLs it has.

use std::collections::BTreeMap;

use undust_model::edit_evidence::of_another;
use undust_model::edits::edit::Edit;
use undust_model::edits::restriction::Restriction;
use undust_model::edits::scope::{CONTEXT_LEVEL, KIND, Scope};

use super::gate::Gate;
use super::shape_change::{JudgedCandidate, ShapeChange};
use crate::gate::forms::MoveResult;

/// The share of URLs of which an edit must be expected to go wrong on another kind of pages than those it
/// changes: a page is lost, or gets the form of another. That other URLs show it, too, says nothing of
/// other kinds.
pub(super) fn wrong_on_another(changes: &[ShapeChange], tags: &[MoveResult]) -> f64 {
    let mut kinds: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
    for tag in tags.iter().filter(|tag| tag.tested) {
        let kind = changes[tag.tag as usize].scopes[KIND];
        let (tested, wrong) = kinds.entry(kind).or_default();
        *tested += 1;
        *wrong += u32::from(tag.lost || tag.mixed);
    }
    of_another(kinds.values().map(|(tested, wrong)| f64::from(*wrong) / f64::from(*tested)))
}

impl Gate<'_> {
    /// Has an edit hold on the kinds of pages alone on which it is tested, if on another one such
    /// a share would go wrong that it is not worth it.
    pub(super) fn keep_to_known_kinds(
        &self,
        judged: &mut JudgedCandidate,
        tags: &[MoveResult],
        wrong: f64,
    ) {
        let level = judged.accepted.scope.level();
        let asks_for_kind = level >= KIND && level != CONTEXT_LEVEL;
        let is_path = matches!(judged.accepted.edit.untagged(), Edit::DropPath);
        if asks_for_kind || is_path || self.limits.is_worth(wrong) {
            return;
        }
        let tested = tags.iter().filter(|tag| tag.tested);
        let mut kinds: Vec<u64> =
            tested.map(|tag| judged.changes[tag.tag as usize].scopes[KIND]).collect();
        kinds.sort_unstable();
        kinds.dedup();
        // What goes was tested nowhere, so the evidence is of what stays.
        judged.changes.retain(|one| kinds.binary_search(&one.scopes[KIND]).is_ok());
        judged.moves = self.moves(&judged.changes);
        let edit = &judged.accepted.edit;
        let kind = |number: &u64| {
            let of_kind = judged.changes.iter().find(|one| one.scopes[KIND] == *number)?;
            Some(Scope::of(edit, KIND, self.before(of_kind)))
        };
        judged.accepted.only = Some(Restriction::kinds(kinds.iter().filter_map(kind).collect()));
    }
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

    /// Ten kinds of URLs each of one page say that the next is as well.
    #[test]
    fn what_one_kind_of_pages_in_many_refutes_holds_on_those_that_nobody_has_seen() {
        let mut groups = wall_and_topics();
        for kind in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
            let url = |t: usize| format!("http://a.test/{kind}.php?{kind}=1&t={t}");
            groups.push((100..110).map(url).collect());
        }
        let editor = learned(&groups);
        assert!(drops_topic(&editor, "post.php?mode=reply"));
        assert!(!drops_topic(&editor, "view.php?start=15"), "an exception");
        assert!(drops_topic(&editor, "view.php?print=1"));
    }
}
