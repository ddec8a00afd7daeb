//! Words that look drawn at random, as sessions are: eight hexadecimal digits or more, or sixteen letters and digits, both
//! in turns. Dates, numbers and words of a language are not.

/// Letters of a UUID.
const UUID: usize = 36;

/// Whether a text looks drawn, its dashes left aside, or a word of it does.
pub(super) fn is_drawn(text: &str) -> bool {
    let is_dash = |byte: u8| matches!(byte, b'-' | b'_');
    let is_one = text.bytes().all(|byte| is_dash(byte) || byte.is_ascii_alphanumeric());
    (is_one && is_drawn_word(text.bytes().filter(|byte| !is_dash(*byte))))
        || text.split(is_between).any(|word| is_drawn_word(word.bytes()))
}

/// A text with a star for each word or UUID that looks drawn; none if there is none.
pub(super) fn starred(text: &str) -> Option<String> {
    // Most texts have none, and take no memory.
    let (mut starred, mut copied, mut start) = (String::new(), 0, 0);
    while start < text.len() {
        let rest = &text[start..];
        let is_uuid = is_uuid(rest);
        let len = if is_uuid { UUID } else { rest.find(is_between).unwrap_or(rest.len()) };
        if is_uuid || is_drawn_word(rest[..len].bytes()) {
            starred.push_str(&text[copied..start]);
            starred.push('*');
            copied = start + len;
        }
        let next = rest[len..].find(|one| !is_between(one));
        start += next.map_or(rest.len(), |next| len + next);
    }
    starred.push_str(if copied > 0 { &text[copied..] } else { "" });
    (copied > 0).then_some(starred)
}

/// The name of an argument; a star for all that look drawn or are numbers.
pub(super) fn named(name: &str) -> &str {
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if is_number || is_drawn(name) { "*" } else { name }
}

/// Whether a text begins with a UUID.
fn is_uuid(text: &str) -> bool {
    let is_dash = |place: usize| matches!(place, 8 | 13 | 18 | 23);
    let is_right = |(place, byte): (usize, u8)| match is_dash(place) {
        true => byte == b'-',
        false => byte.is_ascii_hexdigit(),
    };
    let is_longer = text.as_bytes().get(UUID).is_some_and(u8::is_ascii_alphanumeric);
    !is_longer && text.get(..UUID).is_some_and(|id| id.bytes().enumerate().all(is_right))
}

/// Whether this stands between words.
fn is_between(letter: char) -> bool {
    !letter.is_ascii_alphanumeric()
}

fn is_drawn_word(word: impl Iterator<Item = u8> + Clone) -> bool {
    let (len, digits) = (word.clone().count(), word.clone().filter(u8::is_ascii_digit).count());
    let is_hex = word.clone().all(|byte| byte.is_ascii_hexdigit());
    let turns = word.clone().zip(word.skip(1));
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
            ("550e8400-e29b-41d4-a716-446655440000", "*"),
            ("about-550e8400-e29b-41d4-a716-446655440000.html", "about-*.html"),
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
        // What is cut by dashes has no star, but looks drawn as a whole.
        for text in ["3f2a-91c7-0a1b-2c3d", "k3v9q0x7-m2z8p1w4c6"] {
            assert!(is_drawn(text) && starred(text).is_none(), "{text}");
        }
        assert!(named.into_iter().all(|text| !is_drawn(text) && starred(text).is_none()));
    }

    proptest! {
        #[test]
        fn what_is_starred_looks_drawn_no_more(text in "([a-f0-9]{6,9}|[a-z/.é-]){0,12}") {
            let starred = starred(&text);
            prop_assert!(starred.is_none() || is_drawn(&text));
            prop_assert!(starred.is_none_or(|starred| super::starred(&starred).is_none()));
        }
    }
}
