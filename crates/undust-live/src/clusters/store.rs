//! The store: one file of redb in a folder, with a table for each thing that is asked for.
//!
//! A page's identity is the hash of its URL. The hash is looked up once and gives a number, which
//! stands for the page in all other tables: numbers are short, and in the order in which URLs were
//! first met.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use redb::{
    Database, ReadableDatabase, ReadableTable, Table, TableDefinition, TableError, WriteTransaction,
};
use serde::{Deserialize, Serialize};

use undust_util::atomic_file::{check_no_file, make_folder, prefix_in, without_place};
use undust_util::disk;

use super::fault::{DAMAGED, Fault, Stored};
use super::guard::{caught, guarded};
use super::options::LiveOptions;
use super::record::{Content, PageRecord};
use crate::error::{Error, StateReason};

/// The format of the tables below.
const FORMAT: u32 = 1;

/// Name of the file in the state's folder.
const FILE: &str = "clusters.redb";

/// Bytes of memory for pages of the file, besides what a batch takes, unless another number is asked for.
pub(super) const CACHE_BYTES: usize = 192 << 20;

/// Hash of a URL → number of the page.
const IDS: TableDefinition<'_, u128, u32> = TableDefinition::new("ids");
/// Number of the page → [`super::record::PageRecord`].
const PAGES: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("pages");
/// Hash of a URL that a redirect leads to, and the number of the page that redirects.
const SOURCES: TableDefinition<'_, (u128, u32), ()> = TableDefinition::new("sources");
/// Group → [`super::record::GroupRecord`].
const GROUPS: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("groups");
/// Group, and the number of a page in it.
const MEMBERS: TableDefinition<'_, (u32, u32), ()> = TableDefinition::new("members");
/// Digest and group → pages of the group with that digest.
const DIGESTS: TableDefinition<'_, (u64, u32), u32> = TableDefinition::new("digests");
/// Title, fingerprint and group → pages of the group with these.
const NEAR: TableDefinition<'_, (u64, u64, u32), u32> = TableDefinition::new("near");
/// Token of a host → URLs of the host that contain it.
const TOKENS: TableDefinition<'_, u64, u32> = TableDefinition::new("tokens");
/// Host → times that a page of it entered, left or changed a group.
const CHANGES: TableDefinition<'_, &str, u64> = TableDefinition::new("changes");
/// Site → [`super::sites::Trained`], as JSON.
const TRAINED: TableDefinition<'_, &str, &str> = TableDefinition::new("trained");
/// `meta` → [`Meta`], as JSON. [`JOURNAL`] → how far the store has the journal of a crawl.
const META: TableDefinition<'_, &str, &str> = TableDefinition::new("meta");

/// The row of that place.
const JOURNAL: &str = "journal";

/// What holds for the whole store.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Meta {
    /// [`FORMAT`].
    pub format: u32,
    /// How it was made, and stays.
    pub options: LiveOptions,
    /// Numbers of pages given out.
    pub pages: u32,
    /// Ids of groups given out.
    pub groups: u32,
}

/// The open file.
pub(super) struct Store {
    /// Until it is dropped.
    database: Option<Database>,
    pub path: PathBuf,
}

/// Closing a damaged file may panic, too.
impl Drop for Store {
    fn drop(&mut self) {
        let database = self.database.take();
        // Of what it holds all is committed, or nothing.
        _ = caught(&self.path, || drop(database));
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Store({})", self.path.display())
    }
}

impl Store {
    /// Opens the store in `folder`, and what holds for it. Without one, `make` says how it is to be
    /// made, or that it is not.
    pub(super) fn open(
        folder: &Path,
        cache_bytes: usize,
        make: impl FnOnce() -> Option<LiveOptions>,
    ) -> Result<(Self, Meta), Error> {
        Self::check_place(folder)?;
        let path = folder.join(FILE);
        if Self::is_in(folder) {
            return Self::open_file(path, cache_bytes);
        }
        let Some(options) = make() else {
            return Err(Error::at(folder, StateReason::NoClusters));
        };
        make_folder(folder).map_err(Error::io("create", folder))?;
        let meta = Meta { format: FORMAT, options, pages: 0, groups: 0 };
        Self::make_file(&path, &meta)?;
        Self::open_file(path, cache_bytes)
    }

    /// Whether there can be a store, as there cannot in a file.
    pub(super) fn check_place(folder: &Path) -> Result<(), Error> {
        check_no_file(folder, || Error::at(folder, StateReason::NotAFolder))
    }

    /// Whether a folder has a store, or something of its name.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(FILE).symlink_metadata().is_ok()
    }

    /// What is wrong with the store in a folder.
    pub(super) fn damaged(folder: &Path, reason: StateReason) -> Error {
        Error::at(folder.join(FILE), reason)
    }

    fn open_file(path: PathBuf, cache_bytes: usize) -> Result<(Self, Meta), Error> {
        // Before it is opened: opening a pipe waits for its other end.
        crate::own_file::check(&path)?;
        guarded(&path, || {
            check_own(&path)?;
            let database = Database::builder().set_cache_size(cache_bytes).open(&path)?;
            let store = Self { database: Some(database), path: path.clone() };
            let meta = store.meta()?;
            store.check(&meta)?;
            Ok((store, meta))
        })
    }

    /// Makes the file under a temporary name in the same folder and renames it, so that a file of the
    /// right name is whole.
    fn make_file(path: &Path, meta: &Meta) -> Result<(), Error> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let temporary = tempfile::Builder::new().prefix(&prefix_in(folder)).tempfile_in(folder);
        let temporary = temporary.map_err(without_place).map_err(Error::io("create", path))?;
        let temporary = temporary.into_temp_path();
        let made = || -> Stored<()> {
            let database = Some(Database::create(&temporary)?);
            let store = Self { database, path: path.to_path_buf() };
            let change = store.begin()?;
            change.tables()?.put_meta(meta)?;
            change.commit()
        };
        made().map_err(|fault| fault.at(path))?;
        match temporary.persist_noclobber(path) {
            Ok(()) => disk::sync_folder(folder).map_err(Error::io("create", path)),
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(failed) => Err(Error::io("create", path)(failed.error)),
        }
    }

    fn database(&self) -> Stored<&Database> {
        self.database.as_ref().ok_or(DAMAGED)
    }

    /// Looks at the beginning of each table, which takes a few reads: what is damaged further on shows
    /// when it is used.
    fn check(&self, meta: &Meta) -> Stored<()> {
        let read = self.database()?.begin_read()?;
        let pages = read.open_table(PAGES)?;
        let last = pages.last()?.map(|(number, _)| number.value());
        if last.is_some_and(|last| last >= meta.pages) {
            return Err(DAMAGED);
        }
        read.open_table(IDS)?.first()?;
        read.open_table(SOURCES)?.first()?;
        read.open_table(GROUPS)?.first()?;
        read.open_table(MEMBERS)?.first()?;
        read.open_table(DIGESTS)?.first()?;
        read.open_table(NEAR)?.first()?;
        read.open_table(TOKENS)?.first()?;
        read.open_table(CHANGES)?.first()?;
        read.open_table(TRAINED)?.first()?;
        Ok(())
    }

    fn meta(&self) -> Stored<Meta> {
        let read = self.database()?.begin_read()?;
        let table = match read.open_table(META) {
            Err(TableError::TableDoesNotExist(_)) => {
                return Err(Fault::Odd(StateReason::NotAState));
            }
            table => table?,
        };
        let text = table.get("meta")?.ok_or(Fault::Odd(StateReason::NotAState))?;
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let format = serde_json::from_str::<Format>(text.value()).map_err(|_| DAMAGED)?.format;
        if format != FORMAT {
            return Err(Fault::Odd(StateReason::OtherVersion));
        }
        serde_json::from_str(text.value()).map_err(|_| DAMAGED)
    }

    /// Gives the pages with these numbers, in their order: the number, the page, and what it shows in the end if it counts.
    pub(super) fn each_page(
        &self,
        numbers: Range<u32>,
        mut take: impl FnMut(u32, PageRecord, Option<Content>) -> Stored<()>,
    ) -> Stored<()> {
        let read = self.database()?.begin_read()?;
        let table = match read.open_table(PAGES) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(()),
            table => table?,
        };
        let page_of = |row: &[u8]| PageRecord::read(row).ok_or(DAMAGED);
        for row in table.range(numbers)? {
            let (number, row) = row?;
            let (number, page) = (number.value(), page_of(row.value())?);
            let content = match page.place {
                Err(_) => None,
                Ok(place) if place.end == number => Content::of(&page.outcome),
                Ok(place) => {
                    let end = table.get(place.end)?.ok_or(DAMAGED)?;
                    Content::of(&page_of(end.value())?.outcome)
                }
            };
            take(number, page, content)?;
        }
        Ok(())
    }

    /// How often pages of these hosts changed their group, and what was remembered of a site.
    pub(super) fn memory(&self, site: &str, hosts: &[String]) -> Stored<(u64, Option<String>)> {
        let read = self.database()?.begin_read()?;
        let (changes, trained) = (read.open_table(CHANGES)?, read.open_table(TRAINED)?);
        let mut sum = 0;
        for host in hosts {
            sum += changes.get(host.as_str())?.map_or(0, |count| count.value());
        }
        Ok((sum, trained.get(site)?.map(|text| text.value().to_owned())))
    }

    /// What was noted of the journal of the crawl.
    pub(super) fn journal_mark(&self) -> Stored<Option<String>> {
        let read = self.database()?.begin_read()?;
        let mark = read.open_table(META)?.get(JOURNAL)?;
        Ok(mark.map(|mark| mark.value().to_owned()))
    }

    /// Begins a change: nothing of it holds until it is committed, then all of it.
    pub(super) fn begin(&self) -> Stored<Transaction> {
        let mut transaction = self.database()?.begin_write()?;
        // Opening after a crash then takes no walk over the whole file.
        transaction.set_quick_repair(true);
        Ok(Transaction(transaction))
    }

    /// Gives the space that changes left free back to the file system.
    pub(super) fn compact(&mut self) -> Stored<()> {
        let database = self.database.as_mut().ok_or(DAMAGED)?;
        Ok(database.compact().map(drop)?)
    }
}

/// Fails for a database of another program, into which opening it would write. One that was not closed can only
/// be looked at once it is repaired.
fn check_own(path: &Path) -> Stored<()> {
    let Ok(database) = Database::builder().set_cache_size(0).open_read_only(path) else {
        return Ok(());
    };
    match database.begin_read()?.open_table(META) {
        Err(TableError::TableDoesNotExist(_)) => Err(Fault::Odd(StateReason::NotAState)),
        Err(error @ TableError::TableTypeMismatch { .. }) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Everything that one batch changes, or nothing of it.
pub(super) struct Transaction(WriteTransaction);

impl Transaction {
    /// The tables as this change sees them.
    pub(super) fn tables(&self) -> Stored<Tables<'_>> {
        Ok(Tables {
            ids: self.0.open_table(IDS)?,
            pages: self.0.open_table(PAGES)?,
            sources: self.0.open_table(SOURCES)?,
            groups: self.0.open_table(GROUPS)?,
            members: self.0.open_table(MEMBERS)?,
            digests: self.0.open_table(DIGESTS)?,
            near: self.0.open_table(NEAR)?,
            tokens: self.0.open_table(TOKENS)?,
            changes: self.0.open_table(CHANGES)?,
            trained: self.0.open_table(TRAINED)?,
            meta: self.0.open_table(META)?,
        })
    }

    /// Makes the change hold: once this has returned it survives whatever happens to the process or
    /// the machine.
    pub(super) fn commit(self) -> Stored<()> {
        Ok(self.0.commit()?)
    }
}

/// The tables of the store.
pub(super) struct Tables<'t> {
    pub ids: Table<'t, u128, u32>,
    pub pages: Table<'t, u32, &'static [u8]>,
    pub sources: Table<'t, (u128, u32), ()>,
    pub groups: Table<'t, u32, &'static [u8]>,
    pub members: Table<'t, (u32, u32), ()>,
    pub digests: Table<'t, (u64, u32), u32>,
    pub near: Table<'t, (u64, u64, u32), u32>,
    pub tokens: Table<'t, u64, u32>,
    pub changes: Table<'t, &'static str, u64>,
    pub trained: Table<'t, &'static str, &'static str>,
    pub meta: Table<'t, &'static str, &'static str>,
}

impl Tables<'_> {
    /// Notes how far the store has a journal.
    pub(super) fn put_journal_mark(&mut self, mark: Option<&str>) -> Stored<()> {
        match mark {
            Some(mark) => drop(self.meta.insert(JOURNAL, mark)?),
            None => drop(self.meta.remove(JOURNAL)?),
        }
        Ok(())
    }

    /// Notes what holds for the whole store.
    pub(super) fn put_meta(&mut self, meta: &Meta) -> Stored<()> {
        let text = serde_json::to_string(meta).map_err(|_| DAMAGED)?;
        self.meta.insert("meta", text.as_str())?;
        Ok(())
    }
}
