//! Which pieces of a site's URLs are function words: one answer for all learners and the evaluation.

use rustc_hash::{FxHashMap, FxHashSet};

use undust_url::lexicon::{FrequencyThresholds, Lexicon};
use undust_url::pieces::{Piece, UrlPart, pieces};

/// URLs that a word must have if all of them show one page: a few URLs of one page may share its number.
const LEAST_OF_ONE_PAGE: u32 = 10;

/// The function words of `urls`, which must be distinct: the pieces that at least this share of them
/// has, and the names in the query; never those of fewer than three URLs. Linear in their length.
pub fn function_words<'u>(urls: impl Iterator<Item = &'u str>, share: f64) -> Lexicon {
    Lexicon::learn(urls, FrequencyThresholds { word: share, key: 0.0 })
}

/// The same of URLs of known clusters. Where `share` of them is fewer than ten URLs, a word of fewer than ten is none if
/// it stands where at least half of such words name one page each, as the numbers of topics do. All words of one place
/// are treated alike: if each were judged by its own pages, every topic that is an argument would have one page, and
/// what was tested on those would hold for topics that the crawl does not have.
pub(crate) fn function_words_of_clusters<'u>(
    urls: impl Iterator<Item = (&'u str, u32)> + Clone,
    share: f64,
) -> Lexicon {
    let lexicon = function_words(urls.clone().map(|(url, _)| url), share);
    if urls.clone().count() as f64 * share >= f64::from(LEAST_OF_ONE_PAGE) {
        return lexicon;
    }
    let mut known: FxHashMap<&str, WordClusters> = FxHashMap::default();
    for (piece, _, cluster) in words(urls.clone()) {
        let first = || WordClusters { cluster, is_only: true, urls: 0 };
        let word = known.entry(piece).or_insert_with(first);
        word.is_only &= word.cluster == cluster;
        word.urls += 1;
    }
    known.retain(|text, word| word.urls < LEAST_OF_ONE_PAGE && lexicon.word(text).is_some());
    let mut places: FxHashMap<Place, FxHashMap<&str, bool>> = FxHashMap::default();
    for (text, place, _) in words(urls) {
        if let Some(word) = known.get(text) {
            places.entry(place).or_default().insert(text, word.is_only);
        }
    }
    let names_pages = |texts: &&FxHashMap<&str, bool>| {
        2 * texts.values().filter(|is_only| **is_only).count() >= texts.len()
    };
    let numbers: FxHashSet<&str> =
        places.values().filter(names_pages).flat_map(FxHashMap::keys).copied().collect();
    lexicon.with_words(|text| !numbers.contains(text))
}

/// Where a word stands: the segments before it, or the name of its argument.
type Place<'u> = (usize, &'u str);

/// The words of URLs, each with its place and the URL's cluster; names in the query are none.
fn words<'u>(
    urls: impl Iterator<Item = (&'u str, u32)>,
) -> impl Iterator<Item = (&'u str, Place<'u>, u32)> {
    urls.flat_map(|(url, cluster)| {
        let place = |place: &mut Place<'u>, piece: Piece<'u>| {
            match piece.part {
                UrlPart::Key => *place = (0, piece.text),
                _ if piece.text == "/" => place.0 += 1,
                _ => {}
            }
            Some((piece, *place))
        };
        let places = pieces(url).scan((0, ""), place);
        let words = places.filter(|(piece, _)| !piece.delimiter && piece.part != UrlPart::Key);
        words.map(move |(piece, place)| (piece.text, place, cluster))
    })
}

/// The clusters of the URLs that have a word.
struct WordClusters {
    /// That of the first.
    cluster: u32,
    /// Whether it is that of all.
    is_only: bool,
    /// URLs, each as often as it has the word.
    urls: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_page_is_no_word_though_three_urls_have_it() {
        let url = |id: usize, n: usize| format!("http://a.test/n/id{id}x/{n}x{id}");
        let urls: Vec<(String, u32)> =
            (0..50).flat_map(|id| (0..3).map(move |n| (url(id, n), id as u32))).collect();
        let all = || urls.iter().map(|(url, cluster)| (url.as_str(), *cluster));
        let [before, lexicon] = [
            function_words(all().map(|(url, _)| url), 0.01),
            function_words_of_clusters(all(), 0.01),
        ];
        assert!(before.word("id7x").is_some() && lexicon.word("id7x").is_none());
        assert!(lexicon.word("n").is_some());
        let one = all().take(12).map(|(url, _)| (url, 1));
        assert!(
            function_words_of_clusters(one.clone(), 0.01).word("n").is_some(),
            "ten URLs have it"
        );
        assert!(function_words_of_clusters(one.take(9), 0.01).word("n").is_none());
    }

    /// Topics of one page and of two: if only the numbers of the latter were words, `drop ?p` would pass its tests on
    /// arguments, all of them topics of one page, and merge the pages of every topic that the crawl does not have.
    #[test]
    fn words_of_one_place_are_treated_alike_whatever_they_show() {
        for (topics, least) in [(40, 3), (60, 4), (90, 5)] {
            for of_two in 1..topics / 2 {
                let topic = |t: u32| {
                    let pages = 1 + u32::from(t < of_two);
                    (0..least).map(move |p| {
                        (format!("http://a.test/topic?t={}x&p={p}x{t}", 100 + t), 2 * t + p % pages)
                    })
                };
                let urls: Vec<(String, u32)> = (0..topics).flat_map(topic).collect();
                let all = urls.iter().map(|(url, cluster)| (url.as_str(), *cluster));
                let lexicon = function_words_of_clusters(all, 0.01);
                let is_word = |t: &u32| lexicon.word(&format!("{}x", 100 + t)).is_some();
                assert_eq!((0..topics).filter(is_word).count(), 0, "{topics} {of_two}");
                assert!(lexicon.word("topic").is_some());
            }
        }
    }
}
