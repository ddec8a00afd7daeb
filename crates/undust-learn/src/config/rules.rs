//! Settings of the learners of rules.

use serde::{Deserialize, Serialize};
pub use undust_rules::measured::FalsePositives;

/// Which rules are kept, whichever method found them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RuleLimits {
    /// What counts as a false positive.
    pub count: FalsePositives,
    /// Largest share of false positives of a rule that is kept.
    pub max_false_positives: f64,
    /// Training URLs that a rule must change.
    pub min_coverage: usize,
}

impl Default for RuleLimits {
    fn default() -> Self {
        Self { count: FalsePositives::Collisions, max_false_positives: 0.1, min_coverage: 3 }
    }
}

/// Rewrite rules (Dasgupta, Kumar, Sasturkar, KDD 2008).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RewriteConfig {
    /// Distinct values of a key from which on its value is irrelevant.
    pub fan_out: usize,
}

impl Default for RewriteConfig {
    fn default() -> Self {
        Self { fan_out: 5 }
    }
}

/// Decision-tree rules (Koppula et al., WSDM 2010).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TreeConfig {
    /// Whether components are cut into the tokens that the host's own delimiters make.
    pub deep_tokens: bool,
    /// Sources of a cluster, a stratified sample where there are more.
    #[serde(skip)]
    pub sources_per_cluster: usize,
    /// Distinct values that a key may have in one context before any value is accepted, unless
    /// one value has a majority.
    pub max_values: usize,
}

impl Default for TreeConfig {
    fn default() -> Self {
        Self { deep_tokens: true, sources_per_cluster: 100, max_values: 5 }
    }
}

/// DustBuster (Bar-Yossef, Keidar, Schonfeld, WWW 2007).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DustbusterConfig {
    /// Longest substring of a rule, in tokens.
    #[serde(skip)]
    pub max_tokens: usize,
    /// Largest bucket that counts when likely rules are found.
    #[serde(skip)]
    pub low_bucket: usize,
    /// The same when the support of rules is compared.
    #[serde(skip)]
    pub high_bucket: usize,
    /// Fewest instances of a likely rule.
    pub min_support: usize,
    /// Largest relative difference in support between a rule and one that it refines.
    #[serde(skip)]
    pub max_relative_difference: f64,
    /// Largest absolute difference in support between a rule and one that it refines.
    #[serde(skip)]
    pub max_absolute_difference: usize,
    /// Rules that a rule is compared with.
    #[serde(skip)]
    pub window: usize,
    /// Instances by which a rule is validated.
    pub validations: usize,
    /// Share of refuting instances from which on a rule is invalid.
    pub refutation: f64,
    /// Fewest known instances for a rule to be validated.
    #[serde(skip)]
    pub min_known: usize,
}

impl Default for DustbusterConfig {
    fn default() -> Self {
        Self {
            max_tokens: 35,
            low_bucket: 6,
            high_bucket: 11,
            min_support: 3,
            max_relative_difference: 0.05,
            max_absolute_difference: 1,
            window: 1100,
            validations: 100,
            refutation: 0.05,
            min_known: 10,
        }
    }
}

/// DUSTER (Rodrigues et al., TKDE 2015).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DusterConfig {
    /// URLs of a cluster that are aligned, a sample where there are more.
    pub urls_per_cluster: usize,
    /// Most alternatives at one place; with more, any token of their type will do.
    #[serde(skip)]
    pub max_alternatives: usize,
    /// Clusters that must yield a candidate rule; 1 for any candidate.
    #[serde(skip)]
    pub min_clusters: usize,
    /// A token stays literal if this many candidates have it at its place; fewer on a site with
    /// under 200 candidates. With 1 every token does.
    pub min_frequency: usize,
    /// Share of the duplicate clusters that validate rules and are not learned from; with 0
    /// all are learned from, and all validate.
    pub validation: f64,
}

impl Default for DusterConfig {
    fn default() -> Self {
        Self {
            urls_per_cluster: 10,
            max_alternatives: 5,
            min_clusters: 2,
            min_frequency: 10,
            validation: 0.5,
        }
    }
}
