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
use undust_model::networks::pointer::{PointerOptions, PointerTranslator, PointerWords};
use undust_model::report::Report;
use undust_model::report::network::NetworkReport;
use undust_model::site_model::SiteModel;
use undust_util::Result;
use undust_util::error::{Error, TrainingReason};

use crate::BurnTrainer;
use crate::pointer::examples::Examples;
use crate::pointer::train;

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
    /// Its function words are those of at least two sites, its phrases those of three. It never changes the scheme or host of a URL. The same sites, settings and seed give the
    /// same network on one kind of processor. Cost: steps × batch × length × hidden².
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
        if examples.train.is_empty() {
            return Err(Error::Training(TrainingReason::NoPairs));
        }
        let device = self.device.open()?;
        let (network, training) =
            train::train(&examples, &config.base, config.seed, &device, observer)?;
        let weights = network.weights();
        if !weights.are_finite() {
            return Err(train::diverged());
        }
        let options = PointerOptions {
            max_source: config.base.max_source,
            changes_hosts: false,
            min_probability: config.base.min_probability as f32,
            keeps_unseen: false,
        };
        let pages = sites.iter().map(|site| site.set.pages().len()).sum();
        let clusters = sites.iter().map(|site| site.set.clusters().len()).sum();
        let mut report = Report::new(SiteModel::BASE, pages, clusters);
        report.network = Some(NetworkReport {
            pairs: examples.counts,
            templates: examples.train.len(),
            training,
        });
        let words = PointerWords {
            lexicon: examples.lexicon,
            phrases: examples.phrases,
            shapes: Vec::new(),
        };
        let translator = PointerTranslator::new(words, weights, options);
        let model = Model::Pointer(Box::new(translator));
        let conventions = Some(Arc::new(UrlConventions::default()));
        Ok(SiteModel::base(settings, Learned { model, report, conventions }))
    }
}
