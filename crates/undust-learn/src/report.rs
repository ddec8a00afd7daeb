//! How a site was learned.

pub mod network;

use std::fmt;

use serde::{Deserialize, Serialize};

use undust_model::folder::info::ModelInfo;
use undust_util::plural::counted;

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
    /// Rules, edits and URL conventions that were learned and dropped, because one of several
    /// crawls refutes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuted: Vec<String>,
    /// What labels of the site said, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<LabelReport>,
    /// Of a network: some URLs that it was trained on and that it changes, each with its form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<[String; 2]>,
}

impl Report {
    /// How a saved model was learned, if its record can be read.
    pub fn of(info: &ModelInfo) -> Option<Self> {
        serde_json::from_value(info.record.get("report")?.clone()).ok()
    }

    /// A report with these counts and nothing else.
    pub fn new(method: &str, pages: usize, clusters: usize) -> Self {
        Self { method: method.to_owned(), pages, clusters, ..Self::default() }
    }
}

/// Where a label of a page comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelSource {
    /// `rel=canonical`.
    Canonical,
    /// `og:url`.
    OgUrl,
    /// The header No-Vary-Search.
    NoVarySearch,
    /// `hreflang` alternates.
    Hreflang,
    /// Sitemaps.
    Sitemap,
}

/// What a source of labels said, and what was made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelReport {
    /// The source.
    pub source: LabelSource,
    /// What it may say of URLs: `the same` or `different`.
    pub says: String,
    /// Effective samples: pages of known content, each of which counts once, however many of its
    /// URLs have a label.
    pub seen: usize,
    /// Of these, those whose content contradicts a label.
    pub wrong: usize,
    /// URLs that were added, or clusters that were split, because the source was believed.
    pub used: usize,
}

impl LabelReport {
    /// What was made of it: `40 URLs added`, `1 cluster cut`.
    pub fn effect(&self) -> String {
        match &*self.says {
            "different" => format!("{} cut", counted(self.used, "cluster")),
            _ => format!("{} added", counted(self.used, "URL")),
        }
    }
}

impl fmt::Display for LabelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Canonical => "rel=canonical",
            Self::OgUrl => "og:url",
            Self::NoVarySearch => "No-Vary-Search",
            Self::Hreflang => "hreflang",
            Self::Sitemap => "sitemap",
        })
    }
}

impl fmt::Display for LabelReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, says, seen, wrong, .. } = self;
        let used = match self.used {
            0 => "nothing taken from it".to_owned(),
            _ => self.effect(),
        };
        write!(f, "{source}, {says}: wrong on {wrong} of {}, {used}", counted(*seen, "page"))
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
