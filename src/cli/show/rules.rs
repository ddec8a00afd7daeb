//! The rules of a model: the best as a table, or all with their notation, counts and examples.

use std::cmp::Reverse;

use undust_learn::config::FalsePositives;
use undust_learn::learners::LEARNERS;
use undust_learn::learners::learner::Learner;
use undust_learn::report::Report;
use undust_model::folder::info::ModelInfo;
use undust_rules::measured::{MeasuredRule, RuleEvidence};
use undust_rules::set::RuleSet;
use undust_util::plural::counted;

use super::person::written;
use crate::cli::table::{MOST_ROWS, listing, numbers, safe_line, wrapped};

/// The learner of the rules; none where the crawl had no pages to check them by.
pub(super) fn learner_of(info: &ModelInfo) -> Option<&'static Learner> {
    let is_checked = Report::of(info).is_none_or(|report| report.clusters > 0);
    LEARNERS.into_iter().find(|learner| learner.name == info.method && is_checked)
}

const LEGEND: &str = "\
#: the order in which rules are applied. URLs: changed by the rule.
saved: fetches. lost: pages, by key collisions.";

/// The rules, those that save most first, with what they did to the training crawl.
pub(super) fn text(rules: &RuleSet, learner: Option<&Learner>, pages: usize, all: bool) -> String {
    let mut rules: Vec<(usize, &MeasuredRule)> = (1..).zip(rules.rules()).collect();
    if rules.is_empty() {
        return "no rules: every URL stays as it is".into();
    }
    rules.sort_by_key(|(number, rule)| (Reverse(rule.evidence.known), *number));
    let total = wrapped(&total(&rules, pages));
    if all {
        let blocks = rules.iter().map(|(number, rule)| rule_text(*number, rule, learner));
        return blocks.chain([total]).collect::<Vec<_>>().join("\n\n");
    }
    let more = match rules.len().saturating_sub(MOST_ROWS) {
        0 => "--all adds notation, precision and examples".to_owned(),
        more => format!("{more} more; --all lists all, with notation, precision and examples"),
    };
    let table = table(&rules[..rules.len().min(MOST_ROWS)]);
    [total, table, wrapped(LEGEND), wrapped(&more)].join("\n")
}

/// What all rules do, each counted by itself.
fn total(rules: &[(usize, &MeasuredRule)], pages: usize) -> String {
    let sum = |count: fn(&RuleEvidence) -> usize| -> usize {
        rules.iter().map(|(_, rule)| count(&rule.evidence)).sum()
    };
    format!(
        "{} in all; each by itself, they change {} of {pages}, save {} and lose {}",
        counted(rules.len(), "rule"),
        counted(sum(|evidence| evidence.coverage), "URL"),
        counted(sum(|evidence| evidence.known), "fetch"),
        counted(sum(|evidence| evidence.collisions), "page"),
    )
}

fn table(rules: &[(usize, &MeasuredRule)]) -> String {
    let mut table = listing(["#", "rule", "URLs", "saved", "lost"]);
    for (number, MeasuredRule { rule, evidence, .. }) in rules {
        table.add_row([
            number.to_string(),
            safe_line(&written(rule)),
            evidence.coverage.to_string(),
            evidence.known.to_string(),
            evidence.collisions.to_string(),
        ]);
    }
    numbers(&mut table, [0, 2, 3, 4]);
    table.to_string()
}

fn rule_text(number: usize, learned: &MeasuredRule, learner: Option<&Learner>) -> String {
    let (written, notation) = (written(&learned.rule), learned.rule.to_string());
    let mut lines = vec![format!("{number}. {}", safe_line(&written))];
    if notation != written {
        lines.push(format!("   {}", safe_line(&notation)));
    }
    lines.push(format!("   {}", counts(&learned.evidence, learner)));
    if let Some([before, after]) = &learned.example {
        lines.push(format!("   {}", safe_line(before)));
        lines.push(format!("   → {}", safe_line(after)));
    }
    wrapped(&lines.join("\n"))
}

fn counts(evidence: &RuleEvidence, learner: Option<&Learner>) -> String {
    let RuleEvidence { coverage, known, wrong, collisions, .. } = *evidence;
    let Some(learner) = learner else {
        return format!(
            "coverage {coverage}, {known} rewritten URLs listed; no pages to check the rule by"
        );
    };
    if coverage == 0 {
        return "not measured".to_owned();
    }
    let precision = |count| (1.0 - evidence.rate(count, learner.counting)).max(0.0);
    format!(
        "coverage {coverage}, precision {:.4} ({collisions} collisions), by the paper's count {:.4} \
         ({known} rewritten URLs crawled, {wrong} of them another page)",
        precision(FalsePositives::Collisions),
        precision(FalsePositives::Paper),
    )
}
