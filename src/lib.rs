//! **undust** learns, for one web site, which of its URLs show the same page (DUST: different
//! URLs with similar text), and turns any URL of the site into its canonical form without
//! fetching it.
//!
//! The data goes one way:
//!
//! ```text
//! crawl ─► pages ─► duplicate clusters ─► training set ─► a method ─► a model ─► its folder ─► served
//! read_all  Pages    cluster → Clusters    TrainingSet     Method      Model      train_site    Registry
//!                                            auto: learners propose,    └─► simulate, evaluate:
//!                                            the gate disposes              what it saves and loses
//! ```
//!
//! A crawl in which every story has a print view, and what a method makes of it:
//!
//! ```
//! use undust::{Canonicalizer, ClusterOptions, Config, Method, PagesBuilder, Response, Training};
//! use undust::{TrainingSet, cluster};
//!
//! let mut crawl = PagesBuilder::new();
//! for number in 100..160 {
//!     let story = format!("http://a.test/story/{number}");
//!     for url in [format!("{story}/print"), story] {
//!         let digest = Some(number.to_string());
//!         crawl.push(Response { url, status: 200, digest, ..Response::default() });
//!     }
//! }
//! let pages = crawl.finish().pages;
//! let clusters = cluster(&pages, &ClusterOptions::default());
//! assert_eq!((pages.len(), clusters.len()), (120, 60));
//!
//! let (tree, config): (Method, _) = ("tree".parse()?, Config::default());
//! let learned = tree.learn(&TrainingSet::new(&pages, &clusters), &Training::new(&config))?;
//! let translation = learned.model.translate("http://a.test/story/7777/print");
//! assert_eq!(translation.canonical, "http://a.test/story/7777");
//! println!("by {}", translation.cause);
//! # Ok::<(), undust::Error>(())
//! ```
//!
//! [`train_site`] does the same for a site of a crawl on disk and keeps its model in a folder; a
//! [`Registry`] finds the model of any URL among the folders of many sites. `examples/` shows
//! both, and [`evaluate`], in ten lines each.
//!
//! # Features
//!
//! Without any the crate learns rules and serves every saved model, networks included. `network`
//! trains networks, which needs burn; `ndarray` and `gpu` add backends of it; `cli` is the
//! program, `serve` the HTTP service. `cli` and `network` are on by default.

#![deny(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]
#![cfg_attr(
    not(all(feature = "cli", feature = "network")),
    allow(
        dead_code,
        unused_imports,
        reason = "some of it serves the program and the training alone"
    )
)]

mod bounded;
mod cluster;
mod collisions;
pub mod config;
mod content;
mod crawl;
mod drift;
mod edits;
mod error;
mod evaluate;
mod evidence;
mod explain;
mod explore;
mod gate;
mod heap;
mod json;
mod memo;
mod method;
mod mixed;
mod model;
mod observer;
mod packed;
mod page;
mod queue;
mod rules;
mod seq2seq;
#[cfg(feature = "serve")]
pub mod service;
mod simulate;
mod site;
mod temporary;
mod train;
mod training;
mod translation;
mod url;
mod vectors;
mod words;
mod work;

#[cfg(test)]
mod cost;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

#[cfg(feature = "live")]
pub use cluster::live::{
    Answer as LiveAnswer, Batch, BatchReport, LiveClusters, LiveOptions, LivePages, LiveSite,
    Trained, Verdict,
};
pub use cluster::partitions::load::{Load, Loads};
pub use cluster::partitions::{PartitionOptions, Partitions, slack};
pub use cluster::winner::{Criterion, WinnerOrder};
pub use cluster::{ClusterOptions, Clusters, cluster};
pub use config::Config;
pub use content::lengths::WordLengths;
pub use content::simhash::Simhash;
pub use crawl::options::ReadOptions;
pub use crawl::pages::{LeftOut, Pages, PagesBuilder};
pub use crawl::pipeline::read_all;
pub use crawl::report::ReadReport;
pub use crawl::response::Response;
pub use error::{Error, Remedy, Result};
pub use evaluate::result::{
    Figures, IntervalBounds, Judgement, MethodResult, NetworkFigures, SiteResult,
};
pub use evaluate::rules::{Effect, RuleReport, Selection};
pub use evaluate::units::{Unit, UnitBy};
pub use evaluate::{EvaluationOptions, evaluate};
pub use explain::Explanation;
pub use explore::observe::{Observation, Observed, ObservedOperation, Standing};
pub use method::{Method, Training};
pub use model::broken::BrokenModels;
pub use model::registry::{Absence, BrokenModel, InMemory, Registry};
pub use model::report::Report;
pub use model::site_model::SiteModel;
pub use model::{Learned, Model};
pub use observer::{Check, Observer};
pub use page::{Importance, Page};
pub use queue::{Novelty, Queue, QueueCounts, QueueFormat, QueueOptions};
pub use rules::dustbuster::listing::{Answer, Listing};
pub use rules::learner::{Learner, RulesReport};
pub use rules::measured::{Evidence, MeasuredRule};
pub use rules::rule::Rule;
pub use rules::set::RuleSet;
pub use seq2seq::decode::DecodingOptions;
pub use seq2seq::device::DeviceKind;
pub use seq2seq::examples::ExampleCounts;
pub use seq2seq::report::{NetworkReport, Stopped, TrainingReport};
pub use seq2seq::tagger::canonicalizer::Tagger;
pub use seq2seq::translator::Translator;
pub use simulate::{Replay, simulate};
pub use site::{SiteBy, site_of};
pub use train::sites::{FoundSites, SitesBuilder, sites_of};
pub use train::{Material, Outcome, Site, train_site};
pub use training::hold_out::{self, HoldOut};
pub use training::{Pair, TrainingSet};
pub use translation::{
    Applied, Canonicalizer, Cause, How, Reason, StepDetails, StepEvidence, Translation,
};
pub use url::frequency::DfMode;

/// What rules are made of: [`Rule`] has one variant for each kind.
pub mod rule {
    pub use crate::rules::dustbuster::parameter::Parameter;
    pub use crate::rules::dustbuster::substitution::Substitution;
    pub use crate::rules::dustbuster::text::Text;
    pub use crate::rules::duster::pattern::Pattern;
    pub use crate::rules::key_rule::{Context, Conversion, KeyRule, Test, Value};
    pub use crate::url::deep::pattern::DeepPattern;
    pub use crate::url::keys::{DeepAt, Key};
}

/// What the benchmarks of this crate measure and its fuzz targets try. No part of its interface.
#[doc(hidden)]
pub mod internal {
    pub use crate::cluster::agreement::{Agreement, agreement};
    pub use crate::cluster::groups::UnionFind;
    pub use crate::cluster::hamming::self_join;
    pub use crate::content::html::HtmlPage;
    pub use crate::crawl::pipeline::{ReadWork, read_stream};
    pub use crate::edits::editor::Editor;
    pub use crate::model::files::save;
    pub use crate::rules::learners::LEARNERS;
    pub use crate::rules::store::{parse as parse_rules, to_json as rules_to_json};
    #[cfg(feature = "network")]
    pub use crate::seq2seq::network::Network;
    pub use crate::seq2seq::{decode, weights};
    pub use crate::url::copied::reads_as_meant;
    pub use crate::url::frequency::{DocumentFrequencies, FunctionRule};
    pub use crate::url::keyed_url::KeyedUrl;
    pub use crate::url::normal::normal;
    pub use crate::url::pieces::pieces;
    pub use crate::url::template::{Reading, Symbol, Vocabulary};
    pub use crate::url::tokens::{Delimiters, Joiner, Role};
}
