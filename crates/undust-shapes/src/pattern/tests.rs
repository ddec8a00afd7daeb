use super::*;
use crate::paths::MOST_SEGMENTS;

fn described(urls: &[String]) -> Vec<(String, usize)> {
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let mut all: Vec<_> = patterns(&urls)
        .iter()
        .map(|(pattern, urls)| (pattern.describe(false), urls.len()))
        .collect();
    all.sort_unstable();
    all
}

fn owned(all: &[(&str, usize)]) -> Vec<(String, usize)> {
    all.iter().map(|(pattern, urls)| ((*pattern).to_owned(), *urls)).collect()
}

#[test]
fn common_words_stand_in_a_pattern_and_rare_ones_are_pooled() {
    let slugs = (0..30).map(|n| format!("http://a.test/blog/{}.html", "x".repeat(n + 1)));
    let tags = (0..4).map(|n| format!("http://a.test/tags/t?page={n}"));
    let others = ["http://a.test/about", "http://a.test/imprint", "http://a.test/"];
    let urls: Vec<String> = slugs.chain(tags).chain(others.map(String::from)).collect();
    let expected = [("/", 1), ("/blog/{word}.html", 30), ("/tags/t?page", 4), ("/{word}", 2)];
    assert_eq!(described(&urls), owned(&expected));
}

#[test]
fn a_word_below_several_texts_is_structure_and_one_below_its_own_is_none() {
    // Each of six categories has products of its own, and each product an address to edit it.
    let product = |n: usize| format!("{}{}", "category".repeat(n % 6 + 1), "x".repeat(n / 6 + 1));
    let urls: Vec<String> = (0..60)
        .flat_map(|n| {
            let url = format!("http://a.test/shop/{}/{}", "c".repeat(n % 6 + 1), product(n));
            ["", "/edit", "/reviews"].map(|end| format!("{url}{end}"))
        })
        .collect();
    let below = ["/shop/{word}/{word}", "/shop/{word}/{word}/edit", "/shop/{word}/{word}/reviews"];
    let found = described(&urls);
    let pooled: Vec<_> = found.iter().filter(|(pattern, _)| below.contains(&&**pattern)).collect();
    // The categories are large parts of the site.
    assert!(pooled.is_empty() && found.len() == 18, "{found:?}");
    let more = (0..4000).map(|n| format!("http://a.test/other/{n}"));
    let urls: Vec<String> = urls.into_iter().chain(more).collect();
    let expected = below.map(|pattern| (pattern, 60));
    let others = [("/other/{number}", 4000)];
    assert_eq!(described(&urls), owned(&[&others[..], &expected[..]].concat()));
}

#[test]
fn facets_in_any_combination_are_one_pattern() {
    let facets = ["brand", "color", "material", "price", "size", "year"];
    let urls: Vec<String> = (0..64)
        .map(|set| {
            let chosen = facets.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
            let query: Vec<String> = chosen.map(|(_, name)| format!("{name}=1")).collect();
            format!("http://a.test/list?{}", query.join("&"))
        })
        .collect();
    let expected = [("/list", 1), ("/list?[brand&color&material&price&size&year]", 63)];
    assert_eq!(described(&urls), owned(&expected));
}

#[test]
fn few_sets_of_names_are_patterns_of_their_own() {
    let urls: Vec<String> =
        ["", "?a=1", "?a=2", "?b=1&a=1", "?a=2&b=1", "?f[0]=x&f[1]=y", "?f[2]=x"]
            .map(|query| format!("http://a.test/list{query}"))
            .into();
    let expected = [("/list", 1), ("/list?a", 2), ("/list?a&b", 2), ("/list?f[#]", 2)];
    assert_eq!(described(&urls), owned(&expected));
}

#[test]
fn what_is_no_url_and_what_is_deep_has_a_pattern() {
    let urls = ["", "x", "http://", "http://a.test", "http://a.test//", "http://a.test/;p=1/b;p=2"]
        .map(String::from)
        .to_vec();
    assert_eq!(described(&urls).iter().map(|(_, urls)| urls).sum::<usize>(), urls.len());
    let deep = vec![format!("http://a.test{}", "/1".repeat(1000))];
    let path = "/{number}".repeat(MOST_SEGMENTS - 1) + "/…";
    assert_eq!(described(&deep), owned(&[(&path, 1)]));
}
