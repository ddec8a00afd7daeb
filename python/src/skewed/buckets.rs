//! URLs meet under keys, and become links between those that show the same page.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use pyo3::prelude::*;
use undust::cluster::distributed::{BucketEntry, BucketKey, bucket_keys, links};
use undust::crawl::{Simhash, TextHash};
use xxhash_rust::xxh3::xxh3_64;

use crate::settings::config;
use crate::table::{Rows, Text, Whole, batch_of};

/// The block of a key that is a digest.
const DIGEST: i32 = -1;

/// Rows of URLs become a row for each key that a page may share with others. Those of one key have one `bucket`.
#[pyfunction]
pub(crate) fn bucket_entries(
    py: Python<'_>,
    batch: &Bound<'_, PyAny>,
    settings: Option<&Bound<'_, PyAny>>,
    buckets: u32,
) -> PyResult<Rows> {
    let options = config(settings)?.clusters;
    let batch = batch_of(batch)?;
    py.detach(|| {
        let sites = Text::of(&batch, "site")?;
        let [urls, titles, simhashes, short_texts, digests] =
            ["hash", "title", "simhash", "short_text", "digest"]
                .map(|name| Whole::of(&batch, name));
        let (urls, titles, simhashes) = (urls?, titles?, simhashes?);
        let (short_texts, digests) = (short_texts?, digests?);
        let word = |column: &Whole<'_>, row| column.get(row).map(i64::cast_unsigned);
        let mut made = Entries::default();
        for row in 0..batch.num_rows() {
            let (Some(site), Some(url)) = (sites.get(row), word(&urls, row)) else { continue };
            let simhash = word(&simhashes, row).map(Simhash);
            let short_text = word(&short_texts, row).map(TextHash);
            let (title, digest) = (word(&titles, row), word(&digests, row));
            let keys = bucket_keys(title, simhash, short_text, digest, &options);
            for key in keys {
                let simhash = simhash.map_or(0, |simhash| simhash.0);
                made.push(site, BucketEntry { key, simhash, url }, buckets);
            }
        }
        made.rows()
    })
}

/// Columns of entries.
#[derive(Default)]
struct Entries<'s> {
    buckets: Vec<i32>,
    sites: Vec<&'s str>,
    blocks: Vec<i32>,
    blocking_keys: Vec<i64>,
    bits: Vec<i64>,
    simhashes: Vec<i64>,
    hashes: Vec<i64>,
}

impl<'s> Entries<'s> {
    fn push(&mut self, site: &'s str, entry: BucketEntry, buckets: u32) {
        let (block, blocking_key, bits) = match entry.key {
            BucketKey::Digest(digest) => (DIGEST, 0, digest),
            BucketKey::Block { blocking_key, block, bits } => {
                (block.cast_signed(), blocking_key, bits)
            }
        };
        let mut key = Vec::with_capacity(20 + site.len());
        key.extend(block.to_le_bytes());
        key.extend(blocking_key.to_le_bytes());
        key.extend(bits.to_le_bytes());
        key.extend(site.as_bytes());
        self.buckets.push((xxh3_64(&key) % u64::from(buckets.max(1))) as i32);
        self.sites.push(site);
        self.blocks.push(block);
        self.blocking_keys.push(blocking_key.cast_signed());
        self.bits.push(bits.cast_signed());
        self.simhashes.push(entry.simhash.cast_signed());
        self.hashes.push(entry.url.cast_signed());
    }

    fn rows(self) -> PyResult<Rows> {
        Rows::of(vec![
            ("bucket", Arc::new(Int32Array::from(self.buckets)) as ArrayRef),
            ("site", Arc::new(StringArray::from(self.sites))),
            ("block", Arc::new(Int32Array::from(self.blocks))),
            ("blocking_key", Arc::new(Int64Array::from(self.blocking_keys))),
            ("bits", Arc::new(Int64Array::from(self.bits))),
            ("simhash", Arc::new(Int64Array::from(self.simhashes))),
            ("hash", Arc::new(Int64Array::from(self.hashes))),
        ])
    }
}

/// Entries, among them all of each key, become a row for each link between two pages that are the same.
#[pyfunction]
pub(crate) fn page_links(
    py: Python<'_>,
    batches: Vec<Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyAny>>,
) -> PyResult<Rows> {
    let options = config(settings)?.clusters;
    let batches = batches.iter().map(batch_of).collect::<PyResult<Vec<_>>>()?;
    py.detach(|| {
        let mut entries = batches.iter().map(entries_of).collect::<PyResult<Vec<_>>>()?.concat();
        entries.sort_by_key(|&(site, _)| site);
        let (mut sites, mut hashes, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for of_site in entries.chunk_by(|a, b| a.0 == b.0) {
            let mut of_site_alone: Vec<BucketEntry> =
                of_site.iter().map(|&(_, entry)| entry).collect();
            links(&mut of_site_alone, &options, |a, b| {
                sites.push(of_site[0].0);
                hashes.push(a.cast_signed());
                others.push(b.cast_signed());
            });
        }
        Rows::of(vec![
            ("site", Arc::new(StringArray::from(sites)) as ArrayRef),
            ("hash", Arc::new(Int64Array::from(hashes))),
            ("other", Arc::new(Int64Array::from(others))),
        ])
    })
}

/// The entries of a batch, each with its site.
fn entries_of(batch: &RecordBatch) -> PyResult<Vec<(&str, BucketEntry)>> {
    let sites = Text::of(batch, "site")?;
    let blocks = Whole::of(batch, "block")?;
    let [keys, bits, simhashes, urls] =
        ["blocking_key", "bits", "simhash", "hash"].map(|name| Whole::of(batch, name));
    let (keys, bits, simhashes, urls) = (keys?, bits?, simhashes?, urls?);
    let word = |column: &Whole<'_>, row| column.get(row).map_or(0, i64::cast_unsigned);
    let entry = |row| {
        let block = blocks.get(row)?;
        let (blocking_key, bits) = (word(&keys, row), word(&bits, row));
        let key = match u32::try_from(block) {
            Ok(block) => BucketKey::Block { blocking_key, block, bits },
            Err(_) => BucketKey::Digest(bits),
        };
        Some((
            sites.get(row)?,
            BucketEntry { key, simhash: word(&simhashes, row), url: word(&urls, row) },
        ))
    };
    Ok((0..batch.num_rows()).filter_map(entry).collect())
}
