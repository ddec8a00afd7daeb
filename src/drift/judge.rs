//! A model judged by a crawl: the replay as a whole, and each operation.
//!
//! Of the URLs that share a form, those outside its largest cluster are wrong. Each operation
//! that changed a wrong URL is to blame, all of them where there are several. Where a wrong URL
//! is as it came, those are to blame that brought the others to it.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::operation::Operation;
use crate::cluster::Clusters;
use crate::model::site_model::SiteModel;
use crate::model::{Learned, Model};
use crate::page::Page;
use crate::simulate::simulate;
use crate::translation::{Applied, Canonicalizer, Translation};
use crate::url::usage::{Entered, Usage};

/// What a crawl says of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Drift {
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
    pub(crate) fn refuted(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|operation| operation.is_refuted())
    }
}

/// What is judged.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'s> {
    method: &'s dyn Canonicalizer,
    usage: Option<&'s Usage>,
    model: &'s Model,
}

impl<'s> From<&'s SiteModel> for Subject<'s> {
    fn from(model: &'s SiteModel) -> Self {
        Self { method: model, usage: model.usage(), model: model.model() }
    }
}

impl<'s> From<&'s Learned> for Subject<'s> {
    fn from(learned: &'s Learned) -> Self {
        Self { method: learned, usage: learned.usage.as_deref(), model: &learned.model }
    }
}

/// Replays all pages, whose clusters must be `clusters`. Two translations of each page, and a
/// sort of the forms.
pub(crate) fn judge(pages: &[Page], clusters: &Clusters, subject: Subject<'_>) -> Drift {
    let replay = simulate(pages, clusters, subject.method);
    let mut ledger = Ledger::of(subject.model);
    let mut forms = Vec::with_capacity(pages.len());
    let mut applied = Vec::with_capacity(pages.len());
    for (page, number) in pages.iter().zip(0u32..) {
        let translation = subject.method.translate(&page.url);
        forms.push((xxh3_64(translation.canonical.as_bytes()), number));
        applied.push(ledger.record(&page.url, &translation, subject.usage));
    }
    forms.sort_unstable();
    for form in forms.chunk_by(|a, b| a.0 == b.0).filter(|form| form.len() > 1) {
        let url = |(_, page): &(u64, u32)| (clusters.of(*page as usize), &*applied[*page as usize]);
        let urls: Vec<_> = form.iter().map(url).collect();
        ledger.judge(&urls, |cluster| replay.fetches[cluster as usize] == 0);
    }
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

/// The operations met so far, by their numbers.
struct Ledger {
    operations: Vec<Operation>,
    /// The model's own rules or edits, by where they are in memory.
    by_address: FxHashMap<*const (), u32>,
    by_notation: FxHashMap<String, u32>,
    /// Operations, each with a cluster that is lost by it.
    lost: FxHashSet<(u32, u32)>,
}

impl Ledger {
    /// Of a model all of whose rules or edits are operations, whether they change a URL or not.
    fn of(model: &Model) -> Self {
        let mut ledger = Self {
            operations: Vec::new(),
            by_address: FxHashMap::default(),
            by_notation: FxHashMap::default(),
            lost: FxHashSet::default(),
        };
        for (place, step) in model.operations().into_iter().enumerate() {
            let number = ledger.operations.len() as u32;
            let notation = step.to_string();
            ledger.by_address.insert(address(step), number);
            ledger.by_notation.entry(notation.clone()).or_insert(number);
            ledger.operations.push(Operation::new(notation, Some(place)));
        }
        ledger
    }

    fn number(&mut self, step: &dyn Applied) -> u32 {
        if let Some(number) = self.by_address.get(&address(step)) {
            return *number;
        }
        let next = self.operations.len() as u32;
        let notation = step.to_string();
        let number = *self.by_notation.entry(notation.clone()).or_insert(next);
        if number == next {
            self.operations.push(Operation::new(notation, None));
        }
        number
    }

    /// The operations that changed a URL.
    fn record(&mut self, url: &str, done: &Translation<'_>, usage: Option<&Usage>) -> Box<[u32]> {
        let steps = steps_that_count(url, done, usage);
        let mut numbers: Vec<u32> = steps.map(|step| self.number(step)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in &numbers {
            self.operations[*number as usize].changed += 1;
        }
        numbers.into()
    }

    /// Judges the URLs of a form, in the order of the crawl, each given as its cluster and the
    /// operations that changed it.
    fn judge(&mut self, urls: &[(u32, &[u32])], is_lost: impl Fn(u32) -> bool) {
        let largest = largest(urls.iter().map(|(cluster, _)| *cluster));
        let is_wrong = |cluster: u32| Some(cluster) != largest;
        let stayed = urls.iter().filter(|(cluster, by)| by.is_empty() && is_wrong(*cluster));
        let stayed = stayed.count();
        let mut counts: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        for (cluster, by) in urls {
            for number in *by {
                let (changed, wrong) = counts.entry(*number).or_default();
                *changed += 1;
                *wrong += usize::from(is_wrong(*cluster));
            }
        }
        for (number, (changed, wrong)) in counts {
            let wrong = wrong + stayed.min(changed - wrong);
            let operation = &mut self.operations[number as usize];
            operation.tested += changed;
            operation.wrong += wrong;
            if wrong > 0 {
                let lost = urls.iter().map(|(cluster, _)| *cluster).filter(|one| is_lost(*one));
                self.lost.extend(lost.map(|cluster| (number, cluster)));
            }
        }
    }

    fn decide(mut self) -> Vec<Operation> {
        for (number, _) in &self.lost {
            self.operations[*number as usize].lost += 1;
        }
        self.operations.iter_mut().for_each(Operation::decide);
        self.operations.sort_by(|a, b| {
            let most_first = (b.wrong, b.tested, b.changed).cmp(&(a.wrong, a.tested, a.changed));
            a.verdict.cmp(&b.verdict).then(most_first).then_with(|| a.notation.cmp(&b.notation))
        });
        self.operations
    }
}

/// The cluster of most URLs; of several the one that comes first.
pub(crate) fn largest(clusters: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts: FxHashMap<u32, (usize, Reverse<usize>)> = FxHashMap::default();
    for (place, cluster) in clusters.enumerate() {
        counts.entry(cluster).or_insert((0, Reverse(place))).0 += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(cluster, _)| cluster)
}

/// The steps of a translation that are judged: how a URL was entered only where nothing else
/// changed it.
pub(crate) fn steps_that_count<'t>(
    url: &str,
    done: &'t Translation<'_>,
    usage: Option<&Usage>,
) -> impl Iterator<Item = &'t dyn Applied> + use<'t> {
    let entering = match usage {
        Some(usage) if !done.cause.is_empty() => entering_steps(usage, url),
        _ => 0,
    };
    let skip = if entering < done.cause.len() { entering } else { 0 };
    done.cause.steps().skip(skip)
}

/// How many steps of a cause only say how a URL was entered.
fn entering_steps(usage: &Usage, url: &str) -> usize {
    let entered = usage.enter(url);
    entered.steps.len() + Entered::riding_step(&entered.riding).iter().count()
}

fn address(step: &dyn Applied) -> *const () {
    std::ptr::from_ref(step).cast()
}

#[cfg(test)]
mod tests;
