//! Pages become duplicate clusters, and each cluster gets its canonical URL.
//!
//! ```
//! use undust_cluster::{ClusterOptions, cluster};
//! use undust_pages::Page;
//!
//! let page = |url: &str, digest| Page { url: url.into(), digest: Some(digest), ..Page::default() };
//! let pages = [page("http://a.test/1", 5), page("http://a.test/1/print", 5), page("http://a.test/2", 6)];
//! let clusters = cluster(&pages, &ClusterOptions::default());
//! assert_eq!(clusters.labels(), [0, 0, 1]);
//! ```
//!
//! [`clusters`] finds which pages are the same; [`winner`] chooses the canonical URL;
//! [`agreement`] compares two clusterings; [`partitions`] spreads pages over machines by their
//! lengths, so that few must be compared across (Zhu et al., WSDM 2012).

pub mod agreement;
pub mod clusters;
pub mod groups;
pub mod hamming;
pub mod partitions;
#[cfg(test)]
mod tests;
pub mod winner;

pub use agreement::{Agreement, agreement};
pub use clusters::{ClusterOptions, Clusters, cluster};
pub use partitions::load::{Load, Loads};
pub use partitions::{PartitionOptions, Partitions, slack};
pub use winner::{Criterion, WinnerOrder};
