//! Title conflicts: lists that are empty today speak for an edit that would merge full lists.
//!
//! All lists of closed tickets look alike while none is closed. So an edit that drops the object
//! whose tickets are listed merges them, and loses no page of the crawl; and the lists of open
//! tickets, which the same edit would merge, are pages apart. The sign is their title: an empty list
//! has that of the full ones. A log-in page, which many URLs show as well, has one of its own.

use std::sync::Arc;

use undust_util::op_counter;

use super::candidate::CandidateKey;
use super::gate::Gate;
use super::rates::TitleConflicts;
use super::shape_change::ShapeChange;
use crate::gate::forms::{Move, MoveEffect};

/// An edit must give so many clusters of one title one form before their pages count as different.
const LEAST_CLUSTERS: usize = 3;

/// The least share of such URLs among those of one title in one place, in percent: less is what any page
/// that changes while it is crawled makes.
const LEAST_PERCENT: usize = 10;

impl Gate<'_> {
    /// The places and titles in which an edit, applied in its widest scope, merges different pages.
    /// Counted again when enough has changed.
    pub(super) fn title_conflicts(&mut self, key: CandidateKey) -> Arc<TitleConflicts> {
        if self.titles.is_empty() {
            return Arc::default();
        }
        let mut root = key;
        while let Some(above) = self.candidates[&root].above {
            root = above;
        }
        if let Some(known) = self.rates.title_conflicts(root) {
            return known;
        }
        let changes = self.changes(root);
        let moves = self.moves(&changes);
        let titled = moves.iter().filter_map(|one| {
            let title = self.titles[one.cluster as usize]?;
            Some((changes[one.tag as usize].place, title, one.to, one.cluster))
        });
        let mut titled: Vec<(u64, u64, u64, u32)> = titled.collect();
        op_counter::count(titled.len());
        titled.sort_unstable();
        let mut conflicts = TitleConflicts::default();
        for alike in titled.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let merged: usize = alike.chunk_by(|a, b| a.2 == b.2).map(outside).sum();
            if merged > 0 && merged * 100 >= alike.len() * LEAST_PERCENT {
                conflicts.insert((alike[0].0, alike[0].1));
            }
        }
        let urls = moves.len().max(self.candidates[&root].shapes.len());
        self.rates.note_title_conflicts(root, conflicts, urls)
    }

    /// Ignores the URLs that speak for an edit where their title is in conflict. URLs that speak against
    /// it still count.
    pub(super) fn discount_title_conflicts(
        &self,
        effect: &mut MoveEffect,
        changes: &[ShapeChange],
        moves: &[Move],
        conflicts: &TitleConflicts,
    ) {
        if conflicts.is_empty() {
            return;
        }
        for (one, tag) in moves.iter().zip(&mut effect.tags) {
            let title = self.titles[one.cluster as usize];
            let place = changes[one.tag as usize].place;
            let is_conflict = title.is_some_and(|title| conflicts.contains(&(place, title)));
            tag.tested &= !is_conflict || tag.lost || tag.collides;
        }
        let mut tags = effect.tags.as_slice();
        (effect.tested, effect.tested_forms) = (0, 0);
        for form in moves.chunk_by(|a, b| (a.to, a.from) == (b.to, b.from)) {
            let (of_form, rest) = tags.split_at(form.len());
            let tested = of_form.iter().filter(|tag| tag.tested).count() as u32;
            effect.tested += tested;
            effect.tested_forms += tested.min(1);
            tags = rest;
        }
    }
}

/// URLs of a form, sorted by their clusters, that are not of its largest one; none where the clusters are
/// few.
fn outside(form: &[(u64, u64, u64, u32)]) -> usize {
    let of_cluster = form.chunk_by(|a, b| a.3 == b.3).map(<[_]>::len);
    match of_cluster.clone().count() {
        LEAST_CLUSTERS.. => form.len() - of_cluster.max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use undust_cluster::clusters::{ClusterOptions, cluster};
    use undust_model::edits::editor::Editor;
    use undust_model::translation::Rewriter;
    use undust_pages::pages::PagesBuilder;
    use undust_pages::response::Response;

    use crate::config::Config;
    use crate::gate::learn::{Proposers, learn};
    use crate::training::TrainingSet;

    /// Learns pages, each given as its URL, title and content.
    fn learned(pages: impl Iterator<Item = (String, &'static str, String)>) -> Editor {
        let mut builder = PagesBuilder::new();
        for (url, title, content) in pages {
            let (title, digest) = (Some(title.to_owned()), Some(content));
            builder.push(Response { url, status: 200, title, digest, ..Response::default() });
        }
        let pages = builder.finish().pages;
        let clusters = cluster(&pages, &ClusterOptions::default());
        let set = TrainingSet::new(&pages, &clusters);
        learn(&set, &Proposers::RULES, &Config::default(), &()).expect("a model")
    }

    /// Lists of the tickets of forty parts: of open ones each its own, of closed ones none yet; and
    /// sixty other pages.
    fn lists(closed: &'static str, other: &'static str) -> Editor {
        let lists = (100..140).flat_map(|part| {
            let url = |status: &str| format!("http://a.test/list?part={part}&status={status}");
            [
                (url("open"), "Tickets", format!("open {part}")),
                (url("closed"), closed, "nothing".to_owned()),
            ]
        });
        let others = (100..160).map(|n| (format!("http://a.test/item/{n}"), other, n.to_string()));
        learned(lists.chain(others))
    }

    fn is_one(editor: &Editor, urls: [&str; 2]) -> bool {
        let [one, other] = urls.map(|url| editor.rewritten(url).into_owned());
        one == other
    }

    const CLOSED: [&str; 2] =
        ["http://a.test/list?part=777&status=closed", "http://a.test/list?part=778&status=closed"];

    #[test]
    fn empty_lists_with_the_title_of_full_ones_merge_nothing() {
        let editor = lists("Tickets", "Item");
        assert!(!is_one(&editor, CLOSED));
        let refusals = editor.refusals();
        let drop = refusals.iter().find(|one| one.notation == "drop ?part");
        let drop = drop.expect("it was proposed");
        assert!(drop.evidence.lost > 0, "{:?}", drop.evidence);
    }

    /// It has a title of its own, and stays one page when a ticket is closed.
    #[test]
    fn a_wall_behind_which_no_page_can_be_seen_is_one_form() {
        assert!(is_one(&lists("Log in", "Item"), CLOSED));
    }

    #[test]
    fn a_title_that_all_pages_have_and_none_tell_nothing() {
        assert!(is_one(&lists("", "Item"), CLOSED));
        assert!(is_one(&lists("Tickets", "Tickets"), CLOSED));
    }

    /// The front page differed three times while it was crawled.
    #[test]
    fn a_page_that_changes_makes_no_title_conflict() {
        let page = |view: &str, sid: usize| format!("http://a.test/shop?view={view}&sid={sid}");
        let editor = learned((100..200).flat_map(|sid| {
            let version = if sid < 103 { sid } else { 0 };
            [
                (page("all", sid), "Shop", format!("all {version}")),
                (page("new", sid), "Shop", "new".to_owned()),
            ]
        }));
        assert!(is_one(
            &editor,
            ["http://a.test/shop?view=new&sid=777", "http://a.test/shop?view=new&sid=778"]
        ));
    }
}
