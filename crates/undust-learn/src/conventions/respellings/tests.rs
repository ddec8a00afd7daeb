use undust_edits::conventions::{ConventionEvidence, NormalizationStep, UrlConventions};

use super::*;
use crate::conventions;
use crate::conventions::tests::{assert_normalizes, form, learned, pairs};

/// Two ways for each, of which the second is written as the first, and what is done then.
const WAYS: [([&str; 2], &str); 9] = [
    (["http://x.com/?q=N", "http://x.com/?q=N&q=N"], "repeated ?q once"),
    (["http://x.com/?q=N%20a", "http://x.com/?q=N+a"], "+ → %20 in ?q"),
    (["http://x.com/?f[]=a&f[]=tN", "http://x.com/?f[]=tN&f[]=a"], "values of ?f[] in order"),
    (["http://x.com/?f[0]=a&f[1]=tN", "http://x.com/?f[0]=tN&f[1]=a"], "values of ?f[] in order"),
    (["http://x.com/?fq1=a&fq2=tN", "http://x.com/?fq2=a&fq1=tN"], "values of ?fq in order"),
    (
        ["http://x.com/?f[]=a:N", "http://x.com/?f%5B%5D=a%3AN"],
        "escaped delimiters as themselves: ?f[]",
    ),
    (
        ["http://x.com/w/N_(a)", "http://x.com/w/N_%28a%29"],
        "escaped delimiters as themselves: x.com/w",
    ),
    (["http://x.com/w/N%C3%A9", "http://x.com/w/Ne%CC%81"], "accents composed (NFC): x.com/w"),
    (["http://x.com/?q=N%C3%A9", "http://x.com/?q=Ne%CC%81"], "accents composed (NFC): ?q"),
];

#[test]
fn seven_pairs_decide_each_way() {
    for (ways, step) in WAYS {
        let [written, other] = ways.map(|way| way.replace('N', "c"));
        assert_normalizes(&pairs(7, 0, ways), &other, &written, "", step);
        for unproven in [pairs(6, 0, ways), pairs(90, 1, ways)] {
            assert!(unproven.is_normalized(&written) && unproven.is_normalized(&other), "{other}");
        }
    }
}

#[test]
fn what_a_later_crawl_refutes_is_taken_away() {
    for (ways, _) in WAYS {
        let conventions = pairs(7, 0, ways);
        let other = ways[1].replace('N', "c");
        let steps = conventions.normalize(&other).steps;
        assert!(steps.len() == 1 && steps[0].is_learned());
        assert_eq!(
            conventions.evidence(&other),
            [(steps[0].clone(), Some(ConventionEvidence::Pairs { pairs: 7 }))]
        );
        let without = conventions.clone().without([&steps[0]]);
        assert!(without.is_normalized(&other) && without.respellings.is_empty());
        let elsewhere = NormalizationStep::Respelled(Respelling::Space, "?z".into());
        assert!(conventions.clone().without([&elsewhere]) == conventions);
    }
}

/// Seven pairs of one page each for each of these ways.
fn proven(ways: &[[&str; 2]]) -> UrlConventions {
    let groups = ways.iter().flat_map(|ways| {
        (0..7).map(move |n: usize| ways.map(|way| way.replace('N', &n.to_string())).to_vec())
    });
    let groups: Vec<Vec<String>> = groups.collect();
    let groups: Vec<Vec<&str>> =
        groups.iter().map(|group| group.iter().map(AsRef::as_ref).collect()).collect();
    learned(&groups.iter().map(AsRef::as_ref).collect::<Vec<_>>())
}

/// A server has one parser for all arguments. Which order of values counts is of each name.
#[test]
fn what_two_places_show_holds_in_all() {
    let space =
        |name: &str| [format!("http://x.com/?{name}=N%20a"), format!("http://x.com/?{name}=N+a")];
    let order = |name: &str| {
        [format!("http://x.com/?{name}=a&{name}=tN"), format!("http://x.com/?{name}=tN&{name}=a")]
    };
    let learn =
        |ways: &[[String; 2]]| proven(&ways.iter().map(|[a, b]| [&**a, &**b]).collect::<Vec<_>>());
    let one = learn(&[space("q"), order("f")]);
    let two = learn(&[space("q"), space("r"), order("f"), order("g")]);
    let url = "http://x.com/?z=c+b&z=c+a";
    assert_eq!(form(&one, url), url);
    assert_eq!(form(&two, url), "http://x.com/?z=c%20b&z=c%20a");
    assert_eq!(form(&two, "http://x.com/?f=2&f=1"), "http://x.com/?f=1&f=2");
    assert_eq!(form(&two, "http://x.com/?z=2&z=1"), "http://x.com/?z=2&z=1");
    let known = "http://x.com/?q=c+b";
    let forgotten = two.without([&NormalizationStep::Respelled(Respelling::Space, "?r".into())]);
    assert!(form(&forgotten, url) == url && form(&forgotten, known) != known);
}

#[test]
fn only_what_is_the_same_becomes_one() {
    let all = proven(&WAYS.map(|(ways, _)| ways));
    for (url, written) in [
        ("?q=a&q=b", "?q=a&q=b"),
        ("?q=a&q=b&q=a&q=a", "?q=a&q=b"),
        ("?q=a&z=1&q=a", "?q=a&z=1"),
        ("?q=&q=", "?q="),
        ("?q=c%2B%2B", "?q=c%2B%2B"),
        ("?q=c++", "?q=c%20%20"),
        ("?q=c+%2", "?q=c+%2"),
        ("a+b?q=a", "a+b?q=a"),
        ("a%20b?q=a", "a%20b?q=a"),
        ("?q=a+b&q=a%20b", "?q=a%20b"),
        ("?f[]=c&z=1&f[]=a&f[]=b", "?f[]=a&f[]=b&f[]=c&z=1"),
        ("?q=b;q=b;q=a", "?q=b;q=a"),
        ("?q=b;q=b&q=b", "?q=b;q=b&q=b"),
        ("w/cafe%CC%81?q=cafe", "w/caf%C3%A9?q=cafe"),
        ("w/e\u{301}#!/e\u{301}", "w/\u{e9}#!/e\u{301}"),
    ] {
        let [url, written] = [url, written].map(|rest| format!("http://x.com/{rest}"));
        assert_eq!(form(&all, &url), written);
    }
}

/// A `;` may be a part of a value: nothing before it is taken for a repetition, whatever is unknown.
#[test]
fn what_is_left_without_unknown_arguments_is_not_written_again() {
    let all = proven(&WAYS.map(|(ways, _)| ways));
    for (query, rest, unknown) in [
        ("?q=1&q=1;z=1", "", "?q=1&q=1;z=1"),
        ("?q=1;q=1&z=1", "", "?q=1;q=1&z=1"),
        ("?q=1&z=1&q=1", "?q=1", "&z=1"),
        ("?z=1&z=1&q=1&q=1", "?q=1", "&z=1&z=1"),
    ] {
        let [url, rest] = [query, rest].map(|query| format!("http://x.com/{query}"));
        let normalized = all.normalize(&url);
        assert_eq!((&*normalized.url, &*normalized.unknown_params), (&*rest, unknown), "{query}");
    }
}

/// A log-in page stands under any URL: it shows for none that it may be written otherwise.
#[test]
fn pairs_of_one_page_count_once() {
    for (ways, _) in WAYS {
        let urls: Vec<_> =
            (0..20).flat_map(|n| ways.map(|way| way.replace('N', &n.to_string()))).collect();
        let walled = conventions::learn(urls.iter().map(|url| (&**url, 0)), Default::default());
        assert!(walled.respellings.is_empty(), "{}", ways[1]);
    }
}

/// Each of eight folders has one pair. Together they are enough, if they do not all show one page.
#[test]
fn pairs_of_all_places_count_together() {
    let learn = |page: &dyn Fn(u32) -> u32| {
        let url = |n: u32| ["%C3%A9", "e%CC%81"].map(|end| (format!("http://x.com/{n}/t{end}"), n));
        let urls: Vec<_> = (0..8).flat_map(url).collect();
        let urls = urls.iter().map(|(url, n)| (&**url, page(*n)));
        conventions::learn(urls, Default::default())
    };
    let url = "http://x.com/new/ae%CC%81";
    assert_eq!(form(&learn(&|n| n), url), "http://x.com/new/a%C3%A9");
    assert_eq!(form(&learn(&|_| 0), url), url);
}

/// Seven pairs for each of so many names that they are data.
#[test]
fn data_in_place_of_names_is_no_place() {
    let learned = |names: u32| {
        let pair = |n: u32| {
            let name = n / 7;
            [[1, 2], [2, 1]]
                .map(|[a, b]| (format!("http://x.com/?n{name}x={a}&n{name}x={b}&p={n}").into(), n))
        };
        let urls: Vec<LabelledUrl<'_>> = (0..7 * names).flat_map(pair).collect();
        learn(Respelling::ValueOrder, &urls)
    };
    assert!(!learned(4096).is_empty());
    assert!(learned(4097).is_empty());
}

#[test]
fn a_model_without_them_is_read() {
    let conventions = proven(&WAYS.map(|(ways, _)| ways));
    let mut json = serde_json::to_value(&conventions).expect("JSON");
    let pairs = serde_json::json!({"same": 7, "different": 0});
    assert_eq!(json["respellings"]["space"]["places"], serde_json::json!({ "?q": pairs }));
    json.as_object_mut().expect("an object").remove("respellings");
    let older: UrlConventions = serde_json::from_value(json).expect("conventions");
    assert!(older.respellings.is_empty());
    let none = serde_json::to_value(learned(&[&["http://x.com/?a=a+b"]])).expect("JSON");
    assert!(none.get("respellings").is_none());
}
