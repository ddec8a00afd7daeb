//! What a state is made with.

use serde::{Deserialize, Serialize};

use undust_cluster::canonical_order::CanonicalOrder;
use undust_cluster::clusters::ClusterOptions;

/// What a state is made with, and keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveOptions {
    /// What a duplicate is.
    pub clusters: ClusterOptions,
    /// Which URL of a group is its canonical URL.
    pub canonical: CanonicalOrder,
}
