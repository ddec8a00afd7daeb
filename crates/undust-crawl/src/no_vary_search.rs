//! The header No-Vary-Search (draft-ietf-httpbis-no-vary-search), by which a site says which arguments do not matter.

use std::borrow::Cow;
use std::collections::HashSet;

use url::form_urlencoded::parse;

/// What a header says of URLs that differ in their queries.
#[derive(Debug, Default, PartialEq, Eq)]
struct Variance {
    /// Whether the order of arguments with different names does not matter.
    is_any_order: bool,
    /// Whether all arguments but those of `names` do not matter; else only those do not.
    ignores_others: bool,
    /// Decoded.
    names: HashSet<String>,
}

/// `url` without the arguments that the header says do not matter, and in the order of the names where theirs does not;
/// none if this is the URL itself, or the header is malformed. Two URLs that differ in their queries alone are one
/// to the header if they come out equal.
pub(super) fn form(url: &str, header: &str) -> Option<String> {
    let variance = Variance::parse(header)?;
    let (rest, route) = url.find('#').map_or((url, ""), |at| url.split_at(at));
    let (path, query) = rest.split_once('?')?;
    let form = match variance.apply(query) {
        query if query.is_empty() => format!("{path}{route}"),
        query => format!("{path}?{query}{route}"),
    };
    (form != url).then_some(form)
}

impl Variance {
    /// None if the header is no dictionary of booleans and lists of strings (RFC 9651), or says something that the
    /// draft does not allow: caches then take every argument to matter.
    fn parse(header: &str) -> Option<Self> {
        let (mut order, mut params, mut except) = (None, None, None);
        let mut input = Input(header.trim_matches(' '));
        while !input.0.is_empty() {
            let (key, value) = input.member()?;
            match key {
                "key-order" => order = Some(value),
                "params" => params = Some(value),
                "except" => except = Some(value),
                _ => {}
            }
            input.comma()?;
        }
        let is_any_order = match order {
            None => false,
            Some(Value::Boolean(is_any)) => is_any,
            Some(Value::Strings(_)) => return None,
        };
        let (ignores_others, names) = match (params, except) {
            (None | Some(Value::Boolean(false)), None) => (false, HashSet::new()),
            (Some(Value::Boolean(true)), None) => (true, HashSet::new()),
            (Some(Value::Boolean(true)), Some(Value::Strings(names))) => (true, names),
            (Some(Value::Strings(names)), None) => (false, names),
            _ => return None,
        };
        Some(Self { is_any_order, ignores_others, names })
    }

    /// The arguments of a query that matter, as they were written.
    fn apply(&self, query: &str) -> String {
        let arguments = query.split('&').filter(|argument| !argument.is_empty());
        let named = arguments.map(|argument| (name(argument), argument));
        let mut kept: Vec<(Cow<'_, str>, &str)> =
            named.filter(|(name, _)| self.names.contains(&**name) == self.ignores_others).collect();
        if self.is_any_order {
            kept.sort_by(|(one, _), (other, _)| one.cmp(other));
        }
        kept.iter().map(|(_, argument)| *argument).collect::<Vec<_>>().join("&")
    }
}

/// The decoded name of an argument.
fn name(argument: &str) -> Cow<'_, str> {
    parse(argument.as_bytes()).next().map_or(Cow::Borrowed(""), |(name, _)| name)
}

/// The value of a member.
enum Value {
    Boolean(bool),
    Strings(HashSet<String>),
}

/// What is left of a dictionary.
struct Input<'h>(&'h str);

impl<'h> Input<'h> {
    /// A member; without a value it is true.
    fn member(&mut self) -> Option<(&'h str, Value)> {
        let is_key = |letter: char| {
            letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-.*".contains(letter)
        };
        let end = self.0.find(|letter| !is_key(letter)).unwrap_or(self.0.len());
        let (key, rest) = self.0.split_at(end);
        key.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '*')
            .then_some(())?;
        self.0 = rest;
        let value = if self.take("=") { self.value()? } else { Value::Boolean(true) };
        Some((key, value))
    }

    fn value(&mut self) -> Option<Value> {
        match self.take("?1") {
            true => Some(Value::Boolean(true)),
            false if self.take("?0") => Some(Value::Boolean(false)),
            false => self.strings().map(Value::Strings),
        }
    }

    /// A list of strings, as names of arguments.
    fn strings(&mut self) -> Option<HashSet<String>> {
        let mut names = HashSet::new();
        self.take("(").then_some(())?;
        loop {
            self.0 = self.0.trim_start_matches(' ');
            if self.take(")") {
                return Some(names);
            }
            // What separates arguments and values is a part of the name, where the header does not escape it.
            let escaped = self.string()?.replace('&', "%26").replace('=', "%3D");
            names.insert(name(&escaped).into_owned());
            self.0.starts_with([' ', ')']).then_some(())?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"").then_some(())?;
        let (mut text, mut letters) = (String::new(), self.0.char_indices());
        loop {
            match letters.next()? {
                (at, '"') => {
                    self.0 = &self.0[at + 1..];
                    return Some(text);
                }
                (_, '\\') => text
                    .push(letters.next().map(|next| next.1).filter(|next| "\"\\".contains(*next))?),
                (_, letter) if letter == ' ' || letter.is_ascii_graphic() => text.push(letter),
                _ => return None,
            }
        }
    }

    /// A comma with another member behind it, or the end.
    fn comma(&mut self) -> Option<()> {
        if self.0.is_empty() {
            return Some(());
        }
        self.0 = self.0.trim_start_matches([' ', '\t']).strip_prefix(',')?;
        self.0 = self.0.trim_start_matches([' ', '\t']);
        (!self.0.is_empty()).then_some(())
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const URL: &str = "http://a.test/p?b=2&a=1&id=7";

    fn without(header: &str) -> String {
        form(URL, header).unwrap_or_else(|| URL.to_owned())
    }

    #[test]
    fn what_a_header_says_does_not_matter() {
        for (header, expected) in [
            ("params", "http://a.test/p"),
            ("params=?0", URL),
            ("params=?1, except=(\"id\")", "http://a.test/p?id=7"),
            ("params=(\"b\" \"x\")", "http://a.test/p?a=1&id=7"),
            ("key-order", "http://a.test/p?a=1&b=2&id=7"),
            ("key-order=?0", URL),
            (" key-order ,\tparams=( \"a\"  \"b\" )", "http://a.test/p?id=7"),
            ("params=(\"b\"), params=(\"a\")", "http://a.test/p?b=2&id=7"),
            ("*later=?1, params=(\"%62\")", "http://a.test/p?a=1&id=7"),
            ("", URL),
        ] {
            assert_eq!(without(header), expected, "{header}");
        }
        assert_eq!(
            form("http://a.test/?x&y#!/r", "params=(\"x\")").as_deref(),
            Some("http://a.test/?y#!/r")
        );
        assert_eq!(
            form("http://a.test/?a%20b=1&c", "params=(\"a+b\")").as_deref(),
            Some("http://a.test/?c")
        );
        assert_eq!(
            form("http://a.test/?a%3Db=1&c", r#"params=("a=b")"#).as_deref(),
            Some("http://a.test/?c")
        );
        assert_eq!(
            form("http://a.test/?a%22%5C=1&c", r#"params=("a\"\\")"#).as_deref(),
            Some("http://a.test/?c")
        );
        assert_eq!(form("http://a.test/", "params"), None);
    }

    #[test]
    fn a_malformed_header_says_nothing() {
        for header in [
            "params=",
            "params=1",
            "params=b",
            "params=\"b\"",
            "params=(\"b\"",
            "params=(b)",
            "params=(\"b\"\"a\")",
            "params=(\"b\",\"a\")",
            "params,",
            ",params",
            "params key-order",
            "Params",
            "params;q=1",
            "params=(\"b\");q=1",
            "params=?2",
            "params=(\"\\b\")",
            "params=(\"b\n\")",
            "params=(\"ü\")",
            "key-order=(\"b\")",
            "except=(\"b\")",
            "params=?0, except=(\"b\")",
            "params=(\"a\"), except=(\"b\")",
            "params, except",
            "params=(\"b\") x=",
            "\"params\"",
            "(\"b\")",
        ] {
            assert_eq!(form(URL, header), None, "{header}");
        }
    }

    fn query() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[abc%+]{0,2}(=[xy]{0,1})?", 0..6)
    }

    proptest! {
        /// Whatever comes as a header: what matters of a URL is a part of it, and says the same again.
        #[test]
        fn a_form_is_its_own(arguments in query(), header in r#"(params|key-order|except|[a-z=?01(", )\\]){0,12}"#) {
            let url = format!("http://a.test/p?{}", arguments.join("&"));
            if let Some(form) = form(&url, &header) {
                prop_assert_eq!(super::form(&form, &header), None);
                prop_assert!(form.starts_with("http://a.test/p") && form.len() <= url.len());
            }
        }

        #[test]
        fn ignored_arguments_and_their_order_do_not_matter(
            arguments in query(), place in 0_usize..6, value in "[xy]{0,2}", is_any_order: bool, rotated in 0_usize..6,
        ) {
            let header = if is_any_order { "params=(\"z\"), key-order" } else { "params=(\"z\")" };
            let of = |arguments: &[String]| {
                let url = format!("http://a.test/p?{}", arguments.join("&"));
                form(&url, header).unwrap_or(url)
            };
            let mut more = arguments.clone();
            more.insert(place.min(arguments.len()), format!("z={value}"));
            prop_assert_eq!(of(&more), of(&arguments));
            // Arguments of one name stay in their order.
            let mut names = HashSet::new();
            let mut other: Vec<String> = arguments.into_iter().filter(|one| names.insert(name(one).into_owned())).collect();
            let before = of(&other);
            let places = other.len().max(1);
            other.rotate_left(rotated % places);
            prop_assert!(!is_any_order || of(&other) == before);
        }
    }
}
