//! Rules of Zyte's duplicate-url-discarder, for Scrapy.

use serde_json::{Value, json};

use crate::wildcards::{Pattern, WildcardRule, Wildcards};

/// The file.
pub(crate) fn text(all: &Wildcards) -> String {
    let texts = |patterns: &[Pattern]| patterns.iter().map(Pattern::text).collect::<Value>();
    let rule = |(place, rule): (usize, &WildcardRule)| {
        let mut patterns = json!({ "include": texts(&rule.include) });
        if !rule.exclude.is_empty() {
            patterns["exclude"] = texts(&rule.exclude);
        }
        let order = 100 + place;
        json!({ "order": order, "processor": "queryRemoval", "args": [rule.name], "urlPattern": patterns })
    };
    format!("{:#}\n", all.rules.iter().enumerate().map(rule).collect::<Value>())
}
