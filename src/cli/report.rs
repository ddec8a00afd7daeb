//! `undust report`: what an evaluation found, as a page for people, and as CSV and JSON.

mod gather;
mod replayed;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use undust_learn::method::Method;
use undust_report::{CsvTable, Report, SettingRow};
use undust_util::{Error, Result, shown};

pub(super) use self::gather::Gatherer;
pub(super) use self::replayed::Replayer;
use super::arguments::{HOLD_OUTS, UNITS, any_method, name_of};
use super::evaluate::{HeldOutArgs, Wanted, evaluate};
use super::failure::Failure;
use super::live::EngineArgs;
use super::output::{Output, write_whole};
use super::progress::info;
use super::reading::check_readable;
use super::replacing::{check_no_input, check_outputs};
use super::table::safe_line;

/// Write a report on crawls: why several URLs show one page, and what to do.
///
/// The page begins with the causes of most needless URLs, each with what to do. It has the canonical URLs that content
/// contradicts, the pages with most URLs, and what a crawler would save and lose: each method learns from the first
/// part of a crawl and is replayed on the rest, as `undust evaluate` does it, with the same figures. It is one file
/// that loads nothing and runs no scripts. CSV has every URL with its page and its cause.
#[derive(Debug, clap::Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    held_out: HeldOutArgs,

    /// The page, compressed if the name ends in .gz or .zst; `-` is standard output
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["csv", "json"])]
    output: Option<PathBuf>,

    /// Folder for the same rows as CSV, a file a table; files of the same names are replaced
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,

    /// File for the same rows as JSON, compressed if the name ends in .gz or .zst; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Methods to evaluate, separated by commas; edits, refusals and lost pages are those of auto, else of the first
    /// that is no baseline
    #[arg(long, value_name = "LIST", value_parser = any_method(), value_delimiter = ',')]
    #[arg(default_value = BY_DEFAULT.as_str())]
    methods: Vec<Method>,

    /// Leave out what `undust live` would do, which takes the longest
    #[arg(long)]
    without_live: bool,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Methods that take seconds.
static BY_DEFAULT: LazyLock<String> = LazyLock::new(|| {
    let is_quick = |method: &Method| method.is_compared() && !method.is_network();
    Method::all().filter(is_quick).map(Method::name).collect::<Vec<_>>().join(",")
});

/// Evaluates, and writes what was asked for. If a crawl cannot be read, the report is on the others, and the command
/// fails at the end.
pub(super) fn run(args: &ReportArgs) -> Result<()> {
    check_readable(&args.held_out.inputs)?;
    args.check_outputs()?;
    let outputs = Outputs::begin(args)?;
    let engine = (!args.without_live).then_some(&args.engine);
    let live = engine.map(|engine| Replayer::new(&args.held_out, engine)).transpose()?;
    let mut gatherer = Gatherer::default();
    let wanted = Wanted { methods: &args.methods, live: live.as_ref() };
    let evaluated = evaluate(&args.held_out, wanted, Some(&mut gatherer))?;
    let mut report = gatherer.report(&evaluated, &args.held_out)?;
    report.settings.extend(args.options());
    let written = outputs.write(&report);
    for site in &report.sites {
        for sentence in site.summary().into_iter().chain([site.sentence()]) {
            info(&safe_line(&format!("{}: {}", site.name, sentence.replace('\u{202f}', " "))));
        }
    }
    if written.is_ok() {
        args.written().for_each(|path| info(&safe_line(&format!("written: {}", path.display()))));
    }
    evaluated.finish(written)
}

impl ReportArgs {
    /// The files and the folder that a report is written to.
    fn written(&self) -> impl Iterator<Item = &Path> {
        let all = [&self.output, &self.json, &self.csv];
        all.into_iter().flatten().map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }

    /// An error if an output would replace an input or a crawl. The files in the folder are named by the report, so
    /// that only an input can be in their place by mistake.
    fn check_outputs(&self) -> Result<()> {
        let inputs = &self.held_out.files();
        check_outputs(self.output.iter().chain(&self.json), inputs)?;
        let tables = self.csv.iter().flat_map(|folder| {
            Report::default().csv().into_iter().map(move |table| place_of(folder, &table))
        });
        tables.into_iter().try_for_each(|table| check_no_input(&table, inputs))
    }

    /// The options that [`parts_options`] does not have.
    fn options(&self) -> Vec<SettingRow> {
        let methods: Vec<&str> = self.methods.iter().map(|method| method.name()).collect();
        let mut rows = vec![option("--methods", methods.join(","))];
        if !self.without_live {
            rows.push(option("--risk", self.engine.risk.to_string()));
            rows.push(option("--audits", self.engine.audits.to_string()));
        }
        rows
    }
}

/// The options by which a crawl is read and cut.
fn parts_options(args: &HeldOutArgs) -> Vec<SettingRow> {
    let mut rows = vec![
        option("--split", args.split.to_string()),
        option("--hold-out", name_of(HOLD_OUTS, &args.hold_out)),
        option("--site-by", name_of(UNITS, &args.site_by)),
    ];
    rows.extend(args.truth.iter().map(|field| option("--truth", field.clone())));
    let sitemaps = args.sitemaps.sitemaps.iter();
    rows.extend(sitemaps.map(|path| option("--sitemap", shown(&path).to_string())));
    rows
}

fn option(name: &str, value: String) -> SettingRow {
    SettingRow { name: name.to_owned(), value, origin: "command line".to_owned() }
}

/// Where the report goes.
struct Outputs {
    html: Option<Output>,
    json: Option<Output>,
    csv: Option<PathBuf>,
}

impl Outputs {
    /// Opens them, so that what cannot be written is an error before the work.
    fn begin(args: &ReportArgs) -> Result<Self> {
        let is_standard = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
        if is_standard(&args.output) && is_standard(&args.json) {
            return Err(Failure::TwoOutputs.into());
        }
        let begin = |path: &Option<PathBuf>| path.as_deref().map(Output::begin).transpose();
        if let Some(folder) = &args.csv {
            std::fs::create_dir_all(folder).map_err(Error::io("write", folder))?;
        }
        Ok(Self { html: begin(&args.output)?, json: begin(&args.json)?, csv: args.csv.clone() })
    }

    /// Writes all, even if one cannot be written; the error is the first.
    fn write(self, report: &Report) -> Result<()> {
        let html = self.html.map_or(Ok(()), |html| write_html(html, report));
        let json = self.json.map_or(Ok(()), |json| write_json(json, report));
        let csv = self.csv.map_or(Ok(()), |folder| write_csv(&folder, report));
        html.and(json).and(csv)
    }
}

fn write_json(json: Output, report: &Report) -> Result<()> {
    let bytes = report.json().map_err(Error::Json)?;
    json.write(|out| out.write_all(&bytes))
}

/// Writes a file for each table.
fn write_csv(folder: &Path, report: &Report) -> Result<()> {
    let written = report.csv().into_iter().map(|table| {
        write_whole(&place_of(folder, &table), |out| out.write_all(table.text.as_bytes()))
    });
    written.fold(Ok(()), Result::and)
}

fn place_of(folder: &Path, table: &CsvTable) -> PathBuf {
    folder.join(format!("{}.csv", table.name))
}

/// Writes the page.
fn write_html(html: Output, report: &Report) -> Result<()> {
    html.write(|out| out.write_all(report.html().as_bytes()))
}

fn empty() -> Report {
    Report { undust: env!("CARGO_PKG_VERSION").to_owned(), ..Report::default() }
}

fn settings(args: &HeldOutArgs) -> Result<Vec<SettingRow>> {
    let layers = args.settings.layers()?;
    let row = |(name, value, origin): (String, &toml::Value, _)| SettingRow {
        name,
        value: value.to_string(),
        origin: ToString::to_string(&origin),
    };
    Ok(layers.settings().map(row).collect())
}
