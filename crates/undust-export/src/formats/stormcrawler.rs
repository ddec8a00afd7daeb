//! A filter of Apache StormCrawler's `urlfilters.json`.

use serde_json::json;

use super::{java, limit};
use crate::regexes::Chain;

/// The file with this one filter. Its XML form fails on a bad pattern, its JSON form tells it.
pub(crate) fn text(chain: &Chain) -> String {
    let rules: Vec<_> = java::rules(chain, |group| format!("${group}"))
        .map(|rule| json!({ "pattern": rule.pattern, "substitution": rule.substitution }))
        .collect();
    let filters = json!({
        "org.apache.stormcrawler.filtering.URLFilters": [{
            "class": "org.apache.stormcrawler.filtering.regex.RegexURLNormalizer",
            "name": "undust",
            "note": limit(),
            "params": { "urlNormalizers": rules },
        }],
    });
    format!("{filters:#}\n")
}
