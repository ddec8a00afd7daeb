use undust_edits::conventions::{Overrides, UrlConventions};

use crate::conventions::learn;
use crate::conventions::tests::{assert_normalizes, form, learned, pairs};

/// A site of questions by tags, seven of whose lists were seen in both orders.
fn askbot() -> UrlConventions {
    let url = |n: usize, tags: &str| {
        format!("http://ask.test/questions/scope:all/sort:activity-desc/tags:{tags}/page:{n}/")
    };
    let both = |n| vec![url(n, "linux,bsd"), url(n, "bsd,linux")];
    let sizes = |n: usize| vec![format!("http://ask.test/map?at={n},4&tags=x,y")];
    let groups: Vec<Vec<String>> = (1..=8).map(both).chain((0..9).map(sizes)).collect();
    let groups: Vec<Vec<&str>> =
        groups.iter().map(|group| group.iter().map(AsRef::as_ref).collect()).collect();
    learned(&groups.iter().map(AsRef::as_ref).collect::<Vec<_>>())
}

#[test]
fn tags_in_any_order_are_the_same() {
    let conventions = askbot();
    let questions = "http://ask.test/questions/scope:all/sort:activity-desc/";
    for (tags, sorted) in [
        ("tags:linux,bsd/page:1/", "tags:bsd,linux/page:1/"),
        ("tags:c,b%2Ca", "tags:a,b%2Cc"),
        ("tags:b,a,b/author:2,1/", "tags:a,b,b/author:2,1/"),
        ("tags:b,a/tags:d,c", "tags:a,b/tags:c,d"),
    ] {
        let [url, sorted] = [tags, sorted].map(|tags| format!("{questions}{tags}"));
        assert_normalizes(&conventions, &url, &sorted, "", "list tags: in order");
    }
    for tags in [
        "tags:a,b/",
        "tags:b+a",
        "tags:b,,a",
        "tags:b,a,",
        "tags:b,%",
        "tags:x%,A",
        "tags:x%4%41,b",
        "mytags:b,a",
        "tags,b:b,a",
        "#!/tags:b,a",
    ] {
        assert!(conventions.is_normalized(&format!("{questions}{tags}")), "{tags}");
    }
    let steps = "list tags: in order; set aside: tags";
    assert_normalizes(
        &learned_with_tags_in_paths(),
        "http://x.com/tags:b,a?tags=b,a",
        "http://x.com/tags:a,b",
        "?tags=b,a",
        steps,
    );
}

#[test]
fn a_list_may_be_any_argument() {
    let conventions =
        pairs(7, 0, ["http://x.com/?n=N&tags=2,1&z=0", "http://x.com/?n=N&tags=1,2&z=0"]);
    assert_eq!(
        form(&conventions, "http://x.com/?n=7&tags=b,a&z=0"),
        "http://x.com/?n=7&tags=a,b&z=0"
    );
}

/// No argument has a name.
fn learned_with_tags_in_paths() -> UrlConventions {
    pairs(7, 0, ["http://x.com/tags:2,1/N", "http://x.com/tags:1,2/N"])
}

#[test]
fn coordinates_and_arguments_in_one_order_stay() {
    for url in ["http://ask.test/map?at=9,4&tags=x,y", "http://ask.test/map?at=4,3&tags=y,x"] {
        assert!(askbot().is_normalized(url), "{url}");
    }
}

#[test]
fn seven_pairs_of_a_name_and_of_a_separator_decide() {
    for (one, other) in
        [(",", ","), ("%2C", ","), ("+", "+"), ("%20", "+"), ("|", "|"), ("%3B", "%3B")]
    {
        let ways = [
            format!("http://x.com/N?q=a{one}b{one}a&n=2,1"),
            format!("http://x.com/N?q=b{one}a{one}a&n=2,1"),
        ];
        let ways = [&*ways[0], &*ways[1]];
        let unsorted = format!("http://x.com/N?q=c{one}b{other}a&n=2,1");
        let sorted = format!("http://x.com/N?q=a{one}b{other}c&n=2,1");
        assert_normalizes(&pairs(7, 0, ways), &unsorted, &sorted, "", "list ?q in order");
        for conventions in [pairs(6, 0, ways), pairs(90, 1, ways)] {
            assert!(conventions.is_normalized(&unsorted));
        }
    }
}

#[test]
fn a_name_has_one_separator() {
    let urls = |n: usize| {
        let by = if n < 9 { "," } else { "|" };
        ["1 2", "2 1"]
            .map(|list| (format!("http://x.com/{n}?q={}", list.replace(' ', by)), n as u32))
    };
    let urls: Vec<_> = (0..20).flat_map(urls).collect();
    let conventions = learn(urls.iter().map(|(url, n)| (&**url, *n)), Overrides::default());
    assert_eq!(form(&conventions, "http://x.com/?q=3|2,1"), "http://x.com/?q=2,1|3");
    assert!(conventions.is_normalized("http://x.com/?q=2,1"));
}

#[test]
fn lists_are_saved_by_their_names() {
    let json = serde_json::to_value(askbot()).expect("JSON");
    let tags = serde_json::json!({"separator": "comma", "same": 8, "different": 0});
    assert_eq!(json["lists"], serde_json::json!({ "tags:": tags }));
    assert_eq!(serde_json::from_value::<UrlConventions>(json).expect("conventions"), askbot());
    let none = serde_json::to_value(learned(&[&["http://x.com/?a=2,1"]])).expect("JSON");
    assert!(none.get("lists").is_none() && none.get("path_case").is_none());
}

#[test]
fn data_in_place_of_names_is_no_list() {
    let url =
        |n: usize| ["2,1", "1,2"].map(|list| (format!("http://x.com/?n{n}={list}"), n as u32));
    let urls: Vec<_> = (0..5000).flat_map(url).collect();
    let conventions = learn(urls.iter().map(|(url, n)| (&**url, *n)), Overrides::default());
    assert!(conventions.lists.is_empty());
}

#[test]
fn a_list_without_end_is_left_alone() {
    let url =
        |items: usize| format!("http://ask.test/tags:{}", ["b", "a"].repeat(items / 2).join(","));
    assert!(askbot().is_normalized(&url(100_000)));
    assert!(!askbot().is_normalized(&url(256)));
}
