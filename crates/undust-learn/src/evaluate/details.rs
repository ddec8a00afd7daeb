//! What a report shows of an evaluation beside its figures: how pages are found fetch by fetch, which pages are lost
//! and what was fetched in their place, what was accepted and refused, the largest clusters.
//!
//! All of it is taken from the replay that gave the figures, so that both say the same. Linear in the pages.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use undust_cluster::clusters::Clusters;
use undust_model::edits::editor::{EditDescription, RefusalDescription};
use undust_model::model::Model;
use undust_model::report::network::NetworkReport;
use undust_model::site_model::SiteModel;
use undust_model::translation::Applied;
use undust_pages::page::Page;

use super::split::Split;
use crate::simulate::Replay;
use crate::simulate::bootstrap::{RESAMPLES, saved_share};
use crate::training::hold_out::HoldOut;

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

/// Distinct pages found by so many fetches.
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
    /// On the whole crawl, whose first part is fetched to learn from it. Empty unless the last pages were held out.
    pub whole_curve: Vec<CurvePoint>,
    /// 95 % bootstrap interval of the share of the redundant fetches that it saves.
    pub saved_share: [f64; 2],
    /// Held-out pages that no fetched URL showed, in crawl order.
    pub lost: Vec<LostPage>,
    /// Edits or rules of the model in the order in which they are applied.
    pub accepted: Vec<AcceptedDetails>,
    /// Learned ways of writing URLs that changed held-out URLs.
    pub conventions: Vec<ConventionDetails>,
    /// Held-out URLs that were changed by something else than normalisation: by an edit, a rule or a network.
    pub rewritten_urls: usize,
    /// What the gate refused.
    pub refused: Vec<RefusalDescription>,
    /// How its network was trained, if it is one.
    pub network: Option<NetworkReport>,
}

/// An edit or a rule of the model.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedDetails {
    /// What it is, and what training saw of it.
    pub edit: EditDescription,
    /// Held-out URLs that it had a part in changing.
    pub held_out_urls: usize,
}

/// A way of writing URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConventionDetails {
    /// Its notation.
    pub notation: String,
    /// Held-out URLs that it changed.
    pub held_out_urls: usize,
}

/// A page that nobody would have seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostPage {
    /// The first URL that shows it.
    pub url: Box<str>,
    /// Hash of its title, as pages have it.
    pub title: Option<u64>,
    /// How many URLs show it.
    pub urls: usize,
    /// What the first URL was taken for.
    pub canonical: String,
    /// The URL that was fetched in its place.
    pub instead: Box<str>,
    /// Hash of the title of the page that this URL shows.
    pub instead_title: Option<u64>,
    /// What was applied to the first URL, in order.
    pub by: Vec<String>,
}

impl UnitDetails {
    pub(super) fn of(split: &Split) -> Self {
        let pages = &split.unit.pages;
        // Only a split without details has none.
        let Some(clusters) = &split.whole else { return Self::empty(pages.len()) };
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
    pub(super) fn of(
        split: &Split,
        replay: &Replay,
        model: &SiteModel,
        network: Option<NetworkReport>,
    ) -> Self {
        let (pages, clusters) = split.test();
        let Seen { mut urls, conventions, rewritten_urls, lost } =
            Seen::of(pages, clusters, replay, model);
        let accepted = descriptions(model.model(), &mut urls);
        let mut conventions: Vec<ConventionDetails> = conventions
            .into_iter()
            .map(|((notation, _), held_out_urls)| ConventionDetails { notation, held_out_urls })
            .collect();
        conventions.sort_by(|a, b| {
            b.held_out_urls.cmp(&a.held_out_urls).then_with(|| a.notation.cmp(&b.notation))
        });
        let refused = match model.model() {
            Model::Edits(editor) => editor.refusals(),
            _ => Vec::new(),
        };
        Self {
            curve: curve(clusters, |at| replay.fetched[at]),
            whole_curve: whole_curve(split, model),
            saved_share: saved_share(replay, clusters, RESAMPLES, split.options.seed),
            lost,
            accepted,
            conventions,
            rewritten_urls,
            refused,
            network,
        }
    }
}

/// How often something was applied, by its notation and its place.
type Counts = FxHashMap<(String, Option<String>), usize>;

/// Edits or rules with what is known of them, whose counts are taken out of those of all that was applied.
fn descriptions(model: &Model, urls: &mut Counts) -> Vec<AcceptedDetails> {
    let mut describe = |step: &dyn Applied| AcceptedDetails {
        edit: EditDescription::of(step),
        held_out_urls: urls.remove(&key(step)).unwrap_or(0),
    };
    match model {
        Model::Edits(editor) => editor.rules().map(|rule| describe(rule)).collect(),
        _ => model
            .rules()
            .map(|rules| rules.rules().map(|rule| describe(rule)).collect())
            .unwrap_or_default(),
    }
}

fn key(step: &dyn Applied) -> (String, Option<String>) {
    (step.to_string(), step.scope().map(str::to_owned))
}

/// What is seen when the held-out URLs are rewritten once more.
struct Seen {
    /// Of edits, rules and answers of a network.
    urls: Counts,
    /// Of learned ways of writing.
    conventions: Counts,
    rewritten_urls: usize,
    lost: Vec<LostPage>,
}

impl Seen {
    fn of(pages: &[Page], clusters: &Clusters, replay: &Replay, model: &SiteModel) -> Self {
        // The page that was fetched for each form.
        let mut fetched: FxHashMap<String, usize> = FxHashMap::default();
        let (mut urls, mut conventions) = (Counts::default(), Counts::default());
        let (mut rewritten_urls, mut lost) = (0, Vec::new());
        let mut is_listed = FxHashSet::default();
        for (at, page) in pages.iter().enumerate() {
            let translation = model.canonicalize(&page.url);
            for step in translation.cause.steps() {
                if step.is_learned_convention() {
                    *conventions.entry(key(step)).or_default() += 1;
                } else if !step.is_normalization() {
                    *urls.entry(key(step)).or_default() += 1;
                }
            }
            let is_rewritten = translation.cause.steps().any(|step| !step.is_normalization());
            rewritten_urls += usize::from(is_rewritten);
            let cluster = clusters.of(at);
            let canonical = translation.canonical.into_owned();
            if replay.fetched[at] {
                fetched.insert(canonical, at);
            } else if replay.fetches[cluster as usize] == 0 && is_listed.insert(cluster) {
                let instead = fetched.get(&canonical).map(|at| &pages[*at]);
                lost.push(LostPage {
                    url: page.url.clone(),
                    title: page.title,
                    urls: clusters.members(cluster).len(),
                    instead: instead.map(|page| page.url.clone()).unwrap_or_default(),
                    instead_title: instead.and_then(|page| page.title),
                    by: translation.cause.steps().map(ToString::to_string).collect(),
                    canonical,
                });
            }
        }
        Self { urls, conventions, rewritten_urls, lost }
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

fn whole_curve(split: &Split, model: &SiteModel) -> Vec<CurvePoint> {
    let Some(clusters) = split.whole.as_ref().filter(|_| split.options.hold_out == HoldOut::Time)
    else {
        return Vec::new();
    };
    let mut forms = FxHashSet::default();
    let fetched: Vec<bool> = (split.unit.pages.iter().enumerate())
        .map(|(at, page)| {
            let is_new = forms.insert(model.canonicalize(&page.url).canonical.into_owned());
            is_new || at < split.cut()
        })
        .collect();
    curve(clusters, |at| fetched[at])
}

#[cfg(test)]
mod tests {
    use undust_testing::topics_and_articles;
    use undust_url::site::SiteBy;

    use super::super::{EvaluationOptions, Split, Unit};
    use super::*;
    use crate::config::Config;
    use crate::evaluate::result::{Figures, SiteResult};
    use crate::method::{Method, Training};

    fn figures(method: Method, details: bool) -> (SiteResult, Figures) {
        let pages = topics_and_articles("a.test", 200);
        let unit =
            Unit { site: "a.test".into(), site_by: SiteBy::Host, crawl: "a.jsonl".into(), pages };
        let options = EvaluationOptions { details, ..EvaluationOptions::default() };
        let split = Split::of(unit, &options).expect("pages to test on");
        let config = Config::default();
        let result = split.evaluate(method, &Training::new(&config));
        let figures = result.figures().expect("figures").clone();
        (SiteResult::without_methods(&split), figures)
    }

    #[test]
    fn details_end_where_the_figures_do() {
        let (site, figures) = figures(Method::Auto, true);
        let unit = site.details.expect("details");
        let details = figures.details.expect("details");
        let last = *details.curve.last().expect("points");
        assert_eq!((last.fetches, last.found), (figures.crawled, figures.covered));
        assert_eq!(details.lost.len(), figures.lost);
        assert!(details.curve.len() <= POINTS + 1 && details.whole_curve.len() <= POINTS + 1);
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

    #[test]
    fn without_being_asked_for_there_are_none() {
        let (site, figures) = figures(Method::Auto, false);
        assert!(site.details.is_none() && figures.details.is_none());
    }

    #[test]
    fn a_page_that_is_lost_has_one_that_was_fetched_in_its_place() {
        let page =
            |url: &str, digest| Page { url: url.into(), digest: Some(digest), ..Page::default() };
        let pages = [page("http://a.test/x", 1), page("http://a.test/x/", 2)];
        let clusters = Clusters::from_labels([0, 1]);
        let replay = Replay {
            crawled: 1,
            covered: 1,
            clusters: 2,
            fetched: vec![true, false],
            fetches: vec![1, 0],
        };
        let sites = FxHashSet::from_iter(["a.test".into()]);
        let scope = undust_model::site_model::SiteScope::AnyOf(sites.into(), SiteBy::Host);
        let model = SiteModel::new("a.test", None, Model::TokenIdentity, scope);
        let Seen { urls, conventions, rewritten_urls, lost } =
            Seen::of(&pages, &clusters, &replay, &model);
        // A baseline names no step.
        assert!(lost[0].by.is_empty());
        assert!(urls.is_empty() && conventions.is_empty() && rewritten_urls == 0);
        assert_eq!(lost.len(), 1);
        assert_eq!((&*lost[0].url, &*lost[0].instead), ("http://a.test/x/", "http://a.test/x"));
    }
}
