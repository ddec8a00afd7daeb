//! Learning that goes on while a crawl does.
//!
//! | module | what goes in and comes out |
//! |---|---|
//! | [`clusters`] | batches of responses in, duplicate clusters with lasting ids out; kept on disk |
//! | [`engine`] | a URL in, fetch or skip out; what comes back teaches it: the crawl itself |
//! | [`trials`] | results of exploratory fetches in, failing operations out |
//!
//! ```
//! use undust_live::{ResponseBatch, LiveClusters};
//! use undust_pages::Response;
//!
//! let folder = tempfile::tempdir()?;
//! let mut clusters = LiveClusters::open_or_make(folder.path(), |_| {})?;
//! let mut batch = ResponseBatch::new();
//! batch.extend(["http://a.test/1", "http://a.test/1/print"].map(|url| Response {
//!     url: url.into(),
//!     status: 200,
//!     digest: Some("the same body".into()),
//!     ..Response::default()
//! }));
//! let report = clusters.ingest(batch)?;
//! println!("{report}");
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

pub mod clusters;
pub mod engine;
pub mod error;
mod own_file;
#[cfg(test)]
mod tests;
pub mod trials;

pub use clusters::{LiveClusters, LiveOptions, ResponseBatch};
pub use engine::{AutoLearner, Decision, EngineOptions, Live};
pub use trials::crawl::observations;
pub use trials::observe::{Observation, Observed, observe};
