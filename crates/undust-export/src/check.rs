//! An export is measured: on every URL, what its consumer answers is compared with what the model answers.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use undust_edits::editor::{Editor, ServedEdit};
use undust_model::site_model::SiteModel;
use undust_model::translation::{Applied as Step, Canonicalizer};
use undust_url::copied::leads_away;
use undust_url::tokens::{authority, same_server};

use crate::applied::{Applied, Consumer};
use crate::hostile::{hostile, shouted};
use crate::mutated::mutated;
use crate::redirects::{CrawledUrl, Redirects};
use crate::unsaid::Unsaid;

/// How much of what a model does an export does, too. Numbers of URLs, which are distinct.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// URLs of the site that were tried.
    pub urls: usize,
    /// Those that the model changes.
    pub changed: usize,
    /// Of these, those that the consumer changes in the same way.
    pub covered: usize,
    /// Those that it changes by a part of what the model does: of its answer the model makes the same.
    pub in_part: usize,
    /// Of the others and of these, why: the first step that the export lacks, by number of URLs.
    pub missing: Vec<(Missing, usize)>,
}

/// A step of the model that an export lacks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Missing {
    /// An edit, by its number.
    Edit(usize),
    /// A URL convention or the normal form, by its notation.
    Convention(String),
    /// Nothing: the rules are there and do not match this URL, or do so in another order.
    Unmatched,
}

/// The judge of an export.
pub(crate) struct Check<'m> {
    model: &'m SiteModel,
    /// The numbers of edits, by their addresses.
    numbers: FxHashMap<*const (), usize>,
    /// The URLs on which an export is tried.
    pub urls: Vec<String>,
    pub redirects: Redirects,
    /// URLs like them that are written as nobody should.
    hostile: Vec<String>,
    /// URLs put together of parts of several, and the same with paths in capitals.
    mutated: Vec<String>,
}

/// On which URLs rules are tried.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tried {
    /// Those that were given: rules of a format that cannot say where they hold.
    GivenUrls,
    /// Hostile ones, too: rules of a format that says by names and wildcards where they hold.
    Hostile,
    /// And those whose paths are in capitals, and those put together of parts of several: regexes.
    All,
}

/// URLs from which hostile ones are made; each gives a dozen.
const MOST_HOSTILE: usize = 400;
/// URLs that are put together of parts of others.
const MUTATED: usize = 40_000;
const SEED: u64 = 17;

impl<'m> Check<'m> {
    pub(crate) fn new(model: &'m SiteModel, editor: &Editor, crawled: Vec<CrawledUrl>) -> Self {
        let redirects = Redirects::of(&crawled);
        let mut urls: Vec<String> = crawled.into_iter().map(|crawled| crawled.url).collect();
        urls.sort_unstable();
        urls.dedup();
        let address =
            |(place, edit): (usize, &ServedEdit)| (std::ptr::from_ref(edit).cast(), place + 1);
        let numbers = editor.rules().enumerate().map(address).collect();
        let step = urls.len().div_ceil(MOST_HOSTILE).max(1);
        let hostile = urls.iter().step_by(step).flat_map(|url| hostile(url)).collect();
        let is_changed = |url: &str| model.canonicalize(url).canonical != url;
        let mut mutated = mutated(&urls, is_changed, MUTATED, SEED);
        mutated.extend(urls.iter().step_by(step).filter_map(|url| shouted(url)));
        Self { model, numbers, urls, redirects, hostile, mutated }
    }

    /// The URLs on which rules are tried, if the consumer changes them.
    pub(crate) fn tried(&self, consumer: &dyn Consumer, tried: Tried) -> Vec<&str> {
        let more: &[&Vec<String>] = match tried {
            Tried::GivenUrls => &[],
            Tried::Hostile => &[&self.hostile],
            Tried::All => &[&self.hostile, &self.mutated],
        };
        let all = self.urls.iter().chain(more.iter().copied().flatten()).map(String::as_str);
        all.filter(|url| !consumer.apply(url).is_empty()).collect()
    }

    /// Leaves out every rule by which the consumer changes a URL otherwise than the model, and says which URL.
    pub(crate) fn leave_out_conflicts(
        &self,
        consumer: &mut dyn Consumer,
        urls: &[&str],
    ) -> Vec<(usize, Unsaid)> {
        leave_out_by_url(consumer, urls, |consumer, url| {
            self.conflict(consumer, url).map(|rule| (rule, Unsaid::Conflict(url.to_owned())))
        })
    }

    /// Leaves out every rule that sends clients from URLs which answered mostly to URLs that did not, or that nobody
    /// asked for. What an edit makes of a URL is a form of the model; what its rule writes may be less.
    pub(crate) fn leave_out_unanswered(&self, consumer: &mut dyn Consumer) -> Vec<(usize, Unsaid)> {
        leave_out(consumer, |consumer| {
            let answers = self.redirects.answers(consumer).into_iter();
            let seldom = answers.filter(|(_, (forms, answered))| 2 * answered <= *forms);
            let why = |(forms, answered)| Unsaid::SeldomAnswers(answered, forms);
            seldom.map(|(number, counts)| (number, why(counts))).collect()
        })
    }

    /// Leaves out every rule that leads a client in a circle with the redirects of the crawl, or from a URL of the crawl
    /// over more redirects than one.
    pub(crate) fn leave_out_detours(
        &self,
        consumer: &mut dyn Consumer,
        urls: &[&str],
    ) -> Vec<(usize, Unsaid)> {
        let crawled: Vec<&str> = self.urls.iter().map(String::as_str).collect();
        let mut left = leave_out_by_url(consumer, &crawled, |consumer, url| {
            self.redirects.blame(consumer, url)
        });
        left.extend(leave_out_by_url(consumer, urls, |consumer, url| {
            let blame = self.redirects.blame(consumer, url);
            blame.filter(|(_, why)| matches!(why, Unsaid::Circle(_)))
        }));
        left
    }

    /// The rule by which the consumer leaves the way of the model.
    fn conflict(&self, consumer: &dyn Consumer, url: &str) -> Option<usize> {
        let steps = consumer.apply(url);
        let first = steps.first()?;
        if let Some(broken) = steps.iter().find(|step| !keeps_host(url, &step.url)) {
            return Some(broken.rule);
        }
        let url = consumer.read(url);
        let ours = self.model.canonicalize(&url);
        if ours.canonical == url {
            return Some(first.rule);
        }
        let leaves = |step: &&Applied| {
            self.model.canonicalize(&consumer.read(&step.url)).canonical != ours.canonical
        };
        steps.iter().find(leaves).map(|step| step.rule)
    }

    /// How much of what the model does the consumer does.
    pub(crate) fn coverage(&self, consumer: &dyn Consumer) -> Coverage {
        let exported = consumer.numbers();
        let mut coverage = Coverage { urls: self.urls.len(), ..Coverage::default() };
        let mut missing: BTreeMap<Missing, usize> = BTreeMap::new();
        for url in &self.urls {
            let ours = self.model.canonicalize(url);
            if ours.canonical == **url {
                continue;
            }
            coverage.changed += 1;
            let steps = consumer.apply(url);
            if steps.last().is_some_and(|last| last.url == ours.canonical) {
                coverage.covered += 1;
                continue;
            }
            coverage.in_part += usize::from(!steps.is_empty());
            let lacks = |step: &dyn Step| match self.numbers.get(&std::ptr::from_ref(step).cast()) {
                Some(number) => (!exported.contains(number)).then_some(Missing::Edit(*number)),
                None => Some(Missing::Convention(step.to_string())),
            };
            let lacking = ours.cause.steps().find_map(lacks).unwrap_or(Missing::Unmatched);
            *missing.entry(lacking).or_default() += 1;
        }
        coverage.missing = missing.into_iter().collect();
        coverage.missing.sort_by_key(|(_, urls)| std::cmp::Reverse(*urls));
        coverage
    }
}

/// Leaves out rules until none is wrong by any of these URLs.
fn leave_out_by_url(
    consumer: &mut dyn Consumer,
    urls: &[&str],
    wrong: impl Fn(&dyn Consumer, &str) -> Option<(usize, Unsaid)>,
) -> Vec<(usize, Unsaid)> {
    leave_out(consumer, |consumer| {
        let mut found = BTreeMap::new();
        for (number, why) in urls.iter().filter_map(|url| wrong(consumer, url)) {
            found.entry(number).or_insert(why);
        }
        found
    })
}

/// Leaves out rules until none is wrong.
pub(crate) fn leave_out<C: Consumer + ?Sized>(
    consumer: &mut C,
    wrong: impl Fn(&C) -> BTreeMap<usize, Unsaid>,
) -> Vec<(usize, Unsaid)> {
    let mut left_out = Vec::new();
    loop {
        let found = wrong(consumer);
        if found.is_empty() {
            return left_out;
        }
        found.keys().for_each(|number| consumer.forget(*number));
        left_out.extend(found);
    }
}

/// Whether the server is the same, and a path that does not lead away from it goes on not to.
pub(crate) fn keeps_host(url: &str, after: &str) -> bool {
    let end = authority(url).end;
    same_server(url, after) && (leads_away(&url[end..]) || !leads_away(&after[end..]))
}
