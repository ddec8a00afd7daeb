//! Cells of tables.

use maud::{Markup, html};

use crate::text::{number, percent};

pub(super) fn count(value: Option<impl TryInto<i64>>) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), number)) }
}

pub(super) fn share(value: Option<f64>) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), percent)) }
}

pub(super) fn figure(value: Option<f64>) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))) }
}

/// A number that matters only where it is not zero.
pub(super) fn loss(count: usize) -> Markup {
    html! { @if count == 0 { span.zero { "0" } } @else { strong.bad { (number(count)) } } }
}
