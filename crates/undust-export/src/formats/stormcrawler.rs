//! A filter of Apache StormCrawler's `urlfilters.json`.

use serde_json::json;

use super::{java, limit, written};
use crate::regexes::Chain;

/// The file with this one filter. Its XML form fails on a bad pattern, its JSON form tells it.
pub(crate) fn text(chain: &Chain) -> String {
    let rule = |rule: java::JavaRule| {
        let to = written(&rule.written, |group| format!("${group}"));
        json!({ "pattern": rule.pattern, "substitution": to })
    };
    let rules: Vec<_> = java::rules(chain).map(rule).collect();
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
