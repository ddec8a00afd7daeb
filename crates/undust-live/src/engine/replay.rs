//! A crawl is crawled again from nothing, as the engine would have had it.

use std::sync::Arc;

use serde::Serialize;

use undust_cluster::clusters::Clusters;
use undust_learn::error::TrainingReason;
use undust_pages::page::Page;
use undust_pages::pages::ResponseOutcome;
use undust_util::error::Result;

use super::audit::Audits;
use super::decision::SiteStats;
use super::learning::Learn;
use super::options::EngineOptions;
use super::secret::Secret;
use super::shared::Shared;
use super::site::SiteEngine;

/// Points of the curve of a replay.
const POINTS: usize = 50;

/// What the engine would have fetched and found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LiveReplay {
    /// URLs of the crawl.
    pub pages: usize,
    /// Distinct pages.
    pub clusters: usize,
    /// URLs fetched.
    pub fetched: usize,
    /// Distinct pages among them.
    pub covered: usize,
    /// Skips that showed a page which nobody had seen at that time, by what the whole crawl says.
    pub unseen_skips: usize,
    /// What the engine says of itself, earlier crawls included.
    pub stats: SiteStats,
    /// Distinct pages found, over fetches: at most some fifty points.
    pub curve: Vec<CurvePoint>,
    /// What audits had shown before this crawl.
    #[serde(skip)]
    earlier: Audits,
}

/// A point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CurvePoint {
    /// Fetches so far.
    pub fetches: usize,
    /// Distinct pages that a crawler which fetches every URL finds by these fetches.
    pub keep_all: usize,
    /// Those that the engine finds.
    pub live: usize,
    /// Those that a crawler finds which knows beforehand what each URL shows: one by each fetch.
    pub ideal: usize,
}

impl LiveReplay {
    /// Fetches of a crawler that fetches every URL which show nothing new.
    pub fn redundant(&self) -> usize {
        self.pages - self.clusters
    }

    /// Of these, how many the engine saves.
    pub fn saved(&self) -> i64 {
        (self.redundant() as i64) - (self.fetched - self.covered) as i64
    }

    /// Distinct pages that are never seen.
    pub fn lost(&self) -> usize {
        self.clusters - self.covered
    }

    /// The share of the URLs of this crawl that were to be skipped, audits included, that showed a
    /// page which nobody had seen.
    pub fn unseen_share(&self) -> f64 {
        let Audits { trials, lost, .. } = self.stats.audits.since(&self.earlier);
        let unseen = self.unseen_skips as u64 + lost;
        if trials == 0 { 0.0 } else { unseen as f64 / trials as f64 }
    }

    /// Whether that is within the bound that the audits give. The bound is of all crawls together,
    /// so it says something of the first alone.
    pub fn is_within_bound(&self) -> bool {
        self.unseen_share() <= self.stats.lost_share_bound
    }
}

/// Crawls pages again, in their order: each is decided upon, and comes back at once if it is
/// fetched. `clusters` must be those of `pages`. The site is learned at once when that is due. The
/// same seed draws the same audits.
///
/// # Errors
///
/// Those of [`Learn::learn`].
pub fn replay(
    pages: &[Page],
    clusters: &Clusters,
    learner: &dyn Learn,
    options: &EngineOptions,
    seed: u64,
) -> Result<LiveReplay> {
    ReplayedSite::new(learner, options, seed).crawl(pages, clusters)
}

/// A site that is crawled again and again by one engine, which keeps what it knows of forms.
pub struct ReplayedSite<'l> {
    engine: SiteEngine,
    learner: &'l dyn Learn,
    crawls: u32,
}

impl<'l> ReplayedSite<'l> {
    /// An unknown site. The same seed draws the same audits.
    pub fn new(learner: &'l dyn Learn, options: &EngineOptions, seed: u64) -> Self {
        let given = Arc::new(options.with_own(learner.begin()));
        let engine = SiteEngine::new(*options, Secret::of_seed(seed), given);
        Self { engine, learner, crawls: 0 }
    }

    /// The same under this name among other sites of a crawl, whose tests it knows.
    #[must_use]
    pub fn among(self, shared: &Arc<Shared>, name: &str) -> Self {
        Self { engine: self.engine.among(shared.member(name)), ..self }
    }

    /// Crawls the site once more, from its first page on, as [`replay`] does. Every page is to be
    /// found again.
    ///
    /// # Errors
    ///
    /// Those of [`Learn::learn`], and a learner that is interrupted.
    pub fn crawl(&mut self, pages: &[Page], clusters: &Clusters) -> Result<LiveReplay> {
        if self.crawls > 0 {
            self.engine.begin_crawl();
        }
        self.crawls += 1;
        let earlier = self.engine.stats().audits;
        let mut found = Found::new(clusters);
        for (number, page) in pages.iter().enumerate() {
            if self.learner.is_interrupted() {
                return Err(TrainingReason::Interrupted.into());
            }
            if self.engine.decide_and_keep(&page.url).fetches() {
                found.fetch(number);
                self.saw(page);
            } else {
                found.skip(number);
            }
            if self.engine.is_learning_due() {
                let learning = self.engine.snapshot().learn(self.learner, &())?;
                self.engine.install(learning);
            }
        }
        Ok(LiveReplay { earlier, ..found.replay(self.engine.stats()) })
    }

    /// Takes a page of a crawl whose redirects were followed. Where they ended is a number that
    /// means something within one crawl only.
    fn saw(&mut self, page: &Page) {
        let end = format!("{} {}", self.crawls, page.end);
        let content = ResponseOutcome::Content {
            title: page.title,
            simhash: page.simhash,
            short_text: page.short_text,
            digest: page.digest,
        };
        self.engine.saw_at(&page.url, content, Some(&end));
    }
}

impl std::fmt::Debug for ReplayedSite<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplayedSite").field("crawls", &self.crawls).finish_non_exhaustive()
    }
}

/// What is found as a crawl is replayed.
struct Found<'c> {
    clusters: &'c Clusters,
    is_covered: Vec<bool>,
    /// By fetch: distinct pages so far.
    live: Vec<u32>,
    covered: usize,
    unseen_skips: usize,
}

impl<'c> Found<'c> {
    fn new(clusters: &'c Clusters) -> Self {
        let is_covered = vec![false; clusters.len()];
        Self { clusters, is_covered, live: Vec::new(), covered: 0, unseen_skips: 0 }
    }

    fn fetch(&mut self, number: usize) {
        let is_covered = &mut self.is_covered[self.clusters.of(number) as usize];
        self.covered += usize::from(!*is_covered);
        *is_covered = true;
        self.live.push(self.covered as u32);
    }

    fn skip(&mut self, number: usize) {
        self.unseen_skips += usize::from(!self.is_covered[self.clusters.of(number) as usize]);
    }

    fn replay(self, stats: SiteStats) -> LiveReplay {
        LiveReplay {
            pages: self.clusters.labels().len(),
            clusters: self.clusters.len(),
            fetched: self.live.len(),
            covered: self.covered,
            unseen_skips: self.unseen_skips,
            stats,
            curve: self.curve(),
            earlier: Audits::default(),
        }
    }

    fn curve(&self) -> Vec<CurvePoint> {
        // Clusters are numbered in the order of their first pages.
        let mut most = 0;
        let keep_all = self.clusters.labels().iter().map(|label| {
            most = most.max(*label as usize + 1);
            most
        });
        let keep_all: Vec<usize> = keep_all.collect();
        let step = keep_all.len().div_ceil(POINTS).max(1);
        let point = |fetches: usize| CurvePoint {
            fetches,
            keep_all: keep_all[fetches - 1],
            live: self.live.get(fetches - 1).map_or(self.covered, |found| *found as usize),
            ideal: fetches.min(self.clusters.len()),
        };
        (1..=keep_all.len()).filter(|fetches| fetches % step == 0).map(point).collect()
    }
}

#[cfg(test)]
mod tests {
    use undust_learn::config::Config;
    use undust_testing::crawl;

    use super::*;
    use crate::engine::learning::AutoLearner;

    /// Two hundred stories, each under three URLs.
    fn stories() -> (Vec<Page>, Clusters) {
        let urls = |n| {
            ["", "?v=1", "?v=2"].map(|query| format!("http://a.test/story/{n}{query}")).to_vec()
        };
        crawl(&(0..200).map(urls).collect::<Vec<_>>())
    }

    fn learner() -> AutoLearner {
        AutoLearner::new(Config::default())
    }

    fn options() -> EngineOptions {
        EngineOptions { risk: 0.05, ..EngineOptions::default() }
    }

    fn replayed() -> LiveReplay {
        let (pages, clusters) = stories();
        replay(&pages, &clusters, &learner(), &options(), 17).expect("a replay")
    }

    #[test]
    fn what_is_fetched_and_what_is_skipped_is_the_crawl() {
        let replay = replayed();
        assert_eq!((replay.pages, replay.clusters, replay.redundant()), (600, 200, 400));
        assert_eq!(replay.fetched + replay.stats.skipped as usize, replay.pages);
        assert_eq!((replay.lost(), replay.unseen_skips), (0, 0));
        assert!(replay.saved() > 250 && replay.is_within_bound(), "{replay:?}");
        let is_better =
            |point: &CurvePoint| point.keep_all <= point.live && point.live <= point.ideal;
        assert!(replay.curve.len() > 40 && replay.curve.iter().all(is_better), "{replay:?}");
    }

    #[test]
    fn the_same_crawl_is_decided_upon_in_the_same_way() {
        assert_eq!(replayed(), replayed());
    }

    /// What the first crawl taught saves from the first page of the second on, which has other
    /// stories beside the old ones, all of them changed.
    #[test]
    fn a_second_crawl_begins_with_what_the_first_taught() {
        let learner = learner();
        let mut site = ReplayedSite::new(&learner, &options(), 17);
        let (pages, clusters) = stories();
        let first = site.crawl(&pages, &clusters).expect("a replay");
        let changed = |page: Page| Page { digest: page.digest.map(|digest| !digest), ..page };
        let pages: Vec<Page> = pages.into_iter().map(changed).collect();
        let second = site.crawl(&pages, &clusters).expect("a replay");
        assert_eq!((second.pages, second.clusters, second.lost()), (600, 200, 0));
        assert!(second.saved() > first.saved(), "{first:?} {second:?}");
        assert_eq!((second.earlier, second.unseen_share()), (first.stats.audits, 0.0));
    }

    /// Ends of redirects are numbered in each crawl, so equal numbers of two crawls say nothing.
    #[test]
    fn ends_of_two_crawls_are_not_one_page() {
        let learner = learner();
        let mut site = ReplayedSite::new(&learner, &options(), 17);
        let page = |url: &str, end, digest| Page {
            url: url.into(),
            end,
            digest: Some(digest),
            ..Page::default()
        };
        let first = [page("http://a.test/1", 0, 1)];
        site.crawl(&first, &Clusters::from_labels([0])).expect("a replay");
        let second = [page("http://a.test/2", 0, 2), page("http://a.test/3", 1, 1)];
        let second = site.crawl(&second, &Clusters::from_labels([0, 1])).expect("a replay");
        assert_eq!((second.fetched, second.stats.distinct), (2, 2));
    }
}
