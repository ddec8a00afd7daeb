//! Paths and values that are written otherwise, each by itself.

use undust_url::normal::are_normal_escapes;
use undust_url::query::{arguments, query_span};

use super::Respelled;
use super::place::{of_argument, of_path, path_span};
use crate::conventions::query::MOST_ARGUMENTS;

/// `url` with its values, and if `in_path` its path, as `write` writes them where that holds; nothing where all is so.
/// What has an escape that is not normal stays: next to other text it might be.
pub(super) fn respelled(
    url: &str,
    in_path: bool,
    write: fn(&str) -> Option<String>,
    holds: &dyn Fn(&str) -> bool,
) -> Option<Respelled> {
    let mut written = Written { url, text: String::new(), from: 0, places: Vec::new() };
    let write = |text: &str| write(text).filter(|_| are_normal_escapes(text.as_bytes()));
    let (begin, end) = path_span(url);
    if in_path && let Some(path) = write(&url[begin..end]) {
        // The folder is named as it will be written: it must be the same the next time.
        let place = of_path(&[&url[..begin], &path, &url[end..]].concat());
        if let Some(place) = place.filter(|place| holds(place)) {
            written.put(begin, end, &path, place);
        }
    }
    let (mut at, end) = query_span(url).unwrap_or((url.len(), url.len()));
    for argument in arguments(&url[at..end]).take(MOST_ARGUMENTS) {
        let end = at + argument.text.len();
        let begin = at + argument.name.map_or(0, |name| name.len() + 1);
        at = end + 1;
        let Some(value) = write(&url[begin..end]) else { continue };
        let place = of_argument(&argument);
        if holds(&place) {
            written.put(begin, end, &value, place);
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
pub(super) fn with_spaces_escaped(value: &str) -> Option<String> {
    value.contains('+').then(|| value.replace('+', "%20"))
}
