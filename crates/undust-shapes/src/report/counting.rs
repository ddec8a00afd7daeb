//! The counts of each pattern, and what can be done about it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use undust_pages::agent::AgentClass;

use super::{
    Form, Forms, ModelEdit, ModelForms, PageCounts, PatternReport, People, ShownBy, Suggestion,
};
use crate::cause::Cause;
use crate::group::Group;
use crate::growth::returned;
use crate::policy::policies;
use crate::requests::{Requested, Requests};

/// Examples of a pattern.
const EXAMPLES: usize = 3;

/// Edits of a model that a pattern lists at most.
const EDITS: usize = 3;

/// Fewest URLs of a pattern for which a policy is suggested.
const LEAST_URLS: u64 = 20;

/// A pattern may be worth training if at least one in this many of its URLs is needless; a policy is suggested only if
/// half are, because it closes them all.
const ONE_NEEDLESS_OF: u64 = 10;

/// From where on a URL is new: its first time, or the number of its first request.
pub(super) enum NewFrom {
    Time(i64),
    Request(u64),
}

pub(super) fn new_from(requests: &Requests) -> NewFrom {
    match &requests.span {
        // The times of a crawl may be those of its archive. Its order counts.
        Some(span) if !requests.has_pages && span.first.0 < span.last.0 => {
            let length = (span.last.0 - span.first.0) as u64;
            NewFrom::Time(span.last.0 - (length / 4) as i64)
        }
        _ => NewFrom::Request(requests.requests - requests.requests / 4),
    }
}

/// Counts by pattern.
pub(super) struct Counting<'r> {
    pub requests: &'r Requests,
    pub forms: Option<Forms<'r>>,
    pub new_from: NewFrom,
    pub with_host: bool,
    /// The place of the pattern that showed a cluster first.
    pub first_shown: FxHashMap<u32, usize>,
}

pub(super) fn first_shown(groups: &[Group<'_>]) -> FxHashMap<u32, usize> {
    let mut first = FxHashMap::default();
    for (place, group) in groups.iter().enumerate() {
        let shown = group.urls.iter().filter_map(|known| known.page);
        let shown = shown.filter(|shown| shown.is_first);
        first.extend(shown.map(|shown| (shown.cluster, place)));
    }
    first
}

impl Counting<'_> {
    pub(super) fn pattern(&self, groups: &[Group<'_>], place: usize) -> PatternReport {
        let group = &groups[place];
        let urls = &group.urls;
        let scale = self.requests.one_in();
        let sum = |count: &dyn Fn(&Requested) -> u64| {
            let sum = urls.iter().map(|known| count(known)).fold(0, u64::saturating_add);
            scale.saturating_mul(sum)
        };
        let classes: [u64; 8] =
            std::array::from_fn(|class| sum(&|known| known.by_class[class].into()));
        let has_agents = self.requests.has_agents;
        let people = || People {
            browsers: sum(&Requested::by_browsers),
            returned: sum(&|known| returned(known, true)),
        };
        let mut report = PatternReport {
            pattern: group.pattern.clone(),
            urls: scale * urls.len() as u64,
            requests: sum(&|known| known.requests.into()),
            errors: sum(&|known| known.errors.into()),
            agents: has_agents.then(|| by_class(&classes)),
            bots: has_agents.then(|| bots(&classes)),
            people: has_agents.then(people),
            bytes: self.requests.has_bytes.then(|| sum(&|known| known.bytes)),
            seconds: self.requests.has_times_taken.then(|| sum(&|known| known.took) as f64 / 1e6),
            new_urls: sum(&|known| self.is_new(known).into()),
            pages: self.requests.has_pages.then(|| self.pages(urls)),
            shown_by: self.shown_by(groups, place),
            cause: group.cause.clone(),
            model: self.forms.and_then(|forms| model(forms, urls)),
            suggestion: None,
            policy: None,
            is_open: group.is_open,
            examples: examples(urls),
        };
        report.suggestion = suggestion(&report, urls.len() as u64);
        report
    }

    /// Adds the policies that are suggested.
    pub(super) fn suggest(
        &self,
        groups: &[Group<'_>],
        known: &[&Requested],
        reports: &mut [PatternReport],
    ) {
        let is_budget = |report: &PatternReport| report.suggestion == Some(Suggestion::Budget);
        let (rules, limited): (Vec<_>, Vec<_>) = (groups.iter().zip(reports))
            .filter(|(_, report)| is_budget(report))
            .filter_map(|(group, report)| Some(((&*group.urls, group.rule.as_ref()?), report)))
            .unzip();
        let policies = policies(&rules, known, self.with_host, self.requests.says());
        let scale = self.requests.one_in();
        for (report, policy) in limited.into_iter().zip(policies) {
            report.policy = policy.map(|policy| policy.scaled(scale));
        }
    }

    fn shown_by(&self, groups: &[Group<'_>], place: usize) -> Option<ShownBy> {
        let mut others = FxHashMap::<usize, u64>::default();
        for shown in groups[place].urls.iter().filter_map(|known| known.page) {
            let first = self.first_shown.get(&shown.cluster).filter(|first| **first != place);
            first.into_iter().for_each(|first| *others.entry(*first).or_default() += 1);
        }
        let described = others.into_iter().map(|(other, urls)| ShownBy {
            pattern: groups[other].pattern.clone(),
            urls: urls * self.requests.one_in(),
        });
        described.max_by(|a, b| a.urls.cmp(&b.urls).then_with(|| b.pattern.cmp(&a.pattern)))
    }

    fn is_new(&self, known: &Requested) -> bool {
        match self.new_from {
            NewFrom::Time(from) => known.first_time >= from,
            NewFrom::Request(from) => known.first >= from,
        }
    }

    pub(super) fn pages(&self, urls: &[&Requested]) -> PageCounts {
        let scale = self.requests.one_in();
        let mut seen = FxHashSet::default();
        let mut counts = PageCounts::default();
        for known in urls {
            let Some(shown) = known.page else { continue };
            counts.compared += scale;
            counts.distinct += if seen.insert(shown.cluster) { scale } else { 0 };
            counts.needless += if shown.is_first { 0 } else { scale };
            counts.new += if shown.is_first && self.is_new(known) { scale } else { 0 };
        }
        counts
    }
}

pub(super) fn by_class(counts: &[u64; 8]) -> BTreeMap<AgentClass, u64> {
    let counted = AgentClass::ALL.into_iter().zip(*counts);
    counted.filter(|(_, count)| *count > 0).collect()
}

pub(super) fn bots(counts: &[u64; 8]) -> f64 {
    let all: u64 = counts.iter().sum();
    let bots = AgentClass::ALL.into_iter().zip(counts).filter(|(class, _)| class.is_bot());
    bots.map(|(_, count)| count).sum::<u64>() as f64 / all.max(1) as f64
}

fn examples(urls: &[&Requested]) -> Vec<String> {
    let mut best: Vec<&Requested> = Vec::new();
    for known in urls {
        let at = best.partition_point(|better| {
            (better.requests, &known.url) > (known.requests, &better.url)
        });
        if at < EXAMPLES {
            best.insert(at, known);
            best.truncate(EXAMPLES);
        }
    }
    best.iter().map(|known| known.url.to_string()).collect()
}

/// What a model makes of URLs; none if it has none of their sites.
fn model(forms: Forms<'_>, urls: &[&Requested]) -> Option<ModelForms> {
    let mut edits = FxHashMap::<ModelEdit, u64>::default();
    let (mut seen, mut changed, mut has_model) = (FxHashSet::default(), 0, false);
    for known in urls {
        let Some(Form { form, edits: applied }) = forms(&known.url) else {
            seen.insert(xxh3_64(known.url.as_bytes()));
            continue;
        };
        has_model = true;
        changed += u64::from(*form != *known.url);
        seen.insert(xxh3_64(form.as_bytes()));
        applied.into_iter().for_each(|edit| *edits.entry(edit).or_default() += 1);
    }
    let mut edits: Vec<_> = edits.into_iter().collect();
    edits.sort_unstable_by(|(a, a_urls), (b, b_urls)| b_urls.cmp(a_urls).then(a.edit.cmp(&b.edit)));
    let edits = edits.into_iter().map(|(edit, _)| edit).take(EDITS).collect();
    has_model.then_some(ModelForms { forms: seen.len() as u64, changed, edits })
}

/// `sampled` are the URLs that were counted: forms are of these.
fn suggestion(report: &PatternReport, sampled: u64) -> Option<Suggestion> {
    if report.model.as_ref().is_some_and(|model| model.forms < sampled) {
        return Some(Suggestion::Canonical);
    }
    let (cause, is_open) = (report.cause.as_ref(), report.is_open);
    let Some(pages) = report.pages.filter(|_| is_open) else {
        return (is_open && cause.is_some()).then_some(Suggestion::Budget);
    };
    if pages.needless * ONE_NEEDLESS_OF < pages.compared {
        None
    } else if cause.is_some_and(Cause::is_needless) || report.is_shown_elsewhere() {
        Some(Suggestion::Train)
    } else {
        let is_trap = report.urls >= LEAST_URLS && pages.needless * 2 >= pages.compared;
        (is_trap && cause.is_some()).then_some(Suggestion::Budget)
    }
}
