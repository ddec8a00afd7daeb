//! Under which scheme, and with `www.` or without, training saw the URLs of each host.

use rustc_hash::FxHashMap;
use undust_edits::conventions::hosts::{Host, HostChoice, Hosts, Origin};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::pairs::{Images, LabelledUrl};

/// Linear. Without `trusts_pairs` no training URL will be changed.
pub(super) fn learn(urls: &[LabelledUrl<'_>], trusts_pairs: bool) -> Hosts {
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
            images.add(hash(&origin, kept as u64), page, &mut host.https.pairs);
        }
        if !host.www.urls.contains(&0) {
            let kept = 2 + usize::from(origin.is_https);
            images.add(hash(&origin, kept as u64), page, &mut host.www.pairs);
        }
    }
    for host in hosts.values_mut() {
        choose(&mut host.https, trusts_pairs);
        choose(&mut host.www, trusts_pairs);
    }
    Hosts(hosts)
}

/// Where training saw one way only, all URLs get it. Where it saw both, the pairs decide,
/// and the more frequent way is taken.
fn choose(choice: &mut HostChoice, trusts_pairs: bool) {
    choice.all = match choice.urls {
        [0, 0] => None,
        [_, 0] => Some(false),
        [0, _] => Some(true),
        [without, with] => (trusts_pairs && choice.pairs.suffice()).then_some(with > without),
    };
}

/// Of the URL without what `kept` does not determine.
fn hash(origin: &Origin<'_>, kept: u64) -> u64 {
    xxh3_64_with_seed(origin.rest.as_bytes(), xxh3_64_with_seed(origin.host.as_bytes(), kept))
}
