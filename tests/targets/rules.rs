//! `rules.json`, read and served.

use undust::How;
use undust::learn::LEARNERS;
use undust_model::translation::Rewriter;
use undust_rules::store::{parse as parse_rules, to_json as rules_to_json};

use super::serving::{URLS, Unnormalized, assert_canonical, no_rule};
use super::{halves, text};

/// The bytes before the first zero are the file, those behind it URLs.
pub fn check(bytes: &[u8]) {
    let (json, urls) = halves(bytes);
    let urls = text(urls);
    let names_it = |name: &str| memchr::memmem::find(json, name.as_bytes()).is_some();
    let Some(learner) = LEARNERS.iter().find(|learner| names_it(learner.name)) else { return };
    let Ok(set) = parse_rules(json, learner.name) else { return };
    for url in URLS.into_iter().chain(urls.lines()) {
        assert_canonical(&Unnormalized(&set), url);
        // Rules that are found through the index are those that would be found without one.
        let how = set.rewrite(url).how;
        if learner.name != "dustbuster" {
            let applies = set.rules().any(|learned| learned.rule.apply(url).is_some());
            assert_eq!(applies, !no_rule(how) || is_smallest(&set, url), "{url}");
        }
    }
    let again = rules_to_json(learner.name, &set).expect("what was read can be written");
    let again = parse_rules(&again, learner.name).expect("what was written can be read");
    assert!(again.rules().eq(set.rules()), "it was written otherwise");
}

/// Whether rules apply to a URL and lead back to it: it is the smallest of a circle.
fn is_smallest(set: &undust::model::RuleSet, url: &str) -> bool {
    let applied = set.rules().find_map(|learned| learned.rule.apply(url));
    applied.is_some_and(|image| {
        let back = set.rewrite(&image);
        back.canonical == url && matches!(back.how, How::Rules | How::Unchanged(_))
    })
}
