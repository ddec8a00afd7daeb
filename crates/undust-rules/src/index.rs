//! Which rules may be for a URL, without asking all of them.
//!
//! A rule has features that every URL it is for must have. Its pivot is the
//! feature that the fewest other rules have. A URL looks its own features up and meets only the
//! few rules whose pivots are among them.

use rustc_hash::FxHashMap;

use undust_url::keyed_url::KeyedUrl;
use undust_util::op_counter;

use super::duster::features::holdings;
use super::feature::{Kinds, Sieve};
use super::rule::{Rule, each_feature};

/// The rules by their pivots.
#[derive(Debug, Default)]
pub struct RuleIndex {
    by_pivot: FxHashMap<u64, Vec<u32>>,
    /// Rules without any feature.
    anywhere: Vec<u32>,
    /// By rule; empty if no rule has one.
    sieves: Vec<Sieve>,
    /// Kinds of the pivots.
    kinds: Kinds,
}

impl RuleIndex {
    /// Of rules, which are then known by their places. Linear in their features.
    pub fn new(rules: &[&Rule]) -> Self {
        let features: Vec<_> = rules.iter().map(|rule| rule.features()).collect();
        let mut owners: FxHashMap<u64, u32> = FxHashMap::default();
        for feature in features.iter().flatten() {
            *owners.entry(feature.hash).or_default() += 1;
        }
        let mut index = RuleIndex { sieves: sieves(rules), ..RuleIndex::default() };
        for (rule, features) in (0..).zip(&features) {
            // The kind decides ties, so that as few kinds as possible are looked up.
            match features.iter().min_by_key(|feature| (owners[&feature.hash], feature.kind)) {
                Some(pivot) => {
                    index.kinds = index.kinds.with(pivot.kind);
                    index.by_pivot.entry(pivot.hash).or_default().push(rule);
                }
                None => index.anywhere.push(rule),
            }
        }
        index
    }

    /// The places of all rules that may be for the URL, ascending, in `found`. Every rule that
    /// applies is among them.
    ///
    /// This is the hot path of serving: it reuses `found`, computes features of the pivots'
    /// kinds only, and sieves only where more than one rule was found, since trying a single
    /// rule costs no more than sieving it.
    pub fn find(&self, url: &str, keyed: Option<&KeyedUrl<'_>>, found: &mut Vec<u32>) {
        found.clear();
        found.extend(&self.anywhere);
        each_feature(url, keyed, self.kinds, &mut |hash| {
            found.extend(self.by_pivot.get(&hash).into_iter().flatten());
        });
        op_counter::count(1 + found.len());
        if found.len() > 1 && !self.sieves.is_empty() {
            let held = holdings(url);
            found.retain(|rule| self.sieves[*rule as usize].lets_through(held));
        }
        if found.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
    }
}

/// The sieve of each rule; empty if no rule has one, so that URLs need not be read for it.
fn sieves(rules: &[&Rule]) -> Vec<Sieve> {
    let sieves: Vec<_> = rules.iter().map(|rule| rule.sieve()).collect();
    if sieves.iter().all(Option::is_none) {
        return Vec::new();
    }
    sieves.into_iter().map(|sieve| sieve.unwrap_or(Sieve::OPEN)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duster::pattern::Pattern;

    /// A rule is found by the word that no other has, not by those of the whole site.
    #[test]
    fn a_rule_is_found_by_its_rarest_word() {
        let rule = |n: usize| {
            let pattern = serde_json::json!([
                format!("http://x.test/section{n}x/"),
                {"copy": "digits"},
                {"replace": ["/print"], "optional": true, "with": ""},
            ]);
            Rule::Pattern(serde_json::from_value::<Pattern>(pattern).expect("a pattern"))
        };
        let rules: Vec<Rule> = (100..1100).map(rule).collect();
        let index = RuleIndex::new(&rules.iter().collect::<Vec<_>>());
        let mut found = Vec::new();
        index.find("http://x.test/section118x/1181/print", None, &mut found);
        assert_eq!(found, [18]);
    }
}
