//! What the patterns of a crawl or a log are: how many URLs, pages and requests each has, how it grows, and why.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use undust_pages::agent::AgentClass;

use crate::cause::Cause;
use crate::group::{Group, groups};
use crate::growth::returned;
use crate::pattern::has_hosts;
use crate::policy::{Policy, policies};
use crate::requests::{Requested, Requests};
use crate::trap::View;

/// Examples of a pattern.
const EXAMPLES: usize = 3;

/// Edits of a model that are told of a pattern.
const EDITS: usize = 3;

/// Fewest URLs of a pattern for which a policy is suggested.
const LEAST_URLS: u64 = 20;

/// A pattern may be worth training if at least one in this many of its URLs is needless; a policy is suggested only if
/// half are, because it closes them all.
const ONE_NEEDLESS_OF: u64 = 10;

/// The patterns of a crawl or a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShapesReport {
    /// Requests in all.
    pub requests: u64,
    /// Different URLs.
    pub urls: u64,
    /// One URL in this many was counted, and counts of URLs are estimates; 1 if all were counted.
    pub one_in: u64,
    /// Requests by the class of the program that asked; none where the input does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<BTreeMap<AgentClass, u64>>,
    /// Share of the requests by programs that say that they are robots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bots: Option<f64>,
    /// The first and the last time of a request, where each has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<[String; 2]>,
    /// The pages; none where the input has no content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageCounts>,
    /// Whether the URLs are of several hosts, which then stand in the patterns.
    pub has_hosts: bool,
    /// The patterns, the worst first: with pages those of most needless URLs, without those that grow without an end,
    /// and among these those of most URLs.
    pub patterns: Vec<PatternReport>,
}

/// A pattern of URLs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PatternReport {
    /// The path, with `{number}`, `{date}`, `{hex}` and `{word}` for what many URLs have there, and the names of the
    /// arguments; in brackets names; a URL has some of them.
    pub pattern: String,
    /// Different URLs.
    pub urls: u64,
    /// Requests.
    pub requests: u64,
    /// Requests without an answer, or with status 400 or more.
    pub errors: u64,
    /// Requests by the class of the program that asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<BTreeMap<AgentClass, u64>>,
    /// Share of the requests by programs that say that they are robots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bots: Option<f64>,
    /// What people ask of it; none where the input does not say who asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// Bytes of all answers; none where the input does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// URLs that were new in the last quarter of the time; without times, of the requests.
    pub new_urls: u64,
    /// The pages that they show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageCounts>,
    /// The other pattern whose URLs showed most of its needless pages first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_by: Option<ShownBy>,
    /// What makes it grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// What a model makes of its URLs; none without a model of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelForms>,
    /// What can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<Suggestion>,
    /// A limit on its requests, where one is suggested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Whether other URLs than those seen may be of this pattern.
    #[serde(skip)]
    pub is_open: bool,
    /// The URLs with most requests.
    pub examples: Vec<String>,
}

/// Requests by what calls itself a browser: people, and robots that hide. Who comes back is a person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct People {
    /// Requests by browsers.
    pub browsers: u64,
    /// Those for URLs to which browsers came back.
    pub returned: u64,
}

/// Another pattern that showed pages first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownBy {
    /// The pattern.
    pub pattern: String,
    /// URLs whose page it had shown.
    pub urls: u64,
}

/// Pages that URLs show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PageCounts {
    /// URLs whose page is known.
    pub compared: u64,
    /// Different pages that they show.
    pub distinct: u64,
    /// URLs whose page an earlier URL of the crawl showed, of any pattern.
    pub needless: u64,
    /// Pages that nobody had seen before the last quarter.
    pub new: u64,
}

/// What a model makes of the URLs of a pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelForms {
    /// Different canonical forms.
    pub forms: u64,
    /// URLs that it changes.
    pub changed: u64,
    /// What changes most of them, and its evidence.
    pub edits: Vec<ModelEdit>,
}

/// An edit or rule of a model.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct ModelEdit {
    /// Its notation.
    pub edit: String,
    /// URLs of the training crawl on which it was tested, and those whose page it would have lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested: Option<usize>,
    /// See `tested`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<usize>,
}

/// What can be done about a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Suggestion {
    /// The model merges its URLs: use its canonical forms.
    Canonical,
    /// In this crawl hardly a page is lost without the cause, or another pattern showed the pages first: train a model,
    /// which tests it.
    Train,
    /// A limit on its requests, as a policy. It does not say that pages are equal.
    Budget,
}

/// The form that a model gives a URL, and what it applied.
#[derive(Debug, Clone)]
pub struct Form {
    /// The canonical form.
    pub form: String,
    /// What was applied.
    pub edits: Vec<ModelEdit>,
}

/// Gives the form of a URL; none where its site has no model.
pub type Forms<'f> = &'f dyn Fn(&str) -> Option<Form>;

impl ShapesReport {
    /// Counts by pattern. Without pages, and with a time for each request, the order of the requests does not matter;
    /// else it decides what is new, and which URL showed a page first. Linear in the URLs.
    pub fn of(requests: &Requests, forms: Option<Forms<'_>>) -> Self {
        let mut view = View::of(requests);
        let with_host = has_hosts(&view.urls);
        let groups = groups(requests, &mut view, with_host);
        let known = view.known;
        let counting = Counting {
            requests,
            forms,
            new_from: new_from(requests),
            with_host,
            first_shown: first_shown(&groups),
        };
        let mut reports: Vec<PatternReport> =
            (0..groups.len()).map(|place| counting.pattern(&groups, place)).collect();
        counting.suggest(&groups, &known, &mut reports);
        reports
            .sort_by(|a, b| b.badness().cmp(&a.badness()).then_with(|| a.pattern.cmp(&b.pattern)));
        let pages = requests.has_pages.then(|| counting.pages(&known));
        let times = requests.span.as_ref().map(|span| [span.first.1.clone(), span.last.1.clone()]);
        Self {
            requests: requests.requests,
            urls: known.len() as u64 * requests.one_in(),
            one_in: requests.one_in(),
            agents: requests.has_agents.then(|| by_class(&requests.by_class)),
            bots: requests.has_agents.then(|| bots(&requests.by_class)),
            times,
            pages,
            has_hosts: counting.with_host,
            patterns: reports,
        }
    }

    /// The patterns that have more than one URL: one URL cannot grow.
    pub fn growing(&self) -> impl Iterator<Item = &PatternReport> {
        self.patterns.iter().filter(|pattern| pattern.urls > 1 && pattern.is_open)
    }
}

impl PatternReport {
    /// Whether one other pattern showed most of its needless pages first.
    pub fn is_shown_elsewhere(&self) -> bool {
        let needless = self.pages.map_or(0, |pages| pages.needless);
        self.shown_by.as_ref().is_some_and(|first| first.urls * 2 > needless)
    }

    /// The larger, the worse.
    fn badness(&self) -> [u64; 3] {
        let multiplied = self.cause.is_some().then_some(self.urls);
        let needless = self.pages.map(|pages| pages.needless).or(multiplied);
        [needless.unwrap_or(0), self.urls, self.requests]
    }
}

/// From where on a URL is new: its first time, or the number of its first request.
enum NewFrom {
    Time(i64),
    Request(u64),
}

fn new_from(requests: &Requests) -> NewFrom {
    match &requests.span {
        // The times of a crawl may be those of its archive. Its order counts.
        Some(span) if !requests.has_pages && span.first.0 < span.last.0 => {
            let length = (span.last.0 - span.first.0) as u64;
            NewFrom::Time(span.last.0 - (length / 4) as i64)
        }
        _ => NewFrom::Request(requests.requests - requests.requests / 4),
    }
}

struct Counting<'r> {
    requests: &'r Requests,
    forms: Option<Forms<'r>>,
    new_from: NewFrom,
    with_host: bool,
    /// The place of the pattern that showed a cluster first.
    first_shown: FxHashMap<u32, usize>,
}

fn first_shown(groups: &[Group<'_>]) -> FxHashMap<u32, usize> {
    let mut first = FxHashMap::default();
    for (place, group) in groups.iter().enumerate() {
        let shown = group.urls.iter().filter_map(|known| known.page);
        let shown = shown.filter(|shown| shown.is_first);
        first.extend(shown.map(|shown| (shown.cluster, place)));
    }
    first
}

impl Counting<'_> {
    fn pattern(&self, groups: &[Group<'_>], place: usize) -> PatternReport {
        let group = &groups[place];
        let urls = &group.urls;
        let scale = self.requests.one_in();
        let sum = |count: &dyn Fn(&Requested) -> u64| {
            scale * urls.iter().map(|known| count(known)).sum::<u64>()
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
    fn suggest(&self, groups: &[Group<'_>], known: &[&Requested], reports: &mut [PatternReport]) {
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

    fn pages(&self, urls: &[&Requested]) -> PageCounts {
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

fn by_class(counts: &[u64; 8]) -> BTreeMap<AgentClass, u64> {
    let counted = AgentClass::ALL.into_iter().zip(*counts);
    counted.filter(|(_, count)| *count > 0).collect()
}

fn bots(counts: &[u64; 8]) -> f64 {
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
