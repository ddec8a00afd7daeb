//! Arguments of one name: those that repeat another, and the order of their values.
//!
//! Only where one character stands between any two arguments: otherwise `;` may be a part of a value.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Respelled;
use super::numbered::{number, parts_of_number, unnumbered};
use super::place::{of_argument, of_values};
use crate::conventions::query::Query;

/// Whether a name, numbered or not, may stand twice in the query of a URL, or of this part of one.
pub(super) fn has_name_twice(text: &[u8]) -> bool {
    let text = &text[..memchr::memchr(b'#', text).unwrap_or(text.len())];
    let query = memchr::memchr(b'?', text).map_or(text, |mark| &text[mark + 1..]);
    let parts = |byte: &u8| matches!(byte, b'&' | b';');
    if !query.iter().any(parts) {
        return false;
    }
    let name = |argument: &[u8]| memchr::memchr(b'=', argument).unwrap_or(argument.len());
    let names = query.split(parts).map(|argument| &argument[..name(argument)]);
    let mut names: Vec<&[u8]> = names.map(parts_of_number).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// `url` with each argument once; nothing where it is so. Empty arguments stay.
pub(super) fn once(url: &str, holds: &dyn Fn(&str) -> bool) -> Option<Respelled> {
    let mut query = Query::of(url).filter(Query::has_one_separator)?;
    let (mut seen, mut places) = (FxHashSet::default(), Vec::new());
    query.arguments.retain(|argument| {
        if argument.text.is_empty() || seen.insert(argument.text) {
            return true;
        }
        let place = of_argument(argument);
        let is_kept = !holds(&place);
        if !is_kept && !places.contains(&place) {
            places.push(place);
        }
        is_kept
    });
    (!places.is_empty()).then(|| Respelled { url: query.written(), places })
}

/// `url` with the values of each name in order, those of numbered names by their numbers; nothing where they are.
/// Other arguments stay in their places.
pub(super) fn in_order(url: &str, holds: &dyn Fn(&str) -> bool) -> Option<Respelled> {
    let query = Query::of(url).filter(Query::has_one_separator)?;
    let mut by_name: FxHashMap<Cow<'_, str>, Vec<usize>> = FxHashMap::default();
    for (at, argument) in query.arguments.iter().enumerate() {
        if let Some(name) = argument.name {
            by_name.entry(unnumbered(name)).or_default().push(at);
        }
    }
    let mut texts: Vec<Cow<'_, str>> =
        query.arguments.iter().map(|argument| argument.text.into()).collect();
    let mut places = Vec::new();
    for ats in by_name.into_values() {
        let named = |at: &usize| query.arguments[*at].name.zip(query.arguments[*at].value());
        let (mut names, mut values): (Vec<_>, Vec<_>) = ats.iter().filter_map(named).unzip();
        if names.is_sorted_by_key(|name| number(name)) && values.is_sorted() {
            continue;
        }
        let place = of_values(names[0]);
        if !holds(&place) {
            continue;
        }
        names.sort_by_key(|name| number(name));
        values.sort_unstable();
        for (at, (name, value)) in ats.into_iter().zip(names.into_iter().zip(values)) {
            texts[at] = [name, "=", value].concat().into();
        }
        places.push(place);
    }
    places.sort_unstable();
    (!places.is_empty()).then(|| Respelled { url: query.with_texts(&texts), places })
}
