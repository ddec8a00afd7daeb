//! The compact protocol of Thrift, as far as it must be read before the crate reads it: structs that are
//! walked over, in a time that is linear in their bytes.
//!
//! The crate believes what a file says of its lengths. What is read here is what it is about to read, so
//! whatever two readers could understand differently is refused, such as a field that is there twice.

use std::io::{self, Read};

use parquet::errors::ParquetError;

type Parsed<T> = Result<T, ParquetError>;

/// Structs within structs.
const MOST_NESTED: u8 = 32;

pub(super) const I32: u8 = 5;
pub(super) const LIST: u8 = 9;
const STRUCT: u8 = 12;
const BOOLEANS: [u8; 2] = [1, 2];

/// Reads structs, and counts their bytes.
pub(super) struct Thrift<R> {
    input: R,
    /// Bytes that were read.
    pub read: u64,
    /// Bytes that there are.
    most: u64,
}

/// A field of a struct: its number, and its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldHead {
    pub id: i16,
    pub kind: u8,
}

/// A list: its length, and the type of its items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListHead {
    pub length: u64,
    pub kind: u8,
}

pub(super) fn damaged(what: &str) -> ParquetError {
    ParquetError::General(format!("the Parquet data contradict themselves: {what}"))
}

/// A number of any length, seven bits a byte.
pub(super) fn varint(mut byte: impl FnMut() -> Parsed<u8>) -> Parsed<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(damaged("a number has more than 64 bits"))
}

impl<R: Read> Thrift<R> {
    /// Reads at most `most` bytes.
    pub(super) fn new(input: R, most: u64) -> Self {
        Self { input, read: 0, most }
    }

    fn take(&mut self, bytes: u64) -> Parsed<()> {
        if bytes > self.most - self.read {
            return Err(ParquetError::EOF("a length leads beyond its end".to_owned()));
        }
        self.read += bytes;
        Ok(())
    }

    fn byte(&mut self) -> Parsed<u8> {
        self.take(1)?;
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn varint(&mut self) -> Parsed<u64> {
        varint(|| self.byte())
    }

    fn signed(&mut self) -> Parsed<i64> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// A number of 32 bits.
    pub(super) fn i32(&mut self, field: FieldHead) -> Parsed<i32> {
        let value = if field.kind == I32 { i32::try_from(self.signed()?).ok() } else { None };
        value.ok_or_else(|| damaged("a number is none of 32 bits"))
    }

    /// The next field of a struct, after the one of this number; none at its end.
    pub(super) fn field(&mut self, last: i16) -> Parsed<Option<FieldHead>> {
        let byte = self.byte()?;
        let kind = byte & 0x0f;
        if kind == 0 {
            return Ok(None);
        }
        let id = match byte >> 4 {
            0 => i16::try_from(self.signed()?).ok(),
            delta => last.checked_add(delta.into()),
        };
        let id = id.filter(|id| *id > last).ok_or_else(|| damaged("fields are not in order"))?;
        Ok(Some(FieldHead { id, kind }))
    }

    /// The head of a list.
    pub(super) fn list(&mut self) -> Parsed<ListHead> {
        let byte = self.byte()?;
        let length = if byte >> 4 == 15 { self.varint()? } else { (byte >> 4).into() };
        let kind = byte & 0x0f;
        // Each item has a byte. Those of truth values may have none, so nothing would bound their number.
        if length > self.most - self.read || length > 0 && BOOLEANS.contains(&kind) {
            return Err(damaged("a list is longer than the data"));
        }
        Ok(ListHead { length, kind })
    }

    /// Passes over a field.
    pub(super) fn skip(&mut self, field: FieldHead) -> Parsed<()> {
        self.skip_value(field.kind, MOST_NESTED)
    }

    fn skip_value(&mut self, kind: u8, depth: u8) -> Parsed<()> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(damaged("structs are nested too deep"));
        };
        match kind {
            1 | 2 => Ok(()),
            3 => self.skip_bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip_bytes(8),
            8 => {
                let length = self.varint()?;
                self.skip_bytes(length)
            }
            LIST | 10 => {
                let list = self.list()?;
                (0..list.length).try_for_each(|_| self.skip_value(list.kind, depth))
            }
            11 => self.skip_map(depth),
            STRUCT => {
                let mut last = i16::MIN;
                while let Some(field) = self.field(last)? {
                    self.skip_value(field.kind, depth)?;
                    last = field.id;
                }
                Ok(())
            }
            _ => Err(damaged("a field has no type")),
        }
    }

    fn skip_map(&mut self, depth: u8) -> Parsed<()> {
        let length = self.varint()?;
        if length == 0 {
            return Ok(());
        }
        let kinds = self.byte()?;
        let kinds = [kinds >> 4, kinds & 0x0f];
        if length > self.most - self.read || kinds.iter().any(|kind| BOOLEANS.contains(kind)) {
            return Err(damaged("a map is longer than the data"));
        }
        (0..length)
            .try_for_each(|_| kinds.iter().try_for_each(|kind| self.skip_value(*kind, depth)))
    }

    fn skip_bytes(&mut self, bytes: u64) -> Parsed<()> {
        self.take(bytes)?;
        let skipped = io::copy(&mut self.input.by_ref().take(bytes), &mut io::sink())?;
        if skipped < bytes {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        Ok(())
    }
}
