//! The pattern of each URL: a kind of pages, by the path and the names of the arguments.
//!
//! Words that many URLs have stand in the pattern; every other is named by its kind: `/blog/{word}.html` (see `paths`).
//! The same holds for the sets of names: where there are many sets, those of few URLs become one, so that ten facets
//! are one pattern and not a thousand.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use undust_url::tokens::authority;

use crate::label::Label;
use crate::names::ArgumentsOfUrls;
use crate::paths::Paths;

/// Sets of names of one path up to which each is a pattern.
const FEW_SETS: usize = 6;

/// A set is a pattern if one in `LARGE` URLs of its path has it, however many others there are.
const LARGE: u32 = 5;

/// A pattern of URLs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pattern<'u> {
    /// The host, then the segments of the path.
    pub path: Vec<Label<'u>>,
    pub names: Names<'u>,
}

/// The names of the arguments of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Names<'u> {
    /// These, each at least once.
    All(Vec<Cow<'u, str>>),
    /// Some of these; those of most URLs are first.
    Some(Vec<Cow<'u, str>>),
}

/// Patterns, and the URLs of each by number.
pub(crate) type Patterns<'u> = Vec<(Pattern<'u>, Vec<u32>)>;

/// The patterns of URLs, in no order. The order of the URLs does not matter. Linear in their length.
pub(crate) fn patterns<'u>(urls: &[&'u str]) -> Patterns<'u> {
    let paths = Paths::of(urls);
    let names = ArgumentsOfUrls::of(urls);
    let mut by_path = FxHashMap::<u32, Vec<u32>>::default();
    (0..).zip(&paths.node_of).for_each(|(url, node)| by_path.entry(*node).or_default().push(url));
    let mut patterns = Vec::new();
    for (node, of_path) in by_path {
        let path = paths.labels(node);
        let pattern = |names| Pattern { path: path.clone(), names };
        patterns
            .extend(names.split(&of_path).into_iter().map(|(names, urls)| (pattern(names), urls)));
    }
    patterns
}

impl<'u> ArgumentsOfUrls<'u> {
    /// The patterns of the URLs of one path, by their names.
    fn split(&self, urls: &[u32]) -> Vec<(Names<'u>, Vec<u32>)> {
        type Set = SmallVec<[u32; 8]>;
        let set = |url: u32| -> Set { self.of_url(url).iter().map(|(name, _)| *name).collect() };
        let mut sets = FxHashMap::<Set, u32>::default();
        urls.iter().for_each(|url| *sets.entry(set(*url)).or_default() += 1);
        let is_few = sets.len() <= FEW_SETS;
        let is_large = |set: &Set| sets[set].saturating_mul(LARGE) >= urls.len() as u32;
        let mut alone = FxHashMap::<Set, Vec<u32>>::default();
        let mut others = Vec::new();
        for url in urls {
            let set = set(*url);
            match set.is_empty() || is_few || is_large(&set) {
                true => alone.entry(set).or_default().push(*url),
                false => others.push(*url),
            }
        }
        let named = |set: Set| {
            let mut names: Vec<_> = set.iter().map(|n| self.names[*n as usize].clone()).collect();
            names.sort_unstable();
            Names::All(names)
        };
        let mut split: Vec<_> = alone.into_iter().map(|(set, urls)| (named(set), urls)).collect();
        if !others.is_empty() {
            split.push((self.most_common(&others), others));
        }
        split
    }

    /// The names of URLs, those of most URLs first.
    fn most_common(&self, urls: &[u32]) -> Names<'u> {
        let mut counts = FxHashMap::<u32, u32>::default();
        let all = urls.iter().flat_map(|url| self.of_url(*url));
        all.for_each(|(name, _)| *counts.entry(*name).or_default() += 1);
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable_by(|(a, a_urls), (b, b_urls)| {
            let names = self.names[*a as usize].cmp(&self.names[*b as usize]);
            b_urls.cmp(a_urls).then(names)
        });
        Names::Some(counts.iter().map(|(name, _)| self.names[*name as usize].clone()).collect())
    }
}

impl Pattern<'_> {
    /// Its notation. The host stands in it where it is one of several.
    pub(crate) fn describe(&self, with_host: bool) -> String {
        let (host, path) = self.path.split_first().map_or((None, &[][..]), |(h, p)| (Some(h), p));
        let mut text = host.filter(|_| with_host).map(ToString::to_string).unwrap_or_default();
        path.iter().for_each(|label| text += &format!("/{label}"));
        if text.is_empty() {
            text.push('/');
        }
        text + &self.names.to_string()
    }

    /// Whether other URLs than those seen may be of this pattern: it has an open label or an argument.
    pub(crate) fn is_open(&self) -> bool {
        !self.names.list().is_empty() || self.path.iter().skip(1).any(|label| label.is_open())
    }
}

impl<'u> Names<'u> {
    pub(crate) fn list(&self) -> &[Cow<'u, str>] {
        match self {
            Self::All(names) | Self::Some(names) => names,
        }
    }
}

/// Names of a pattern that its notation spells out.
const SPELLED_OUT: usize = 6;

impl std::fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_in_path = |name: &Cow<'_, str>| name.starts_with(';');
        let (in_path, in_query): (Vec<_>, Vec<_>) = self.list().iter().partition(|n| is_in_path(n));
        in_path.iter().try_for_each(|name| f.write_str(name))?;
        if in_query.is_empty() {
            return Ok(());
        }
        let shown = spelled_out(in_query.into_iter());
        match self {
            Self::All(_) => write!(f, "?{shown}"),
            Self::Some(_) => write!(f, "?[{shown}]"),
        }
    }
}

/// The first of some names, as a notation has them.
pub(crate) fn spelled_out<'n>(names: impl ExactSizeIterator<Item = &'n Cow<'n, str>>) -> String {
    let more = if names.len() > SPELLED_OUT { "&…" } else { "" };
    let names: SmallVec<[&str; SPELLED_OUT]> =
        names.take(SPELLED_OUT).map(|name| &**name).collect();
    format!("{}{more}", names.join("&"))
}

/// The hosts of URLs, as far as two: whether there are several.
pub(crate) fn has_hosts(urls: &[&str]) -> bool {
    let hosts = urls.iter().map(|url| &url[authority(url)]);
    hosts.collect::<FxHashSet<_>>().len() > 1
}

#[cfg(test)]
mod tests;
