//! Writes models into a new pack, or behind those of one.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use same_file::Handle;
use undust_url::site::SiteBy;
use undust_util::atomic_file::AtomicFile;
use xxhash_rust::xxh3::xxh3_64;

use super::ReadAt;
use super::directory::{Directory, FileEntry, LONGEST, is_name};
use super::layout::{BUCKET, Entry, HEADER, Slot, beginning, bucket, cut, hash_of};
use super::reader::Pack;
use crate::error::{Error, ModelReason, Result};
use crate::folder::names::is_packed;

/// Bytes that are written at once.
const BUFFER: usize = 1 << 20;

/// A pack in the making. Models are added one by one, and 32 bytes of memory are kept of each. A new pack takes its
/// name when it is finished; one that is appended to stays what it was until then.
#[derive(Debug)]
pub struct PackWriter {
    path: PathBuf,
    out: BufWriter<Target>,
    at: u64,
    entries: Vec<Entry>,
    generation: u64,
}

/// Where a pack is written.
#[derive(Debug)]
enum Target {
    New(AtomicFile),
    Old(File),
}

impl Target {
    fn file(&self) -> &File {
        match self {
            Self::New(file) => file.file(),
            Self::Old(file) => file,
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self.file();
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl PackWriter {
    /// Begins a new pack.
    ///
    /// # Errors
    ///
    /// A place that cannot be written to, or is no regular file.
    pub fn create(path: &Path) -> Result<Self> {
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let detail = "a pack is a regular file";
            return Err(Error::at(path, ModelReason::NotPackable { detail }));
        }
        let file = AtomicFile::create(path).map_err(Error::io("write", path))?;
        let mut out = BufWriter::with_capacity(BUFFER, Target::New(file));
        out.write_all(&beginning()).map_err(Error::io("write", path))?;
        Ok(Self {
            path: path.to_path_buf(),
            out,
            at: HEADER as u64,
            entries: Vec::new(),
            generation: 1,
        })
    }

    /// Begins the next generation of a pack. It has all models of the one before, except those whose sites are added
    /// again.
    ///
    /// # Errors
    ///
    /// What is there is no pack, its index is damaged, another process appends to it, or has just put another pack in
    /// its place.
    pub fn append(path: &Path) -> Result<Self> {
        let open = File::options().read(true).write(true).open(path);
        let mut file = open.map_err(Error::io("write", path))?;
        if matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)) {
            return Err(Error::at(path, ModelReason::InUse));
        }
        check_in_place(&file, path)?;
        // Of the locked file: the path may lead to another one at any time.
        let pack = Pack::of_file(file.try_clone().map_err(Error::io("read", path))?, path)?;
        let slot = pack.slot;
        let mut entries = Vec::new();
        for bucket in 0..slot.buckets {
            entries.extend(pack.bucket(bucket)?);
        }
        // What a killed process left behind the last generation.
        let cleared = file.set_len(slot.end).and_then(|()| file.seek(SeekFrom::Start(slot.end)));
        cleared.map_err(Error::io("write", path))?;
        Ok(Self {
            path: path.to_path_buf(),
            out: BufWriter::with_capacity(BUFFER, Target::Old(file)),
            at: slot.end,
            entries,
            generation: slot.generation + 1,
        })
    }

    /// Adds the model of a site: the names of its files, and what they hold. What the site's name means is
    /// `site_by` of its `model.json`, if it says so. Of a site that is added twice the last model stays.
    ///
    /// # Errors
    ///
    /// A site that cannot be a folder, a file that is none of a model, a disk that is full.
    pub fn add(
        &mut self,
        site: &str,
        by: Option<SiteBy>,
        files: &[(&str, impl AsRef<[u8]>)],
    ) -> Result<()> {
        let wrong = |detail| Error::at(self.path.join(site), ModelReason::NotPackable { detail });
        if !is_name(site) {
            return Err(wrong("its name cannot be that of a folder"));
        }
        if files.iter().any(|(name, _)| !is_packed(name)) {
            return Err(wrong("it has a file that is none of a model"));
        }
        let mut at = 0;
        let entry = |(name, bytes): &(&str, _)| {
            let bytes: &[u8] = AsRef::as_ref(bytes);
            let (begin, length) = (at, bytes.len() as u64);
            at += length;
            FileEntry { name: (*name).to_owned(), at: begin, length, sum: xxh3_64(bytes) }
        };
        let files_of: Vec<FileEntry> = files.iter().map(entry).collect();
        let directory = Directory { site: site.to_owned(), by, files: files_of }.to_bytes();
        if directory.len() > LONGEST as usize {
            return Err(wrong("it has too many files"));
        }
        self.entries.push(Entry {
            hash: hash_of(site),
            at: self.at,
            length: directory.len() as u32,
            sum: xxh3_64(&directory),
        });
        self.write(&directory)?;
        files.iter().try_for_each(|(_, bytes)| self.write(bytes.as_ref()))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes).map_err(Error::io("write", &self.path))
    }

    /// Writes the index, and then the slot that makes it valid. Returns the number of models.
    ///
    /// # Errors
    ///
    /// A disk that is full, or another pack in place of the one that is appended to. The pack that was there stays.
    pub fn finish(mut self) -> Result<u64> {
        self.out.flush().map_err(Error::io("write", &self.path))?;
        self.drop_older()?;
        // Where a read at a position moves the file's own, as on Windows.
        let back = self.out.get_ref().file().seek(SeekFrom::Start(self.at));
        back.map_err(Error::io("write", &self.path))?;
        let (index_at, models) = (self.at, self.entries.len() as u64);
        let entries = std::mem::take(&mut self.entries);
        let parts = cut(&entries);
        for (number, part) in (0..).zip(&parts) {
            self.write(&bucket(number, part))?;
        }
        let buckets = parts.len() as u64;
        debug_assert_eq!(self.at, index_at + buckets * BUCKET as u64);
        let slot = Slot { generation: self.generation, index_at, buckets, models, end: self.at };
        self.put(slot)?;
        Ok(models)
    }

    /// Puts entries into the order of the index. Of several of one site the last stays.
    fn drop_older(&mut self) -> Result<()> {
        self.entries.sort_unstable_by_key(|entry| (entry.hash, entry.at));
        let mut older = FxHashSet::default();
        for (place, two) in self.entries.windows(2).enumerate() {
            if two[0].hash != two[1].hash {
                continue;
            }
            // Almost always one site; two of one hash stay both.
            let later = self.entries[place + 1..].iter().take_while(|one| one.hash == two[0].hash);
            let site = self.site_at(two[0])?;
            for later in later {
                if site.is_none() || self.site_at(*later)? == site {
                    older.insert(place);
                    break;
                }
            }
        }
        let mut place = 0..;
        self.entries.retain(|_| place.next().is_some_and(|place| !older.contains(&place)));
        Ok(())
    }

    /// The site of an entry; none where its directory is damaged.
    fn site_at(&self, entry: Entry) -> Result<Option<String>> {
        let mut bytes = vec![0; entry.length.min(LONGEST) as usize];
        let read = ReadAt::read_exact_at(self.out.get_ref().file(), &mut bytes, entry.at);
        read.map_err(Error::io("read", &self.path))?;
        Ok(Directory::from_bytes(&bytes).map(|directory| directory.site))
    }

    /// The index must be on the disk before the slot says so.
    fn put(self, slot: Slot) -> Result<()> {
        let Self { path, out, .. } = self;
        let fail = Error::io("write", &path);
        let target = match out.into_inner() {
            Ok(target) => target,
            Err(error) => return Err(fail(error.into_error())),
        };
        if let Err(error) = target.file().sync_data() {
            return Err(fail(error));
        }
        if let Target::Old(file) = &target {
            check_in_place(file, &path)?;
        }
        let written = write_slot(target.file(), slot).and_then(|()| match target {
            Target::New(file) => file.finish(),
            Target::Old(_) => Ok(()),
        });
        written.map_err(fail)
    }
}

fn write_slot(mut file: &File, slot: Slot) -> io::Result<()> {
    file.seek(SeekFrom::Start(slot.at() as u64))?;
    file.write_all(&slot.to_bytes())?;
    file.sync_data()
}

/// Fails where the path leads to another file: what is appended to this one would be lost.
fn check_in_place(file: &File, path: &Path) -> Result<()> {
    let own = file.try_clone().and_then(Handle::from_file);
    let own = own.map_err(Error::io("read", path))?;
    let found = Handle::from_path(path).map_err(Error::io("read", path))?;
    match own == found {
        true => Ok(()),
        false => Err(Error::at(path, ModelReason::Replaced)),
    }
}
