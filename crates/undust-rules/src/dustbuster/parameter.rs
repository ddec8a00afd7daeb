//! The parameter substitution: a value set to a default, or the parameter dropped.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::tokens::token_ends;

/// Gives a parameter of the query one value, or removes the parameter (Bar-Yossef, Keidar,
/// Schonfeld, WWW 2007, section 3), wherever it stands in the query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name, as it is written in URLs.
    pub name: String,
    /// The new value; if none, the parameter is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Parameter {
    /// The image of `url`; nothing if the rule does not apply or changes nothing.
    /// Linear.
    pub fn apply(&self, url: &str) -> Option<String> {
        let query = query(url)?;
        let fields = || fields(&url[query.clone()]);
        fields().find(|field| field.name == self.name)?;
        let mut image = url[..query.start].to_owned();
        let mut is_first = true;
        for field in fields() {
            let value = match &self.value {
                _ if field.name != self.name => field.value,
                Some(value) => Some(value.as_str()),
                None => continue,
            };
            if !is_first {
                image.push(field.separator);
            }
            is_first = false;
            image.push_str(field.name);
            if let Some(value) = value {
                image.push('=');
                image.push_str(value);
            }
        }
        if is_first {
            image.pop();
        }
        image.push_str(&url[query.end..]);
        (image != url).then_some(image)
    }

    /// Whether the rule is meaningful; the reason if it is not.
    pub(crate) fn check(&self) -> Result<(), String> {
        let breaks = |text: &str| text.contains(|c: char| c.is_control() || "&;#".contains(c));
        if self.name.is_empty() || breaks(&self.name) || self.name.contains('=') {
            return Err(format!("{:?} is not a parameter name", self.name));
        }
        match &self.value {
            Some(value) if breaks(value) => Err(format!("{value:?} is not a parameter value")),
            _ => Ok(()),
        }
    }

    /// The length in tokens of `name=`, which the rule looks for.
    pub(crate) fn specificity(&self) -> usize {
        token_ends(&self.name).count() + 1
    }
}

/// `"sid=…" → ""` or `"lang=…" → "lang=en"`, `…` being any value.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.escape_debug();
        match &self.value {
            Some(value) => write!(f, "\"{name}=…\" → \"{name}={}\"", value.escape_debug()),
            None => write!(f, "\"{name}=…\" → \"\""),
        }
    }
}

/// A piece of a query.
#[derive(Debug, Clone, Copy)]
pub struct Field<'u> {
    /// What stands before it; `&` before the first one.
    separator: char,
    /// The text before the first `=`; all of it if there is none.
    pub name: &'u str,
    /// What follows the first `=`.
    pub value: Option<&'u str>,
}

/// The span of the query, without its `?` and the fragment.
pub fn query(url: &str) -> Option<Range<usize>> {
    let end = url.find('#').unwrap_or(url.len());
    let start = url[..end].find('?')? + 1;
    Some(start..end)
}

/// The pieces of a query between `&` and `;`, in order. Linear.
pub fn fields(query: &str) -> impl Iterator<Item = Field<'_>> {
    let mut separator = '&';
    query.split_inclusive(['&', ';']).chain(query.ends_with(['&', ';']).then_some("")).map(
        move |piece| {
            let field = piece.strip_suffix(['&', ';']).unwrap_or(piece);
            let (name, value) = match field.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (field, None),
            };
            let before = separator;
            separator = if piece.ends_with(';') { ';' } else { '&' };
            Field { separator: before, name, value }
        },
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drop(name: &str) -> Parameter {
        Parameter { name: name.into(), value: None }
    }

    fn set(name: &str, value: &str) -> Parameter {
        Parameter { name: name.into(), value: Some(value.into()) }
    }

    #[track_caller]
    fn check(rule: &Parameter, url: &str, image: &str) {
        assert_eq!(rule.apply(url).as_deref().unwrap_or(url), image, "{rule} on {url}");
    }

    #[test]
    fn a_dropped_parameter_takes_its_separator_along() {
        check(&drop("sid"), "/a?sid=1", "/a");
        check(&drop("sid"), "/a?sid=1#s", "/a#s");
        check(&drop("sid"), "/a?sid=1&b=2", "/a?b=2");
        check(&drop("sid"), "/a?b=2;sid=1", "/a?b=2");
        check(&drop("sid"), "/a?b=2;sid=1;c", "/a?b=2;c");
        check(&drop("sid"), "/a?sid=1&b&sid=2&c&", "/a?b&c&");
        check(&drop("sid"), "/a?sid", "/a");
    }

    #[test]
    fn a_name_is_whole_and_in_the_query() {
        for url in ["/a?xsid=1", "/sid=1", "/a#?sid=1", "/a?b=sid", "/a?b=c&sid%3D1", ""] {
            assert_eq!(drop("sid").apply(url), None, "{url}");
        }
    }

    #[test]
    fn a_value_is_set_wherever_the_parameter_stands() {
        check(&set("l", "en"), "/a?l=de&b=1;l=fr", "/a?l=en&b=1;l=en");
        assert_eq!(set("l", "en").apply("/a?l=en"), None);
    }

    #[test]
    fn rules_that_mean_nothing_are_refused() {
        for rule in [drop(""), drop("a=b"), drop("a&b"), set("a", "b&c"), set("a", "#")] {
            assert!(rule.check().is_err(), "{rule}");
        }
        assert_eq!(set("a", "").check(), Ok(()));
    }

    #[test]
    fn the_notation() {
        assert_eq!(drop("sid").to_string(), "\"sid=…\" → \"\"");
        assert_eq!(set("l", "en").to_string(), "\"l=…\" → \"l=en\"");
    }

    proptest! {
        #[test]
        fn applied_once_is_enough(url in "/[?]?[ab=&;#?]{0,16}", value in proptest::option::of("[ab]")) {
            let rule = Parameter { name: "a".into(), value };
            if let Some(image) = rule.apply(&url) {
                prop_assert_eq!(rule.apply(&image), None);
            }
        }

        #[test]
        fn total_on_any_string(name in any::<String>(), url in any::<String>()) {
            let image = drop(&name).apply(&url);
            prop_assert_ne!(image, Some(url));
        }
    }

    #[test]
    fn names_of_more_tokens_are_more_specific() {
        assert_eq!((drop("sid").specificity(), drop("a-b").specificity()), (2, 4));
    }
}
