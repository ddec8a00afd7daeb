//! Paths and arguments that are written otherwise, each by itself.

use undust_url::normal::are_normal_escapes;
use undust_url::query::{arguments, query_span};

use super::Respelled;
use super::place::{of_name, of_path, path_span};
use crate::conventions::query::MOST_ARGUMENTS;

/// A part of a URL that is written by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    /// The name of an argument.
    Name,
    /// The value of an argument, or one without a name.
    Value,
}

/// `url` with its parts as `write` writes them where that holds; nothing where all is so. What has an escape that is
/// not normal, or would have one, stays: next to other text it might be.
pub(super) fn respelled(
    url: &str,
    write: fn(&str, Part) -> Option<String>,
    holds: &dyn Fn(&str) -> bool,
) -> Option<Respelled> {
    let mut written = Written { url, text: String::new(), from: 0, places: Vec::new() };
    let write = |text: &str, part| {
        let is_normal = |text: &str| are_normal_escapes(text.as_bytes());
        write(text, part).filter(|written| is_normal(text) && is_normal(written))
    };
    let (begin, end) = path_span(url);
    if let Some(path) = write(&url[begin..end], Part::Path) {
        // The folder is named as it will be written: it must be the same the next time.
        let place = of_path(&[&url[..begin], &path, &url[end..]].concat());
        if let Some(place) = place.filter(|place| holds(place)) {
            written.put(begin, end, &path, place);
        }
    }
    let (mut at, end) = query_span(url).unwrap_or((url.len(), url.len()));
    for argument in arguments(&url[at..end]).take(MOST_ARGUMENTS) {
        let begin = at;
        at += argument.text.len() + 1;
        let name = argument.name.and_then(|name| write(name, Part::Name));
        let value = write(argument.value().unwrap_or(argument.text), Part::Value);
        if name.is_none() && value.is_none() {
            continue;
        }
        // It is named as it will be written, too.
        let name = name.as_deref().or(argument.name);
        let place = of_name(name);
        if holds(&place) {
            let value = value.as_deref().or(argument.value()).unwrap_or(argument.text);
            let text = name.map_or_else(|| value.to_owned(), |name| [name, "=", value].concat());
            written.put(begin, begin + argument.text.len(), &text, place);
        }
    }
    written.end()
}

/// A URL while it is written.
struct Written<'u> {
    url: &'u str,
    text: String,
    /// What follows is not written yet.
    from: usize,
    places: Vec<Box<str>>,
}

impl Written<'_> {
    fn put(&mut self, begin: usize, end: usize, value: &str, place: Box<str>) {
        self.text.push_str(&self.url[self.from..begin]);
        self.text.push_str(value);
        self.from = end;
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    fn end(mut self) -> Option<Respelled> {
        self.text.push_str(&self.url[self.from..]);
        (!self.places.is_empty()).then_some(Respelled { url: self.text, places: self.places })
    }
}

/// A value with `%20` for each `+`; nothing where it has none.
pub(super) fn with_spaces_escaped(text: &str, part: Part) -> Option<String> {
    (part == Part::Value && text.contains('+')).then(|| text.replace('+', "%20"))
}
