//! The report: all that its three outputs are made from.

use serde::Serialize;

use crate::rows::{
    ClusterRow, ConventionRow, CountRow, CurveRow, EditRow, InputRow, LabelRow, Live, LostRow,
    MethodRow, NetworkRow, RefusedRow, SettingRow, ShapeRow,
};
use crate::verdict::Verdict;

/// What was found on some sites, from what, and by which settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// The program's version.
    pub undust: String,
    /// The crawls.
    pub inputs: Vec<InputRow>,
    /// The settings in force.
    pub settings: Vec<SettingRow>,
    /// Crawls or sites that could not be evaluated, a sentence each.
    pub failures: Vec<String>,
    /// In the order in which they were evaluated.
    pub sites: Vec<Site>,
}

/// What was found on one site.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// The crawl that its pages are from.
    pub crawl: String,
    /// The parts of the crawl; none where no method was evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
    /// The verdict on the method that is judged: `auto`, or the first that learned something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What each method saved and lost.
    pub methods: Vec<MethodRow>,
    /// What the live engine did; none where it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<Live>,
    /// Distinct pages over fetches.
    pub curve: Vec<CurveRow>,
    /// The accepted edits of the method that is judged, those that save most first.
    pub edits: Vec<EditRow>,
    /// The ways of writing URLs that it learned.
    pub conventions: Vec<ConventionRow>,
    /// Held-out URLs that its edits, its rules or its network changed.
    pub rewritten_urls: usize,
    /// What was refused, the most savings first.
    pub refused: Vec<RefusedRow>,
    /// What the site says of its pages, as that method heard it; none where the settings ask for no label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<LabelRow>>,
    /// The pages that it loses.
    pub lost: Vec<LostRow>,
    /// The largest clusters of the whole crawl.
    pub clusters: Vec<ClusterRow>,
    /// How many clusters have two URLs or more.
    pub clusters_with_duplicates: usize,
    /// Patterns of URLs that can grow, the worst first.
    pub shapes: Vec<ShapeRow>,
    /// Whether the patterns were looked for.
    pub has_shapes: bool,
    /// Checks of the training of networks.
    pub networks: Vec<NetworkRow>,
    /// What was left out of the crawl.
    pub left_out: Vec<CountRow>,
    /// The first problems of reading, a sentence each.
    pub notes: Vec<String>,
}

/// The parts of a crawl, in URLs and the distinct pages that they show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parts {
    /// `time`, `folder` or `shape`.
    pub hold_out: String,
    /// Share that was learned from, as asked for.
    pub split: f64,
    /// URLs to learn from.
    pub train_urls: usize,
    /// Their distinct pages.
    pub train_pages: usize,
    /// URLs that were held out.
    pub test_urls: usize,
    /// Their distinct pages.
    pub test_pages: usize,
    /// Held-out URLs whose shape no URL to learn from has.
    pub unseen_urls: usize,
}

impl Report {
    /// As one line of JSON.
    ///
    /// # Errors
    ///
    /// None but those of JSON.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut json = serde_json::to_vec(self)?;
        json.push(b'\n');
        Ok(json)
    }
}

impl Site {
    /// An empty one.
    pub fn new(name: &str, crawl: &str) -> Self {
        Self { name: name.to_owned(), crawl: crawl.to_owned(), ..Self::default() }
    }

    /// What a method did, by its name.
    pub fn method(&self, name: &str) -> Option<&MethodRow> {
        self.methods.iter().find(|row| row.method == name)
    }
}
