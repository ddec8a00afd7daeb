//! The named values of a JSON object, in one pass and without a tree of them.

use std::fmt;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::fields::plain;

/// Levels of nested objects that are looked into.
const MOST_DEPTH: usize = 3;
/// Elements of a list that are looked at.
const MOST_ELEMENTS: usize = 256;

/// Names and values: texts, numbers, and lists of one such. Any other value is empty.
pub(super) type Values = Vec<(String, String)>;

/// The values of the object with which a text begins, by their plain names, those of nested objects with a dot between. A list of objects that have
/// a `name` and a `value` each, as exports of browsers have headers, is such an object, too.
///
/// # Errors
///
/// A text that is no JSON object. What comes before the error is in `values`; a text that was cut has an error of the
/// end of the text.
pub(super) fn read(text: &[u8], values: &mut Values) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let is_object = text.trim_ascii_start().starts_with(b"{");
    if !is_object {
        return Err(serde_json::Error::custom("is no object"));
    }
    Value { values, name: String::new(), depth: 0 }.deserialize(&mut json)?;
    json.end()
}

/// A value, which is collected.
struct Value<'v> {
    values: &'v mut Values,
    /// Its own name.
    name: String,
    depth: usize,
}

impl Value<'_> {
    fn push<E>(self, value: String) -> Result<(), E> {
        self.values.push((self.name, value));
        Ok(())
    }

    fn inner(&self, key: &str) -> String {
        let key = plain(key);
        if self.name.is_empty() { key } else { format!("{}.{key}", self.name) }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if self.depth > MOST_DEPTH {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let (name, depth, before) = (self.inner(&key), self.depth + 1, self.values.len());
            let read = map.next_value_seed(Value { values: &mut *self.values, name, depth });
            // The name alone says something of a text that was cut.
            if read.is_err() && self.values.len() == before {
                self.values.push((self.inner(&key), String::new()));
            }
            read?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let before = self.values.len();
        let (mut count, mut pairs) = (0, Vec::new());
        loop {
            let start = self.values.len();
            let element =
                Value { values: &mut *self.values, name: self.name.clone(), depth: self.depth };
            if list.next_element_seed(element)?.is_none() {
                break;
            }
            count += 1;
            pairs.extend(self.pair(start));
            if count > 1 {
                self.values.truncate(before);
            }
            if count == MOST_ELEMENTS {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                break;
            }
        }
        self.values.extend(pairs);
        if self.values.len() == before {
            self.push(String::new())?;
        }
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.push(text.to_owned())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.push(String::new())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.push(number.to_string())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.push(number.to_string())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.push(serde_json::Number::from_f64(number).map(|n| n.to_string()).unwrap_or_default())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.push(String::new())
    }
}

impl Value<'_> {
    /// The element of a list whose values begin here, as a named value.
    fn pair(&self, start: usize) -> Option<(String, String)> {
        let of = |key: &str| {
            let is_it = |(name, _): &&(String, String)| {
                name.strip_suffix(key).and_then(|name| name.strip_suffix('.')) == Some(&*self.name)
            };
            self.values[start..].iter().find(is_it).map(|(_, value)| value.as_str())
        };
        let (name, value) = (of("name")?, of("value")?);
        Some((self.inner(name), value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> (Vec<(String, String)>, bool) {
        let mut values = Vec::new();
        let read = read(text.as_bytes(), &mut values);
        (values, read.is_err_and(|error| error.is_eof()))
    }

    #[test]
    fn nested_and_flat_names_are_one() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = vec![pair("http.status", "1"), pair("user", "x")];
        for text in [
            r#"{"http": {"Status": 1}, "user": "x"}"#,
            r#"{"http.status": 1, "U-ser": ["x"]}"#,
            r#"{"http": [{"status": [1]}], "user": "x"}"#,
        ] {
            assert_eq!(values(text), (expected.clone(), false), "{text}");
        }
        let headers = r#"{"headers": [{"name": "Host", "value": "h"}, {"name": "User-Agent", "value": "a"}]}"#;
        assert_eq!(values(headers).0, [pair("headers.host", "h"), pair("headers.useragent", "a")]);
        assert_eq!(values(r#"{"a": [1, 2], "b": null}"#).0, [pair("a", ""), pair("b", "")]);
        assert_eq!(
            values(r#"{"a": "x", "b": {"c": "#),
            (vec![pair("a", "x"), pair("b.c", "")], true)
        );
        let deep = r#"{"a":{"b":{"c":{"d":1,"e":{"f":2}}}}}"#;
        assert_eq!(values(deep).0, [pair("a.b.c.d", "1")]);
    }

    /// A list takes no more memory than its first elements.
    #[test]
    fn lists_are_not_kept() {
        let text = format!("{{\"a\": [{}0]}}", "[1],".repeat(100_000));
        assert_eq!(values(&text).0, [("a".to_owned(), String::new())]);
    }
}
