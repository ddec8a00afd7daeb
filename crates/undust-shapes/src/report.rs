//! What the patterns of a crawl or a log are: how many URLs, pages and requests each has, how it grows, and why.

mod counting;

use std::collections::BTreeMap;

use serde::Serialize;

use undust_pages::agent::AgentClass;

use crate::cause::Cause;
use crate::group::groups;
use crate::pattern::has_hosts;
use crate::policy::Policy;
use crate::requests::Requests;
use crate::trap::View;
use counting::{Counting, bots, by_class, first_shown, new_from};

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
    /// Seconds that the server took for all answers; none where the input does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
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
