//! A first look at all candidates: how many URLs each changes, and which cost more than they
//! promise.
//!
//! The [budget](crate::budget) says how many of them are measured in full.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use undust_rules::index::RuleIndex;
use undust_rules::measured::MeasuredRule;
use undust_rules::rule::Rule;

use crate::budget::{CHANGE, Cost, Looks, WORK_PER_URL, prune_costly};

use super::labelled_urls::LabelledUrls;
use super::{alone, each_image};

/// Least URLs that a thread looks at.
const CHUNK: usize = 256;

/// What the survey saw of one rule.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SurveyedRule {
    /// URLs on which it was tried.
    trials: usize,
    /// URLs that it changed.
    pub coverage: usize,
    /// Those whose image is a URL of the same cluster.
    right: usize,
}

impl SurveyedRule {
    fn work(&self) -> usize {
        self.trials + CHANGE * self.coverage
    }

    fn add(&mut self, other: SurveyedRule) {
        self.trials += other.trials;
        self.coverage += other.coverage;
        self.right += other.right;
    }
}

/// The candidates that did not cost too much.
#[derive(Debug)]
pub(super) struct Survey {
    pub rules: Vec<MeasuredRule>,
    /// By rule.
    pub seen: Vec<SurveyedRule>,
    /// How many cost too much.
    pub costly: usize,
}

/// Tries the candidates on all URLs, in random order. After each doubling, those that were right
/// least often for their work are dropped, until the others can be afforded. The rest keep
/// their order. At most some 128 units of work a URL, whatever the rules.
pub(super) fn survey(rules: Vec<Rule>, urls: &LabelledUrls<'_>) -> Survey {
    let seen = vec![SurveyedRule::default(); rules.len()];
    let rules = rules.into_iter().map(MeasuredRule::unmeasured).collect();
    let mut survey = Survey { rules, seen, costly: 0 };
    let mut looks = Looks::at(urls.len());
    while let Some(look) = looks.next() {
        survey.look(look, urls);
        survey.drop_costly(WORK_PER_URL * looks.seen());
    }
    survey
}

impl Survey {
    /// Tries each rule on the URLs in these places.
    fn look(&mut self, places: &[u32], urls: &LabelledUrls<'_>) {
        let rules = alone(&self.rules);
        let index = RuleIndex::new(&rules);
        let none = || (vec![SurveyedRule::default(); rules.len()], Vec::new());
        let look = |(mut seen, mut found): (Vec<SurveyedRule>, Vec<u32>), place: &u32| {
            let place = *place as usize;
            let url = urls.urls[place];
            each_image(&index, &rules, url, &mut found, &mut |rule, image| {
                let is_target =
                    |target: &u32| urls.clusters[*target as usize] == urls.clusters[place];
                let target = urls.places.get(&xxh3_64(image.as_bytes()));
                let seen = &mut seen[rule as usize];
                seen.coverage += 1;
                seen.right += usize::from(target.is_some_and(is_target));
            });
            found.iter().for_each(|rule| seen[*rule as usize].trials += 1);
            (seen, found)
        };
        let chunks = places.par_chunks(CHUNK.max(places.len() / 16));
        let looked = chunks.map(|places| places.iter().fold(none(), look).0);
        for seen in looked.collect::<Vec<_>>() {
            self.seen.iter_mut().zip(seen).for_each(|(sum, seen)| sum.add(seen));
        }
    }

    /// Drops the rules that were right least often for their work, until no more than
    /// `affordable` is left.
    fn drop_costly(&mut self, affordable: usize) {
        let cost = |seen: &SurveyedRule| Cost { gain: seen.right as f64, work: seen.work() as f64 };
        let costs: Vec<Cost> = self.seen.iter().map(cost).collect();
        let is_kept = prune_costly(&costs, affordable as f64);
        self.costly += is_kept.iter().filter(|is_kept| !**is_kept).count();
        retain(&mut self.rules, &is_kept);
        retain(&mut self.seen, &is_kept);
    }
}

/// Keeps the marked things.
pub(super) fn retain<T>(things: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    things.retain(|_| is_kept.next() == Some(&true));
}

#[cfg(test)]
mod tests {
    use undust_rules::key_rule::{KeyRule, Value};
    use undust_url::keys::Key;

    use super::*;

    /// Rules that change every URL, as many as a URL can pay for.
    const BROAD: usize = WORK_PER_URL / (CHANGE + 1);

    /// `http://a.test/s/N` and, for every second N, `http://a.test/p/N`, of one cluster.
    fn urls() -> Vec<String> {
        (0..2_000)
            .flat_map(|n| ["s", "p"].map(|kind| format!("http://a.test/{kind}/{n}")))
            .collect()
    }

    fn writes(place: u16, text: String) -> Rule {
        let mut rule = KeyRule::default();
        rule.transformation.insert(Key::Start(place), vec![Value::Literal(text)]);
        Rule::Keys(rule)
    }

    fn labelled(urls: &[String]) -> LabelledUrls<'_> {
        let mut labelled = LabelledUrls::unlabelled(urls.iter().map(String::as_str).collect());
        labelled.clusters = (0..urls.len() as u32).map(|place| place / 2).collect();
        labelled
    }

    #[test]
    fn what_is_never_right_is_dropped_where_all_cannot_be_afforded() {
        let urls = urls();
        let labelled = labelled(&urls);
        let mut rules: Vec<Rule> = (0..500).map(|n| writes(1, format!("none{n}"))).collect();
        rules.push(writes(0, "s".into()));
        let survey = survey(rules, &labelled);
        // The rule that is right changes half of the URLs, and costs about half of another.
        let others = (WORK_PER_URL - (CHANGE / 2 + 1)) / (CHANGE + 1);
        assert_eq!(survey.rules.len(), others + 1);
        assert_eq!(survey.costly, 500 - others);
        assert_eq!(survey.rules[others].rule, writes(0, "s".into()));
        assert_eq!(survey.seen[others].coverage, 2_000, "the other half has the form already");
    }

    #[test]
    fn what_can_be_afforded_stays_whole() {
        let urls = urls();
        let rules: Vec<Rule> = (0..BROAD).map(|n| writes(1, format!("none{n}"))).collect();
        let survey = survey(rules.clone(), &labelled(&urls));
        assert_eq!(survey.costly, 0);
        assert!(survey.rules.iter().map(|measured| &measured.rule).eq(&rules));
        assert!(survey.seen.iter().all(|seen| seen.coverage == urls.len()));
    }
}
