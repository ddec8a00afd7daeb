//! The end of a Parquet file, which says what is where, looked at before the crate reads it: the
//! crate calls itself for each group within a group of columns, and makes room for as many as the
//! file claims.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use parquet::errors::ParquetError;

use super::thrift::{I32, LIST, Thrift, damaged};

/// Groups of columns within groups.
const MOST_NESTED: usize = 100;

/// The length of the metadata, and the bytes that end a file.
const TAIL: u64 = 8;

/// Whether the end of a file says nothing that costs more than its bytes.
pub(super) fn check(mut file: &File) -> Result<(), ParquetError> {
    let length = file.metadata()?.len();
    let Some(before) = length.checked_sub(TAIL) else { return Ok(()) };
    let mut tail = [0; 4];
    file.seek(SeekFrom::Start(before))?;
    file.read_exact(&mut tail)?;
    let length = u64::from(u32::from_le_bytes(tail));
    // What is too long the crate refuses.
    let Some(start) = before.checked_sub(length) else { return Ok(()) };
    file.seek(SeekFrom::Start(start))?;
    let mut thrift = Thrift::new(BufReader::new(file), length);
    let mut last = 0;
    while let Some(field) = thrift.field(last)? {
        last = field.id;
        match (field.id, field.kind) {
            (2, LIST) => check_tree(&children(&mut thrift)?)?,
            (2, _) => return Err(damaged("there is no list of columns")),
            _ => thrift.skip(field)?,
        }
    }
    Ok(())
}

/// How many columns or groups each has in it, with those in it behind it.
fn children(thrift: &mut Thrift<impl Read>) -> Result<Vec<usize>, ParquetError> {
    let list = thrift.list()?;
    let mut all = Vec::new();
    for _ in 0..list.length {
        let (mut last, mut count) = (0, 0);
        while let Some(field) = thrift.field(last)? {
            last = field.id;
            match (field.id, field.kind) {
                (5, I32) => count = thrift.i32(field)?,
                (5, _) => return Err(damaged("a number of columns is none")),
                _ => thrift.skip(field)?,
            }
        }
        let count =
            usize::try_from(count).map_err(|_| damaged("a number of columns is negative"))?;
        all.push(count);
    }
    Ok(all)
}

fn check_tree(children: &[usize]) -> Result<(), ParquetError> {
    // Of each group that has begun, those that are still to come.
    let mut open: Vec<usize> = Vec::new();
    for (place, &count) in children.iter().enumerate() {
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        if count > children.len() - place - 1 {
            return Err(damaged("a group has more columns than there are"));
        }
        open.push(count);
        while open.last() == Some(&0) {
            open.pop();
        }
        if open.len() > MOST_NESTED {
            return Err(damaged("groups of columns are nested too deep"));
        }
    }
    Ok(())
}
