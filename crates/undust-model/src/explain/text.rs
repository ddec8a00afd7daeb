//! An explanation in words.

use std::fmt::{self, Write as _};

use undust_util::plural::counted;

use super::{Explanation, ModelFacts, StepDescription};
use crate::translation::{Reason, spelled_out};
use undust_edits::editor::RefusalDescription;

/// Refused edits that the text names for a URL.
const MOST_REFUSED: usize = 3;

/// As `undust explain` prints it, without a line feed at the end.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self))
    }
}

fn text(described: &Explanation) -> String {
    let mut text = described.url.clone();
    let is_same = described.canonical == described.url;
    let is_own = |reason: &&String| **reason != Reason::NoRule.to_string();
    let own_reason = described.reason.as_ref().filter(is_own);
    match &described.reason {
        Some(reason) if is_same => text.push_str(&format!("\nstays as it is: {reason}")),
        None if is_same => text.push_str("\nis canonical already"),
        _ => text.push_str(&format!("\n→ {}", described.canonical)),
    }
    if let Some(reason) = own_reason.filter(|_| !is_same) {
        let _ = write!(text, "\nonly its spelling changes: {reason}");
    }
    if let Some(probability) = described.probability.filter(|_| !tells_probability(described)) {
        let answer = if described.reason.is_some() { "its answer" } else { "this answer" };
        let _ = write!(text, "\nthe network gives {answer} a probability of {probability:.2}");
    }
    if let Some(error) = &described.error {
        let _ = write!(text, "\n{error}");
    }
    if let Some(model) = &described.model {
        let _ = write!(text, "\n\n{}", model_text(model));
    }
    for (number, step) in (1..).zip(&described.steps) {
        let _ = write!(text, "\n\n{number}. {}", step_text(step));
    }
    for disabled in &described.switched_off {
        let notation = spelled_out(&disabled.name.notation);
        let _ = write!(text, "\n\nswitched off: {notation}\n   {disabled}");
    }
    // A URL that stays as it is for a reason of its own says so already.
    let is_kept = is_same && own_reason.is_none();
    if described.keeps_refusals && (is_kept || !described.refused.is_empty()) {
        text.push_str(&refused_text(&described.refused));
    }
    text
}

/// Whether a step has the probability of the network's answer.
fn tells_probability(described: &Explanation) -> bool {
    described.steps.iter().any(|step| step.edit.probability.is_some())
}

fn model_text(model: &ModelFacts) -> String {
    let mut text = format!("the model of {}", model.site);
    if let Some(method) = &model.method {
        let _ = write!(text, ": {method}");
    }
    if let Some(pages) = model.pages {
        let _ = write!(text, ", learned from {}", counted(pages, "page"));
    }
    if let Some(clusters) = model.clusters {
        let _ = write!(text, " in {}", counted(clusters, "cluster"));
    }
    text
}

fn step_text(StepDescription { edit, convention }: &StepDescription) -> String {
    match convention {
        Some(evidence) => format!("{edit}\n   {evidence}"),
        None => edit.to_string(),
    }
}

fn refused_text(refused: &[RefusalDescription]) -> String {
    if refused.is_empty() {
        return "\n\nno candidate would change it".to_owned();
    }
    let mut text = "\n\nproposed and refused:".to_owned();
    for one in refused.iter().take(MOST_REFUSED) {
        let RefusalDescription { notation, scope, urls, evidence, why } = one;
        let _ = write!(text, "\n\n   {}\n   {scope}", spelled_out(notation));
        if let Some(urls) = urls {
            let _ = write!(text, ": {} of the crawl", counted(*urls, "URL"));
        }
        let _ = write!(text, "\n   {}\n   refused: {why}", evidence);
    }
    match refused.len().saturating_sub(MOST_REFUSED) {
        0 => {}
        more => {
            let _ = write!(text, "\n\n   {more} more; --format json lists all");
        }
    }
    text
}
