//! A unit, split into a part to learn from and a part to test on.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use undust_cluster::clusters::{Clusters, cluster};
use undust_edits::conventions::UrlConventions;
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_pages::page::Page;
use undust_url::site::site_of;

use super::by_shape::{FiguresByShape, have_seen_shape};
use super::options::EvaluationOptions;
use super::units::Unit;
use crate::error::{Error, Result, SplitReason};
use crate::simulate::Replay;
use crate::training::hold_out::{HoldOut, reordered};

/// A unit, split into the part to learn from and the part to test on. What is learned knows nothing of the duplicates
/// in the part to test on. What is tested knows those of the whole unit: pages that are the same by way of a page to
/// learn from are one page.
#[derive(Debug, Clone)]
pub struct Split {
    pub(super) unit: Unit,
    pub(super) options: EvaluationOptions,
    pub(super) train: Clusters,
    test: Clusters,
    /// How the rule of duplicates itself does, by what the crawl says of its pages.
    pub(super) judged: Option<JudgedRule>,
    /// All pages, where a report wants them.
    whole: Option<Whole>,
    /// For each page to test on, whether a page to learn from has a URL of its shape.
    has_seen_shape: Vec<bool>,
    /// The sites of the unit's pages: a model's answers must stay among them.
    sites: Arc<FxHashSet<Box<str>>>,
}

/// All pages of a unit.
#[derive(Debug, Clone)]
struct Whole {
    /// In the order of the unit's pages.
    clusters: Clusters,
    /// The place in the crawl of each of the unit's pages; none where they are in the order of the crawl.
    places: Option<Vec<u32>>,
}

impl Whole {
    /// Of pages in the order of the crawl, which come into the order that `places` have.
    fn of(pages: &[Page], places: Option<&[u32]>, options: &EvaluationOptions) -> Self {
        let clusters = cluster(pages, &options.clusters);
        let Some(places) = places else { return Self { clusters, places: None } };
        let labels = places.iter().map(|place| clusters.of(*place as usize));
        Self { clusters: Clusters::from_labels(labels), places: Some(places.to_vec()) }
    }

    /// Pages in the order of the unit, with their clusters, in the order of the crawl.
    fn in_crawl_order<'s>(&'s self, pages: &'s [Page]) -> (Cow<'s, [Page]>, Cow<'s, Clusters>) {
        let Some(places) = &self.places else {
            return (Cow::Borrowed(pages), Cow::Borrowed(&self.clusters));
        };
        let mut all: Vec<(u32, &Page, u32)> = Vec::with_capacity(pages.len());
        for ((place, page), label) in places.iter().zip(pages).zip(self.clusters.labels()) {
            all.push((*place, page, *label));
        }
        all.sort_unstable_by_key(|(place, ..)| *place);
        let pages = all.iter().map(|(_, page, _)| (*page).clone()).collect();
        (Cow::Owned(pages), Cow::Owned(Clusters::from_labels(all.iter().map(|(.., label)| *label))))
    }
}

impl Split {
    /// Cuts and clusters.
    ///
    /// # Errors
    ///
    /// A sentence where no page is left to test on. That there is none to learn from
    /// is no error: the methods then learn nothing.
    pub fn of(mut unit: Unit, options: &EvaluationOptions) -> Result<Split> {
        let (places, cut) = options.hold_out.places(&unit.pages, options.split, options.seed);
        let whole = Whole::of(&unit.pages, places.as_deref(), options);
        unit.pages = reordered(unit.pages, places.as_deref());
        let (train, test) = unit.pages.split_at(cut);
        if test.is_empty() {
            let reason = nothing_held_out(unit.pages.len(), options);
            return Err(Error::at(unit.crawl, reason));
        }
        let has_seen_shape = have_seen_shape(train, test, options.word_share);
        let train = cluster(train, &options.clusters);
        let truth = truth(&unit.pages, whole.clusters.labels());
        let judged = JudgedRule::of(&truth[cut..], &whole.clusters.labels()[cut..]);
        let test = Clusters::from_labels(&truth[cut..]);
        let whole = options.details.then_some(whole);
        let sites = unit.pages.iter().filter_map(|page| site_of(&page.url, unit.site_by));
        let sites: FxHashSet<Box<str>> = sites.map(Box::from).collect();
        let sites = Arc::new(sites);
        Ok(Split { unit, options: *options, train, test, judged, whole, has_seen_shape, sites })
    }

    /// The pages to learn from, and their clusters.
    pub fn train(&self) -> (&[Page], &Clusters) {
        (&self.unit.pages[..self.cut()], &self.train)
    }

    /// The pages to test on, and their clusters.
    pub fn test(&self) -> (&[Page], &Clusters) {
        (&self.unit.pages[self.cut()..], &self.test)
    }

    /// The unit that is evaluated.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// All pages in the order of the crawl, and their clusters, where details are wanted.
    pub fn crawl(&self) -> Option<(Cow<'_, [Page]>, Cow<'_, Clusters>)> {
        self.whole.as_ref().map(|whole| whole.in_crawl_order(&self.unit.pages))
    }

    pub(super) fn cut(&self) -> usize {
        self.train.labels().len()
    }

    /// URLs to test on whose shape no URL to learn from has.
    pub(super) fn unseen_urls(&self) -> usize {
        self.has_seen_shape.iter().filter(|is_seen| !**is_seen).count()
    }

    /// The figures of a replay of the pages to test on, apart by whether shapes were seen.
    pub(super) fn by_shape(&self, replay: &Replay) -> FiguresByShape {
        FiguresByShape::of(replay, &self.test, &self.has_seen_shape)
    }

    /// The model as it would be served.
    pub(super) fn served(
        &self,
        conventions: Option<Arc<UrlConventions>>,
        model: Model,
    ) -> SiteModel {
        let sites = (Arc::clone(&self.sites), self.unit.site_by);
        SiteModel::new(&self.unit.site, sites, conventions, model)
    }
}

/// Which pages are the same, if these are their clusters: those of one [`truth`](Page::truth), where the crawl brings it. A
/// page without it is that of its cluster, where all others of that are one.
fn truth(pages: &[Page], clusters: &[u32]) -> Vec<Result<u64, u32>> {
    let mut of_cluster: FxHashMap<u32, Option<u64>> = FxHashMap::default();
    let labelled = || pages.iter().zip(clusters);
    for (page, cluster) in labelled() {
        let Some(truth) = page.truth else { continue };
        let known = of_cluster.entry(*cluster).or_insert(Some(truth));
        *known = known.filter(|known| *known == truth);
    }
    let only = |cluster: &u32| of_cluster.get(cluster).copied().flatten();
    labelled().map(|(page, cluster)| page.truth.or(only(cluster)).ok_or(*cluster)).collect()
}

/// What the rule of duplicates itself loses and leaves, by what the crawl says of its pages: the first URL of each
/// cluster is fetched, and no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JudgedRule {
    /// Pages that are judged by what the crawl says of them.
    pub judged_by_truth: usize,
    /// Pages that no fetch shows, because the rule joins them with others.
    pub label_lost: usize,
    /// Fetches that show a page again, because the rule has it in several clusters.
    pub label_left: usize,
}

impl JudgedRule {
    /// None if the crawl says nothing.
    fn of(truth: &[Result<u64, u32>], clusters: &[u32]) -> Option<Self> {
        let (mut fetched, mut shown) = (FxHashSet::default(), FxHashSet::default());
        let (mut all, mut judged_by_truth) = (FxHashSet::default(), 0);
        for (page, cluster) in truth.iter().zip(clusters) {
            let Ok(page) = page else { continue };
            judged_by_truth += 1;
            all.insert(page);
            if fetched.insert(cluster) {
                shown.insert(page);
            }
        }
        let (label_lost, label_left) = (all.len() - shown.len(), fetched.len() - shown.len());
        (judged_by_truth > 0).then_some(Self { judged_by_truth, label_lost, label_left })
    }
}

/// Why no page is left to test on.
fn nothing_held_out(pages: usize, options: &EvaluationOptions) -> SplitReason {
    let groups = match options.hold_out {
        HoldOut::Folder if pages > 0 => "folders",
        HoldOut::Shape if pages > 0 => "shapes",
        _ => return SplitReason::NothingHeldOut { pages },
    };
    let percent = 100.0 * (1.0 - options.split);
    SplitReason::NoSplit { pages, groups, percent }
}

#[cfg(test)]
mod tests {
    use undust_pages::Simhash;
    use undust_url::site::SiteBy;

    use super::*;

    fn page(n: u32, bits: u64) -> Page {
        Page {
            url: format!("http://a.test/{n}").into(),
            end: n,
            title: Some(1),
            simhash: Some(Simhash(bits)),
            ..Page::default()
        }
    }

    fn unit(pages: Vec<Page>) -> Unit {
        let (site, crawl) = ("a.test".to_owned(), "a.jsonl".to_owned());
        Unit { site, site_by: SiteBy::Host, crawl, pages }
    }

    /// Fingerprints six bits apart are one page by way of a third, which is learned from: to the methods it is another
    /// page than theirs, and they are one.
    #[test]
    fn pages_that_a_page_to_learn_from_connects_are_one() {
        let ends = [page(2, 0), page(3, 0b11_1111)];
        let options = EvaluationOptions { split: 0.5, ..EvaluationOptions::default() };
        for (between, clusters) in [(0b111, 1), (u64::MAX, 2)] {
            let pages = [vec![page(0, u64::MAX), page(1, between)], ends.to_vec()].concat();
            let split = Split::of(unit(pages), &options).expect("pages to test on");
            assert_eq!(split.test().0.len(), 2);
            assert_eq!(split.test().1.len(), clusters, "{between:b}");
        }
        // An equal digest on one side, and a near fingerprint on the other.
        let learned = Page { digest: Some(1), ..page(1, 0) };
        let same_bytes = Page { digest: Some(1), simhash: None, ..page(2, 0) };
        let pages = vec![page(0, u64::MAX), learned, same_bytes, page(3, 1)];
        let split = Split::of(unit(pages), &options).expect("pages to test on");
        assert_eq!((split.train().1.len(), split.test().1.len()), (2, 1));
    }

    /// Two records in one cluster, and one in two. A page that the crawl says nothing of is no evidence.
    #[test]
    fn the_rule_is_judged_by_what_the_crawl_says() {
        let known = |n, bits, truth| Page { truth, ..page(n, bits) };
        let far = u64::MAX;
        let pages = vec![
            known(0, 0, Some(1)),
            known(1, 1, Some(2)),
            known(2, far, Some(1)),
            known(3, 0b1010 << 20, None),
            known(4, far << 32, Some(3)),
        ];
        let options = EvaluationOptions { split: 0.0, ..EvaluationOptions::default() };
        let split = Split::of(unit(pages), &options).expect("pages to test on");
        let expected = JudgedRule { judged_by_truth: 4, label_lost: 1, label_left: 1 };
        assert_eq!(split.judged, Some(expected));
        let split = Split::of(unit(vec![page(0, 0)]), &options).expect("pages to test on");
        assert_eq!(split.judged, None);
    }

    /// The clusters of the parts' order are those of the crawl's, and are not made twice.
    #[test]
    fn whatever_is_held_out_the_crawl_is_the_same() {
        let page = |n: u32| {
            let url = format!("http://a.test/folder{}/{n}?p{}=1", n % 10, n % 7);
            Page { url: url.into(), end: n, digest: Some(u64::from(n / 3)), ..Page::default() }
        };
        let pages: Vec<Page> = (0..400).map(page).collect();
        for hold_out in [HoldOut::Time, HoldOut::Folder, HoldOut::Shape] {
            let options =
                EvaluationOptions { hold_out, details: true, ..EvaluationOptions::default() };
            let split = Split::of(unit(pages.clone()), &options).expect("pages to test on");
            let (in_order, clusters) = split.crawl().expect("the crawl");
            assert_eq!(*in_order, *pages, "{hold_out:?}");
            assert_eq!(*clusters, cluster(&pages, &options.clusters), "{hold_out:?}");
            assert_eq!(hold_out == HoldOut::Time, split.unit.pages == pages, "{hold_out:?}");
        }
    }
}
