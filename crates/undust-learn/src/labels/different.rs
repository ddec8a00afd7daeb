//! Pages that look alike and that the site calls different.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::report::{LabelReport, LabelSource};

use super::LabelledCrawl;
use super::belief::Observations;

/// Cuts clusters whose pages name different URLs as their own.
pub(super) fn named(
    crawl: &LabelledCrawl<'_>,
    source: LabelSource,
    labels: &mut [u32],
) -> LabelReport {
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut number = |url: String| {
        let next = numbers.len() as u32;
        *numbers.entry(url).or_insert(next)
    };
    let all = 0..crawl.pages.len() as u32;
    let names: Vec<Option<u32>> =
        all.map(|page| Some(number(crawl.target(page, source)?.into_owned()))).collect();
    let seen = observe(crawl, &names, false);
    cut_if_believed(crawl, source, seen, &names, labels)
}

/// Cuts clusters with pages that name each other as alternates in other languages. Without a link back, an alternate
/// says nothing.
pub(super) fn alternates(crawl: &LabelledCrawl<'_>, labels: &mut [u32]) -> LabelReport {
    let alternates: Vec<Vec<u32>> = crawl
        .pages
        .iter()
        .map(|page| {
            let urls = page.labels.iter().flat_map(|labels| &labels.alternates);
            let mut numbers: Vec<u32> = urls.filter_map(|url| crawl.number(url)).collect();
            numbers.sort_unstable();
            numbers
        })
        .collect();
    let mut seen = Observations::default();
    let mut names = vec![None; crawl.pages.len()];
    for (page, others) in (0..).zip(&alternates) {
        let is_mutual = |other: &&u32| {
            **other != page && alternates[**other as usize].binary_search(&page).is_ok()
        };
        let cluster = crawl.clusters[page as usize];
        let mut mutual = others.iter().filter(is_mutual).peekable();
        if mutual.peek().is_some() {
            let looks_alike = mutual.any(|other| crawl.clusters[*other as usize] == cluster);
            seen.push(0, (cluster, 0), looks_alike);
            names[page as usize] = looks_alike.then_some(page);
        }
    }
    cut_if_believed(crawl, LabelSource::Hreflang, seen, &names, labels)
}

/// Cuts clusters with several URLs in a sitemap.
pub(super) fn listed(crawl: &LabelledCrawl<'_>, labels: &mut [u32]) -> LabelReport {
    let is_listed = |page: u32| {
        crawl.pages[page as usize].labels.as_ref().is_some_and(|labels| labels.is_in_sitemap)
    };
    let all = 0..crawl.pages.len() as u32;
    let names: Vec<Option<u32>> = all.map(|page| is_listed(page).then_some(page)).collect();
    let seen = observe(crawl, &names, true);
    cut_if_believed(crawl, LabelSource::Sitemap, seen, &names, labels)
}

/// Each named cluster of several pages is an effective sample: its pages have one name, or the label is wrong. Pages
/// without a name count only if `counts_unnamed`.
fn observe(crawl: &LabelledCrawl<'_>, names: &[Option<u32>], counts_unnamed: bool) -> Observations {
    let mut of_cluster: FxHashMap<u32, (usize, FxHashSet<u32>)> = FxHashMap::default();
    for (cluster, name) in crawl.clusters.iter().zip(names) {
        if counts_unnamed || name.is_some() {
            let (pages, names) = of_cluster.entry(*cluster).or_default();
            *pages += 1;
            names.extend(*name);
        }
    }
    let mut seen = Observations::default();
    for (cluster, (pages, names)) in of_cluster {
        if pages > 1 && !names.is_empty() {
            seen.push(0, (cluster, 0), names.len() > 1);
        }
    }
    seen
}

/// Cuts the clusters whose pages have several names, if the source is believed. What seldom calls pages of one content
/// different is right where it does: most sites that name each request as its own URL do so always.
fn cut_if_believed(
    crawl: &LabelledCrawl<'_>,
    source: LabelSource,
    seen: Observations,
    names: &[Option<u32>],
    labels: &mut [u32],
) -> LabelReport {
    let belief = seen.belief(crawl.limit);
    let cut = if belief.anywhere() { cut(crawl, names, labels) } else { 0 };
    belief.report(source, "different", cut)
}

/// Cuts clusters by the names of their pages; how many. A page without a name goes with the named one whose URL begins
/// most like its own.
fn cut(crawl: &LabelledCrawl<'_>, names: &[Option<u32>], labels: &mut [u32]) -> usize {
    let mut members: Vec<(u32, u32)> = labels.iter().copied().zip(0..).collect();
    members.sort_unstable();
    let mut next = labels.iter().max().map_or(0, |last| last + 1);
    let mut count = 0;
    for cluster in members.chunk_by(|a, b| a.0 == b.0) {
        let url = |page: u32| crawl.pages[page as usize].url.as_ref();
        let named =
            cluster.iter().filter_map(|(_, page)| Some((url(*page), names[*page as usize]?)));
        let mut named: Vec<(&str, u32)> = named.collect();
        named.sort_unstable();
        let Some(first) = named.first().map(|(_, name)| *name) else { continue };
        if named.iter().all(|(_, name)| *name == first) {
            continue;
        }
        count += 1;
        let mut parts: FxHashMap<u32, u32> = FxHashMap::default();
        for (_, page) in cluster {
            let name = names[*page as usize].or_else(|| nearest(&named, url(*page)));
            let part = *parts.entry(name.unwrap_or(first)).or_insert(next);
            next = next.max(part + 1);
            labels[*page as usize] = part;
        }
    }
    count
}

/// The name of the URL that begins most like `url`, of sorted ones; of two the earlier one.
fn nearest(named: &[(&str, u32)], url: &str) -> Option<u32> {
    let place = named.partition_point(|(other, _)| *other < url);
    let before = place.checked_sub(1).and_then(|place| named.get(place));
    let common = |other: &str| other.bytes().zip(url.bytes()).take_while(|(a, b)| a == b).count();
    let near = before.into_iter().chain(named.get(place));
    near.rev().max_by_key(|(other, _)| common(other)).map(|(_, name)| *name)
}
