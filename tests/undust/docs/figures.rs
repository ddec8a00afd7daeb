//! Figures in documents are those of `docs/figures.json`. A document marks them by comments:
//!
//! * before a table, `<!-- figures | | all/{}/f1 | … -->` names the figure of each column, where `{}` is
//!   the code in the first cell of a row. An empty column is text. `{}/auto` alone is F1 and, behind
//!   a stroke, the clusters lost, if any. A figure that was not measured is a dash.
//! * in a text, `<!-- figure: all/auto/f1 -->0.822<!-- / -->`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Figures, accepts_anew};

/// What of a document is not what the file says. Where that is accepted anew, it is written instead.
pub(super) fn check(path: &Path, figures: &Figures) -> Option<String> {
    let text = fs::read_to_string(path).expect("a document");
    let right = with_figures(&text, figures);
    if right == text {
        return None;
    }
    if accepts_anew() {
        fs::write(path, right).expect("a document can be written");
        return None;
    }
    let differ = text.lines().zip(right.lines()).find(|(line, right)| line != right);
    let (line, right) = differ.unwrap_or_default();
    Some(format!("{}: {line}\nbut measured: {right}", path.display()))
}

fn with_figures(text: &str, figures: &Figures) -> String {
    let mut columns: Option<Vec<&str>> = None;
    let mut row = 0;
    let line = |line| {
        if let Some(named) = table(line) {
            (columns, row) = (Some(named), 0);
            return line.to_owned();
        }
        row += 1;
        match &columns {
            // The names of the columns, and the strokes below them.
            Some(_) if row <= 2 && line.starts_with('|') => line.to_owned(),
            Some(columns) if line.starts_with('|') => with_cells(line, columns, figures),
            _ => {
                columns = None;
                within(line, figures)
            }
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The figures of a table's columns, if a line names them.
fn table(line: &str) -> Option<Vec<&str>> {
    let columns = line.strip_prefix("<!-- figures |")?.strip_suffix("-->")?;
    Some(columns.trim_end().trim_end_matches('|').split('|').map(str::trim).collect())
}

fn with_cells(line: &str, columns: &[&str], figures: &Figures) -> String {
    let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
    assert_eq!(cells.len(), columns.len(), "cells and columns: {line}");
    let name = cells[0].split('`').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
    let cell = |(cell, column): (&&str, &&str)| {
        if column.is_empty() {
            (*cell).to_owned()
        } else {
            stated(&column.replace("{}", &name), cell, figures)
        }
    };
    let cells: Vec<_> = cells.iter().zip(columns).map(cell).collect();
    format!("| {} |", cells.join(" | "))
}

/// A cell with its figure, bold where it was.
fn stated(name: &str, cell: &str, figures: &Figures) -> String {
    let figure = |name: &str| figures.get(name).map(shown);
    let found = figure(name).or_else(|| {
        let f1 = figure(&format!("{name}/f1"))?;
        let lost = figure(&format!("{name}/lost")).filter(|lost| lost != "0");
        Some(f1 + &lost.map(|lost| format!(" / {lost}")).unwrap_or_default())
    });
    let bold = if cell.starts_with("**") { "**" } else { "" };
    format!("{bold}{}{bold}", found.as_deref().unwrap_or("–"))
}

/// A line of text with its figures.
fn within(line: &str, figures: &Figures) -> String {
    const END: &str = "<!-- / -->";
    let begins = line.trim_start().starts_with("<!-- figure:");
    assert!(!begins, "a comment that begins a line ends its paragraph: {line}");
    let mut parts = line.split("<!-- figure: ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->").expect("a figure has a name");
        let (_, rest) = rest.split_once(END).expect("a figure ends in its line");
        let value = figures.get(name).unwrap_or_else(|| panic!("no figure is called {name}"));
        text += &format!("<!-- figure: {name} -->{}{END}{rest}", shown(value));
    }
    text
}

/// Three decimals, or an integer with commas.
fn shown(value: &Value) -> String {
    match (value.as_str(), value.as_i64()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(count)) => with_commas(&count.to_string()),
        (None, None) => format!("{:.3}", value.as_f64().expect("a number")),
    }
}

fn with_commas(digits: &str) -> String {
    match digits.len().checked_sub(3) {
        Some(at) if at > 0 && digits.as_bytes()[at - 1].is_ascii_digit() => {
            format!("{},{}", with_commas(&digits[..at]), &digits[at..])
        }
        _ => digits.to_owned(),
    }
}

#[test]
fn a_document_gets_the_figures_that_it_names() {
    let figures = Figures::of(&[
        ("all/auto/f1", 0.8216.into()),
        ("all/auto/lost", 1_234_567.into()),
        ("all/auto k=2/lost", 0.into()),
        ("all/auto k=2/f1", 1.0.into()),
        ("all/auto/interval", "1–2".into()),
        ("a/auto/lost", (-1234).into()),
    ]);
    let text = "One <!-- figure: all/auto/lost -->7<!-- / --> and <!-- figure: a/auto/lost --><!-- / -->.\n\
        <!-- figures | | all/{} | all/{}/lost | all/{}/interval | -->\n\
        | method `x` | F1 | lost | |\n|---|---|---|---|\n\
        | **`auto`** | **0.1** | | 3 |\n| `auto`, `k=2` | 9 | 9 | 9 |\n| `tree` | 1 | 2 | 3 |\n\n\
        | `auto` | untouched | | |\n";
    let right = "One <!-- figure: all/auto/lost -->1,234,567<!-- / --> and \
        <!-- figure: a/auto/lost -->-1,234<!-- / -->.\n\
        <!-- figures | | all/{} | all/{}/lost | all/{}/interval | -->\n\
        | method `x` | F1 | lost | |\n|---|---|---|---|\n\
        | **`auto`** | **0.822 / 1,234,567** | 1,234,567 | 1–2 |\n\
        | `auto`, `k=2` | 1.000 | 0 | – |\n| `tree` | – | – | – |\n\n\
        | `auto` | untouched | | |\n";
    assert_eq!(with_figures(text, &figures), right);
    assert_eq!(with_figures(right, &figures), right);
}
