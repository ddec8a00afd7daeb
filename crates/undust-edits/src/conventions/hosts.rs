//! `http` or `https`, with `www.` or without: under which of them a site's URLs are written.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::convention_evidence::ConventionEvidence;
use super::in_order;
use super::normalization_step::NormalizationStep;
use super::pairs::Pairs;

/// How the URLs of each host begin, by its name without `www.`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hosts(#[serde(serialize_with = "in_order")] pub FxHashMap<Box<str>, Host>);

/// How the URLs of one host begin.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Whether with `https`.
    pub https: HostChoice,
    /// Whether with `www.`.
    pub www: HostChoice,
}

/// Whether URLs have something or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct HostChoice {
    /// What all URLs get; none if they keep their own.
    pub all: Option<bool>,
    /// Training URLs without it, and with it.
    pub urls: [u32; 2],
    /// Training URLs that differ in this alone.
    #[serde(flatten)]
    pub pairs: Pairs,
}

impl HostChoice {
    /// Where all URLs get this, they keep what they have.
    pub(super) fn forget(&mut self, all: bool) {
        self.all = self.all.filter(|one| *one != all);
    }

    /// What speaks for `all`.
    pub(super) fn evidence(&self, all: bool) -> ConventionEvidence {
        match self.urls[usize::from(!all)] {
            0 => ConventionEvidence::OneWay { urls: self.urls[usize::from(all)] },
            _ => ConventionEvidence::pairs(self.pairs),
        }
    }
}

impl Hosts {
    /// How the URLs of the host of `url` begin, which is normal.
    pub(super) fn of(&self, url: &str) -> Option<&Host> {
        self.0.get(Origin::of(url)?.host)
    }

    /// Whether training saw URLs under the scheme and name of `url`, which is normal.
    pub fn know_server(&self, url: &str) -> bool {
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
pub struct Origin<'u> {
    /// Under `https`, not `http`.
    pub is_https: bool,
    /// With `www.`.
    pub has_www: bool,
    /// The name of the host, without `www.`.
    pub host: &'u str,
    /// What follows, from the first `/` on.
    pub rest: &'u str,
}

impl<'u> Origin<'u> {
    /// Of a normal URL.
    pub fn of(url: &'u str) -> Option<Self> {
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
}
