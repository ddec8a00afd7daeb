//! `undust completions` and `undust man`, generated from the description of the arguments.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use undust_util::error::{Error, Result};

use super::standard::stdout;

/// Print a script that lets a shell complete commands and options.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands to a folder.
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Folder for undust.1, undust-train.1 and so on; without it, undust.1 is printed
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Prints the script.
pub(super) fn completions(args: CompletionsArgs, mut program: Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "undust", &mut script);
    print(&script)
}

/// Prints or writes the pages.
pub(super) fn man(args: ManArgs, program: Command) -> Result<()> {
    match args.folder {
        Some(folder) => {
            fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
            clap_mangen::generate_to(program, &folder).map_err(Error::io("write", &folder))
        }
        None => {
            let mut page = Vec::new();
            let rendered = clap_mangen::Man::new(program).render(&mut page);
            rendered.map_err(Error::io("write", "-"))?;
            print(&page)
        }
    }
}

fn print(text: &[u8]) -> Result<()> {
    stdout()?.lock().write_all(text).map_err(Error::io("write", "-"))
}
