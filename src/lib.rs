//! **undust** learns, for one web site, which of its URLs show the same page (DUST:
//! different URLs with similar text), and turns any URL of the site into its canonical form
//! without fetching it.
//!
//! The data goes one way:
//!
//! ```text
//! crawl ─► pages ─► duplicate clusters ─► pairs ─► a learner ─► a model ─► translate
//! [crawl]  [crawl::Pages]  [cluster]     [pairs]  [seq2seq]    [models]    evaluate
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod cli;
pub mod cluster;
pub mod config;
pub mod content;
pub mod crawl;
mod error;
pub mod evaluate;
mod method;
pub mod models;
pub mod pairs;
pub mod rules;
pub mod seq2seq;
pub mod simulate;
pub mod site;
pub mod translate;
mod translation;
pub mod url;

pub use error::{Error, Result};
pub use method::{Method, Model, Workshop};
pub use translation::{Canonicalizer, How, Reason, Translation};
