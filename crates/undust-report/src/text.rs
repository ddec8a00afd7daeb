//! Texts of a crawl, made safe to look at: cut, and without what would turn or hide the rest of a line.

use std::fmt::Write;

use undust_util::plural;

/// Characters of a text that a report keeps.
const KEPT: usize = 2_000;

/// Characters of a text that the page shows.
const SHOWN: usize = 240;

/// Characters of the end that stay where the page cuts a text.
const SHOWN_END: usize = 60;

/// The text, cut where it is very long.
pub(crate) fn kept(text: &str) -> String {
    match text.char_indices().nth(KEPT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A text for the page: cut in its middle where it is long, with characters written out that command a terminal, turn
/// the direction of writing, or cannot be seen.
pub(crate) fn shown(text: &str) -> String {
    let count = text.chars().take(KEPT + 2).count();
    if count <= SHOWN {
        return written_out(text.chars());
    }
    let front = text.chars().take(SHOWN - SHOWN_END);
    let end: Vec<char> = text.chars().rev().take(SHOWN_END).collect();
    written_out(front) + " … " + &written_out(end.into_iter().rev())
}

fn written_out(letters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for letter in letters {
        if is_hidden(letter) {
            // Writing to a string cannot fail.
            _ = write!(text, "{}", letter.escape_unicode());
        } else {
            text.push(letter);
        }
    }
    text
}

/// Controls, marks of direction, and characters without a width.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A number with its thousands set apart by a narrow space that does not break.
pub(crate) fn number(count: impl TryInto<i64>) -> String {
    let Ok(count) = count.try_into() else { return "many".to_owned() };
    let digits = count.unsigned_abs().to_string();
    let mut text = if count < 0 { "−".to_owned() } else { String::new() };
    for (at, digit) in digits.chars().enumerate() {
        // As journals have it, four digits stay together.
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.len() > 4 {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// What is counted, in as many as there are, with its number in groups.
pub(crate) fn counted(count: usize, what: &str) -> String {
    plural::counted(count, what).replacen(&count.to_string(), &number(count), 1)
}

/// A share in percent, with one decimal; two where it is small.
pub(crate) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let decimals = if percent != 0.0 && percent.abs() < 1.0 { 2 } else { 1 };
    format!("{percent:.decimals$}\u{202f}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_written_out() {
        assert_eq!(shown("a\u{202e}b\u{0}\u{200b}\r\n"), "a\\u{202e}b\\u{0}\\u{200b}\\u{d}\\u{a}");
        assert_eq!(shown("é שלום"), "é שלום");
    }

    #[test]
    fn what_is_long_keeps_both_ends() {
        let long = format!("http://a.test/{}?end", "é".repeat(1_000_000));
        let short = shown(&kept(&long));
        assert!(short.starts_with("http://a.test/é") && short.contains(" … "), "{short}");
        assert!(short.chars().count() <= SHOWN + 3);
        assert!(kept(&long).chars().count() == KEPT + 1);
        assert_eq!(kept("http://a.test/"), "http://a.test/");
    }

    #[test]
    fn numbers_are_grouped() {
        let grouped = [0_i64, 12, 1234, 12_345, -1_234_567].map(number);
        assert_eq!(
            grouped,
            ["0", "12", "1234", "12\u{202f}345", "−1\u{202f}234\u{202f}567"].map(str::to_owned)
        );
        assert_eq!(
            (percent(0.453), percent(0.0012), percent(0.0)),
            ("45.3\u{202f}%".into(), "0.12\u{202f}%".into(), "0.0\u{202f}%".into())
        );
    }
}
