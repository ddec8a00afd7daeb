//! Rules over keys and values: what rewrite rules and decision-tree rules have in common.
//!
//! A rule is a context and a transformation. The context says what some keys of a URL must be,
//! the transformation what becomes of some of them (Dasgupta, Kumar, Sasturkar, KDD 2008; Koppula
//! et al., WSDM 2010, section 3). Keys of the transformation are those of the *source*; keys
//! that it does not name are copied.

pub(crate) mod features;
mod notation;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use undust_url::deep::pattern::DeepPattern;
use undust_url::keyed_url::KeyedUrl;
use undust_url::keys::Key;
use undust_url::query::Argument;

/// What percent-encoding leaves as it is: the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A context and a transformation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRule {
    /// Which URLs the rule is for.
    pub context: Context,
    /// What becomes of a key. A segment becomes one segment for each value; the values of any
    /// other key are joined into one. Without values (⊥) a segment or an argument vanishes.
    /// Segments beyond the last one, counted from the start, and arguments that the source lacks
    /// are added at the end.
    pub transformation: BTreeMap<Key, Vec<Value>>,
}

/// Which URLs a rule is for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Context {
    /// The exact number of segments; any number if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<usize>,
    /// Exactly these arguments, in any order; any arguments if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeSet<Key>>,
    /// What keys must be.
    pub keys: BTreeMap<Key, Test>,
}

/// What a key must be.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// This, byte for byte.
    Is(String),
    /// Present, with any value.
    Any,
    /// Of this pattern, whose deep tokens then have keys.
    Like(DeepPattern),
}

/// What a key becomes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// This.
    Literal(String),
    /// The value that a key has in the source.
    Copy(Key),
    /// The same, converted.
    Converted(Conversion, Key),
}

/// What may be done to a value (Koppula et al., section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conversion {
    /// To lower case.
    Lower,
    /// To upper case.
    Upper,
    /// Percent-decoding, if the result has no white space, `%` or delimiter.
    Decode,
    /// Percent-encoding of all but the unreserved characters.
    Encode,
}

impl Conversion {
    /// Every conversion, in the order in which they are tried.
    pub const ALL: [Self; 4] = [Self::Lower, Self::Upper, Self::Decode, Self::Encode];

    /// The converted value; nothing if the conversion does not apply.
    pub fn apply(self, value: &str) -> Option<String> {
        match self {
            Self::Lower => Some(value.to_lowercase()),
            Self::Upper => Some(value.to_uppercase()),
            Self::Encode => Some(utf8_percent_encode(value, ENCODED).to_string()),
            Self::Decode => {
                let decoded = percent_decode_str(value).decode_utf8().ok()?;
                // `%` would be decoded again, which makes one form of two pages.
                let must_stay =
                    |c: char| c.is_control() || c.is_whitespace() || "/?#&;=%".contains(c);
                (!decoded.contains(must_stay)).then(|| decoded.into_owned())
            }
        }
    }
}

impl KeyRule {
    /// The image of a URL; nothing if the rule does not apply. Linear in the URL and the rule.
    pub fn apply(&self, url: &KeyedUrl<'_>) -> Option<String> {
        if !self.context.fits(url) {
            return None;
        }
        let application = RuleApplication { rule: self, url, deep: self.deep_values(url)? };
        Some(application.image()?.to_string())
    }

    /// The new values of the parts whose deep tokens change.
    fn deep_values(&self, url: &KeyedUrl<'_>) -> Option<BTreeMap<&Key, String>> {
        let mut parts: BTreeMap<&Key, Vec<Cow<'_, str>>> = BTreeMap::new();
        for (key, values) in &self.transformation {
            let Key::Deep { part, at } = key else { continue };
            let tokens = self.deep_tokens(url, part)?;
            let place = at.of(tokens.len())?;
            let new = self.text(url, values)?;
            parts.entry(part).or_insert_with(|| tokens.into_iter().map(Cow::from).collect())
                [place] = Cow::Owned(new);
        }
        Some(parts.into_iter().map(|(part, tokens)| (part, tokens.concat())).collect())
    }

    fn deep_tokens<'u>(&self, url: &KeyedUrl<'u>, part: &Key) -> Option<Vec<&'u str>> {
        let Some(Test::Like(pattern)) = self.context.keys.get(part) else { return None };
        pattern.tokens(url.get(part)?)
    }

    fn text(&self, url: &KeyedUrl<'_>, values: &[Value]) -> Option<String> {
        values.iter().map(|value| self.value(url, value)).collect()
    }

    fn value<'v>(&'v self, url: &KeyedUrl<'v>, value: &'v Value) -> Option<Cow<'v, str>> {
        match value {
            Value::Literal(text) => Some(Cow::Borrowed(text)),
            Value::Copy(key) => self.source(url, key).map(Cow::Borrowed),
            Value::Converted(conversion, key) => {
                conversion.apply(self.source(url, key)?).map(Cow::Owned)
            }
        }
    }

    fn source<'u>(&self, url: &KeyedUrl<'u>, key: &Key) -> Option<&'u str> {
        let Key::Deep { part, at } = key else { return url.get(key) };
        let tokens = self.deep_tokens(url, part)?;
        at.of(tokens.len()).map(|place| tokens[place])
    }

    /// Whether the rule is meaningful; the reason if it is not.
    pub fn check(&self) -> Result<(), String> {
        if self.transformation.is_empty() {
            return Err("transforms nothing".into());
        }
        for (key, test) in &self.context.keys {
            if let Test::Is(text) = test {
                check_literal(key, text).map_err(|reason| format!("asks for {reason}"))?;
            }
        }
        let names = self.context.arguments.iter().flatten();
        if let Some(key) = names.clone().find(|key| !matches!(key, Key::Argument { .. })) {
            return Err(format!("lists {key} among the arguments"));
        }
        let keys = self.context.keys.keys().chain(self.transformation.keys()).chain(names);
        keys.clone().try_for_each(check_name)?;
        for (key, values) in &self.transformation {
            if matches!(key, Key::Scheme | Key::Host) && values.is_empty() {
                return Err(format!("removes {key}, but every URL needs it"));
            }
            for value in values {
                if let Value::Literal(text) = value {
                    check_literal(key, text).map_err(|reason| format!("writes {reason}"))?;
                }
            }
            let copied = values.iter().filter_map(|value| match value {
                Value::Literal(_) => None,
                Value::Copy(key) | Value::Converted(_, key) => Some(key),
            });
            for key in copied.chain([key]) {
                self.check_deep(key)?;
            }
        }
        let deep = self.context.keys.keys().map(|key| self.check_deep(key));
        deep.collect()
    }

    fn check_deep(&self, key: &Key) -> Result<(), String> {
        let Key::Deep { part, .. } = key else { return Ok(()) };
        match self.context.keys.get(part) {
            Some(Test::Like(_)) => Ok(()),
            _ => Err(format!("names {key}, but the context has no pattern for {part}")),
        }
    }

    /// The names of the arguments that context and transformation name.
    pub fn argument_names(&self) -> impl Iterator<Item = &str> {
        let keys = self.context.keys.keys().chain(self.transformation.keys());
        keys.chain(self.context.arguments.iter().flatten()).filter_map(|key| match key {
            Key::Argument { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Number of keys pinned to a value or a pattern: the more, the fewer URLs the rule is for.
    pub fn specificity(&self) -> usize {
        let literal = |test: &&Test| matches!(test, Test::Is(_) | Test::Like(_));
        self.context.keys.values().filter(literal).count()
    }
}

/// Whether `text` can be the value of a key. A delimiter would start another part of the URL, a
/// line feed another line of a queue.
fn check_literal(key: &Key, text: &str) -> Result<(), String> {
    let part = match key {
        Key::Deep { part, .. } => part,
        key => key,
    };
    let (delimiters, may_be_empty) = match part {
        Key::Scheme => (":/?#", false),
        Key::Host => ("/?#", false),
        Key::Argument { .. } => ("&;#", true),
        _ => ("/?#", true),
    };
    let is_wrong = |c: char| c.is_control() || delimiters.contains(c);
    if text.contains(is_wrong) || (text.is_empty() && !may_be_empty) {
        return Err(format!("{text:?}, which is not a value of {key}"));
    }
    Ok(())
}

/// Whether the name of an argument can be one.
fn check_name(key: &Key) -> Result<(), String> {
    let Key::Argument { name, .. } = key else { return Ok(()) };
    let is_wrong = |c: char| c.is_control() || "&;#=".contains(c);
    if name.contains(is_wrong) {
        Err(format!("names {key:?}, which is not an argument"))
    } else {
        Ok(())
    }
}

impl Context {
    /// Whether it is for URLs of one shape alone: it says how many segments and which arguments.
    pub fn is_of_one_shape(&self) -> bool {
        self.segments.is_some() && self.arguments.is_some()
    }

    fn fits(&self, url: &KeyedUrl<'_>) -> bool {
        self.segments.is_none_or(|segments| segments == url.segments.len())
            && self.keys.iter().all(|(key, test)| self.holds(url, key, test))
            && self.arguments.as_ref().is_none_or(|keys| {
                keys.len() == url.query().len() && keys.iter().all(|key| url.get(key).is_some())
            })
    }

    fn holds(&self, url: &KeyedUrl<'_>, key: &Key, test: &Test) -> bool {
        if let Key::Deep { part, at } = key {
            let Some(Test::Like(pattern)) = self.keys.get(part) else { return false };
            let tokens = url.get(part).and_then(|value| pattern.tokens(value));
            let token = tokens.and_then(|tokens| at.of(tokens.len()).map(|place| tokens[place]));
            return token.is_some_and(|token| test.holds(token));
        }
        url.get(key).is_some_and(|value| test.holds(value))
    }
}

impl Test {
    fn holds(&self, value: &str) -> bool {
        match self {
            Self::Is(text) => text == value,
            Self::Any => true,
            Self::Like(pattern) => pattern.fits(value),
        }
    }
}

/// A rule at work on a URL in its context.
struct RuleApplication<'e, 'u> {
    rule: &'e KeyRule,
    url: &'e KeyedUrl<'u>,
    deep: BTreeMap<&'e Key, String>,
}

/// An argument and its new value, none for a bare one.
type NewArgument<'i> = (Argument<'i>, Option<Cow<'i, str>>);

/// The new URL; what is copied from the source is borrowed.
struct Image<'i> {
    scheme: Cow<'i, str>,
    host: Cow<'i, str>,
    segments: Vec<Cow<'i, str>>,
    arguments: Vec<NewArgument<'i>>,
    fragment: Option<&'i str>,
}

impl<'e> RuleApplication<'e, '_> {
    fn image(&'e self) -> Option<Image<'e>> {
        Some(Image {
            scheme: self.one(&Key::Scheme, self.url.scheme)?,
            host: self.one(&Key::Host, self.url.host)?,
            segments: self.segments()?,
            arguments: self.arguments()?,
            fragment: self.url.fragment,
        })
    }

    /// The new value of the scheme or the host, which a rule can change but not remove.
    fn one(&'e self, key: &Key, value: &'e str) -> Option<Cow<'e, str>> {
        match self.rule.transformation.get(key) {
            Some(values) => self.rule.text(self.url, values).map(Cow::Owned),
            None => Some(self.deep.get(key).map_or(Cow::Borrowed(value), |text| text.into())),
        }
    }

    fn segments(&'e self) -> Option<Vec<Cow<'e, str>>> {
        let old = &self.url.segments;
        let mut new = Vec::with_capacity(old.len());
        for (place, segment) in old.iter().enumerate() {
            let keys = [Key::Start(place as u16), Key::End((old.len() - 1 - place) as u16)];
            let values = keys.iter().find_map(|key| self.rule.transformation.get(key));
            let deep = keys.iter().find_map(|key| self.deep.get(key));
            match (values, deep) {
                (Some(values), _) => self.push(values, &mut new)?,
                (None, Some(text)) => new.push(Cow::from(text)),
                (None, None) => new.push(Cow::Borrowed(*segment)),
            }
        }
        let added = Key::Start(old.len() as u16)..=Key::Start(u16::MAX);
        for (_, values) in self.rule.transformation.range(added) {
            self.push(values, &mut new)?;
        }
        if new.is_empty() && !old.is_empty() {
            new.push(Cow::Borrowed(""));
        }
        Some(new)
    }

    fn push(&'e self, values: &'e [Value], segments: &mut Vec<Cow<'e, str>>) -> Option<()> {
        values.iter().try_for_each(|value| {
            segments.push(self.rule.value(self.url, value)?);
            Some(())
        })
    }

    fn arguments(&'e self) -> Option<Vec<NewArgument<'e>>> {
        let changed = self.rule.transformation.iter().filter_map(|(key, values)| match key {
            Key::Argument { name, bare, .. } => Some((key, (name.as_str(), *bare, values))),
            _ => None,
        });
        let mut changed: BTreeMap<_, _> = changed.collect();
        let mut new = Vec::new();
        for (key, argument) in self.url.argument_keys().into_iter().zip(self.url.query()) {
            let value = match changed.remove(&key) {
                Some((_, _, values)) if values.is_empty() => continue,
                Some((_, _, values)) => Some(Cow::Owned(self.rule.text(self.url, values)?)),
                None => match self.deep.get(&key) {
                    Some(text) => Some(Cow::from(text)),
                    None => argument.value().map(Cow::Borrowed),
                },
            };
            new.push((*argument, value.filter(|_| argument.value().is_some())));
        }
        for (name, bare, values) in changed.into_values().filter(|(.., values)| !values.is_empty())
        {
            let value = Some(Cow::Owned(self.rule.text(self.url, values)?)).filter(|_| !bare);
            new.push((Argument { text: name, name: None, separator: b'&' }, value));
        }
        Some(new)
    }
}

impl fmt::Display for Image<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        for segment in &self.segments {
            write!(f, "/{segment}")?;
        }
        for (at, (argument, value)) in self.arguments.iter().enumerate() {
            let separator = if at == 0 { '?' } else { char::from(argument.separator) };
            write!(f, "{separator}{}", argument.key())?;
            if let Some(value) = value {
                write!(f, "={value}")?;
            }
        }
        self.fragment.map_or(Ok(()), |fragment| write!(f, "#{fragment}"))
    }
}
