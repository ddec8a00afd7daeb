//! WARC files made to cost more than their share: the work is counted, in bytes read.

use std::path::Path;

use undust_util::error::Result;

use super::{gz, page, read, three_pages, urls};
use crate::digest::sha1;
use crate::input::{Found, InputContext};
use crate::options::ReadOptions;
use crate::report::ReadReport;
use crate::source::{Source, open};
use crate::warc;

/// A record's head with a length that its block may not have.
fn head(kind: &str, length: &str) -> Vec<u8> {
    format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://x/bad\r\nContent-Length: {length}\r\n\r\n").into()
}

/// Bytes that reading takes from the decompressed input, each as often as it was read.
fn work(data: &[u8]) -> u64 {
    work_of(data, warc::read)
}

/// [`work`] of any reader.
pub(super) fn work_of(
    data: &[u8],
    read: fn(&mut Source, &mut InputContext<'_>) -> Result<()>,
) -> u64 {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), data).unwrap();
    let mut source = open(file.path(), None).unwrap();
    let (options, mut report) = (ReadOptions::default(), ReadReport::default());
    let mut emit = |_: Found| Ok(());
    let path = Path::new("hostile");
    let mut context =
        InputContext { path, options: &options, report: &mut report, emit: &mut emit };
    read(&mut source, &mut context).unwrap();
    source.work()
}

fn good_pages(count: usize) -> Vec<Vec<u8>> {
    // Together longer than what is held of a block, so that there is something to lose.
    let text = "some words ".repeat(200);
    (0..count).map(|i| page(&format!("http://x/{i}"), &text)).collect()
}

#[test]
fn a_length_over_the_whole_crawl_costs_one_record() {
    let pages = good_pages(4500);
    let bad =
        [&head("response", "1000000000000")[..], b"HTTP/1.1 200 OK\r\n\r\nx\r\n\r\n"].concat();
    let plain = [bad.clone(), pages.concat()].concat();
    let members = pages.iter().flat_map(|page| gz(page)).collect();
    let frames = pages.iter().flat_map(|page| zstd::encode_all(&page[..], 1).unwrap()).collect();
    for data in [
        plain.clone(),
        gz(&plain),
        [gz(&bad), members].concat(),
        [zstd::encode_all(&bad[..], 1).unwrap(), frames].concat(),
    ] {
        let (urls, damaged) = urls(&data);
        assert_eq!((urls.len(), damaged), (4500, 1));
        assert_eq!(urls.last().map(String::as_str), Some("http://x/4499"));
        assert!(work(&data) <= 2 * plain.len() as u64);
    }
}

#[test]
fn a_wrong_length_before_damage_costs_no_other_record() {
    let [a, b, c] = three_pages();
    let swallowing = [&a[..], &head("resource", "99999999"), &b, &c].concat();
    let cut = gz(&swallowing);
    let (urls, _) = urls(&cut[..cut.len() - 9]);
    assert_eq!(urls, ["http://x/a", "http://x/b", "http://x/c"]);
}

#[test]
fn records_that_claim_much_and_hold_nothing_are_read_twice_at_most() {
    for (kind, length) in
        [("response", "8388608"), ("response", "8000000"), ("metadata", "65536"), ("response", "3")]
    {
        let bad = head(kind, length);
        let many = |count| bad.repeat(count);
        for count in [1000, 4000, 100_000] {
            let data = many(count);
            let work = work(&data);
            assert!(work <= 2 * data.len() as u64, "{length}, {count}: {work} of {}", data.len());
        }
        let packed: Vec<u8> = (0..1000).flat_map(|_| gz(&bad)).collect();
        assert!(work(&packed) <= 2 * 1000 * bad.len() as u64, "{length}, packed");
    }
    let versions = b"WARC/1.0\n".repeat(20_000);
    assert!(work(&versions) <= 3 * versions.len() as u64);
}

#[test]
fn what_looks_like_a_record_in_a_page_is_a_part_of_the_page() {
    let inner = page("http://victim/", "<title>false</title>");
    let pad = "words ".repeat(1_500_000);
    for html in [
        format!("<p>{}", String::from_utf8_lossy(&inner)),
        format!("{pad}\r\n\r\n{}", String::from_utf8_lossy(&inner)),
        format!("{}{pad}", String::from_utf8_lossy(&inner)),
    ] {
        for data in [
            [page("http://x/", &html), page("http://x/next", "x")].concat(),
            [gz(&page("http://x/", &html)), gz(&page("http://x/next", "x"))].concat(),
        ] {
            assert_eq!(urls(&data), (vec!["http://x/".into(), "http://x/next".into()], 0));
        }
    }
}

#[test]
fn a_length_is_not_believed_for_ever() {
    // Over what is believed in a test, 16 MiB, and no end of the input in reach.
    let pages = good_pages(10_000);
    let claimed = pages.concat().len() + 100;
    let data = [&head("metadata", &claimed.to_string())[..], &pages.concat()].concat();
    let (responses, report) = read(&data);
    assert_eq!((responses.len(), report.damaged_records, report.cut_inputs), (10_000, 1, 0));
}

/// A page with a record of another host inside, behind a blank line and in front of more.
fn smuggler(uri: &str) -> Vec<u8> {
    let inner = page("http://victim.test/", "<title>false</title>some words");
    let inner = String::from_utf8(inner).unwrap();
    page(uri, &format!("{}\r\n\r\n{inner}{inner}", "some words ".repeat(50)))
}

/// The same page with another length.
fn claiming(page: &[u8], length: &str) -> Vec<u8> {
    let text = std::str::from_utf8(page).unwrap();
    let (before, after) = text.split_once("Content-Length: ").unwrap();
    let (_, after) = after.split_once("\r\n").unwrap();
    format!("{before}Content-Length: {length}\r\n{after}").into()
}

/// What may befall a record while others are whole.
fn mishaps(record: &[u8]) -> Vec<(String, Vec<u8>)> {
    let text = std::str::from_utf8(record).unwrap();
    let mut all = Vec::new();
    for length in ["1000000000000", "100000", "1200", "400", "20", "0", "-1", "x"] {
        all.push((format!("claims {length}"), gz(&claiming(record, length))));
    }
    for kept in [40, 60, 90, 300, record.len() - 300, record.len() - 20, record.len() - 5] {
        all.push((format!("{kept} bytes of it"), gz(&record[..kept])));
    }
    let nothing_before_the_page = text.split_once("HTTP/1.1").unwrap().1;
    all.push(("no head".into(), gz(nothing_before_the_page.as_bytes())));
    all.push(("no length".into(), gz(text.replacen("Content-Length", "Lost", 1).as_bytes())));
    let mut damaged = gz(record);
    let end = damaged.len() - 6;
    damaged[end] ^= 0xff;
    all.push(("a wrong checksum".into(), damaged));
    all
}

#[test]
fn a_damaged_record_ends_with_its_member() {
    let bad = smuggler("http://x/bad");
    let good: Vec<_> = (0..3).map(|n| page(&format!("http://x/{n}"), "some words")).collect();
    for (what, bad) in mishaps(&bad) {
        for before in 0..=2 {
            for behind in 0..=1 {
                // Of the only member there is, or the last behind one, nobody knows.
                if before == 0 && behind == 0 {
                    continue;
                }
                let packed = |pages: &[Vec<u8>]| pages.iter().flat_map(|page| gz(page)).collect();
                let [first, last]: [Vec<u8>; 2] =
                    [packed(&good[..before]), packed(&good[2..2 + behind])];
                let (mut found, _) = urls(&[first, bad.clone(), last].concat());
                found.retain(|url| url != "http://x/bad");
                let expected = (0..before).chain(2..2 + behind);
                let expected: Vec<_> = expected.map(|n| format!("http://x/{n}")).collect();
                assert_eq!(found, expected, "{what}, {before} before it, {behind} behind");
            }
        }
    }
}

/// A record with more in its head.
fn page_with(record: &[u8], more: &str) -> Vec<u8> {
    let text = std::str::from_utf8(record).unwrap();
    text.replacen("Content-Length", &format!("{more}Content-Length"), 1).into()
}

/// A record with the digest that its block has.
fn digested(record: &[u8]) -> Vec<u8> {
    let (_, block) = std::str::from_utf8(record).unwrap().split_once("\r\n\r\n").unwrap();
    let digest = sha1(block.strip_suffix("\r\n\r\n").unwrap().as_bytes());
    page_with(record, &format!("WARC-Block-Digest: sha1:{digest}\r\n"))
}

/// A length that is too short may end exactly where a page makes itself out to be the next record.
/// The digest of the block decides.
#[test]
fn a_block_that_is_not_the_one_written_ends_with_its_member() {
    let packed = |pages: &[Vec<u8>]| pages.iter().flat_map(|page| gz(page)).collect::<Vec<u8>>();
    let good: Vec<_> = (0..3).map(|n| page(&format!("http://x/{n}"), "some words")).collect();
    let text = String::from_utf8(smuggler("http://x/bad")).unwrap();
    for (gap, offset) in [("\r\n\r\n", 0), ("\r\n\r\n", 2), (&*"\r\n".repeat(100), 50)] {
        let html = text.split_once("text/html\r\n\r\n").unwrap().1;
        let html = html.replacen("\r\n\r\nWARC/", &format!("{gap}WARC/"), 1);
        let bad = digested(&page("http://x/bad", html.strip_suffix("\r\n\r\n").unwrap()));
        let block = std::str::from_utf8(&bad).unwrap().split_once("\r\n\r\n").unwrap().1;
        let length = block.find(&format!("{gap}WARC/")).unwrap() + offset;
        let bad = claiming(&bad, &length.to_string());
        let text = String::from_utf8(bad.clone()).unwrap();
        let other = |kind| text.replacen("WARC-Type: response", kind, 1).into_bytes();
        let kinds = [bad, other("WARC-Type: request"), other("WARC-Type: metadata")];
        assert_ne!(kinds[0], kinds[1]);
        for (before, bad) in (1..=2).flat_map(|before| kinds.iter().map(move |bad| (before, bad))) {
            let data = [packed(&good[..before]), gz(bad), packed(&good[2..])].concat();
            let (found, damaged) = urls(&data);
            let expected = (0..before).chain([2]).map(|n| format!("http://x/{n}"));
            assert_eq!((found, damaged), (expected.collect(), 1), "{offset}, {before} before it");
            assert!(work(&data) <= 2 * (3 * good[0].len() + bad.len()) as u64);
        }
    }
}

/// Members of one record before members of several are no reason to doubt these.
#[test]
fn members_of_several_records_may_follow_those_of_one() {
    let pages = good_pages(40);
    let digests: Vec<_> = pages.iter().map(|page| digested(page)).collect();
    for pages in [pages, digests] {
        let members = [&pages[..1], &pages[1..2], &pages[2..20], &pages[20..21], &pages[21..]];
        let data: Vec<u8> = members.iter().flat_map(|pages| gz(&pages.concat())).collect();
        let (urls, damaged) = urls(&data);
        assert_eq!((urls.len(), damaged), (40, 0));
    }
}

/// Where a length needs no proof none is asked for.
#[test]
fn a_wrong_digest_alone_is_no_damage() {
    let none = format!("sha1:{}", "0".repeat(40));
    let wrong = |page: &Vec<u8>| page_with(page, &format!("WARC-Block-Digest: {none}\r\n"));
    let pages: Vec<_> = good_pages(6).iter().map(wrong).collect();
    for members in [pages.chunks(1), pages.chunks(6)] {
        let data: Vec<u8> = members.flat_map(|pages| gz(&pages.concat())).collect();
        let (urls, damaged) = urls(&data);
        assert_eq!((urls.len(), damaged), (6, 0));
    }
}

/// A page keeps its own URL: what a cut head lacks is not taken from the next record's.
#[test]
fn a_head_that_its_member_cuts_is_not_completed_by_the_next() {
    let victim = page("http://victim.test/", "<title>true</title>some words");
    let cut = b"WARC/1.0\r\nWARC-Target-URI: http://x/bad\r\nWARC-Type: resp";
    for cut in (10..=cut.len()).map(|kept| &cut[..kept]) {
        let data = [gz(cut), gz(&victim), gz(&page("http://x/", "some words"))].concat();
        assert_eq!(urls(&data), (vec!["http://victim.test/".into(), "http://x/".into()], 1));
    }
}

/// Several records may share a member: of these, damage costs one.
#[test]
fn members_of_several_records_lose_one() {
    let pages = good_pages(40);
    for length in ["1000000000000", "20", "x"] {
        let mut broken = pages.clone();
        for at in [5, 25] {
            broken[at] = claiming(&broken[at], length);
        }
        for members in [vec![&broken[..]], vec![&broken[..20], &broken[20..]]] {
            let data: Vec<u8> = members.iter().flat_map(|pages| gz(&pages.concat())).collect();
            let (urls, damaged) = urls(&data);
            // A length over the end of a member costs what is left of that.
            let lost = if length.len() > 2 && members.len() > 1 { 16 } else { 2 };
            assert_eq!(
                (urls.len(), damaged),
                (40 - lost, 2),
                "{length}, {} members",
                members.len()
            );
        }
    }
}
