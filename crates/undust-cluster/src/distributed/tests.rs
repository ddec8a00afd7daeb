use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use undust_pages::pages::ResponseOutcome;
use undust_pages::url_text::redirect_targets;
use undust_pages::{PagesBuilder, Response, Simhash, TextHash};

use super::*;
use crate::clusters::{ClusterOptions, cluster};

const OWN: &str = "http://a.test/";

/// What an engine does, on one machine: the clusters by URL, in the order of the crawl.
fn spread(crawls: &[Vec<Response>], options: &ClusterOptions) -> Vec<(String, u32)> {
    let mut order = Vec::new();
    let mut outcomes: HashMap<&str, (u32, ResponseOutcome)> = HashMap::new();
    for (crawl, responses) in (0..).zip(crawls) {
        for response in responses {
            let outcome = ResponseOutcome::from(response);
            match outcomes.get_mut(&*response.url) {
                None => {
                    order.push(&*response.url);
                    outcomes.insert(&response.url, (crawl, outcome));
                }
                Some(known) if outcome.replaces(known.0, crawl) => *known = (crawl, outcome),
                Some(_) => {}
            }
        }
    }
    let mut graph = SiteGraph::default();
    for url in &order {
        let (hash, is_own) = (xxh3_64(url.as_bytes()), url.starts_with(OWN));
        match &outcomes[url].1 {
            ResponseOutcome::Dropped(_) => graph.push(hash, is_own, Node::Nothing),
            ResponseOutcome::Content { .. } => graph.push(hash, is_own, Node::Page),
            ResponseOutcome::Redirect(location) => {
                let targets = redirect_targets(location).map(|url| xxh3_64(url.as_bytes()));
                graph.push(hash, is_own, Node::Redirect(&targets.collect::<Vec<_>>()));
            }
        }
    }
    let elsewhere = graph.ends_elsewhere();
    let mut machines: BTreeMap<u64, Vec<BucketEntry>> = BTreeMap::new();
    for url in &order {
        let hash = xxh3_64(url.as_bytes());
        if let &ResponseOutcome::Content { title, simhash, short_text, digest, .. } =
            &outcomes[url].1
            && (url.starts_with(OWN) || elsewhere.contains(&hash))
        {
            for key in bucket_keys(title, simhash, short_text, digest, options) {
                let machine = match key {
                    BucketKey::Digest(digest) => digest % 3,
                    BucketKey::Block { blocking_key, bits, .. } => (blocking_key ^ bits) % 3,
                };
                let simhash = simhash.map_or(0, |simhash| simhash.0);
                machines.entry(machine).or_default().push(BucketEntry { key, simhash, url: hash });
            }
        }
    }
    for mut entries in machines.into_values() {
        links(&mut entries, options, |a, b| graph.link(a, b));
    }
    let urls: HashMap<u64, &str> =
        order.iter().map(|&url| (xxh3_64(url.as_bytes()), url)).collect();
    graph.finish().iter().map(|of| (urls[&of.url].to_owned(), of.cluster)).collect()
}

/// What one machine finds.
fn alone(crawls: &[Vec<Response>], options: &ClusterOptions) -> Vec<(String, u32)> {
    let mut builder = PagesBuilder::new();
    for responses in crawls {
        responses.iter().for_each(|response| builder.push(response.clone()));
        builder.next_crawl();
    }
    let pages = builder.finish().pages.into_iter();
    let own: Vec<_> = pages.filter(|page| page.url.starts_with(OWN)).collect();
    let clusters = cluster(&own, options);
    own.iter().zip(clusters.labels()).map(|(page, &label)| (page.url.to_string(), label)).collect()
}

fn url() -> impl Strategy<Value = String> {
    (prop_oneof![3 => Just(OWN), 1 => Just("http://b.test/")], 0..24_u32)
        .prop_map(|(site, path)| format!("{site}{path}"))
}

/// Few titles, digests and fingerprints, some of them near, so that pages meet in every way.
fn response() -> impl Strategy<Value = Response> {
    let simhash = (0..3_u64, prop::array::uniform2(0..64_u32), any::<bool>());
    let simhash = simhash.prop_map(|(base, flips, is_near)| {
        let value = xxh3_64(&base.to_le_bytes());
        let flipped = flips.iter().fold(value, |value, bit| value ^ (1 << bit));
        Simhash(if is_near { flipped } else { flipped.rotate_left(flips[0]) })
    });
    let location = (url(), prop_oneof![3 => Just(""), 1 => Just("#top")]);
    (
        url(),
        prop_oneof![6 => Just(200_u16), 3 => Just(301), 1 => Just(404)],
        location.prop_map(|(url, fragment)| url + fragment),
        prop::option::of(0..2_u32),
        prop::option::of(simhash),
        prop::option::weighted(0.4, 0..8_u32),
        (prop::option::of(0..2_u64), prop::option::of(298..302_u64)),
    )
        .prop_map(|(url, status, location, title, simhash, digest, text)| Response {
            url,
            status,
            location: (status == 301).then_some(location),
            title: title.map(|title| format!("title {title}")),
            simhash,
            text_hash: text.0.map(TextHash),
            words: text.1,
            digest: digest.map(|digest| digest.to_string()),
            ..Response::default()
        })
}

proptest! {
    #[test]
    fn many_machines_find_what_one_finds(
        crawls in prop::collection::vec(prop::collection::vec(response(), 0..40), 1..3),
        bits in 0..8_u32,
        title in any::<bool>(),
    ) {
        let options = ClusterOptions { bits, title };
        prop_assert_eq!(spread(&crawls, &options), alone(&crawls, &options));
    }
}

#[test]
fn a_crowd_needs_fewer_links_than_it_has_entries() {
    let options = ClusterOptions::default();
    let entry = |number: u64| {
        let simhash = Simhash(number & 0b11);
        let of = move |key| BucketEntry { key, simhash: simhash.0, url: number };
        bucket_keys(Some(1), Some(simhash), None, Some(5), &options).map(of)
    };
    let mut entries: Vec<BucketEntry> = (0..10_000).flat_map(entry).collect();
    let mut count = 0;
    links(&mut entries, &options, |_, _| count += 1);
    assert!(count < entries.len(), "{count} links of {} entries", entries.len());
}
