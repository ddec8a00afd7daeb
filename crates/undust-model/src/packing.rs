//! Folders of models into a pack, and back.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::error::{Error, ModelReason, Result};
use crate::folder::exchange;
use crate::folder::files::load_from;
use crate::folder::info::site_by_in;
use crate::folder::names::{MODEL, is_packed};
use crate::folder::sites::Sites;
use crate::folder::source::Source;
use crate::pack::{Pack, PackWriter, PackedModel};
use undust_util::atomic_file::is_unfinished;

/// What was packed or unpacked.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Packing {
    /// Models packed or unpacked.
    pub models: u64,
    /// Those that cannot be read, and were left out.
    pub broken: Vec<Error>,
    /// Other files of the folder, which are not packed.
    pub foreign: u64,
}

/// Models that are read at once at most.
const AT_ONCE: usize = 1024;
/// Bytes of the files that are held at once; a single model may have more.
const BYTES_AT_ONCE: u64 = 64 << 20;

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
            Err(error) => packing.broken.push(error),
        }
    }
    names.sort_unstable();
    for names in names.chunks(AT_ONCE) {
        let mut found: Vec<Found> = names.par_iter().map(|name| Found::of(name, &sites)).collect();
        while !found.is_empty() {
            let next = ..held_at_once(found.iter().map(|found| found.bytes));
            let models: Vec<Result<Files>> = found.par_drain(next).map(Found::files).collect();
            for model in models {
                done.fetch_add(1, Ordering::Relaxed);
                packing.add(model, writer)?;
            }
        }
    }
    Ok(packing)
}

/// How many models from the first on are held at once, by the bytes of their files: one at least.
fn held_at_once(sizes: impl Iterator<Item = u64>) -> usize {
    let mut held = 0_u64;
    let fits = |size: &u64| {
        held = held.saturating_add(*size);
        held <= BYTES_AT_ONCE
    };
    sizes.take_while(fits).count().max(1)
}

impl Packing {
    fn add(&mut self, model: Result<Files>, writer: &mut PackWriter) -> Result<()> {
        match model {
            Ok(Files { site, files, foreign }) => {
                let json = files.iter().find(|(name, _)| *name == MODEL);
                let by = json.and_then(|(_, json)| site_by_in(json));
                writer.add(&site, by, &files)?;
                self.models += 1;
                self.foreign += foreign;
            }
            Err(error) => self.broken.push(error),
        }
        Ok(())
    }
}

/// Where a model is, and how many bytes its files have.
struct Found<'n> {
    site: &'n str,
    source: Result<Source>,
    bytes: u64,
}

impl<'n> Found<'n> {
    fn of(site: &'n str, sites: &Sites) -> Self {
        let source = sites.source(site);
        let bytes = source.as_ref().map_or(0, Source::all_bytes);
        Self { site, source, bytes }
    }

    fn files(self) -> Result<Files> {
        let (site, source) = (self.site.to_owned(), self.source?);
        load_from(&source)?;
        let foreign = match &source {
            Source::Folder(folder) => {
                let entries = fs::read_dir(folder).map_err(Error::io("read", folder))?;
                let is_foreign = |name: &std::ffi::OsString| {
                    !name.to_str().is_some_and(|name| is_packed(name) || is_unfinished(name))
                };
                entries.flatten().map(|entry| entry.file_name()).filter(is_foreign).count() as u64
            }
            Source::Packed(_) => 0,
        };
        Ok(Files { site, files: source.files()?, foreign })
    }
}

/// Writes models of a pack as folders below `models`, each in place of the one there at once: the files that were
/// packed, byte for byte. Of these sites, or of all if none is named. What is damaged costs no other model. `done`
/// counts.
///
/// # Errors
///
/// No pack there, something in the way, a disk that cannot be written.
pub fn unpack(pack: &Path, sites: &[String], models: &Path, done: &AtomicU64) -> Result<Packing> {
    let pack = Arc::new(Pack::open(pack)?);
    exchange::check_folder(models)?;
    let none = |site: &String| Error::at(pack.path().join(site), ModelReason::NoModel);
    let named = sites.iter().map(|site| pack.find(site)?.ok_or_else(|| none(site)));
    let all = sites.is_empty().then(|| pack.all()).into_iter().flatten();
    let mut unpacked = Packing::default();
    for model in named.chain(all) {
        match model.and_then(|model| unpack_one(&model, models)) {
            Ok(()) => unpacked.models += 1,
            Err(error @ Error::Io { .. }) => return Err(error),
            Err(error) if matches!(error.reason(), Some(ModelReason::InTheWay { .. })) => {
                return Err(error);
            }
            Err(error) => unpacked.broken.push(error),
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    Ok(unpacked)
}

fn unpack_one(model: &PackedModel, models: &Path) -> Result<()> {
    let files = model.files().map(|(name, _)| Ok((name, model.read(name)?)));
    exchange::replace(models, model.site(), &files.collect::<Result<Vec<_>>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_held_up_to_a_sum_of_bytes() {
        let (half, most) = (BYTES_AT_ONCE / 2, BYTES_AT_ONCE);
        for (sizes, held) in [
            (vec![1, 2, 3], 3),
            (vec![half, half, 1], 2),
            (vec![half, half + 1], 1),
            (vec![most + 1, 1], 1),
            (vec![1, u64::MAX, 1], 1),
        ] {
            assert_eq!(held_at_once(sizes.iter().copied()), held, "{sizes:?}");
        }
    }
}
