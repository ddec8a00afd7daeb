//! Pages whose text is short are the same only if their words are, apart from numbers.

use undust_pages::response::SHORT_TEXT_WORDS;
use undust_pages::simhash::Shingles;
use undust_pages::{Pages, PagesBuilder, Response};

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn short_pages_join_only_equal_words_and_numbers_alone_part_none(
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
