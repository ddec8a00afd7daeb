//! Pages whose text is short are the same only if their words are, apart from numbers.

use std::collections::BTreeSet;

use undust_pages::response::SHORT_TEXT_WORDS;
use undust_pages::simhash::Shingles;
use undust_pages::{Pages, PagesBuilder, Response};

use xxhash_rust::xxh3::xxh3_64;

use super::*;

/// Words of the menu that all pages share.
fn menu(words: usize) -> String {
    (0..words).map(|word| format!("menu{word} ")).collect()
}

fn response(number: usize, text: &str) -> Response {
    let mut shingles = Shingles::default();
    shingles.push_text(text);
    Response {
        url: format!("http://a.test/{number}"),
        status: 200,
        title: Some("title".into()),
        simhash: shingles.simhash(),
        text_hash: shingles.text_hash(),
        words: Some(shingles.words()),
        ..Response::default()
    }
}

fn pages(responses: &[Response]) -> Pages {
    let mut builder = PagesBuilder::new();
    responses.iter().for_each(|response| builder.push(response.clone()));
    builder.finish()
}

fn without_hash(response: &Response) -> Response {
    Response { text_hash: None, ..response.clone() }
}

/// The fingerprint of a menu, whatever is the page's own.
fn forms(words: usize) -> [Response; 2] {
    let of = |number, own| Response {
        simhash: Some(Simhash(7)),
        ..response(number, &(menu(words - 1) + own))
    };
    [of(0, "arts"), of(1, "business")]
}

#[test]
fn one_word_parts_pages_up_to_the_limit() {
    let limit = SHORT_TEXT_WORDS as usize;
    for (words, clusters) in [(5, 2), (limit - 1, 2), (limit, 1)] {
        let forms = forms(words);
        assert_eq!(cluster(&pages(&forms).pages, &STRICT).len(), clusters, "{words} words");
        assert_eq!(cluster(&pages(&forms).pages, &UNTITLED).len(), clusters, "{words} words");
        let old = forms.each_ref().map(without_hash);
        assert_eq!(cluster(&pages(&old).pages, &STRICT).len(), 1, "{words} words, no hash");
    }
}

#[test]
fn a_page_without_the_hash_does_not_join_two_that_differ() {
    let [one, other] = forms(200);
    let unknown = Response { url: "http://a.test/2".into(), ..without_hash(&one) };
    assert_eq!(cluster(&pages(&[one, unknown, other]).pages, &STRICT).len(), 3);
}

/// Pages of each kind, and URLs of each page.
const PAGES: usize = 60;
const COPIES: usize = 3;

fn word(number: usize) -> String {
    let part = |parts: [&'static str; 6], at: usize| parts[at % 6];
    let (one, two, three) = (number, number / 6, number / 36);
    part(["ba", "de", "ki", "lo", "mu", "ra"], one).to_owned()
        + part(["n", "r", "s", "t", "l", "m"], two)
        + part(["a", "el", "ix", "or", "um", "ing"], three)
}

/// What a page of a kind shows on one of its URLs, besides the menu.
fn own(kind: &str, page: usize, copy: usize) -> String {
    let random = |salt: u8| xxh3_64(&[page as u8, copy as u8, salt]) as usize;
    let two = format!("{} {}", word(page), word(215 - page));
    match kind {
        "form" => format!("submit a link to {}", word(page)),
        "profile" => format!("member {}x{page} joined 2019 posts {}", word(page), page * 7),
        "version" => format!("version {page} of {} changed {two}", word(page % 20)),
        "release" => format!("undust 1.{page} for all systems"),
        "weather" => format!("day {page} low {} high {}", page * 37 % 83, page * 91 % 97),
        "counter" => format!("{two} seen {} times", 100 + random(0) % 900),
        "rendering time" => format!("{two} made in 0.{} seconds", 10 + random(0) % 90),
        "grown counter" => format!("{two} seen {} times", ["987", "1,234", "1,234,567"][copy]),
        "slogan" => (0..4).fold(two, |text, salt| text + " " + &word(random(salt) % 216)),
        "captcha" => format!("{two} type {} to go on", word(random(0) % 216)),
        _ => unreachable!("{kind}"),
    }
}

fn crawl_of(kind: &str, menu: usize) -> Vec<Response> {
    let menu: String = (0..menu).map(|at| word(at * 7919 % 216) + " ").collect();
    let page = |at| response(at, &(menu.clone() + &own(kind, at / COPIES, at % COPIES)));
    (0..PAGES * COPIES).map(page).collect()
}

/// Pages that no fetch shows if the first URL of each cluster is fetched, and fetches that show a page again.
fn lost_and_left(crawl: &[Response]) -> (usize, usize) {
    let clusters = cluster(&pages(crawl).pages, &STRICT);
    let shown: BTreeSet<usize> = clusters.iter().map(|urls| urls[0] as usize / COPIES).collect();
    (PAGES - shown.len(), clusters.len() - shown.len())
}

/// Lost and left, by the number of words of the menu. Below the limit no page is lost but those that differ in numbers
/// alone, which are left to the fingerprint; what random words and separators part is fetched again.
#[test]
fn kinds_of_short_pages_join_and_stay_apart() {
    let expected = [
        ("form", 225, (0, 0)),
        ("profile", 120, (0, 0)),
        ("version", 150, (0, 0)),
        ("counter", 150, (0, 82)),
        ("rendering time", 150, (0, 60)),
        ("grown counter", 150, (0, 120)),
        ("slogan", 150, (0, 120)),
        ("captcha", 150, (0, 119)),
        ("release", 150, (46, 0)),
        ("weather", 30, (1, 0)),
        ("form", 450, (59, 0)),
        ("counter", 450, (59, 0)),
    ];
    let found = expected.map(|(kind, menu, _)| (kind, menu, lost_and_left(&crawl_of(kind, menu))));
    assert_eq!(found, expected);
}

/// The text hash parts no pages that differ in numbers. Their fingerprints may be more than three bits apart.
#[test]
fn a_counter_parts_short_pages_by_the_fingerprint_alone() {
    let crawl = crawl_of("counter", 150);
    let of_pages = crawl.chunks(COPIES);
    assert!(
        of_pages
            .clone()
            .all(|copies| copies.iter().all(|copy| copy.text_hash == copies[0].text_hash))
    );
    let far = |copies: &&[Response]| {
        let [one, other] = [0, 1].map(|copy| copies[copy].simhash.expect("words").0);
        (one ^ other).count_ones() > STRICT.bits
    };
    let parted = of_pages.filter(far).count();
    assert!((1..PAGES).contains(&parted), "{parted}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The fingerprints are given. Those of real pages that differ in numbers may be far apart.
    #[test]
    fn short_pages_join_only_equal_words_and_the_hash_parts_none_that_differ_in_numbers(
        own in prop::collection::vec(("[ab]{0,2}", 0_u32..2000, 0_u64..8), 2..30),
        words in prop_oneof![1_usize..290, 290_usize..310],
    ) {
        let page = |(number, (own, count, bits)): (usize, &(String, u32, u64))| Response {
            simhash: Some(Simhash(*bits)),
            ..response(number, &format!("{}{own} {count}", menu(words)))
        };
        let crawl: Vec<Response> = own.iter().enumerate().map(page).collect();
        let clusters = cluster(&pages(&crawl).pages, &STRICT);
        for members in clusters.iter() {
            for (a, b) in members.iter().zip(&members[1..]) {
                let (a, b) = (&crawl[*a as usize], &crawl[*b as usize]);
                let is_short = a.words.min(b.words) < Some(SHORT_TEXT_WORDS);
                prop_assert!(!is_short || a.text_hash == b.text_hash);
            }
        }
        let numbers: Vec<(String, u32, u64)> =
            own.iter().map(|(_, count, bits)| (String::new(), *count, *bits)).collect();
        let crawl: Vec<Response> = numbers.iter().enumerate().map(page).collect();
        let old: Vec<Response> = crawl.iter().map(without_hash).collect();
        let by_fingerprint = cluster(&pages(&old).pages, &STRICT);
        prop_assert_eq!(cluster(&pages(&crawl).pages, &STRICT), by_fingerprint);
    }
}
