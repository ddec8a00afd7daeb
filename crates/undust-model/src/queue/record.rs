//! A line of the input, taken apart, and a line of the output.

use std::io;

use serde::Serialize;

use undust_util::{Error, Result, json};

use super::{QueueFormat, QueueOptions};
use crate::translation::{Applied, Reason, StepEvidence, Translation};

/// A line taken apart.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    /// Spaces and tabs before the URL, as they came.
    pub before: &'l [u8],
    pub url: &'l [u8],
    /// Spaces and tabs behind it, carriage return and line feed, as they came.
    pub end: &'l [u8],
}

impl<'l> Line<'l> {
    pub(super) fn of(line: &'l [u8]) -> Self {
        let content = line.trim_ascii_end();
        let url = content.trim_ascii_start();
        let before = if url.is_empty() { 0 } else { content.len() - url.len() };
        Self { before: &line[..before], url, end: &line[before + url.len()..] }
    }
}

/// A line of [`QueueFormat::Jsonl`].
#[derive(Serialize)]
struct OutputRecord<'r> {
    url: &'r str,
    canonical: &'r str,
    site: Option<&'r str>,
    /// Whether it is fetched all the same, and the form that it would have had; `how`, `cause` and
    /// `steps` are those of that form.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    explored: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'r str>,
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// That of the network's answer, whatever became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<OutputStep>,
}

/// A step of a cause.
#[derive(Serialize)]
struct OutputStep {
    notation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f32>,
    #[serde(flatten)]
    evidence: Option<StepEvidence>,
}

/// A URL and its answer. Serialised as a line of [`QueueFormat::Jsonl`].
#[derive(Clone, Copy, Serialize)]
#[serde(into = "OutputRecord<'a>")]
pub struct AnsweredUrl<'a> {
    /// The URL as it came.
    pub url: &'a str,
    /// Its canonical form, and how it was found.
    pub translation: &'a Translation<'a>,
    /// Whether it is fetched although its canonical form differs: for exploration.
    pub is_explored: bool,
    /// The site whose model answered, if one did.
    pub site: Option<&'a str>,
}

/// Appends what is written for a line.
pub(super) fn write(
    options: QueueOptions,
    line: Line<'_>,
    answered: &AnsweredUrl<'_>,
    text: &mut Vec<u8>,
) -> Result<()> {
    match options.format {
        QueueFormat::Text => {
            let form = answered.translation.canonical.as_bytes();
            let is_url = options.unique || answered.is_explored;
            text.extend_from_slice(line.before);
            text.extend_from_slice(if is_url { line.url } else { form });
            text.extend_from_slice(line.end);
            Ok(())
        }
        QueueFormat::Jsonl => write_record(answered, text),
    }
}

/// Appends what is written for a line that is too long or no text: the line byte for byte. JSON holds only
/// text, so there the bytes that are none are replaced by U+FFFD.
pub(super) fn write_bytes(
    options: QueueOptions,
    line: Line<'_>,
    reason: Reason,
    text: &mut Vec<u8>,
) -> Result<()> {
    match options.format {
        QueueFormat::Text => {
            text.extend_from_slice(line.before);
            text.extend_from_slice(line.url);
            text.extend_from_slice(line.end);
            Ok(())
        }
        QueueFormat::Jsonl => {
            let url = String::from_utf8_lossy(line.url);
            let unchanged = Translation::unchanged(url.as_ref(), reason);
            let answered =
                AnsweredUrl { url: &url, translation: &unchanged, is_explored: false, site: None };
            write_record(&answered, text)
        }
    }
}

/// Appends the object of [`QueueFormat::Jsonl`], and a line feed.
fn write_record(answered: &AnsweredUrl<'_>, text: &mut Vec<u8>) -> Result<()> {
    json::append(text, answered).map_err(io::Error::from).map_err(Error::io("write", "-"))?;
    text.push(b'\n');
    Ok(())
}

impl<'a> From<AnsweredUrl<'a>> for OutputRecord<'a> {
    fn from(answered: AnsweredUrl<'a>) -> Self {
        let AnsweredUrl { url, translation, is_explored: explored, site } = answered;
        let (how, reason) = translation.how.describe();
        let cause = Some(&translation.cause).filter(|cause| !cause.is_empty());
        let step = |step: &dyn Applied| OutputStep {
            notation: step.to_string(),
            probability: step.probability(),
            evidence: step.evidence(),
        };
        Self {
            url,
            canonical: if explored { url } else { &translation.canonical },
            site,
            explored,
            form: explored.then_some(&*translation.canonical),
            how,
            reason,
            probability: translation.cause.probability(),
            cause: cause.map(ToString::to_string),
            steps: translation.cause.steps().map(step).collect(),
        }
    }
}
