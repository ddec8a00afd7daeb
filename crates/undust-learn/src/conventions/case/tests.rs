use undust_edits::conventions::{Overrides, UrlConventions};

use super::*;
use crate::conventions::learn;
use crate::conventions::tests::{assert_normalizes, form, learned, pairs};

/// A site for whose server `/Forum/Topic.aspx` is `/forum/topic.aspx`.
const IIS: [&str; 2] =
    ["http://iis.test/Forum/Topic.aspx?id=N", "http://iis.test/forum/topic.aspx?id=N"];

#[test]
fn paths_are_in_lower_case_where_pairs_say_so() {
    let conventions = pairs(7, 0, IIS);
    let step = "path in lower case: iis.test/forum";
    for (url, lower) in [
        ("/Forum/Topic.aspx?id=77", "/forum/topic.aspx?id=77"),
        ("/FORUM/TOPIC.ASPX?id=Ab", "/forum/topic.aspx?id=Ab"),
        ("/forum/NewPosts.aspx", "/forum/newposts.aspx"),
        ("/Forum/", "/forum/"),
        ("/Forum/%C3%89%2FTop%20Ten", "/forum/%C3%89%2Ftop%20ten"),
        ("/forum/TopicÉ", "/forum/topicÉ"),
    ] {
        let [url, lower] = [url, lower].map(|path| format!("http://iis.test{path}"));
        assert_normalizes(&conventions, &url, &lower, "", step);
        assert!(conventions.is_normalized(&lower), "{lower}");
    }
    let steps = format!("scheme https → http; host www. → none; {step}");
    assert_normalizes(
        &conventions,
        "https://www.iis.test/Forum/A",
        "http://iis.test/forum/a",
        "",
        &steps,
    );
}

/// Another folder, another depth, what looks like an identifier, another server.
#[test]
fn places_that_no_pair_tested_keep_their_case() {
    let conventions = pairs(7, 0, IIS);
    for url in [
        "/Wiki/Topic.aspx",
        "/Forum",
        "/Topic.aspx?id=1",
        "/forum/topic.aspx/Deeper",
        "/forum/dQw4w9WgXcQ",
        "/forum/aBcDeFgH",
        "/forum/topic-XkQz",
        "/forum/Topic7.aspx",
        "/forum/topic.aspx?id=AB",
        "/forum/%4z/%",
        "/forum/a%%4A",
        "/forum/#!Topic",
        ":81/Forum/Topic.aspx",
    ] {
        let url = format!("http://iis.test{url}");
        assert!(conventions.is_normalized(&url), "{url}");
    }
    assert!(conventions.is_normalized("http://other.test/Forum/Topic.aspx"));
    assert!(conventions.is_normalized("http://a.iis.test/Forum/Topic.aspx"));
    let mixed = form(&conventions, "http://iis.test/Forum/dQw4/More");
    assert_eq!(mixed, "http://iis.test/forum/dQw4/More");
}

#[test]
fn identifiers_are_put_in_lower_case_where_pairs_of_them_say_so() {
    let conventions = pairs(7, 0, ["http://x.com/v/dQw4N", "http://x.com/v/dqw4N"]);
    assert_eq!(form(&conventions, "http://x.com/v/XcQ9"), "http://x.com/v/xcq9");
    assert!(conventions.is_normalized("http://x.com/v/Word"));
}

#[test]
fn one_pair_of_two_pages_is_enough_to_keep_the_case() {
    let wiki = ["http://w.test/wiki/Page_N", "http://w.test/wiki/page_N"];
    assert_eq!(
        form(&pairs(7, 0, wiki), "http://w.test/wiki/Page_new"),
        "http://w.test/wiki/page_new"
    );
    for conventions in [pairs(6, 0, wiki), pairs(90, 1, wiki)] {
        assert!(conventions.is_normalized("http://w.test/wiki/Page_new"));
    }
    // What is known of the folder holds all the same.
    let both = |n: usize| {
        let [one, two] = ["Wiki/page", "wiki/page"].map(|path| format!("http://w.test/{path}_{n}"));
        vec![(one, n as u32), (two, n as u32)]
    };
    let mut urls: Vec<_> = (0..9).flat_map(both).collect();
    urls.extend([("http://w.test/wiki/Go".into(), 90), ("http://w.test/wiki/GO".into(), 91)]);
    let conventions = learn(urls.iter().map(|(url, n)| (&**url, *n)), Overrides::default());
    assert_eq!(form(&conventions, "http://w.test/WIKI/GO"), "http://w.test/wiki/GO");
}

/// Lists are put in order after the path.
#[test]
fn lists_in_paths_are_sorted_in_lower_case() {
    let url = |n: usize, path: &str| (format!("http://x.com/{path}?n={n}"), n as u32);
    let all = ["q/tags:a,B", "q/tags:a,b", "q/tags:b,a"];
    let urls: Vec<_> = (0..9).flat_map(|n| all.map(|path| url(n, path))).collect();
    let conventions = learn(urls.iter().map(|(url, n)| (&**url, *n)), Overrides::default());
    let steps = "path in lower case: x.com/q; list tags: in order";
    assert_normalizes(
        &conventions,
        "http://x.com/q/tags:Big,AND",
        "http://x.com/q/tags:and,big",
        "",
        steps,
    );
    assert_eq!(form(&conventions, "http://x.com/Q/tags:A,b"), "http://x.com/Q/tags:a,b");
}

#[test]
fn words_and_identifiers_are_told_apart() {
    for word in
        ["Topic", "topic.aspx", "GetProductByID", "FAQs", "iPhone", "a1b2c3", "%C3%9FA", "Top-10"]
    {
        assert!(!is_token(word), "{word}");
    }
    for token in ["dQw4w9WgXcQ", "XkYzQw", "AB12", "a-bC3", "eBay"] {
        assert!(is_token(token), "{token}");
    }
}

#[test]
fn places_are_saved_with_their_pairs() {
    let conventions = pairs(8, 0, IIS);
    let json = serde_json::to_value(&conventions).expect("JSON");
    let pairs = serde_json::json!({"same": 8, "different": 0});
    let places = serde_json::json!({"iis.test/forum": {"words": {"0": pairs, "1": pairs}}});
    assert_eq!(json["path_case"], places);
    assert_eq!(serde_json::from_value::<UrlConventions>(json).expect("conventions"), conventions);
    assert!(learned(&[&["http://x.com/A"]]).path_case.is_empty());
}
