//! `undust show`: what a model does, how it was trained, and on what evidence.

mod edits;
mod network;
mod person;
mod rules;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;

use undust_edits::editor::{EditDescription, RefusalDescription};
use undust_learn::report::{Report, RulesReport};
use undust_learn::validate::{FetchVerdict, Validated, ValidatedOperation};
use undust_model::error::ModelReason;
use undust_model::folder::files::load;
use undust_model::folder::info::ModelInfo;
use undust_model::model::Model;
use undust_model::operation::{Disabled, DisabledOperation};
use undust_model::registry::Registry;
use undust_model::translation::spelled_out;
use undust_rules::measured::MeasuredRule;
use undust_util::{Error, Result, counted};

use super::arguments::TextOrJson;
use super::failure::Failure;
use super::live;
use super::standard::print_line;
use super::table::{SafeTable, fit, json, line, safe_line};

/// Show what a site's model does, how it was trained, and on what evidence.
///
/// Rules and edits are sorted by the fetches that they save. Their numbers give the order in which
/// they are applied. With --state it shows instead what `undust live` fetched, skipped and lost.
#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// Folder of the model, such as models/example.com, or models.undust/example.com in a pack
    #[arg(value_name = "FOLDER", required_unless_present = "state")]
    model: Option<PathBuf>,

    /// State of `undust live`: what was fetched, skipped and lost, by site
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["model", "all"])]
    state: Option<PathBuf>,

    /// List every rule or edit, with its evidence and an example, not just the ten that save most; of a
    /// network every check and up to ten mistakes
    #[arg(long)]
    all: bool,

    /// How to print it; JSON always has everything
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// Loads the model with all checks, and prints it.
pub(super) fn run(args: ShowArgs) -> Result<()> {
    if let Some(state) = &args.state {
        return live::show(state, args.format);
    }
    // The parser asks for one of them.
    let folder = args.model.clone().unwrap_or_default();
    saved_info(&folder)?;
    let (info, _, model) = load(&folder)?;
    let off = Disabled::read(&folder)?.operations;
    let validated = Validated::read(&folder)?.operations;
    let text = match args.format {
        TextOrJson::Text => text(&args, &info, &model, (&off, &validated)),
        TextOrJson::Json => {
            json(&Shown { off: &off, validated: &validated, ..Shown::of(&info, &model) })?
        }
    };
    print_line(&text)
}

/// What a folder says of its model.
///
/// # Errors
///
/// There is no model in it, or none that can be read.
pub(super) fn saved_info(path: &Path) -> Result<ModelInfo> {
    match ModelInfo::read(path) {
        Err(Error::Io { source, .. })
            if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        found => return found,
    }
    let path = path.to_owned();
    Err(if path.is_file() {
        match Registry::open(&path) {
            Ok(_) => Failure::ModelIsPack { path },
            Err(error) if matches!(error.reason(), Some(ModelReason::NotAFolder)) => {
                Failure::ModelIsFile { path }
            }
            Err(error) => return Err(error),
        }
    } else if path.is_dir() {
        Failure::NoModelFile { path }
    } else {
        Failure::NoModelFolder { path }
    }
    .into())
}

/// The model as JSON.
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
    /// The operations that are switched off until the next training.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    off: &'s [DisabledOperation],
    /// The rules that fetches have tested.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    validated: &'s [ValidatedOperation],
}

impl<'s> Shown<'s> {
    fn of(info: &'s ModelInfo, model: &'s Model) -> Self {
        let (rules, edits, refused) = match model {
            Model::Rules(rules) => (Some(rules.rules().collect()), None, None),
            Model::Edits(editor) => (None, Some(editor.describe()), Some(editor.refusals())),
            _ => (None, None, None),
        };
        Self { info, rules, edits, refused, off: &[], validated: &[] }
    }
}

/// What is switched off, and what fetches have tested.
type Later<'s> = (&'s [DisabledOperation], &'s [ValidatedOperation]);

fn text(args: &ShowArgs, info: &ModelInfo, model: &Model, later: Later<'_>) -> String {
    let report = Report::of(info);
    let facts = facts((info, model), report.as_ref(), later);
    let examples = report.as_ref().map(|report| examples(&report.examples)).unwrap_or_default();
    let pages = report.as_ref().map_or(0, |report| report.pages);
    match (model, report.and_then(|report| report.network)) {
        (Model::Rules(rules), _) => {
            format!("{facts}\n\n{}", rules::text(rules, rules::learner_of(info), pages, args.all))
        }
        (Model::Edits(editor), _) => {
            format!("{facts}\n\n{}", edits::text(editor, pages, args.all))
        }
        (_, Some(network)) => {
            format!("{facts}\n\n{examples}{}", network::text(model, &network, args.all))
        }
        (_, None) => format!("{facts}\n{examples}"),
    }
}

/// URLs of the crawl with their canonical URLs: the weights of a network say nothing to a reader.
fn examples(examples: &[[String; 2]]) -> String {
    let shown = examples.iter().map(|[url, form]| {
        format!("{}\n{}\n", line(&safe_line(url)), line(&format!("→ {}", safe_line(form))))
    });
    let shown: String = shown.collect();
    if shown.is_empty() {
        shown
    } else {
        format!("URLs of the crawl and their canonical URLs\n{shown}\n")
    }
}

fn facts(
    (info, model): (&ModelInfo, &Model),
    report: Option<&Report>,
    (off, validated): Later<'_>,
) -> SafeTable {
    let mut rows = vec![
        ("site", format!("{} (by {:?})", info.site, info.site_by).to_lowercase()),
        ("method", info.method.clone()),
    ];
    if let Some(report) = report {
        let Report { pages, clusters, .. } = report;
        let (pages, clusters) = (counted(*pages, "page"), counted(*clusters, "cluster"));
        rows.push(("trained on", format!("{pages} in {clusters}")));
        rows.extend(report.rules.iter().flat_map(rules_facts));
        rows.extend(report.labels.iter().map(|said| ("labels", said.to_string())));
        rows.extend(network::facts(model, report).into_iter().flatten());
    }
    rows.extend(
        off.iter()
            .map(|off| ("switched off", format!("{}: {off}", spelled_out(&off.name.notation)))),
    );
    if !validated.is_empty() {
        rows.push(("fetches", by_verdict(validated)));
    }
    rows.push(("written by", format!("undust {}, format {}", info.undust, info.format)));
    let mut facts = SafeTable::plain();
    fit(&mut facts);
    for (name, value) in rows {
        facts.add_row([name.to_owned(), safe_line(&value)]);
    }
    facts
}

/// How many rules fetches have accepted, refused and left open.
fn by_verdict(validated: &[ValidatedOperation]) -> String {
    let count = |verdict| validated.iter().filter(|one| one.verdict == verdict).count();
    let verdicts = [FetchVerdict::Valid, FetchVerdict::Refuted, FetchVerdict::Open];
    let [valid, refuted, open] = verdicts.map(count);
    format!("{} valid, {refuted} refuted, {open} open", counted(valid, "rule"))
}

type Fact = (&'static str, String);

fn rules_facts(rules: &RulesReport) -> Vec<Fact> {
    let kept = format!("{} of {} candidates", rules.kept, rules.candidates);
    let notes = rules.notes.iter().map(|note| ("note", note.clone()));
    std::iter::once(("rules", kept)).chain(notes).collect()
}
