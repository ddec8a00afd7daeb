//! The arguments of a query: read, put in order, and written again.

use std::borrow::Cow;

use undust_url::query::{Argument, arguments, query_span};

/// Most arguments of a URL that is looked at. Crawler traps make more.
pub(super) const MOST_ARGUMENTS: usize = 256;

/// A URL around its query.
pub struct Query<'u> {
    before: &'u str,
    /// Its arguments.
    pub arguments: Vec<Argument<'u>>,
    after: &'u str,
}

impl<'u> Query<'u> {
    /// None without a query, or if it has too many arguments.
    pub fn of(url: &'u str) -> Option<Self> {
        let (start, end) = query_span(url)?;
        let arguments: Vec<_> = arguments(&url[start..end]).take(MOST_ARGUMENTS + 1).collect();
        let is_usable = arguments.len() <= MOST_ARGUMENTS;
        is_usable.then(|| Self { before: &url[..start - 1], arguments, after: &url[end..] })
    }

    /// Whether every argument has a name, and one character stands between any two. Otherwise the order
    /// may count.
    pub fn can_be_sorted(&self) -> bool {
        self.has_one_separator() && self.arguments.iter().all(|argument| argument.name.is_some())
    }

    /// Whether one character stands between any two arguments. Otherwise `;` may be a part of a value.
    pub fn has_one_separator(&self) -> bool {
        let mut separators = self.arguments.iter().skip(1).map(|argument| argument.separator);
        let first = separators.next();
        separators.all(|separator| Some(separator) == first)
    }

    /// The URL with its arguments as they stand now.
    pub fn written(&self) -> String {
        self.around(&joined(&self.arguments))
    }

    /// The URL with these texts in place of its arguments.
    pub(super) fn with_texts(&self, texts: &[Cow<'_, str>]) -> String {
        let all = self.arguments.iter().zip(texts);
        let all: Vec<_> = all.map(|(argument, text)| Argument { text, ..*argument }).collect();
        self.around(&joined(&all))
    }

    fn around(&self, query: &str) -> String {
        let (mark, query) = query.split_at_checked(1).map_or(("", ""), |(_, query)| ("?", query));
        [self.before, mark, query, self.after].concat()
    }
}

/// Sorts arguments, which must be [sortable](Query::can_be_sorted).
pub fn sort_by_key<'u, K: Ord>(arguments: &mut [Argument<'u>], key: impl Fn(&Argument<'u>) -> K) {
    let separator = arguments.get(1).map_or(b'&', |argument| argument.separator);
    arguments.sort_by_key(key);
    arguments.iter_mut().for_each(|argument| argument.separator = separator);
}

/// The arguments, each behind what stood before it.
pub(super) fn joined(arguments: &[Argument<'_>]) -> String {
    let mut joined = String::new();
    for argument in arguments {
        joined.push(char::from(argument.separator));
        joined.push_str(argument.text);
    }
    joined
}

/// A URL without its query from the mark at `at` on, and that part of the query, which ends at `end`.
pub(super) fn cut_query(url: &str, at: usize, end: usize) -> (Cow<'_, str>, Cow<'_, str>) {
    (Cow::Owned([&url[..at], &url[end..]].concat()), Cow::Borrowed(&url[at..end]))
}

/// `form` with the unknown parameters, which have what stood before the first of them.
pub(super) fn with_unknown_params(form: &str, unknown_params: &str) -> String {
    let (before, unknown_params) = unknown_params.split_at_checked(1).unwrap_or_default();
    let (form, fragment) = form.split_at(form.find('#').unwrap_or(form.len()));
    let mark = match before {
        _ if !form.contains('?') => "?",
        ";" => ";",
        _ => "&",
    };
    [form, mark, unknown_params, fragment].concat()
}

/// The names of unknown parameters, or their text where they have none.
pub(super) fn names(unknown_params: &str) -> impl Iterator<Item = &str> {
    arguments(unknown_params.get(1..).unwrap_or_default()).map(|argument| argument.key())
}
