//! **undust** learns, for one web site, which of its URLs show the same page (DUST: different
//! URLs with similar text), and turns any URL of the site into its canonical form without
//! fetching it.

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod cluster;
pub mod collisions;
pub mod config;
pub mod content;
pub mod crawl;
pub mod error;
pub mod evaluate;
pub mod method;
pub mod model;
pub mod page;
pub mod queue;
pub mod rules;
pub mod seq2seq;
pub mod simulate;
pub mod site;
pub mod train;
pub mod training;
pub mod translation;
pub mod url;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

pub use error::{Error, Result};
pub use method::{Method, Training};
pub use translation::{Canonicalizer, How, Reason, Translation};
