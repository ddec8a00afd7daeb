//! URLs that a cache takes for one when an answer says what arguments do not matter (No-Vary-Search). It compares the
//! others as forms are read: decoded, `+` for a space, no empty ones, `a` as `a=`. So a header merges URLs that differ in
//! nothing that it names, too.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use percent_encoding::percent_decode;
use rustc_hash::FxHashMap;

use undust_model::site_model::SiteModel;
use undust_model::translation::Canonicalizer;
use undust_url::query::query_span;

use crate::check::leave_out;
use crate::names::NameList;
use crate::unsaid::Unsaid;

/// What a cache compares of a URL: all before the query, and the arguments that matter.
type Key<'u> = (&'u str, Vec<[Vec<u8>; 2]>);

/// Leaves out rules of paths on which a cache would take one of these URLs for another that the model tells apart.
pub(crate) fn leave_out_mixed(
    model: &SiteModel,
    list: &mut NameList,
    urls: &[String],
) -> Vec<(usize, Unsaid)> {
    let has_rule = |url: &&String| list.holding(url).next().is_some();
    let held: Vec<(&str, String)> = urls
        .iter()
        .filter(has_rule)
        .map(|url| (url.as_str(), model.canonicalize(url).canonical.into_owned()))
        .collect();
    leave_out(list, |list| {
        let mut seen: FxHashMap<Key<'_>, &str> = FxHashMap::default();
        let mut mixed: BTreeMap<usize, &str> = BTreeMap::new();
        for (url, canonical) in &held {
            // Below a path that has lost its last rule no answer has the header.
            if list.holding(url).next().is_none() {
                continue;
            }
            match seen.entry(key(list, url)) {
                Entry::Vacant(vacant) => {
                    vacant.insert(canonical);
                }
                Entry::Occupied(known) if *known.get() != canonical => {
                    mixed.extend(list.holding(url).map(|rule| (rule.numbers[0], *url)));
                }
                Entry::Occupied(_) => {}
            }
        }
        mixed.into_iter().map(|(rule, url)| (rule, Unsaid::Conflict(url.to_owned()))).collect()
    })
}

fn key<'u>(list: &NameList, url: &'u str) -> Key<'u> {
    let Some((start, end)) = query_span(url) else {
        return (url.split('#').next().unwrap_or_default(), Vec::new());
    };
    let arguments = url[start..end].split('&').filter(|argument| !argument.is_empty());
    let read = arguments.map(|argument| {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        [decoded(name), decoded(value)]
    });
    let matters =
        |[name, _]: &[Vec<u8>; 2]| !list.holding(url).any(|rule| rule.name.as_bytes() == &**name);
    (&url[..start - 1], read.filter(matters).collect())
}

fn decoded(text: &str) -> Vec<u8> {
    percent_decode(text.replace('+', " ").as_bytes()).collect()
}
