//! A first look at all candidates: how many URLs each changes, and which cost more than they
//! promise.
//!
//! A crawl can be such that the candidates grow with its URLs and each is tried on most of them.
//! To measure them all would then take time quadratic in the URLs. So a URL can pay for a bounded
//! number of trials, and the candidates that promise least for their trials go.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use undust_model::rules::index::Index;
use undust_model::rules::measured::MeasuredRule;
use undust_model::rules::rule::Rule;
use undust_util::mixed::Mixed;

use super::{LabelledUrls, alone, each_image, retain};

/// Most work of a URL, on average: rules that are tried on it, and [`IMAGE`] for each that changes
/// it. It is as little because what a learner costs for each URL may not grow by half when the
/// crawl grows fourfold. Of twelve real crawls and all learners one asks for more: trees on `cgit`,
/// for 155. All others take 62 at most.
const WORK: usize = 64;

/// What an image costs, in rules that are tried in vain.
const IMAGE: usize = 16;

/// URLs of the first look. Each later one doubles the URLs that were seen.
const FIRST: usize = 256;

/// What the survey saw of one rule.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// URLs on which it was tried.
    trials: usize,
    /// URLs that it changed.
    coverage: usize,
    /// Those whose image is a URL of the same cluster.
    right: usize,
}

impl Seen {
    fn work(&self) -> usize {
        self.trials + IMAGE * self.coverage
    }

    fn add(&mut self, other: Seen) {
        self.trials += other.trials;
        self.coverage += other.coverage;
        self.right += other.right;
    }
}

/// The candidates that were not too dear.
#[derive(Debug)]
pub(super) struct Survey {
    pub rules: Vec<MeasuredRule>,
    /// By rule: how many URLs it changes.
    pub coverages: Vec<usize>,
    /// How many were too dear.
    pub dear: usize,
}

/// Tries the candidates on all URLs, in an order that mixes them. After each doubling, those that
/// were right least often for their work go, until the others can be afforded. The rest keep
/// their order. At most some 128 units of work a URL, whatever the rules.
pub(super) fn survey(rules: Vec<Rule>, urls: &LabelledUrls<'_>) -> Survey {
    let mut survey = Running {
        rules: rules.into_iter().map(MeasuredRule::unmeasured).collect(),
        seen: Vec::new(),
        dear: 0,
    };
    survey.seen.resize(survey.rules.len(), Seen::default());
    let (mut done, order) = (0, Mixed::of(urls.len()));
    while done < urls.len() {
        let next = urls.len().min(FIRST.max(2 * done));
        let places = (done..next).map(|at| order.place(at));
        survey.look(&places.collect::<Vec<_>>(), urls);
        done = next;
        survey.drop_dear(WORK * done);
    }
    let coverages = survey.seen.iter().map(|seen| seen.coverage).collect();
    Survey { rules: survey.rules, coverages, dear: survey.dear }
}

/// A survey under way.
struct Running {
    rules: Vec<MeasuredRule>,
    /// By rule.
    seen: Vec<Seen>,
    dear: usize,
}

impl Running {
    /// Tries each rule on the URLs in these places.
    fn look(&mut self, places: &[usize], urls: &LabelledUrls<'_>) {
        let rules = alone(&self.rules);
        let index = Index::new(&rules);
        let none = || (vec![Seen::default(); rules.len()], Vec::new());
        let look = |(mut seen, mut found): (Vec<Seen>, Vec<u32>), place: &usize| {
            let url = urls.urls[*place];
            each_image(&index, &rules, url, &mut found, &mut |rule, image| {
                let is_target =
                    |target: &u32| urls.clusters[*target as usize] == urls.clusters[*place];
                let target = urls.places.get(&xxh3_64(image.as_bytes()));
                let seen = &mut seen[rule as usize];
                seen.coverage += 1;
                seen.right += usize::from(target.is_some_and(is_target));
            });
            found.iter().for_each(|rule| seen[*rule as usize].trials += 1);
            (seen, found)
        };
        let chunks = places.par_chunks(FIRST.max(places.len() / 16));
        let looked = chunks.map(|places| places.iter().fold(none(), look).0);
        for seen in looked.collect::<Vec<_>>() {
            self.seen.iter_mut().zip(seen).for_each(|(sum, seen)| sum.add(seen));
        }
    }

    /// Drops the rules that were right least often for their work, until no more than
    /// `affordable` is left.
    fn drop_dear(&mut self, affordable: usize) {
        let mut work: usize = self.seen.iter().map(Seen::work).sum();
        if work <= affordable {
            return;
        }
        let promise = |rule: &usize| self.seen[*rule].right as f64 / self.seen[*rule].work() as f64;
        let mut worst_first: Vec<usize> =
            (0..self.rules.len()).filter(|rule| self.seen[*rule].work() > 0).collect();
        // Of equals the later one goes first.
        worst_first.sort_by(|a, b| promise(a).total_cmp(&promise(b)).then(b.cmp(a)));
        let mut is_kept = vec![true; self.rules.len()];
        for rule in worst_first {
            if work <= affordable {
                break;
            }
            work -= self.seen[rule].work();
            is_kept[rule] = false;
        }
        self.dear += is_kept.iter().filter(|is_kept| !**is_kept).count();
        retain(&mut self.rules, &is_kept);
        retain(&mut self.seen, &is_kept);
    }
}

#[cfg(test)]
mod tests {
    use undust_model::rules::key_rule::{KeyRule, Value};
    use undust_url::keys::Key;

    use super::*;

    /// Rules that change every URL, as many as a URL can pay for.
    const BROAD: usize = WORK / (IMAGE + 1);

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
        let others = (WORK - (IMAGE / 2 + 1)) / (IMAGE + 1);
        assert_eq!(survey.rules.len(), others + 1);
        assert_eq!(survey.dear, 500 - others);
        assert_eq!(survey.rules[others].rule, writes(0, "s".into()));
        assert_eq!(survey.coverages[others], 2_000, "the other half has the form already");
    }

    #[test]
    fn what_can_be_afforded_stays_whole() {
        let urls = urls();
        let rules: Vec<Rule> = (0..BROAD).map(|n| writes(1, format!("none{n}"))).collect();
        let survey = survey(rules.clone(), &labelled(&urls));
        assert_eq!(survey.dear, 0);
        assert!(survey.rules.iter().map(|measured| &measured.rule).eq(&rules));
        assert!(survey.coverages.iter().all(|coverage| *coverage == urls.len()));
    }
}
