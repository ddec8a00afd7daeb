//! `undust show`: what a model is.

use std::io::{self, Write};
use std::path::PathBuf;

use comfy_table::{CellAlignment, Table, presets};

use crate::models::{self, ModelInfo};
use crate::{Error, Result};

/// Show what a site's model is, how it was trained, and what it can be trusted with.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
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
    /// model.json, for programs
    Json,
}

/// Checks the whole folder, and prints it.
pub fn run(args: ShowArgs) -> Result<()> {
    let (info, _) = models::load(&args.model)?;
    let text = match args.format {
        Format::Table => table(&info),
        Format::Json => serde_json::to_string_pretty(&info)
            .map_err(|error| Error::Unusable(error.to_string()))?,
    };
    writeln!(io::stdout().lock(), "{text}").map_err(Error::io("write", "-"))
}

fn table(info: &ModelInfo) -> String {
    let (training, network) = (&info.training, info.network);
    let pairs = &training.pairs;
    let best = &training.report.best;
    let rows = [
        ("site", format!("{} (by {:?})", info.site, info.site_by).to_lowercase()),
        ("method", info.method.clone()),
        ("trained on", format!("{} pages in {} clusters", training.pages, training.clusters)),
        ("pairs", format!("{} of duplicates, {} of pages without", pairs.pairs, pairs.singletons)),
        ("left out", format!("{} too long, {} unreachable", pairs.too_long, pairs.unreachable)),
        ("template pairs", training.templates.to_string()),
        (
            "vocabulary",
            format!("{} symbols, {} of them literals", network.vocabulary, info.literals),
        ),
        ("network", format!("GRU {} units, embedding {}", network.hidden, network.embedding)),
        ("kept", format!("step {}, held-out exact match {:.4}", best.step, best.exact_match)),
        ("written by", format!("undust {}, format {}", info.undust, info.format)),
    ];
    let mut facts = Table::new();
    facts.load_style(presets::NOTHING);
    for (name, value) in rows {
        facts.add_row([name.to_owned(), value]);
    }
    format!("{facts}\n\n{}", curve(info))
}

fn curve(info: &ModelInfo) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["step", "loss", "held-out loss", "exact match"]);
    for check in &info.training.report.curve {
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
