//! The command line: one thin file per subcommand, which parses arguments, calls the library and
//! writes output. Results go to standard output, everything else to standard error.

mod arguments;
mod cluster;
mod device;
mod diff;
mod evaluate;
mod explain;
mod export;
mod failure;
mod guarded;
mod ingest;
mod live;
mod manual;
mod models;
mod observe;
mod output;
mod pack;
mod progress;
mod reading;
mod remedy;
mod replacing;
mod report;
mod serve;
mod settings;
mod shapes;
mod show;
mod signals;
mod standard;
mod table;
mod train;
mod translate;
mod validate;
mod version;
mod wrong_arguments;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use clap::builder::Resettable;
use clap::{ArgMatches, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use undust_util::error::{Error, Result, Subject};

use self::evaluate::EvaluateArgs;
use self::failure::Failure;

/// Learns which URLs of a web site show the same page, and rewrites any URL of the site to its
/// canonical form without fetching it.
#[derive(Debug, Parser)]
#[command(name = "undust", version, long_version = version::long(), max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    // Their order is explicit: the default depends on the number of commands.
    /// Print only results and errors
    #[arg(short, long, global = true, display_order = 900, conflicts_with = "verbose")]
    quiet: bool,

    /// Print more: the format of each input, and the time taken
    #[arg(short, long, global = true, display_order = 901, action = clap::ArgAction::Count)]
    verbose: u8,

    /// When to use colors; auto also respects NO_COLOR
    #[arg(long, global = true, display_order = 902, value_name = "WHEN", default_value = "auto")]
    #[arg(env = "UNDUST_COLOR")]
    color: ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ingest(ingest::IngestArgs),
    Cluster(cluster::ClusterArgs),
    Train(train::TrainArgs),
    Translate(translate::TranslateArgs),
    Validate(validate::ValidateArgs),
    Observe(observe::ObserveArgs),
    Live(live::LiveArgs),
    Evaluate(evaluate::EvaluateArgs),
    Report(report::ReportArgs),
    Shapes(shapes::ShapesArgs),
    Show(show::ShowArgs),
    Explain(explain::ExplainArgs),
    Export(export::ExportArgs),
    Serve(serve::ServeArgs),
    Models(models::ModelsArgs),
    Pack(pack::PackArgs),
    Unpack(pack::UnpackArgs),
    Diff(diff::DiffArgs),
    Config(settings::ConfigArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// Runs the command that the arguments name. The exit code is 0 if it succeeded, 1 if it failed, 2
/// if the usage was wrong, 130 if Ctrl-C ended it, and 128 plus its number for another signal. For
/// commands that test models, 1 means that a model does not hold, and 2 that none could be tested.
/// A closed pipe, as `| head` leaves one, is not a failure.
pub fn run() -> ExitCode {
    let begun = Instant::now();
    signals::fail_beyond_size_limit();
    let (cli, matches) = parsed();
    progress::set_loudness(cli.quiet, cli.verbose);
    table::set_color(cli.color);
    // Their exit codes say whether models hold.
    let is_test = matches!(
        &cli.command,
        Command::Observe(_) | Command::Evaluate(EvaluateArgs { models: Some(_), .. })
    );
    let done = dispatch(cli.command, &matches);
    progress::debug(|| format!("took {:.1} s", begun.elapsed().as_secs_f64()));
    let code = match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(fail(&error, is_test)),
    };
    progress::interruption().map_or(code, ExitCode::from)
}

/// Says what failed, and what to do; the exit code.
fn fail(error: &Error, is_test: bool) -> u8 {
    progress::warn(&format!("undust: {}", remedy::sentence(error)));
    code_of(error, is_test)
}

fn code_of(error: &Error, is_test: bool) -> u8 {
    match (error, Failure::of(error)) {
        (_, Some(Failure::Refuted { .. } | Failure::SwitchedOff(_))) => 1,
        (Error::Reason { subject: Subject::Settings, path: Some(_), .. }, _) => 2,
        (_, Some(failure)) if failure.is_of_usage() => 2,
        _ if is_test => 2,
        _ => 1,
    }
}

/// The arguments. `--color` also applies to help and to errors about the arguments.
fn parsed() -> (Cli, ArgMatches) {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let program = program().color(color_of(&arguments));
    let matches = program.try_get_matches_from(&arguments);
    let matches = matches.unwrap_or_else(|error| wrong_arguments::leave(error, &arguments));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    (cli, matches)
}

/// The program, whose help names variables without their values. An empty variable counts as unset.
fn program() -> clap::Command {
    without_empty_variables(Cli::command())
}

fn without_empty_variables(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let argument = argument.hide_env_values(true);
        let value = argument.get_env().and_then(std::env::var_os);
        match value.is_some_and(|text| text.is_empty()) {
            true => argument.env(Resettable::Reset),
            false => argument,
        }
    });
    command.mut_subcommands(without_empty_variables)
}

/// The choice of `--color`, or of the environment, before the arguments are parsed.
fn color_of(arguments: &[OsString]) -> ColorChoice {
    let variable = std::env::var("UNDUST_COLOR").ok();
    let all = variable.as_deref().into_iter().chain(values_of(arguments, "--color"));
    all.filter_map(|text| text.parse().ok()).next_back().unwrap_or_default()
}

/// The values that arguments give a flag, in order.
fn values_of<'w>(arguments: &'w [OsString], flag: &str) -> Vec<&'w str> {
    let words = arguments.iter().filter_map(|word| word.to_str());
    let next = words.clone().skip(1).map(Some).chain([None]);
    let value = |(word, next): (&'w str, Option<&'w str>)| match word.strip_prefix(flag)? {
        "" => next,
        value => value.strip_prefix('='),
    };
    words.zip(next).filter_map(value).collect()
}

fn dispatch(command: Command, matches: &ArgMatches) -> Result<()> {
    match command {
        Command::Ingest(args) => ingest::run(args),
        Command::Cluster(args) => cluster::run(args),
        Command::Train(args) => train::run(args),
        Command::Translate(args) => translate::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Observe(args) => observe::run(args),
        Command::Live(args) => live::run(&args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Report(args) => report::run(&args),
        Command::Shapes(args) => shapes::run(args),
        Command::Show(args) => show::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Export(args) => export::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Models(args) => models::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Unpack(args) => pack::unpack_all(args),
        Command::Diff(args) => diff::run(args),
        Command::Config(args) => {
            let own = matches.subcommand().map_or(matches, |(_, own)| own);
            settings::run(args, own)
        }
        Command::Completions(args) => manual::completions(args, program()),
        Command::Man(args) => manual::man(args, program()),
    }
}
