//! A pack: the models of many sites in one file, read as a folder of models is.
//!
//! ```text
//! header        magic, version, and two slots that say where the index is        192 bytes
//! models        one after another: a directory, then the files it names
//! index         buckets of 4,096 bytes: where the directory of each model is
//! models, index of the next generation, and so on
//! ```
//!
//! Opening reads the header alone. A look-up reads one bucket, which the hash of the site's name decides, and the
//! directory of the model, which holds the name. So start-up and memory do not depend on the number of models. In
//! object storage ([`ReadAt`]) the first bytes of the files come with the directory: a small model takes two ranges.
//!
//! All numbers are little-endian. Each slot, bucket, directory and file has an XXH3 of its own: damage costs the
//! models that it hits. A pack is never changed where a reader may read: a new generation is written behind the old
//! one, and then the older of the two slots says where its index is. A process that ends before leaves the old
//! generation, and those that have it open keep it.
//!
//! Files are stored as they are: serving knows no decompression.
//!
//! A [`Registry`](crate::registry::Registry) reads them, [`PackWriter`] makes them of folders, and [`unpack`] folders of
//! them.

mod directory;
mod health;
mod layout;
mod live;
mod packed_model;
mod reader;
mod stored;
#[cfg(test)]
mod tests;
mod writer;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rayon::prelude::*;

use crate::error::{Error, ModelReason, Result};
use crate::folder::files::load_from;
use crate::folder::info::site_by_in;
use crate::folder::names::{MODEL, is_packed};
use crate::folder::sites::Sites;
use crate::folder::source::Source;
use crate::folder::{check_folder, replace};
use undust_util::atomic_file::is_unfinished;

pub(crate) use self::live::{LivePack, check_writable};
pub(crate) use self::packed_model::PackedModel;
pub(crate) use self::reader::Pack;
pub(crate) use self::stored::StoredPack;
pub use self::writer::PackWriter;

/// The bytes of a pack, wherever they lie: a file, or an object in storage elsewhere. Threads read it at once.
///
/// A reader may have its own time-out and retries: an error is final. The bytes are checked against
/// the checksums in the pack.
pub trait ReadAt: Send + Sync {
    /// Fills the buffer with the bytes from a position on: one range.
    ///
    /// # Errors
    ///
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) where the bytes end before,
    /// [`StaleNetworkFileHandle`](io::ErrorKind::StaleNetworkFileHandle) where it is known that the object was
    /// replaced since it was opened, [`TimedOut`](io::ErrorKind::TimedOut) where storage answers too late.
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;

    /// Bytes that there are.
    ///
    /// # Errors
    ///
    /// Those of reading.
    fn length(&self) -> io::Result<u64>;

    /// What differs between an object and another one in its place, as an `ETag` does; empty where that is not known.
    fn version(&self) -> String {
        String::new()
    }

    /// When it was written, as far as that is known.
    fn written(&self) -> Option<SystemTime> {
        None
    }
}

impl ReadAt for File {
    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, at)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            let from = at.saturating_add(done as u64);
            match std::os::windows::fs::FileExt::seek_read(self, &mut buffer[done..], from)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => done += read,
            }
        }
        Ok(())
    }

    fn length(&self) -> io::Result<u64> {
        self.metadata().map(|file| file.len())
    }

    fn written(&self) -> Option<SystemTime> {
        self.metadata().and_then(|file| file.modified()).ok()
    }
}

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

impl PackWriter {
    /// Adds the models of a folder, or of another pack, in the order of their sites' names: the same models give the same
    /// pack, byte for byte. Each is loaded once; what cannot be served is left out. `done` counts.
    ///
    /// # Errors
    ///
    /// No models there, or a pack that cannot be written.
    pub fn add_all(&mut self, from: &Path, done: &AtomicU64) -> Result<Packing> {
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
            let mut found: Vec<Found> =
                names.par_iter().map(|name| Found::of(name, &sites)).collect();
            while !found.is_empty() {
                let next = ..held_at_once(found.iter().map(|found| found.bytes));
                let models: Vec<Result<Files>> = found.par_drain(next).map(Found::files).collect();
                for model in models {
                    done.fetch_add(1, Ordering::Relaxed);
                    packing.add(model, self)?;
                }
            }
        }
        Ok(packing)
    }
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
    check_folder(models)?;
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
    replace(models, model.site(), &files.collect::<Result<Vec<_>>>()?)
}
