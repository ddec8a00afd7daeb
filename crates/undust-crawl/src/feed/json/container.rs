//! Files that have their records in a list somewhere in an object: HAR files, reports and answers of crawlers' services.

use super::mend::mended;
use super::object;
use crate::item::Item;
use crate::options::ReadOptions;

/// What such lists are called: by HAR, SiteOne, Firecrawl, Diffbot, Elasticsearch, Cloudflare and others.
const LISTS: [&[u8]; 9] =
    [b"entries", b"results", b"data", b"objects", b"hits", b"records", b"items", b"pages", b"rows"];
/// Objects around a list.
const MOST_DEPTH: usize = 3;

/// Lists that are looked at.
const MOST_LISTS: usize = 16;

/// Where the list begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ListStart {
    /// Behind its bracket.
    pub at: usize,
    /// The objects that it is in.
    pub depth: usize,
}

/// The list of records in the object with which a text begins; none if the object is a record itself. The text may be
/// cut.
pub(super) fn list_in(text: &[u8], options: &ReadOptions) -> Option<ListStart> {
    let has_one = |text: &[u8]| {
        let mut values = Vec::new();
        // What stands before the cut is enough.
        _ = object::read(text, &mut values);
        Item::of(values, options).has_address()
    };
    let has_address =
        |text: &[u8]| has_one(text) || mended(text).is_some_and(|text| has_one(&text));
    let mut lists = lists(text).take(MOST_LISTS);
    let list = lists.find(|list| has_address(text[list.at..].trim_ascii_start()))?;
    let (before, rest) = text.split_at(list.at);
    let after = rest.get(list_length(rest)..).unwrap_or_default();
    (!has_address(&[before, after].concat())).then_some(list)
}

/// The length of a list behind its bracket, up to the bracket that closes it.
fn list_length(list: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = list.get(at) {
        match byte {
            b'"' => at += text_length(&list[at + 1..]) + 1,
            b'[' => depth += 1,
            b']' if depth == 0 => return at,
            b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    list.len()
}

/// The lists of objects that have a known name and are not too deep.
fn lists(text: &[u8]) -> impl Iterator<Item = ListStart> {
    let (mut at, mut depth) = (0, 0_usize);
    // The last text: a name, if a colon follows.
    let mut name = &b""[..];
    std::iter::from_fn(move || {
        while let Some(&byte) = text.get(at) {
            at += 1;
            match byte {
                b'"' => {
                    let length = text_length(&text[at..]);
                    name = &text[at..at + length];
                    at += length + 1;
                }
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                b'[' => {
                    let is_of_objects = text[at..].trim_ascii_start().starts_with(b"{");
                    if is_of_objects && depth <= MOST_DEPTH && LISTS.contains(&name) {
                        return Some(ListStart { at, depth });
                    }
                }
                _ => {}
            }
        }
        None
    })
}

/// The length of a text up to its quotation mark.
fn text_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', text.get(at..).unwrap_or_default()) {
        at += found;
        if text[at] == b'"' {
            return at;
        }
        at += 2;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_records_is_found_and_a_record_is_none() {
        fn found(text: &str) -> Option<(&str, usize)> {
            let list = list_in(text.as_bytes(), &ReadOptions::default())?;
            Some((&text[list.at..], list.depth))
        }
        let har = r#"{"log": {"pages": [{"id": "p"}], "entries": [{"request": {"url": "http://a.test/"}}"#;
        assert_eq!(found(har), Some((r#"{"request": {"url": "http://a.test/"}}"#, 2)));
        let answer =
            r#"{"success": true, "data": [ {"metadata": {"sourceURL": "http://a.test/"}}]}"#;
        assert_eq!(found(answer).map(|found| found.1), Some(1));
        let cut = r#"{"data": [{"metadata": {"sourceURL": "http://a.test/"}, "html": "<p"#;
        assert_eq!(found(cut).map(|found| found.1), Some(1));
        let comma = r#"{"data": [{"a": {"b": 1,}, "url": "http://a.test/"},]}"#;
        assert!(found(comma).is_some());
        for record in [
            r#"{"url": "http://a.test/", "items": [{"url": "http://a.test/1"}]}"#,
            r#"{"items": [{"name": "x"}, {"name": "y"}], "url": "http://a.test/"}"#,
            r#"{"data": [1, 2]}"#,
            r#"{"note": "\"entries\": [{"}"#,
            r#"{"entries": ["#,
            r#"{"a": {"b": {"c": {"entries": [{"url": "http://a.test/"}]}}}}"#,
            "{",
            "",
        ] {
            assert_eq!(found(record), None, "{record}");
        }
    }
}
