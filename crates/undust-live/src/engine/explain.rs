//! Why a URL is fetched or skipped.

use serde::Serialize;

use super::decision::Decision;

/// What is known of a URL, and what would become of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UrlExplanation {
    /// The URL as it came.
    pub url: String,
    /// Its site.
    pub site: String,
    /// What would become of it now, if it were not drawn for an audit.
    pub decision: Decision,
    /// The forms that it has, the model's first.
    pub forms: Vec<FormEvidence>,
}

/// What is known of a form that a hypothesis gives a URL.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FormEvidence {
    /// The form.
    pub form: String,
    /// What gives the URL this form; empty where the model leaves it as it is.
    pub hypothesis: String,
    /// Whether the model gives it this form, rather than a proposal that is probed.
    pub is_accepted: bool,
    /// URLs of this form that were fetched in this crawl.
    pub fetched: u32,
    /// Whether URLs of this form showed two pages, and nothing yet says that what comes is one: none of them is skipped.
    pub shows_two_pages: bool,
    /// The probability that a skip loses a page; none where no URL of this form was fetched.
    pub loss: Option<f32>,
}
