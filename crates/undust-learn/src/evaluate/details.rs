//! What a report shows of the one method that is judged, in addition to its figures: what it learned, and which held-out pages
//! it loses and what was fetched in their place. It takes another look at every held-out URL.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::report::LabelReport;
use undust_cluster::clusters::Clusters;
use undust_edits::editor::{EditDescription, RefusalDescription};
use undust_model::model::Model;
use undust_model::site_model::SiteModel;
use undust_model::translation::{Applied, Canonicalizer};
use undust_pages::page::Page;

use super::run::Replayed;
use super::split::Split;
use crate::simulate::Replay;
use crate::simulate::bootstrap::{RESAMPLES, saved_share};

/// What a report shows of the method that is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedDetails {
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
    /// What labels of the site said, where they were asked for.
    pub labels: Vec<LabelReport>,
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

impl JudgedDetails {
    pub(super) fn of(split: &Split, replayed: Replayed) -> Self {
        let Replayed { replay, model, labels } = replayed;
        let (pages, clusters) = split.test();
        let Seen { mut urls, conventions, rewritten_urls, lost } =
            Seen::of(pages, clusters, &replay, &model);
        let accepted = descriptions(&model.model, &mut urls);
        let mut conventions: Vec<ConventionDetails> = conventions
            .into_iter()
            .map(|((notation, _), held_out_urls)| ConventionDetails { notation, held_out_urls })
            .collect();
        conventions.sort_by(|a, b| {
            b.held_out_urls.cmp(&a.held_out_urls).then_with(|| a.notation.cmp(&b.notation))
        });
        let refused = match &model.model {
            Model::Edits(editor) => editor.refusals(),
            _ => Vec::new(),
        };
        Self {
            saved_share: saved_share(&replay, clusters, RESAMPLES, split.options.seed),
            lost,
            accepted,
            conventions,
            rewritten_urls,
            refused,
            labels,
        }
    }
}

/// How often something was applied, by its notation and its place.
type Counts = FxHashMap<(String, Option<String>), usize>;

/// Edits or rules with what is known of them, whose counts are taken out of those of all that was applied.
fn descriptions(model: &Model, urls: &mut Counts) -> Vec<AcceptedDetails> {
    let describe = |step: &dyn Applied| AcceptedDetails {
        edit: EditDescription::of(step),
        held_out_urls: urls.remove(&key(step)).unwrap_or(0),
    };
    model.operations().into_iter().map(describe).collect()
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
    fn details_say_what_the_figures_say() {
        let (site, figures) = figures(Method::Auto, true);
        let details = figures.details.expect("details");
        assert_eq!(details.lost.len(), figures.lost);
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
            let is_judged =
                |one: &MethodResult| one.figures().is_some_and(|figures| figures.details.is_some());
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
        let (_, figures) = figures(Method::Auto, false);
        assert!(figures.details.is_none());
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
        let sites = (sites.into(), SiteBy::Host);
        let model = SiteModel::new("a.test", sites, None, Model::TokenIdentity);
        let Seen { urls, conventions, rewritten_urls, lost } =
            Seen::of(&pages, &clusters, &replay, &model);
        // A baseline names no step.
        assert!(lost[0].by.is_empty());
        assert!(urls.is_empty() && conventions.is_empty() && rewritten_urls == 0);
        assert_eq!(lost.len(), 1);
        assert_eq!((&*lost[0].url, &*lost[0].instead), ("http://a.test/x/", "http://a.test/x"));
    }
}
