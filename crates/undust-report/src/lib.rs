//! What an evaluation of a crawl found, for people to read and for programs to take: one page of HTML, CSV, JSON.
//!
//! ```text
//! pages and clusters ────┐
//! canonicals, titles ────┤                      ┌─► html: one file, nothing is loaded, no scripts
//! results, with details ─┼─► Report, of Sites ──┼─► csv: a file a table
//! what live did ─────────┤                      └─► json
//! what was left out ─────┘
//! ```
//!
//! The three have the same rows, because all are made from one value. The same value gives the same bytes: there is no
//! clock in it, and no path but those that were given. Texts come from crawls, so they are cut and escaped.
//!
//! ```
//! use undust_report::{Report, Site};
//!
//! let report = Report { sites: vec![Site::new("a.test", "a.jsonl")], ..Report::default() };
//! assert!(report.html().starts_with("<!DOCTYPE html>"));
//! assert!(report.csv().iter().any(|table| table.name == "methods"));
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]

mod answers;
mod csv;
mod duplicates;
mod families;
mod html;
mod report;
mod rows;
mod site;
#[cfg(test)]
mod tests;
mod text;
mod titles;
mod verdict;

pub use answers::Answers;
pub use csv::CsvTable;
pub use report::{Report, Site};
pub use rows::{
    CauseRow, ClusterRow, ConflictRow, ConventionRow, CountRow, EditRow, FailureRow, FamilyRow,
    InputRow, LabelRow, Live, LostRow, MethodRow, NoteRow, PageRow, Parts, RefusedRow, SettingRow,
    Verdict,
};
pub use titles::Titles;
