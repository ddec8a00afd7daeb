//! A model tested on a crawl: the replay as a whole, and each operation.
//!
//! Of the URLs that share a form, those outside its largest cluster are wrong: their page and the largest
//! collide. Each operation that changed a wrong URL is to blame, all of them where there are several. Where a
//! wrong URL is as it came, those are to blame that brought the others to it. An operation is judged as the gate
//! judges an edit, by the pages that its URLs show and those that collide (docs/evidence.md).
//!
//! How URLs are normalised is tested first, on the URLs that become one by that alone, whatever the model
//! makes of them then. The model is tested on the URLs that it is given: URLs that became one before
//! count as of their largest cluster, so that no rule is blamed for what a scheme merged.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::learned::Learned;
use undust_cluster::clusters::Clusters;
use undust_edits::conventions::{NormalizationStep, Normalized, UrlConventions};
use undust_model::model::Model;
use undust_model::operation::OperationRef;
use undust_model::site_model::SiteModel;
use undust_model::translation::{Applied, Canonicalizer, Translation};
use undust_pages::page::Page;

use super::operation::Operation;
use crate::collisions::majority;
pub use crate::gate::select_edits::named_urls;
use crate::ordered::distinct;
use crate::simulate::simulate;

/// What a crawl says of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drift {
    /// Pages of the crawl.
    pub pages: usize,
    /// Their clusters.
    pub clusters: usize,
    /// URLs that a crawler with this model fetches.
    pub crawled: usize,
    /// Share of these that show something new.
    pub precision: f64,
    /// Share of the clusters that it sees.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
    /// Clusters that it never sees.
    pub lost: usize,
    /// Their share.
    pub lost_share: f64,
    /// The refuted first, then those that held, then the untested; each with most URLs first.
    pub operations: Vec<Operation>,
}

impl Drift {
    /// What is refuted.
    pub fn refuted(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|operation| operation.is_refuted())
    }
}

/// The model that is tested.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    method: &'s dyn Canonicalizer,
    conventions: Option<&'s UrlConventions>,
    model: &'s Model,
}

impl<'s> From<&'s SiteModel> for Subject<'s> {
    fn from(model: &'s SiteModel) -> Self {
        Self { method: model, conventions: model.conventions.as_deref(), model: &model.model }
    }
}

impl<'s> From<&'s Learned> for Subject<'s> {
    fn from(learned: &'s Learned) -> Self {
        Self { method: learned, conventions: learned.conventions.as_deref(), model: &learned.model }
    }
}

/// Replays all pages, whose clusters must be `clusters`. Two translations of each page, and two
/// sorts of forms.
pub fn detect(pages: &[Page], clusters: &Clusters, subject: Subject<'_>) -> Drift {
    let replay = simulate(pages, clusters, subject.method);
    let mut ledger = Ledger::of(subject.model);
    let is_named = named_urls(pages, clusters);
    let (mut normalized, mut answered) = (CountedForms::default(), CountedForms::default());
    for page in pages {
        let done = subject.method.canonicalize(&page.url);
        let (form, steps) = as_normalized(&page.url, &done, subject.conventions);
        normalized.add(&form, ledger.record_steps(steps));
        let applied = model_steps(&page.url, &done, subject.conventions);
        answered.add(&done.canonical, ledger.record(applied));
    }
    let is_lost = |cluster: u32| replay.fetches[cluster as usize] == 0;
    let mut of = clusters.labels().to_vec();
    let merged = normalized.count(&of, &is_named, &mut ledger, is_lost);
    merged.into_iter().for_each(|(page, cluster)| of[page as usize] = cluster);
    answered.count(&of, &is_named, &mut ledger, is_lost);
    let lost = replay.lost();
    Drift {
        pages: pages.len(),
        clusters: clusters.len(),
        crawled: replay.crawled,
        precision: replay.precision(),
        recall: replay.recall(),
        f1: replay.f1(),
        lost,
        lost_share: 1.0 - replay.recall(),
        operations: ledger.decide(),
    }
}

/// What became of the pages of a crawl, in its order.
#[derive(Default)]
struct CountedForms {
    /// By hash of the form: the page.
    pages: Vec<(u64, u32)>,
    /// By page: the operations that made its form.
    applied: Vec<Box<[u32]>>,
}

impl CountedForms {
    fn add(&mut self, form: &str, applied: Box<[u32]>) {
        self.pages.push((xxh3_64(form.as_bytes()), self.applied.len() as u32));
        self.applied.push(applied);
    }

    /// Counts for the operations the pages of each form, whose clusters are `of`; returns the pages that
    /// share a form, each with the largest cluster of its form.
    fn count(
        mut self,
        of: &[u32],
        is_named: &[bool],
        ledger: &mut Ledger,
        is_lost: impl Fn(u32) -> bool,
    ) -> Vec<(u32, u32)> {
        let mut merged = Vec::new();
        self.pages.sort_unstable();
        for form in self.pages.chunk_by(|a, b| a.0 == b.0).filter(|form| form.len() > 1) {
            let url = |(_, page): &(u64, u32)| {
                let page = *page as usize;
                FormUrl { cluster: of[page], by: &self.applied[page], is_named: is_named[page] }
            };
            let urls: Vec<_> = form.iter().map(url).collect();
            if let Some(cluster) = ledger.count_form(&urls, &is_lost) {
                merged.extend(form.iter().map(|(_, page)| (*page, cluster)));
            }
        }
        merged
    }
}

/// A URL of a form.
struct FormUrl<'f> {
    cluster: u32,
    /// The operations that changed it.
    by: &'f [u32],
    /// Whether a word of it names its page.
    is_named: bool,
}

/// The operations met so far, by their numbers.
#[derive(Default)]
struct Ledger {
    operations: Vec<Operation>,
    /// The model's own rules or edits, by where they are in memory.
    by_address: FxHashMap<*const (), u32>,
    by_notation: FxHashMap<String, u32>,
    /// Operations, each with a page that it was tested on and that no word names.
    pages: FxHashSet<(u32, u32)>,
    /// Operations, each with a page that collides by it.
    collisions: FxHashSet<(u32, u32)>,
    /// Operations, each with a cluster that is lost by it.
    lost: FxHashSet<(u32, u32)>,
}

impl Ledger {
    /// Of a model all of whose rules or edits are operations, whether they change a URL or not.
    fn of(model: &Model) -> Self {
        let mut ledger = Self::default();
        for (place, step) in model.operations().into_iter().enumerate() {
            let number = ledger.operations.len() as u32;
            let notation = step.to_string();
            ledger.by_address.insert(address(step), number);
            ledger.by_notation.entry(notation.clone()).or_insert(number);
            let scope = step.details().map(|details| details.scope.into_owned());
            let reference = Some(OperationRef::RuleOrEdit(place));
            let operation = Operation { notation, scope, reference, ..Operation::default() };
            ledger.operations.push(operation);
        }
        ledger
    }

    fn number(&mut self, step: &dyn Applied) -> u32 {
        if let Some(number) = self.by_address.get(&address(step)) {
            return *number;
        }
        self.number_of(step.to_string(), None)
    }

    fn number_of(&mut self, notation: String, reference: Option<OperationRef>) -> u32 {
        let next = self.operations.len() as u32;
        let number = *self.by_notation.entry(notation.clone()).or_insert(next);
        if number == next {
            self.operations.push(Operation { notation, reference, ..Operation::default() });
        }
        number
    }

    /// The operations of a model that changed a URL.
    fn record<'s>(&mut self, steps: impl Iterator<Item = &'s dyn Applied>) -> Box<[u32]> {
        let numbers = distinct(steps.map(|step| self.number(step)));
        self.count(numbers)
    }

    /// The operations by which a URL was normalised.
    fn record_steps(&mut self, steps: Vec<NormalizationStep>) -> Box<[u32]> {
        let number = |step: NormalizationStep| {
            let notation = step.to_string();
            let reference = step.is_learned().then_some(OperationRef::Normalization(step));
            self.number_of(notation, reference)
        };
        let numbers = distinct(steps.into_iter().map(number));
        self.count(numbers)
    }

    fn count(&mut self, numbers: Vec<u32>) -> Box<[u32]> {
        for number in &numbers {
            self.operations[*number as usize].changed += 1;
        }
        numbers.into()
    }

    /// Counts the URLs of a form, in the order of the crawl; returns their largest cluster.
    fn count_form(&mut self, urls: &[FormUrl<'_>], is_lost: impl Fn(u32) -> bool) -> Option<u32> {
        let largest = largest(urls.iter().map(|url| url.cluster))?;
        for (url, number) in urls.iter().flat_map(|url| url.by.iter().map(move |by| (url, *by))) {
            let operation = &mut self.operations[number as usize];
            operation.tested += 1;
            operation.pages += usize::from(url.is_named);
            if !url.is_named {
                self.pages.insert((number, url.cluster));
            }
        }
        let brought = urls.iter().filter(|url| url.cluster == largest).flat_map(|url| url.by);
        let brought: FxHashSet<u32> = brought.copied().collect();
        let mut blamed: FxHashSet<u32> = FxHashSet::default();
        for url in urls.iter().filter(|url| url.cluster != largest) {
            let others = brought.iter().filter(|_| url.by.is_empty());
            for number in url.by.iter().chain(others) {
                blamed.insert(*number);
                self.collisions.extend([(*number, url.cluster), (*number, largest)]);
            }
        }
        // Whatever changed none of the lost URLs brought others to those that are as they came.
        for url in urls.iter().filter(|url| is_lost(url.cluster)) {
            let is_to_blame = |number: &&u32| url.by.is_empty() || url.by.contains(*number);
            let lost_by = blamed.iter().filter(is_to_blame);
            self.lost.extend(lost_by.map(|number| (*number, url.cluster)));
        }
        Some(largest)
    }

    fn decide(mut self) -> Vec<Operation> {
        self.pages.extend(&self.collisions);
        for (number, _) in &self.pages {
            self.operations[*number as usize].pages += 1;
        }
        for (number, _) in &self.collisions {
            self.operations[*number as usize].collisions += 1;
        }
        for (number, _) in &self.lost {
            self.operations[*number as usize].lost += 1;
        }
        self.operations.iter_mut().for_each(Operation::decide);
        self.operations.sort_by(|a, b| {
            let most = |one: &Operation| (one.collisions, one.tested, one.changed);
            let most_first = most(b).cmp(&most(a));
            a.verdict.cmp(&b.verdict).then(most_first).then_with(|| a.notation.cmp(&b.notation))
        });
        self.operations
    }
}

/// The cluster of most URLs.
pub fn largest(clusters: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    clusters.for_each(|cluster| *counts.entry(cluster).or_default() += 1);
    majority(counts)
}

/// A URL as its site would write it, and the steps that are tested: the normal form is not, nor
/// are unknown parameters. What came back as it came was not normalised, whatever the reason.
fn as_normalized<'u>(
    url: &'u str,
    done: &Translation<'_>,
    conventions: Option<&UrlConventions>,
) -> (Cow<'u, str>, Vec<NormalizationStep>) {
    let Some(conventions) = conventions.filter(|_| done.canonical != url) else {
        return (Cow::Borrowed(url), Vec::new());
    };
    let Normalized { url, unknown_params, mut steps } = conventions.normalize(url);
    steps.retain(|step| {
        !matches!(step, NormalizationStep::Normal | NormalizationStep::UnknownParams(_))
    });
    (Normalized::reattach(&unknown_params, url), steps)
}

/// The steps of a translation except those by which the URL was normalised.
fn model_steps<'t>(
    url: &str,
    done: &'t Translation<'_>,
    conventions: Option<&UrlConventions>,
) -> impl Iterator<Item = &'t dyn Applied> + use<'t> {
    let normalization = match conventions {
        Some(conventions) if !done.cause.is_empty() => normalization_steps(conventions, url),
        _ => 0,
    };
    done.cause.steps().skip(normalization)
}

/// The steps of a translation that are on trial: how a URL was normalised only where nothing else
/// changed it.
pub fn steps_that_count<'t>(
    url: &str,
    done: &'t Translation<'_>,
    conventions: Option<&UrlConventions>,
) -> impl Iterator<Item = &'t dyn Applied> + use<'t> {
    let is_only_normalized = model_steps(url, done, conventions).next().is_none();
    let normalization = done.cause.steps().filter(move |_| is_only_normalized);
    normalization.chain(model_steps(url, done, conventions))
}

/// How many steps of a cause only say how a URL was normalised.
fn normalization_steps(conventions: &UrlConventions, url: &str) -> usize {
    let normalized = conventions.normalize(url);
    normalized.steps.len()
        + Normalized::unknown_params_step(&normalized.unknown_params).iter().count()
}

fn address(step: &dyn Applied) -> *const () {
    std::ptr::from_ref(step).cast()
}

#[cfg(test)]
mod tests;
