//! The command line: one file a subcommand, each thin: arguments in, a call of the library,
//! output. Results go to standard output, everything else to standard error.

mod arguments;
mod cluster;
mod evaluate;
mod explain;
mod ingest;
mod listing;
mod output;
mod partitions;
mod progress;
mod remedy;
mod serve;
mod show;
mod train;
mod translate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::{Error, Result};

/// Learns, per web site, which URLs show the same page, and turns any URL of the site into
/// its canonical form without fetching it.
#[derive(Debug, Parser)]
#[command(name = "undust", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ingest(ingest::IngestArgs),
    Cluster(cluster::ClusterArgs),
    Train(train::TrainArgs),
    Translate(translate::TranslateArgs),
    Evaluate(evaluate::EvaluateArgs),
    Show(show::ShowArgs),
    Explain(explain::ExplainArgs),
    Serve(serve::ServeArgs),
}

/// Runs the command that the arguments ask for. The exit code is 0 where it was done, 1
/// where the work failed, 2 where the usage was wrong. A closed pipe, as left by `| head`,
/// is no failure.
pub fn run() -> ExitCode {
    match dispatch(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            progress::tell(&format!("undust: {}", remedy::sentence(&error)));
            ExitCode::from(if matches!(error, Error::Config { .. }) { 2 } else { 1 })
        }
    }
}

fn dispatch(command: Command) -> Result<()> {
    match command {
        Command::Ingest(args) => ingest::run(args),
        Command::Cluster(args) => cluster::run(args),
        Command::Train(args) => train::run(args),
        Command::Translate(args) => translate::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Show(args) => show::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Serve(args) => serve::run(args),
    }
}
