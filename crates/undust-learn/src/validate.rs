//! Validation by fetches, the fourth phase of DustBuster (Bar-Yossef, Keidar, Schonfeld, WWW 2007, section 4.4).
//!
//! Rules of a log or a list are likely, no more; some edits were tested too little. [`asked`] finds the pairs of
//! URLs whose fetching would decide them. Any crawler fetches these. [`test_rules`] takes what came back, and
//! accepts or refuses each rule by the paper's test. Edits are decided by the next training, which takes what came
//! back as one more crawl of the site.

mod edits;
mod fetched;
mod record;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use undust_model::folder::info::ModelInfo;
use undust_model::model::Model;
use undust_model::operation::OperationName;
use undust_model::site_model::SiteModel;
use undust_rules::set::RuleSet;

pub use self::fetched::Fetched;
pub use self::record::{FetchVerdict, Validated, ValidatedOperation, add_verdicts};
use crate::config::DustbusterConfig;
use crate::learners::dustbuster::tally::{InstanceTally, ValidationVerdict};

/// Rules tried on URLs at most, over all rules and URLs: some seconds.
const MOST_TRIALS: usize = 1 << 22;

/// Why a pair is to be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// A rule of a log or a list, which nothing confirms.
    Likely,
    /// An accepted edit, on pages on which it was not tested.
    NotTestedHere,
    /// An edit that was refused because too little tested it.
    Refused,
}

/// A rule or edit that fetches would decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedOperation {
    /// Its notation.
    pub operation: String,
    /// Where it was proposed, in words; none for a rule.
    pub scope: Option<String>,
    /// Why it is open.
    pub question: Question,
    /// Fetches that it would have saved among the known URLs.
    pub saves: u64,
    /// URLs, each with another one that must show the same page if the operation holds.
    pub pairs: Vec<[String; 2]>,
}

/// How many pairs are asked for, and which.
#[derive(Debug, Clone, Copy)]
pub struct PairLimits {
    /// Pairs of one operation at most.
    pub pairs: usize,
    /// Different URLs in all pairs at most.
    pub fetches: usize,
    /// Decides which URLs are drawn.
    pub seed: u64,
}

/// Whether nothing but URLs was known of the site when the rules of this model were learned: they are likely then,
/// and no page confirms them.
pub fn is_only_likely(model: &Model, about: &ModelInfo) -> bool {
    matches!(model, Model::Rules(_)) && about.counts().1.is_none()
}

/// The operations of a model that fetches would decide, with the pairs to fetch. Those that would save most for each
/// pair come first. `urls` are known URLs of the site. `decided` rules are passed over. The same arguments give the
/// same pairs.
pub fn asked(
    model: &SiteModel,
    urls: &[&str],
    decided: &FxHashSet<OperationName>,
    limits: PairLimits,
) -> Vec<AskedOperation> {
    let mut urls: Vec<&str> = urls.to_vec();
    urls.shuffle(&mut ChaCha8Rng::seed_from_u64(limits.seed));
    let mut found = match &model.model {
        Model::Rules(rules) => of_rules(model, rules, &urls, decided, limits.pairs),
        Model::Edits(_) => edits::asked(model, &urls, limits.pairs),
        _ => Vec::new(),
    };
    found.retain(|one| !one.pairs.is_empty());
    let saved_by_pair = |one: &AskedOperation| one.saves as f64 / one.pairs.len() as f64;
    found.sort_by(|a, b| {
        let most = saved_by_pair(b).total_cmp(&saved_by_pair(a));
        most.then_with(|| (&a.operation, &a.scope).cmp(&(&b.operation, &b.scope)))
    });
    within(found, limits.fetches)
}

/// URLs that a rule changes, each with its image, in the order of the URLs: the paper draws them at random.
fn of_rules(
    model: &SiteModel,
    rules: &RuleSet,
    urls: &[&str],
    decided: &FxHashSet<OperationName>,
    most: usize,
) -> Vec<AskedOperation> {
    let is_open = |name: &OperationName| !decided.contains(name);
    let mut asked: Vec<_> = (rules.rules())
        .filter(|rule| is_open(&OperationName::of(*rule)))
        .map(|rule| {
            let (operation, saves) = (rule.to_string(), rule.evidence.known as u64);
            let (scope, question, pairs) = (None, Question::Likely, Vec::new());
            (rule, AskedOperation { operation, scope, question, saves, pairs })
        })
        .collect();
    let mut trials = 0;
    for &url in urls {
        for (rule, asked) in asked.iter_mut().filter(|(_, asked)| asked.pairs.len() < most) {
            trials += 1;
            asked.pairs.extend(model.image(rule, url).map(|image| [url.to_owned(), image]));
        }
        if trials > MOST_TRIALS {
            break;
        }
    }
    asked.into_iter().map(|(_, asked)| asked).collect()
}

/// The first pairs that need at most `fetches` different URLs.
fn within(mut found: Vec<AskedOperation>, fetches: usize) -> Vec<AskedOperation> {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for one in &mut found {
        one.pairs.retain(|pair| {
            let news = pair.iter().filter(|url| !seen.contains(*url)).count();
            let fits = seen.len() + news <= fetches;
            if fits {
                seen.extend(pair.iter().cloned());
            }
            fits
        });
    }
    found.retain(|one| !one.pairs.is_empty());
    found
}

/// What fetches say of the rules of a model: Figure 4 over the URLs that came back. Of each URL that a rule changes,
/// and that shows a page, the image is looked up: it shows the same page, or another one, or its fetch failed, which
/// speaks against the rule; or it was not fetched, which says nothing. Rules without a fetched image are left out;
/// refuted ones come first.
pub fn test_rules(
    model: &SiteModel,
    fetched: &Fetched<'_>,
    settings: &DustbusterConfig,
) -> Vec<ValidatedOperation> {
    let Model::Rules(rules) = &model.model else { return Vec::new() };
    let mut found = Vec::new();
    for rule in rules.rules() {
        let mut tally = InstanceTally::default();
        for (url, cluster) in fetched.pages() {
            if tally.is_decided(settings) {
                break;
            }
            if let Some(image) = model.image(rule, url) {
                tally.count(fetched.shows(&image, cluster));
            }
        }
        if tally.same + tally.different > 0 {
            let (same, different) = (tally.same.into(), tally.different.into());
            let (name, verdict) = (OperationName::of(rule), verdict(tally.verdict(settings)));
            found.push(ValidatedOperation { name, same, different, verdict });
        }
    }
    found.sort_by_key(|one| (one.verdict, Reverse(one.same + one.different)));
    found
}

fn verdict(verdict: ValidationVerdict) -> FetchVerdict {
    match verdict {
        ValidationVerdict::Valid => FetchVerdict::Valid,
        ValidationVerdict::Refuted => FetchVerdict::Refuted,
        ValidationVerdict::Unknown | ValidationVerdict::Dear => FetchVerdict::Open,
    }
}
