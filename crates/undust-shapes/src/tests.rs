//! Reports of small crawls and logs, counted by hand, and what holds for any.

mod kinds;
mod sites;
mod traps;

use proptest::prelude::*;

use undust_pages::agent::AgentClass::{AiCrawler, Browser, SearchEngine};
use undust_pages::{Page, Response};

use crate::cause::CausePages;
use crate::{Form, PageCounts, Requests, RuleFormat, ShapesReport, ShownBy, Suggestion, rules};

fn response(url: String) -> Response {
    Response { url, status: 200, ..Response::default() }
}

/// Ten stories, each in three orders of comments, which change nothing; then a calendar of four months, in which each
/// page is empty.
fn crawl() -> (Requests, ShapesReport) {
    let stories = (0..30).map(|n| (format!("http://a.test/story/{}?sort={}", n / 3, n % 3), n / 3));
    let months = (1..=4).map(|month| (format!("http://a.test/calendar/2031/{month}"), 10));
    let all: Vec<(String, u32)> = stories.chain(months).collect();
    let mut requests = Requests::default();
    all.iter().for_each(|(url, _)| requests.push(&response(url.clone())));
    let pages: Vec<Page> =
        all.iter().map(|(url, _)| Page { url: url.as_str().into(), ..Page::default() }).collect();
    let clusters: Vec<u32> = all.iter().map(|(_, cluster)| *cluster).collect();
    requests.show(&pages, &clusters);
    let report = ShapesReport::of(&requests, None);
    (requests, report)
}

#[test]
fn needless_urls_of_a_crawl_are_counted_with_their_cause() {
    let (_, report) = crawl();
    // 34 URLs, 11 pages; new from the 27th response on: stories 9, 9, 9, and the months.
    let all = PageCounts { compared: 34, distinct: 11, needless: 23, new: 2 };
    assert_eq!((report.urls, report.pages), (34, Some(all)));
    let [stories, calendar] = report.patterns.as_slice() else { panic!("{report:?}") };
    assert_eq!((&*stories.pattern, stories.urls), ("/story/{number}?sort", 30));
    let counts = PageCounts { compared: 30, distinct: 10, needless: 20, new: 1 };
    assert_eq!((stories.pages, stories.new_urls), (Some(counts), 4));
    let cause = stories.cause.as_ref().expect("a cause");
    assert_eq!((&*cause.argument, cause.values, cause.urls_without), ("sort", 3, 10));
    assert_eq!(cause.pages, Some(CausePages { repeats: 20, lost: 0, tested: 10 }));
    assert_eq!(stories.suggestion, Some(Suggestion::Train));
    assert_eq!((&*calendar.pattern, calendar.urls), ("/calendar/{number}/{number}", 4));
    let cause = calendar.cause.as_ref().expect("a cause");
    assert_eq!((&*cause.argument, cause.segment, cause.values), ("{number}", Some(3), 4));
    // One group is not enough to say that months do not matter, and four URLs are no burden.
    assert_eq!(calendar.suggestion, None);
}

#[test]
fn a_commit_of_a_crawl_is_one_cause_for_all_its_files() {
    let mut requests = Requests::default();
    let hashes = (0..20).map(|n| 0x00ab_cdef_1234_5678_u64 * (n + 1));
    let urls: Vec<String> = hashes
        .flat_map(|hash| {
            (0..12).map(move |file| {
                format!("http://a.test/src/commit/{hash:020x}/{}.c", "x".repeat(file + 1))
            })
        })
        .collect();
    urls.iter().for_each(|url| requests.push(&response(url.clone())));
    let pages: Vec<Page> =
        urls.iter().map(|url| Page { url: url.as_str().into(), ..Page::default() }).collect();
    requests.show(&pages, &(0..240).map(|n| n % 12).collect::<Vec<u32>>());
    let report = ShapesReport::of(&requests, None);
    let [commits] = report.patterns.as_slice() else { panic!("{report:?}") };
    assert_eq!((&*commits.pattern, commits.urls), ("/src/commit/{hex}/…", 240));
    let cause = commits.cause.as_ref().expect("a cause");
    assert_eq!((&*cause.argument, cause.segment, cause.urls_without), ("{hex}", Some(3), 12));
    assert_eq!(cause.pages, Some(CausePages { repeats: 228, lost: 0, tested: 12 }));
    assert_eq!(commits.suggestion, Some(Suggestion::Train));
}

#[test]
fn pages_that_another_pattern_showed_are_told() {
    let mut requests = Requests::default();
    let urls: Vec<String> = ["story", "print"]
        .iter()
        .flat_map(|kind| (0..20).map(move |n| format!("http://a.test/{kind}/{n}")))
        .collect();
    urls.iter().for_each(|url| requests.push(&response(url.clone())));
    let pages: Vec<Page> =
        urls.iter().map(|url| Page { url: url.as_str().into(), ..Page::default() }).collect();
    requests.show(&pages, &(0..40).map(|n| n % 20).collect::<Vec<u32>>());
    let report = ShapesReport::of(&requests, None);
    let [print, story] = report.patterns.as_slice() else { panic!("{report:?}") };
    assert_eq!((&*print.pattern, &print.cause), ("/print/{number}", &None));
    let shown_by = ShownBy { pattern: "/story/{number}".into(), urls: 20 };
    assert_eq!((&print.shown_by, print.suggestion), (&Some(shown_by), Some(Suggestion::Train)));
    assert_eq!((&story.shown_by, story.suggestion), (&None, None));
}

#[test]
fn an_argument_that_names_the_page_is_no_cause() {
    let mut requests = Requests::default();
    let urls: Vec<String> = (0..40).map(|n| format!("http://a.test/?p={n}")).collect();
    urls.iter().for_each(|url| requests.push(&response(url.clone())));
    let pages: Vec<Page> =
        urls.iter().map(|url| Page { url: url.as_str().into(), ..Page::default() }).collect();
    requests.show(&pages, &(0..40).collect::<Vec<u32>>());
    let report = ShapesReport::of(&requests, None);
    assert_eq!((&report.patterns[0].cause, report.patterns[0].suggestion), (&None, None));
}

/// Eight days of a log: a crawler walks through facets, a browser reads two pages.
fn log() -> ShapesReport {
    let mut requests = Requests::default();
    for day in 1..=8 {
        let time = Some(format!("2031-05-0{day}T00:00:00Z"));
        for color in 0..30 {
            let url = format!("http://a.test/list?color={color}&day={day}");
            let agent = Some(if color == 0 { SearchEngine } else { AiCrawler });
            requests.push(&Response { time: time.clone(), agent, ..response(url) });
        }
        for page in ["/", "/about"] {
            let url = format!("http://a.test{page}");
            requests.push(&Response { time: time.clone(), agent: Some(Browser), ..response(url) });
        }
    }
    ShapesReport::of(&requests, None)
}

#[test]
fn requests_of_a_log_are_counted_by_class_and_nothing_is_said_of_pages() {
    let report = log();
    assert_eq!((report.requests, report.urls, &report.pages), (256, 242, &None));
    assert_eq!(report.times.as_ref().map(|times| &*times[1]), Some("2031-05-08T00:00:00Z"));
    let worst = &report.patterns[0];
    assert_eq!((&*worst.pattern, worst.urls, worst.requests), ("/list?color", 240, 240));
    assert_eq!((worst.bots, &worst.pages), (Some(1.0), &None));
    let agents = worst.agents.as_ref().expect("agents");
    assert_eq!((agents[&SearchEngine], agents[&AiCrawler]), (8, 232));
    // The last quarter of seven days begins at noon of the sixth.
    assert_eq!(worst.new_urls, 60);
    let cause = worst.cause.as_ref().expect("a cause");
    assert_eq!((&*cause.argument, cause.urls_without, &cause.pages), ("color", 8, &None));
    assert_eq!(worst.suggestion, Some(Suggestion::Budget));
    assert_eq!(report.growing().count(), 1);
    assert_eq!(report.bots, Some(240.0 / 256.0));
}

#[test]
fn a_calendar_grows_and_a_blog_does_not() {
    let mut requests = Requests::default();
    let blog = (0..60).map(|n| format!("http://a.test/blog/{}", "x".repeat(n + 1)));
    let calendar = (0..300).map(|n| format!("http://a.test/calendar/{}/{}", 2000 + n / 12, n % 12));
    blog.chain(calendar).for_each(|url| requests.push(&response(url)));
    let report = ShapesReport::of(&requests, None);
    let [calendar, blog] = report.patterns.as_slice() else { panic!("{report:?}") };
    assert_eq!(
        (&*calendar.pattern, &*blog.pattern),
        ("/calendar/{number}/{number}", "/blog/{word}")
    );
    // Without the month there are 25 years left, without the year twelve months, which would be few for so many.
    let cause = calendar.cause.as_ref().expect("a cause");
    assert_eq!((cause.segment, cause.values, cause.urls_without), (Some(3), 12, 25));
    assert_eq!((calendar.suggestion, blog.suggestion), (Some(Suggestion::Budget), None));
}

#[test]
fn a_policy_says_that_it_is_one() {
    let report = log();
    let patterns: Vec<_> = report.growing().collect();
    let text = rules(RuleFormat::Nginx, &patterns, report.has_hosts);
    assert!(text.contains("This is a policy") && text.contains("limit_req_zone"), "{text}");
    assert!(text.contains("\"~^/list[?](?:[^&;]*[&;])*(?:color)(?:[=&;]|$)\" 1;"), "{text}");
    let text = rules(RuleFormat::Robots, &patterns, report.has_hosts);
    let end = "# 240 URLs, 240 requests; by browsers 0, 0 of them came back: /list?color\n\
               Disallow: /list?color=\nDisallow: /list?*&color=\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn a_model_comes_before_all_else() {
    let (requests, _) = crawl();
    let forms = |url: &str| {
        let form = url.split('?').next().unwrap_or_default().to_owned();
        Some(Form { form, edits: Vec::new() })
    };
    let report = ShapesReport::of(&requests, Some(&forms));
    let model = report.patterns[0].model.as_ref().expect("forms");
    assert_eq!((model.forms, model.changed), (10, 30));
    assert_eq!(report.patterns[0].suggestion, Some(Suggestion::Canonical));
}

#[test]
fn the_order_of_arguments_may_be_the_cause_in_a_crawl() {
    let mut requests = Requests::default();
    let queries = ["a=1&b=2&c=3", "b=2&a=1&c=3", "c=3&b=2&a=1", "c=3&a=1&b=2"];
    let urls = || (0..10).flat_map(|n| queries.map(|query| format!("http://a.test/{n}?{query}")));
    urls().for_each(|url| requests.push(&response(url)));
    let pages: Vec<Page> =
        urls().map(|url| Page { url: url.as_str().into(), ..Page::default() }).collect();
    requests.show(&pages, &(0..40).map(|n| n / 4).collect::<Vec<u32>>());
    let report = ShapesReport::of(&requests, None);
    let cause = report.patterns[0].cause.as_ref().expect("a cause");
    assert_eq!((&*cause.argument, cause.values, cause.urls_without), ("order of arguments", 4, 10));
}

fn any_request() -> impl Strategy<Value = Response> {
    let url = "http://(a|b)[.]test(/(x|y|z|1|22|[a-z]{3})){0,3}([?](a|b|c|f\\[[0-9]\\])=[0-2](&(a|d|e)=[0-2]){0,2})?";
    (url, 0..600_u16, 0..80_u32, 0..8_usize).prop_map(|(url, status, minute, class)| Response {
        status,
        time: Some(format!("2031-05-01T{:02}:{:02}:00Z", minute / 60, minute % 60)),
        agent: Some(undust_pages::AgentClass::ALL[class]),
        took: (status % 3 > 0).then_some(u64::from(status) * 1000),
        ..response(url)
    })
}

fn report_of<'r>(requests: impl IntoIterator<Item = &'r Response>, most: usize) -> ShapesReport {
    let mut counted = Requests::with_most_urls(most);
    requests.into_iter().for_each(|request| counted.push(request));
    ShapesReport::of(&counted, None)
}

proptest! {
    #[test]
    fn the_order_of_lines_does_not_matter(
        requests in proptest::collection::vec(any_request(), 1..120),
        shuffled in any::<u64>(),
        most in prop_oneof![Just(20_usize), Just(1000)],
    ) {
        let report = report_of(&requests, most);
        let mut others: Vec<&Response> = requests.iter().collect();
        others.sort_by_key(|request| {
            let of = |text: &[u8]| xxhash_rust::xxh3::xxh3_64_with_seed(text, shuffled);
            (of(request.url.as_bytes()), of(request.time.as_deref().unwrap_or_default().as_bytes()))
        });
        prop_assert_eq!(report_of(others, most), report);
    }

    #[test]
    fn each_url_and_request_counts_once(requests in proptest::collection::vec(any_request(), 0..120)) {
        let report = report_of(&requests, 1000);
        let mut urls: Vec<&str> = requests.iter().map(|request| &*request.url).collect();
        urls.sort_unstable();
        urls.dedup();
        let sum = |of: fn(&crate::PatternReport) -> u64| report.patterns.iter().map(of).sum::<u64>();
        prop_assert_eq!(sum(|pattern| pattern.urls), urls.len() as u64);
        prop_assert_eq!(sum(|pattern| pattern.requests), requests.len() as u64);
        prop_assert_eq!(report.urls, urls.len() as u64);
        let took: u64 = requests.iter().filter_map(|request| request.took).sum();
        let seconds: Option<f64> = report.patterns.iter().map(|pattern| pattern.seconds).sum();
        let expected = if requests.is_empty() { Some(0.0) } else { (took > 0).then_some(took as f64 / 1e6) };
        let difference = seconds.zip(expected).map(|(one, other)| (one - other).abs());
        prop_assert!(seconds.is_some() == expected.is_some() && difference.is_none_or(|one| one < 1e-6));
        let mut names: Vec<_> = report.patterns.iter().map(|pattern| &pattern.pattern).collect();
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), report.patterns.len());
        for pattern in &report.patterns {
            if let Some(cause) = &pattern.cause {
                prop_assert!((cause.urls_without as u64) < pattern.urls, "{:?}", cause);
            }
        }
    }

    #[test]
    fn any_text_has_a_report(urls in proptest::collection::vec("\\PC{0,40}|http://\\PC{0,40}", 0..20)) {
        let requests: Vec<Response> = urls.into_iter().map(response).collect();
        let report = report_of(&requests, 1000);
        let patterns: Vec<_> = report.growing().collect();
        let lines = rules(RuleFormat::Robots, &patterns, report.has_hosts);
        prop_assert!(lines.lines().all(|line| line.starts_with(['#', 'U', 'D'])), "{}", lines);
        rules(RuleFormat::Nginx, &patterns, report.has_hosts);
    }
}
