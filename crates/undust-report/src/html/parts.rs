//! The parts that pages are made of.

use maud::{Markup, html};

use crate::text::{number, shown};

/// Rows of a table that are shown at once.
const FIRST: usize = 10;

/// Rows of a table that the page has.
const MOST: usize = 100;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    heading: &'static str,
    class: &'static str,
}

impl Column {
    /// Of words.
    pub(super) const fn text(heading: &'static str) -> Self {
        Self { heading, class: "text" }
    }

    /// Of texts that are long.
    pub(super) const fn wide(heading: &'static str) -> Self {
        Self { heading, class: "wide" }
    }

    /// Of numbers.
    pub(super) const fn number(heading: &'static str) -> Self {
        Self { heading, class: "number" }
    }
}

/// A heading of this level, with an anchor.
pub(super) fn heading(level: u8, id: &str, text: &str) -> Markup {
    html! {
        @match level {
            2 => h2 id=(id) { bdi { (text) } },
            3 => h3 id=(id) { bdi { (text) } },
            _ => h4 id=(id) { bdi { (text) } },
        }
    }
}

/// A text of a crawl, made safe.
pub(super) fn safe(text: &str) -> String {
    shown(text)
}

/// A URL, a pattern or a notation: read from left to right, and broken anywhere.
pub(super) fn url(text: &str) -> Markup {
    html! { code.url dir="ltr" { (shown(text)) } }
}

/// A URL and what it is rewritten to.
pub(super) fn rewriting(from: &str, to: &str) -> Markup {
    html! {
        div.rewriting {
            (url(from)) " "
            span.arrow { "→ " } (url(to))
        }
    }
}

/// A title, in its own direction.
pub(super) fn title(text: Option<&str>) -> Markup {
    html! {
        @match text {
            Some(text) => bdi.title { (shown(text)) },
            None => span.none { "no title" },
        }
    }
}

/// A share as a bar, next to its number.
pub(super) fn bar(share: f64) -> Markup {
    let width = format!("{:.1}", 100.0 * share.clamp(0.0, 1.0));
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            rect.track width="100" height="10" {}
            rect.part width=(width) height="10" {}
        }
    }
}

/// A table, whose rows are cards where the page is narrow. The first cell of a row is its heading.
pub(super) fn table(
    label: &str,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Markup>>,
) -> Markup {
    html! {
        div.scroll role="region" aria-label=(label) tabindex="0" {
            table {
                thead {
                    tr { @for column in columns { th.(column.class) scope="col" { (column.heading) } } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (at, (cell, column)) in row.iter().zip(columns).enumerate() {
                                @if at == 0 {
                                    th.(column.class) scope="row" { (cell) }
                                } @else {
                                    td.(column.class) data-label=(column.heading) { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A table that shows its first rows, opens some more on a click, and counts the rest.
pub(super) fn listing<R>(
    label: &str,
    columns: &[Column],
    rows: &[R],
    cells: impl Fn(&R) -> Vec<Markup>,
) -> Markup {
    let (first, rest) = rows.split_at(rows.len().min(FIRST));
    let (more, left) = rest.split_at(rest.len().min(MOST - FIRST));
    html! {
        (table(label, columns, first.iter().map(&cells)))
        @if !more.is_empty() {
            details {
                summary { (number(more.len())) " more" }
                (table(&format!("{label}, continued"), columns, more.iter().map(&cells)))
            }
        }
        @if !left.is_empty() {
            p.note { "And " (number(left.len())) " more; " code { "--json" } " and " code { "--csv" } " have them." }
        }
    }
}
