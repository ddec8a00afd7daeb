use std::collections::BTreeSet;

use proptest::prelude::*;

use undust_cluster::Clusters;
use undust_pages::{Page, Response};

use crate::{Answers, Site, Titles};

/// A crawl of lines: URL, page, canonical URL or status.
fn site(lines: &[(&str, u64, &str)]) -> Site {
    let mut answers = Answers::default();
    let mut pages = Vec::new();
    for (end, (url, content, said)) in (0..).zip(lines) {
        let url = format!("http://a.test{url}");
        let status = said.parse().unwrap_or(200);
        let canonical = said.starts_with('/').then(|| format!("http://a.test{said}"));
        answers.see(&Response { url: url.clone(), status, canonical, ..Response::default() });
        let is_redirect = *said == "redirects";
        if status == 200 {
            pages.push((Page { url: url.into(), end, is_redirect, ..Page::default() }, *content));
        }
    }
    let clusters = Clusters::from_labels(pages.iter().map(|(_, content)| *content));
    let pages: Vec<Page> = pages.into_iter().map(|(page, _)| page).collect();
    let mut site = Site::new("a.test", "a.jsonl");
    site.add_duplicates(&pages, &clusters, &answers, &Titles::default());
    site
}

fn causes(site: &Site) -> Vec<(&str, usize, &str)> {
    site.causes.iter().map(|row| (&*row.cause, row.urls, &*row.action)).collect()
}

#[test]
fn an_argument_has_one_row_whatever_the_paths() {
    let lines: Vec<(String, u64)> = (0..60)
        .flat_map(|n| [(format!("/{n}/"), n), (format!("/{n}/?utm_source=a&utm_medium=b"), n)])
        .chain((0..5).map(|n| (format!("/{n}/?utm_medium=c&utm_source=d&sort=1"), n)))
        .collect();
    let lines: Vec<(&str, u64, &str)> = lines.iter().map(|(url, n)| (&**url, *n, "")).collect();
    let site = site(&lines);
    assert_eq!(causes(&site), [("argument utm_medium, utm_source", 65, "canonical")]);
    assert_eq!((site.causes[0].pages, site.causes[0].own), (60, 0));
    assert_eq!(site.causes[0].to, "http://a.test/0/");
    assert!(site.causes[0].advice.contains("to the URL without it"), "{}", site.causes[0].advice);
}

/// A forum's log-in page, which a link of every post shows.
#[test]
fn many_urls_of_one_page_are_closed_to_robots() {
    let mut lines: Vec<(String, u64)> =
        (0..40).map(|n| (format!("/posting.php?mode=quote&p={n}"), 1)).collect();
    lines.extend((0..40).map(|n| (format!("/topic.php?p={n}"), 10 + n / 2)));
    let lines: Vec<(&str, u64, &str)> = lines.iter().map(|(url, n)| (&**url, *n, "")).collect();
    let site = site(&lines);
    assert_eq!(
        causes(&site),
        [
            ("argument p on /posting.php", 39, "noindex"),
            ("argument p on /topic.php", 20, "canonical")
        ]
    );
    let advice = &site.causes[0].advice;
    assert!(advice.contains("/posting.php?p= and /posting.php?*&p="), "{advice}");
    // There the argument selects the page.
    assert_eq!(site.causes[1].own, 40);
    assert!(site.causes[1].advice.contains("No rule may drop it"), "{}", site.causes[1].advice);
}

/// Twenty URLs of a page are a log-in form or an empty list; nineteen may be a page in several orders.
#[test]
fn few_urls_of_one_page_are_content() {
    for (urls, action) in [(20, "canonical"), (21, "noindex")] {
        let lines: Vec<String> = (0..urls).map(|n| format!("/list?sort={n}")).collect();
        let lines: Vec<(&str, u64, &str)> = lines.iter().map(|url| (&**url, 1, "")).collect();
        let site = site(&lines);
        assert_eq!((site.causes[0].urls, &*site.causes[0].action), (urls - 1, action));
    }
}

#[test]
fn an_argument_matters_where_the_url_without_it_is_another_page() {
    let site = site(&[
        ("/a", 1, ""),
        ("/a?page=2", 2, ""),
        ("/a?page=1", 1, ""),
        ("/b?page=1", 3, ""),
        ("/b", 3, ""),
    ]);
    assert_eq!((site.causes[0].own, &*site.causes[0].values[0]), (2, "1"));
    // The URL without it need not have been asked for with another value.
    let lines = [("/c?start=15", 1, ""), ("/c", 2, ""), ("/d?start=0", 3, ""), ("/d", 3, "")];
    assert_eq!(self::site(&lines).causes[0].own, 1);
}

#[test]
fn the_printed_url_answers_and_is_the_one_that_pages_name() {
    let page = |lines: &[(&str, u64, &str)]| {
        let site = site(lines);
        (site.pages[0].page.replace("http://a.test", ""), site.pages[0].why.clone())
    };
    let described = |url: &str, why: &str| (url.to_owned(), why.to_owned());
    // The shortest redirects.
    let lines = [("/a", 1, "redirects"), ("/long/name", 1, ""), ("/long/name?b", 1, "")];
    assert_eq!(page(&lines), described("/long/name", "answered 200"));
    let lines = [("/a", 1, ""), ("/long/name", 1, "/long/name"), ("/a?b", 1, "/long/name")];
    assert_eq!(page(&lines), described("/long/name", "rel=canonical"));
    // However many name the long one: a shorter that names itself, or the same path without the argument, unless it names
    // the long one, too.
    let long = "/long/name?sort=1";
    let many = [(long, 1, long), ("/long/name?sort=1&x", 1, long), ("/b?sort=1", 1, long)];
    for (url, said, expected, why) in [
        ("/c", "/c", "/c", "rel=canonical"),
        ("/c", "", long, "rel=canonical"),
        ("/long/name", "", "/long/name", "answered 200"),
        ("/long/name", "redirects", long, "rel=canonical"),
        ("/long/name", long, long, "rel=canonical"),
    ] {
        let lines = [&many[..], &[(url, 1, said)]].concat();
        assert_eq!(page(&lines), described(expected, why), "{url} {said}");
    }
    // Nothing that fails, redirects, has other content or was not fetched stands for a page.
    for said in ["/gone", "/moved", "/other", "/unknown"] {
        let lines = [
            ("/a", 1, said),
            ("/a?b", 1, said),
            ("/gone", 0, "404"),
            ("/moved", 1, "redirects"),
            ("/other", 2, ""),
        ];
        assert_eq!(page(&lines), described("/a", "answered 200"), "{said}");
    }
    let lines = [("/a", 1, "redirects"), ("/b", 1, "redirects")];
    assert_eq!(page(&lines), described("/a", "redirects"));
}

/// A shop's products lie in many categories: the place of the category is the cause, not each of its words.
#[test]
fn segments_that_are_many_are_told_by_their_place() {
    let letter = |n: u64| char::from(b'a' + (n % 26) as u8);
    let word = |n: u64| format!("{}{}", letter(n / 26), letter(n));
    let lines: Vec<(String, u64)> = (0..300)
        .flat_map(|n| {
            let category = word(n % 120);
            [(format!("/product/{category}/p{n}"), n), (format!("/product/p{n}"), n)]
        })
        .collect();
    let lines: Vec<(&str, u64, &str)> = lines.iter().map(|(url, n)| (&**url, *n, "")).collect();
    let site = site(&lines);
    assert_eq!(causes(&site), [("part of the path: product/*/…", 300, "canonical")]);
}

#[test]
fn conflicts_are_told_by_what_is_wrong() {
    let site = site(&[
        ("/a", 1, "/a"),
        ("/a?x", 1, "/a?x"),
        ("/a?y", 1, "/a"),
        ("/b", 2, "/gone"),
        ("/c", 3, "/b"),
        ("/d", 4, "/e"),
        ("/e", 4, "redirects"),
        ("/f", 5, "/unknown"),
        ("/gone", 0, "404"),
    ]);
    let described: Vec<(&str, &str)> =
        site.conflicts.iter().map(|row| (&*row.problem, &row.url[13..])).collect();
    assert_eq!(
        described,
        [
            ("answers 404", "/b"),
            ("has other content", "/c"),
            ("names itself, although other URLs have its content", "/a?x"),
            ("redirects", "/d"),
        ]
    );
}

#[test]
fn what_would_mean_something_else_in_robots_txt_is_not_printed() {
    for name in ["a$", "a*b", "a\nDisallow: /", "a b"] {
        let lines: Vec<String> = (0..40).map(|n| format!("/x?{name}={n}")).collect();
        let lines: Vec<(&str, u64, &str)> = lines.iter().map(|url| (&**url, 1, "")).collect();
        let advice = site(&lines).causes[0].advice.clone();
        assert!(advice.contains("noindex") && !advice.contains("Disallow"), "{advice}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Every needless URL has one cause, no other has one, and the order of the crawl does not matter for how many.
    #[test]
    fn each_needless_url_is_counted_once(
        crawl in prop::collection::vec(("/[ab]{0,2}/?(\\?[xy]=[12](&[xy]=[12])?)?", 0_u64..4, 0..6), 1..40),
    ) {
        let mut seen = BTreeSet::new();
        let said = ["", "redirects", "/a", "/b", "404", "/a?x=1"];
        let lines: Vec<(&str, u64, &str)> = crawl
            .iter()
            .filter(|(url, ..)| seen.insert(url))
            .map(|(url, page, what)| (&**url, *page, said[*what as usize]))
            .collect();
        let all = site(&lines);
        let (urls, pages) = (all.urls.unwrap_or(0), all.distinct_pages.unwrap_or(0));
        let counted: usize = all.causes.iter().map(|row| row.urls).sum();
        prop_assert_eq!(counted, urls - pages);
        prop_assert_eq!(all.clusters.iter().filter(|row| row.cause.is_some()).count(), counted);
        prop_assert_eq!(all.clusters.iter().filter(|row| row.page == row.url).count(), all.pages.len());
        for row in &all.clusters {
            let is_printed = all.pages.iter().any(|page| page.page == row.page);
            prop_assert!(is_printed);
        }
        let mut turned = lines.clone();
        turned.reverse();
        let turned = site(&turned);
        prop_assert_eq!(causes(&turned), causes(&all));
        prop_assert_eq!(all.conflicts.len(), turned.conflicts.len());
    }
}

proptest! {
    /// What stands for a page answers, if any of its URLs does; and it names no other of them, if one names itself.
    #[test]
    fn what_stands_for_a_page_answers_and_names_itself(
        lines in prop::collection::vec((0..6_usize, 0..4_usize, 0..3_u64, 0..9_usize), 1..20),
    ) {
        let path = |at: usize, argument: usize| {
            let argument = ["", "?a", "?a&b=1", "?c=22"][argument];
            format!("/{}{argument}", "x".repeat(at + 1))
        };
        let mut seen = BTreeSet::new();
        let lines: Vec<(String, u64, String)> = (lines.into_iter())
            .map(|(at, argument, content, said)| {
                let said = match said {
                    0..6 => path(said, 0),
                    6 => path(at, argument),
                    7 => "redirects".to_owned(),
                    _ => String::new(),
                };
                (path(at, argument), content, said)
            })
            .filter(|(url, ..)| seen.insert(url.clone()))
            .collect();
        let lines: Vec<(&str, u64, &str)> =
            lines.iter().map(|(url, content, said)| (&**url, *content, &**said)).collect();
        let site = site(&lines);
        for page in &site.pages {
            let printed = page.page.replace("http://a.test", "");
            let (_, content, said) = lines.iter().find(|(url, ..)| *url == printed).expect("a line");
            let of_page = || lines.iter().filter(|(_, other, _)| other == content);
            if of_page().any(|(_, _, said)| *said != "redirects") {
                prop_assert!(*said != "redirects", "{printed} of {lines:?}");
            }
            if of_page().any(|(url, _, said)| url == said) {
                let names_another = said.starts_with('/') && *said != printed
                    && of_page().any(|(url, _, it)| url == said && *it != "redirects");
                let shorter = of_page().any(|(url, _, said)| url == said && url.len() < printed.len());
                prop_assert!(!shorter || *said == printed, "{printed} of {lines:?}");
                prop_assert!(!names_another || !shorter, "{printed} of {lines:?}");
            }
        }
        for row in &site.clusters {
            let url = row.url.replace("http://a.test", "");
            let (.., said) = lines.iter().find(|(known, ..)| *known == url).expect("a line");
            prop_assert_eq!(row.redirects, *said == "redirects");
        }
    }
}
