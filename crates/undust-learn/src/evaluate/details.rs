//! What a report shows of an evaluation beside its figures: how pages are found fetch by fetch, which pages are lost
//! and what was fetched in their place, what was accepted and refused, the largest clusters.
//!
//! All of it is taken from the replay that gave the figures, so that both say the same. Linear in the pages. What takes
//! another look at every URL is found out for [one method](judged) alone.

pub mod judged;

use std::cmp::Reverse;

use undust_cluster::clusters::Clusters;
use undust_model::report::network::NetworkReport;

use self::judged::JudgedDetails;
use super::split::Split;
use crate::simulate::Replay;

/// Points of a curve at most, the last one not counted.
const POINTS: usize = 100;

/// Clusters that are kept, the largest.
const MOST_CLUSTERS: usize = 1_000;

/// URLs that are kept of a cluster.
const MEMBERS: usize = 3;

/// What a report shows of a crawl, whatever the method.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitDetails {
    /// Pages of the whole crawl.
    pub pages: usize,
    /// Duplicate clusters of the whole crawl.
    pub clusters: usize,
    /// The largest of them, those of one URL left out.
    pub largest: Vec<ClusterDetails>,
    /// Clusters of two URLs or more.
    pub with_duplicates: usize,
    /// Of a crawler that fetches every URL of the whole crawl.
    pub whole_keep_all: Vec<CurvePoint>,
}

/// A duplicate cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterDetails {
    /// Hash of the title that its first page has, as pages have it.
    pub title: Option<u64>,
    /// How many URLs show the page.
    pub urls: usize,
    /// The first of them, in crawl order.
    pub examples: Vec<Box<str>>,
}

/// Distinct pages found by a number of fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurvePoint {
    /// Fetches so far.
    pub fetches: usize,
    /// Distinct pages that they showed.
    pub found: usize,
}

/// What a report shows of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodDetails {
    /// On the held-out pages.
    pub curve: Vec<CurvePoint>,
    /// How its network was trained, if it is one.
    pub network: Option<NetworkReport>,
    /// Of the one method that is judged.
    pub judged: Option<JudgedDetails>,
}

impl UnitDetails {
    pub(super) fn of(split: &Split) -> Self {
        let pages = &split.unit.pages;
        // Only a split without details has none.
        let Some(clusters) = split.whole() else { return Self::empty(pages.len()) };
        let mut largest: Vec<&[u32]> = clusters.iter().filter(|urls| urls.len() > 1).collect();
        let with_duplicates = largest.len();
        largest.sort_by_key(|urls| (Reverse(urls.len()), urls[0]));
        let cluster = |urls: &&[u32]| ClusterDetails {
            title: pages[urls[0] as usize].title,
            urls: urls.len(),
            examples: urls.iter().take(MEMBERS).map(|at| pages[*at as usize].url.clone()).collect(),
        };
        Self {
            pages: pages.len(),
            clusters: clusters.len(),
            largest: largest.iter().take(MOST_CLUSTERS).map(cluster).collect(),
            with_duplicates,
            whole_keep_all: curve(clusters, |_| true),
        }
    }

    fn empty(pages: usize) -> Self {
        let (largest, whole_keep_all) = (Vec::new(), Vec::new());
        Self { pages, clusters: 0, largest, with_duplicates: 0, whole_keep_all }
    }
}

impl MethodDetails {
    pub(super) fn of(split: &Split, replay: &Replay, network: Option<NetworkReport>) -> Self {
        let (_, clusters) = split.test();
        Self { curve: curve(clusters, |at| replay.fetched[at]), network, judged: None }
    }
}

/// Distinct pages over the fetches of those pages for which `is_fetched` says so: some hundred points, the first and
/// the last among them.
fn curve(clusters: &Clusters, is_fetched: impl Fn(usize) -> bool) -> Vec<CurvePoint> {
    let mut is_found = vec![false; clusters.len()];
    let (mut fetches, mut found) = (0, 0);
    let mut all = vec![CurvePoint { fetches, found }];
    for (at, &cluster) in clusters.labels().iter().enumerate() {
        if is_fetched(at) {
            fetches += 1;
            found += usize::from(!std::mem::replace(&mut is_found[cluster as usize], true));
            all.push(CurvePoint { fetches, found });
        }
    }
    let step = all.len().div_ceil(POINTS).max(1);
    let last = all.len() - 1;
    let chosen = all.iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last);
    chosen.map(|(_, point)| *point).collect()
}

#[cfg(test)]
mod tests {
    use undust_testing::topics_and_articles;
    use undust_url::site::SiteBy;

    use super::super::{EvaluationOptions, Split, Unit};
    use super::*;
    use crate::config::Config;
    use crate::evaluate::result::{Figures, MethodResult, SiteResult};
    use crate::evaluate::run::MethodRun;
    use crate::method::{Method, Training};

    fn figures(method: Method, details: bool) -> (SiteResult, Figures) {
        let pages = topics_and_articles("a.test", 200);
        let unit =
            Unit { site: "a.test".into(), site_by: SiteBy::Host, crawl: "a.jsonl".into(), pages };
        let options = EvaluationOptions { details, ..EvaluationOptions::default() };
        let split = Split::of(unit, &options).expect("pages to test on");
        let config = Config::default();
        let run = split.evaluate(method, &Training::new(&config));
        let result = split.result(vec![run]);
        let figures = result.methods[0].figures().expect("figures").clone();
        (result, figures)
    }

    #[test]
    fn details_end_where_the_figures_do() {
        let (site, figures) = figures(Method::Auto, true);
        let unit = site.details.expect("details");
        let MethodDetails { curve, judged, .. } = *figures.details.expect("details");
        let details = judged.expect("what is judged");
        let last = *curve.last().expect("points");
        assert_eq!((last.fetches, last.found), (figures.crawled, figures.covered));
        assert_eq!(details.lost.len(), figures.lost);
        assert!(curve.len() <= POINTS + 1 && details.whole_curve.len() <= POINTS + 1);
        let keep_all = *unit.whole_keep_all.last().expect("points");
        assert_eq!((keep_all.fetches, keep_all.found), (unit.pages, unit.clusters));
        assert!(!unit.largest.is_empty() && unit.largest[0].urls >= unit.largest.len().min(2));
        assert!(!details.accepted.is_empty(), "{details:?}");
        assert!(details.accepted.iter().any(|edit| edit.held_out_urls > 0), "{details:?}");
        let [low, high] = details.saved_share;
        let saved = (site.test_pages - site.test_clusters) as f64
            - (figures.crawled - figures.covered) as f64;
        let share = saved / (site.test_pages - site.test_clusters) as f64;
        assert!(low <= share && share <= high, "{low} {share} {high}");
    }

    /// The details of one method take as long as a replay. Of baselines nothing was learned that could be shown.
    #[test]
    fn one_method_is_judged() {
        let pages = topics_and_articles("a.test", 120);
        let unit =
            Unit { site: "a.test".into(), site_by: SiteBy::Host, crawl: "a.jsonl".into(), pages };
        let options = EvaluationOptions { details: true, ..EvaluationOptions::default() };
        let split = Split::of(unit, &options).expect("pages to test on");
        let config = Config::default();
        let training = Training::new(&config);
        let tree: Method = "tree".parse().expect("a method");
        let slots: Method = "slots".parse().expect("a method");
        let judged = |runs: Vec<MethodRun>| -> Vec<String> {
            let methods = split.result(runs).methods.into_iter();
            let is_judged = |one: &MethodResult| {
                let details = one.figures().and_then(|figures| figures.details.as_ref());
                details.is_some_and(|details| details.judged.is_some())
            };
            methods.filter(is_judged).map(|one| one.name).collect()
        };
        let run = |method| split.evaluate(method, &training);
        let failed = |method| MethodRun::failed(method, "no luck");
        assert_eq!(judged(vec![run(Method::KeepAll), run(tree), run(Method::Auto)]), ["auto"]);
        assert_eq!(judged(vec![run(tree), run(slots), failed(Method::Auto)]), ["tree"]);
        assert_eq!(judged(vec![failed(tree), run(slots)]), ["slots"]);
        assert_eq!(judged(vec![run(Method::KeepAll)]), [""; 0]);
    }

    #[test]
    fn without_being_asked_for_there_are_none() {
        let (site, figures) = figures(Method::Auto, false);
        assert!(site.details.is_none() && figures.details.is_none());
    }
}
