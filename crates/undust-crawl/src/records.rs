//! What the readers of archives share: reading record after record, across damage.

use std::io;

use undust_util::address::shown;
use undust_util::error::Result;

use super::block::{RecordBodies, RecordSyntax, Taken};
use super::device::is_damage;
use super::input::{Found, InputContext};
use super::record::WarcRecord;
use super::source::Source;

/// The records of an archive.
pub(super) struct Records<'s> {
    pub bodies: RecordBodies<'s>,
    /// Records begun so far.
    number: u64,
    /// After damage: everything up to the next record is part of it.
    pub lost: bool,
}

impl Records<'_> {
    /// A record begins here.
    pub(super) fn begin(&mut self) {
        self.bodies.begin();
        self.number += 1;
        self.lost = false;
    }

    /// Damage where a record should begin.
    pub(super) fn stray<T>(&mut self, reason: &str) -> Result<T, Trouble> {
        self.bodies.stray();
        self.number += 1;
        damage(reason)
    }
}

/// The next record of an archive that may hold a page; `None` at the end.
type Next = fn(&mut Records<'_>, &InputContext<'_>) -> Result<Option<WarcRecord>, Trouble>;

/// Why there is no next record.
pub(super) enum Trouble {
    /// This record is bad; others may follow.
    Damage(String),
    /// The input ends inside this record; it has the part that is there.
    CutOff(Box<WarcRecord>, io::Error),
    /// The input cannot be read at this point.
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

/// Reads the records of an archive. A record that cannot be read is counted, and reading continues
/// at the next record that can be found. Of a truncated last record, the part that is there is
/// emitted.
pub(super) fn read(
    source: &mut Source,
    context: &mut InputContext<'_>,
    syntax: &'static RecordSyntax,
    next: Next,
) -> Result<()> {
    let bodies = RecordBodies::new(source, syntax);
    let mut records = Records { bodies, number: 0, lost: false };
    loop {
        let reason = match next(&mut records, context) {
            Ok(Some(record)) => {
                (context.emit)(Found::Record(Box::new(record)))?;
                continue;
            }
            Ok(None) => return Ok(()),
            Err(Trouble::Damage(reason)) => reason,
            Err(Trouble::Read(error)) if is_inner_damage(&error) => error.to_string(),
            Err(Trouble::Read(error)) => {
                return context.cut(error, &format!("record {}", records.number));
            }
            Err(Trouble::CutOff(record, error)) => {
                (context.emit)(Found::Record(record))?;
                return context.cut(error, &format!("record {}", records.number));
            }
        };
        records.lost = true;
        context.report.damaged_records += 1;
        let number = records.number;
        context.report.note(|| format!("{}: record {number}: {reason}", shown(&context.path)));
    }
}

fn is_inner_damage(error: &io::Error) -> bool {
    is_damage(error) && error.kind() == io::ErrorKind::InvalidData
}
