//! Which URLs of a crawl count as pages, and which page each of them shows.
//!
//! Responses come in, in crawl order. Out come the distinct URLs whose redirects end at a page
//! that can be compared with others.

use std::collections::{HashMap, HashSet};
use std::fmt;

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use undust_url::site::{SiteBy, group_by_site};
use undust_util::op_counter;

use crate::labels::PageLabels;
use crate::page::{Importance, Page};
use crate::response::Response;
use crate::simhash::Simhash;
use crate::text_hash::TextHash;
use crate::url_text::redirect_targets;

#[cfg(test)]
mod tests;

/// Most redirects that are followed from one URL. A longer chain is left out: crawlers give
/// up on it, too.
pub const MAX_HOPS: usize = 10;

/// The pages of a crawl, and what was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pages {
    /// In the order of the first response of each URL.
    pub pages: Vec<Page>,
    /// Responses read, also those for a URL met before.
    pub responses: u64,
    /// URLs that do not count, by reason.
    pub left_out: LeftOut,
}

/// How many distinct URLs do not count as pages, and why.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Redirects that come back to a URL of their own chain.
    pub loops: u64,
    /// Redirects to a URL that is not in the crawl.
    pub missing_targets: u64,
    /// Chains of more than 10 redirects.
    pub long_chains: u64,
    /// The end has a status other than 200.
    pub not_ok: u64,
    /// The end has neither `simhash` nor `digest`.
    pub no_content: u64,
}

impl LeftOut {
    /// The sum of all reasons.
    pub fn total(&self) -> u64 {
        self.reasons().iter().map(|(count, _)| count).sum()
    }

    /// The count of each reason, zeros included.
    pub fn reasons(&self) -> [(u64, &'static str); 5] {
        [
            (self.not_ok, "not answered with status 200"),
            (self.no_content, "without simhash and digest"),
            (self.missing_targets, "redirected out of the crawl"),
            (self.loops, "redirected in a loop"),
            (self.long_chains, "redirected more than 10 times"),
        ]
    }

    /// Counts one URL more that is left out for this reason.
    pub fn count(&mut self, reason: DropReason) {
        let counter = match reason {
            DropReason::Loop => &mut self.loops,
            DropReason::MissingTarget => &mut self.missing_targets,
            DropReason::LongChain => &mut self.long_chains,
            DropReason::NotOk => &mut self.not_ok,
            DropReason::NoContent => &mut self.no_content,
        };
        *counter += 1;
    }
}

/// The reasons that apply, with their counts; `none` if no URL is left out.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (count, reason) in self.reasons().iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator}{count} {reason}")?;
            separator = ", ";
        }
        if separator.is_empty() { f.write_str("none") } else { Ok(()) }
    }
}

/// Why a URL does not count as a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DropReason {
    /// Its redirects come back to a URL of their own chain.
    Loop,
    /// It is redirected to a URL that is not in the crawl.
    MissingTarget,
    /// It is redirected more than [`MAX_HOPS`] times.
    LongChain,
    /// Its status, or that of the end of its redirects, is not 200.
    NotOk,
    /// It has neither a fingerprint nor a digest to compare it by.
    NoContent,
}

/// The outcome of a URL: its first response in the newest crawl that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResponseOutcome {
    /// It shows a page that can be compared with others: [`Page`] has the same fields.
    Content {
        /// The hash of the title, white space collapsed; none without a title.
        title: Option<u64>,
        /// The fingerprint of the visible text.
        simhash: Option<Simhash>,
        /// The hash of the text of a short page.
        short_text: Option<TextHash>,
        /// The hash of the digest of the body.
        digest: Option<u64>,
    },
    /// It leads to this URL.
    Redirect(Box<str>),
    /// It does not count.
    Dropped(DropReason),
}

impl ResponseOutcome {
    /// Whether it takes the place of what the URL has so far, which is of crawl `known`. A page that fails in a later
    /// crawl may come back.
    pub fn replaces(&self, known: u32, crawl: u32) -> bool {
        known < crawl && !matches!(self, Self::Dropped(_))
    }
}

impl From<&Response> for ResponseOutcome {
    fn from(response: &Response) -> ResponseOutcome {
        let digest = response.digest.as_deref().filter(|digest| !digest.is_empty());
        match (response.status, &response.location) {
            (300..=399, Some(location)) => ResponseOutcome::Redirect(location.as_str().into()),
            (200, _) if response.simhash.is_some() || digest.is_some() => {
                ResponseOutcome::Content {
                    title: response.title.as_deref().and_then(title_hash),
                    simhash: response.simhash,
                    short_text: response.short_text(),
                    digest: digest.map(|digest| xxh3_64(digest.as_bytes())),
                }
            }
            (200, _) => ResponseOutcome::Dropped(DropReason::NoContent),
            _ => ResponseOutcome::Dropped(DropReason::NotOk),
        }
    }
}

/// Where a URL of a crawl leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nowhere: it is no redirect.
    End,
    /// To the URL of this number; none if the crawl has no such URL.
    To(Option<u32>),
}

/// Where redirects from a URL end, which may be at itself.
///
/// # Errors
///
/// The chain leaves the crawl, comes back to itself, or is longer than [`MAX_HOPS`].
pub fn redirect_end(id: u32, step: impl Fn(u32) -> Step) -> Result<u32, DropReason> {
    let mut trail = [id; MAX_HOPS + 1];
    for hops in 0..=MAX_HOPS {
        let Step::To(target) = step(trail[hops]) else {
            return Ok(trail[hops]);
        };
        let target = target.ok_or(DropReason::MissingTarget)?;
        if trail[..=hops].contains(&target) {
            return Err(DropReason::Loop);
        }
        // The trail has no room for the target of one redirect too many.
        if hops < MAX_HOPS {
            trail[hops + 1] = target;
        }
    }
    Err(DropReason::LongChain)
}

/// Hash of the words of a title, whatever the white space between them; none of a title without words. Pages have it
/// as their [title](Page::title).
pub fn title_hash(title: &str) -> Option<u64> {
    let mut hasher = Xxh3Default::new();
    let mut is_empty = true;
    for word in title.split_whitespace() {
        hasher.update(word.as_bytes());
        hasher.update(b" ");
        is_empty = false;
    }
    (!is_empty).then(|| hasher.digest())
}

/// Collects responses, in crawl order. The first response of a URL counts; where several crawls
/// are distinguished, that of the last crawl in which it is a page or a redirect. Takes some 100
/// bytes of memory, and the URL itself, for each distinct URL.
#[derive(Debug, Default)]
pub struct PagesBuilder {
    ids: HashMap<Box<str>, u32>,
    outcomes: Vec<ResponseOutcome>,
    importance: Vec<Option<Importance>>,
    /// The crawl that each outcome is of.
    crawls: Vec<u32>,
    crawl: u32,
    responses: u64,
    labels: Option<Labels>,
    /// Hashes of what pages are judged by, by the number of their URL.
    truths: HashMap<u32, u64>,
}

/// What the site says of its pages.
#[derive(Debug, Default)]
struct Labels {
    /// By the number of the URL that says it.
    of: HashMap<u32, Box<PageLabels>>,
    sitemap: HashSet<Box<str>>,
}

impl PagesBuilder {
    /// A crawl without responses.
    pub fn new() -> PagesBuilder {
        PagesBuilder::default()
    }

    /// Also keeps labels: some 100 bytes and the URLs for each page that has one.
    pub fn with_labels(self) -> PagesBuilder {
        PagesBuilder { labels: Some(Labels::default()), ..self }
    }

    /// Takes a URL that a sitemap of the site lists. Without [labels](Self::with_labels) it is ignored.
    pub fn list(&mut self, url: &str) {
        if let Some(labels) = &mut self.labels {
            labels.sitemap.extend(redirect_targets(url).map(|url| Box::from(&*url)));
        }
    }

    /// Takes the next response.
    pub fn push(&mut self, response: Response) {
        self.responses += 1;
        let outcome = ResponseOutcome::from(&response);
        let importance = response.importance.and_then(Importance::of);
        let labels = self.labels.as_ref().and_then(|_| PageLabels::of(&response));
        let truth = response.truth.as_deref().map(|truth| xxh3_64(truth.as_bytes()));
        match self.ids.get(response.url.as_str()) {
            None => {
                let id = self.outcomes.len() as u32;
                self.outcomes.push(outcome);
                self.importance.push(importance);
                self.crawls.push(self.crawl);
                self.label(id, labels);
                self.truths.extend(truth.map(|truth| (id, truth)));
                self.ids.insert(response.url.into_boxed_str(), id);
            }
            Some(&id) if outcome.replaces(self.crawls[id as usize], self.crawl) => {
                self.outcomes[id as usize] = outcome;
                self.importance[id as usize] = importance;
                self.crawls[id as usize] = self.crawl;
                self.label(id, labels);
                self.truths.remove(&id);
                self.truths.extend(truth.map(|truth| (id, truth)));
            }
            Some(_) => {}
        }
    }

    /// Sets what a URL says of itself.
    fn label(&mut self, id: u32, labels: Option<Box<PageLabels>>) {
        let Some(known) = &mut self.labels else { return };
        match labels {
            Some(labels) => _ = known.of.insert(id, labels),
            None => _ = known.of.remove(&id),
        }
    }

    /// Begins a later crawl, whose responses replace those of earlier ones.
    pub fn next_crawl(&mut self) {
        self.crawl = self.crawl.saturating_add(1);
    }

    /// Follows the redirects, and keeps the URLs that count. Linear in the distinct URLs.
    pub fn finish(mut self) -> Pages {
        let ends: Vec<_> = (0..self.outcomes.len() as u32).map(|id| self.end_of(id)).collect();
        let mut made = Pages { responses: self.responses, ..Pages::default() };
        let importance = std::mem::take(&mut self.importance);
        self.drop_dead_labels();
        let urls = self.take_urls().into_iter().zip(ends).zip(importance);
        for (id, ((url, end), importance)) in (0..).zip(urls) {
            match end.and_then(|end| self.page(url, end, importance)) {
                Ok(page) => {
                    made.pages.push(Page { is_redirect: page.end != id, ..self.labelled(page) })
                }
                Err(reason) => made.left_out.count(reason),
            }
        }
        made
    }

    /// Drops labels that name a URL of the crawl which shows no page: it is dead, and stands for nothing.
    fn drop_dead_labels(&mut self) {
        let Some(mut labels) = self.labels.take() else { return };
        let is_dead = |url: &mut Box<str>| {
            let end = self.id_of(url).map(|id| self.end_of(id));
            end.is_some_and(|end| {
                let is_page = |end: u32| {
                    matches!(self.outcomes[end as usize], ResponseOutcome::Content { .. })
                };
                !end.is_ok_and(is_page)
            })
        };
        for labels in labels.of.values_mut() {
            labels.canonical.take_if(is_dead);
            labels.og_url.take_if(is_dead);
            labels.no_vary_search.take_if(is_dead);
        }
        self.labels = Some(labels);
    }

    /// The page with what is said of it: the page at the end of redirects says it, and a sitemap says it of the URL.
    fn labelled(&self, page: Page) -> Page {
        let Some(known) = &self.labels else { return page };
        let is_in_sitemap = known.sitemap.contains(&page.url)
            || redirect_targets(&page.url).any(|url| known.sitemap.contains(&*url));
        let labels = known.of.get(&page.end).cloned();
        let labels = labels.or_else(|| is_in_sitemap.then(Box::default));
        Page {
            labels: labels.map(|labels| Box::new(PageLabels { is_in_sitemap, ..*labels })),
            ..page
        }
    }

    /// Where the redirects from `id` end; a URL without a redirect is its own end.
    fn end_of(&self, id: u32) -> Result<u32, DropReason> {
        redirect_end(id, |id| match &self.outcomes[id as usize] {
            ResponseOutcome::Redirect(location) => {
                op_counter::count(1);
                Step::To(self.id_of(location))
            }
            _ => Step::End,
        })
    }

    /// The URL of the crawl that a redirect leads to.
    fn id_of(&self, location: &str) -> Option<u32> {
        redirect_targets(location).find_map(|url| self.ids.get(&*url)).copied()
    }

    fn take_urls(&mut self) -> Vec<Box<str>> {
        let mut urls = vec![Box::default(); self.outcomes.len()];
        for (url, id) in std::mem::take(&mut self.ids) {
            urls[id as usize] = url;
        }
        urls
    }

    fn page(
        &self,
        url: Box<str>,
        end: u32,
        importance: Option<Importance>,
    ) -> Result<Page, DropReason> {
        match &self.outcomes[end as usize] {
            &ResponseOutcome::Content { title, simhash, short_text, digest } => Ok(Page {
                url,
                end,
                title,
                simhash,
                short_text,
                digest,
                importance,
                truth: self.truths.get(&end).copied(),
                ..Page::default()
            }),
            ResponseOutcome::Dropped(reason) => Err(*reason),
            ResponseOutcome::Redirect(_) => Err(DropReason::LongChain),
        }
    }
}

/// The pages of each site, in crawl order; sites in the order of their first page. Pages whose
/// URL names no host are left out.
pub fn pages_by_site(pages: Vec<Page>, by: SiteBy) -> Vec<(String, Vec<Page>)> {
    group_by_site(pages, by, |page| &page.url)
}
