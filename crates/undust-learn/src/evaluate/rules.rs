//! The rule-level report: how many rules a learner offers at what precision and coverage,
//! and what they take off the part of the crawl to test on. The shapes are those of
//! Koppula et al. (WSDM 2010), Tables 3 and 4, and of DUSTER's candidates and valid rules.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use undust_edits::conventions::UrlConventions;
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_model::translation::Canonicalizer;

use super::split::Split;
use crate::collisions::Collisions;
use crate::config::{FalsePositives, RuleLimits};
use crate::learners::learner::Study;
use crate::simulate::simulate;

/// The precisions of the papers' tables; 0 keeps every rule.
const PRECISIONS: [f64; 5] = [1.0, 0.95, 0.9, 0.8, 0.0];

/// The coverages of Koppula's Table 4.
const COVERAGES: [usize; 3] = [10, 100, 1000];

/// What a learner's rules come to on one site.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleReport {
    /// Rules that the clusters suggested.
    pub candidates: usize,
    /// By what counts as false positive, then by precision, then by coverage.
    pub selections: Vec<Selection>,
}

/// The rules at some precision and coverage, both of the part learned from, and what they do
/// to the part to test on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Selection {
    /// What counts as a false positive.
    pub count: FalsePositives,
    /// Least precision of a rule: 1 less the share of false positives.
    pub min_precision: f64,
    /// Least coverage of a rule: URLs that it changes.
    pub min_coverage: usize,
    /// Rules.
    pub rules: usize,
    /// Of the candidates.
    pub share: f64,
    /// What they do together.
    #[serde(flatten)]
    pub effect: RuleSetEffect,
}

/// What a set of rules does to the URLs to test on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RuleSetEffect {
    /// URLs that the rules change.
    pub coverage: usize,
    /// 1 less the URLs outside their form's majority cluster, as a share of the coverage.
    pub precision: f64,
    /// Reduction ratio: the share by which there are fewer forms than URLs.
    pub reduction_ratio: f64,
    /// URLs saved for each rule.
    pub reduction_per_rule: f64,
    /// Of the clusters of two URLs or more, the share that gets one form (our reading of
    /// DUSTER's cluster-reduction rate).
    pub cluster_reduction: f64,
    /// Clusters that the crawl simulator never sees.
    pub lost: usize,
    /// Its F1.
    pub f1: f64,
}

/// What candidates that were studied on the first part come to, and every selection of them on
/// the second.
pub(crate) fn report(
    split: &Split,
    study: &Study<'_>,
    conventions: &Arc<UrlConventions>,
) -> RuleReport {
    let mut selections = Vec::new();
    for count in [FalsePositives::Paper, FalsePositives::Collisions] {
        for min_precision in PRECISIONS {
            for min_coverage in COVERAGES {
                let max_false_positives = 1.0 - min_precision + f64::EPSILON;
                let set = study.select(&RuleLimits { count, max_false_positives, min_coverage });
                let rules = set.rules().len();
                let served = split.served(Some(Arc::clone(conventions)), Model::Rules(set));
                selections.push(Selection {
                    count,
                    min_precision,
                    min_coverage,
                    rules,
                    share: ratio(rules, study.candidates()),
                    effect: effect(split, &served, rules),
                });
            }
        }
    }
    RuleReport { candidates: study.candidates(), selections }
}

/// Linear in the URLs.
fn effect(split: &Split, model: &SiteModel, rules: usize) -> RuleSetEffect {
    let (pages, clusters) = split.test();
    let forms: Vec<u64> =
        pages.iter().map(|page| xxh3_64(model.canonical(&page.url).as_bytes())).collect();
    let changed = pages.iter().zip(&forms);
    let coverage = changed.filter(|(page, form)| xxh3_64(page.url.as_bytes()) != **form).count();
    let distinct = forms.iter().collect::<FxHashSet<_>>().len();
    let saved = pages.len() - distinct;
    let duplicates: Vec<_> = clusters.iter().filter(|members| members.len() > 1).collect();
    let is_one_form = |members: &[u32]| {
        members.iter().all(|page| forms[*page as usize] == forms[members[0] as usize])
    };
    let united = duplicates.iter().filter(|members| is_one_form(members)).count();
    let replay = simulate(pages, clusters, model);
    RuleSetEffect {
        coverage,
        precision: 1.0 - ratio(Collisions::of_forms(&forms, clusters.labels()).outside, coverage),
        reduction_ratio: ratio(saved, pages.len()),
        reduction_per_rule: ratio(saved, rules),
        cluster_reduction: ratio(united, duplicates.len()),
        lost: replay.lost(),
        f1: replay.f1(),
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use undust_model::rules::store::parse;
    use undust_testing::crawl;

    use super::*;
    use crate::evaluate::EvaluationOptions;
    use crate::evaluate::units::{UnitBy, units};

    /// Ten URLs under one rule, every figure counted by hand.
    #[test]
    fn the_figures_of_a_rule() {
        let groups = [
            &["http://x/1", "http://x/1?v=a", "http://x/1?v=b"][..],
            &["http://x/2?v=a", "http://x/2?v=b"],
            &["http://x/3"],
            &["http://x/3?v=a"],
            &["http://x/4"],
            &["http://x/5", "http://x/6"],
        ];
        let groups = groups.map(|group| group.iter().map(|url| (*url).to_owned()).collect());
        let (pages, _) = crawl(&groups);
        let unit = units(Path::new("x"), pages, UnitBy::Crawl, 0).units.remove(0);
        let options = EvaluationOptions { split: 0.0, ..EvaluationOptions::default() };
        let split = Split::of(unit, &options).expect("a part to test on");
        let rules = serde_json::json!({"method": "tree", "rules": [{"rule": {"keys": {
            "context": {"keys": {"k_v": "any"}},
            "transformation": {"k_v": []},
        }}}]});
        let set = parse(rules.to_string().as_bytes(), "tree").expect("rules");
        let expected = RuleSetEffect {
            coverage: 5,
            precision: 0.8,
            reduction_ratio: 0.4,
            reduction_per_rule: 4.0,
            cluster_reduction: 2.0 / 3.0,
            lost: 1,
            f1: 5.0 / 6.0,
        };
        assert_eq!(effect(&split, &split.served(None, Model::Rules(set)), 1), expected);
        let nothing = parse(br#"{"method": "tree", "rules": []}"#, "tree").expect("no rules");
        let keep_all = effect(&split, &split.served(None, Model::Rules(nothing)), 0);
        assert_eq!((keep_all.coverage, keep_all.precision, keep_all.lost), (0, 1.0, 0));
    }
}
