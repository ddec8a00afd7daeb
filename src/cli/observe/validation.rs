//! What fetched pairs say of rules that are only likely: those of a log or a list of URLs.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use serde::Serialize;

use undust_cluster::clusters::Clusters;
use undust_learn::config::DustbusterConfig;
use undust_learn::validate::{
    FetchVerdict, Fetched, Validated, ValidatedOperation, add_verdicts, is_only_likely, test_rules,
};
use undust_model::folder::info::ModelInfo;
use undust_model::operation::{Disabled, DisabledOperation};
use undust_model::site_model::SiteModel;
use undust_model::translation::spelled_out;
use undust_pages::{Page, Response};
use undust_util::error::Result;

use crate::cli::table::{fit, new_table, numbers, safe_line};

/// The answers of a crawl that are no pages: failures and redirects.
#[derive(Debug, Default)]
pub(super) struct OtherAnswers {
    by_url: HashMap<String, (u16, Option<String>)>,
}

impl OtherAnswers {
    /// Notes an answer, if it is no page.
    pub(super) fn note(&mut self, response: &Response) {
        if response.status != 200 {
            let answer = (response.status, response.location.clone());
            self.by_url.insert(response.url.clone(), answer);
        }
    }

    /// With the pages of the crawl.
    pub(super) fn with<'f>(&'f self, pages: &'f [Page], clusters: &'f Clusters) -> Fetched<'f> {
        let other = |(url, (status, target)): (&'f String, &'f (u16, Option<String>))| {
            (url.as_str(), *status, target.as_deref())
        };
        Fetched::new(pages, clusters, self.by_url.iter().map(other))
    }
}

/// What the fetches of a site said of its rules.
#[derive(Debug, Serialize)]
pub(super) struct SiteValidation {
    site: String,
    /// Refuted rules come first.
    rules: Vec<ValidatedOperation>,
    /// Refuted rules that were not switched off before.
    #[serde(skip)]
    pub switched_off: usize,
}

/// Tests the rules of a model by what was fetched, if no page has tested them. The verdicts are kept in the folder
/// of the model, and refuted rules are switched off.
///
/// # Errors
///
/// A folder that cannot be read or written.
pub(super) fn validate(
    folder: &Path,
    model: &SiteModel,
    fetched: &Fetched<'_>,
    settings: &DustbusterConfig,
) -> Result<Option<SiteValidation>> {
    if !is_only_likely(&model.model, &ModelInfo::read(folder)?) {
        return Ok(None);
    }
    let rules = test_rules(model, fetched, settings);
    if rules.is_empty() {
        return Ok(None);
    }
    // Where a folder cannot be locked, two who count at once may lose what one of them counted.
    let _held = File::open(folder).ok().filter(|folder| folder.lock().is_ok());
    let mut validated = Validated::read(folder)?;
    // Somebody may have trained the site again meanwhile.
    if validated.model != model.disabled.model {
        return Ok(None);
    }
    add_verdicts(&mut validated.operations, rules.clone());
    validated.write(folder)?;
    let switched_off = switch_off(folder, &rules)?;
    Ok(Some(SiteValidation { site: model.site.to_string(), rules, switched_off }))
}

/// Switches off the refuted rules; how many were not off before.
fn switch_off(folder: &Path, rules: &[ValidatedOperation]) -> Result<usize> {
    let mut disabled = Disabled::read(folder)?;
    let before = disabled.operations.len();
    for rule in rules.iter().filter(|rule| rule.verdict == FetchVerdict::Refuted) {
        if !disabled.has(&rule.name) {
            let (name, agreed, disagreed) = (rule.name.clone(), rule.same, rule.different);
            disabled.operations.push(DisabledOperation { name, agreed, disagreed });
        }
    }
    let switched_off = disabled.operations.len() - before;
    if switched_off > 0 {
        disabled.write(folder)?;
    }
    Ok(switched_off)
}

/// The verdicts as a table, after a line feed; nothing if there are none.
pub(super) fn text(validations: &[SiteValidation]) -> String {
    if validations.is_empty() {
        return String::new();
    }
    let mut table = new_table(["site", "one page", "two or none", "by fetches", "rule"]);
    fit(&mut table);
    for SiteValidation { site, rules, .. } in validations {
        for ValidatedOperation { name, same, different, verdict } in rules {
            table.add_row([
                safe_line(site),
                same.to_string(),
                different.to_string(),
                verdict.to_string(),
                safe_line(&spelled_out(&name.notation)),
            ]);
        }
    }
    numbers(&mut table, 1..3);
    format!("\n{table}")
}
