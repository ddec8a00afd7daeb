//! The rows of a report's tables. What a row has as JSON, it has as CSV, under the same names.

use serde::Serialize;
use serde_json::Value;

use undust_learn::training::hold_out::HoldOut;

use crate::text::{number, percent};

/// A row of a table.
pub(crate) trait Row: Serialize {
    /// The table's name, which is that of its CSV file.
    const TABLE: &'static str;
    /// The fields, in the order of the columns.
    const COLUMNS: &'static [&'static str];

    /// A cell for each column; the empty text where a field is missing.
    fn cells(&self) -> Vec<String> {
        let value = serde_json::to_value(self).unwrap_or_default();
        Self::COLUMNS.iter().map(|column| cell(&value[*column])).collect()
    }
}

impl<R: Row> Row for &R {
    const TABLE: &'static str = R::TABLE;
    const COLUMNS: &'static [&'static str] = R::COLUMNS;
}

/// A value as a cell: texts as they are, lists separated by blanks, for no URL has one.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// Rows, each with its table's name and columns.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident in $table:literal {
        $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Row for $name {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),*];
        }
    )*};
}

rows! {
    /// What a method fetched, saved and lost on the held-out pages.
    MethodRow in "methods" {
        /// Its name.
        method: String,
        /// URLs fetched.
        fetched: Option<usize>,
        /// Distinct pages that they showed.
        found: Option<usize>,
        /// Fetches that showed nothing new.
        redundant: Option<usize>,
        /// Redundant fetches of a crawler without a model that it saves.
        saved: Option<i64>,
        /// The share of them.
        saved_share: Option<f64>,
        /// Pages that no fetched URL showed.
        lost: Option<usize>,
        /// The share of all distinct pages.
        lost_share: Option<f64>,
        /// The upper end of the 95 % interval of that share (Wilson 1927), as if pages were independent.
        lost_share_bound: Option<f64>,
        /// Share of the fetches that showed something new.
        precision: Option<f64>,
        /// Share of the pages that were seen.
        recall: Option<f64>,
        /// Their harmonic mean.
        f1: Option<f64>,
        /// The lower end of its 95 % interval.
        f1_low: Option<f64>,
        /// The upper end.
        f1_high: Option<f64>,
        /// What a reader of the figures must know, and why there are none.
        note: Option<String>,
    }

    /// Why URLs show a page that another URL shows.
    CauseRow in "causes" {
        /// What they differ by: `argument sort on /list`.
        cause: String,
        /// URLs that have it; each URL has one cause.
        urls: usize,
        /// The share of all URLs that show a page which another URL shows.
        share: f64,
        /// Distinct pages that they show.
        pages: usize,
        /// What to do, for programs: `redirect`, `canonical`, `noindex` or `links`.
        action: String,
        /// The same in sentences.
        advice: String,
        /// One of the URLs.
        from: String,
        /// The URL that stands for its page.
        to: String,
        /// The title of this page.
        title: Option<String>,
        /// URLs of the cause whose page names that URL as its canonical one.
        named: usize,
        /// URLs with the argument that show several pages without it.
        own: u64,
        /// Values of the argument, where duplicates have few.
        values: Vec<String>,
    }

    /// A page whose canonical URL, as it names it, is not the URL of its content.
    ConflictRow in "conflicts" {
        /// What is wrong with the canonical URL.
        problem: String,
        /// The URL of the page.
        url: String,
        /// The canonical URL that it names.
        says: String,
        /// The URL that stands for its content.
        page: String,
    }

    /// A page that several URLs show.
    PageRow in "pages" {
        /// The URL that stands for it.
        page: String,
        /// Why this one: `rel=canonical`, `answered 200`, or `redirects`, where none of its URLs answered.
        why: String,
        /// Its title.
        title: Option<String>,
        /// How many URLs show it.
        urls: usize,
    }

    /// A URL of a page that several URLs show.
    ClusterRow in "clusters" {
        /// The URL that stands for the page.
        page: String,
        /// The URL.
        url: String,
        /// What it differs by; none for the URL that stands for the page.
        cause: Option<String>,
        /// Whether it redirects to the page; else it answered 200.
        redirects: bool,
        /// The URL that it names by `rel=canonical`.
        canonical: Option<String>,
    }

    /// Accepted edits that leave out or write anew the same part of URLs.
    FamilyRow in "families" {
        /// The part: `argument sort`.
        family: String,
        /// How many edits.
        edits: usize,
        /// URLs of training on which they were tested.
        tested: usize,
        /// Fetches of training that they save.
        saved: i64,
        /// Pages of training that they lose.
        lost: usize,
        /// Held-out URLs that they changed.
        held_out_urls: usize,
        /// A URL.
        from: Option<String>,
        /// Its canonical URL.
        to: Option<String>,
    }

    /// An accepted edit, or a rule.
    EditRow in "edits" {
        /// Its place among those that are applied.
        number: usize,
        /// Its notation.
        edit: String,
        /// The part of URLs that it leaves out or writes anew.
        family: String,
        /// Where it holds.
        place: String,
        /// Whether it holds only on pages like those on which it was tested.
        is_restricted: bool,
        /// Narrower places in which it does not hold.
        exceptions: usize,
        /// URLs of training on which it was tested.
        tested: usize,
        /// Different pages that they show.
        pages: Option<usize>,
        /// Fetches of training that it saves.
        saved: Option<i64>,
        /// Pages of training that it loses.
        lost: usize,
        /// The share of its URLs whose page is lost, as the law of evidence estimates it; none where nothing was
        /// measured.
        bound: Option<f64>,
        /// Held-out URLs that it changed.
        held_out_urls: usize,
        /// URLs with their canonical URLs.
        examples: Vec<[String; 2]>,
    }

    /// A way of writing URLs that the site treats as equal.
    ConventionRow in "conventions" {
        /// Its notation.
        convention: String,
        /// Held-out URLs that it changed.
        held_out_urls: usize,
    }

    /// An edit that the gate refused.
    RefusedRow in "refused" {
        /// Its notation.
        edit: String,
        /// Where it was proposed.
        place: String,
        /// URLs that it would change.
        urls: Option<usize>,
        /// URLs on which it was tested.
        tested: usize,
        /// Fetches that it would save.
        saved: Option<i64>,
        /// Pages that it would lose.
        lost: usize,
        /// The share of its URLs whose page would be lost, as the law of evidence estimates it.
        bound: f64,
        /// Why it was refused.
        why: String,
    }

    /// What the site says of its pages by one source.
    LabelRow in "labels" {
        /// The source: `rel=canonical`, `og:url`, `No-Vary-Search`, `hreflang` or `sitemap`.
        source: String,
        /// What it may say of URLs: `the same` or `different`.
        says: String,
        /// Effective samples: pages of known content that it labels.
        pages: usize,
        /// Of these, those whose content contradicts it.
        wrong: usize,
        /// The share of them.
        wrong_share: f64,
        /// What was made of it: URLs that were added, or clusters that were cut; zero where it was not believed.
        effect: String,
    }

    /// A page that no fetched URL showed.
    LostRow in "lost" {
        /// Its title.
        title: Option<String>,
        /// The first URL that shows it.
        url: String,
        /// How many URLs show it.
        urls: usize,
        /// What the first URL was taken for.
        canonical: String,
        /// The URL that was fetched in its place.
        instead: String,
        /// The title that this URL shows.
        instead_title: Option<String>,
        /// What was applied, in order.
        by: String,
    }

    /// What was left out of the crawl.
    CountRow in "left-out" {
        /// What, and why.
        what: String,
        /// How many.
        count: u64,
    }

    /// An input.
    InputRow in "inputs" {
        /// Its name as it was given.
        crawl: String,
        /// What it is: `a crawl manifest`.
        kind: Option<String>,
        /// Its size in bytes.
        bytes: Option<u64>,
        /// The SHA-1 of its bytes.
        sha1: Option<String>,
        /// Responses that were read from it.
        responses: Option<u64>,
    }

    /// A setting in force.
    SettingRow in "settings" {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
        /// Where it comes from.
        origin: String,
    }

    /// One of the first problems of reading.
    NoteRow in "notes" {
        /// A sentence.
        note: String,
    }

    /// What could not be evaluated.
    FailureRow in "failures" {
        /// A sentence.
        failure: String,
    }

    /// The parts of a crawl, in URLs and the distinct pages that they show.
    Parts in "parts" {
        /// `time`, `folder` or `shape`.
        hold_out: HoldOut,
        /// Share that was learned from, as asked for.
        split: f64,
        /// URLs to learn from.
        train_urls: usize,
        /// Their distinct pages.
        train_pages: usize,
        /// URLs that were held out.
        test_urls: usize,
        /// Their distinct pages.
        test_pages: usize,
        /// Held-out URLs whose shape no URL to learn from has.
        unseen_urls: usize,
        /// Held-out URLs that are judged by a field of the crawl, and not by the rule of duplicates.
        judged_by_truth: usize,
    }

    /// What the method that is judged saves and loses.
    Verdict in "verdicts" {
        /// The method.
        method: String,
        /// Redundant fetches of a crawler that fetches every held-out URL.
        redundant: usize,
        /// Of these, how many the method saves.
        saved: i64,
        /// The share of them.
        saved_share: f64,
        /// The 95 % interval of that share.
        saved_share_interval: [f64; 2],
        /// Distinct held-out pages.
        pages: usize,
        /// Of these, how many the method loses.
        lost: usize,
        /// The upper end of the 95 % interval of their share.
        lost_share_bound: f64,
        /// All of it as a sentence.
        sentence: String,
    }

    /// What the live engine did on the whole crawl, from the first page on.
    Live in "live" {
        /// URLs of the crawl.
        urls: usize,
        /// Distinct pages.
        pages: usize,
        /// URLs fetched.
        fetched: usize,
        /// Distinct pages among them.
        found: usize,
        /// Fetches of a crawler that fetches every URL which show nothing new.
        redundant: usize,
        /// Of these, how many it saves.
        saved: i64,
        /// Distinct pages that it never sees.
        lost: usize,
        /// Skips that it fetched to measure what they lose.
        audited: u64,
        /// The share of the skips that lost a page, as the audits bound it.
        lost_share_bound: f64,
    }
}

impl Live {
    pub(crate) fn sentence(&self) -> String {
        format!(
            "In the crawl, live would have saved {} of {} redundant fetches ({}), and lost {} of {} distinct pages.",
            number(self.saved),
            number(self.redundant),
            percent(self.saved as f64 / self.redundant.max(1) as f64),
            number(self.lost),
            number(self.pages)
        )
    }
}
