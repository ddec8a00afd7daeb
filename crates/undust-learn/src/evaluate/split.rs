//! A unit, split into a part to learn from and a part to test on.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use undust_cluster::clusters::{Clusters, cluster};
use undust_model::conventions::UrlConventions;
use undust_model::model::Model;
use undust_model::site_model::{SiteModel, SiteScope};
use undust_pages::page::Page;
use undust_url::site::site_of;
use undust_util::error::{CrawlReason, Error, Result};

use super::by_shape::{FiguresByShape, have_seen_shape};
use super::options::EvaluationOptions;
use super::units::Unit;
use crate::simulate::Replay;
use crate::training::hold_out::HoldOut;

/// A unit, split into the part to learn from and the part to test on. Neither part knows of
/// the other's duplicates.
#[derive(Debug, Clone)]
pub struct Split {
    pub(super) unit: Unit,
    pub(super) options: EvaluationOptions,
    pub(super) train: Clusters,
    test: Clusters,
    /// Those of all pages, where a report wants them.
    pub(super) whole: Option<Clusters>,
    /// For each page to test on, whether a page to learn from has a URL of its shape.
    has_seen_shape: Vec<bool>,
    /// The sites of the unit's pages: a model's answers must stay among them.
    sites: Arc<FxHashSet<Box<str>>>,
}

impl Split {
    /// Cuts and clusters.
    ///
    /// # Errors
    ///
    /// A sentence where no page is left to test on. That there is none to learn from
    /// is no error: the methods then learn nothing.
    pub fn of(mut unit: Unit, options: &EvaluationOptions) -> Result<Split> {
        let (pages, cut) = options.hold_out.split(unit.pages, options.split, options.seed);
        unit.pages = pages;
        let (train, test) = unit.pages.split_at(cut);
        if test.is_empty() {
            let reason = nothing_held_out(unit.pages.len(), options);
            return Err(Error::Crawl { path: unit.crawl.into(), reason, remedy: None });
        }
        let has_seen_shape = have_seen_shape(train, test, options.word_share);
        let [train, test] = [train, test].map(|part| cluster(part, &options.clusters));
        let whole = options.details.then(|| cluster(&unit.pages, &options.clusters));
        let sites = unit.pages.iter().filter_map(|page| site_of(&page.url, unit.site_by));
        let sites: FxHashSet<Box<str>> = sites.map(Box::from).collect();
        let sites = Arc::new(sites);
        Ok(Split { unit, options: *options, train, test, whole, has_seen_shape, sites })
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
        let scope = SiteScope::AnyOf(Arc::clone(&self.sites), self.unit.site_by);
        SiteModel::new(&self.unit.site, conventions, model, scope)
    }
}

/// Why no page is left to test on.
fn nothing_held_out(pages: usize, options: &EvaluationOptions) -> CrawlReason {
    let groups = match options.hold_out {
        HoldOut::Folder if pages > 0 => "folders",
        HoldOut::Shape if pages > 0 => "shapes",
        _ => return CrawlReason::NothingHeldOut { pages },
    };
    let percent = 100.0 * (1.0 - options.split);
    CrawlReason::NoSplit { pages, groups, percent }
}
