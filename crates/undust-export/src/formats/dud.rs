//! Rules of Zyte's duplicate-url-discarder, for Scrapy.

use crate::wildcards::{Pattern, SavedPattern, SavedRule, Wildcards};

/// The file.
pub(crate) fn text(all: &Wildcards) -> String {
    let texts = |patterns: &[Pattern]| patterns.iter().map(Pattern::text).collect();
    let rule = |(place, rule): (usize, &crate::wildcards::WildcardRule)| {
        let url_pattern =
            SavedPattern { include: texts(&rule.include), exclude: texts(&rule.exclude) };
        let (order, processor) = (100 + place, "queryRemoval");
        serde_json::to_value(SavedRule { order, processor, args: [&rule.name], url_pattern })
    };
    let rules: Vec<_> = all.rules.iter().enumerate().filter_map(|one| rule(one).ok()).collect();
    format!("{:#}\n", serde_json::Value::Array(rules))
}
