//! What a batch costs a state of live clusters: linear in its pages.

use undust_pages::{Response, Simhash};
use undust_util::op_counter::assert_linear;

use crate::clusters::{LiveClusters, ResponseBatch};

fn page(url: String, title: &str, simhash: u64) -> Response {
    let simhash = Some(Simhash(simhash));
    Response { url, status: 200, title: Some(title.into()), simhash, ..Response::default() }
}

/// The clusters of a state, which takes them in by batches: as many again after as many.
#[test]
fn a_batch_on_a_state_of_its_size() {
    type Made = fn(usize) -> Response;
    let shapes: [(&str, Made); 5] = [
        ("one title, chains of near ones", |n| page(url(n), "t", chain(n))),
        ("one title, in one of the blocks", |n| page(url(n), "t", in_one_block(n))),
        ("one title, half near the other half", |n| page(url(n), "t", near_zero(n))),
        ("one page", |n| page(url(n), "t", 0)),
        ("a title each", |n| page(url(n), &n.to_string(), 0)),
    ];
    for (name, made) in shapes {
        assert_linear(4000, name, |count| {
            let folder = tempfile::tempdir().expect("a folder");
            let mut state = LiveClusters::open_or_make(folder.path(), |_| {}).expect("a state");
            for half in [0..count / 2, count / 2..count] {
                let mut batch = ResponseBatch::new();
                batch.extend(half.map(made));
                state.ingest(batch).expect("a batch");
            }
        });
    }
}

fn url(n: usize) -> String {
    format!("http://a.test/{n}")
}

/// Sixteen in a row differ in a bit from the one before.
fn chain(n: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&(n / 16).to_le_bytes()) ^ ((1 << (n % 16)) - 1)
}

fn in_one_block(n: usize) -> u64 {
    (xxhash_rust::xxh3::xxh3_64(&n.to_le_bytes()) & 0xffff) << (16 * (n % 4))
}

/// Every other is 0, and the others differ from it in three bits at most.
fn near_zero(n: usize) -> u64 {
    let bit = |place: usize| 1 << (place % 64);
    if n.is_multiple_of(2) { 0 } else { bit(n) | bit(n / 64) | bit(n / 4096) }
}
