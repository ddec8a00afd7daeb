//! `undust show`: what a model is.

mod edits;

use std::io::{self, Write};
use std::path::PathBuf;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::config::FalsePositives;
use crate::edits::editor::{ToldEdit, ToldRefusal};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model::files::load;
use crate::model::info::ModelInfo;
use crate::model::report::Report;
use crate::rules::learner::{Learner, RulesReport};
use crate::rules::learners;
use crate::rules::measured::{Evidence, MeasuredRule};
use crate::rules::set::RuleSet;
use crate::seq2seq::report::NetworkReport;

/// Show what a site's model is, how it was trained, and what it can be trusted with.
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
    let (info, _, model) = load(&args.model)?;
    let text = match args.format {
        Format::Table => text(&info, &model),
        Format::Json => json(&Shown::of(&info, &model))?,
    };
    writeln!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"))
}

/// A model for programs.
#[derive(Serialize)]
struct Shown<'s> {
    #[serde(flatten)]
    info: &'s ModelInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<&'s MeasuredRule>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edits: Option<Vec<ToldEdit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Vec<ToldRefusal>>,
}

impl<'s> Shown<'s> {
    fn of(info: &'s ModelInfo, model: &'s Model) -> Self {
        let (edits, refused) = match model {
            Model::Edits(editor) => (Some(editor.told()), Some(editor.refusals())),
            _ => (None, None),
        };
        Self { info, rules: model.rules().map(list), edits, refused }
    }
}

fn list(rules: &RuleSet) -> Vec<&MeasuredRule> {
    rules.rules().collect()
}

fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string_pretty(value).map_err(|error| Error::Unusable(error.to_string()))
}

fn text(info: &ModelInfo, model: &Model) -> String {
    let report = info.report();
    let facts = facts(info, report.as_ref());
    match (model, report.and_then(|report| report.network)) {
        (Model::Rules(rules), _) => format!("{facts}\n\n{}", rules_text(rules, checked_by(info))),
        (Model::Edits(editor), _) => format!("{facts}\n\n{}", edits::text(editor)),
        (_, Some(network)) => format!("{facts}\n\n{}", curve(&network)),
        (_, None) => facts.to_string(),
    }
}

fn facts(info: &ModelInfo, report: Option<&Report>) -> Table {
    let mut rows = vec![
        ("site", format!("{} (by {:?})", info.site, info.site_by).to_lowercase()),
        ("method", info.method.clone()),
    ];
    if let Some(report) = report {
        let Report { pages, clusters, .. } = report;
        rows.push(("trained on", format!("{pages} pages in {clusters} clusters")));
        rows.extend(report.rules.iter().flat_map(rules_facts));
        rows.extend(network_facts(info, report).into_iter().flatten());
    }
    rows.push(("written by", format!("undust {}, format {}", info.undust, info.format)));
    let mut facts = Table::new();
    facts.load_style(presets::NOTHING);
    for (name, value) in rows {
        facts.add_row([name.to_owned(), value]);
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
    learners::named(&info.method).filter(|_| is_checked)
}

/// Each rule in its notation, in the order in which they are tried, with what it did to the
/// crawl that it was learned from.
fn rules_text(rules: &RuleSet, learner: Option<&Learner>) -> String {
    let blocks = (1..).zip(rules.rules()).map(|(number, rule)| rule_text(number, rule, learner));
    let blocks: Vec<_> = blocks.collect();
    if blocks.is_empty() {
        "no rules: every URL stays as it is".into()
    } else {
        blocks.join("\n\n")
    }
}

fn rule_text(number: usize, learned: &MeasuredRule, learner: Option<&Learner>) -> String {
    let mut text = format!("{number}. {}\n   {}", learned.rule, counts(&learned.evidence, learner));
    if let Some([before, after]) = &learned.example {
        text.push_str(&format!("\n   {before}\n   → {after}"));
    }
    text
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

fn curve(network: &NetworkReport) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["step", "loss", "held-out loss", "exact match"]);
    for check in &network.training.curve {
        table.add_row([
            check.step.to_string(),
            format!("{:.4}", check.loss),
            format!("{:.4}", check.held_out_loss),
            format!("{:.4}", check.exact_match),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
