//! **undust** learns, for one web site, which of its URLs show the same page (DUST: different
//! URLs with similar text), and turns any URL of the site into its canonical form without
//! fetching it.
//!
//! ```
//! use undust::crawl::{PagesBuilder, Response};
//! use undust::{Canonicalizer, Method, SiteModel, Trainer};
//!
//! // A crawl in which every story has a print view. `crawl::read_pages` reads one from disk.
//! let mut crawl = PagesBuilder::new();
//! for number in 100..160 {
//!     let story = format!("http://a.test/story/{number}");
//!     for url in [format!("{story}/print"), story] {
//!         let digest = Some(number.to_string());
//!         crawl.push(Response { url, status: 200, digest, ..Response::default() });
//!     }
//! }
//!
//! # let folder = tempfile::tempdir()?;
//! # let models = folder.path();
//! let learned = Trainer::new().method(Method::Auto).train(crawl.finish().pages)?;
//! learned.save(models.join("a.test"))?;
//!
//! let model = SiteModel::load(models.join("a.test"))?;
//! let answer = model.canonicalize("http://a.test/story/7777/print");
//! assert_eq!(answer.canonical, "http://a.test/story/7777");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The data goes one way, and each step is a module:
//!
//! ```text
//! crawl files ─► pages ─► duplicate clusters ─► a method learns ─► SiteModel ─► models/<site>/
//!    crawl                     cluster               learn             │            Registry
//!                                                                      └─► evaluate: what it saves
//!                                                                          and loses; live: while
//!                                                                          the crawl goes on
//! ```
//!
//! A [`Registry`] finds the model of any URL among the folders of many sites. To serve models in
//! a program that learns none, depend on the crate `undust-model` alone.
//!
//! # Features
//!
//! Without any feature the crate learns by every method except the two encoder-decoders (`seq2seq` and
//! `seq2seq-paper`), and serves every saved model, networks included. `network` trains encoder-decoders, which needs burn; `ndarray` and
//! `gpu` add backends of it; `live` keeps clusters on disk; `parquet` reads Parquet files; `serve` is the HTTP
//! service. None is on by default. The program is the crate `undust-cli`.

mod read_sites;
mod trainer;

/// The Rust examples of the documents, which run as doc tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/using/rust.md")]
    mod rust {}
}

pub use trainer::Trainer;
pub use undust_learn::config::Config;
pub use undust_learn::learned::Learned;
pub use undust_learn::method::Method;
pub use undust_model::registry::Registry;
pub use undust_model::site_model::SiteModel;
pub use undust_model::translation::{Canonicalizer, How, Reason, Translation};
pub use undust_util::address::Address;
pub use undust_util::{Error, Remedy, Result};

/// Why each error arises: reasons, which [`Error::reason`] finds.
pub mod error {
    pub use undust_crawl::error::*;
    pub use undust_learn::error::*;
    #[cfg(feature = "live")]
    pub use undust_live::error::StateReason;
    pub use undust_model::error::*;
    #[cfg(feature = "network")]
    pub use undust_network::error::NetworkReason;
    pub use undust_util::error::{Reason, Subject};
}

/// Crawl files become responses, and responses become pages.
pub mod crawl {
    pub use undust_crawl::{
        FieldNames, ReadOptions, ReadReport, read_all, read_pages, response_of_page,
    };
    pub use undust_pages::pages::ResponseOutcome;
    pub use undust_pages::response::SHORT_TEXT_WORDS;
    pub use undust_pages::url_text::redirect_targets;
    pub use undust_pages::{
        Importance, LeftOut, Page, Pages, PagesBuilder, Response, Simhash, TextHash, pages_by_site,
    };
    pub use undust_url::site::{SiteBy, site_of};
}

/// Pages become duplicate clusters, each with its canonical URL.
pub mod cluster {
    pub use undust_cluster::*;
}

/// What a site teaches: methods, settings, training.
pub mod learn {
    pub use crate::read_sites::{read_crawl, read_sitemaps};
    pub use undust_learn::config;
    pub use undust_learn::learners::{LEARNERS, Learner};
    pub use undust_learn::method::Training;
    pub use undust_learn::observer::{Check, Observer};
    pub use undust_learn::train::pool::side_by_side;
    pub use undust_learn::train::sites::{FoundSites, SitesBuilder, sites_of};
    pub use undust_learn::train::{
        InPlace, Outcome, Site, TrainingData, files_of, learn_site, train_site,
    };
    pub use undust_learn::training::{Pair, TrainingSet};
    pub use undust_learn::translator::TrainTranslator;
    #[cfg(feature = "network")]
    pub use undust_network::{BurnTrainer, DeviceKind};
}

/// Which patterns of URLs grow without showing new pages.
pub mod shapes {
    pub use undust_shapes::*;
}

/// Evaluation: the simulator, precision, recall and F1, and whether a model still holds.
pub mod evaluate {
    pub use undust_learn::evaluate::by_shape::{FiguresByShape, ShapeFigures};
    pub use undust_learn::evaluate::result::{
        Figures, IntervalBounds, MethodOutcome, MethodResult, NetworkFigures, SiteResult,
    };
    pub use undust_learn::evaluate::units::{Unit, UnitBy};
    pub use undust_learn::evaluate::{EvaluationOptions, evaluate};
    pub use undust_learn::simulate::{Replay, simulate};
    pub use undust_learn::training::hold_out::{self, HoldOut};
}

/// Serving beyond one URL: the queue, explanations, what a model holds.
pub mod model {
    pub use undust_model::explain::Explanation;
    pub use undust_model::folder::files::save_files;
    pub use undust_model::model::Model;
    pub use undust_model::pack;
    pub use undust_model::queue::{Queue, QueueCounts, QueueFormat, QueueOptions};
    pub use undust_model::registry::LookupError;
    pub use undust_model::translation::{Applied, Cause, StepDetails, StepEvidence};
    pub use undust_rules::rule::Rule;
    pub use undust_rules::set::RuleSet;
}

/// What a model knows as rules for other programs, and how much of it they can say.
pub mod export {
    pub use undust_export::{
        Coverage, CrawledUrl, Export, ExportError, Format, LeftOut, Missing, Unsaid, export,
    };
}

/// While the crawl goes on: which URLs are fetched, clusters kept on disk, and trials of what is served.
#[cfg(feature = "live")]
pub mod live {
    pub use undust_live::clusters::{
        BatchReport, LiveAnswer, LiveClusters, LiveOptions, LivePages, LiveSite, ResponseBatch,
        Trained, UrlVerdict,
    };
    pub use undust_live::engine::replay::{CurvePoint, LiveReplay, ReplayedSite, replay};
    pub use undust_live::engine::{
        AutoLearner, Decision, Deletions, EngineOptions, Hypotheses, Kind, Learn, Live, LiveTotals,
        Proposals, Propose, SiteStats, Unproven,
    };
    pub use undust_live::trials::observe::{
        Observation, Observed, ObservedOperation, TrialStatus, observe,
    };
}

/// The HTTP service.
#[cfg(feature = "serve")]
pub mod serve {
    pub use undust_serve::*;
}
