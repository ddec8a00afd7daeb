//! Responses become URLs, each with what it shows.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Int32Array, Int64Array, StringArray};
use pyo3::prelude::*;
use undust::crawl::{ResponseOutcome, redirect_targets, site_of};
use xxhash_rust::xxh3::xxh3_64;

use super::{NOTHING, PAGE, REDIRECT};
use crate::ingest::site_rule;
use crate::table::{Place, ResponseColumns, Rows, Text, batch_of};

/// Rows of responses, among them all of each URL, become a row for each URL of each site: what it shows, by the
/// response that counts.
#[pyfunction]
pub(crate) fn url_nodes(
    py: Python<'_>,
    batches: Vec<Bound<'_, PyAny>>,
    site_by: &str,
) -> PyResult<Rows> {
    let by = site_rule(site_by)?;
    let batches = batches.iter().map(batch_of).collect::<PyResult<Vec<_>>>()?;
    py.detach(|| {
        let columns =
            batches.iter().map(|batch| Ok((Text::of(batch, "site")?, ResponseColumns::of(batch)?)));
        let columns: Vec<_> = columns.collect::<PyResult<_>>()?;
        let mut rows = Vec::new();
        for ((sites, columns), batch) in columns.iter().zip(&batches) {
            for row in 0..batch.num_rows() {
                if let (Some(site), Some(url)) = (sites.get(row), columns.url(row)) {
                    rows.push((site, url, columns.place(row), columns, row));
                }
            }
        }
        rows.sort_by_key(|&(site, url, place, ..)| (site, url, place));
        let mut nodes = Nodes::default();
        for of_url in rows.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (site, url, ..) = of_url[0];
            let responses = of_url.iter().filter_map(|&(.., place, columns, row)| {
                Some((place, ResponseOutcome::from(&columns.response(row)?)))
            });
            if let Some((place, outcome)) = counted(responses) {
                nodes.push(site, url, place, site_of(url, by).as_deref() == Some(site), &outcome);
            }
        }
        nodes.rows()
    })
}

/// Where the first response of a URL stands, and what the one shows that counts.
fn counted(
    responses: impl Iterator<Item = (Place, ResponseOutcome)>,
) -> Option<(Place, ResponseOutcome)> {
    let mut responses = responses;
    let (first, mut outcome) = responses.next()?;
    let mut known = first.0.unsigned_abs();
    for (place, other) in responses {
        let crawl = place.0.unsigned_abs();
        if other.replaces(known, crawl) {
            (known, outcome) = (crawl, other);
        }
    }
    Some((first, outcome))
}

/// Columns of URLs.
#[derive(Default)]
struct Nodes {
    sites: Vec<String>,
    urls: Vec<String>,
    hashes: Vec<i64>,
    crawls: Vec<i32>,
    seqs: Vec<i64>,
    are_own: Vec<i32>,
    outcomes: Vec<i32>,
    titles: Vec<Option<i64>>,
    simhashes: Vec<Option<i64>>,
    short_texts: Vec<Option<i64>>,
    digests: Vec<Option<i64>>,
    targets: Vec<Option<Vec<u8>>>,
}

impl Nodes {
    fn push(
        &mut self,
        site: &str,
        url: &str,
        place: Place,
        is_own: bool,
        outcome: &ResponseOutcome,
    ) {
        let (kind, content, targets) = match outcome {
            ResponseOutcome::Dropped(_) => (NOTHING, [None; 4], None),
            ResponseOutcome::Redirect(location) => {
                let hash = |url: Cow<'_, str>| xxh3_64(url.as_bytes()).to_le_bytes();
                let targets = redirect_targets(location).flat_map(hash).collect();
                (REDIRECT, [None; 4], Some(targets))
            }
            &ResponseOutcome::Content { title, simhash, short_text, digest, .. } => {
                let (simhash, short_text) =
                    (simhash.map(|hash| hash.0), short_text.map(|hash| hash.0));
                (PAGE, [title, simhash, short_text, digest], None)
            }
        };
        let [title, simhash, short_text, digest] = content.map(|hash| hash.map(u64::cast_signed));
        self.sites.push(site.to_owned());
        self.urls.push(url.to_owned());
        self.hashes.push(xxh3_64(url.as_bytes()).cast_signed());
        self.crawls.push(place.0);
        self.seqs.push(place.1);
        self.are_own.push(i32::from(is_own));
        self.outcomes.push(kind);
        self.titles.push(title);
        self.simhashes.push(simhash);
        self.short_texts.push(short_text);
        self.digests.push(digest);
        self.targets.push(targets);
    }

    fn rows(self) -> PyResult<Rows> {
        let targets: BinaryArray = self.targets.iter().map(Option::as_deref).collect();
        Rows::of(vec![
            ("site", Arc::new(StringArray::from(self.sites)) as ArrayRef),
            ("url", Arc::new(StringArray::from(self.urls))),
            ("hash", Arc::new(Int64Array::from(self.hashes))),
            ("crawl", Arc::new(Int32Array::from(self.crawls))),
            ("seq", Arc::new(Int64Array::from(self.seqs))),
            ("own", Arc::new(Int32Array::from(self.are_own))),
            ("outcome", Arc::new(Int32Array::from(self.outcomes))),
            ("title", Arc::new(Int64Array::from(self.titles))),
            ("simhash", Arc::new(Int64Array::from(self.simhashes))),
            ("short_text", Arc::new(Int64Array::from(self.short_texts))),
            ("digest", Arc::new(Int64Array::from(self.digests))),
            ("targets", Arc::new(targets)),
        ])
    }
}
