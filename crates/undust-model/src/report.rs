//! How a site was learned.

pub mod network;

use serde::{Deserialize, Serialize};

use crate::report::network::NetworkReport;

/// How a method learned a site. `model.json` keeps it as a record; nothing depends on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The method, by its name.
    pub method: String,
    /// Pages; of a log or list, URLs.
    pub pages: usize,
    /// Their duplicate clusters, pages without a duplicate included; 0 where they are unknown.
    pub clusters: usize,
    /// Of a set of rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesReport>,
    /// Of a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkReport>,
    /// Rules, edits and ways of writing URLs that were learned and dropped: one of several crawls
    /// refutes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuted: Vec<String>,
    /// Of a network: some URLs that it was trained on and that it changes, each with its form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<[String; 2]>,
}

impl Report {
    /// Of a method that had so much to learn from.
    pub fn new(method: &str, pages: usize, clusters: usize) -> Self {
        Self {
            method: method.to_owned(),
            pages,
            clusters,
            rules: None,
            network: None,
            refuted: Vec::new(),
            examples: Vec::new(),
        }
    }
}

/// How rules were learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesReport {
    /// Rules that the clusters suggested.
    pub candidates: usize,
    /// Rules within the limits.
    pub kept: usize,
    /// What was capped, sampled or could not be checked, a sentence each.
    pub notes: Vec<String>,
}
