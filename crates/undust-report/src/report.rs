//! The report: all that its three outputs are made from.

use serde::Serialize;

use crate::rows::{
    CauseRow, ClusterRow, ConflictRow, ConventionRow, CountRow, EditRow, FamilyRow, InputRow,
    LabelRow, Live, LostRow, MethodRow, PageRow, Parts, RefusedRow, SettingRow, Verdict,
};
use crate::text::{counted, number, percent};

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
    /// URLs of the crawl that show a page; none where the crawl was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub urls: Option<usize>,
    /// The distinct pages that they show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_pages: Option<usize>,
    /// Why more than one URL shows a page, the cause of most URLs first.
    pub causes: Vec<CauseRow>,
    /// What pages say of their canonical URL and content contradicts, the most frequent problem first.
    pub conflicts: Vec<ConflictRow>,
    /// The pages that more than one URL shows, those of most URLs first.
    pub pages: Vec<PageRow>,
    /// Their URLs.
    pub clusters: Vec<ClusterRow>,
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
    /// The accepted edits by what they leave out or write anew, the family that saves most first.
    pub families: Vec<FamilyRow>,
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
    /// What was left out of the crawl.
    pub left_out: Vec<CountRow>,
    /// The first problems of reading, a sentence each.
    pub notes: Vec<String>,
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

    /// How many URLs show how many pages, in a sentence; none where the crawl was not looked at.
    pub fn summary(&self) -> Option<String> {
        let (urls, pages) = self.urls.zip(self.distinct_pages)?;
        let needless = urls.saturating_sub(pages);
        let share = percent(needless as f64 / urls.max(1) as f64);
        let shown = format!("{} show {}", counted(urls, "URL"), counted(pages, "page"));
        Some(match needless {
            0 => format!("{shown}: none shows a page that another URL shows."),
            1 => format!("{shown}: 1 URL ({share}) is needless, because another shows its page."),
            _ => format!(
                "{shown}: {} URLs ({share}) are needless, because others show their pages.",
                number(needless)
            ),
        })
    }

    /// What was saved and lost, in a sentence.
    pub fn sentence(&self) -> String {
        match (&self.verdict, &self.live) {
            (Some(verdict), _) => verdict.sentence.clone(),
            (None, Some(live)) => live.sentence(),
            (None, None) => "No method learned anything that can be judged.".to_owned(),
        }
    }

    /// What a method did, by its name.
    pub fn method(&self, name: &str) -> Option<&MethodRow> {
        self.methods.iter().find(|row| row.method == name)
    }
}
