//! A record with named fields, whatever format it came in, and the URL that its fields make.

use std::borrow::Cow;

use undust_pages::url_text::{without_controls, without_fragment};

use super::access_log::{is_whole_url, names_host, origin_of, request};
use super::fields::{Field, Known};
use super::options::ReadOptions;
use super::took::are_digits;

/// Names of fields in a message.
pub(super) const MOST_NAMES: usize = 20;

/// The fields of a record that has been read.
#[derive(Debug, Default)]
pub(super) struct Item {
    values: Vec<(Known, String)>,
    /// The names of all fields that are not empty, for people.
    names: Vec<String>,
    /// Whether a field of the host is there and says nothing.
    has_empty_host: bool,
}

/// Why a record has no URL.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoUrl {
    /// No field has a URL or a path.
    Missing,
    /// The field of the URL has neither a whole one nor a path.
    NotWhole,
    /// There is a path, and no field that could have its host.
    NoHost,
    /// There is a path, and the field of its host is empty or no host.
    BadHost,
}

/// The URL of a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ItemUrl {
    pub url: String,
    /// Whether the record names its host; else the caller does.
    pub has_host: bool,
    /// Whether the query is known; else the path has none, and fields of this name may never have it.
    pub has_query: bool,
}

impl Item {
    /// An item of these named values, the last of which counts if several have one name.
    pub(super) fn of(values: Vec<(String, String)>, options: &ReadOptions) -> Self {
        let mut item = Self::default();
        for (name, value) in values.into_iter().rev() {
            item.push(Known::of(&name, options), name, value);
        }
        item
    }

    /// Adds a field under its plain name. One that is empty is not there.
    pub(super) fn push(&mut self, known: Option<Known>, name: String, value: String) {
        if value.is_empty() {
            self.has_empty_host |= known.is_some_and(|known| known.field == Field::Host);
            return;
        }
        self.names.push(name);
        self.values.extend(known.map(|known| (known, value)));
    }

    /// Whether it has a field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.values.iter().any(|(known, _)| known.field == field)
    }

    /// The value under the likeliest name of a field, which stays.
    pub(super) fn peek(&self, field: Field) -> Option<&str> {
        let all = self.values.iter().filter(|(known, _)| known.field == field);
        all.min_by_key(|(known, _)| known.rank).map(|(_, value)| value.as_str())
    }

    /// The same, taken out.
    pub(super) fn take(&mut self, field: Field) -> Option<String> {
        self.take_if(field, |_| true)
    }

    /// The likeliest value that says something: logs write `-` for nothing.
    pub(super) fn said(&mut self, field: Field) -> Option<String> {
        self.take_if(field, |value| !matches!(value.trim(), "" | "-" | "_"))
    }

    fn take_if(&mut self, field: Field, fits: impl Fn(&str) -> bool) -> Option<String> {
        let of_field = |(known, value): &(Known, String)| known.field == field && fits(value);
        let all = self.values.iter().enumerate().filter(|(_, one)| of_field(one));
        let (at, _) = all.min_by_key(|(_, (known, _))| known.rank)?;
        Some(self.values.swap_remove(at).1)
    }

    /// Whether its fields could make a URL, with a host that somebody else gives.
    pub(super) fn has_address(&self) -> bool {
        self.values.iter().any(|(known, value)| match known.field {
            Field::Url | Field::Target => is_url_or_path(value),
            Field::LooseUrl => is_whole_url(value),
            Field::Path => value.starts_with('/'),
            Field::RequestLine => value.starts_with('/') || requested(value).is_some(),
            _ => false,
        })
    }

    /// Whether a field has a whole URL.
    pub(super) fn has_whole_url(&self) -> bool {
        let is_url = |field| matches!(field, Field::Url | Field::LooseUrl);
        self.values.iter().any(|(known, value)| is_url(known.field) && is_whole_url(value))
    }

    /// Whether the fields are those of a request that a server logged.
    pub(super) fn is_logged(&self) -> bool {
        let any = |is: fn(Field, &str) -> bool| {
            self.values.iter().any(|(known, value)| is(known.field, value))
        };
        if any(|field, _| field.is_of_page()) {
            return false;
        }
        let has_line =
            any(|field, value| field == Field::RequestLine && requested(value).is_some());
        let has_method = has_line || self.has(Field::Method);
        let has_visitor = self.has(Field::Agent) || self.has(Field::Client);
        // Crawlers write whole URLs and methods, too. Logs of one's own may lack a field.
        let has_url = any(|field, value| field == Field::Url && is_whole_url(value));
        let has_answer = !has_url && self.has(Field::Status) && (has_method || has_visitor);
        has_answer || has_method && has_visitor
    }

    /// The URL: a whole one, or one that is made of its parts.
    pub(super) fn take_url(&mut self, options: &ReadOptions) -> Result<ItemUrl, NoUrl> {
        let url = self.take_if(Field::Url, is_whole_url);
        if let Some(url) = url.or_else(|| self.take_if(Field::LooseUrl, is_whole_url)) {
            return Ok(whole(self.with_query(url, &[Field::RequestQuery, Field::Query])));
        }
        let (target, has_query) = self.take_target().ok_or_else(|| match self.has(Field::Url) {
            true => NoUrl::NotWhole,
            false => NoUrl::Missing,
        })?;
        let queries: &[Field] = match has_query {
            true => &[Field::RequestQuery],
            false => &[Field::RequestQuery, Field::Query, Field::LooseQuery],
        };
        let is_known =
            has_query || target.contains('?') || queries.iter().any(|one| self.has(*one));
        let target = self.with_query(target, queries);
        if !target.starts_with('/') {
            return Ok(whole(target));
        }
        let (origin, has_host) = self.take_origin(options)?;
        let url = format!("{origin}{target}");
        Ok(ItemUrl { has_host, has_query: is_known, ..whole(url) })
    }

    /// Path and query, and whether no other field has the query; or a whole URL where the client asked a proxy for one.
    fn take_target(&mut self) -> Option<(String, bool)> {
        if let Some(target) = self.take_if(Field::Target, is_url_or_path) {
            return Some((target, true));
        }
        if let Some(line) = self.take(Field::RequestLine) {
            if line.starts_with('/') {
                return Some((line, false));
            }
            if let Some(target) = requested(&line) {
                return Some((target.into_owned(), true));
            }
        }
        let path = self.take_if(Field::Url, is_url_or_path);
        let path = path.or_else(|| self.take_if(Field::Path, is_url_or_path))?;
        Some((path, false))
    }

    /// Scheme, host and port, and whether they are those of the record.
    fn take_origin(&mut self, options: &ReadOptions) -> Result<(String, bool), NoUrl> {
        let has_field = self.has_empty_host || self.has(Field::Host);
        match (self.said(Field::Host), &options.host) {
            (Some(host), _) if names_host(host.trim().as_bytes()) => {
                let port = self.said(Field::Port).filter(|port| are_digits(port));
                let origin = origin_of(self.take_scheme(), host.trim(), port.as_deref());
                Ok((origin, true))
            }
            (Some(_), _) => Err(NoUrl::BadHost),
            (None, Some(host)) => Ok((origin_of(None, host, None), false)),
            (None, None) if has_field => Err(NoUrl::BadHost),
            (None, None) => Err(NoUrl::NoHost),
        }
    }

    /// Adds a query that stands in a field of its own, of these fields.
    fn with_query(&mut self, url: String, fields: &[Field]) -> String {
        if url.contains(['?', '#']) {
            return url;
        }
        let is_query = |value: &str| !matches!(value.trim(), "" | "-" | "?");
        let query = fields.iter().find_map(|field| self.take_if(*field, is_query));
        let Some(query) = query else { return url };
        let query = query.trim();
        format!("{url}?{}", query.strip_prefix('?').unwrap_or(query))
    }

    fn take_scheme(&mut self) -> Option<&'static str> {
        let known = |value: &str| {
            let is = |scheme: &&'static str| value.trim().eq_ignore_ascii_case(scheme);
            ["http", "https"].into_iter().find(is)
        };
        let named = self.take_if(Field::Scheme, |value| known(value).is_some());
        let of_port = self.take_if(Field::ServerPort, |port| port.trim() == "443");
        named.and_then(|name| known(&name)).or(of_port.map(|_| "https"))
    }

    /// The status of a response. Without one `otherwise` counts.
    pub(super) fn status(&mut self, otherwise: u16) -> u16 {
        if let Some(state) = self.take(Field::NutchStatus) {
            return match &*state {
                "db_fetched" | "db_notmodified" | "db_duplicate" => 200,
                "db_gone" => 404,
                _ => 0,
            };
        }
        self.take_status().map_or(otherwise, |status| status_number(&status).unwrap_or(0))
    }

    /// The likeliest value of the status that is a number; where none is, the likeliest. Sitebulb has `OK` beside `200`.
    pub(super) fn take_status(&mut self) -> Option<String> {
        let number = self.take_if(Field::Status, |value| status_number(value).is_some());
        number.or_else(|| self.take(Field::Status))
    }

    /// The names of its fields, for people.
    pub(super) fn names(&self) -> String {
        let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        names.sort_unstable();
        let more = if names.len() > MOST_NAMES { ", …" } else { "" };
        names.truncate(MOST_NAMES);
        format!("{}{more}", names.join(", "))
    }
}

/// The number of a status, which a reason may follow. Tables write whole numbers as fractions.
pub(super) fn status_number(text: &str) -> Option<u16> {
    let text = text.split_ascii_whitespace().next()?;
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

fn is_url_or_path(value: &str) -> bool {
    value.starts_with('/') || is_whole_url(value)
}

/// What the first line of a request asks for.
fn requested(line: &str) -> Option<Cow<'_, str>> {
    let (_, target) = request(line.as_bytes())?;
    Some(String::from_utf8_lossy(target)).filter(|target| is_url_or_path(target))
}

fn whole(url: String) -> ItemUrl {
    let url = without_controls(without_fragment(url));
    ItemUrl { url, has_host: true, has_query: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_status() {
        for (text, number) in [
            ("200", Some(200)),
            (" 404.0 ", Some(404)),
            ("200 OK", Some(200)),
            ("503\tService Unavailable", Some(503)),
            ("OK", None),
            ("", None),
        ] {
            assert_eq!(status_number(text), number, "{text}");
        }
    }
}
