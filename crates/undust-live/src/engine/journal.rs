//! What must not be forgotten, line by line: a file beside the clusters of the state.
//!
//! A line is written before anybody learns of what it says, so a process that is killed has kept
//! all that it acknowledged. A line that was not written whole is cut off when the file is opened.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use undust_pages::page::Page;
use undust_pages::response::Response;
use undust_pages::simhash::Simhash;
use undust_util::error::{Error, Result, StateReason};

use super::classes::LearnedTest;

/// Name of the file in the state's folder.
const FILE: &str = "live.jsonl";

/// The format of its lines.
const FORMAT: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event {
    /// The first line.
    Format(u32),
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
    path: PathBuf,
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
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(&path).map_err(Error::io("open", &path))?;
        let len = whole_lines(&mut file).map_err(Error::io("read", &path))?;
        file.set_len(len).map_err(Error::io("write", &path))?;
        let mut journal = Self { path, file, line: Vec::new(), len };
        if len == 0 {
            journal.append(&Event::Format(FORMAT))?;
        }
        Ok(journal)
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
        let mut file = File::open(&self.path).map_err(Error::io("read", &self.path))?;
        file.seek(SeekFrom::Start(0)).map_err(Error::io("read", &self.path))?;
        for (number, line) in BufReader::new(file).lines().enumerate() {
            let line = line.map_err(Error::io("read", &self.path))?;
            let event = serde_json::from_str(&line).map_err(|_| self.fault(number))?;
            match event {
                Event::Format(FORMAT) => {}
                Event::Format(_) => return Err(self.state(StateReason::OtherVersion)),
                event => take(event)?,
            }
        }
        Ok(())
    }

    fn fault(&self, number: usize) -> Error {
        let detail = format!("line {} is not what undust writes", number + 1);
        self.state(StateReason::Damaged { detail })
    }

    fn state(&self, reason: StateReason) -> Error {
        Error::State { path: self.path.clone(), reason }
    }
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
