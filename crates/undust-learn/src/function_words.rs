//! Which pieces of a site's URLs are function words: one answer for all learners and the evaluation.

use rustc_hash::FxHashMap;

use undust_url::lexicon::{FrequencyThresholds, Lexicon};
use undust_url::pieces::pieces;

/// URLs that a word must have if all of them show one page: a few URLs of one page may share its number.
const LEAST_OF_ONE_PAGE: u32 = 10;

/// The function words of `urls`, which must be distinct: the pieces that at least this share of them
/// has, and the names in the query; never those of fewer than three URLs. Linear in their length.
pub fn function_words<'u>(urls: impl Iterator<Item = &'u str>, share: f64) -> Lexicon {
    Lexicon::learn(urls, FrequencyThresholds { word: share, key: 0.0 })
}

/// The same of URLs of known clusters, without words of fewer than ten URLs if all of these are of one cluster. In a crawl
/// of which ten URLs are no more than `share` there are none.
pub(crate) fn function_words_of_clusters<'u>(
    urls: impl Iterator<Item = (&'u str, u32)> + Clone,
    share: f64,
) -> Lexicon {
    let lexicon = function_words(urls.clone().map(|(url, _)| url), share);
    if urls.clone().count() as f64 * share >= f64::from(LEAST_OF_ONE_PAGE) {
        return lexicon;
    }
    let mut known: FxHashMap<&str, WordClusters> = FxHashMap::default();
    for (url, cluster) in urls {
        for piece in pieces(url).filter(|piece| !piece.delimiter) {
            let first = || WordClusters { cluster, is_only: true, urls: 0 };
            let word = known.entry(piece.text).or_insert_with(first);
            word.is_only &= word.cluster == cluster;
            word.urls += 1;
        }
    }
    let is_word = |text: &str| {
        known.get(text).is_none_or(|word| !word.is_only || word.urls >= LEAST_OF_ONE_PAGE)
    };
    lexicon.with_words(is_word)
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
}
