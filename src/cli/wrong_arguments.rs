//! The end of a run whose arguments are wrong, or that only asked for help.

use std::ffi::OsString;
use std::path::Path;
use std::process::exit;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::progress::warn;
use super::remedy::sentence;
use super::standard::stdout;
use super::values_of;

/// Prints what is wrong, or the help, and ends the program.
pub(super) fn leave(mut error: clap::Error, arguments: &[OsString]) -> ! {
    if !error.use_stderr()
        && let Err(closed) = stdout()
    {
        warn(&format!("undust: {}", sentence(&closed)));
        exit(1);
    }
    if error.kind() == ErrorKind::MissingRequiredArgument
        && let Some(tip) = values_of(arguments, "--models").first().map(about_models)
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error.exit()
}

/// What to do where `--models` took what was meant for the command itself.
fn about_models(models: &&str) -> String {
    let name = undust_util::address::shown(models);
    match Path::new(models).is_file() {
        true => format!(
            "--models takes the folder of the models, and {name} is a file; give both, as in `--models \
             models {name}`"
        ),
        false => format!(
            "--models takes {name} as the folder of the models; what is missing comes after it, as in \
             `--models {name} FILE`"
        ),
    }
}
