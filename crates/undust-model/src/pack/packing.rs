//! Folders of models into a pack, and back.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use undust_util::atomic_file::is_unfinished;
use undust_util::error::{Error, Result};

use super::{PackWriter, PackedModel};
use crate::folder::exchange;
use crate::folder::files::load_from;
use crate::folder::info::site_by_in;
use crate::folder::names::{MODEL, is_packed};
use crate::folder::sites::Sites;
use crate::folder::source::Source;

/// What became of the models of a folder.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Packing {
    /// Models that were packed.
    pub models: u64,
    /// Those that cannot be served, and were left out.
    pub broken: Vec<Arc<Error>>,
    /// Files beside those of models, which a pack does not hold.
    pub foreign: u64,
}

/// Models that are read at once.
const AT_ONCE: usize = 1024;

/// A model's files.
struct Files {
    site: String,
    files: Vec<(&'static str, Vec<u8>)>,
    foreign: u64,
}

/// Adds the models of a folder, or of another pack, in the order of their sites' names: the same models give the same
/// pack, byte for byte. Each is loaded once; what cannot be served is left out. `done` counts.
///
/// # Errors
///
/// No models there, or a pack that cannot be written.
pub fn pack(from: &Path, writer: &mut PackWriter, done: &AtomicU64) -> Result<Packing> {
    let sites = Sites::open(from)?;
    let (mut names, mut packing) = (Vec::new(), Packing::default());
    for name in sites.each()? {
        match name {
            Ok(name) => names.push(name),
            Err(error) => packing.broken.push(Arc::new(error)),
        }
    }
    names.sort_unstable();
    for names in names.chunks(AT_ONCE) {
        let read = |name: &String| sites.source(name).and_then(|source| files(name, &source));
        let models: Vec<Result<Files>> = names.par_iter().map(read).collect();
        for model in models {
            done.fetch_add(1, Ordering::Relaxed);
            match model {
                Ok(Files { site, files, foreign }) => {
                    let json = files.iter().find(|(name, _)| *name == MODEL);
                    let by = json.and_then(|(_, json)| site_by_in(json));
                    writer.add(&site, by, &files)?;
                    packing.models += 1;
                    packing.foreign += foreign;
                }
                Err(error) => packing.broken.push(Arc::new(error)),
            }
        }
    }
    Ok(packing)
}

fn files(site: &str, source: &Source) -> Result<Files> {
    load_from(source)?;
    let foreign = match source {
        Source::Folder(folder) => {
            let entries = fs::read_dir(folder).map_err(Error::io("read", folder))?;
            let is_foreign = |name: &std::ffi::OsString| {
                !name.to_str().is_some_and(|name| is_packed(name) || is_unfinished(name))
            };
            entries.flatten().map(|entry| entry.file_name()).filter(is_foreign).count() as u64
        }
        Source::Packed(_) => 0,
    };
    Ok(Files { site: site.to_owned(), files: source.files()?, foreign })
}

/// Writes a model's folder below `models`, in place of the one there at once: the files that were packed, byte for
/// byte.
///
/// # Errors
///
/// A damaged file, something in the way, a disk that cannot be written.
pub fn unpack(model: &PackedModel, models: &Path) -> Result<()> {
    let read = |(name, _): (&str, u64)| Ok((name.to_owned(), model.read(name)?));
    let files = model.files().map(read).collect::<Result<Vec<_>>>()?;
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
    exchange::replace(models, model.site(), &files)
}
