//! Words that look drawn at random, as sessions are: eight hexadecimal digits or more, or sixteen letters and digits, both
//! in turns. Dates, numbers and words of a language are not.

/// Whether a word of a text looks drawn.
pub(super) fn is_drawn(text: &str) -> bool {
    text.split(is_between).any(is_drawn_word)
}

/// A text with a star for each word that looks drawn; none if there is none.
pub(super) fn starred(text: &str) -> Option<String> {
    let mut starred = String::with_capacity(text.len());
    for part in text.split_inclusive(is_between) {
        let word = part.trim_end_matches(is_between);
        starred.push_str(if is_drawn_word(word) { "*" } else { word });
        starred.push_str(&part[word.len()..]);
    }
    (starred != text).then_some(starred)
}

/// Whether this stands between words.
fn is_between(letter: char) -> bool {
    !letter.is_ascii_alphanumeric()
}

fn is_drawn_word(word: &str) -> bool {
    let (len, digits) = (word.len(), word.bytes().filter(u8::is_ascii_digit).count());
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let turns = word.bytes().zip(word.bytes().skip(1));
    let turns = turns.filter(|(one, next)| one.is_ascii_digit() != next.is_ascii_digit()).count();
    (is_hex && len >= 8 && (1..len).contains(&digits)) || (len >= 16 && turns >= 4)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sessions_look_drawn_and_names_do_not() {
        let drawn = [
            ("3f2a91c7", "*"),
            ("0A1B2C3D", "*"),
            ("k3v9q0x7m2z8p1w4c6", "*"),
            ("550e8400-e29b-41d4-a716-446655440000", "*-e29b-41d4-a716-446655440000"),
            ("(S(3f2a91c7))", "(S(*))"),
            ("about-3f2a91c7.3f2a91c8.html", "about-*.*.html"),
        ];
        for (text, expected) in drawn {
            assert!(is_drawn(text) && starred(text).as_deref() == Some(expected), "{text}");
        }
        let named = [
            "",
            "153",
            "20260101",
            "1234567890123",
            "2026-11-28",
            "decade",
            "delta-stone-0",
            "top10",
            "page2",
        ];
        assert!(named.into_iter().all(|text| !is_drawn(text) && starred(text).is_none()));
    }

    proptest! {
        #[test]
        fn what_is_starred_looks_drawn_no_more(text in "([a-f0-9]{6,9}|[a-z/.é-]){0,12}") {
            let starred = starred(&text);
            prop_assert_eq!(starred.is_some(), is_drawn(&text));
            prop_assert!(starred.is_none_or(|starred| !is_drawn(&starred)));
        }
    }
}
