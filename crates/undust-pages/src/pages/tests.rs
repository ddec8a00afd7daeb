use proptest::prelude::*;

use super::*;

fn page(url: &str) -> Response {
    let url = url.to_owned();
    Response { url, status: 200, digest: Some("d".to_owned()), ..Response::default() }
}

fn redirect(url: &str, location: &str) -> Response {
    let (url, location) = (url.to_owned(), Some(location.to_owned()));
    Response { url, status: 301, location, ..Response::default() }
}

fn pages(responses: impl IntoIterator<Item = Response>) -> Pages {
    let mut builder = PagesBuilder::new();
    responses.into_iter().for_each(|response| builder.push(response));
    builder.finish()
}

fn urls(pages: &Pages) -> Vec<&str> {
    pages.pages.iter().map(|page| &*page.url).collect()
}

/// `hops` redirects, 0 → 1 → …, and the page that they end at.
fn chain(hops: usize) -> Vec<Response> {
    let step = |n: usize| redirect(&n.to_string(), &(n + 1).to_string());
    (0..hops).map(step).chain([page(&hops.to_string())]).collect()
}

#[test]
fn the_first_response_of_a_url_counts() {
    let failed = Response { status: 404, ..page("a") };
    let made = pages([page("b"), failed, page("a"), page("b")]);
    assert_eq!(urls(&made), ["b"]);
    assert_eq!((made.responses, made.left_out.not_ok), (4, 1));
}

#[test]
fn the_page_of_the_newest_crawl_counts() {
    let digest = |url: &str, digest: &str| Response { digest: Some(digest.into()), ..page(url) };
    let gone = Response { status: 404, ..page("c") };
    let mut builder = PagesBuilder::new();
    ["a", "b", "c"].into_iter().for_each(|url| builder.push(digest(url, "1")));
    builder.next_crawl();
    let later = [digest("a", "2"), digest("a", "3"), redirect("b", "a"), gone];
    later.into_iter().for_each(|response| builder.push(response));
    let made = builder.finish().pages;
    let expected = pages([digest("a", "2"), redirect("b", "a"), digest("c", "1")]).pages;
    assert_eq!(made, expected);
}

#[test]
fn a_redirect_shows_the_page_at_its_end() {
    let made = pages([redirect("a", "b"), page("c"), redirect("b", "c"), page("d")]);
    assert_eq!(urls(&made), ["a", "c", "b", "d"]);
    let ends: Vec<u32> = made.pages.iter().map(|page| page.end).collect();
    assert_eq!(ends, [1, 1, 1, 3]);
    assert_eq!(made.pages[0].digest, made.pages[1].digest);
}

#[test]
fn ten_hops_are_followed_and_eleven_are_not() {
    assert_eq!(pages(chain(10)).pages.len(), 11);
    let eleven = pages(chain(11));
    assert_eq!(urls(&eleven)[0], "1");
    assert_eq!((eleven.pages.len(), eleven.left_out.long_chains), (11, 1));
}

#[test]
fn loops_and_missing_targets_drop_out() {
    let made = pages([
        redirect("self", "self"),
        redirect("self#", "self##x"),
        redirect("a", "b"),
        redirect("b", "a"),
        redirect("into", "a"),
        redirect("lost", "nowhere"),
        redirect("before", "lost"),
    ]);
    assert!(made.pages.is_empty());
    let expected = LeftOut { loops: 5, missing_targets: 2, ..LeftOut::default() };
    assert_eq!(made.left_out, expected);
    assert_eq!(made.left_out.total(), 7);
}

#[test]
fn a_loop_longer_than_the_hops_drops_out() {
    let mut round = chain(30);
    round.pop();
    round.push(redirect("30", "0"));
    assert_eq!(pages(round).left_out.long_chains, 31);
}

#[test]
fn a_location_names_a_url_byte_for_byte_or_but_for_its_fragment() {
    let made = pages([
        redirect("top", "page#top"),
        redirect("upper", "PAGE"),
        redirect("slash", "page/"),
        redirect("whole", "odd#url"),
        page("page"),
        page("odd#url"),
    ]);
    assert_eq!(urls(&made), ["top", "whole", "page", "odd#url"]);
    assert_eq!(made.pages[0].end, made.pages[2].end);
    assert_eq!(made.pages[1].end, made.pages[3].end);
}

/// Reverse proxies write the port that a scheme has anyway.
#[test]
fn a_location_may_be_written_otherwise_than_the_url_that_was_asked_for() {
    let locations = [
        "HTTP://a.test/p",
        "http://A.test/p#top",
        "http://a.test:80/p",
        "http://a.test/x/../p",
        "http://a.test:80/a b",
        "http://a.test/ü",
    ];
    let targets = ["http://a.test/p", "http://a.test/a%20b", "http://a.test/%C3%BC"];
    let redirects = (0..).zip(locations).map(|(n, to): (u32, _)| redirect(&n.to_string(), to));
    let made = pages(redirects.chain(targets.map(page)));
    assert_eq!(made.left_out.total(), 0);
    let ends: Vec<u32> = made.pages.iter().map(|page| page.end).collect();
    let [p, spaced, umlaut] = [ends[6], ends[7], ends[8]];
    assert_eq!(ends[..6], [p, p, p, p, spaced, umlaut]);
    // What is there as it is written comes first.
    let two = [page("http://a.test/"), page("http://A.test/")];
    let made = pages([redirect("a", "http://A.test/")].into_iter().chain(two));
    assert_eq!(made.pages[0].end, made.pages[2].end);
    // And a circle is one.
    assert_eq!(pages([redirect("http://a.test/", "http://A.test:80")]).left_out.loops, 1);
}

#[test]
fn only_a_3xx_with_a_location_redirects() {
    let created = Response { location: Some("b".to_owned()), ..page("a") };
    let lost = Response { status: 302, ..page("c") };
    let made = pages([created, lost, page("b")]);
    assert_eq!(urls(&made), ["a", "b"]);
    assert_ne!(made.pages[0].end, made.pages[1].end);
    assert_eq!(made.left_out.not_ok, 1);
}

#[test]
fn what_ends_without_200_or_content_is_left_out_with_its_redirects() {
    let empty = Response { digest: Some(String::new()), ..page("empty") };
    let gone = Response { status: 410, ..page("gone") };
    let silent = Response { status: 0, ..page("silent") };
    let made = pages([redirect("a", "empty"), redirect("b", "gone"), empty, gone, silent]);
    let expected = LeftOut { not_ok: 3, no_content: 2, ..LeftOut::default() };
    assert_eq!(made.left_out, expected);
    let expected = "3 not answered with status 200, 2 without simhash and digest";
    assert_eq!(made.left_out.to_string(), expected);
    assert_eq!(LeftOut::default().to_string(), "none");
}

#[test]
fn one_of_simhash_and_digest_is_content() {
    let hashed = Response { simhash: Some(Simhash(5)), digest: None, ..page("a") };
    let made = pages([hashed, page("b")]);
    assert_eq!((made.pages[0].simhash, made.pages[0].digest), (Some(Simhash(5)), None));
    assert!(made.pages[1].simhash.is_none() && made.pages[1].digest.is_some());
}

#[test]
fn titles_are_compared_with_their_white_space_collapsed() {
    let titled = |url: &str, title: &str| Response { title: Some(title.to_owned()), ..page(url) };
    let made = pages([
        titled("a", "One  page\n"),
        titled("b", " One page"),
        titled("c", "Onepage"),
        titled("d", " \u{a0}\n"),
        titled("e", ""),
        page("f"),
    ]);
    let titles: Vec<Option<u64>> = made.pages.iter().map(|page| page.title).collect();
    assert!(titles[0].is_some() && titles[0] == titles[1] && titles[0] != titles[2]);
    assert_eq!(titles[3..], [None, None, None]);
}

#[test]
fn one_url_a_million_times_is_one_page() {
    let mut builder = PagesBuilder::new();
    for _ in 0..1_000_000 {
        builder.push(page("a"));
    }
    assert_eq!(builder.outcomes.len(), 1);
    let made = builder.finish();
    assert_eq!((made.pages.len(), made.responses), (1, 1_000_000));
}

#[test]
fn nothing_comes_of_nothing() {
    assert_eq!(pages([]), Pages::default());
}

fn any_response() -> impl Strategy<Value = Response> {
    let status = prop_oneof![Just(200u16), Just(301), Just(404)];
    ("[a-h]{1,2}", status, proptest::option::of("[a-h]{1,2}"))
        .prop_map(|(url, status, location)| Response { status, location, ..page(&url) })
}

proptest! {
    #[test]
    fn every_distinct_url_is_a_page_or_left_out(
        responses in prop::collection::vec(any_response(), 0..80),
    ) {
        let distinct: std::collections::HashSet<_> = responses.iter().map(|r| r.url.clone()).collect();
        let made = pages(responses.clone());
        prop_assert_eq!(made.pages.len() as u64 + made.left_out.total(), distinct.len() as u64);
        let twice = pages(responses.iter().chain(&responses).cloned());
        prop_assert_eq!(twice.pages, made.pages);
    }
}
