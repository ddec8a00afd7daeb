//! What must not be forgotten, line by line: a file beside the clusters of the state.
//!
//! A line is written before anybody learns of what it says, so a process that is killed has kept
//! all that it acknowledged. A line that was not written whole is cut off when the file is opened.
//! When the clusters have all that came back, the lines so far become a compressed part.

mod parts;

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use undust_pages::page::Page;
use undust_pages::response::Response;
use undust_pages::simhash::Simhash;
use undust_util::atomic_file::AtomicFile;
use undust_util::error::{Error, Result, StateReason};

use super::classes::LearnedTest;
use super::secret::Secret;

/// Name of the file in the state's folder.
const FILE: &str = "live.jsonl";

/// The format of its lines.
const FORMAT: u32 = 1;

/// Bytes of lines that are worth a part of their own.
const LEAST_PART: u64 = 1 << 20;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event {
    /// The first line.
    Format(u32),
    /// The second line of each part but the first: its number.
    Part(u32),
    /// The secret of the state, once.
    Secret(Secret),
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
        loss: f32,
        /// Whether the model skipped it, rather than a probed proposal.
        model: bool,
    },
    /// A URL is fetched to measure what skips of its class lose.
    Audit { url: String, class: u64 },
    /// A URL is fetched that would have been skipped, to test its class.
    Probe { url: String, class: u64 },
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
    pub digest: Option<u64>,
}

impl From<Page> for KnownPage {
    fn from(page: Page) -> Self {
        let Page { url, end, title, simhash, digest, .. } = page;
        Self { url: url.into(), end, title, simhash, digest }
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
}

impl Journal {
    /// Whether a folder has one.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(FILE).exists()
    }

    /// Opens that of a folder, or makes one, and cuts off a line that was not written whole.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let mut file = open_file(&path).map_err(Error::io("open", &path))?;
        let len = whole_lines(&mut file).map_err(Error::io("read", &path))?;
        file.set_len(len).map_err(Error::io("write", &path))?;
        let folder = folder.to_owned();
        let mut journal = Self { folder, path, part: 1, file, line: Vec::new(), len };
        if len == 0 {
            journal.append(&Event::Format(FORMAT))?;
            return Ok(journal);
        }
        journal.part = journal.number()?;
        if parts::place(&journal.folder, journal.part).exists() {
            // The process ended between the two steps of `finish_part`.
            journal.begin_part(journal.part + 1)?;
        }
        Ok(journal)
    }

    /// The number of the part in the open file.
    fn number(&self) -> Result<u32> {
        let file = File::open(&self.path).map_err(Error::io("read", &self.path))?;
        let second = BufReader::new(file).lines().nth(1).transpose();
        let second = second.map_err(Error::io("read", &self.path))?;
        Ok(match second.map(|line| serde_json::from_str(&line)) {
            Some(Ok(Event::Part(number))) => number,
            // What a line says that is none is told when it is read.
            _ => 1,
        })
    }

    /// Compresses what was written so far, if that is much. Whatever happens meanwhile, nothing of it is lost.
    pub(super) fn finish_part(&mut self) -> Result<()> {
        if self.len < LEAST_PART {
            return Ok(());
        }
        let place = parts::place(&self.folder, self.part);
        parts::finish(&self.path, &place).map_err(Error::io("write", &place))?;
        self.begin_part(self.part + 1)
    }

    /// Replaces the open file by a new part.
    fn begin_part(&mut self, part: u32) -> Result<()> {
        let mut lines = Vec::new();
        for event in [Event::Format(FORMAT), Event::Part(part)] {
            serde_json::to_writer(&mut lines, &event).map_err(Error::Json)?;
            lines.push(b'\n');
        }
        let replace = || {
            let mut file = AtomicFile::create(&self.path)?;
            file.write_all(&lines)?;
            file.finish()?;
            open_file(&self.path)
        };
        self.file = replace().map_err(Error::io("write", &self.path))?;
        (self.part, self.len) = (part, lines.len() as u64);
        Ok(())
    }

    /// Appends a line. After an error nothing of it is kept.
    pub(super) fn append(&mut self, event: &Event) -> Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, event).map_err(Error::Json)?;
        self.line.push(b'\n');
        if let Err(error) = self.file.write_all(&self.line) {
            // Where even this fails, the next process cuts it off.
            let _: io::Result<()> = self.file.set_len(self.len);
            return Err(Error::io("write", &self.path)(error));
        }
        self.len += self.line.len() as u64;
        Ok(())
    }

    /// Reads all lines so far.
    pub(super) fn each(&self, mut take: impl FnMut(Event) -> Result<()>) -> Result<()> {
        for part in 1..self.part {
            let place = parts::place(&self.folder, part);
            let lines = parts::lines(&place).map_err(Error::io("read", &place))?;
            each_line(lines, &place, &mut take)?;
        }
        self.each_of_open_part(take)
    }

    /// Reads the lines since the last part that is finished.
    pub(super) fn each_of_open_part(
        &self,
        mut take: impl FnMut(Event) -> Result<()>,
    ) -> Result<()> {
        let file = File::open(&self.path).map_err(Error::io("read", &self.path))?;
        each_line(BufReader::new(file), &self.path, &mut take)
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).append(true).create(true).open(path)
}

fn each_line(
    lines: impl BufRead,
    path: &Path,
    take: &mut impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    let fault = |reason| Error::State { path: path.to_owned(), reason };
    for (line, number) in lines.lines().zip(1..) {
        let line = line.map_err(Error::io("read", path))?;
        let event = serde_json::from_str(&line).map_err(|_| {
            let detail = format!("line {number} is not what undust writes");
            fault(StateReason::Damaged { detail })
        })?;
        match event {
            Event::Format(FORMAT) | Event::Part(_) => {}
            Event::Format(_) => return Err(fault(StateReason::OtherVersion)),
            event => take(event)?,
        }
    }
    Ok(())
}

/// Bytes up to the end of the last whole line.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let (mut whole, mut read, mut line) = (0, 0, Vec::new());
    let mut reader = BufReader::new(file);
    loop {
        line.clear();
        read += reader.read_until(b'\n', &mut line)? as u64;
        match line.last() {
            Some(b'\n') => whole = read,
            _ => return Ok(whole),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn events(journal: &Journal) -> Vec<Event> {
        let mut all = Vec::new();
        let read = journal.each(|event| {
            all.push(event);
            Ok(())
        });
        read.expect("a journal");
        all
    }

    fn skip(n: u32) -> Event {
        Event::Skip { url: format!("http://a.test/{n}"), class: 5, loss: 0.25, model: true }
    }

    /// At every byte at which a process may be killed.
    #[test]
    fn a_line_that_was_not_written_whole_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = Journal::open(folder.path()).expect("a journal");
        let first = journal.len as usize;
        journal.append(&skip(1)).expect("a line");
        let one = journal.len as usize;
        journal.append(&skip(2)).expect("a line");
        let path = folder.path().join(FILE);
        let bytes = fs::read(&path).expect("lines");
        for len in first..bytes.len() {
            fs::write(&path, &bytes[..len]).expect("a shorter file");
            let mut journal = Journal::open(folder.path()).expect("a journal");
            let kept = if len < one { vec![] } else { vec![skip(1)] };
            assert_eq!(events(&journal), kept);
            journal.append(&skip(3)).expect("a line");
            assert_eq!(events(&journal), [kept, vec![skip(3)]].concat());
        }
    }

    /// Also where the process ends between the steps.
    #[test]
    fn a_finished_part_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut journal = Journal::open(folder.path()).expect("a journal");
        let open = folder.path().join(FILE);
        let mut all = Vec::new();
        for part in 0..3 {
            while journal.len < LEAST_PART {
                all.push(skip(all.len() as u32));
                journal.append(&all[all.len() - 1]).expect("a line");
            }
            let before = fs::read(&open).expect("lines");
            journal.finish_part().expect("a part");
            assert!(journal.len < 100, "{}", journal.len);
            if part == 1 {
                // As if it had ended before the second step.
                fs::write(&open, before).expect("the lines again");
                journal = Journal::open(folder.path()).expect("a journal");
            }
            assert_eq!(events(&journal), all);
        }
        journal.append(&skip(0)).expect("a line");
        all.push(skip(0));
        assert_eq!(events(&Journal::open(folder.path()).expect("a journal")), all);
        let place = parts::place(folder.path(), 2);
        assert!(fs::metadata(&place).expect("a part").len() < LEAST_PART / 5);
        fs::remove_file(&place).expect("a part");
        let error = journal.each(|_| Ok(())).expect_err("a part is missing").to_string();
        assert!(error.contains("live-2.jsonl.zst"), "{error}");
    }

    #[test]
    fn what_is_foreign_is_refused_with_a_sentence() {
        for (text, expected) in [
            ("{\"format\":7}\n", "another version"),
            ("{\"format\":1}\nnonsense\n", "line 2 is not"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join(FILE), text).expect("a file");
            let journal = Journal::open(folder.path()).expect("a journal");
            let error = journal.each(|_| Ok(())).expect_err("foreign").to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
