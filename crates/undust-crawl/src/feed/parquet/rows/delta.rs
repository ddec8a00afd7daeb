//! Numbers as differences (`DELTA_BINARY_PACKED`), walked over before the crate reads them: it makes room for as
//! many as their head says, and a few bytes can say that there are billions.

use parquet::errors::ParquetError;

use super::thrift::{damaged, varint};

/// Passes over the numbers with which `data` begins, of which there must be at most `most`; the bytes behind
/// them.
pub(super) fn skip(data: &[u8], most: u64) -> Result<&[u8], ParquetError> {
    let mut rest = data;
    let [block, parts, count, _first] =
        [number(&mut rest)?, number(&mut rest)?, number(&mut rest)?, number(&mut rest)?];
    if count > most {
        return Err(damaged("a page has more lengths than values"));
    }
    let in_part = block.checked_div(parts).filter(|size| *size > 0 && size.is_multiple_of(32));
    let in_part = in_part.ok_or_else(|| damaged("a block of differences has no size"))?;
    // The first number is in the head.
    let mut left = count.saturating_sub(1);
    while left > 0 {
        number(&mut rest)?;
        let parts = usize::try_from(parts).unwrap_or(usize::MAX);
        let (widths, data) = rest.split_at_checked(parts).ok_or_else(early)?;
        rest = data;
        for &width in widths {
            // Widths of parts without numbers mean nothing.
            let bytes = if left == 0 { 0 } else { u64::from(width) * in_part / 8 };
            left = left.saturating_sub(in_part);
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            // The last part may be cut off.
            rest = rest.get(bytes..).unwrap_or_default();
        }
    }
    Ok(rest)
}

fn early() -> ParquetError {
    ParquetError::EOF("a page ends within its lengths".to_owned())
}

fn number(rest: &mut &[u8]) -> Result<u64, ParquetError> {
    varint(|| rest.split_off_first().copied().ok_or_else(early))
}
