use undust_cluster::clusters::{ClusterOptions, cluster};
use undust_pages::{Pages, PagesBuilder, Response};

use super::*;
use crate::config::{LabelConfig, LabelUse};
use crate::method::{Method, Training};

/// A response with a canonical URL.
fn response(path: &str, digest: &str, canonical: Option<&str>) -> Response {
    let url = |path: &str| format!("http://a.test/{path}");
    let canonical = canonical.map(url);
    Response {
        url: url(path),
        status: 200,
        digest: Some(digest.into()),
        canonical,
        ..Response::default()
    }
}

fn pages(responses: impl IntoIterator<Item = Response>) -> Vec<Page> {
    let mut crawl = PagesBuilder::new().with_labels();
    responses.into_iter().for_each(|response| crawl.push(response));
    let Pages { pages, .. } = crawl.finish();
    pages
}

fn config(labels: LabelConfig) -> Config {
    Config { labels, ..Config::default() }
}

/// What labels make of pages: the record, the URLs added, and whether two pages are still together.
fn labelled(
    pages: &[Page],
    labels: LabelConfig,
    two: [usize; 2],
) -> (Vec<LabelReport>, Vec<String>, bool) {
    let clusters = cluster(pages, &ClusterOptions::default());
    let set = TrainingSet::new(pages, &clusters);
    let Some(found) = Labelled::of(&set, &config(labels)) else {
        return (Vec::new(), Vec::new(), clusters.of(two[0]) == clusters.of(two[1]));
    };
    let added = found.added().map(str::to_owned).collect();
    let together = found.clusters.of(two[0]) == found.clusters.of(two[1]);
    (found.report, added, together)
}

fn canonical(wanted: LabelUse) -> LabelConfig {
    LabelConfig { canonical: wanted, ..LabelConfig::default() }
}

/// Forty stories with a print view each; both name the story, and nobody fetched the stories from 30 on.
fn stories() -> Vec<Response> {
    let story = |n: u32| {
        let (digest, url) = (format!("story {n}"), format!("story?id={n}"));
        let views = ["&print=1", "&ref=home"]
            .map(|view| response(&format!("{url}{view}"), &digest, Some(&url)));
        let own = (n < 30).then(|| response(&url, &digest, Some(&url)));
        views.into_iter().chain(own)
    };
    (0..40).flat_map(story).collect()
}

#[test]
fn a_url_that_pages_name_is_one_page_with_them() {
    let (report, added, _) = labelled(&pages(stories()), canonical(LabelUse::Same), [0, 1]);
    let expected: Vec<String> = (30..40).map(|n| format!("http://a.test/story?id={n}")).collect();
    assert_eq!(added, expected);
    assert_eq!((report[0].wrong, report[0].used), (0, 10));
    assert!(report[0].seen >= 40, "{report:?}");
    assert_eq!(
        report[0].to_string(),
        format!("rel=canonical, the same: wrong on 0 of {} pages, 10 URLs added", report[0].seen)
    );
}

#[test]
fn a_url_that_two_sources_name_is_added_once_and_never_if_they_contradict() {
    let both = LabelConfig { og_url: LabelUse::Same, ..canonical(LabelUse::Same) };
    let with_og_url = |of: fn(u32) -> u32| {
        let mut all = pages(stories());
        for page in &mut all {
            let number = page.url.split("id=").nth(1).and_then(|rest| rest.split('&').next());
            let number: u32 = number.and_then(|text| text.parse().ok()).expect("a number");
            let labels = page.labels.as_mut().expect("labels");
            labels.og_url = Some(format!("http://a.test/story?id={}", of(number)).into());
        }
        labelled(&all, both.clone(), [0, 1])
    };
    let (report, added, _) = with_og_url(|number| number);
    assert_eq!(added.len(), 10, "{added:?}");
    assert_eq!([report[0].used, report[1].used], [10, 0]);
    // Of two stories that nobody fetched, og:url takes each for the other.
    let (report, added, _) = with_og_url(|number| match number {
        38 => 39,
        39 => 38,
        same => same,
    });
    let expected: Vec<String> = (30..38).map(|n| format!("http://a.test/story?id={n}")).collect();
    assert_eq!(added, expected, "{report:?}");
    assert_eq!([report[0].used, report[1].used], [8, 0]);
}

#[test]
fn nothing_is_believed_unless_it_is_asked_for() {
    let pages = pages(stories());
    let clusters = cluster(&pages, &ClusterOptions::default());
    let set = TrainingSet::new(&pages, &clusters);
    assert!(Labelled::of(&set, &Config::default()).is_none());
    let silent = Config::default().record();
    assert!(silent.get("labels").is_none());
    assert!(config(canonical(LabelUse::Same)).record().get("labels").is_some());
}

/// All pages name the front page; pages of a list name the first one; labels of other hosts, of chains, and of URLs that
/// are gone: none of them adds a URL or moves one, on a site whose stories show that labels are right.
#[test]
fn faulty_labels_cost_nothing() {
    let page =
        |n: u32, canonical: &str| response(&format!("p?id={n}"), &format!("{n}"), Some(canonical));
    let to_front = (0..40).map(|n| page(n, ""));
    let lists = (0..40).map(|n| page(n, &format!("list?of={}", n / 8)));
    let other_host = (0..40)
        .map(|n| Response { canonical: Some(format!("http://b.test/p?id={n}")), ..page(n, "") });
    let relative =
        (0..40).map(|n| Response { canonical: Some(format!("/p?id={n}")), ..page(n, "") });
    let gone = (0..40).flat_map(|n| {
        let url = format!("gone?id={n}");
        let dead =
            Response { status: 404, digest: None, canonical: None, ..response(&url, "", None) };
        [dead, page(n, &url)]
    });
    for responses in [
        to_front.collect::<Vec<_>>(),
        lists.collect(),
        other_host.collect(),
        relative.collect(),
        gone.collect(),
    ] {
        let believed = stories().into_iter().chain(responses);
        let (report, added, _) = labelled(&pages(believed), canonical(LabelUse::Both), [0, 1]);
        let expected: Vec<String> =
            (30..40).map(|n| format!("http://a.test/story?id={n}")).collect();
        let used: usize = report.iter().map(|said| said.used).sum();
        assert_eq!((added, used), (expected, 10), "{report:?}");
    }
    // One story names its print view, which names the archive: of a chain nothing is believed.
    let mut chain = stories();
    chain.push(response("story?id=99&old=1", "story 99", Some("story?id=99&print=1")));
    chain.push(response("story?id=99&print=1", "story 99", Some("archive?id=99")));
    let seen = |responses| labelled(&pages(responses), canonical(LabelUse::Same), [0, 1]).0[0].seen;
    assert_eq!(seen(chain), seen(stories()));
}

#[test]
fn pages_that_look_alike_and_name_different_urls_are_different_where_that_is_seldom() {
    let mut responses = stories();
    let empty = ["x", "y"].map(|list| {
        let url = format!("list?of={list}");
        [response(&url, "empty", Some(&url)), response(&format!("{url}&sort=1"), "empty", None)]
    });
    responses.extend(empty.into_iter().flatten());
    let with_lists = pages(responses);
    let last = with_lists.len();
    let (_, _, together) = labelled(&with_lists, LabelConfig::default(), [last - 4, last - 2]);
    assert!(together);
    let (report, _, together) =
        labelled(&with_lists, canonical(LabelUse::Different), [last - 4, last - 2]);
    assert_eq!((report[0].wrong, report[0].used, together), (1, 1, false));
    // What names nothing goes with the URL that it begins like.
    let (_, _, together) =
        labelled(&with_lists, canonical(LabelUse::Different), [last - 2, last - 1]);
    assert!(together);
    // A site that names each request as its own URL is not believed.
    let own =
        stories().into_iter().map(|page| Response { canonical: Some(page.url.clone()), ..page });
    let (report, _, together) = labelled(&pages(own), canonical(LabelUse::Different), [0, 1]);
    assert!(together && report[0].used == 0, "{report:?}");
}

/// Pages of a site in two languages; of `alike` of them both have one text. `back`: whether both name each other.
fn languages(alike: u32, back: bool) -> Vec<Page> {
    let all = (0..40).flat_map(|n| {
        ["de", "en"].map(|language| {
            let other = if language == "de" { "en" } else { "de" };
            let digest = if n < alike { format!("{n}") } else { format!("{n} {language}") };
            let alternates = match back || language == "de" {
                true => vec![format!("http://a.test/{other}/{n}")],
                false => Vec::new(),
            };
            Response { alternates, ..response(&format!("{language}/{n}"), &digest, None) }
        })
    });
    pages(all)
}

#[test]
fn languages_that_name_each_other_are_different() {
    let hreflang = || LabelConfig { hreflang: true, ..LabelConfig::default() };
    let (report, _, together) = labelled(&languages(1, true), hreflang(), [0, 1]);
    assert_eq!((report[0].used, together), (1, false), "{report:?}");
    let (report, _, together) = labelled(&languages(1, false), hreflang(), [0, 1]);
    assert!(report[0].seen == 0 && together, "no link back: {report:?}");
    let (report, _, together) = labelled(&languages(30, true), hreflang(), [0, 1]);
    assert!(report[0].used == 0 && together, "untranslated: {report:?}");
}

#[test]
fn what_a_sitemap_lists_is_different() {
    let mut crawl = PagesBuilder::new().with_labels();
    stories().into_iter().for_each(|response| crawl.push(response));
    for list in ["x", "y"] {
        crawl.push(response(&format!("list?of={list}"), "empty", None));
        crawl.list(&format!("HTTP://a.test:80/list?of={list}"));
    }
    (0..30).for_each(|n| crawl.list(&format!("http://a.test/story?id={n}")));
    let pages = crawl.finish().pages;
    let last = pages.len();
    let sitemap = LabelConfig { sitemap: true, ..LabelConfig::default() };
    let (report, _, together) = labelled(&pages, sitemap, [last - 2, last - 1]);
    assert_eq!((report[0].seen, report[0].wrong, report[0].used, together), (31, 1, 1, false));
}

/// Stories with one crawled view each: by content nothing is a duplicate, and labels say what to drop.
#[test]
fn an_edit_is_tested_by_labels_alone_and_says_so() {
    let mut responses = stories();
    responses.extend((100..140).map(|n| {
        response(
            &format!("story?id={n}&from=mail"),
            &format!("story {n}"),
            Some(&format!("story?id={n}")),
        )
    }));
    let pages = pages(responses);
    let clusters = cluster(&pages, &ClusterOptions::default());
    let set = TrainingSet::new(&pages, &clusters);
    let url = "http://a.test/story?id=999&from=mail";
    let learn = |labels| {
        let config = config(labels);
        Method::Auto.learn(&set, &Training::new(&config)).expect("a model")
    };
    use undust_model::translation::Canonicalizer as _;
    assert_eq!(learn(LabelConfig::default()).canonical(url), url);
    let learned = learn(canonical(LabelUse::Same));
    assert_eq!(learned.canonical(url), "http://a.test/story?id=999");
    assert_eq!(learned.report.labels.len(), 1);
    let undust_model::model::Model::Edits(editor) = &learned.model else { panic!("edits") };
    let labelled = |edit: &undust_edits::editor::EditDescription| edit.evidence.as_ref()?.labelled;
    assert_eq!(editor.describe().iter().filter_map(labelled).max(), Some(40));
}

/// Stories whose header says that `ref` does not matter; on `wrong` of the stories it does.
fn headed(wrong: u32) -> Vec<Page> {
    let story = |n: u32| {
        let url = format!("story?id={n}");
        let view = |view: u32| Response {
            no_vary_search: Some(format!("http://a.test/{url}")),
            ..response(
                &format!("{url}&ref={view}"),
                &format!("{n} {}", if n < wrong { view } else { 0 }),
                None,
            )
        };
        [view(1), view(2)]
    };
    pages((0..40).flat_map(story))
}

#[test]
fn the_header_no_vary_search_is_believed_where_it_is_right() {
    let asked = || LabelConfig { no_vary_search: true, ..LabelConfig::default() };
    let (report, added, _) = labelled(&headed(0), asked(), [0, 1]);
    assert_eq!((added.len(), report[0].wrong, report[0].used), (40, 0, 40), "{report:?}");
    assert!(added.contains(&"http://a.test/story?id=7".to_owned()));
    let (report, added, _) = labelled(&headed(20), asked(), [0, 1]);
    assert_eq!((added.len(), report[0].used), (0, 0), "{report:?}");
    let (report, added, _) = labelled(&headed(0), LabelConfig::default(), [0, 1]);
    assert!(report.is_empty() && added.is_empty());
}
