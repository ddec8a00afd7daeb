//! `undust pack` and `undust unpack`: the models of many sites in one file, and back in folders.

use std::fs;
use std::path::PathBuf;

use undust_model::pack::{PackWriter, unpack};
use undust_util::{Error, Result, counted, shown};

use super::failure::Failure;
use super::progress::{Watch, info, warn};
use super::remedy::Broken;
use super::replacing::check_outputs;

/// Put the models of a folder into one file, a pack.
///
/// Every command that reads a folder of models also reads a pack, and models.undust/example.com
/// names one model in it. Start-up and memory do not depend on the number of models. The same
/// models give the same pack, byte for byte. A model that cannot be loaded is left out and named.
#[derive(Debug, clap::Args)]
pub(super) struct PackArgs {
    /// Folder of the models, or another pack
    #[arg(value_name = "MODELS", default_value = "models", env = "UNDUST_MODELS")]
    models: PathBuf,

    /// The pack; an existing one is replaced in one step
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Append the models to an existing pack; they replace those of the same sites
    ///
    /// Readers keep the old models until they look again. Packing the pack anew frees the space of
    /// replaced models.
    #[arg(long)]
    append: bool,
}

/// Write models of a pack as folders again, byte for byte.
#[derive(Debug, clap::Args)]
pub(super) struct UnpackArgs {
    /// The pack
    #[arg(value_name = "PACK")]
    pack: PathBuf,

    /// Sites to unpack; all if none is named
    #[arg(value_name = "SITE")]
    sites: Vec<String>,

    /// Folder for the models
    #[arg(short, long, value_name = "FOLDER", default_value = "models")]
    output: PathBuf,
}

/// Loads each model once, and packs those that load.
pub(super) fn run(args: PackArgs) -> Result<()> {
    let PackArgs { models, output, append } = args;
    check_outputs([&output], &[])?;
    let mut writer =
        if append { PackWriter::append(&output)? } else { PackWriter::create(&output)? };
    let watch = Watch::count("packing", 0, "models");
    let packing = writer.add_all(&models, &watch.done)?;
    drop(watch);
    let is_empty = packing.models == 0 && !append;
    // Dropped unfinished, it leaves the pack that was there.
    let all = if is_empty { 0 } else { writer.finish()? };
    let mut broken = Broken::default();
    packing.broken.iter().for_each(|error| broken.note(error));
    if is_empty {
        return Err(Failure::NothingPacked { path: output, models }.into());
    }
    if packing.foreign > 0 {
        let files = counted(packing.foreign as usize, "file");
        warn(&format!("undust: {}: left out {files} that no model has", shown(&models)));
    }
    let bytes = fs::metadata(&output).map_err(Error::io("read", &output))?.len();
    let packed = counted(packing.models as usize, "model");
    let of = if append { format!(", {all} in all") } else { String::new() };
    let bytes = indicatif::HumanBytes(bytes);
    info(&format!("{packed} packed into {}{of}: {bytes}", shown(&output)));
    broken.all_loaded("left out of the pack")
}

/// Unpacks one model after the other. What is damaged is named, and costs no other model.
pub(super) fn unpack_all(args: UnpackArgs) -> Result<()> {
    let UnpackArgs { pack, sites, output } = args;
    let watch = Watch::count("unpacking", sites.len(), "models");
    let unpacked = unpack(&pack, &sites, &output, &watch.done)?;
    drop(watch);
    let mut broken = Broken::default();
    unpacked.broken.iter().for_each(|error| broken.note(error));
    let models = counted(unpacked.models as usize, "model");
    info(&format!("{models} unpacked into {}", shown(&output)));
    broken.all_loaded("not unpacked")
}
