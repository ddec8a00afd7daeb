//! Groups and classes: what the pages fetched so far say of the hypotheses in force.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::fmt::{self, Write};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use xxhash_rust::xxh3::xxh3_64;

use undust_model::translation::{Canonicalizer, Translation};
use undust_util::op_counter;

use super::ban::WINDOW;
use super::classes::{Class, Classes, Origin, Test, TestOutcome, Trust};
use super::explain::FormEvidence;
use super::folder::Folder;
use super::propose::{Kind, Proposal, Proposals, Propose};
use super::secret::Secret;
use super::spent::AccountKey;

/// What is believed of a site, and what is only proposed.
#[derive(Default)]
pub struct Hypotheses {
    /// What the gate accepted; none before anything was learned.
    pub accepted: Option<Box<dyn Canonicalizer>>,
    /// What is proposed on top of it, whatever the site.
    pub given: Vec<Box<dyn Propose>>,
    /// What was learned of the site and proposes, too.
    pub learned: Vec<Box<dyn Propose>>,
}

impl fmt::Debug for Hypotheses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hypotheses")
            .field("accepted", &self.accepted.is_some())
            .field("given", &self.given.len())
            .field("learned", &self.learned.len())
            .finish()
    }
}

/// The fetched URLs that a hypothesis gives one form.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// The page that they show, by a page of its cluster.
    page: u32,
    members: u32,
    /// The last crawl in which one was fetched: what another crawl fetched may have changed.
    crawl: u16,
    /// Whether they showed two pages in one crawl: none of them is skipped again.
    is_mixed: bool,
    /// The class of its last member, in [`Evidence::known_classes`]; of what is only proposed it is
    /// nowhere.
    class: u32,
}

/// A group as one hypothesis sees it.
#[derive(Debug, Clone, Copy)]
struct PureGroup {
    page: u32,
    members: u32,
}

/// What the hypotheses say of one URL; kept from call to call, to save its allocations.
#[derive(Debug, Default)]
pub(super) struct Asked {
    secret: Secret,
    folder: Folder,
    form: String,
    /// What the model applied; nothing if it left the URL as it is.
    cause: String,
    class: Option<Class>,
    key: u64,
    proposals: Proposals,
}

/// The best reason to skip a URL.
#[derive(Debug, Clone)]
pub(super) struct Reason {
    /// The probability that the skip loses a page.
    pub loss: f32,
    pub class: Class,
    /// Which skips have its price.
    pub account: AccountKey,
    /// The form of the URL.
    pub form: String,
    /// What gives it this form.
    pub hypothesis: String,
}

/// A page that was fetched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fetched {
    /// Its number.
    pub number: u32,
    /// Its cluster, by a page of it.
    pub page: u32,
    /// Whether nobody had seen the page.
    pub is_new: bool,
    /// In which crawl.
    pub crawl: u16,
}

/// What the pages fetched so far say.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// A site of ten million pages has some seventy million, so they are small.
    groups: FxHashMap<u64, Group>,
    known_classes: IndexSet<Class, FxBuildHasher>,
    pub classes: Classes,
    /// The last pages, by number, and the tests that they were.
    recent: VecDeque<(u32, Box<[Test]>)>,
}

impl Asked {
    /// Nothing yet.
    pub(super) fn new(secret: Secret) -> Self {
        Self { secret, proposals: Proposals::new(secret), ..Self::default() }
    }

    /// Asks for all forms of a URL.
    pub(super) fn ask(&mut self, hypotheses: &Hypotheses, url: &str) {
        self.form.clear();
        self.cause.clear();
        self.class = None;
        self.folder = Folder::of(&self.secret, url);
        self.proposals.begin(self.folder);
        match &hypotheses.accepted {
            Some(accepted) => {
                let translation = accepted.canonicalize(url);
                self.form.push_str(&translation.canonical);
                self.note(url, &translation);
            }
            None => self.form.push_str(url),
        }
        self.key = self.secret.hash(&self.form);
        self.proposals.come_from(Origin::Given);
        for proposer in &hypotheses.given {
            proposer.propose(&self.form, &mut self.proposals);
        }
        self.proposals.come_from(Origin::Learned);
        for proposer in &hypotheses.learned {
            proposer.propose(&self.form, &mut self.proposals);
        }
    }

    fn note(&mut self, url: &str, translation: &Translation<'_>) {
        // Writing to a string cannot fail.
        let _: fmt::Result = write!(self.cause, "{}", translation.cause);
        if self.cause.is_empty() && *translation.canonical != *url {
            self.cause.push_str("conventions");
        }
        if !self.cause.is_empty() {
            self.class = Some(accepted_class(&self.cause, &Kind::of(url), self.folder));
        }
    }
}

/// The class of what a model applies.
fn accepted_class(cause: &str, kind: &Kind, folder: Folder) -> Class {
    let chain = kind.chain(xxh3_64(cause.as_bytes()), xxh3_64(b"accepted"));
    let is_of_folder = kind.is_of_folder();
    Class { chain, folder, is_of_folder, trust: Trust::Accepted, origin: Origin::Learned }
}

impl Evidence {
    /// The least risky of the reasons to skip a URL; none where no group of it has a page, or the
    /// model's group has two.
    pub(super) fn reason(
        &self,
        asked: &Asked,
        crawl: u16,
        cluster: &mut impl FnMut(u32) -> u32,
    ) -> Option<Reason> {
        let group = self.groups.get(&asked.key);
        if group.is_some_and(|group| group.is_mixed) {
            return None;
        }
        if let Some(group) = group.filter(|group| group.crawl == crawl) {
            let class = asked.class.unwrap_or_else(|| self.class_of(group));
            return Some(Reason {
                loss: self.classes.loss(&class, group.members),
                class,
                account: class.account(asked.key, group.members),
                form: asked.form.clone(),
                hypothesis: asked.cause.clone(),
            });
        }
        let mut least: Option<(f32, u32, &Proposal)> = None;
        for proposal in asked.proposals.iter() {
            let Some(group) = self.bold_group(proposal, crawl, cluster) else { continue };
            let loss = self.classes.loss(&proposal.class, group.members);
            if least.is_none_or(|(least, ..)| loss < least) {
                least = Some((loss, group.members, proposal));
            }
        }
        least.map(|(loss, members, proposal)| Reason {
            loss,
            class: proposal.class,
            account: proposal.class.account(proposal.group, members),
            form: asked.proposals.form(proposal).to_owned(),
            hypothesis: asked.proposals.hypothesis(proposal).to_owned(),
        })
    }

    /// What is known of every form of a URL, the model's first.
    pub(super) fn forms(
        &self,
        asked: &Asked,
        crawl: u16,
        cluster: &mut impl FnMut(u32) -> u32,
    ) -> Vec<FormEvidence> {
        let group = self.groups.get(&asked.key);
        let fetched = group.filter(|group| group.crawl == crawl);
        let class =
            fetched.map(|group| (group, asked.class.unwrap_or_else(|| self.class_of(group))));
        let accepted = FormEvidence {
            form: asked.form.clone(),
            hypothesis: asked.cause.clone(),
            is_accepted: true,
            fetched: fetched.map_or(0, |group| group.members),
            shows_two_pages: group.is_some_and(|group| group.is_mixed),
            loss: class.map(|(group, class)| self.classes.loss(&class, group.members)),
        };
        let proposed = asked.proposals.iter().map(|proposal| {
            let pure = self.bold_group(proposal, crawl, cluster);
            FormEvidence {
                form: asked.proposals.form(proposal).to_owned(),
                hypothesis: asked.proposals.hypothesis(proposal).to_owned(),
                is_accepted: false,
                fetched: pure.map_or(0, |group| group.members),
                shows_two_pages: self.is_mixed(proposal),
                loss: pure.map(|group| self.classes.loss(&proposal.class, group.members)),
            }
        });
        std::iter::once(accepted).chain(proposed).collect()
    }

    /// The class of a group's last member.
    fn class_of(&self, group: &Group) -> Class {
        self.known_classes[group.class as usize]
    }

    fn is_mixed(&self, proposal: &Proposal) -> bool {
        let groups = [proposal.form, proposal.group].map(|key| self.groups.get(&key));
        groups.into_iter().flatten().any(|group| group.is_mixed)
    }

    /// The group of a proposal together with the URL of its form, unless they showed two pages, or
    /// none in this crawl.
    fn bold_group(
        &self,
        proposal: &Proposal,
        crawl: u16,
        cluster: &mut impl FnMut(u32) -> u32,
    ) -> Option<PureGroup> {
        if self.is_mixed(proposal) {
            return None;
        }
        let [form, group] = [proposal.form, proposal.group].map(|key| self.groups.get(&key));
        let [form, group] = [form, group].map(|group| group.filter(|group| group.crawl == crawl));
        let pure = |group: &Group, page| PureGroup { page, members: group.members };
        match (form, group) {
            (None, None) => None,
            (Some(group), None) | (None, Some(group)) => Some(pure(group, cluster(group.page))),
            (Some(form), Some(group)) => {
                let page = cluster(form.page);
                let members = form.members + group.members;
                (page == cluster(group.page)).then_some(PureGroup { page, members })
            }
        }
    }

    /// Takes a page that was fetched, as a test of all its hypotheses; if it is past, only of those
    /// that were not learned from it.
    pub(super) fn take(
        &mut self,
        asked: &Asked,
        fetched: Fetched,
        is_past: bool,
        cluster: &mut impl FnMut(u32) -> u32,
    ) {
        op_counter::count(1);
        let Fetched { number, page, is_new, crawl } = fetched;
        let wrong = if is_new { TestOutcome::New } else { TestOutcome::Other };
        let outcome = |shown| if shown == page { TestOutcome::Same } else { wrong };
        let tests = |class: &Class| !is_past || class.origin == Origin::Given;
        let mut tested = Vec::new();
        for proposal in asked.proposals.iter().filter(|proposal| tests(&proposal.class)) {
            if let Some(group) = self.bold_group(proposal, crawl, cluster) {
                let outcome = outcome(group.page);
                tested.push(self.classes.count(&proposal.class, group.members, page, outcome));
            }
        }
        for proposal in asked.proposals.iter() {
            self.join(proposal.group, fetched, u32::MAX, cluster);
        }
        let known = self.groups.get(&asked.key).copied();
        let class = asked.class.or_else(|| known.map(|group| self.class_of(&group)));
        let class = class.unwrap_or_else(|| {
            accepted_class("unchanged", &Kind::named("unchanged"), asked.folder)
        });
        let pure = known.filter(|group| !group.is_mixed && group.crawl == crawl);
        if let Some(group) = pure.filter(|_| tests(&class)) {
            let outcome = outcome(cluster(group.page));
            tested.push(self.classes.count(&class, group.members, page, outcome));
        }
        let class = self.known_classes.insert_full(class).0 as u32;
        self.join(asked.key, fetched, class, cluster);
        if self.recent.len() == WINDOW {
            self.recent.pop_front();
        }
        self.recent.push_back((number, tested.into()));
    }

    /// The last pages that were taken, by their numbers.
    pub(super) fn recent(&self) -> Vec<u32> {
        self.recent.iter().map(|(number, _)| *number).collect()
    }

    /// Takes a page back that was one of the last: its tests, and its places in groups. A group
    /// that it made show two pages still does, since it may not have been alone.
    pub(super) fn take_back(
        &mut self,
        asked: &Asked,
        number: u32,
        cluster: &mut impl FnMut(u32) -> u32,
    ) {
        let Some(place) = self.recent.iter().position(|(recent, _)| *recent == number) else {
            return;
        };
        op_counter::count(1);
        let tests = self.recent.remove(place).map(|(_, tests)| tests).unwrap_or_default();
        tests.iter().for_each(|test| self.classes.take_back(test));
        let page = cluster(number);
        let keys = asked.proposals.iter().map(|proposal| proposal.group);
        for key in keys.chain([asked.key]) {
            let Entry::Occupied(mut entry) = self.groups.entry(key) else { continue };
            let group = entry.get_mut();
            if cluster(group.page) == page {
                group.members -= 1;
                if group.members == 0 {
                    entry.remove();
                }
            }
        }
    }

    fn join(
        &mut self,
        key: u64,
        fetched: Fetched,
        class: u32,
        cluster: &mut impl FnMut(u32) -> u32,
    ) {
        let Fetched { page, crawl, .. } = fetched;
        let first = Group { page, members: 0, crawl, is_mixed: false, class };
        let group = self.groups.entry(key).or_insert(first);
        if group.crawl != crawl {
            (group.page, group.crawl) = (page, crawl);
        }
        group.is_mixed |= cluster(group.page) != page;
        group.members += 1;
        group.class = class;
    }
}
