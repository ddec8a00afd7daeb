//! Which URL is printed for a page: one that answers.

use std::borrow::Cow;
use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use undust_cluster::{CanonicalOrder, Clusters, Criterion};
use undust_pages::Page;
use undust_url::normal::normal;

use crate::answers::Answers;

/// Why a URL stands for its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// Pages with its content name it.
    Named,
    /// It answered with the page, and no page with its content names another that does.
    Answered,
    /// All URLs of the page in the crawl redirect.
    Redirects,
}

impl Why {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Named => "rel=canonical",
            Self::Answered => "answered 200",
            Self::Redirects => "redirects",
        }
    }
}

/// The pages of a crawl by URL, which of equal content each names, and how often each is named.
pub(super) struct Named<'p> {
    by_url: FxHashMap<Cow<'p, str>, u32>,
    names: FxHashMap<u32, u32>,
    votes: FxHashMap<u32, u32>,
}

impl<'p> Named<'p> {
    /// Linear in the pages.
    pub(super) fn of(pages: &'p [Page], clusters: &Clusters, answers: &Answers) -> Self {
        let by_url = (0..).zip(pages).map(|(at, page)| (normal(&page.url), at)).collect();
        let mut named = Self { by_url, names: FxHashMap::default(), votes: FxHashMap::default() };
        for (at, page) in pages.iter().enumerate().filter(|(_, page)| !page.is_redirect) {
            let target = answers.named(&page.url).and_then(|url| named.page(url));
            let is_right = |target: &u32| {
                clusters.of(*target as usize) == clusters.of(at)
                    && !pages[*target as usize].is_redirect
            };
            if let Some(target) = target.filter(is_right) {
                named.names.insert(at as u32, target);
                *named.votes.entry(target).or_default() += 1;
            }
        }
        named
    }

    /// The place of the page with this URL, in normal form.
    pub(super) fn page(&self, url: &str) -> Option<u32> {
        self.by_url.get(url).copied()
    }

    /// The member of a cluster that is printed for it.
    pub(super) fn printed(&self, pages: &[Page], members: &[u32]) -> (u32, Why) {
        let order = CanonicalOrder {
            order: vec![Criterion::Importance, Criterion::Tokens],
            ..CanonicalOrder::default()
        };
        let votes = |at: u32| self.votes.get(&at).copied().unwrap_or(0);
        let rank_alone = |at: u32| {
            let page = &pages[at as usize];
            order.rank(&page.url, page.importance, |_| 0)
        };
        let rank = |at: u32| (pages[at as usize].is_redirect, Reverse(votes(at)), rank_alone(at));
        let most = members.iter().copied().min_by_key(|at| rank(*at)).unwrap_or_default();
        // Many pages may name one that is longer than it need be: a shorter one that names itself comes first, or the same
        // path with less of a query, unless it names another.
        let path = |at: u32| pages[at as usize].url.split('?').next();
        let names = |at: u32| self.names.get(&at).copied();
        let may_stand = |at: &u32| {
            !pages[*at as usize].is_redirect
                && pages[*at as usize].url.len() < pages[most as usize].url.len()
                && (names(*at) == Some(*at) || names(*at).is_none() && path(*at) == path(most))
        };
        let shorter = members.iter().copied().filter(may_stand).min_by_key(|at| rank_alone(*at));
        let best = shorter.unwrap_or(most);
        let why = match (votes(best), pages[best as usize].is_redirect) {
            (1.., _) => Why::Named,
            (_, false) => Why::Answered,
            (_, true) => Why::Redirects,
        };
        (best, why)
    }
}
