//! `http` or `https`, with `www.` or without: under which of them a site's URLs are written.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::convention_evidence::ConventionEvidence;
use super::normalization_step::NormalizationStep;
use super::pairs::{Images, LabelledUrl, Pairs};

/// How the URLs of each host begin, by its name without `www.`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<Box<str>, Host>", into = "BTreeMap<Box<str>, Host>")]
pub(super) struct Hosts(FxHashMap<Box<str>, Host>);

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Host {
    https: HostChoice,
    www: HostChoice,
}

/// Whether URLs have something or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct HostChoice {
    /// What all URLs get; nothing where they keep what they have.
    all: Option<bool>,
    /// Training URLs without it, and with it.
    urls: [u32; 2],
    /// Training URLs that differ in this alone.
    #[serde(flatten)]
    pairs: Pairs,
}

impl HostChoice {
    /// Where training saw one way only, all URLs get it. Where it saw both, the pairs decide,
    /// and the more frequent way is taken.
    fn choose(&mut self, trusts_pairs: bool) {
        self.all = match self.urls {
            [0, 0] => None,
            [_, 0] => Some(false),
            [0, _] => Some(true),
            [without, with] => (trusts_pairs && self.pairs.suffice()).then_some(with > without),
        };
    }

    fn forget(&mut self, all: bool) {
        self.all = self.all.filter(|one| *one != all);
    }

    /// What speaks for `all`.
    fn evidence(&self, all: bool) -> ConventionEvidence {
        match self.urls[usize::from(!all)] {
            0 => ConventionEvidence::OneWay { urls: self.urls[usize::from(all)] },
            _ => ConventionEvidence::pairs(self.pairs),
        }
    }
}

impl Hosts {
    /// Where all URLs get this scheme they keep their own.
    pub(super) fn forget_https(&mut self, all: bool) {
        self.0.values_mut().for_each(|host| host.https.forget(all));
    }

    /// Where all URLs get `www.`, or lose it, they keep what they have.
    pub(super) fn forget_www(&mut self, all: bool) {
        self.0.values_mut().for_each(|host| host.www.forget(all));
    }

    /// What speaks for the scheme that the URLs of this one's host get.
    pub(super) fn https_evidence(&self, url: &str, all: bool) -> Option<ConventionEvidence> {
        Some(self.0.get(Origin::of(url)?.host)?.https.evidence(all))
    }

    /// What speaks for the name that they get.
    pub(super) fn www_evidence(&self, url: &str, all: bool) -> Option<ConventionEvidence> {
        Some(self.0.get(Origin::of(url)?.host)?.www.evidence(all))
    }

    /// Linear. Without `trusts_pairs` no training URL will be changed.
    pub(super) fn learn(urls: &[LabelledUrl<'_>], trusts_pairs: bool) -> Self {
        let mut hosts: FxHashMap<Box<str>, Host> = FxHashMap::default();
        let origins = || urls.iter().filter_map(|(url, page)| Some((Origin::of(url)?, *page)));
        for (origin, _) in origins() {
            let host = match hosts.get_mut(origin.host) {
                Some(host) => host,
                None => hosts.entry(origin.host.into()).or_default(),
            };
            host.https.urls[usize::from(origin.is_https)] += 1;
            host.www.urls[usize::from(origin.has_www)] += 1;
        }
        let mut images = Images::default();
        for (origin, page) in origins() {
            let Some(host) = hosts.get_mut(origin.host) else { continue };
            if !host.https.urls.contains(&0) {
                let kept = usize::from(origin.has_www);
                images.add(origin.hash(kept as u64), page, &mut host.https.pairs);
            }
            if !host.www.urls.contains(&0) {
                let kept = 2 + usize::from(origin.is_https);
                images.add(origin.hash(kept as u64), page, &mut host.www.pairs);
            }
        }
        for host in hosts.values_mut() {
            host.https.choose(trusts_pairs);
            host.www.choose(trusts_pairs);
        }
        Self(hosts)
    }

    /// Whether training saw URLs under the scheme and name of `url`, which is normal.
    pub(super) fn know_server(&self, url: &str) -> bool {
        Origin::of(url).is_some_and(|origin| {
            self.0.get(origin.host).is_some_and(|Host { https, www }| {
                https.urls[usize::from(origin.is_https)] > 0
                    && www.urls[usize::from(origin.has_www)] > 0
            })
        })
    }

    /// `url`, which is normal, under the scheme and name that its host's URLs have; nothing where
    /// it has them.
    pub(super) fn normalize(
        &self,
        url: &str,
        steps: &mut Vec<NormalizationStep>,
    ) -> Option<String> {
        let origin = Origin::of(url)?;
        let Host { https, www } = self.0.get(origin.host)?;
        let is_https = https.all.unwrap_or(origin.is_https);
        let has_www = www.all.unwrap_or(origin.has_www);
        if (is_https, has_www) == (origin.is_https, origin.has_www) {
            return None;
        }
        if is_https != origin.is_https {
            steps.push(NormalizationStep::Https(is_https));
        }
        if has_www != origin.has_www {
            steps.push(NormalizationStep::Www(has_www));
        }
        let scheme = if is_https { "https://" } else { "http://" };
        let www = if has_www { "www." } else { "" };
        Some([scheme, www, origin.host, origin.rest].concat())
    }
}

/// How a URL begins. Only without port and user information: behind other ports there may be
/// other servers.
pub(super) struct Origin<'u> {
    is_https: bool,
    has_www: bool,
    /// Without `www.`.
    pub host: &'u str,
    pub rest: &'u str,
}

impl<'u> Origin<'u> {
    /// Of a normal URL.
    pub(super) fn of(url: &'u str) -> Option<Self> {
        let (is_https, after) = match url.strip_prefix("http://") {
            Some(after) => (false, after),
            None => (true, url.strip_prefix("https://")?),
        };
        let end = memchr::memchr(b'/', after.as_bytes())?;
        let (authority, rest) = after.split_at(end);
        // `www.com` is a name of its own, as in `site::site_of`.
        let bare = authority.strip_prefix("www.").filter(|host| host.contains('.'));
        let host = bare.unwrap_or(authority);
        let is_name = !host.is_empty() && memchr::memchr2(b':', b'@', host.as_bytes()).is_none();
        is_name.then_some(Self { is_https, has_www: bare.is_some(), host, rest })
    }

    /// Of the URL without what `kept` does not determine.
    fn hash(&self, kept: u64) -> u64 {
        xxh3_64_with_seed(self.rest.as_bytes(), xxh3_64_with_seed(self.host.as_bytes(), kept))
    }
}

impl From<BTreeMap<Box<str>, Host>> for Hosts {
    fn from(hosts: BTreeMap<Box<str>, Host>) -> Self {
        Self(hosts.into_iter().collect())
    }
}

impl From<Hosts> for BTreeMap<Box<str>, Host> {
    fn from(hosts: Hosts) -> Self {
        hosts.0.into_iter().collect()
    }
}
