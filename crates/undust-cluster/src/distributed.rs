//! Duplicate clusters of a site whose pages no one machine should hold: the steps that an engine spreads over
//! machines. Together they find what [`cluster`](crate::cluster()) finds.
//!
//! 1. Each page gets its [keys](bucket_keys): two pages that are the same, other than by a redirect,
//!    have one of them in common. A key is the digest, or a block of bits of the fingerprint under the
//!    blocking key (Manku, Jain and Das Sarma, WWW 2007, section 3).
//! 2. The pages of a key, a candidate bucket, come to one machine, which finds by [`links`] which of
//!    them are the same.
//! 3. One machine takes the URLs and their redirects, then the links, and finds the clusters:
//!    [`SiteGraph`].
//!
//! A redirect may end at a page of another site. Such a page takes part as if it were of the site, and only if a
//! redirect of the site ends there ([`SiteGraph::ends_elsewhere`]).
//!
//! A URL is known by a 64-bit hash. The probability that two of 10⁷ URLs share one is 3·10⁻⁶.

mod bucket;
mod links;
mod site_graph;
#[cfg(test)]
mod tests;

pub use self::bucket::{BucketEntry, BucketKey, bucket_keys};
pub use self::links::links;
pub use self::site_graph::{ClusterOf, Node, SiteGraph};
