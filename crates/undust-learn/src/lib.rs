//! Duplicate clusters of a site become a model, and a model is evaluated.
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | [`training`] | pages and clusters → pairs of a URL and its canonical URL, and held-out parts |
//! | [`method`] | a training set and settings → a model: all methods by name |
//! | [`learned`], [`report`] | a model and how it was learned → the files of its folder |
//! | [`function_words`](mod@function_words) | URLs → the words that tell their shapes apart |
//! | `conventions` | URLs and their pages → how the site writes its URLs |
//! | [`learners`] | a training set → candidate rules: rewrite, trees, DustBuster, DUSTER |
//! | [`early_stopping`] | the training loop of every network |
//! | [`gate`] | proposals → accepted and refused edits, by evidence |
//! | [`translator`] | the trait of what trains encoder-decoders; `undust-network` implements it, the caller passes it in |
//! | [`train`] | a site's pages → a model folder |
//! | [`simulate`](mod@simulate), [`evaluate`] | a crawl and methods → what each would have fetched and found |
//! | [`validate`] | a model and URLs → pairs of URLs whose fetching would decide what is only likely, and the verdict |
//! | [`drift`] | a model and a later crawl → which operations no longer hold |
//! | [`config`], [`observer`] | settings, and progress of training |
//!
//! ```
//! use undust_cluster::{ClusterOptions, cluster};
//! use undust_learn::{Config, Method, Training, TrainingSet};
//! use undust_model::translation::Canonicalizer;
//! use undust_pages::{PagesBuilder, Response};
//!
//! // Sixty stories, each found under two URLs.
//! let mut crawl = PagesBuilder::new();
//! for story in 0..60 {
//!     for url in [format!("http://a.test/story/{story}"), format!("http://a.test/story/{story}/print")] {
//!         let digest = Some(format!("story {story}"));
//!         crawl.push(Response { url, status: 200, digest, ..Response::default() });
//!     }
//! }
//! let pages = crawl.finish().pages;
//! let clusters = cluster(&pages, &ClusterOptions::default());
//! let config = Config::default();
//! let learned = Method::Auto.learn(&TrainingSet::new(&pages, &clusters), &Training::new(&config))?;
//! assert_eq!(learned.canonical("http://a.test/story/99/print"), "http://a.test/story/99");
//! # Ok::<_, undust_util::Error>(())
//! ```

mod budget;
mod collisions;
pub mod config;
mod conventions;
pub mod drift;
pub mod early_stopping;
pub mod error;
pub mod evaluate;
pub mod function_words;
pub mod gate;
mod labels;
pub mod learned;
pub mod learners;
pub mod method;
pub mod observer;
mod ordered;
pub mod report;
pub mod simulate;
pub mod train;
pub mod training;
pub mod translator;
pub mod validate;

pub use config::Config;
pub use method::{Method, Training};
pub use observer::Observer;
pub use simulate::{Replay, simulate};
pub use training::TrainingSet;
pub use translator::TrainTranslator;

#[cfg(test)]
mod tests {
    mod cost;
}
