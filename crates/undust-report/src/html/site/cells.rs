//! Cells of tables.

use maud::{Markup, html};

use crate::text::number;

/// A value that is not always known.
pub(super) fn known<T>(value: Option<T>, text: impl Fn(T) -> String) -> Markup {
    html! { (value.map_or_else(|| "–".to_owned(), text)) }
}

pub(super) fn figure(value: f64) -> String {
    format!("{value:.4}")
}

/// A number that matters only where it is not zero.
pub(super) fn loss(count: usize) -> Markup {
    html! { @if count == 0 { span.zero { "0" } } @else { strong.bad { (number(count)) } } }
}
