use proptest::prelude::*;

use super::*;

/// Values as in figure 2 of the paper, with more numbers.
fn attractions() -> Vec<String> {
    let cities = ["Vienna", "Salzburg", "Graz", "Linz", "Bregenz", "Eisenstadt", "Villach"];
    let of = |n: usize| {
        let (id, city) = (17_876_002 + n, cities[n % cities.len()]);
        [
            format!("ctattractions-{id}-Austria_{city}_attractions.html"),
            format!("profile-{id}-Austria_{city}_hotel_{n}.html"),
        ]
    };
    (0..20).flat_map(of).collect()
}

fn learned(values: &[String]) -> DeepTokenizer {
    DeepTokenizer::learn(values.iter().map(String::as_str))
}

#[test]
fn figure_2_anchors_first_what_all_values_share() {
    let values = attractions();
    let tokenizer = learned(&values);
    assert_eq!(tokenizer.roots.len(), 1);
    assert_eq!(tokenizer.roots[0].pattern.to_string(), "*-Austria_*.html");
    let below: Vec<_> =
        tokenizer.roots[0].children.iter().map(|node| node.pattern.to_string()).collect();
    assert_eq!(below, ["ctattractions-*-Austria_*.html", "profile-*-Austria_*.html"]);
}

#[test]
fn figure_2_deep_tokens() {
    let values = attractions();
    let tokenizer = learned(&values);
    for (value, tokens) in [
        (
            "ctattractions-17876002-Austria_Vienna_attractions.html",
            "ctattractions - 17876002 - Austria _ Vienna _ attractions . html",
        ),
        ("profile-7-Austria_Graz_x.html", "profile - 7 - Austria _ Graz _ x . html"),
    ] {
        let pattern = tokenizer.pattern(value).expect("a pattern");
        assert_eq!(pattern.tokens(value).expect("a fit").join(" "), tokens);
    }
    assert_eq!(tokenizer.pattern("index.html"), None);
}

#[test]
fn a_change_of_unit_bounds_an_anchor() {
    let values: Vec<_> = (100..150).map(|n| format!("tt{}", n * 7919)).collect();
    let tokenizer = learned(&values);
    let pattern = tokenizer.pattern("tt0810900").expect("a pattern");
    assert_eq!(pattern.to_string(), "tt*");
    assert_eq!(pattern.tokens("tt0810900"), Some(vec!["tt", "0810900"]));
    assert_eq!(pattern.tokens("ttx"), None);
    assert_eq!(pattern.tokens("tt"), None);
}

#[test]
fn values_without_a_convention_have_no_pattern() {
    let slugs: Vec<_> = (0..500).map(|n| format!("{:x}-{:x}", n * 7919, n * n * 31)).collect();
    assert!(slugs.iter().all(|slug| learned(&slugs).pattern(slug).is_none()));
    let few: Vec<_> = (0..9).map(|n| format!("a{n}")).collect();
    assert_eq!(learned(&few).pattern("a1"), None);
}

#[test]
fn patterns_are_read_and_written() {
    for text in ["", "*", "a*", "*-Austria_*.html", r"a\*b\\*"] {
        assert_eq!(text.parse::<DeepPattern>().expect("a pattern").to_string(), text);
    }
    for text in ["a**b", r"a\", r"\a", &"a".repeat(2000)] {
        assert!(text.parse::<DeepPattern>().is_err(), "{text}");
    }
    assert!(r"a\*b*".parse::<DeepPattern>().expect("a pattern").fits("a*b-1"));
}

#[test]
fn long_and_repetitive_text_is_fine() {
    let pattern: DeepPattern = "a-*-a-a-a*".parse().expect("a pattern");
    let text = "a-".repeat(15_000) + "é";
    let tokens = pattern.tokens(&text);
    assert!(tokens.is_none_or(|tokens| tokens.concat() == text));
}

proptest! {
    #[test]
    fn tokens_put_together_are_the_text(pattern in "[a*1.é%-]{0,8}", text in "[a1.é%2-]{0,16}") {
        if let Ok(pattern) = pattern.parse::<DeepPattern>() {
            if let Some(tokens) = pattern.tokens(&text) {
                prop_assert_eq!(tokens.concat(), text.as_str());
                prop_assert!(tokens.iter().all(|token| !token.is_empty()));
            }
            prop_assert_eq!(pattern.to_string().parse::<DeepPattern>(), Ok(pattern));
        }
    }

    #[test]
    fn a_learned_pattern_fits_one_of_its_values(
        values in prop::collection::vec("(ab|c|é)[-_.%0]{0,2}[0-9]{0,2}[-*](x|yz)?", 0..60),
    ) {
        fn check(nodes: &[Node], values: &[String]) {
            for node in nodes {
                assert!(values.iter().any(|value| node.pattern.fits(value)), "{}", node.pattern);
                check(&node.children, values);
            }
        }
        let tokenizer = learned(&values);
        check(&tokenizer.roots, &values);
        for value in &values {
            let pattern = tokenizer.pattern(value);
            prop_assert!(pattern.is_none_or(|pattern| pattern.fits(value)));
        }
    }

    #[test]
    fn the_order_of_values_is_irrelevant(mut values in prop::collection::vec("[ab][-1]{1,3}", 0..40)) {
        let before = learned(&values);
        values.reverse();
        prop_assert_eq!(learned(&values), before);
    }
}

/// Five at most, of one value in ten at most, that most values have and each about as often.
#[test]
fn anchors_are_few_frequent_and_about_equally_so() {
    let is_usable = |counts: &[usize], values, coverage| {
        let names = ["a", "b", "c", "d", "e", "f"];
        usable(&names.into_iter().zip(counts.iter().copied()).collect(), values, coverage)
    };
    assert!(is_usable(&[50, 50], 100, 1.0) && !is_usable(&[50, 49], 100, 1.0));
    assert!(is_usable(&[20; 5], 100, 1.0) && !is_usable(&[20; 6], 100, 1.0));
    assert!(is_usable(&[10, 10], 20, 1.0) && !is_usable(&[9, 10], 19, 1.0));
    assert!(!is_usable(&[97, 1, 1, 1], 100, 1.0));
}

#[test]
fn variation_is_the_deviation_as_a_share_of_the_mean() {
    assert_eq!(variation([2, 4, 4, 4, 5, 5, 7, 9].iter()), 0.4);
    assert_eq!(variation([3, 3].iter()), 0.0);
}
