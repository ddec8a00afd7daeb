//! Which URLs a rule of a server meets: those of a path, with arguments of some names.
//!
//! A rule is written as one regular expression for the path and the query. It is anchored, has no look-around and no
//! escape, and each repetition ends at a `/`, a `?` or a `&`, so that nginx, HAProxy, Caddy, Anubis and Cloudflare read
//! it alike, and in time linear in the URL.

use std::borrow::Cow;
use std::fmt;

use crate::label::{Label, escaped};
use crate::pattern::spelled_out;

/// Most texts of a place of a path that a rule spells out.
const SPELLED_OUT: usize = 8;

/// Most names of which robots.txt has a line for each two.
const MOST_IN_PAIRS: usize = 6;

/// Which URLs a rule meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rule<'u> {
    /// The labels of each place, the host first; none for any path of any host.
    pub path: Option<Vec<Place<'u>>>,
    /// Whether the path may go on after these places.
    pub goes_on: bool,
    pub query: Query<'u>,
}

/// The labels that a place of a path may have, in order.
pub(crate) type Place<'u> = Vec<Label<'u>>;

/// What a rule asks of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Query<'u> {
    Any,
    /// There is none.
    None,
    /// Arguments of at least so many of these names.
    Has {
        names: Vec<Cow<'u, str>>,
        least: usize,
    },
}

/// The places of paths of one length.
pub(crate) fn places<'u>(paths: impl IntoIterator<Item = Vec<Label<'u>>>) -> Vec<Place<'u>> {
    let mut places: Vec<Place<'u>> = Vec::new();
    for path in paths {
        places.resize_with(places.len().max(path.len()), Vec::new);
        places.iter_mut().zip(path).for_each(|(place, label)| place.push(label));
    }
    for place in &mut places {
        place.sort_unstable();
        place.dedup();
        if place.len() > SPELLED_OUT || place.len() > 1 && place.iter().any(|one| one.is_open()) {
            *place = vec![Label::ANY_WORD];
        }
    }
    places
}

impl Rule<'_> {
    /// The expression; with several hosts, for the host before the path.
    pub(crate) fn regex(&self, with_host: bool) -> String {
        format!("{}{}", self.path_regex(with_host), self.query_regex())
    }

    /// The part for the path, anchored at its begin.
    fn path_regex(&self, with_host: bool) -> String {
        let Some(path) = &self.path else {
            let host = if with_host { "[^/?]*" } else { "" };
            return format!("^{host}/[^?]*{}", self.parameter().unwrap_or_default());
        };
        let host = path.first().filter(|_| with_host).map(host_regex);
        let mut text = format!("^{}", host.unwrap_or_default());
        for (number, place) in path.iter().enumerate().skip(1) {
            let parameters = match self.parameter() {
                Some(parameter) if number + 1 == path.len() => format!("[^/?]*{parameter}"),
                _ => String::new(),
            };
            text += &format!("/{}{parameters}", place_regex(place));
        }
        if path.len() < 2 { text + "/" } else { text }
    }

    /// The same, to its end.
    pub(crate) fn whole_path_regex(&self, with_host: bool) -> String {
        let end = match self.parameter() {
            Some(_) => "",
            None if self.goes_on => "(?:/|$)",
            None => "$",
        };
        format!("{}{end}", self.path_regex(with_host))
    }

    /// The parameter of the path that it asks for, such as `;jsessionid`.
    fn parameter(&self) -> Option<String> {
        let Query::Has { names, .. } = &self.query else { return None };
        names.first().filter(|name| name.starts_with(';')).map(|name| name_regex(name))
    }

    fn query_regex(&self) -> String {
        match &self.query {
            _ if self.parameter().is_some() => String::new(),
            Query::Any if self.goes_on => "(?:[/?]|$)".to_owned(),
            Query::Any => "(?:[?]|$)".to_owned(),
            Query::None => "[?]?$".to_owned(),
            Query::Has { names, least } => {
                let any: Vec<String> = names.iter().map(|name| name_regex(name)).collect();
                let one = format!("(?:[^&;]*[&;])*(?:{})", any.join("|"));
                let others = format!("(?:=[^&;]*)?[&;]{one}").repeat(least.saturating_sub(1));
                format!("[?]{one}{others}(?:[=&;]|$)")
            }
        }
    }

    /// Paths of robots.txt, as RFC 9309 has them. Such a path is wider than the rule: a star matches any text. None
    /// where it would say nothing but that there is a path.
    pub(crate) fn robots(&self) -> Vec<String> {
        let mut path = String::new();
        for place in self.path.iter().flatten().skip(1) {
            path.push('/');
            path += &match place.as_slice() {
                [Label::Text(text)] => in_line(text),
                [label @ Label::Any(_, ending)] if label.is_pair() => format!("*..*{ending}"),
                [Label::Any(_, ending)] => format!("*{ending}"),
                _ => "*".to_owned(),
            };
        }
        let has_text = path.bytes().any(|byte| !matches!(byte, b'/' | b'*'));
        if self.path.is_none() {
            path += "/*";
        } else if path.is_empty() {
            path.push('/');
        }
        match &self.query {
            Query::Has { names, .. } if self.parameter().is_some() => {
                let name = names.first().map(|name| in_line(name)).unwrap_or_default();
                vec![format!("{path}{name}=")]
            }
            Query::Has { names, least: 2 } if names.len() <= MOST_IN_PAIRS => {
                let names: Vec<String> = names.iter().map(|name| in_line(name)).collect();
                let pair = |a: &String, b| (a != b).then(|| format!("{path}?*{a}=*&{b}="));
                names.iter().flat_map(|a| names.iter().filter_map(move |b| pair(a, b))).collect()
            }
            // robots.txt cannot count.
            Query::Has { least: 2.., .. } => Vec::new(),
            Query::Has { names, .. } => {
                let names = names.iter().map(|name| in_line(name));
                names.flat_map(|n| [format!("{path}?{n}="), format!("{path}?*&{n}=")]).collect()
            }
            _ if !has_text => Vec::new(),
            _ if self.goes_on => vec![format!("{path}/")],
            Query::Any => vec![format!("{path}$"), format!("{path}?")],
            _ => vec![format!("{path}$")],
        }
    }
}

fn place_regex(place: &Place<'_>) -> String {
    let any: Vec<String> = place.iter().map(|label| label.regex()).collect();
    if let [one] = any.as_slice() { one.clone() } else { format!("(?:{})", any.join("|")) }
}

/// The host, with any port: not every server keeps the port of a request.
fn host_regex(place: &Place<'_>) -> String {
    let without_port = |label: &Label<'_>| match label {
        Label::Text(host) => escaped(host.split_once(':').map_or(host, |(host, _)| host)),
        _ => label.regex(),
    };
    let mut any: Vec<String> = place.iter().map(without_port).collect();
    any.dedup();
    format!("(?:{})(?::[0-9]+)?", any.join("|"))
}

/// A name with a number at each `#`.
pub(crate) fn name_regex(name: &str) -> String {
    escaped(name).replace('#', "[0-9]+")
}

/// A text in a line of robots.txt. What means something there, or would end it, becomes a star; so does the `#` for a
/// number.
fn in_line(text: &str) -> String {
    text.replace(
        |letter: char| letter.is_control() || letter.is_whitespace() || "#*$".contains(letter),
        "*",
    )
}

impl Rule<'_> {
    /// The pattern of the URLs that it meets.
    pub(crate) fn describe(&self, with_host: bool) -> String {
        let path = self.path.as_deref().unwrap_or_default();
        let host = path.first().filter(|_| with_host).map(shown);
        let mut text = host.unwrap_or_default();
        path.iter().skip(1).for_each(|place| text += &format!("/{}", shown(place)));
        if text.is_empty() {
            text.push('/');
        }
        if self.path.is_none() {
            text.push('…');
        } else if self.goes_on {
            text += "/…";
        }
        format!("{text}{}", self.query)
    }
}

fn shown(place: &Place<'_>) -> String {
    let any: Vec<String> = place.iter().map(ToString::to_string).collect();
    if let [one] = any.as_slice() { one.clone() } else { format!("{{{}}}", any.join("|")) }
}

impl fmt::Display for Query<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Has { names, .. } = self else { return Ok(()) };
        match names.as_slice() {
            [name] if name.starts_with(';') => f.write_str(name),
            [name] => write!(f, "?{name}"),
            names => write!(f, "?[{}]", spelled_out(names.iter())),
        }
    }
}
