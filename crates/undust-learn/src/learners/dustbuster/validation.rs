//! Validation: the likely rules that hold, and their directions.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use undust_rules::dustbuster::substitution::Substitution;
use undust_rules::dustbuster::text_substitution::TextSubstitution;
use undust_util::op_counter;

use super::cuts::{Cuts, Substring};
use super::likely::Likely;
use super::listing::Listing;
use super::parameters::Name;
use super::redundancy::Core;
use super::sources::KnownPages;
use super::tally::{InstanceTally, ValidationVerdict};
use super::trials::ValidationTrials;
use crate::config::DustbusterConfig;

/// Validates rules against pages (Bar-Yossef, Keidar, Schonfeld, WWW 2007, Figures 4 and 5).
pub(super) struct Validator<'v> {
    listing: &'v Listing,
    cuts: &'v Cuts,
    pages: &'v KnownPages<'v>,
    settings: &'v DustbusterConfig,
    /// All URLs, shuffled: the paper draws URLs at random.
    order: Vec<u32>,
    seed: u64,
}

impl<'v> Validator<'v> {
    pub(super) fn new(
        listing: &'v Listing,
        cuts: &'v Cuts,
        pages: &'v KnownPages<'v>,
        settings: &'v DustbusterConfig,
        seed: u64,
    ) -> Self {
        let mut order: Vec<u32> = (0..cuts.len() as u32).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        Self { listing, cuts, pages, settings, order, seed }
    }

    /// For each likely rule its direction and the verdict on it. The direction that makes URLs
    /// shorter is tried first, then the other. (Line 13 of the paper's Figure 5 repeats the first
    /// one, a misprint.)
    pub(super) fn directions(
        &self,
        likely: &[Likely<'_>],
    ) -> Vec<(ValidationVerdict, TextSubstitution)> {
        let forth: Vec<Directed> = likely.iter().map(|rule| Directed::new(rule, true)).collect();
        let first = self.verdicts(&forth);
        let open = |verdict: &ValidationVerdict| *verdict != ValidationVerdict::Valid;
        let left: Vec<usize> = (0..likely.len()).filter(|&at| open(&first[at])).collect();
        let back: Vec<Directed> =
            left.iter().map(|&at| Directed::new(&likely[at], false)).collect();
        let second = self.verdicts(&back);
        let mut found: Vec<(ValidationVerdict, TextSubstitution)> =
            first.into_iter().zip(forth).map(|(verdict, rule)| (verdict, rule.text)).collect();
        for ((at, verdict), rule) in left.into_iter().zip(second).zip(back) {
            if verdict > found[at].0 && rule.text.check().is_ok() {
                found[at] = (verdict, rule.text);
            }
        }
        found
    }

    /// Figure 4 for many rules in one walk over the URLs, in random order. Every substring of a URL
    /// is looked up among the α, so that no rule is tried in vain. O(mnS) look-ups, and an image
    /// for each rule that is found and not yet decided, some 128 a URL at most ([`ValidationTrials`]).
    fn verdicts(&self, rules: &[Directed]) -> Vec<ValidationVerdict> {
        let known = rules.iter().map(|rule| (self.cuts.hash(rule.place), rule.support));
        let mut trials = ValidationTrials::new(known, self.order.len());
        let mut tallies = vec![InstanceTally::default(); rules.len()];
        for &url in &self.order {
            let substrings = self.cuts.substrings(url, self.settings.max_tokens);
            trials.on(url, substrings, |rule| {
                tallies[rule].count(self.instance(url, &rules[rule].text));
                tallies[rule].is_decided(self.settings)
            });
        }
        let verdict = |(rule, tally): (usize, InstanceTally)| match tally.verdict(self.settings) {
            ValidationVerdict::Unknown if trials.is_costly(rule) => ValidationVerdict::Dear,
            verdict => verdict,
        };
        tallies.into_iter().enumerate().map(verdict).collect()
    }

    fn instance(&self, url: u32, rule: &TextSubstitution) -> Option<bool> {
        let url = self.listing.url(url);
        self.pages.same_page(url, &rule.apply(url)?)
    }

    /// The verdict on a parameter rule. The image may be missing in the crawl. Then another URL
    /// with the same image is compared: according to the rule, the two are one page.
    pub(super) fn parameter(&self, name: &Name, rule: &Substitution) -> ValidationVerdict {
        let mut uses = name.uses.clone();
        uses.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        let mut tally = InstanceTally::default();
        for (url, other) in uses {
            if tally.is_decided(self.settings) {
                break;
            }
            let url = self.listing.url(url);
            let Some(image) = rule.apply(url) else { continue };
            let by_image = self.pages.same_page(url, &image);
            let by_other = || self.pages.same_page(url, self.listing.url(other?));
            tally.count(by_image.or_else(by_other));
        }
        tally.verdict(self.settings)
    }
}

/// A likely rule in one of its directions.
struct Directed {
    text: TextSubstitution,
    /// Where α stands.
    place: Substring,
    support: u32,
}

impl Directed {
    fn new(rule: &Likely<'_>, shrinks: bool) -> Self {
        let place = rule.places[usize::from(!shrinks)];
        Self { text: rule.text(shrinks), place, support: rule.support }
    }
}

/// The kept rules, in their order, that do not refine an earlier valid one (Figure 5). A rule that
/// is only likely eliminates none, because it may be wrong. What a rule refines is looked up, where
/// there is a valid rule that makes the same change: look-ups for r rules of n tokens are O(rn²).
pub(super) fn without_refinements(
    likely: &[Likely<'_>],
    verdicts: &[ValidationVerdict],
    is_kept: &[bool],
) -> Vec<usize> {
    let mut kept = Vec::new();
    let (mut valid, mut changes) = (FxHashSet::default(), FxHashSet::default());
    for at in (0..likely.len()).filter(|&at| is_kept[at]) {
        op_counter::count(1);
        let is_valid = |core: Core<'_>| {
            op_counter::count(1);
            valid.contains(&core)
        };
        let change = likely[at].change();
        if changes.contains(&change) && likely[at].refined().any(is_valid) {
            continue;
        }
        kept.push(at);
        if verdicts[at] == ValidationVerdict::Valid {
            changes.insert(change);
            valid.insert(likely[at].core());
        }
    }
    kept
}

#[cfg(test)]
mod tests;
