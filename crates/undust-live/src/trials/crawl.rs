//! What a crawl says of a model, as if each of its pages had been fetched all the same.

use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use undust_cluster::clusters::Clusters;
use undust_learn::drift::detect::{largest, named_urls};
use undust_model::site_model::SiteModel;
use undust_model::translation::Canonicalizer;
use undust_pages::page::Page;

use super::observe::Observation;

/// The URLs of a form are compared with the first one of its largest cluster. Pages count, not URLs (docs/evidence.md):
/// those that show one page and were changed in the same way are one observation, whatever their forms; so are those
/// that show one page where another was expected. Where a word of a URL names its page, each URL is one. In the order
/// of the crawl, whose clusters must be `clusters`. Two translations of each page at most, and a sort of the forms.
pub fn observations(pages: &[Page], clusters: &Clusters, model: &SiteModel) -> Vec<Observation> {
    let form = |url: &str| xxh3_64(model.canonicalize(url).canonical.as_bytes());
    let mut forms: Vec<(u64, usize)> =
        pages.iter().enumerate().map(|(number, page)| (form(&page.url), number)).collect();
    forms.sort_unstable();
    let is_named = named_urls(pages, clusters);
    let mut found: Vec<(usize, Observation)> = Vec::new();
    let mut described: FxHashSet<(u32, u32, String)> = FxHashSet::default();
    for form in forms.chunk_by(|a, b| a.0 == b.0).filter(|form| form.len() > 1) {
        let numbers = || form.iter().map(|(_, number)| *number);
        let Some(main) = largest(numbers().map(|number| clusters.of(number))) else { continue };
        let Some(shown) = numbers().find(|number| clusters.of(*number) == main) else { continue };
        for number in numbers().filter(|number| *number != shown) {
            let (url, cluster) = (&pages[number].url, clusters.of(number));
            let seen = (cluster, main, model.canonicalize(url).cause.to_string());
            if described.insert(seen) || is_named[number] {
                let (url, form) = (url.to_string(), pages[shown].url.to_string());
                found.push((number, Observation { url, form, same: cluster == main }));
            }
        }
    }
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, observation)| observation).collect()
}

#[cfg(test)]
mod tests {
    use undust_model::model::Model;
    use undust_rules::store::parse;
    use undust_testing::crawl;
    use undust_url::site::SiteBy;

    use super::*;

    /// What a crawl says of the rule that drops `v`.
    fn describe(groups: &[&[&str]]) -> Vec<(String, String, bool)> {
        let rules = serde_json::json!({"method": "tree", "rules": [{"rule": {"keys": {
            "context": {"keys": {"k_v": "any"}},
            "transformation": {"k_v": []},
        }}}]});
        let model = Model::Rules(parse(rules.to_string().as_bytes(), "tree").expect("rules"));
        let sites = ["x".into()].into_iter().collect();
        let sites = (std::sync::Arc::new(sites), SiteBy::Host);
        let model = SiteModel::new("x", sites, None, model);
        let owned = |group: &&[&str]| group.iter().map(|url| format!("http://x/{url}")).collect();
        let (pages, clusters) = crawl(&groups.iter().map(owned).collect::<Vec<_>>());
        let end = |url: String| url.trim_start_matches("http://x/").to_owned();
        let described = observations(&pages, &clusters, &model).into_iter();
        described.map(|one| (end(one.url), end(one.form), one.same)).collect()
    }

    fn one(url: &str, form: &str, same: bool) -> (String, String, bool) {
        (url.into(), form.into(), same)
    }

    #[test]
    fn what_tells_one_thing_counts_once() {
        let all = describe(&[&["1", "1?v=a", "1?v=b", "1?v=c"], &["2?v=a"], &["3"]]);
        assert_eq!(all, [one("1?v=a", "1", true)]);
        let all = describe(&[&["1?v=a", "1?v=b"], &["1?v=c"], &["1?v=d"]]);
        assert_eq!(
            all,
            [
                one("1?v=b", "1?v=a", true),
                one("1?v=c", "1?v=a", false),
                one("1?v=d", "1?v=a", false),
            ]
        );
    }

    /// Nor do its URLs speak against more than one other page.
    #[test]
    fn an_empty_list_is_one_page_however_many_show_it() {
        let lists = |from: usize, to: usize| (from..to).map(|n| format!("list/{n}"));
        let with = |list: String| list.clone() + &list.replace("list/", "?v=");
        for many in [2, 7, 60] {
            let empty = lists(0, many).chain(lists(0, many).map(with)).collect();
            let full = 100..100 + many;
            let groups: [Vec<String>; 3] = [
                empty,
                lists(full.start, full.end).collect(),
                lists(full.start, full.end).map(with).collect(),
            ];
            let groups = groups.each_ref().map(|urls| urls.iter().map(|url| &**url).collect());
            let all = describe(&groups.each_ref().map(|urls: &Vec<&str>| &urls[..]));
            let same: Vec<bool> = all.into_iter().map(|(.., same)| same).collect();
            assert_eq!(same, [true, false], "{many}");
        }
    }

    /// A log-in page is one, and each URL shows that a word of it names it.
    #[test]
    fn every_url_of_a_named_page_counts() {
        let urls: Vec<String> = (100..140).map(|n| format!("login?v={n}")).collect();
        let urls: Vec<&str> = urls.iter().map(|url| &**url).collect();
        assert_eq!(describe(&[&urls, &["1"], &["2"]]).len(), 39);
    }

    #[test]
    fn the_page_of_most_urls_is_the_forms() {
        let all = describe(&[&["1"], &["1?v=a", "1?v=b", "1?v=c"]]);
        assert_eq!(all, [one("1", "1?v=a", false), one("1?v=b", "1?v=a", true)]);
    }
}
