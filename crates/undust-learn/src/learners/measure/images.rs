//! What rules make of URLs.

use undust_rules::index::RuleIndex;
use undust_rules::measured::MeasuredRule;
use undust_rules::rule::Rule;
use undust_url::keyed_url::KeyedUrl;

/// The rules without what is known of them.
pub(super) fn alone(rules: &[MeasuredRule]) -> Vec<&Rule> {
    rules.iter().map(|measured| &measured.rule).collect()
}

/// Hands `each` the rules that change `url`, and its images under them.
pub(super) fn each_image(
    index: &RuleIndex,
    rules: &[&Rule],
    url: &str,
    found: &mut Vec<u32>,
    each: &mut dyn FnMut(u32, &str),
) {
    let keyed = KeyedUrl::parse(url);
    index.find(url, keyed.as_ref(), found);
    for &rule in found.iter() {
        if let Some(image) = rules[rule as usize].apply_to(url, keyed.as_ref()) {
            each(rule, &image);
        }
    }
}
