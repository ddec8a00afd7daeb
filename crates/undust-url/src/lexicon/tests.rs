use super::*;

#[test]
fn a_star_has_its_kind() {
    assert_eq!(kind("*"), STAR_KIND);
}

#[test]
fn every_delimiter_stands_in_its_place() {
    for (place, text) in (0..).zip(DELIMITERS) {
        assert_eq!(delimiter_place(text.as_bytes()), place);
        assert_eq!(Lexicon::delimiter(text), Some(FIRST_DELIMITER + place));
        assert_eq!(Lexicon::is_mark(FIRST_DELIMITER + place), matches!(text, "-" | "_"));
    }
}

#[test]
fn frequent_pieces_are_words_and_the_others_kinds() {
    let urls: Vec<_> = (0..20).map(|n| format!("http://x.com/user/{n}?tab=t{n}")).collect();
    let lexicon = Lexicon::learn(
        urls.iter().map(String::as_str),
        FrequencyThresholds { word: 0.5, key: 0.5 },
    );
    let (mut shape, mut texts) = (Vec::new(), Vec::new());
    lexicon.read("http://x.com/user/4711/Anne?tab=user", &mut shape, &mut texts);
    let spelled: Vec<_> = shape.iter().map(|symbol| lexicon.spell(*symbol)).collect();
    assert_eq!(spelled.join(""), "http://x.com/user/<1234>/<Word>?tab=user");
    assert_eq!(texts.concat(), "http://x.com/user/4711/Anne?tab=user");
    let rare: Vec<_> =
        shape.iter().map(|symbol| lexicon.spell(lexicon.as_argument(*symbol))).collect();
    assert_eq!(rare.join(""), "<word>://<word>/<word>/<1234>/<Word>?<word>=<word>");
    let again: Lexicon =
        serde_json::from_str(&serde_json::to_string(&lexicon).expect("JSON")).expect("a lexicon");
    assert_eq!(again, lexicon);
}

#[test]
fn a_word_is_what_enough_urls_have() {
    let url = |n: usize| {
        let word = if n < 10 {
            "often"
        } else if n < 19 {
            "seldom"
        } else {
            "new"
        };
        format!("http://a.test/{word}/x{n}?k{}=1", n / 4)
    };
    let urls: Vec<String> = (0..100).map(url).collect();
    let lexicon = Lexicon::learn(
        urls.iter().map(String::as_str),
        FrequencyThresholds { word: 0.1, key: 0.04 },
    );
    let has = |text: &str| lexicon.words.iter().any(|word| word.text == text);
    assert!(has("often") && has("new") && !has("seldom") && has("k7"), "{:?}", lexicon.words);
}

/// How many values one argument has says nothing of another.
#[test]
fn the_values_of_a_choice_are_words_however_rare() {
    let url = |n: usize| {
        let word = |n: usize| char::from(b'a' + (n % 26) as u8);
        let many = format!("{}{}{}", word(n), word(n / 26), word(n / 7));
        format!("http://a.test/?many={many}&few={}", if n < 4 { "seldom" } else { "often" })
    };
    let urls: Vec<String> = (0..200).map(url).collect();
    let lexicon = Lexicon::learn(
        urls.iter().map(String::as_str),
        FrequencyThresholds { word: 0.1, key: 0.1 },
    );
    let words = lexicon.words.iter().filter(|word| !word.key).map(|word| word.text.as_str());
    assert_eq!(words.collect::<Vec<_>>(), ["a.test", "http", "often", "seldom"]);
}

#[test]
fn long_numbers_and_hashes_are_no_words_however_frequent() {
    let named = ["123", "2024", "deadbeef00"];
    assert!(named.into_iter().all(names_one_thing));
    assert!(!["", "1", "12", "12a", "deadbeef", "news"].into_iter().any(names_one_thing));
}
