//! What a state is made with.

use serde::{Deserialize, Serialize};

use undust_cluster::clusters::ClusterOptions;
use undust_cluster::winner::CanonicalOrder;

/// What a state is made with, and keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveOptions {
    /// What a duplicate is.
    pub clusters: ClusterOptions,
    /// Which URL of a group is its winner.
    pub canonical: CanonicalOrder,
}
