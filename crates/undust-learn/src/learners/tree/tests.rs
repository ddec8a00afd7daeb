use proptest::prelude::*;

use undust_testing::crawl;

use super::*;

fn learned(groups: &[Vec<String>]) -> Vec<Rule> {
    let (pages, clusters) = crawl(groups);
    let set = TrainingSet::new(&pages, &clusters);
    candidates(&set, &TreeConfig::default(), 1).rules
}

fn notation(groups: &[Vec<String>]) -> Vec<String> {
    learned(groups).iter().map(ToString::to_string).collect()
}

fn urls(group: &[&str]) -> Vec<String> {
    group.iter().map(|url| format!("http://{url}")).collect()
}

/// Section 3.1.
#[test]
fn one_rule_for_the_last_segment_of_paths_of_several_lengths() {
    let rules = notation(&[
        urls(&["ag.arizona.edu/srnr/about/art/index.html", "ag.arizona.edu/srnr/about/art"]),
        urls(&["ag.arizona.edu/art/index.html", "ag.arizona.edu/art"]),
    ]);
    assert_eq!(
        rules,
        [
            r#"k(1,-)="http", k(2,-)="ag.arizona.edu", k(-,1)="index.html", no other argument → k(-,1) := ⊥"#
        ]
    );
}

/// Section 5.2: the number of the title is generalised, what goes before it stays.
#[test]
fn deep_tokens_in_the_context() {
    let title = |n: usize| format!("http://www.imdb.com/title/tt{:07}", 53_198 + n * 7919);
    let duplicate =
        |n: usize| vec![format!("{}/photogallery", title(n)), format!("{}/mediaindex", title(n))];
    let others = (2..20).map(|n| vec![format!("{}/fullcredits", title(n))]);
    let groups: Vec<_> = (0..2).map(duplicate).chain(others).collect();
    assert_eq!(
        notation(&groups),
        [
            r#"k(1,-)="http", k(2,-)="www.imdb.com", k(3,-)="title", k(4,-)~tt*, k(5,-)="photogallery", 3 segments, no other argument → k(5,-) := "mediaindex""#
        ]
    );
    let rules = learned(&groups);
    assert_eq!(
        rules[0].apply("http://www.imdb.com/title/tt0810900/photogallery").as_deref(),
        Some("http://www.imdb.com/title/tt0810900/mediaindex")
    );
    assert_eq!(rules[0].apply("http://www.imdb.com/title/nm0810900/photogallery"), None);
}

/// Section 5.3: the owner of the friends is irrelevant.
#[test]
fn a_token_that_becomes_many_texts_becomes_a_star() {
    let friends = |n: usize| {
        let own = |person| {
            format!(
                "http://360.yahoo.com/friends-{}{person}",
                "abcdefghijklmnop".chars().nth(n).unwrap_or('z')
            )
        };
        vec![own("ann"), own("bob")]
    };
    let groups: Vec<_> = (0..12).map(friends).collect();
    let rules = notation(&groups);
    assert!(
        rules.contains(&r#"k(1,-)="http", k(2,-)="360.yahoo.com", k(3,-)~friends-*, k(3,3,-,-)=*, 1 segments, no other argument → k(3,3,-,-) := "*""#.to_owned()),
        "{rules:#?}"
    );
}

#[test]
fn a_site_that_does_not_mind_case_has_one_rule_of_it() {
    let page = |n: usize| {
        let word = ["Alpha", "beta", "GAMMA", "Delta", "epsilon", "Zeta", "ETA", "theta"][n % 8];
        let path = format!("/Docs/{word}{n}");
        let all = [format!("http://x.com{path}"), format!("http://x.com{}", path.to_lowercase())];
        all.to_vec()
    };
    let others = (0..40).map(|n| vec![format!("http://x.com/docs/other{n}")]);
    let groups: Vec<_> = (0..40).map(page).chain(others).collect();
    let (pages, clusters) = crawl(&groups);
    let set = TrainingSet::new(&pages, &clusters);
    let rules = candidates(&set, &TreeConfig::default(), 1).rules;
    assert_eq!(set.canonical(0), groups[0][1]);
    assert_eq!(rules.len(), 1, "{:#?}", notation(&groups));
    assert_eq!(rules[0].apply("http://x.com/Docs/IoTa").as_deref(), Some("http://x.com/docs/iota"));
}

#[test]
fn escaped_titles_and_plain_ones_have_one_rule() {
    let page = |n: usize| {
        let letter = char::from(b'a' + (n % 26) as u8);
        let (plain, escaped) = match n % 2 {
            0 => (format!("t{letter}ng"), format!("t{letter}ng")),
            _ => (format!("t{letter}{letter}(x)"), format!("t{letter}{letter}%28x%29")),
        };
        vec![format!("http://x.com/{plain}"), format!("http://x.com/w/index.php?title={escaped}")]
    };
    let groups: Vec<_> = (0..26).map(page).collect();
    let rules = learned(&groups);
    assert_eq!(rules.len(), 1, "{:#?}", notation(&groups));
    for (source, target) in [
        ("http://x.com/w/index.php?title=M%C3%A4rz", "http://x.com/März"),
        ("http://x.com/w/index.php?title=May", "http://x.com/May"),
    ] {
        assert_eq!(rules[0].apply(source).as_deref(), Some(target));
    }
}

#[test]
fn an_irrelevant_value_becomes_a_star_or_is_deleted() {
    let session = |n: usize| {
        let url = |sid: usize| format!("http://x.com/t{}?id=p{n}&sid={}", n % 7, n * 31 + sid);
        vec![url(0), url(1), url(2)]
    };
    let mut groups: Vec<_> = (0..30).map(session).collect();
    assert!(notation(&groups).iter().any(|rule| rule.ends_with(r#"→ k_sid := "*""#)));
    groups.push(urls(&["x.com/t1?id=q1&sid=1", "x.com/t1?id=q1"]));
    groups.push(urls(&["x.com/t2?id=q2&sid=2", "x.com/t2?id=q2"]));
    let rules = notation(&groups);
    assert!(rules.iter().any(|rule| rule.ends_with("→ k_sid := ⊥")), "{rules:#?}");
    assert!(!rules.iter().any(|rule| rule.ends_with(r#"k_sid := "*""#)), "{rules:#?}");
    assert_eq!(rules.iter().filter(|rule| rule.ends_with("→ k_sid := ⊥")).count(), 1);
}

#[test]
fn a_number_that_one_cluster_alone_has_makes_no_rule() {
    let topic = |t: usize| {
        let posts = (0..4).map(|p| format!("http://x.com/v?f=3&p={}", 1000 + t * 10 + p));
        posts.chain([format!("http://x.com/v?t={t}")]).collect()
    };
    let groups: Vec<Vec<String>> = (0..50).map(topic).collect();
    let (pages, clusters) = crawl(&groups);
    assert_eq!(TrainingSet::new(&pages, &clusters).canonical(7), "http://x.com/v?t=7");
    let adds = |rule: &&String| rule.contains("k_t :=");
    let rules = notation(&groups);
    assert_eq!(rules.iter().filter(adds).count(), 0, "{rules:#?}");
}

#[test]
fn hosts_stay_literal_until_they_are_many() {
    let on = |hosts: usize| {
        let page = |n: usize| {
            let url = format!("h{}.x.com/p{n}", n % hosts);
            urls(&[&url, &format!("{url}/index.html")])
        };
        notation(&(0..30).map(page).collect::<Vec<_>>())
    };
    assert_eq!(on(5).len(), 5);
    let many = on(6);
    assert_eq!(many.len(), 1, "{many:#?}");
    assert!(many[0].starts_with(r#"k(1,-)="http", k(2,-)=*"#) || !many[0].contains("k(2,-)"));
}

#[test]
fn no_urls_and_odd_urls_are_fine() {
    assert!(learned(&[]).is_empty());
    let long = format!("http://x.com/?a={}", "é%20-".repeat(6000));
    let deep = format!("http://x.com{}", "/a".repeat(300));
    let odd =
        ["nonsense", "", "http://", "http://x.com", "http://x.com/?", "x?a;b=%zz", &long, &deep];
    let group: Vec<_> = odd.iter().map(ToString::to_string).collect();
    let twice = [group, urls(&["x.com/?a=1;a=2", "x.com/?a=2;a=1#f"])];
    for rule in learned(&twice) {
        assert_eq!(rule.check(), Ok(()));
        odd.iter().for_each(|url| drop(rule.apply(url)));
    }
}

fn any_url() -> impl Strategy<Value = String> {
    let host = "(http|https)://(x|www\\.x)\\.com";
    let path = "(/(a|b|Cc|p-[0-9]|%20|é)?){0,4}";
    let query = "(\\?([a-c](=(1|22|x%2Fy|Zz)?)?[&;]){0,3})?";
    (host, path, query).prop_map(|(host, path, query)| host + &path + &query)
}

proptest! {
    #[test]
    fn rules_are_meaningful_total_and_the_same_each_time(
        groups in prop::collection::vec(prop::collection::vec(any_url(), 1..6), 0..12),
    ) {
        let rules = learned(&groups);
        for rule in &rules {
            prop_assert_eq!(rule.check(), Ok(()), "{}", rule);
            for url in groups.iter().flatten() {
                if let Some(image) = rule.apply(url) {
                    prop_assert!(undust_url::keyed_url::KeyedUrl::parse(&image).is_some(), "{}", image);
                }
            }
            let json = serde_json::to_string(rule).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Rule>(&json).expect("a rule"), rule.clone());
        }
        prop_assert_eq!(learned(&groups), rules);
    }

    /// Each pairwise rule, with its literal context, gives the target's values.
    #[test]
    fn edits_lead_from_source_to_target(source in any_url(), target in any_url()) {
        let conventions = Conventions::default();
        let parse = |url| UrlComponents::parse(url, &conventions).expect("a URL");
        let (from, to) = (parse(source.as_str()), parse(target.as_str()));
        let edits = pairwise::edits(&from, &to);
        let edited = vec![Edited { source: &source, cluster: 0, edits }];
        let made = address(edited).remove(0).transformation;
        if made.is_empty() {
            return Ok(());
        }
        let changes = made.iter().map(|change| {
            (change.at.key(), change.new.iter().map(|new| new.value()).collect())
        });
        let rule = Rule::Keys(KeyRule { transformation: changes.collect(), ..KeyRule::default() });
        let image = rule.apply(&source).unwrap_or_else(|| source.clone());
        let image = parse(&image);
        let values = |components: &UrlComponents<'_>| {
            let segments: Vec<_> = components.segments.iter().map(|v| v.text.to_owned()).collect();
            let arguments: std::collections::BTreeSet<_> =
                components.arguments.iter().map(|v| format!("{:?} {}", v.component, v.text)).collect();
            (components.scheme.to_owned(), components.host.to_owned(), segments, arguments)
        };
        let mut expected = values(&to);
        if expected.2.is_empty() && !from.segments.is_empty() {
            expected.2.push(String::new());
        }
        prop_assert_eq!(values(&image), expected, "{}", rule);
    }
}

#[test]
fn it_is_said_that_sources_were_sampled() {
    let settings = TreeConfig { sources_per_cluster: 3, ..TreeConfig::default() };
    let notes = |members: usize| {
        let group = (0..members).map(|n| format!("http://x.com/a?s={n}")).collect();
        let (pages, clusters) = crawl(&[group]);
        candidates(&TrainingSet::new(&pages, &clusters), &settings, 1).notes
    };
    assert_eq!(notes(4), Vec::<String>::new());
    assert_eq!(notes(5), ["1 duplicate cluster sampled: more than 3 sources."]);
}

#[test]
fn urls_that_differ_in_the_order_of_arguments_alone_are_counted_and_make_no_rule() {
    let page = |n: usize| urls(&[&format!("x.com/{n}?a=1&b=2"), &format!("x.com/{n}?b=2&a=1")]);
    let (pages, clusters) = crawl(&(0..4).map(page).collect::<Vec<_>>());
    let found = candidates(&TrainingSet::new(&pages, &clusters), &TreeConfig::default(), 1);
    assert!(found.rules.is_empty(), "{:?}", found.rules);
    let note = "4 URLs not used: they differ from the canonical URL only in the order of arguments \
                or the fragment.";
    assert_eq!(found.notes, [note]);
}

/// An optional argument that says nothing leaves open which arguments a URL has, one that may say
/// something does not, and one that every URL has is not asked.
#[test]
fn arguments_of_too_many_values_leave_open_which_there_are() {
    let rules = |argument: &dyn Fn(usize) -> String| {
        let page = |n: usize| {
            let place = format!("x.com/p{n}/");
            urls(&[
                &format!("{place}index.html{}", argument(n)),
                &format!("{place}{}", argument(n)),
            ])
        };
        notation(&(0..36).map(page).collect::<Vec<_>>())
    };
    let optional = |n: usize, values: usize| match n % 3 {
        0 => String::new(),
        _ => format!("?s=v{}", (n / 3 * 2 + n % 3) % values),
    };
    let says_which = |argument: &dyn Fn(usize) -> String| {
        let rules = rules(argument);
        assert!(!rules.is_empty());
        rules.iter().filter(|rule| rule.contains("no other argument")).count() == rules.len()
    };
    let most = TreeConfig::default().max_values;
    assert!(!says_which(&|n| optional(n, most + 1)));
    assert!(says_which(&|n| optional(n, most)));
    assert!(says_which(&|n| format!("?s=v{n}")));
    assert!(says_which(&|_| String::new()));
}

/// URLs of several lengths in one folder, which two clusters may share by chance.
#[test]
fn what_few_clusters_of_several_shapes_share_is_no_context() {
    let rules = |clusters: usize| {
        let page = |n: usize| {
            let folder = format!("x.com/docs{}/p{n}", "/deep".repeat(n));
            urls(&[&format!("{folder}/index.html"), &folder])
        };
        notation(&(0..clusters).map(page).collect::<Vec<_>>())
    };
    let asks = |clusters: usize| {
        let rules = rules(clusters);
        assert_eq!(rules.len(), 1, "{rules:#?}");
        rules[0].contains(r#"k(3,-)="docs""#)
    };
    assert_eq!([2, 3, 4].map(asks), [false, true, true]);
}
