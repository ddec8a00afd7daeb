//! Tables and text for people: within the terminal's width, headings in bold, and without
//! characters that control the terminal.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU8, Ordering};

use clap::ColorChoice;
use comfy_table::{
    Attribute, Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle, presets,
};
use serde::Serialize;

use undust_util::error::{Error, Result};
use undust_util::json::{safe_json, written_out};

/// Rows of a table, unless all are asked for.
pub(super) const MOST_ROWS: usize = 10;

/// Columns of tables and text where the output is not a terminal.
const WIDTH: usize = 80;

/// One line below the headings and one at the end.
const LISTING: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// Columns that the numbers of a table and its short words take, and that a long word may take
/// though the terminal be narrow.
const OTHERS: usize = 90;
const LEAST: usize = 20;

static COLOR: AtomicU8 = AtomicU8::new(0);

/// From now on output is in color so.
pub(super) fn set_color(choice: ColorChoice) {
    COLOR.store(choice as u8, Ordering::Relaxed);
}

/// What was asked for.
pub(super) fn color() -> ColorChoice {
    let is_asked = |choice: &ColorChoice| COLOR.load(Ordering::Relaxed) == *choice as u8;
    [ColorChoice::Always, ColorChoice::Never].into_iter().find(is_asked).unwrap_or_default()
}

/// Whether `NO_COLOR` decides, which it does where nobody asked for anything else.
pub(super) fn is_color_refused() -> bool {
    color() == ColorChoice::Auto
        && std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Whether standard output is in color: where it is a terminal and `NO_COLOR` is not set, if
/// nobody asked for anything else.
fn in_color() -> bool {
    match color() {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => !is_color_refused() && io::stdout().is_terminal(),
    }
}

/// Columns of standard output, if it is a terminal.
pub(super) fn terminal_width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    Table::new().width().map(usize::from)
}

/// Columns for tables and text: those of the terminal, or 80.
pub(super) fn width() -> usize {
    terminal_width().unwrap_or(WIDTH)
}

/// Makes the table fit into these columns, by wrapping its cells.
pub(super) fn fit(table: &mut Table) {
    table
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width()).unwrap_or(u16::MAX));
}

/// A table whose cells cannot control the terminal, whatever is put into them.
pub(super) struct SafeTable(Table);

impl SafeTable {
    /// Without lines.
    pub(super) fn plain() -> Self {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        if terminal_width().is_some() {
            table.set_content_arrangement(ContentArrangement::Dynamic);
        }
        Self(table)
    }

    pub(super) fn add_row<const N: usize>(&mut self, cells: [String; N]) {
        self.0.add_row(cells.map(|cell| safe(&cell).into_owned()));
    }
}

impl Deref for SafeTable {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.0
    }
}

impl DerefMut for SafeTable {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.0
    }
}

impl fmt::Display for SafeTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An empty table, not wider than the terminal.
pub(super) fn new_table<const N: usize>(header: [&str; N]) -> SafeTable {
    with_header(presets::UTF8_HORIZONTAL_ONLY, header)
}

/// An empty table without lines between its rows, within [`width`] columns.
pub(super) fn listing<const N: usize>(header: [&str; N]) -> SafeTable {
    let mut table = with_header(LISTING, header);
    fit(&mut table);
    table
}

fn with_header<const N: usize>(style: TableStyle, header: [&str; N]) -> SafeTable {
    let mut table = SafeTable::plain();
    table.load_style(style);
    if in_color() {
        table.enforce_styling();
        table.set_header(header.map(|name| Cell::new(name).add_attribute(Attribute::Bold)));
    } else {
        table.set_header(header);
    }
    table
}

/// Puts these columns to the right, as numbers stand.
pub(super) fn numbers(table: &mut Table, columns: impl IntoIterator<Item = usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// A URL or another long word for a table: cut where it would take more than a part of the
/// terminal, and without commands to it.
pub(super) fn word(text: &str) -> String {
    let text = safe(text);
    let Some(width) = terminal_width() else { return text.into_owned() };
    cut(&text, width.saturating_sub(OTHERS).max(LEAST))
}

/// A line for a terminal: cut at its width, and without commands to it.
pub(super) fn line(text: &str) -> String {
    let text = safe(text);
    terminal_width().map_or_else(|| text.to_string(), |width| cut(&text, width))
}

/// Text whose lines fit into [`width`] columns where their words do: a line that is too long goes
/// on below, as far to the right as it begins. Words such as URLs are never cut.
pub(super) fn wrapped(text: &str) -> String {
    text.split('\n').map(|line| wrapped_line(line, width())).collect::<Vec<_>>().join("\n")
}

fn wrapped_line(line: &str, width: usize) -> String {
    let mut rest = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - rest.len());
    let mut text = indent.clone();
    while let Some(at) = break_at(rest, width.saturating_sub(indent.len())) {
        // A space is one byte.
        text += &format!("{}\n{indent}", &rest[..at]);
        rest = &rest[at + 1..];
    }
    text + rest
}

/// The space at which a line breaks that is longer than `room`: the last one that fits, or in the
/// second half the last one after a semicolon. An arrow stays with what it points to.
fn break_at(line: &str, room: usize) -> Option<usize> {
    let (mut space, mut semicolon, mut before) = (None, None, ' ');
    for (column, (at, letter)) in line.char_indices().enumerate() {
        if column >= room && space.is_some() && (column > room || letter != ' ') {
            return semicolon.or(space);
        }
        if letter == ' ' && before != '→' {
            space = Some(at);
            if before == ';' && 2 * column >= room {
                semicolon = space;
            }
        }
        before = letter;
    }
    None
}

/// Cuts a text to `most` characters; an ellipsis shows where some are missing.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The text with control characters written out: URLs of a hostile site may hold what moves a
/// terminal's cursor or turns the direction of writing. Line feeds stay.
pub(super) fn safe(text: &str) -> Cow<'_, str> {
    // Writing to a string cannot fail.
    written_out(text, |safe, letter| _ = write!(safe, "{}", letter.escape_unicode()))
}

/// JSON of several lines for programs, and for a terminal all the same: what would command it is
/// escaped, which changes no value.
pub(super) fn json(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(Error::Json)?;
    Ok(safe_json(&text).into_owned())
}

/// [`safe`], on one line.
pub(super) fn safe_line(text: &str) -> String {
    safe(text).replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_the_terminal() {
        assert_eq!(safe("http://x/é\n"), "http://x/é\n");
        assert_eq!(safe("a\u{1b}[31mb\r\u{9b}\u{202e}"), "a\\u{1b}[31mb\\u{d}\\u{9b}\\u{202e}");
        assert_eq!(safe_line("a\nb"), "a\\nb");
        let mut table = SafeTable::plain();
        table.add_row(["\u{1b}[31m".to_owned(), "\u{202e}\na".to_owned()]);
        assert!(!table.to_string().contains(['\u{1b}', '\u{202e}']), "{table}");
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = "\u{1b}[31m\u{7f}\u{9b}\u{202e}\n\"é\\";
        let text = json(&[value]).expect("JSON");
        assert!(text.contains("\\u001b[31m\\u007f\\u009b\\u202e\\n"), "{text}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&text).expect("JSON"), [value]);
    }

    #[test]
    fn long_lines_go_on_below() {
        assert_eq!(wrapped_line("  one two three", 9), "  one two\n  three");
        assert_eq!(wrapped_line("one two", 7), "one two");
        assert_eq!(wrapped_line("   → http://a.test/long", 8), "   → http://a.test/long");
        assert_eq!(wrapped_line("http://a.test/long é é", 4), "http://a.test/long\né é");
        assert_eq!(wrapped_line("one two; three four", 16), "one two;\nthree four");
        assert_eq!(wrapped_line("", 4), "");
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!((cut("äöü", 3).as_str(), cut("äöüß", 3).as_str()), ("äöü", "äö…"));
        assert_eq!(cut("", 0), "");
    }
}
