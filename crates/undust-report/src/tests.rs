//! The report as a whole: what each section says, hostile texts, empty crawls, the same bytes each time.

use std::fmt::Write as _;

use proptest::prelude::*;

use undust_cluster::{ClusterOptions, Clusters, cluster};
use undust_learn::evaluate::result::SiteResult;
use undust_learn::evaluate::units::Unit;
use undust_learn::evaluate::{EvaluationOptions, evaluate};
use undust_learn::{Config, Method, Training};
use undust_pages::Page;
use undust_testing::topics_and_articles;
use undust_url::site::SiteBy;

use crate::rows::Row as _;
use crate::{
    Answers, ConflictRow, CountRow, EditRow, FamilyRow, InputRow, LabelRow, Live, LostRow,
    MethodRow, RefusedRow, Report, SettingRow, Site, Titles,
};

fn result(pages: Vec<Page>, methods: &[Method]) -> SiteResult {
    let unit =
        Unit { site: "a.test".into(), site_by: SiteBy::Host, crawl: "a.jsonl".into(), pages };
    let options = EvaluationOptions { details: true, ..EvaluationOptions::default() };
    evaluate(unit, methods, &Training::new(&Config::default()), &options).expect("pages")
}

fn evaluated() -> Site {
    let result = result(topics_and_articles("a.test", 200), &[Method::KeepAll, Method::Auto]);
    Site::default().with_result(&result, &Titles::default())
}

fn live() -> Live {
    Live {
        urls: 300,
        pages: 120,
        fetched: 150,
        found: 119,
        redundant: 180,
        saved: 149,
        lost: 1,
        audited: 4,
        lost_share_bound: 0.02,
    }
}

/// A report that has every section, with this text wherever a crawl can put one.
fn full(text: &str) -> Report {
    let own = || text.to_owned();
    let mut site = evaluated();
    site.name = own();
    site.edits.push(EditRow {
        edit: own(),
        place: own(),
        examples: vec![[own(), own()]],
        ..EditRow::default()
    });
    site.refused.push(RefusedRow {
        edit: own(),
        place: own(),
        why: own(),
        ..RefusedRow::default()
    });
    site.lost.push(LostRow {
        title: Some(own()),
        url: own(),
        urls: 3,
        canonical: own(),
        instead: own(),
        instead_title: Some(own()),
        by: own(),
    });
    site.labels =
        Some(vec![LabelRow { source: own(), says: own(), effect: own(), ..LabelRow::default() }]);
    site.left_out.push(CountRow { what: own(), count: 7 });
    site.notes.push(own());
    site.live = Some(live());
    let family = || Some(own());
    site.families.push(FamilyRow {
        family: own(),
        from: family(),
        to: family(),
        ..FamilyRow::default()
    });
    site.add_duplicates(
        &sorted(text),
        &clusters_of(&sorted(text)),
        &Answers::default(),
        &Titles::default(),
    );
    site.causes.push(site.causes[0].clone());
    site.causes.push(site.causes[0].clone());
    site.causes.push(site.causes[0].clone());
    let conflict = ConflictRow { problem: own(), url: own(), says: own(), page: own() };
    site.conflicts.push(conflict);
    Report {
        undust: "1.0.0".into(),
        inputs: vec![InputRow { crawl: own(), ..InputRow::default() }],
        settings: vec![SettingRow { name: "seed".into(), value: own(), origin: "default".into() }],
        failures: vec![own()],
        sites: vec![site],
    }
}

/// Lists that the crawl has in two orders.
fn sorted(order: &str) -> Vec<Page> {
    let page = |n: u32, url: String| Page {
        url: url.into(),
        digest: Some(u64::from(n)),
        ..Page::default()
    };
    let list = |n| {
        let url = format!("http://a.test/list/{n}");
        [page(n, format!("{url}?sort={order}")), page(n, url)]
    };
    (0..30).flat_map(list).zip(0..).map(|(page, end)| Page { end, ..page }).collect()
}

fn clusters_of(pages: &[Page]) -> Clusters {
    cluster(pages, &ClusterOptions::default())
}

/// What stands between `<` and `>`, and what stands between these.
fn tags_and_text(html: &str) -> (Vec<&str>, Vec<&str>) {
    let body = html.split_once("<body>").expect("a body").1;
    let parts: Vec<&str> = body.split('<').skip(1).collect();
    parts.iter().map(|part| part.split_once('>').expect("a tag that ends")).unzip()
}

#[test]
fn every_section_has_its_heading_in_order() {
    let html = full("x").html();
    let headings = [
        "What to do first",
        "All causes",
        "Canonical URLs that content contradicts",
        "Pages with most URLs",
        "What a crawler would save",
        "Pages that it would lose",
        "What was left out",
        "What this report was made from",
    ];
    let places: Vec<usize> = headings
        .iter()
        .map(|heading| html.find(&format!("<bdi>{heading}</bdi>")).expect(heading))
        .collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(html.find("class=\"verdict\"").expect("a verdict") < places[0]);
}

#[test]
fn the_same_report_has_the_same_bytes() {
    let (one, other) = (full("x"), full("x"));
    assert_eq!(one.html(), other.html());
    assert_eq!(one.json().expect("JSON"), other.json().expect("JSON"));
    assert_eq!(one.csv(), other.csv());
}

#[test]
fn figures_are_those_of_the_evaluation() {
    let result = result(topics_and_articles("a.test", 200), &[Method::KeepAll, Method::Auto]);
    let site = Site::default().with_result(&result, &Titles::default());
    let figures = result.method("auto").and_then(|method| method.figures()).expect("figures");
    let row = site.method("auto").expect("a row");
    assert_eq!((row.fetched, row.found), (Some(figures.crawled), Some(figures.covered)));
    assert_eq!((row.lost, row.redundant), (Some(figures.lost), Some(figures.redundant)));
    assert_eq!((row.precision, row.f1), (Some(figures.precision), Some(figures.f1)));
    assert_eq!([row.f1_low, row.f1_high], figures.intervals.f1.map(Some));
    let verdict = site.verdict.as_ref().expect("a verdict");
    assert_eq!((verdict.saved, verdict.lost), (row.saved.expect("a count"), figures.lost));
    let html = Report { sites: vec![site.clone()], ..Report::default() }.html();
    assert!(html.contains(&format!("{:.4}", figures.f1)) && html.contains(&verdict.sentence));
    let keep_all = site.method("keep-all").expect("a row");
    assert_eq!((keep_all.saved, keep_all.lost), (Some(0), Some(0)));
    assert!(site.lost.len() == figures.lost && !site.edits.is_empty());
}

/// Texts that a crawl could hold to have something run, loaded, hidden or turned.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</style></svg><iframe src=//evil.test>",
    "javascript:alert(1)",
    "\u{202e}gpj.exe\u{0}\u{1b}[31m\u{200b}\u{feff}",
    "&lt;b&gt; &amp;#60;script&#62;",
    "]]><!--<title>",
];

#[test]
fn hostile_texts_stay_texts() {
    let known: Vec<String> = names(&full("x").html());
    for text in HOSTILE {
        let html = full(text).html();
        let own = names(&html);
        assert!(own.iter().all(|name| known.contains(name)), "{text}: {own:?}");
        assert!(!html.contains(['\u{202e}', '\u{0}', '\u{1b}', '\u{200b}', '\u{feff}']), "{text}");
        assert!(!html.contains("href=\"javascript"), "{text}");
    }
}

/// The names of all elements, each with those of its attributes.
fn names(html: &str) -> Vec<String> {
    let (tags, _) = tags_and_text(html);
    let mut names: Vec<String> = tags.iter().map(|tag| without_values(tag)).collect();
    names.sort();
    names.dedup();
    names
}

fn without_values(tag: &str) -> String {
    tag.split('"').step_by(2).fold(String::new(), |mut all, part| {
        _ = write!(all, "{}", part.trim());
        all
    })
}

#[test]
fn long_texts_are_cut() {
    let long = format!("http://a.test/{}", "x".repeat(1_000_000));
    assert!(full("x").html().len() * 2 > full(&crate::text::kept(&long)).html().len());
    let mut titles = Titles::default();
    titles.see(&long);
    let mut pages = topics_and_articles("a.test", 200);
    let cut = "x".repeat(3_000);
    pages.iter_mut().for_each(|page| page.url = format!("{}?{cut}", page.url).into());
    let site =
        Site::default().with_result(&result(pages, &[Method::KeepAll, Method::Auto]), &titles);
    let report = Report { sites: vec![site], ..Report::default() };
    // The page has a hundred rows of a table at most; the JSON has all, so only its single texts have a bound.
    assert!(report.html().len() < 500_000, "{}", report.html().len());
    let json = serde_json::to_value(&report).expect("JSON");
    assert_eq!(longest_text(&json), crate::text::kept(&long).chars().count());
    let title = titles.get(undust_pages::pages::title_hash(&long)).expect("a title");
    assert!(title.len() < 310 && title.starts_with("http://a.test/x") && title.ends_with('…'));
}

/// The characters of the longest text in a JSON value.
fn longest_text(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::String(text) => text.chars().count(),
        serde_json::Value::Array(values) => values.iter().map(longest_text).max().unwrap_or(0),
        serde_json::Value::Object(fields) => fields.values().map(longest_text).max().unwrap_or(0),
        _ => 0,
    }
}

#[test]
fn nothing_is_loaded_or_run() {
    let html = full("x").html();
    for never in
        ["<script", "http-equiv=\"refresh\"", "@import", "url(", "<link rel=\"style", "<base"]
    {
        assert!(!html.contains(never), "{never}");
    }
    let links = html.match_indices("href=\"").map(|(at, _)| &html[at + 6..]);
    let mut links = links.map(|rest| rest.split('"').next().unwrap_or_default());
    assert!(links.all(|link| link.starts_with('#') || link == "data:,"));
    assert!(html.contains("default-src &#39;none&#39;") || html.contains("default-src 'none'"));
}

#[test]
fn every_anchor_is_there_once() {
    let mut report = full("x");
    report.sites.push(Site { name: "b.test".into(), ..evaluated() });
    report.sites.push(Site::new("c.test", "c.jsonl"));
    let html = report.html();
    let after = |what: &str| -> Vec<String> {
        let found = html.match_indices(what).map(|(at, _)| &html[at + what.len()..]);
        found.map(|rest| rest.split('"').next().unwrap_or_default().to_owned()).collect()
    };
    let mut ids = after(" id=\"");
    for link in after("href=\"#").iter().chain(&after("aria-labelledby=\"")) {
        assert!(ids.contains(link), "{link}");
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn without_anything_there_is_a_page() {
    let none = Report::default();
    assert!(none.html().contains("There is nothing to report"));
    assert!(none.csv().iter().all(|table| table.text.lines().count() == 1));
    let one = Report { sites: vec![Site::new("a.test", "a.jsonl")], ..Report::default() };
    assert!(one.html().contains("No method learned anything that can be judged"));
}

#[test]
fn a_site_that_only_live_crawled_has_its_sentence() {
    let mut site = Site::new("a.test", "a.jsonl");
    site.live = Some(live());
    let html = Report { sites: vec![site], ..Report::default() }.html();
    assert!(html.contains("In the crawl, live would have saved 149 of 180"), "{html}");
}

#[test]
fn nothing_learned_is_said() {
    let digests = (0..60).map(|n| Page {
        url: format!("http://a.test/{n}").into(),
        end: n,
        digest: Some(n.into()),
        ..Page::default()
    });
    let result = result(digests.collect(), &[Method::KeepAll, Method::Auto]);
    let site = Site::default().with_result(&result, &Titles::default());
    let html = Report { sites: vec![site], ..Report::default() }.html();
    assert!(html.contains("auto accepted no edit"));
    assert!(html.contains("No held-out URL showed a page again"));
}

#[test]
fn a_network_that_has_no_edits_did_something() {
    let mut site = evaluated();
    site.families.clear();
    site.conventions.clear();
    site.rewritten_urls = 12;
    let html = |site: &Site| Report { sites: vec![site.clone()], ..Report::default() }.html();
    let page = html(&site);
    assert!(!page.contains("accepted no edit") && page.contains("It changed 12 of the held-out"));
    site.rewritten_urls = 0;
    assert!(html(&site).contains("auto accepted no edit"));
}

#[test]
fn the_tables_have_the_rows_of_the_json() {
    let report = full("x");
    let json: serde_json::Value =
        serde_json::from_slice(&report.json().expect("JSON")).expect("JSON");
    let site = &json["sites"][0];
    for (name, field) in [
        ("methods", "methods"),
        ("causes", "causes"),
        ("conflicts", "conflicts"),
        ("pages", "pages"),
        ("families", "families"),
        ("edits", "edits"),
        ("refused", "refused"),
        ("lost", "lost"),
        ("clusters", "clusters"),
        ("left-out", "left_out"),
    ] {
        let tables = report.csv();
        let table = tables.iter().find(|table| table.name == name).expect(name);
        let rows = site[field].as_array().expect(field);
        assert_eq!(table.text.lines().count() - 1, rows.len(), "{name}");
        let columns: Vec<&str> =
            table.text.lines().next().expect("a line").split(',').skip(2).collect();
        let fields: Vec<&String> = rows[0].as_object().expect("fields").keys().collect();
        assert!(fields.len() == columns.len(), "{name}");
        assert!(fields.iter().all(|field| columns.contains(&field.as_str())), "{name}");
    }
    assert!(MethodRow::COLUMNS.contains(&"saved_share"));
}

#[test]
fn a_hundred_rows_are_shown_and_the_rest_counted() {
    let mut site = evaluated();
    let row = |n| LostRow { url: format!("http://a.test/lost-{n}-"), ..LostRow::default() };
    site.lost = (0..250).map(row).collect();
    let html = Report { sites: vec![site], ..Report::default() }.html();
    assert!(html.contains("lost-99-") && !html.contains("lost-100-"));
    assert!(html.contains("And 150 more") && html.contains("90 more</summary>"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a crawl says, the page has the same elements.
    #[test]
    fn no_text_makes_an_element(text in ".{0,40}") {
        let site = Site { notes: vec![text.clone()], name: text.clone(), ..Site::new("", &text) };
        let report = Report { sites: vec![site], failures: vec![text], ..Report::default() };
        let plain = Site { notes: vec!["x".into()], ..Site::new("x", "x") };
        let plain = Report { sites: vec![plain], failures: vec!["x".into()], ..Report::default() };
        prop_assert_eq!(names(&report.html()), names(&plain.html()));
    }
}
