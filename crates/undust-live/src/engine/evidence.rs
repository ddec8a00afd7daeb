//! Groups and classes: what the pages fetched so far say of the hypotheses in force.

mod groups;

use std::collections::VecDeque;
use std::fmt::{self, Write};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use undust_model::translation::{Canonicalizer, Translation};
use undust_util::op_counter;

use self::groups::{FIRST_CLASS, Group, Groups, UNKNOWN};
use super::ban::WINDOW;
use super::classes::{Class, Classes, Origin, Test, TestOutcome, Trust};
use super::explain::FormEvidence;
use super::folder::Folder;
use super::kept_model::ModelKey;
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
    /// What the learner has kept it by, if it has.
    pub kept: Option<ModelKey>,
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

/// Classes that are known by a number, at most.
const MOST_CLASSES: usize = 1 << 16;

/// The fetched pages, as far as evidence asks for them.
pub(super) trait Known {
    /// The cluster of a page, by its first page.
    fn cluster(&mut self, page: u32) -> u32;

    /// The newest page of a URL and its crawl, by the hash of the URL.
    fn newest(&self, url: u64) -> Option<(u32, u16)>;
}

/// A group as one hypothesis sees it.
#[derive(Debug, Clone, Copy)]
struct PureGroup {
    page: u32,
    members: u32,
    is_drawn: bool,
}

impl PureGroup {
    fn of(group: &Group, known: &mut impl Known) -> Self {
        let page = known.cluster(group.page);
        Self { page, members: group.members(), is_drawn: group.is_drawn() }
    }
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
    /// Whether what it leaves out looks drawn at random.
    pub is_drawn: bool,
    /// The form of the URL.
    pub form: String,
    /// How many URLs of the form were fetched.
    pub fetched: u32,
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
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Evidence {
    /// A URL that was fetched, is its own form, and has no group here is a group of one.
    groups: Groups,
    known_classes: IndexSet<Class, FxBuildHasher>,
    pub classes: Classes,
    recent: VecDeque<Recent>,
    /// Bytes of their URLs.
    recent_bytes: usize,
}

/// One of the last pages.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Recent {
    pub number: u32,
    pub url: Box<str>,
    /// The tests that it was.
    tests: Box<[Test]>,
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

    /// What gives the URL the model's form.
    fn because(&self) -> &str {
        if self.cause.is_empty() { "is the form of others" } else { &self.cause }
    }

    /// The hashes of all forms of the URL.
    pub(super) fn forms(&self) -> impl Iterator<Item = u64> {
        self.proposals.iter().map(|proposal| proposal.form).chain([self.key])
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
    let spread = kind.spread();
    Class { chain, folder, spread, trust: Trust::Accepted, origin: Origin::Learned }
}

/// The class of URLs that the model leaves as they are.
fn unchanged_class(folder: Folder) -> Class {
    accepted_class("unchanged", &Kind::named("unchanged"), folder)
}

impl Evidence {
    /// The least risky of the reasons to skip a URL; none where no group of it has a page, or the
    /// model's group has two.
    pub(super) fn reason(
        &self,
        asked: &Asked,
        crawl: u16,
        known: &mut impl Known,
    ) -> Option<Reason> {
        let group = self.own_group(asked.key, known);
        if group.is_some_and(|group| group.is_mixed()) {
            return None;
        }
        if let Some(group) = group.filter(|group| group.crawl == crawl) {
            let class = asked.class.unwrap_or_else(|| self.class_of(&group, asked));
            return Some(Reason {
                loss: self.classes.loss(&class, group.members(), group.is_drawn()),
                class,
                account: class.account(asked.key, group.members()),
                is_drawn: group.is_drawn(),
                form: asked.form.clone(),
                fetched: group.members(),
                hypothesis: asked.because().to_owned(),
            });
        }
        let mut least: Option<(f32, PureGroup, &Proposal)> = None;
        for proposal in asked.proposals.iter() {
            let Some(group) = self.proposed_group(proposal, crawl, known) else { continue };
            let loss = self.classes.loss(&proposal.class, group.members, group.is_drawn);
            if least.is_none_or(|(least, ..)| loss < least) {
                least = Some((loss, group, proposal));
            }
        }
        least.map(|(loss, group, proposal)| Reason {
            loss,
            class: proposal.class,
            account: proposal.class.account(proposal.group, group.members),
            is_drawn: group.is_drawn,
            form: asked.proposals.form(proposal).to_owned(),
            fetched: group.members,
            hypothesis: asked.proposals.hypothesis(proposal).to_owned(),
        })
    }

    /// What is known of every form of a URL, the model's first.
    pub(super) fn forms(
        &self,
        asked: &Asked,
        crawl: u16,
        known: &mut impl Known,
    ) -> Vec<FormEvidence> {
        let group = self.own_group(asked.key, known);
        let fetched = group.filter(|group| group.crawl == crawl);
        let class = fetched
            .map(|group| (group, asked.class.unwrap_or_else(|| self.class_of(&group, asked))));
        let accepted = FormEvidence {
            form: asked.form.clone(),
            hypothesis: asked.cause.clone(),
            is_accepted: true,
            fetched: fetched.map_or(0, |group| group.fetched()),
            shows_two_pages: group.is_some_and(|group| group.is_mixed()),
            loss: class
                .map(|(group, class)| self.classes.loss(&class, group.members(), group.is_drawn())),
        };
        let proposed = asked.proposals.iter().map(|proposal| {
            let pure = self.proposed_group(proposal, crawl, known);
            FormEvidence {
                form: asked.proposals.form(proposal).to_owned(),
                hypothesis: asked.proposals.hypothesis(proposal).to_owned(),
                is_accepted: false,
                fetched: pure.map_or(0, |group| group.members),
                shows_two_pages: self.is_mixed(proposal),
                loss: pure
                    .map(|group| self.classes.loss(&proposal.class, group.members, group.is_drawn)),
            }
        });
        std::iter::once(accepted).chain(proposed).collect()
    }

    /// The group of a URL that is its own form, or of those that have its form.
    fn own_group(&self, url: u64, known: &impl Known) -> Option<Group> {
        let group = self.groups.get(url).copied();
        group.or_else(|| known.newest(url).map(Group::of_one))
    }

    /// The class of a group's last member; if that is unknown, the one of URLs that stay as they are.
    fn class_of(&self, group: &Group, asked: &Asked) -> Class {
        let number = group.class.checked_sub(FIRST_CLASS);
        let class =
            number.and_then(|number| self.known_classes.get_index(number as usize)).copied();
        class.unwrap_or_else(|| unchanged_class(asked.folder))
    }

    fn is_mixed(&self, proposal: &Proposal) -> bool {
        let groups = [proposal.form, proposal.group].map(|key| self.groups.get(key));
        groups.into_iter().flatten().any(|group| group.is_mixed())
    }

    /// The group of a proposal together with the URL of its form, unless they showed two pages, or
    /// none in this crawl.
    fn proposed_group(
        &self,
        proposal: &Proposal,
        crawl: u16,
        known: &mut impl Known,
    ) -> Option<PureGroup> {
        if self.is_mixed(proposal) {
            return None;
        }
        let form = self.own_group(proposal.form, known);
        let group = self.groups.get(proposal.group).copied();
        let [form, group] = [form, group].map(|group| group.filter(|group| group.crawl == crawl));
        match (form, group) {
            (None, None) => None,
            (Some(one), None) | (None, Some(one)) => Some(PureGroup::of(&one, known)),
            // The page of the form may be one of those that it is past.
            (Some(_), Some(group)) if group.is_past() => Some(PureGroup::of(&group, known)),
            (Some(form), Some(group)) => {
                let (form, group) = (PureGroup::of(&form, known), PureGroup::of(&group, known));
                let members = form.members + group.members;
                (form.page == group.page).then_some(PureGroup { members, ..group })
            }
        }
    }

    /// Takes a page that was fetched, as a test of all its hypotheses; if it is past, only of those
    /// that were not learned from it.
    pub(super) fn take(
        &mut self,
        asked: &Asked,
        url: &str,
        fetched: Fetched,
        is_past: bool,
        known: &mut impl Known,
    ) {
        op_counter::count(1);
        let Fetched { number, page, is_new, crawl } = fetched;
        let wrong = if is_new { TestOutcome::New } else { TestOutcome::Other };
        let outcome = |shown| if shown == page { TestOutcome::Same } else { wrong };
        let tests = |class: &Class| !is_past || class.origin == Origin::Given;
        let mut tested = Vec::new();
        for proposal in asked.proposals.iter().filter(|proposal| tests(&proposal.class)) {
            if let Some(group) = self.proposed_group(proposal, crawl, known) {
                let outcome = outcome(group.page);
                tested.push(self.classes.count(&proposal.class, group.members, page, outcome));
            }
        }
        for proposal in asked.proposals.iter() {
            let has_passed = self.classes.has_passed(&proposal.class);
            self.groups.join_proposed(proposal, fetched, has_passed, known);
        }
        let own = self.own_group(asked.key, known);
        let class = asked.class.or_else(|| own.map(|group| self.class_of(&group, asked)));
        let class = class.unwrap_or_else(|| unchanged_class(asked.folder));
        let pure = own.filter(|group| !group.is_mixed() && group.crawl == crawl);
        if let Some(group) = pure.filter(|_| tests(&class)) {
            let outcome = outcome(known.cluster(group.page));
            tested.push(self.classes.count(&class, group.members(), page, outcome));
        }
        if asked.form != url || self.groups.contains(asked.key) {
            if let Some(own) = own {
                self.groups.begin(asked.key, own);
            }
            let number = self.number_of(class);
            self.groups.join(asked.key, fetched, (&class, number), known);
        }
        if self.recent.len() == WINDOW {
            let oldest = self.recent.pop_front();
            self.recent_bytes -= oldest.map_or(0, |oldest| oldest.url.len());
        }
        self.recent_bytes += url.len();
        self.recent.push_back(Recent { number, url: url.into(), tests: tested.into() });
    }

    /// The last pages that were taken, by their numbers.
    pub(super) fn recent(&self) -> Vec<u32> {
        self.recent.iter().map(|recent| recent.number).collect()
    }

    /// Forgets that a page was one of the last; none if it was not.
    pub(super) fn forget_recent(&mut self, number: u32) -> Option<Recent> {
        let place = self.recent.iter().position(|recent| recent.number == number)?;
        let recent = self.recent.remove(place)?;
        self.recent_bytes -= recent.url.len();
        Some(recent)
    }

    /// Takes a page back that was one of the last: its tests, and its places in groups. A group
    /// that it made show two pages still does until it is past them, since it may not have been alone.
    pub(super) fn take_back(&mut self, asked: &Asked, recent: &Recent, known: &mut impl Known) {
        op_counter::count(1);
        recent.tests.iter().for_each(|test| self.classes.take_back(test));
        let page = known.cluster(recent.number);
        let keys = asked.proposals.iter().map(|proposal| proposal.group);
        for key in keys.chain([asked.key]) {
            self.groups.leave(key, page, known);
        }
    }

    /// The number of a class, unless there are too many.
    fn number_of(&mut self, class: Class) -> u32 {
        let is_full = self.known_classes.len() >= MOST_CLASSES;
        if is_full && !self.known_classes.contains(&class) {
            return UNKNOWN;
        }
        self.known_classes.insert_full(class).0 as u32 + FIRST_CLASS
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        let classes =
            self.known_classes.len() * (size_of::<(u64, Class)>() + 2 * size_of::<usize>());
        self.groups.memory() + self.classes.memory() + classes + self.recent_bytes
    }

    /// Forgets what counts least until it takes at most this many bytes, but for the forms of the model.
    pub(super) fn keep_within(&mut self, most: usize) {
        self.classes.keep_within(most / 4);
        while self.groups.memory() > most / 2 && self.groups.thin() {}
    }

    /// Nothing yet, as far thinned as this.
    pub(super) fn like(&self) -> Self {
        Self { groups: self.groups.thinned_as(), ..Self::default() }
    }
}
