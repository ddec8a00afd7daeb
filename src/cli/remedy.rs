//! What would help against an error, in the words of the command line.

use undust_model::registry::broken::BrokenModels;
use undust_util::error::{Error, Remedy, Result};

/// The error's sentence, and what to type.
pub(super) fn sentence(error: &Error) -> String {
    match error.remedy() {
        Some(remedy) => format!("{error}; {}", advice(&remedy)),
        None => error.to_string(),
    }
}

/// An error where models could not be loaded, with what became of the URLs of one.
pub(super) fn all_loaded(broken: &BrokenModels, became: &str) -> Result<()> {
    let described = match broken.len() {
        0 => return Ok(()),
        1 => format!("one model could not be loaded; {became}"),
        many => {
            let became = became.replace("its URLs", "their URLs");
            format!("{many} models could not be loaded; {became}")
        }
    };
    Err(Error::Unusable(described))
}

fn advice(remedy: &Remedy) -> String {
    match remedy {
        Remedy::SkipDamage => "--lenient skips such lines, and uses what comes before a cut".into(),
        Remedy::NameHost => {
            "`undust ingest` and `undust train --method dustbuster` take it with --host \
             www.example.org"
                .into()
        }
        Remedy::CountWords => {
            "make a manifest with `undust ingest --lengths` of the WARC files".into()
        }
        Remedy::LearnFromUrls => {
            "only `undust train --method dustbuster` learns from it, and `undust translate` \
             translates it"
                .into()
        }
        Remedy::LearnFromLog => "only `undust train --method dustbuster` learns from it".into(),
        Remedy::Train(None) => "make a model with `undust train`".into(),
        Remedy::Train(Some(method)) => {
            format!("make the model anew with `undust train CRAWL --method {method}`")
        }
        Remedy::Build(feature) => {
            format!("build it with `cargo build --release --features {feature}`")
        }
        Remedy::UseProcessor => "or use --device cpu".into(),
    }
}
