//! Settings of the gate.

use serde::{Deserialize, Serialize};

/// What the gate accepts, and what no crawl decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// Largest share of the clusters that all edits together may lose. Where it is larger than the
    /// default, `rate` and `mixture` grow with it, up to .3.
    pub risk: f64,
    /// Largest share of lost URLs among those that an edit is tested on.
    pub rate: f64,
    /// Largest share of URLs among these that get the form of another page.
    pub mixture: f64,
    /// Fetches that a lost cluster costs.
    pub price: f64,
    /// Whether a tagger proposes edits, too, where much is left to save. It costs seconds.
    pub tagger: bool,
    /// Names of arguments that no edit may drop.
    pub keep: Vec<String>,
    /// Names of arguments that are always dropped, whatever the method.
    pub drop: Vec<String>,
    /// Prefixes of URLs, or of paths if they begin with `/`: such URLs stay as they are,
    /// whatever the method.
    pub exceptions: Vec<String>,
}

impl Default for GateConfig {
    fn default() -> Self {
        Self {
            risk: 0.005,
            rate: 0.03,
            mixture: 0.03,
            price: 8.0,
            tagger: true,
            keep: Vec::new(),
            drop: Vec::new(),
            exceptions: Vec::new(),
        }
    }
}
