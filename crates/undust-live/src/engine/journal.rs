//! What must not be forgotten, line by line: a file beside the clusters of the state.
//!
//! A line is written before anybody learns of what it says, so a process that is killed has kept
//! all that it acknowledged. What was [synced](Journal::sync) outlives a loss of power. The end of
//! the file that is not whole, after either, is cut off when the file is opened. When the clusters
//! have all that came back, the lines so far become a compressed part.
//!
//! The first line says what the file is. A file that does not begin with it is somebody else's.

mod opened;
mod parts;
mod position;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::iter;
use std::mem;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use undust_pages::page::Page;
use undust_pages::pages::ResponseOutcome;
use undust_pages::response::Response;
use undust_pages::simhash::Simhash;
use undust_pages::text_hash::TextHash;
use undust_util::atomic_file::AtomicFile;
use undust_util::disk;

use self::opened::Opened;
pub(super) use self::position::Position;
use super::classes::LearnedTest;
use super::secret::Secret;
use crate::error::{Error, Result};
use crate::own_file;

/// Name of the file in the state's folder.
const FILE: &str = "live.jsonl";

/// The format of its lines.
const FORMAT: u32 = 2;

/// Lines of a new journal among which the secret is.
const FIRST_LINES: usize = 8;

/// Bytes of lines that are worth a part of their own.
const LEAST_PART: u64 = 1 << 20;

/// Bytes of lines that are not synced, at most. A sync takes some milliseconds, so not every line has one.
const MOST_UNSYNCED: u64 = 1 << 20;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event {
    /// The first line.
    #[serde(rename = "undust live")]
    Format(u32),
    /// The second line of each part but the first: its number.
    Part(u32),
    /// The secret of the state, once.
    Secret(Secret),
    /// A site is a registrable domain, rather than a host.
    Domains,
    /// A crawl begins: every page is to be found again.
    Crawl,
    /// What came back for a URL.
    Saw(Box<Response>),
    /// What the clusters of the state knew before there was a journal.
    Page(KnownPage),
    /// A URL was skipped.
    Skip {
        url: String,
        class: u64,
        /// The group that has a price of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<u64>,
        loss: f32,
        /// Whether the model skipped it, rather than a probed proposal.
        model: bool,
    },
    /// A URL is fetched to measure what skips of its class lose.
    Audit { url: String, class: u64 },
    /// A URL is fetched that would have been skipped, to test its class.
    Probe {
        url: String,
        class: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<u64>,
        /// Whether its stretches may be between squares.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        squares: bool,
    },
    /// From now on a site is crawled by what its first pages taught; what had been learned before
    /// had these tests.
    Learned { site: String, pages: usize, tests: Vec<LearnedTest> },
    /// The clusters of the state have all that came back before this line.
    Kept,
}

/// A page of the clusters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KnownPage {
    pub url: String,
    /// Equal where redirects end at one page.
    pub end: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simhash: Option<Simhash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_text: Option<TextHash>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<u64>,
}

impl KnownPage {
    /// Its URL, and what it showed.
    pub(super) fn content(self) -> (String, ResponseOutcome) {
        let Self { url, title, simhash, short_text, digest, .. } = self;
        (url, ResponseOutcome::Content { title, simhash, short_text, digest })
    }
}

impl From<Page> for KnownPage {
    fn from(page: Page) -> Self {
        let Page { url, end, title, simhash, short_text, digest, .. } = page;
        Self { url: url.into(), end, title, simhash, short_text, digest }
    }
}

/// The open file.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
    path: PathBuf,
    /// Its number; those before it are finished.
    part: u32,
    file: File,
    line: Vec<u8>,
    len: u64,
    /// Bytes that outlive a loss of power.
    synced: u64,
    /// Whether each line is synced where it is written.
    syncs_each_line: bool,
    /// Why no line is taken any more: lines that were taken may be lost, or the next one would be. What was not
    /// synced where a sync failed may never be, though the next sync succeeds.
    failed: Option<io::ErrorKind>,
}

/// Lines of a journal that are to be synced.
#[derive(Debug)]
pub(super) struct Unsynced {
    file: File,
    part: u32,
    len: u64,
}

impl Unsynced {
    /// Makes them outlive a loss of power.
    pub(super) fn sync(self) -> io::Result<Self> {
        disk::sync(&self.file)?;
        Ok(self)
    }
}

impl Journal {
    /// Whether a folder has one.
    ///
    /// # Errors
    ///
    /// A file of its name that is something else, which stays as it is.
    pub(super) fn is_in(folder: &Path) -> Result<bool> {
        let path = folder.join(FILE);
        let file = own_file::open(&path)?;
        file.map_or(Ok(false), |file| opened::check_format(&file, &path).map(|()| true))
    }

    /// The first part that a journal in a folder finishes.
    pub(super) fn first_part(folder: &Path) -> PathBuf {
        parts::place(folder, 1)
    }

    /// Makes one that begins with these events: with all of them, whenever the process ends.
    pub(super) fn make(
        folder: &Path,
        first: impl IntoIterator<Item = Result<Event>>,
    ) -> Result<()> {
        replace(&folder.join(FILE), iter::once(Ok(Event::Format(FORMAT))).chain(first))
    }

    /// Opens that of a folder, or makes one, and cuts off an end that is not whole.
    ///
    /// # Errors
    ///
    /// Those of [`Self::is_in`]. A part that is none of this journal.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        if !Self::is_in(folder)? {
            Self::make(folder, [])?;
        }
        let opened = opened::open(&path)?;
        let is_begun = parts::is_begun(folder, opened.part, &path)?;
        opened.cut().map_err(Error::io("write", &path))?;
        let Opened { file, len, part, .. } = opened;
        let (folder, line) = (folder.to_owned(), Vec::new());
        let mut journal = Self {
            folder,
            path,
            part,
            file,
            line,
            len,
            synced: len,
            syncs_each_line: false,
            failed: None,
        };
        if is_begun {
            // The process ended between the two steps of `end_part`.
            journal.end_part()?;
        }
        Ok(journal)
    }

    /// Makes all lines so far survive a loss of power.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.check()?;
        self.sync_lines().map_err(Error::io("write", &self.path))?;
        self.synced = self.len;
        Ok(())
    }

    fn sync_lines(&mut self) -> io::Result<()> {
        let synced = disk::sync(&self.file);
        if let Err(error) = &synced
            && self.synced < self.len
        {
            self.failed = Some(error.kind());
        }
        synced
    }

    /// Whether all lines that were taken are where they are looked for.
    fn check(&self) -> Result<()> {
        let failed =
            self.failed.map(|failed| Error::io("keep lines in", &self.path)(failed.into()));
        failed.map_or(Ok(()), Err)
    }

    /// What is not synced yet, to be synced by another thread; none if all is.
    pub(super) fn unsynced(&self) -> Option<io::Result<Unsynced>> {
        let of = |file| Unsynced { file, part: self.part, len: self.len };
        (self.synced < self.len).then(|| self.file.try_clone().map(of))
    }

    /// Notes what another thread has synced. After a failure no line is taken.
    pub(super) fn note_sync(&mut self, synced: io::Result<Unsynced>) {
        match synced {
            Ok(Unsynced { part, len, .. }) if part == self.part => {
                self.synced = self.synced.max(len);
            }
            Ok(_) => {}
            Err(error) => self.failed = Some(error.kind()),
        }
    }

    /// Syncs each line where it is written.
    pub(super) fn sync_each_line(&mut self) {
        self.syncs_each_line = true;
    }

    /// Compresses what was written so far, if that is much. Whatever happens meanwhile, nothing of it is lost.
    pub(super) fn finish_part(&mut self) -> Result<()> {
        if self.len < LEAST_PART { Ok(()) } else { self.end_part() }
    }

    /// Makes the open file a part, and begins the next. The part is on the disk before the lines that
    /// it was made of are replaced.
    pub(super) fn end_part(&mut self) -> Result<()> {
        self.sync()?;
        let place = parts::place(&self.folder, self.part);
        parts::finish(&self.path, &place).map_err(Error::io("write", &place))?;
        let part = self.part + 1;
        let begin = [Event::Format(FORMAT), Event::Part(part)];
        let replaced = replace(&self.path, begin.map(Ok));
        match replaced.and_then(|()| opened::open(&self.path)) {
            Ok(Opened { file, len, .. }) => {
                (self.file, self.len, self.synced, self.part) = (file, len, len, part);
                Ok(())
            }
            Err(error) => {
                // Nobody would find what is written to a file that has lost its name.
                if !own_file::is_at(&self.file, &self.path) {
                    self.failed = Some(io::ErrorKind::Other);
                }
                Err(error)
            }
        }
    }

    /// Appends a line. After an error nothing of it is kept.
    pub(super) fn append(&mut self, event: &Event) -> Result<()> {
        self.check()?;
        self.line.clear();
        serde_json::to_writer(&mut self.line, event).map_err(Error::Json)?;
        self.line.push(b'\n');
        let len = self.len + self.line.len() as u64;
        let is_due = self.syncs_each_line || len - self.synced >= MOST_UNSYNCED;
        let written = append(&self.file, &self.line);
        let written = written.and_then(|()| if is_due { self.sync_lines() } else { Ok(()) });
        if let Err(error) = written {
            let cut = disk::cut(&self.file, self.len).and_then(|()| disk::sync(&self.file));
            // The next line would be written behind it, and be none. The next process cuts it off.
            self.failed = cut.err().map(|error| error.kind()).or(self.failed);
            return Err(Error::io("write", &self.path)(error));
        }
        self.len = len;
        if is_due {
            self.synced = len;
        }
        Ok(())
    }

    /// The place after the last line. Reads the open part.
    pub(super) fn position(&self) -> Result<Position> {
        let file = File::open(&self.path).map_err(Error::io("read", &self.path))?;
        Position::of(self.part, BufReader::new(file), self.len)
            .map_err(Error::io("read", &self.path))
    }

    /// Whether no line came after a place of this journal.
    pub(super) fn ends_at(&self, position: &Position) -> bool {
        (position.part, position.bytes) == (self.part, self.len)
    }

    /// Whether a place is in the part that is open.
    pub(super) fn is_open_at(&self, position: &Position) -> bool {
        position.part == self.part
    }

    /// Whether this is a place in this journal.
    ///
    /// # Errors
    ///
    /// A part that cannot be read.
    pub(super) fn has(&self, position: &Position) -> Result<bool> {
        let Position { part, bytes, .. } = *position;
        if !(1..=self.part).contains(&part) {
            return Ok(false);
        }
        let (lines, place) = self.part(part)?;
        let found = Position::of(part, lines, bytes);
        Ok(found.map_err(|error| parts::unreadable(error, &place))? == *position)
    }

    /// Reads all lines.
    #[cfg(test)]
    pub(super) fn each(&self, take: impl FnMut(Event) -> Result<()>) -> Result<()> {
        self.each_after(&Position::begin(), take)
    }

    /// The secret of the state, if it is where a new journal has it.
    pub(super) fn secret(&self) -> Option<Secret> {
        let (lines, _) = self.part(1).ok()?;
        let events = lines.lines().take(FIRST_LINES).map_while(io::Result::ok);
        events.filter_map(|line| serde_json::from_str(&line).ok()).find_map(|event| match event {
            Event::Secret(secret) => Some(secret),
            _ => None,
        })
    }

    /// Reads all lines after a place.
    pub(super) fn each_after(
        &self,
        position: &Position,
        mut take: impl FnMut(Event) -> Result<()>,
    ) -> Result<()> {
        let mut before = position.lines;
        for part in position.part..=self.part {
            let (lines, place) = self.part(part)?;
            parts::each_line(lines, (part, &place), mem::take(&mut before), &mut take)?;
        }
        Ok(())
    }

    /// The lines of a part, and where they are.
    fn part(&self, part: u32) -> Result<(Box<dyn BufRead>, PathBuf)> {
        if part < self.part {
            let place = parts::place(&self.folder, part);
            return Ok((Box::new(parts::lines(&place)?), place));
        }
        let file = File::open(&self.path).map_err(Error::io("read", &self.path))?;
        Ok((Box::new(BufReader::new(file)), self.path.clone()))
    }
}

/// Puts a file of these lines in place of the one there.
fn replace(path: &Path, events: impl IntoIterator<Item = Result<Event>>) -> Result<()> {
    let fault = || Error::io("write", path);
    let mut file = BufWriter::new(AtomicFile::create_private(path).map_err(fault())?);
    for event in events {
        write_line(&mut file, &event?).map_err(fault())?;
    }
    let file = file.into_inner().map_err(io::IntoInnerError::into_error);
    file.and_then(AtomicFile::finish).map_err(fault())
}

fn write_line(file: &mut impl Write, event: &Event) -> io::Result<()> {
    serde_json::to_writer(&mut *file, event)?;
    file.write_all(b"\n")
}

fn append(file: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match disk::append(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
