//! The file of a journal as it is found: whether it is one, and how far it is whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;

use undust_util::disk;

use super::{Event, FORMAT, MOST_UNSYNCED};
use crate::error::{Error, Result, StateReason};
use crate::own_file;

/// Bytes in which the first line ends.
const LONGEST_FORMAT: u64 = 64;

/// A journal as it is found.
pub(super) struct Opened {
    pub file: File,
    /// Bytes that are whole.
    pub len: u64,
    /// The number of its part.
    pub part: u32,
    /// Bytes of the file.
    found: u64,
}

/// Opens a journal, and changes nothing.
///
/// # Errors
///
/// What does not begin as a journal.
pub(super) fn open(path: &Path) -> Result<Opened> {
    let missing = || Error::io("open", path)(io::ErrorKind::NotFound.into());
    let file = own_file::open(path)?.ok_or_else(missing)?;
    check_format(&file, path)?;
    let Whole { len, found, part, is_damaged } =
        Whole::of(&file).map_err(Error::io("read", path))?;
    if is_damaged {
        let detail = "lines that were on the disk are gone".to_owned();
        return Err(Error::at(path, StateReason::DamagedJournal { detail }));
    }
    Ok(Opened { file, len, part, found })
}

impl Opened {
    /// Cuts off the end that is not whole. What is written in its place must not meet it again after a
    /// loss of power.
    pub(super) fn cut(&self) -> io::Result<()> {
        if self.len == self.found {
            return Ok(());
        }
        disk::cut(&self.file, self.len)?;
        disk::sync(&self.file)
    }
}

/// The first line of journals of before.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldFormat {
    #[serde(rename = "format")]
    _format: u32,
}

/// Whether the first line of a file is that of a journal of this version.
pub(super) fn check_format(mut file: &File, path: &Path) -> Result<()> {
    let mut line = Vec::new();
    let mut read = || {
        file.seek(SeekFrom::Start(0))?;
        BufReader::new(file.take(LONGEST_FORMAT)).read_until(b'\n', &mut line)
    };
    read().map_err(Error::io("read", path))?;
    let text = line.strip_suffix(b"\n").unwrap_or_default();
    let reason = match serde_json::from_slice(text) {
        Ok(Event::Format(FORMAT)) => return Ok(()),
        Ok(Event::Format(_)) => StateReason::OtherVersion,
        _ if serde_json::from_slice::<OldFormat>(text).is_ok() => StateReason::OtherVersion,
        _ => StateReason::NotAState,
    };
    Err(Error::at(path, reason))
}

/// How far a journal is whole.
struct Whole {
    /// Bytes up to the end of the last line before which all are whole.
    len: u64,
    /// Bytes of the file.
    found: u64,
    part: u32,
    /// Whether a line that was synced is not whole.
    is_damaged: bool,
}

impl Whole {
    /// No line has a NUL: it is what the disk has for bytes that were not written when the power was
    /// lost. All lines before a line [`Event::Kept`] were synced, and all but so many bytes before
    /// the last line.
    fn of(mut file: &File) -> io::Result<Self> {
        file.seek(SeekFrom::Start(0))?;
        let mut whole = Self { len: 0, found: 0, part: 1, is_damaged: false };
        let (mut reader, mut line, mut is_whole) = (BufReader::new(file), Vec::new(), true);
        let kept = serde_json::to_vec(&Event::Kept).map_err(io::Error::other)?;
        for number in 1.. {
            line.clear();
            let begin = whole.found;
            whole.found += reader.read_until(b'\n', &mut line)? as u64;
            whole.is_damaged |= whole.found > begin && begin - whole.len > 2 * MOST_UNSYNCED;
            let Some(text) = line.strip_suffix(b"\n") else { break };
            is_whole &= !text.contains(&0);
            if is_whole {
                whole.len = whole.found;
            }
            let end = text.rsplit(|byte| *byte == 0).next().unwrap_or_default();
            whole.is_damaged |= !is_whole && end == kept;
            if let (2, Ok(Event::Part(part))) = (number, serde_json::from_slice(text)) {
                whole.part = part;
            }
        }
        Ok(whole)
    }
}
