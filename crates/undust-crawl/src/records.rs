//! What the readers of archives share: record after record, over damage.

use std::io;

use undust_util::error::Result;

use super::block::Taken;
use super::device::is_damage;
use super::intake::{Found, Intake};
use super::record::WarcRecord;

/// A reader of records.
pub(super) trait Records {
    /// The next record that may hold a page; `None` at the end.
    fn next(&mut self, intake: &Intake<'_>) -> Result<Option<WarcRecord>, Trouble>;

    /// After damage: everything up to the next record is part of it.
    fn lose(&mut self);

    /// Records begun so far.
    fn number(&self) -> u64;
}

/// Why there is no next record.
pub(super) enum Trouble {
    /// This record is bad; others may follow.
    Damage(String),
    /// The input ends inside this record, of which this much is there.
    CutOff(Box<WarcRecord>, io::Error),
    /// The input cannot be read here.
    Read(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Read(error)
    }
}

/// Damage, for this reason.
pub(super) fn damage<T>(reason: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Damage(reason.into()))
}

/// The record of a block, if it has a kind that may hold a page.
pub(super) fn of_block(
    taken: Taken,
    record: impl FnOnce(Vec<u8>, bool) -> Option<WarcRecord>,
) -> Result<Option<WarcRecord>, Trouble> {
    match taken {
        Taken::Whole(block, is_cut) => Ok(record(block, is_cut)),
        Taken::Damaged(reason) => damage(reason),
        Taken::CutOff(block, error) if block.is_empty() => Err(error.into()),
        Taken::CutOff(block, error) => Err(match record(block, true) {
            Some(record) => Trouble::CutOff(Box::new(record), error),
            None => error.into(),
        }),
    }
}

/// Reads the records of an archive. A record that cannot be read is counted, and reading
/// goes on at the next record that can be found. Of a record that the end of the input cuts
/// comes what is there.
pub(super) fn read(reader: &mut impl Records, intake: &mut Intake<'_>) -> Result<()> {
    loop {
        match reader.next(intake) {
            Ok(Some(record)) => (intake.emit)(Found::Record(Box::new(record)))?,
            Ok(None) => return Ok(()),
            Err(Trouble::Damage(reason)) => skip(reader, &reason, intake),
            Err(Trouble::CutOff(record, error)) => {
                (intake.emit)(Found::Record(record))?;
                return intake.cut(error, &format!("record {}", reader.number()));
            }
            Err(Trouble::Read(error)) if is_inner_damage(&error) => {
                skip(reader, &error.to_string(), intake);
            }
            Err(Trouble::Read(error)) => {
                return intake.cut(error, &format!("record {}", reader.number()));
            }
        }
    }
}

fn skip(reader: &mut impl Records, reason: &str, intake: &mut Intake<'_>) {
    reader.lose();
    intake.report.damaged_records += 1;
    let number = reader.number();
    intake.report.note(|| format!("{}: record {number}: {reason}", intake.path.display()));
}

fn is_inner_damage(error: &io::Error) -> bool {
    is_damage(error) && error.kind() == io::ErrorKind::InvalidData
}
