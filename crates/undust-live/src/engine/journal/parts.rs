//! Finished parts of a journal: compressed files beside it, numbered from 1. Its lines are much alike and compress
//! to less than a fifth.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use undust_util::atomic_file::AtomicFile;

use super::{Event, FORMAT};
use crate::error::{Error, Result, StateReason};
use crate::own_file;

/// Higher levels take several times as long for a few percent.
const LEVEL: i32 = 6;

/// The file of a finished part.
pub(super) fn place(folder: &Path, part: u32) -> PathBuf {
    folder.join(format!("live-{part}.jsonl.zst"))
}

/// Makes a finished part of a file of lines. It is whole or not there.
pub(super) fn finish(lines: &Path, place: &Path) -> io::Result<()> {
    let mut file = zstd::Encoder::new(AtomicFile::create_private(place)?, LEVEL)?;
    // A bit that changes on the disk would else change a line.
    file.include_checksum(true)?;
    io::copy(&mut File::open(lines)?, &mut file)?;
    file.finish()?.finish()
}

/// Why the lines of a part cannot be read: the disk, or what it has.
pub(super) fn unreadable(error: io::Error, path: &Path) -> Error {
    match error.raw_os_error() {
        Some(_) => Error::io("read", path)(error),
        None => Error::at(path, StateReason::DamagedJournal { detail: error.to_string() }),
    }
}

/// The lines of a finished part.
pub(super) fn lines(place: &Path) -> Result<impl BufRead + use<>> {
    if !own_file::check(place)? {
        let detail = "it is missing".to_owned();
        return Err(Error::at(place, StateReason::DamagedJournal { detail }));
    }
    let open = || io::Result::Ok(BufReader::new(zstd::Decoder::new(File::open(place)?)?));
    open().map_err(|error| unreadable(error, place))
}

/// Calls with the events of a part after so many lines. It must begin as that part does.
pub(super) fn each_line(
    lines: impl BufRead,
    (part, path): (u32, &Path),
    before: u64,
    take: &mut impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    let fault = |reason| Error::at(path, reason);
    let damaged = |detail| fault(StateReason::DamagedJournal { detail });
    let mut found = 0;
    for (line, number) in lines.lines().zip(1..) {
        let line = line.map_err(|error| unreadable(error, path))?;
        found = number;
        if number > 2 && number <= before {
            continue;
        }
        let event = serde_json::from_str(&line)
            .map_err(|_| damaged(format!("line {number} is not what undust writes")))?;
        match event {
            Event::Format(FORMAT) => {}
            Event::Format(_) => return Err(fault(StateReason::OtherVersion)),
            _ if number == 1 => return Err(fault(StateReason::NotAState)),
            Event::Part(found) if number > 2 || found == part => {}
            event if number == 2 && (part > 1 || matches!(event, Event::Part(_))) => {
                return Err(damaged(format!("it is not part {part} of the journal")));
            }
            event if number > before => take(event)?,
            _ => {}
        }
    }
    if found == 0 { Err(damaged("it is empty".to_owned())) } else { Ok(()) }
}

/// Whether there is a part of this number, which was made of the open lines. More of these may have
/// come since.
///
/// # Errors
///
/// A part that was made of others: it or the open file is none of this state.
pub(super) fn is_begun(folder: &Path, part: u32, open: &Path) -> Result<bool> {
    let place = place(folder, part);
    if !own_file::check(&place)? {
        return Ok(false);
    }
    let other = Error::at(&place, StateReason::OtherPart);
    let open = BufReader::new(File::open(open).map_err(Error::io("read", open))?);
    // What cannot be read as a part is none.
    let is_beginning = begins_with(open, lines(&place)?).unwrap_or(false);
    if is_beginning { Ok(true) } else { Err(other) }
}

/// Whether `all` begins with all of `first`.
fn begins_with(mut all: impl BufRead, mut first: impl BufRead) -> io::Result<bool> {
    loop {
        let (one, other) = (all.fill_buf()?, first.fill_buf()?);
        let common = one.len().min(other.len());
        if other.is_empty() || common == 0 {
            return Ok(other.is_empty());
        }
        if one[..common] != other[..common] {
            return Ok(false);
        }
        all.consume(common);
        first.consume(common);
    }
}
