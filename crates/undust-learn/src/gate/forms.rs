//! The forms of a crawl's URLs while the gate changes them, and what a change would do.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use undust_edits::edit_evidence::EditEvidence;
use undust_util::op_counter;

use crate::collisions::majority;
use crate::ordered::distinct;

/// The clusters of the URLs of one form, each with its number of URLs. Nearly every form has one
/// or two: those are on no heap.
type Members = SmallVec<[(u32, u32); 2]>;

/// Every form with its URLs' clusters, and how many forms each cluster has to itself.
#[derive(Default)]
pub(crate) struct Forms {
    members: FxHashMap<u64, Members>,
    /// By cluster: forms whose majority it is. A crawler that fetches one URL a form sees it as
    /// long as there is one.
    covers: Vec<u32>,
}

/// A URL that would get another form, and what becomes of it there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Move {
    /// The form that it would get.
    pub to: u64,
    /// The form that it has.
    pub from: u64,
    /// Its cluster.
    pub cluster: u32,
    /// Whatever the caller wants to know it by.
    pub tag: u32,
    /// Whether a word of the URL names its page.
    pub is_named: bool,
    /// What it would lose, as a number; none if only delimiters.
    pub dropped: Option<u64>,
    /// Whether it shares its form with a URL that it did not share it with before.
    pub tested: bool,
    /// Whether a cluster is lost where it went: its own, or that of URLs which it outnumbers.
    pub lost: bool,
    /// Another page that comes to share its form, and did not before.
    pub collides: Option<u32>,
}

impl Move {
    /// What a test of the move tells apart: what URLs lose, or all that they were.
    fn difference(&self) -> (bool, u64) {
        (self.dropped.is_some(), self.dropped.unwrap_or(self.from))
    }
}

/// What moves do in all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MoveEffect {
    /// URLs that share their new form with one that they did not share the old one with, forms that disappear, and
    /// clusters that no form is left to.
    pub counts: EditEvidence,
    /// Different texts that these would lose: URLs of one form are one observation, and so are those that lose the same
    /// and differ elsewhere.
    pub tested_forms: u32,
    /// Tested URLs that are not of their new form's majority.
    pub outside: u32,
}

fn add(members: &mut Members, cluster: u32) {
    op_counter::count(members.len());
    match members.iter_mut().find(|(other, _)| *other == cluster) {
        Some((_, count)) => *count += 1,
        None => members.push((cluster, 1)),
    }
}

/// Adds the clusters of moves. Linear in both.
fn add_all(members: &mut Members, moves: &[Move]) {
    /// Up to this many it is cheaper to look through them.
    const FEW: usize = 16;
    if moves.len() <= FEW {
        return moves.iter().for_each(|one| add(members, one.cluster));
    }
    let places = members.iter().enumerate().map(|(place, (cluster, _))| (*cluster, place));
    let mut places: FxHashMap<u32, usize> = places.collect();
    for one in moves {
        let place = *places.entry(one.cluster).or_insert(members.len());
        if place == members.len() {
            members.push((one.cluster, 0));
        }
        members[place].1 += 1;
    }
}

fn take(members: &mut Members, cluster: u32) {
    op_counter::count(members.len());
    if let Some(place) = members.iter().position(|(other, _)| *other == cluster) {
        members[place].1 -= 1;
        if members[place].1 == 0 {
            members.swap_remove(place);
        }
    }
}

impl Forms {
    /// Counts URLs, each given as its form and cluster.
    pub(crate) fn new(urls: impl Iterator<Item = (u64, u32)>) -> Self {
        let mut forms = Self::default();
        for (form, cluster) in urls {
            add(forms.members.entry(form).or_default(), cluster);
            if forms.covers.len() <= cluster as usize {
                forms.covers.resize(cluster as usize + 1, 0);
            }
        }
        let mut covers = Covers::default();
        forms.members.values().for_each(|members| covers.add(Some(members), 1));
        forms.cover(covers);
        forms
    }

    /// Moves URLs.
    pub(crate) fn apply(&mut self, moves: &[Move]) {
        let touched = distinct(moves.iter().flat_map(|one| [one.from, one.to]));
        let mut covers = Covers::default();
        touched.iter().for_each(|form| covers.add(self.members.get(form), -1));
        for one in moves {
            if let Some(members) = self.members.get_mut(&one.from) {
                take(members, one.cluster);
                if members.is_empty() {
                    self.members.remove(&one.from);
                }
            }
        }
        for one in moves {
            add(self.members.entry(one.to).or_default(), one.cluster);
        }
        touched.iter().for_each(|form| covers.add(self.members.get(form), 1));
        self.cover(covers);
    }

    fn cover(&mut self, Covers(changes): Covers) {
        for (cluster, by) in changes {
            let covers = &mut self.covers[cluster as usize];
            *covers = covers.wrapping_add_signed(by);
        }
    }

    /// What moves would do, to each and in all. They are sorted on the way: n log n. Each form that is touched is looked
    /// up once.
    pub(crate) fn effect(&self, moves: &mut [Move]) -> MoveEffect {
        op_counter::count(moves.len());
        moves.sort_unstable();
        let (mut effect, mut covers) = (MoveEffect::default(), Covers::default());
        let left = self.left(moves, &mut covers);
        let saved = &mut effect.counts.saved;
        *saved += left.iter().filter(|(_, members)| members.is_empty()).count() as i32;
        let (mut groups, mut places) = (Vec::new(), left.iter().peekable());
        for group in moves.chunk_by_mut(|a, b| a.to == b.to) {
            let form = group[0].to;
            while places.next_if(|(from, _)| *from < form).is_some() {}
            let was_left = places.peek().filter(|(from, _)| *from == form);
            let stay = was_left.map(|(_, members)| members).or_else(|| self.members.get(&form));
            covers.add(stay, -1);
            let mut members = stay.cloned().unwrap_or_default();
            *saved -= i32::from(members.is_empty());
            add_all(&mut members, group);
            covers.add(Some(&members), 1);
            groups.push((group, members, stay.cloned().unwrap_or_default()));
        }
        let (lost, more) = self.lost(covers);
        effect.counts.lost = more.max(0) as u32;
        for (group, members, stay) in groups {
            effect.count_group(group, &members, &stay, |cluster| lost.contains(&cluster));
        }
        effect
    }

    /// What the forms from which URLs move keep, ascending.
    fn left(&self, moves: &[Move], covers: &mut Covers) -> Vec<(u64, Members)> {
        let mut leaving: Vec<(u64, u32)> =
            moves.iter().map(|one| (one.from, one.cluster)).collect();
        leaving.sort_unstable();
        let keep = |urls: &[(u64, u32)]| {
            let members = self.members.get(&urls[0].0);
            covers.add(members, -1);
            let mut members = members.cloned().unwrap_or_default();
            urls.iter().for_each(|(_, cluster)| take(&mut members, *cluster));
            covers.add(Some(&members), 1);
            (urls[0].0, members)
        };
        leaving.chunk_by(|a, b| a.0 == b.0).map(keep).collect()
    }

    /// The clusters that no form is left to any more, and how many there are after less before.
    fn lost(&self, Covers(mut changes): Covers) -> (FxHashSet<u32>, i32) {
        changes.sort_unstable();
        let (mut lost, mut more) = (FxHashSet::default(), 0);
        for of_cluster in changes.chunk_by(|a, b| a.0 == b.0) {
            let cluster = of_cluster[0].0;
            let before = self.covers[cluster as usize] as i32;
            let after = before + of_cluster.iter().map(|(_, by)| by).sum::<i32>();
            more += i32::from(after == 0) - i32::from(before == 0);
            if before > 0 && after == 0 {
                lost.insert(cluster);
            }
        }
        (lost, more)
    }
}

/// Changes of how many forms clusters have to themselves, one after the other.
#[derive(Default)]
struct Covers(Vec<(u32, i32)>);

impl Covers {
    /// The cluster that most URLs of a form are of has so many forms more.
    fn add(&mut self, members: Option<&Members>, by: i32) {
        let cluster = members.and_then(|members| majority(members.iter().copied()));
        self.0.extend(cluster.map(|cluster| (cluster, by)));
    }
}

/// Some of the pages of a form, each with the form that its URLs had: of the majority's URLs two, and two others.
struct Others(SmallVec<[(u64, u32); 4]>);

impl Others {
    fn of(group: &[Move], stay: &[(u32, u32)], majority: Option<u32>) -> Self {
        let mut held: SmallVec<[(u64, u32); 4]> = SmallVec::new();
        let stay = stay.iter().map(|(cluster, _)| (group[0].to, *cluster));
        for (from, cluster) in stay.chain(group.iter().map(|one| (one.from, one.cluster))) {
            let is_like =
                |one: &&(u64, u32)| (Some(one.1) == majority) == (Some(cluster) == majority);
            let mut alike = held.iter().filter(is_like);
            if alike.clone().count() < 2 && alike.all(|one| one.0 != from) {
                held.push((from, cluster));
            }
        }
        Self(held)
    }

    /// One that a URL meets.
    fn of_move(&self, one: &Move) -> Option<u32> {
        let is_met = |(from, cluster): &&(u64, u32)| *from != one.from && *cluster != one.cluster;
        self.0.iter().find(is_met).map(|(_, cluster)| *cluster)
    }
}

impl MoveEffect {
    /// Counts the moves to one form, which then has these members, of whom some stay: clusters, each with its URLs. Notes
    /// what becomes of each.
    fn count_group(
        &mut self,
        group: &mut [Move],
        members: &[(u32, u32)],
        stay: &[(u32, u32)],
        lost: impl Fn(u32) -> bool,
    ) {
        let all: u32 = members.iter().map(|(_, count)| count).sum();
        let mut differences: SmallVec<[_; 4]> = group.iter().map(Move::difference).collect();
        differences.sort_unstable();
        differences.dedup();
        let tested = all as usize > group.len() || differences.len() > 1;
        let majority = majority(members.iter().copied());
        let any_lost = members.iter().any(|(cluster, _)| lost(*cluster));
        // Where the URLs that stay are outnumbered, those that came are to blame.
        let came = group.iter().filter(|one| Some(one.cluster) == majority).count() as u32;
        let own = members.iter().find(|(cluster, _)| Some(*cluster) == majority);
        let swamps = any_lost && own.is_some_and(|(_, count)| *count == came);
        let others = Others::of(group, stay, majority);
        self.tested_forms += if tested { differences.len() as u32 } else { 0 };
        for one in group {
            one.tested = tested;
            one.lost = swamps || lost(one.cluster);
            one.collides = others.of_move(one);
            self.counts.tested += u32::from(tested);
            self.outside += u32::from(tested && Some(one.cluster) != majority);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use rustc_hash::FxHashSet;

    use super::*;

    /// A URL: the form that it has, the one that it would get, its cluster.
    type Url = (u64, Option<u64>, u32);

    fn urls() -> impl Strategy<Value = Vec<Url>> {
        let url = (0..5_u64, prop::option::of(0..5_u64), 0..4_u32);
        prop::collection::vec(url, 1..60).prop_map(|mut urls| {
            for (from, to, _) in &mut urls {
                *to = to.filter(|to| to != from);
            }
            urls
        })
    }

    fn after((from, to, _): &Url) -> u64 {
        to.unwrap_or(*from)
    }

    /// The clusters that are the majority of some form.
    fn seen(urls: &[Url], form: impl Fn(&Url) -> u64) -> FxHashSet<u32> {
        let forms: FxHashSet<u64> = urls.iter().map(&form).collect();
        forms.into_iter().map(|one| most(urls, one, &form).0).collect()
    }

    /// The cluster that most URLs of a form are of, and their number.
    fn most(urls: &[Url], one: u64, form: impl Fn(&Url) -> u64) -> (u32, usize) {
        let of =
            |cluster: u32| urls.iter().filter(|url| form(url) == one && url.2 == cluster).count();
        (0..4).map(|cluster| (cluster, of(cluster))).rev().max_by_key(|most| most.1).expect("four")
    }

    fn forms(urls: &[Url], form: impl Fn(&Url) -> u64) -> Forms {
        Forms::new(urls.iter().map(|url| (form(url), url.2)))
    }

    fn sorted(forms: Forms) -> (Vec<(u64, Members)>, Vec<u32>) {
        let mut members: Vec<(u64, Members)> = forms.members.into_iter().collect();
        members.sort_unstable();
        members.iter_mut().for_each(|(_, members)| members.sort_unstable());
        (members, forms.covers)
    }

    #[test]
    fn forms_and_clusters_are_counted() {
        let urls = [(7, None, 0), (7, None, 0), (8, None, 0), (9, None, 1), (9, None, 2)];
        let forms = forms(&urls, |url| url.0);
        assert_eq!((forms.members.len(), forms.covers.len()), (3, 3));
    }

    proptest! {
        #[test]
        fn moves_do_what_they_are_said_to_do(urls in urls()) {
            let mut before = forms(&urls, |url| url.0);
            let mut moves: Vec<Move> = (0..)
                .zip(&urls)
                .filter_map(|(tag, url)| Some(Move { to: url.1?, from: url.0, cluster: url.2, tag, ..Move::default() }))
                .collect();
            let effect = before.effect(&mut moves);
            let was_seen = seen(&urls, |url| url.0);
            let is_seen = seen(&urls, after);
            let expected = forms(&urls, after);
            prop_assert_eq!(effect.counts.saved, before.members.len() as i32 - expected.members.len() as i32);
            prop_assert_eq!(effect.counts.lost as usize, was_seen.len().saturating_sub(is_seen.len()));
            let lost = |cluster: u32| was_seen.contains(&cluster) && !is_seen.contains(&cluster);
            for one in &moves {
                let url = urls[one.tag as usize];
                let mates = || urls.iter().filter(|other| after(other) == after(&url));
                prop_assert_eq!(one.tested, mates().any(|other| other.0 != url.0));
                let (majority, count) = most(&urls, after(&url), after);
                let meets = |other: &&Url| other.0 != url.0 && other.2 != url.2;
                let met: Vec<u32> = mates().filter(meets).map(|other| other.2).collect();
                prop_assert!(one.collides.is_none_or(|page| met.contains(&page)));
                prop_assert!(one.collides.is_some() || met.is_empty() || majority != url.2);
                let came = mates().filter(|other| other.2 == majority && other.1.is_some()).count();
                let swamps = came == count && mates().any(|other| lost(other.2));
                prop_assert_eq!(one.lost, swamps || lost(url.2));
            }
            let tested = moves.iter().filter(|one| one.tested).map(|one| &urls[one.tag as usize]);
            prop_assert_eq!(effect.counts.tested as usize, tested.clone().count());
            let ways: BTreeSet<_> = tested.map(|url| (url.0, after(url))).collect();
            prop_assert_eq!(effect.tested_forms as usize, ways.len());
            before.apply(&moves);
            prop_assert_eq!(sorted(before), sorted(expected));
        }
    }
}
