use proptest::prelude::*;

use super::*;

#[test]
fn accents_are_composed_where_a_letter_has_them() {
    for (text, expected) in [
        ("cafe%CC%81_e%CC%81t", Some("caf%C3%A9_%C3%A9t")),
        ("%E1%84%92%E1%85%A1%E1%86%AB", Some("%ED%95%9C")),
        ("a%CC%A3%CC%87", Some("%E1%BA%A1%CC%87")),
        ("a%CC%87%CC%A3", Some("%E1%BA%A1%CC%87")),
        ("e\u{301}x", Some("\u{e9}x")),
        ("e%CC%81\u{301}", Some("%C3%A9%CC%81")),
        ("\u{212a}", Some("K")),
        ("%CD%BE\u{37e}", Some("%3B%3B")),
        ("%3D%CC%B8", None),
        ("=%CC%B8", None),
        ("%2F%CC%81", None),
        ("caf%C3%A9", None),
        ("caf%E9e%CC", None),
        ("%CC%81", None),
        ("", None),
    ] {
        assert_eq!(composed::composed(text, values::Part::Value).as_deref(), expected, "{text}");
    }
}

proptest! {
    /// Composing agrees with the whole text's normal form where nothing is next to a delimiter.
    #[test]
    fn composed_text_is_composed(text in "([a-zA-Z0-9]|\\PC|[\u{300}-\u{345}]|[\u{1100}-\u{11ff}]){0,12}") {
        let text: String = text.chars().filter(|letter| letter.is_alphanumeric() || !letter.is_ascii()).collect();
        let escaped = percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let nfc = icu_normalizer::ComposingNormalizerBorrowed::new_nfc().normalize(&text);
        let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        for text in [&text, &escaped] {
            let once = composed::composed(text, values::Part::Value).unwrap_or_else(|| text.clone());
            prop_assert_eq!(decoded(&once), &*nfc);
            prop_assert_eq!(composed::composed(&once, values::Part::Value), None);
        }
    }

    /// Whatever changes may change: a shape is not asked then.
    #[test]
    fn what_changes_is_told_before(
        url in "http://x\\.com/[ae%CC81+]{0,9}(%2[8F])?\\?([qr](\\[[01]\\]|%5B[01]%5D|[01])?=[ae+]{0,3}(%CC%81|%2C)?[&;]?){0,5}(#[&q])?",
    ) {
        for respelling in Respelling::ALL {
            let respelled = respelling.respelled(&url, &|_| true);
            if let Some(Respelled { url: written, places }) = respelled {
                prop_assert!(!places.is_empty() && written != url);
                prop_assert!(respelling.respelled(&written, &|_| true).is_none(), "{}", written);
                prop_assert!(places.iter().all(|place| place::differ(place, &url, &written)));
                prop_assert!(respelling.respelled(&url, &|_| false).is_none());
            }
        }
    }
}
