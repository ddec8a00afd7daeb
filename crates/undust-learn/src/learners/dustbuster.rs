//! DustBuster: DUST rules from a list of URLs (Bar-Yossef, Keidar, Schonfeld: Do not crawl in
//! the DUST, WWW 2007).
//!
//! ```text
//! pages, log or list ─► likely rules ─► without redundant ones ─► valid rules ─► canonical form
//! [Listing]    [buckets], [likely], [parameters]  [redundancy]  [validation]  [Substitutions]
//! ```

mod buckets;
mod cuts;
mod likely;
pub mod listing;
mod parameters;
mod redundancy;
mod sources;
pub(crate) mod tally;
#[cfg(test)]
mod tests;
mod trials;
mod validation;

use crate::report::RulesReport;
use undust_rules::dustbuster::substitution::Substitution;
use undust_rules::kind;
use undust_rules::measured::Counting;
use undust_rules::rule::{CandidateRules, Rule};
use undust_rules::set::RuleSet;
use undust_util::plural::counted;

use super::learner::{Learner, Order};
use super::measure::{LabelledUrls, Measured, measure};
use crate::config::{Config, DustbusterConfig};
use cuts::Cuts;
use likely::Likely;
use listing::Listing;
use parameters::Name;
use sources::KnownPages;
use tally::ValidationVerdict;
use validation::Validator;

/// Its entry in the table of learners.
pub(crate) static LEARNER: Learner = Learner {
    name: kind::DUSTBUSTER,
    about: "DustBuster's substring rules (Bar-Yossef, Keidar, Schonfeld, WWW 2007)",
    candidates: |set, config| candidates(&Listing::of_pages(set), &config.dustbuster, config.seed),
    counting: Counting::Known,
    support: |evidence| evidence.coverage,
    order: Order::AsGiven,
    from_urls: Some(learn_listing),
};

/// The rules of a log or a list of URLs. Nothing there says what the URLs show, so a rule is kept
/// only if enough of its images are listed, too: a rule that makes up URLs would spoil a queue.
/// Its evidence is its coverage and the number of those images.
pub(crate) fn learn_listing(listing: &Listing, config: &Config) -> (RuleSet, RulesReport) {
    let found = candidates(listing, &config.dustbuster, config.seed);
    let urls = listing.records().iter().map(|record| &*record.url).collect();
    let made = found.rules.len();
    let Measured { mut rules, note } = measure(found.rules, &LabelledUrls::unlabelled(urls), &());
    let affordable = rules.len();
    let least = config.dustbuster.min_known;
    rules.retain(|measured| measured.evidence.known >= least);
    let (candidates, kept) = (found.suggested.max(made), rules.len());
    let mut notes = found.notes;
    notes.extend(note);
    if kept < affordable {
        let left_out = affordable - kept;
        notes.push(format!(
            "{} left out because fewer than {least} of their rewritten URLs are listed.",
            counted(left_out, "rule")
        ));
    }
    (RuleSet::new(rules), RulesReport { candidates, kept, notes })
}

/// The rules of a list of URLs, most support first. With sketches these are the valid rules, with
/// sizes the rules that the sizes do not refute, with neither all likely rules. The notes say
/// what was not checked.
///
/// For m URLs of n tokens, substrings up to S tokens and buckets up to T: time O(mnS T² log),
/// memory O(mn), some 20 bytes a token. `seed` decides which URLs validate a rule.
pub(crate) fn candidates(
    listing: &Listing,
    settings: &DustbusterConfig,
    seed: u64,
) -> CandidateRules {
    let pages = KnownPages::of(listing);
    let cuts = Cuts::new(listing.records().iter().map(|record| record.url.as_ref()));
    let found = likely::find(listing, &cuts, settings);
    let count = found.rules.len();
    let likely = redundancy::eliminate(found.rules, settings);
    let (mut ranked, mut names, mut dear) = (Vec::new(), Vec::new(), 0);
    match &pages {
        Some(pages) => {
            // Where nothing says that pages differ, every parameter seems to have no effect.
            names = parameters::find(listing, settings);
            let validator = Validator::new(listing, &cuts, pages, settings, seed);
            ranked.extend(parameter_rules(&names, &validator, pages));
            let (rules, too_dear) = text_rules(&likely, &validator, pages);
            ranked.extend(rules);
            dear = too_dear;
        }
        None => ranked.extend(likely.iter().map(|rule| (rule.support as usize, rule.shrinking()))),
    }
    ranked.sort_by_key(|(support, _)| std::cmp::Reverse(*support));
    let mut notes = vec![format!(
        "Redundancy elimination left {} of {}; with {} they made {}.",
        likely.len(),
        counted(count, "likely substring rule"),
        counted(names.len(), "parameter"),
        counted(ranked.len(), "rule")
    )];
    if found.dropped > 0 {
        let dropped = counted(found.dropped, "likely rule");
        notes.push(format!("{dropped} with little support left out."));
    }
    if dear > 0 {
        notes.push(format!(
            "{} left out: checking all of them would take too many trials; these had the least support.",
            counted(dear, "likely rule")
        ));
    }
    notes.extend(what_was_not_checked(listing, pages.as_ref()));
    let rules = ranked.into_iter().map(|(_, rule)| Rule::Substitution(rule)).collect();
    CandidateRules { rules, suggested: likely.len() + names.len(), learned_from: Vec::new(), notes }
}

fn keeps(pages: &KnownPages<'_>, verdict: ValidationVerdict) -> bool {
    match pages.can_confirm {
        true => verdict == ValidationVerdict::Valid,
        false => verdict >= ValidationVerdict::Unknown,
    }
}

fn what_was_not_checked(listing: &Listing, pages: Option<&KnownPages<'_>>) -> Vec<String> {
    let mut notes = Vec::new();
    if listing.skipped() > 0 {
        let skipped = listing.skipped();
        notes.push(format!("{skipped} entries left out: not URLs, or not successful."));
    }
    let unchecked = match pages {
        Some(pages) if pages.can_confirm => return notes,
        Some(_) => {
            "The rules are only likely: sizes in a log can refute a rule but not confirm it."
        }
        None => {
            "The rules are only likely: a bare list of URLs does not describe pages, so the rules \
             are unchecked, and there are no parameter rules."
        }
    };
    notes.push(unchecked.to_owned());
    notes
}

/// For each name the first of its two rules that is kept, with its support.
fn parameter_rules(
    names: &[Name],
    validator: &Validator<'_>,
    pages: &KnownPages<'_>,
) -> Vec<(usize, Substitution)> {
    let is_kept = |name: &Name, rule: &Substitution| {
        rule.check().is_ok() && keeps(pages, validator.parameter(name, rule))
    };
    let kept = |name: &Name| {
        let rule = name.rules().into_iter().find(|rule| is_kept(name, rule))?;
        Some((name.support, rule))
    };
    names.iter().filter_map(kept).collect()
}

/// The likely rules that are kept, each in the direction of its verdict, and how many were too dear to
/// check.
fn text_rules(
    likely: &[Likely<'_>],
    validator: &Validator<'_>,
    pages: &KnownPages<'_>,
) -> (Vec<(usize, Substitution)>, usize) {
    let found = validator.directions(likely);
    let is_kept: Vec<bool> = found
        .iter()
        .map(|(verdict, text)| keeps(pages, *verdict) && text.check().is_ok())
        .collect();
    let verdicts: Vec<ValidationVerdict> = found.iter().map(|(verdict, _)| *verdict).collect();
    let kept = validation::without_refinements(likely, &verdicts, &is_kept);
    let rule = |at: usize| (likely[at].support as usize, Substitution::Text(found[at].1.clone()));
    let dear = verdicts.iter().filter(|verdict| **verdict == ValidationVerdict::Dear).count();
    (kept.into_iter().map(rule).collect(), dear)
}
