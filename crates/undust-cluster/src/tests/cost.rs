//! What pages and clusters cost, however a crawl is made: linear in the pages.

use undust_pages::{PagesBuilder, Response, Simhash};
use undust_util::op_counter::assert_linear;

use crate::clusters::{ClusterOptions, cluster};

fn url(n: usize) -> String {
    format!("http://a.test/{n}")
}

fn page(url: String, title: &str, simhash: u64) -> Response {
    let simhash = Some(Simhash(simhash));
    Response { url, status: 200, title: Some(title.into()), simhash, ..Response::default() }
}

fn clusters(responses: impl Iterator<Item = Response>) -> usize {
    clusters_within(ClusterOptions::default().bits, responses)
}

fn clusters_within(bits: u32, responses: impl Iterator<Item = Response>) -> usize {
    let mut pages = PagesBuilder::new();
    responses.for_each(|response| pages.push(response));
    cluster(&pages.finish().pages, &ClusterOptions { bits, ..ClusterOptions::default() }).len()
}

#[test]
fn redirects_in_long_chains_and_circles() {
    assert_linear(2000, "a chain", |count| {
        clusters((0..count).map(|n| {
            let location = Some(format!("http://a.test/{}", n + 1));
            Response {
                url: format!("http://a.test/{n}"),
                status: 301,
                location,
                ..page(String::new(), "", 0)
            }
        }))
    });
    assert_linear(2000, "all to one", |count| {
        clusters((0..count).map(|n| {
            let location = (n > 0).then(|| "http://a.test/0".to_owned());
            let status = if n > 0 { 301 } else { 200 };
            Response {
                url: format!("http://a.test/{n}"),
                status,
                location,
                ..page(String::new(), "", 0)
            }
        }))
    });
}

#[test]
fn fingerprints_that_were_crafted() {
    assert_linear(4000, "a chain of near ones, backwards", |count| {
        clusters((0..count).rev().map(|n| page(url(n), "t", (n ^ (n >> 1)) as u64)))
    });
    assert_linear(4000, "in one or two of the blocks", |count| {
        clusters((0..count).map(|n| {
            let hash = xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
            let block = |at: u64, value: u64| (value & 0xffff) << (16 * (at % 4));
            page(url(n), "t", block(hash >> 40, hash) | block(hash >> 50, hash >> 16))
        }))
    });
    assert_linear(4000, "a title each", |count| {
        clusters((0..count).map(|n| page(url(n), &n.to_string(), 0)))
    });
}

/// What most pairs of are near, where many bits may differ: all pairs would be most of the work.
#[test]
fn crowds_of_fingerprints_within_many_bits() {
    let hash = |n: usize| xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes());
    let with_bits = |bits: u32, n: usize| {
        let mut places = (0..).map(|at| 1 << (hash(n * 4096 + at) % 64));
        let mut value: u64 = 0;
        while value.count_ones() < bits {
            value |= places.next().unwrap_or(u64::MAX);
        }
        value
    };
    for bits in [5, 6, 7] {
        let within = |name: &str, value: &(dyn Fn(usize) -> u64 + Sync)| {
            assert_linear(10_000, &format!("{name} within {bits}"), |count| {
                clusters_within(bits, (0..count).map(|n| page(url(n), "t", value(n))))
            });
        };
        within("low 20 bits", &|n| hash(n) & 0xf_ffff);
        within("19 places", &|n| hash(n) & 0x4a22_41a8_4040_0d43);
        within("4 bits", &|n| with_bits(4, n));
        within("5 bits", &|n| with_bits(5, n));
    }
}
