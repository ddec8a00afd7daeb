//! Templates by the paper's examples.

use super::*;

fn rule(mode: DfMode) -> FunctionRule {
    FunctionRule { threshold: 0.01, key_threshold: 0.001, mode }
}

fn learn<'u>(urls: &'u [String], mode: DfMode) -> (DocumentFrequencies<'u>, Vocabulary) {
    let df =
        DocumentFrequencies::count(urls.iter().map(String::as_str), Delimiters::default(), mode);
    let vocabulary = Vocabulary::learn(&df, &rule(mode));
    (df, vocabulary)
}

fn users() -> Vec<String> {
    (0..300).map(|n| format!("http://stackexchange.com/user/{n}/name{n}?tab={n}")).collect()
}

fn spell(vocabulary: &Vocabulary, url: &str) -> String {
    let mut reading = Reading::default();
    vocabulary.read(url, &mut reading);
    let words: Vec<_> =
        reading.template.iter().map(|s| vocabulary.spellings()[*s as usize].as_str()).collect();
    words.join(" ")
}

#[test]
fn arguments_are_numbered_from_the_left() {
    let urls = users();
    let (_, vocabulary) = learn(&urls, DfMode::Pooled);
    assert_eq!(
        spell(&vocabulary, "http://stackexchange.com/user/123/mike"),
        "http: stackexchange.com user arg1 arg2"
    );
}

#[test]
fn a_name_of_the_query_is_no_word_in_typed_mode() {
    let urls = users();
    let (_, vocabulary) = learn(&urls, DfMode::Typed);
    assert_eq!(
        spell(&vocabulary, "http://stackexchange.com/tab?tab=7"),
        "http: stackexchange.com arg1 ? ?tab = arg2"
    );
}

#[test]
fn one_per_cent_of_the_urls_makes_a_function_token() {
    let rule = rule(DfMode::Pooled);
    assert_eq!(rule.least(false, 600), 6);
    assert_eq!(rule.least(false, 601), 7);
    assert_eq!(rule.least(false, 20), 3);
}

#[test]
fn a_text_that_spells_a_placeholder_stays_an_argument() {
    let urls: Vec<_> = (0..50).map(|n| format!("http://x.com/arg1/{n}")).collect();
    let (_, vocabulary) = learn(&urls, DfMode::Pooled);
    assert_eq!(spell(&vocabulary, "http://x.com/arg1/9"), "http: x.com arg1 arg2");
}

#[test]
fn a_template_with_its_arguments_is_the_url() {
    let urls = users();
    for mode in [DfMode::Pooled, DfMode::Typed] {
        let (_, vocabulary) = learn(&urls, mode);
        for url in ["http://stackexchange.com/user/1//x/?tab=3&tab#", "http://.?", "", "é/?//"] {
            let mut reading = Reading::default();
            vocabulary.read(url, &mut reading);
            assert_eq!(
                vocabulary.write(&reading.template, &reading.arguments).as_deref(),
                Some(url)
            );
        }
    }
}

#[test]
fn a_missing_argument_cannot_be_written() {
    let urls = users();
    let (_, vocabulary) = learn(&urls, DfMode::Pooled);
    assert_eq!(vocabulary.write(&[Vocabulary::argument(2)], &["one"]), None);
    assert_eq!(vocabulary.write(&[UNK], &["one"]), None);
}

#[test]
fn spellings_make_the_same_vocabulary() {
    let urls = users();
    let (_, mut vocabulary) = learn(&urls, DfMode::Typed);
    vocabulary.add_literal("anzer");
    let again = Vocabulary::from_spellings(
        vocabulary.spellings(),
        1,
        vocabulary.delimiters(),
        DfMode::Typed,
    );
    let again = again.expect("the spellings of a vocabulary");
    assert_eq!(again.spellings(), vocabulary.spellings());
    let url = "http://stackexchange.com/user/anzer?tab=1";
    assert_eq!(spell(&again, url), spell(&vocabulary, url));
    assert!(
        Vocabulary::from_spellings(
            &vocabulary.spellings()[1..],
            1,
            vocabulary.delimiters(),
            DfMode::Typed
        )
        .is_none()
    );
}

#[test]
fn a_placeholder_has_its_number() {
    for number in 1..=ARGUMENTS {
        assert_eq!(Vocabulary::argument_number(Vocabulary::argument(number)), Some(number));
    }
    for other in [FIRST_ARGUMENT - 1, FIRST_TEXT, Vocabulary::argument(0)] {
        assert_eq!(Vocabulary::argument_number(other), None);
    }
}
