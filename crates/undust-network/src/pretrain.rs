//! A base network: one pointer network for many sites, which knows no site's own words. It answers
//! for sites that have no model.

pub mod made_up;

use std::sync::Arc;

use serde_json::Value;

use undust_learn::config::Config;
use undust_learn::observer::Observer;
use undust_learn::training::TrainingSet;
use undust_model::conventions::UrlConventions;
use undust_model::learned::Learned;
use undust_model::model::Model;
use undust_model::report::Report;
use undust_model::site_model::SiteModel;
use undust_util::Result;
use undust_util::error::{Error, TrainingReason};

use crate::BurnTrainer;
use crate::learn::Serving;
use crate::pointer::examples::{Example, Examples};

/// A site that the base network is trained on.
pub struct WeightedSite<'c> {
    /// Its pages and clusters.
    pub set: TrainingSet<'c>,
    /// How much it counts, whatever its size, in proportion to other sites.
    pub weight: f64,
}

impl BurnTrainer {
    /// Trains the base network on these sites, by the settings of `[base]`. `settings` are kept as a
    /// record.
    ///
    /// Its function words are those of at least two sites, its phrases those of `min_phrase`. It never changes
    /// the scheme or host of a URL. The same sites, settings and seed give the same network on one kind
    /// of processor. Cost: steps × batch × length × hidden².
    ///
    /// # Errors
    ///
    /// No pair to learn from, and those of [`TrainTranslator::train`].
    ///
    /// [`TrainTranslator::train`]: undust_learn::translator::TrainTranslator::train
    pub fn pretrain(
        &self,
        sites: &[WeightedSite<'_>],
        config: &Config,
        settings: Value,
        observer: &dyn Observer,
    ) -> Result<SiteModel> {
        config.check().map_err(Error::Settings)?;
        let examples = Examples::of_sites(sites, config);
        if examples.train.iter().all(Example::changes_nothing) {
            return Err(Error::Training(TrainingReason::NoPairs));
        }
        let keeps_unseen = config.base.keep_unseen;
        let shapes = if keeps_unseen { examples.shapes() } else { Vec::new() };
        let serving = Serving { changes_hosts: false, keeps_unseen, shapes };
        let (translator, training) =
            self.train_pointer(&examples, &config.base, config.seed, serving, observer)?;
        let network = examples.report(&translator, training);
        let pages = sites.iter().map(|site| site.set.pages().len()).sum();
        let clusters = sites.iter().map(|site| site.set.clusters().len()).sum();
        let mut report = Report::new(SiteModel::BASE, pages, clusters);
        report.network = Some(network);
        let model = Model::Pointer(Box::new(translator));
        let conventions = Some(Arc::new(UrlConventions::default()));
        Ok(SiteModel::base(settings, Learned { model, report, conventions }))
    }
}
