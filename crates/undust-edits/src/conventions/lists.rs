//! Values that are lists whose order says nothing: `?tags=b,a` is `?tags=a,b`, and the path segment
//! `tags:b,a` is `tags:a,b`.
//!
//! Coordinates, ranges and keys of sorting are lists, too, and their order says much. So each name
//! is tested alone, on pairs of URLs: what training saw in one order only stays as it is.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use undust_url::normal::are_normal_escapes;
use undust_url::query::{arguments, query_span};
use undust_url::tokens::authority;

use super::convention_evidence::ConventionEvidence;
use super::normalization_step::NormalizationStep;
use super::pairs::Pairs;

/// Most items of a list that is put in order.
const MOST_ITEMS: usize = 256;

/// The names whose values are lists, with `?` before the name of an argument and `:` behind that of
/// a path segment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<Box<str>, List>", into = "BTreeMap<Box<str>, List>")]
pub struct Lists {
    /// By the name of an argument.
    pub arguments: FxHashMap<Box<str>, List>,
    /// By that of a path segment.
    pub segments: FxHashMap<Box<str>, List>,
}

/// A list, and why it is one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct List {
    /// What stands between its items.
    pub separator: Separator,
    /// Training URLs that differ in the order of these items alone.
    #[serde(flatten)]
    pub pairs: Pairs,
}

/// What stands between two items. Spellings of one separator may be mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Separator {
    /// `,`
    Comma,
    /// `+`, only in a query: in a path it is no space.
    Space,
    /// `|`, only in a query.
    Bar,
    /// `;`, only in a query, and escaped: a plain one parts arguments.
    Semicolon,
}

/// A value under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name<'u> {
    /// An argument's.
    Argument(&'u str),
    /// Of a path segment `key:value`.
    Segment(&'u str),
}

impl Name<'_> {
    /// What may stand between the items of a value of this name.
    pub fn separators(self) -> &'static [Separator] {
        match self {
            Self::Argument(_) => {
                &[Separator::Comma, Separator::Space, Separator::Bar, Separator::Semicolon]
            }
            Self::Segment(_) => &[Separator::Comma],
        }
    }

    fn describe(self) -> String {
        match self {
            Self::Argument(name) => format!("?{name}"),
            Self::Segment(name) => format!("{name}:"),
        }
    }
}

impl Separator {
    /// As a normal URL may have it.
    fn spellings(self) -> [&'static str; 2] {
        match self {
            Self::Comma => [",", "%2C"],
            Self::Space => ["+", "%20"],
            Self::Bar => ["|", "%7C"],
            Self::Semicolon => ["%3B"; 2],
        }
    }

    /// The items of a list. None if there are too few or too many, if one is empty (its meaning is
    /// unknown), or if an escape is not normal, because it might be next to other text.
    pub fn items(self, value: &str) -> Option<Vec<&str>> {
        let (mut items, mut from) = (Vec::new(), 0);
        while let Some((at, length)) = self.find(value, from) {
            items.push(&value[from..at]);
            from = at + length;
            if items.len() == MOST_ITEMS {
                return None;
            }
        }
        items.push(&value[from..]);
        let is_list = items.len() > 1 && !items.contains(&"");
        (is_list && are_normal_escapes(value.as_bytes())).then_some(items)
    }

    /// Where the next separator begins, and how long it is.
    fn find(self, value: &str, from: usize) -> Option<(usize, usize)> {
        let [plain, escaped] = self.spellings();
        let first = plain.as_bytes()[0];
        memchr::memchr2_iter(first, b'%', &value.as_bytes()[from..]).find_map(|at| {
            let rest = &value.as_bytes()[from + at..];
            let spelling =
                [plain, escaped].into_iter().find(|text| rest.starts_with(text.as_bytes()))?;
            Some((from + at, spelling.len()))
        })
    }

    /// The sorted items, with the separators in their places; none if the value is no list, or is
    /// sorted. Repeated items stay: `a,a` may be two.
    pub fn sorted(self, value: &str) -> Option<String> {
        let mut items = self.items(value)?;
        if items.is_sorted() {
            return None;
        }
        items.sort_unstable();
        let (mut sorted, mut from) = (String::with_capacity(value.len()), 0);
        for item in items {
            sorted.push_str(item);
            if let Some((at, length)) = self.find(value, from) {
                sorted.push_str(&value[at..at + length]);
                from = at + length;
            }
        }
        Some(sorted)
    }
}

impl Lists {
    fn get(&self, name: Name<'_>) -> Option<Separator> {
        let list = match name {
            Name::Argument(name) => self.arguments.get(name),
            Name::Segment(name) => self.segments.get(name),
        };
        list.map(|list| list.separator)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.segments.is_empty()
    }

    /// Whether any of this text might be put into another order, whatever it is the text of.
    pub(super) fn may_change(&self, text: &[u8]) -> bool {
        !self.is_empty() && holds_separator(text)
    }

    /// `url`, which is normal, with its lists in order; nothing where they are.
    pub(super) fn normalize(
        &self,
        url: &str,
        steps: &mut Vec<NormalizationStep>,
    ) -> Option<String> {
        if !self.may_change(url.as_bytes()) {
            return None;
        }
        let (sorted, names) = with_sorted(url, |name| self.get(name))?;
        steps.extend(names.into_iter().map(|name| NormalizationStep::List(name.describe())));
        Some(sorted)
    }

    /// This list, [named](Name::describe) so, keeps its order.
    pub(super) fn forget(&mut self, described: &str) {
        self.arguments.retain(|name, _| Name::Argument(name).describe() != described);
        self.segments.retain(|name, _| Name::Segment(name).describe() != described);
    }

    /// What speaks for the order of this list, [named](Name::describe) so.
    pub(super) fn evidence(&self, described: &str) -> Option<ConventionEvidence> {
        let list = match described.strip_prefix('?') {
            Some(name) => self.arguments.get(name),
            None => self.segments.get(described.strip_suffix(':')?),
        };
        list.map(|list| ConventionEvidence::pairs(list.pairs))
    }
}

/// A URL with the lists of these separators sorted, and their names; none if they are sorted.
pub fn with_sorted<'u>(
    url: &'u str,
    separator: impl Fn(Name<'_>) -> Option<Separator>,
) -> Option<(String, Vec<Name<'u>>)> {
    let (mut written, mut from) = (String::new(), 0);
    let mut names = Vec::new();
    for (name, span) in named_values(url) {
        let sorted = separator(name).and_then(|separator| separator.sorted(&url[span.clone()]));
        let Some(sorted) = sorted else { continue };
        written.push_str(&url[from..span.start]);
        written.push_str(&sorted);
        from = span.end;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    written.push_str(&url[from..]);
    (!names.is_empty()).then_some((written, names))
}

/// The values under names: of the path, then of the query.
pub fn named_values(url: &str) -> impl Iterator<Item = (Name<'_>, Range<usize>)> {
    let begin = authority(url).end;
    let end = memchr::memchr2(b'?', b'#', &url.as_bytes()[begin..]);
    let path = &url[begin..end.map_or(url.len(), |end| begin + end)];
    let mut at = begin;
    let segments = path.split('/').filter_map(move |segment| {
        let from = at;
        at += segment.len() + 1;
        let colon = memchr::memchr(b':', segment.as_bytes())?;
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let is_named = colon > 0 && segment.bytes().take(colon).all(is_key);
        is_named.then(|| (Name::Segment(&segment[..colon]), from + colon + 1..from + segment.len()))
    });
    let (begin, end) = query_span(url).unwrap_or((url.len(), url.len()));
    let mut at = begin;
    let arguments = arguments(&url[begin..end]).filter_map(move |argument| {
        let from = at;
        at += argument.text.len() + 1;
        let name = argument.name?;
        Some((Name::Argument(name), from + name.len() + 1..from + argument.text.len()))
    });
    segments.chain(arguments)
}

/// Whether a text contains a separator.
pub fn holds_separator(text: &[u8]) -> bool {
    memchr::memchr3(b',', b'+', b'%', text).is_some() || memchr::memchr(b'|', text).is_some()
}

impl From<BTreeMap<Box<str>, List>> for Lists {
    fn from(listed: BTreeMap<Box<str>, List>) -> Self {
        let mut lists = Self::default();
        for (name, list) in listed {
            if let Some(name) = name.strip_prefix('?') {
                lists.arguments.insert(name.into(), list);
            } else if let Some(name) = name.strip_suffix(':') {
                lists.segments.insert(name.into(), list);
            }
        }
        lists
    }
}

impl From<Lists> for BTreeMap<Box<str>, List> {
    fn from(lists: Lists) -> Self {
        let describe = |name: Name<'_>| name.describe().into_boxed_str();
        let arguments =
            lists.arguments.iter().map(|(name, list)| (describe(Name::Argument(name)), *list));
        let segments =
            lists.segments.iter().map(|(name, list)| (describe(Name::Segment(name)), *list));
        arguments.chain(segments).collect()
    }
}
