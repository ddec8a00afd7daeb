//! The parts that pages are made of.

use maud::{Markup, html};

use crate::text::{number, shown};

/// Rows of a table that are shown at once.
const FIRST: usize = 10;

/// Rows of a table that the page has.
const MOST: usize = 100;

/// A column of a table, and what it shows of a row.
pub(super) struct Column<R> {
    heading: &'static str,
    class: &'static str,
    cell: fn(&R) -> Markup,
}

impl<R> Column<R> {
    /// Of words.
    pub(super) fn text(heading: &'static str, cell: fn(&R) -> Markup) -> Self {
        Self { heading, class: "text", cell }
    }

    /// Of texts that are long.
    pub(super) fn wide(heading: &'static str, cell: fn(&R) -> Markup) -> Self {
        Self { heading, class: "wide", cell }
    }

    /// Of numbers.
    pub(super) fn number(heading: &'static str, cell: fn(&R) -> Markup) -> Self {
        Self { heading, class: "number", cell }
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
pub(super) fn table<R>(label: &str, columns: &[Column<R>], rows: &[R]) -> Markup {
    html! {
        div.scroll role="region" aria-label=(label) tabindex="0" {
            table {
                thead {
                    tr { @for column in columns { th.(column.class) scope="col" { (column.heading) } } }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (at, column) in columns.iter().enumerate() {
                                @if at == 0 {
                                    th.(column.class) scope="row" { ((column.cell)(row)) }
                                } @else {
                                    td.(column.class) data-label=(column.heading) { ((column.cell)(row)) }
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
pub(super) fn listing<R>(label: &str, columns: &[Column<R>], rows: &[R]) -> Markup {
    let (first, rest) = rows.split_at(rows.len().min(FIRST));
    let (more, left) = rest.split_at(rest.len().min(MOST - FIRST));
    html! {
        (table(label, columns, first))
        @if !more.is_empty() {
            details {
                summary { (number(more.len())) " more" }
                (table(&format!("{label}, continued"), columns, more))
            }
        }
        @if !left.is_empty() {
            p.note { "And " (number(left.len())) " more; " code { "--json" } " and " code { "--csv" } " have them." }
        }
    }
}
