//! What an edit does, in words.

/// The edit with this notation in words; none where its notation says it as well.
pub(crate) fn words(notation: &str) -> Option<String> {
    if let Some(own) = notation.strip_prefix("network: ") {
        return Some(format!("{}, as a network proposed", words(own)?));
    }
    let parts: Vec<Option<String>> = notation.split(" and ").map(part).collect();
    let parts: Option<Vec<String>> = parts.into_iter().collect();
    let text = parts?.join(", and ");
    let first = text.chars().next()?;
    Some(first.to_uppercase().chain(text.chars().skip(1)).collect())
}

fn part(notation: &str) -> Option<String> {
    if notation == "drop the path" {
        return Some("leave out the path".to_owned());
    }
    if let Some(argument) = notation.strip_prefix("drop ?") {
        return Some(match argument.split_once('=') {
            Some((name, value)) => {
                format!("leave out the argument “{name}” where it is “{value}”")
            }
            None => format!("leave out the argument “{argument}”"),
        });
    }
    if let Some(rest) = notation.strip_prefix("cut ?") {
        let (name, words) = rest.split_once(" after its first ")?;
        return Some(format!("keep only the first {words} of the argument “{name}”"));
    }
    if let Some(rest) = notation.strip_prefix("path piece ") {
        let piece = rest.strip_suffix(" → *")?;
        return Some(format!("ignore piece {piece} of the path"));
    }
    let (from, to) = notation.split_once(" → ")?;
    Some(match to.trim() {
        "" => format!("leave out “{from}”"),
        to => format!("write “{to}” for “{from}”"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_put_in_words() {
        for (notation, expected) in [
            ("drop ?next", "Leave out the argument “next”"),
            ("drop ?page=1", "Leave out the argument “page” where it is “1”"),
            ("drop ?a and drop ?b", "Leave out the argument “a”, and leave out the argument “b”"),
            ("cut ?h after its first word", "Keep only the first word of the argument “h”"),
            ("cut ?h after its first 2 words", "Keep only the first 2 words of the argument “h”"),
            ("path piece 3 → *", "Ignore piece 3 of the path"),
            ("drop the path", "Leave out the path"),
            ("/print → ", "Leave out “/print”"),
            ("/? → /flask?", "Write “/flask?” for “/?”"),
            ("network: drop ?a", "Leave out the argument “a”, as a network proposed"),
        ] {
            assert_eq!(words(notation).as_deref(), Some(expected));
        }
        assert_eq!(words("substitute"), None);
        assert_eq!(words(""), None);
    }
}
