//! Which pages of a WARC file are similar by the paper's own measure: the Jaccard similarity of
//! their sets of word 3-grams. Text is what stands outside of tags, scripts and styles, cut more
//! roughly than `undust ingest` cuts it.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use memchr::memmem;
use regex::Regex;
use xxhash_rust::xxh3::xxh3_64;

/// The sorted hashes of a page's distinct shingles.
pub(crate) type Shingles = Vec<u64>;

/// The shingles of each page of status 200, by URL; none if the file is no gzip WARC.
pub(crate) fn shingles_of(warc: &Path) -> HashMap<String, Shingles> {
    let mut bytes = Vec::new();
    let Ok(file) = std::fs::File::open(warc) else { return HashMap::new() };
    if flate2::read::MultiGzDecoder::new(file).read_to_end(&mut bytes).is_err() {
        return HashMap::new();
    }
    let hidden = Regex::new(r"(?is)<(?:script|style|noscript|title)\b.*?</\w+>|<!--.*?-->|<[^>]*>");
    let hidden = hidden.expect("a good pattern");
    let starts: Vec<usize> = memmem::find_iter(&bytes, b"WARC/1.").collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let records = starts.iter().zip(ends).map(|(&start, end)| &bytes[start..end]);
    let mut pages = HashMap::new();
    for record in records {
        if let Some((url, html)) = page(record) {
            let text = hidden.replace_all(&String::from_utf8_lossy(html), " ").to_lowercase();
            pages.entry(url).or_insert_with(|| shingles(&text));
        }
    }
    pages
}

/// URL and body of a response of status 200.
fn page(record: &[u8]) -> Option<(String, &[u8])> {
    let end = memmem::find(record, b"\r\n\r\n")?;
    let head = std::str::from_utf8(&record[..end]).ok()?;
    let url = head.lines().find_map(|line| line.strip_prefix("WARC-Target-URI: "))?;
    let http = &record[end + 4..];
    let status = http.get(8..12)?;
    let body = memmem::find(http, b"\r\n\r\n")? + 4;
    let url = url.trim_start_matches('<').trim_end_matches('>');
    (status == b" 200").then(|| (url.to_owned(), &http[body..]))
}

fn shingles(text: &str) -> Shingles {
    let is_gap = |c: char| !c.is_alphanumeric() && c != '_';
    let words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
    let mut hashes: Shingles =
        words.windows(3).map(|three| xxh3_64(three.join(" ").as_bytes())).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The pairs of different sets whose similarity is `least` or more. Compares all sets
/// whose sizes allow it.
pub(crate) fn similar_pairs(sets: &[&Shingles], least: f64) -> Vec<(usize, usize)> {
    let mut by_size: Vec<usize> = (0..sets.len()).filter(|&set| !sets[set].is_empty()).collect();
    by_size.sort_by_key(|&set| sets[set].len());
    let mut pairs = Vec::new();
    for (at, &a) in by_size.iter().enumerate() {
        let longest = (sets[a].len() as f64 / least) as usize;
        for &b in by_size[at + 1..].iter().take_while(|&&b| sets[b].len() <= longest) {
            if sets[a] != sets[b] && similarity(sets[a], sets[b]) >= least {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

fn similarity(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        common += usize::from(a[i] == b[j]);
        let (step_a, step_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(step_a);
        j += usize::from(step_b);
    }
    common as f64 / (a.len() + b.len() - common) as f64
}
