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

use super::options::EvaluationOptions;
use super::units::Unit;
use crate::training::hold_out::HoldOut;

/// A unit, split into the part to learn from and the part to test on. Neither part knows of
/// the other's duplicates.
#[derive(Debug, Clone)]
pub struct Split {
    pub(super) unit: Unit,
    pub(super) options: EvaluationOptions,
    pub(super) train: Clusters,
    test: Clusters,
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
        let [train, test] = [train, test].map(|part| cluster(part, &options.clusters));
        let sites = unit.pages.iter().filter_map(|page| site_of(&page.url, unit.site_by));
        let sites: FxHashSet<Box<str>> = sites.map(Box::from).collect();
        Ok(Split { unit, options: *options, train, test, sites: Arc::new(sites) })
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
