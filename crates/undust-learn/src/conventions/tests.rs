use proptest::prelude::*;

use undust_edits::conventions::{ConventionEvidence, NormalizationStep, Normalized};

use super::*;

pub(super) fn learned(groups: &[&[&str]]) -> UrlConventions {
    let pages = (0..).zip(groups);
    learn(
        pages.flat_map(|(page, urls)| urls.iter().map(move |url| (*url, page))),
        Overrides::default(),
    )
}

/// What the method gets, what is set aside, and what was done.
fn normalized(conventions: &UrlConventions, url: &str) -> (String, String, String) {
    let Normalized { url, unknown_params, steps } = conventions.normalize(url);
    let steps = steps.into_iter().chain(Normalized::unknown_params_step(&unknown_params));
    let steps = steps.map(|step| step.to_string()).collect::<Vec<_>>().join("; ");
    (url.into_owned(), unknown_params.into_owned(), steps)
}

pub(super) fn assert_normalizes(
    conventions: &UrlConventions,
    url: &str,
    rest: &str,
    unknown_params: &str,
    steps: &str,
) {
    assert_eq!(
        normalized(conventions, url),
        (rest.into(), unknown_params.into(), steps.into()),
        "{url}"
    );
}

pub(super) fn form(conventions: &UrlConventions, url: &str) -> String {
    let normalized = conventions.normalize(url);
    Normalized::reattach(&normalized.unknown_params, normalized.url).into_owned()
}

/// A `;` may be a character of a value, and `&` not.
#[test]
fn nothing_that_rides_along_moves_across_a_semicolon() {
    let conventions = learned(&[&["http://x.com/?page=1&sort=2"], &["http://x.com/b"]]);
    let sorted = "http://x.com/?page=1&sort=2&new=1";
    assert_eq!(form(&conventions, "http://x.com/?sort=2&new=1&page=1"), sorted);
    assert_eq!(form(&conventions, sorted), sorted);
    for query in
        ["new=1;sort=2&page=1", "new=1;page=1", "sort=2&page=1;new=1", "page=1;new=1&sort=2"]
    {
        let url = format!("http://x.com/?{query}");
        assert_eq!(form(&conventions, &url), url);
    }
    let all_parted = "http://x.com/?page=1;sort=2;new=1";
    assert_eq!(form(&conventions, "http://x.com/?sort=2;page=1;new=1"), all_parted);
    assert_eq!(form(&conventions, all_parted), all_parted);
    let mixed = form(&conventions, "http://x.com/?new=1;sort=2&page=1;page=2");
    assert_eq!(form(&conventions, &mixed), mixed);
}

#[test]
fn what_training_saw_one_way_is_always_so() {
    let conventions = learned(&[&["http://x.com/a?title=A&oldid=3"], &["http://x.com/b"]]);
    for url in ["https://x.com/c", "http://www.x.com/c", "HTTPS://WWW.X.com:443/%63#d"] {
        assert_eq!(form(&conventions, url), "http://x.com/c");
    }
    assert_normalizes(
        &conventions,
        "https://www.x.com/?oldid=3&title=A",
        "http://x.com/?title=A&oldid=3",
        "",
        "scheme https → http; host www. → none; order of arguments",
    );
    let conventions = learned(&[&["https://www.x.com/a"]]);
    let steps = "scheme http → https; host → www.";
    assert_normalizes(&conventions, "http://x.com/b", "https://www.x.com/b", "", steps);
}

#[test]
fn other_hosts_and_other_ports_are_left_alone() {
    let conventions = learned(&[&["http://x.com/a"], &["http://www.com/"]]);
    for url in [
        "https://y.com/a",
        "https://x.com:8443/a",
        "https://u@x.com/a",
        "https://a.x.com/",
        "http://com/",
        "ftp://x.com/a?b=c",
        "no URL?a=b",
    ] {
        assert!(conventions.normalize(url).url == url, "{url}");
    }
}

#[test]
fn arguments_that_training_never_saw_ride_along() {
    let conventions = learned(&[&["http://x.com/?title=A&oldid=3"]]);
    let step = "set aside: utm_source";
    for (url, rest, unknown_params, steps) in [
        ("?title=A&utm_source=x", "?title=A", "&utm_source=x", step),
        ("?utm_source=x&title=A", "?title=A", "&utm_source=x", step),
        ("?utm_source=x", "", "?utm_source=x", step),
        ("?title=A;utm_source=x", "?title=A", ";utm_source=x", step),
        ("?z=1&title=A&y&y=2", "?title=A", "&z=1&y&y=2", "set aside: z, y, y"),
        ("?oldid=1&z=1&title=A", "?title=A&oldid=1", "&z=1", "order of arguments; set aside: z"),
        ("?z=1&title=A#!f?g", "?title=A#!f?g", "&z=1", "set aside: z"),
        ("?", "?", "", ""),
        ("?&z=1", "?", "&z=1", "set aside: z"),
        ("?title=A&", "?title=A&", "", ""),
        ("#!a?z=1", "#!a?z=1", "", ""),
    ] {
        let [url, rest] = [url, rest].map(|query| format!("http://x.com/{query}"));
        assert_normalizes(&conventions, &url, &rest, unknown_params, steps);
    }
    assert_eq!(form(&conventions, "http://x.com/?z=1&title=A#!f"), "http://x.com/?title=A&z=1#!f");
    assert_eq!(form(&conventions, "http://x.com/?z=1#!f"), "http://x.com/?z=1#!f");
}

#[test]
fn arguments_without_a_name_may_be_values() {
    let conventions = learned(&[&["http://x.com/?17"], &["http://x.com/?a=1&b=2"]]);
    assert_normalizes(&conventions, "http://x.com/?18", "http://x.com/?18", "", "");
    assert_normalizes(&conventions, "http://x.com/?b=1&18&a=2", "http://x.com/?b=1&18&a=2", "", "");
    assert_normalizes(
        &conventions,
        "http://x.com/?b=1&c=3;a=2",
        "http://x.com/?b=1",
        "&c=3;a=2",
        "set aside: c, a",
    );
}

#[test]
fn an_order_that_training_saw_both_ways_stays() {
    let conventions = learned(&[&["http://x.com/?a=1&b=2&c=3"], &["http://x.com/?b=1&a=2"]]);
    for (url, expected) in [
        ("http://x.com/?b=2&a=1", "http://x.com/?b=2&a=1"),
        ("http://x.com/?c=3&b=2&a=1", "http://x.com/?b=2&a=1&c=3"),
        ("http://x.com/?c=3;a=1;b=2", "http://x.com/?a=1;b=2;c=3"),
        ("http://x.com/?c=3;a=1&b=2", "http://x.com/?c=3;a=1&b=2"),
    ] {
        assert_eq!(form(&conventions, url), expected);
    }
}

/// Pairs that differ in one way alone, so many of the same page and so many of different ones.
pub(super) fn pairs(same: usize, different: usize, ways: [&str; 2]) -> UrlConventions {
    let written = |n: usize| ways.map(|way| way.replace('N', &n.to_string()));
    let together = (0..same).map(|n| written(n).to_vec());
    let apart = (same..same + different).flat_map(|n| written(n).map(|url| vec![url]));
    let alone = [vec![ways[0].replace('N', "x")]];
    let groups: Vec<Vec<String>> = together.chain(apart).chain(alone).collect();
    let pages = (0..).zip(&groups);
    learn(
        pages.flat_map(|(page, urls)| urls.iter().map(move |url| (&**url, page))),
        Overrides::default(),
    )
}

/// A log-in page stands under any URL: it shows for none that it may be written otherwise.
#[test]
fn pairs_of_one_page_count_once_for_lists_and_case() {
    let pair = |n: usize| {
        let word = char::from(b'a' + n as u8).to_string().repeat(4);
        [
            format!("http://w.test/wiki/User_{word}"),
            format!("http://w.test/wiki/user_{word}"),
            format!("http://w.test/find?range=9,{n}"),
            format!("http://w.test/find?range={n},9"),
        ]
    };
    let learned = |page: &dyn Fn(u32) -> u32| {
        let pairs: Vec<_> = (0..8).map(|n| (pair(n as usize), page(n))).collect();
        let urls = pairs.iter().flat_map(|(urls, page)| urls.iter().map(|url| (&**url, *page)));
        learn(urls, Overrides::default())
    };
    let (walled, open) = (learned(&|_| 0), learned(&|page| page));
    for url in ["http://w.test/wiki/User_zzzz", "http://w.test/find?range=8,5"] {
        assert!(walled.is_normalized(url) && !open.is_normalized(url), "{url}");
        assert_eq!(
            open.evidence(url).iter().map(|(_, evidence)| *evidence).collect::<Vec<_>>(),
            [Some(ConventionEvidence::Pairs { pairs: 8 })]
        );
    }
}

/// Put in order a folder has another name, by which the case below it is known.
#[test]
fn paths_below_a_list_are_put_in_lower_case_at_once() {
    let pair = |n: usize| {
        let word = char::from(b'a' + n as u8).to_string().repeat(4);
        let url = |path: String| format!("http://b.test/{path}");
        [
            vec![url(format!("tags:a{word},b/x")), url(format!("tags:b,a{word}/x"))],
            vec![url(format!("tags:a,b/page{word}")), url(format!("tags:a,b/Page{word}"))],
        ]
    };
    let groups: Vec<Vec<String>> = (0..8).flat_map(pair).collect();
    let groups: Vec<Vec<&str>> =
        groups.iter().map(|group| group.iter().map(AsRef::as_ref).collect()).collect();
    let conventions = learned(&groups.iter().map(AsRef::as_ref).collect::<Vec<_>>());
    let lower = form(&conventions, "http://b.test/tags:b,a/Pagezzzz");
    assert_eq!(lower, "http://b.test/tags:a,b/pagezzzz");
    assert!(conventions.is_normalized(&lower));
}

#[test]
fn pairs_decide_what_training_saw_both_ways() {
    for ways in [
        ["http://x.com/N", "https://x.com/N"],
        ["http://www.x.com/N", "http://x.com/N"],
        ["http://x.com/?a=N&b=1", "http://x.com/?b=1&a=N"],
    ] {
        let [first, other] = ways.map(|way| way.replace('N', "new"));
        assert_eq!(form(&pairs(7, 0, ways), &other), first);
        for conventions in [pairs(6, 0, ways), pairs(90, 1, ways)] {
            assert_eq!(
                (form(&conventions, &first), form(&conventions, &other)),
                (first.clone(), other.clone())
            );
        }
    }
}

/// What a later crawl refutes is taken away, and nothing else.
#[test]
fn each_operation_can_be_taken_away() {
    let ways = [
        ["http://x.com/N", "https://x.com/N"],
        ["http://www.x.com/N", "http://x.com/N"],
        ["http://x.com/?a=N&b=1", "http://x.com/?b=1&a=N"],
        ["http://x.com/?a=b,N", "http://x.com/?a=N,b"],
        ["http://x.com/t:a,tN", "http://x.com/t:tN,a"],
        ["http://x.com/a/tN", "http://x.com/A/tN"],
    ];
    for ways in ways {
        let conventions = pairs(7, 0, ways);
        let urls = ways.map(|way| way.replace('N', "c"));
        let url = urls.iter().find(|url| !conventions.is_normalized(url)).expect("another way");
        let steps = conventions.normalize(url).steps;
        assert!(steps.len() == 1 && steps[0].is_learned());
        assert!(conventions.clone().without([&steps[0]]).is_normalized(url), "{url}");
        for other in [
            NormalizationStep::Https(true),
            NormalizationStep::List("b".into()),
            NormalizationStep::LowerCase("x.com/".into()),
        ] {
            assert!(other == steps[0] || conventions.clone().without([&other]) == conventions);
        }
    }
}

/// Each is right alone; together they would merge two pages.
#[test]
fn operations_are_right_together_or_none_is_taken() {
    let both = ["http://x.com/N", "https://x.com/N", "http://www.x.com/N"];
    let mut groups: Vec<Vec<String>> =
        (0..20).map(|n| both.map(|url| url.replace('N', &n.to_string())).to_vec()).collect();
    groups.extend([vec!["http://x.com/z".to_owned()], vec!["https://www.x.com/z".to_owned()]]);
    let pages = (0..).zip(&groups);
    let urls = pages.flat_map(|(page, urls)| urls.iter().map(move |url| (&**url, page)));
    let conventions = learn(urls, Overrides::default());
    for url in groups.concat() {
        assert!(conventions.is_normalized(&url), "{url}");
    }
}

/// Lists and case come last: what holds without them stays.
#[test]
fn values_are_left_alone_where_they_would_merge_pages_with_the_rest() {
    for (one, other) in [("?q=a,b&n=N", "?q=b,a&n=N"), ("p/A?n=N", "p/a?n=N")] {
        let ways = [("http", one), ("https", one), ("http", other)];
        let url = |(scheme, path): (&str, &str), n: &str| {
            format!("{scheme}://x.com/{}", path.replace('N', n))
        };
        let group = |n: usize| ways.map(|way| url(way, &n.to_string())).to_vec();
        let mut groups: Vec<Vec<String>> = (0..20).map(group).collect();
        groups.extend([vec![url(("http", one), "z")], vec![url(("https", other), "z")]]);
        let pages = (0..).zip(&groups);
        let urls = pages.flat_map(|(page, urls)| urls.iter().map(move |url| (&**url, page)));
        let conventions = learn(urls, Overrides::default());
        for path in [one, other] {
            assert_eq!(form(&conventions, &url(("https", path), "z")), url(("http", path), "z"));
        }
    }
}

#[test]
fn too_many_names_are_no_names() {
    let urls: Vec<_> = (0..20_000).map(|n| format!("http://x.com/?n{n}=1")).collect();
    let conventions = learn(urls.iter().map(AsRef::as_ref).zip(0..), Overrides::default());
    assert!(conventions.is_normalized("http://x.com/?new=1"));
}

#[test]
fn without_training_there_is_the_normal_form() {
    let conventions = UrlConventions::default();
    let url = "https://www.x.com/?b=1&a=2";
    assert!(conventions.is_normalized(url));
    assert_normalizes(&conventions, &format!("{url}#c"), url, "", "normal form");
}

/// URLs that differ in all the ways that matter here, and pages for them.
fn any_url() -> impl Strategy<Value = String> {
    "https?://(www\\.)?x\\.com(:80)?/([ab]|[Ff]/[Pp]age|F/(t:)?[abAB1]{1,3}(,|%2C|%)[aB%]|f:b,a|[HhfF]%CC%B1/[eA%]%CC%81?)?\
     (\\?([abc]=[12]|[ab]|q=[12A](,|\\+|%2C|%20)[12%A]|)([&;]([abc]=[12]|d|q=[12A],[1%](,a)?|q=(1[+]1|1%201|e%CC%81|%C3%A9))){0,3})?(#[!/]?c?)?"
}

/// The same, and pages of their own under so many URLs each of all the ways in which there may be
/// several.
fn any_training(most: usize) -> impl Strategy<Value = Vec<(String, u32)>> {
    let urls = prop::collection::vec((any_url(), 0u32..3), 0..most);
    (urls, 0u32..12).prop_map(|(mut urls, repeated)| {
        let heads = ["http://x.com/?a=1&b=2", "https://x.com/?a=1&b=2", "http://x.com/?b=2&a=1"];
        let queries = heads.map(|head| format!("{head}&q=1,2"));
        let list = "http://x.com/?a=1&b=2&q=2,1".to_owned();
        let paths = ["F/Page", "f/page"].map(|path| format!("http://x.com/{path}/t:a,b?c=0"));
        let reordered = "http://x.com/F/Page/t:b,a?c=0".to_owned();
        let respelled =
            ["q=1%201", "q=1+1", "q=e%CC%81", "q=%C3%A9", "q=1&q=2", "q=2&q=1", "q=1&q=1&q=2"]
                .map(|query| format!("http://x.com/h/?{query}"));
        let pages = [300, 300, 400, 400, 500, 500, 500];
        let accents = ["h%CC%B1", "%E1%BA%96"].map(|folder| format!("http://x.com/{folder}/A?c=0"));
        for n in 0..repeated {
            let queries = queries.iter().chain([&list]).map(|url| (url, 100 + n));
            let paths = paths.iter().chain([&reordered]).map(|url| (url, 200 + n));
            let respelled = respelled.iter().zip(pages).map(|(url, page)| (url, page + n));
            let all = queries.chain(paths).chain(respelled);
            let all = all.chain(accents.iter().map(|url| (url, 600 + n)));
            urls.extend(all.map(|(url, page)| (format!("{url}&n={n}"), page)));
        }
        urls
    })
}

proptest! {
    #[test]
    fn pages_of_the_training_stay_apart(urls in any_training(40)) {
        let conventions = learn(urls.iter().map(|(url, page)| (&**url, *page)), Overrides::default());
        let mut first: FxHashMap<String, (String, u32)> = FxHashMap::default();
        let mut pages: FxHashMap<String, u32> = FxHashMap::default();
        for (url, page) in &urls {
            // Where two pages have one normal form, the first is meant.
            let normal = normal(url).into_owned();
            let page = *pages.entry(normal.clone()).or_insert(*page);
            let normalized = conventions.normalize(url);
            prop_assert!(normalized.unknown_params.is_empty());
            let (other, same) =
                first.entry(normalized.url.into_owned()).or_insert((normal.clone(), page)).clone();
            prop_assert_eq!(page, same, "{} {}", normal, other);
        }
    }

    #[test]
    fn a_form_is_its_own(training in any_training(20), url in any_url(), any in "\\PC*") {
        let conventions = learn(training.iter().map(|(url, page)| (&**url, *page)), Overrides::default());
        for url in [
            url,
            format!("http://x.com/?q={any}"),
            format!("http://x.com/F/{any}"),
            format!("http://x.com/h/{any}?q={any}&q={any}&c={any}"),
            format!("http://x.com/F/Page/t:{any}"),
            any,
        ] {
            let normalized = conventions.normalize(&url);
            let once = Normalized::reattach(&normalized.unknown_params, normalized.url.clone()).into_owned();
            let again = conventions.normalize(&once);
            prop_assert_eq!(&again.url, &normalized.url);
            prop_assert!(again.steps.is_empty(), "{:?}", again.steps);
            prop_assert_eq!(&*Normalized::reattach(&again.unknown_params, again.url), &*once);
        }
    }

    /// A name that training never saw makes no two URLs the same that are not the same without.
    #[test]
    fn riding_arguments_keep_forms_apart(a in any_url(), b in any_url(), value in "[a-c]{1,2}") {
        let conventions = learned(&[&["http://x.com/?a=1"]]);
        if form(&conventions, &a) != form(&conventions, &b) {
            let with = |url: &str| {
                let (url, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
                let mark = if url.contains('?') { '&' } else { '?' };
                format!("{url}{mark}new={value}{fragment}")
            };
            prop_assert_ne!(form(&conventions, &with(&a)), form(&conventions, &with(&b)));
        }
    }

    #[test]
    fn what_is_saved_is_what_was_learned(urls in any_training(20)) {
        let conventions = learn(urls.iter().map(|(url, page)| (&**url, *page)), Overrides::default());
        let json = serde_json::to_string(&conventions).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<UrlConventions>(&json).expect("conventions"), conventions);
    }
}

#[test]
fn exceptions_of_the_settings_are_kept_with_what_was_learned() {
    let overrides = Overrides::new(&[], &["/raw/".into()]);
    let conventions = learn([("http://a.test/raw/1", 0)].into_iter(), overrides);
    assert!(conventions.excepts("http://a.test/raw/2") && !conventions.excepts("http://a.test/2"));
    let json = serde_json::to_string(&conventions).expect("JSON");
    assert_eq!(serde_json::from_str::<UrlConventions>(&json).expect("conventions"), conventions);
}

#[test]
fn what_speaks_for_a_name_of_the_host_is_told() {
    let conventions = learned(&[&["http://www.a.test/1"], &["http://www.a.test/2"]]);
    let evidence = conventions.evidence("http://a.test/3");
    assert_eq!(
        evidence,
        [(NormalizationStep::Www(true), Some(ConventionEvidence::OneWay { urls: 2 }))]
    );
}
