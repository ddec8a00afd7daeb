//! `undust show`: what a model is.

mod edits;
mod person;

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use undust_learn::config::FalsePositives;
use undust_learn::learners::LEARNERS;
use undust_learn::learners::learner::{Learner, RulesReport};
use undust_model::edits::editor::{EditDescription, RefusalDescription};
use undust_model::folder::disabled::{Disabled, DisabledOperation};
use undust_model::folder::files::load;
use undust_model::folder::info::ModelInfo;
use undust_model::model::Model;
use undust_model::report::Report;
use undust_model::report::network::NetworkReport;
use undust_model::rules::measured::{Evidence, MeasuredRule};
use undust_model::rules::set::RuleSet;
use undust_model::translation::spelled_out;
use undust_util::error::{Error, Result};
use undust_util::plural::counted;

use self::person::written;
use super::table::{SafeTable, json, line, new_table, numbers, safe_line};

/// Show what a site's model is, how it was trained, and what it can be trusted with.
///
/// Rules and edits come in the order of what they save; their numbers tell the order in which they
/// apply.
#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// The model's folder, as models/example.com
    #[arg(value_name = "FOLDER")]
    model: PathBuf,

    /// How to print it
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// To read
    Table,
    /// model.json, with the rules or edits if there are any, for programs
    Json,
}

/// Checks the whole folder, and prints it.
pub(super) fn run(args: ShowArgs) -> Result<()> {
    if !args.model.join("model.json").exists() {
        return Err(no_model(args.model));
    }
    let (info, _, model) = load(&args.model)?;
    let off = Disabled::read(&args.model)?.operations;
    let text = match args.format {
        Format::Table => text(&info, &model, &off),
        Format::Json => json(&Shown { off: &off, ..Shown::of(&info, &model) })?,
    };
    writeln!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"))
}

fn no_model(path: PathBuf) -> Error {
    if path.is_file() {
        let reason = "is a file; one site's folder is asked for, such as models/example.com".into();
        return Error::Model { path, reason };
    }
    let reason = match path.is_dir() {
        true => {
            "the folder holds no model.json: one site's folder is asked for, such as \
             models/example.com, and `undust models` lists those that there are"
        }
        false => "there is no such folder: `undust models` lists those that there are",
    };
    Error::NoModels { path, reason }
}

/// A model for programs.
#[derive(Serialize)]
struct Shown<'s> {
    #[serde(flatten)]
    info: &'s ModelInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<&'s MeasuredRule>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edits: Option<Vec<EditDescription>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Vec<RefusalDescription>>,
    /// What of it is switched off until the next training.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    off: &'s [DisabledOperation],
}

impl<'s> Shown<'s> {
    fn of(info: &'s ModelInfo, model: &'s Model) -> Self {
        let (edits, refused) = match model {
            Model::Edits(editor) => (Some(editor.describe()), Some(editor.refusals())),
            _ => (None, None),
        };
        Self { info, rules: model.rules().map(list), edits, refused, off: &[] }
    }
}

fn list(rules: &RuleSet) -> Vec<&MeasuredRule> {
    rules.rules().collect()
}

fn text(info: &ModelInfo, model: &Model, off: &[DisabledOperation]) -> String {
    let report = info.report();
    let facts = facts(info, report.as_ref(), off);
    let examples = report.as_ref().map(|report| examples(&report.examples)).unwrap_or_default();
    let pages = report.as_ref().map_or(0, |report| report.pages);
    match (model, report.and_then(|report| report.network)) {
        (Model::Rules(rules), _) => {
            format!("{facts}\n\n{}", rules_text(rules, checked_by(info), pages))
        }
        (Model::Edits(editor), _) => format!("{facts}\n\n{}", edits::text(editor, pages)),
        (_, Some(network)) => format!("{facts}\n\n{examples}{}", curve(&network)),
        (_, None) => format!("{facts}\n{examples}"),
    }
}

/// URLs of the training with their forms: what a network knows cannot be read any other way.
fn examples(examples: &[[String; 2]]) -> String {
    let shown = examples.iter().map(|[url, form]| {
        format!("{}\n{}\n", line(&safe_line(url)), line(&format!("→ {}", safe_line(form))))
    });
    let shown: String = shown.collect();
    if shown.is_empty() { shown } else { format!("URLs of the crawl and their forms\n{shown}\n") }
}

fn facts(info: &ModelInfo, report: Option<&Report>, off: &[DisabledOperation]) -> SafeTable {
    let mut rows = vec![
        ("site", format!("{} (by {:?})", info.site, info.site_by).to_lowercase()),
        ("method", info.method.clone()),
    ];
    if let Some(report) = report {
        let Report { pages, clusters, .. } = report;
        let (pages, clusters) = (counted(*pages, "page"), counted(*clusters, "cluster"));
        rows.push(("trained on", format!("{pages} in {clusters}")));
        rows.extend(report.rules.iter().flat_map(rules_facts));
        rows.extend(network_facts(info, report).into_iter().flatten());
    }
    rows.extend(
        off.iter()
            .map(|off| ("switched off", format!("{}: {off}", spelled_out(&off.name.notation)))),
    );
    rows.push(("written by", format!("undust {}, format {}", info.undust, info.format)));
    let mut facts = SafeTable::plain();
    for (name, value) in rows {
        facts.add_row([name.to_owned(), safe_line(&value)]);
    }
    facts
}

type Row = (&'static str, String);

fn rules_facts(rules: &RulesReport) -> Vec<Row> {
    let kept = format!("{} of {} candidates", rules.kept, rules.candidates);
    let notes = rules.notes.iter().map(|note| ("note", note.clone()));
    std::iter::once(("rules", kept)).chain(notes).collect()
}

fn network_facts(info: &ModelInfo, report: &Report) -> Option<Vec<Row>> {
    let (network, training) = (info.network.as_ref()?, report.network.as_ref()?);
    let (pairs, best) = (&training.pairs, &training.training.best);
    let (literals, network) = (network.literals, network.shape);
    Some(vec![
        ("pairs", format!("{} of duplicates, {} of pages without", pairs.pairs, pairs.singletons)),
        ("left out", format!("{} too long, {} unreachable", pairs.too_long, pairs.unreachable)),
        ("template pairs", training.templates.to_string()),
        ("vocabulary", format!("{} symbols, {literals} of them literals", network.vocabulary)),
        ("network", format!("GRU {} units, embedding {}", network.hidden, network.embedding)),
        ("kept", format!("step {}, held-out exact match {:.4}", best.step, best.exact_match)),
    ])
}

/// Who learned the rules, unless there was nothing to check them by.
fn checked_by(info: &ModelInfo) -> Option<&'static Learner> {
    let is_checked = info.report().is_none_or(|report| report.clusters > 0);
    LEARNERS.into_iter().find(|learner| learner.name == info.method && is_checked)
}

/// Each rule as a person writes it and in its notation, with what it did to the crawl that it was
/// learned from. The rules that save most come first.
fn rules_text(rules: &RuleSet, learner: Option<&Learner>, pages: usize) -> String {
    let mut rules: Vec<(usize, &MeasuredRule)> = (1..).zip(rules.rules()).collect();
    if rules.is_empty() {
        return "no rules: every URL stays as it is".into();
    }
    rules.sort_by_key(|(number, rule)| (Reverse(rule.evidence.known), *number));
    let total = |count: fn(&Evidence) -> usize| -> usize {
        rules.iter().map(|(_, rule)| count(&rule.evidence)).sum()
    };
    let (changed, known) = (total(|evidence| evidence.coverage), total(|evidence| evidence.known));
    let collisions = total(|evidence| evidence.collisions);
    let total = format!(
        "{} in all; counted for each by itself they change {} of {pages}, save {} and lose {}",
        counted(rules.len(), "rule"),
        counted(changed, "URL"),
        counted(known, "fetch"),
        counted(collisions, "page"),
    );
    let blocks = rules.iter().map(|(number, rule)| rule_text(*number, rule, learner));
    blocks.chain([line(&total)]).collect::<Vec<_>>().join("\n\n")
}

fn rule_text(number: usize, learned: &MeasuredRule, learner: Option<&Learner>) -> String {
    let (written, notation) = (written(&learned.rule), learned.rule.to_string());
    let mut lines = vec![format!("{number}. {}", safe_line(&written))];
    if notation != written {
        lines.push(format!("   {}", safe_line(&notation)));
    }
    lines.push(format!("   {}", counts(&learned.evidence, learner)));
    if let Some([before, after]) = &learned.example {
        lines.push(format!("   {}", safe_line(before)));
        lines.push(format!("   → {}", safe_line(after)));
    }
    lines.iter().map(|text| line(text)).collect::<Vec<_>>().join("\n")
}

fn counts(evidence: &Evidence, learner: Option<&Learner>) -> String {
    let Evidence { coverage, known, wrong, collisions, .. } = *evidence;
    let Some(learner) = learner else {
        return format!("coverage {coverage}, {known} images listed; nothing to check it by");
    };
    if coverage == 0 {
        return "not measured".to_owned();
    }
    let precision = |count| (1.0 - evidence.rate(count, learner.counting)).max(0.0);
    format!(
        "coverage {coverage}, precision {:.4} ({collisions} collisions), by the paper's count {:.4} \
         ({known} images crawled, {wrong} of them another page)",
        precision(FalsePositives::Collisions),
        precision(FalsePositives::Paper),
    )
}

fn curve(network: &NetworkReport) -> SafeTable {
    let mut table = new_table(["step", "loss", "held-out loss", "exact match"]);
    for check in &network.training.curve {
        table.add_row([
            check.step.to_string(),
            format!("{:.4}", check.loss),
            format!("{:.4}", check.held_out_loss),
            format!("{:.4}", check.exact_match),
        ]);
    }
    numbers(&mut table, 0..4);
    table
}
