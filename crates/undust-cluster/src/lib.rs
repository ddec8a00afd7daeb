//! Pages become duplicate clusters, and each cluster gets its canonical URL.
//!
//! ```
//! use undust_cluster::{ClusterOptions, cluster};
//! use undust_pages::{PagesBuilder, Response};
//!
//! let mut crawl = PagesBuilder::new();
//! for (path, body) in [("1", "one"), ("1/print", "one"), ("2", "two")] {
//!     let (url, digest) = (format!("http://a.test/{path}"), Some(body.into()));
//!     crawl.push(Response { url, status: 200, digest, ..Response::default() });
//! }
//! let clusters = cluster(&crawl.finish().pages, &ClusterOptions::default());
//! assert_eq!(clusters.labels(), [0, 0, 1]);
//! ```
//!
//! [`clusters`] finds which pages are the same; [`canonical_order`] chooses the canonical URL;
//! [`agreement`](mod@agreement) compares two clusterings; [`label_check`] draws pairs that a person looks at;
//! [`distributed`] finds the clusters of pages that no one machine should hold.

pub mod agreement;
pub mod canonical_order;
pub mod clusters;
pub mod distributed;
mod error;
pub mod groups;
pub mod hamming;
pub mod label_check;
#[cfg(test)]
mod tests;

pub use agreement::{Agreement, agreement};
pub use canonical_order::{CanonicalOrder, Criterion};
pub use clusters::{ClusterOptions, Clusters, cluster};
pub use error::CriteriaReason;
