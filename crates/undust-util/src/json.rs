//! JSON as it is written. What would command a terminal is escaped in it, which changes no value:
//! URLs of a hostile site may hold what moves a cursor or turns the direction of writing.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

/// Whether a letter may move a terminal's cursor or turn the direction of writing.
pub fn commands(letter: char) -> bool {
    letter.is_control() && letter != '\n'
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with such letters written out in this way.
pub fn written_out(text: &str, write: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match commands(letter) {
            true => write(&mut safe, letter),
            false => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

/// JSON with such letters escaped, which stand in its texts alone. None takes more than 16 bits.
pub fn safe_json(text: &str) -> Cow<'_, str> {
    // Writing to a string cannot fail.
    written_out(text, |safe, letter| _ = write!(safe, "\\u{:04x}", u32::from(letter)))
}

/// Appends a value on one line.
pub fn append(text: &mut Vec<u8>, value: &impl Serialize) -> serde_json::Result<()> {
    let start = text.len();
    serde_json::to_writer(&mut *text, value)?;
    // With one of these bytes such a letter begins, unless it is escaped already. Hardly any URL has
    // one, and a look at the whole line is cheaper than one at each of its texts.
    if memchr::memchr3(0x7f, 0xc2, 0xe2, &text[start..]).is_some()
        && let Ok(Cow::Owned(safe)) = std::str::from_utf8(&text[start..]).map(safe_json)
    {
        text.truncate(start);
        text.extend_from_slice(safe.as_bytes());
    }
    Ok(())
}

/// The same as bytes.
pub fn to_vec(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = Vec::new();
    append(&mut text, value)?;
    Ok(text)
}

/// A value as a file that people may read: indented, and with a line feed at its end.
pub fn pretty(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a value on a line of its own.
pub fn write_line(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    let mut line = to_vec(value)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Bytes of what is wrong with a line: serde_json quotes what it found, which may be megabytes long.
const MOST_DETAIL: usize = 1000;

/// What is wrong with JSON that was read alone, so that the number of its line, always 1, says nothing.
pub fn detail(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let detail = message.split(" at line ").next().unwrap_or(&message);
    detail[..detail.floor_char_boundary(MOST_DETAIL)].to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_commands_is_escaped() {
        let value = "é\u{9b}a\u{7f}\u{a0}\u{202e}’\u{1b}\n\"";
        let text = String::from_utf8(to_vec(&value).expect("JSON")).expect("text");
        assert_eq!(text, "\"é\\u009ba\\u007f\u{a0}\\u202e’\\u001b\\n\\\"\"");
        let all: String = (0..=0x2070).filter_map(char::from_u32).collect();
        let text = String::from_utf8(to_vec(&all).expect("JSON")).expect("text");
        assert!(!text.contains(commands), "{text}");
    }

    proptest! {
        #[test]
        fn every_value_stays_what_it_is(value in "\\PC*|[\u{7f}-\u{a0}\u{2000}-\u{2070}\"\\\\]*") {
            let json = to_vec(&[&value]).expect("JSON");
            prop_assert_eq!(serde_json::from_slice::<[String; 1]>(&json).expect("JSON"), [value]);
        }
    }
}
