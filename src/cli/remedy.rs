//! What to do about an error, in terms of the command line.

use std::collections::HashSet;

use undust_util::error::{Error, Remedy, Result};

use super::failure::Failure;
use super::progress::warn;

/// The error and what to do about it, as one sentence.
pub(super) fn sentence(error: &Error) -> String {
    match error.remedy() {
        Some(remedy) => format!("{error}; {}", advice(&remedy)),
        None => error.to_string(),
    }
}

/// Warnings of broken models. Only the first few are named: a folder may have a hundred thousand.
/// The error at the end counts them all.
#[derive(Debug, Default)]
pub(super) struct Warnings(usize);

impl Warnings {
    /// Models that are named one by one.
    pub(super) const MOST: usize = 10;

    /// Warns of one, if not too many came before.
    pub(super) fn report(&mut self, error: &Error) {
        self.0 += 1;
        if self.0 <= Self::MOST {
            warn(&format!("undust: {}", sentence(error)));
        } else if self.0 == Self::MOST + 1 {
            warn("undust: more models cannot be loaded; they are counted at the end");
        }
    }
}

/// What is wrong with models that could not be loaded, each warned of once.
#[derive(Debug, Default)]
pub(super) struct Broken {
    models: HashSet<String>,
    warnings: Warnings,
}

impl Broken {
    /// Warns of one that was not known.
    pub(super) fn note(&mut self, error: &Error) {
        if self.models.insert(error.to_string()) {
            self.warnings.report(error);
        }
    }

    /// An error if there is any, which says what happened to their URLs.
    pub(super) fn all_loaded(&self, became: &str) -> Result<()> {
        all_loaded(self.models.len(), became)
    }
}

/// An error if models could not be loaded, which says what happened to their URLs.
pub(super) fn all_loaded(broken: usize, became: &str) -> Result<()> {
    match broken {
        0 => Ok(()),
        count => Err(Failure::BrokenModels { count, became: became.to_owned() }.into()),
    }
}

fn advice(remedy: &Remedy) -> String {
    match remedy {
        Remedy::SkipDamage => {
            "--lenient skips such lines, and uses what precedes a truncation".into()
        }
        Remedy::NameHost => {
            "`undust ingest`, `undust shapes` and `undust train --method dustbuster` accept it with \
             --host www.example.org"
                .into()
        }
        Remedy::LearnFromUrls => {
            "only `undust train --method dustbuster` learns from it, and `undust translate` \
             translates it"
                .into()
        }
        Remedy::LearnFromLog => {
            "`undust shapes` tells what it shows; only `undust train --method dustbuster` learns from it"
                .into()
        }
        Remedy::Train(None) => "make a model with `undust train`".into(),
        Remedy::Train(Some(method)) => {
            format!("make the model again with `undust train CRAWL --method {method}`")
        }
        Remedy::Build(feature) => {
            format!("build undust with `cargo build --release --features {feature}`")
        }
        Remedy::Unpack => "make folders of it with `undust unpack`, and name their folder".into(),
        Remedy::Pack => "`undust pack` makes one of a folder".into(),
        Remedy::UseProcessor => "or use --device cpu".into(),
    }
}
