//! Parquet files: Common Crawl's columnar index, FineWeb, C4, and whatever keeps items in columns.
//!
//! The reader is a feature: whoever builds a small program leaves it out.

#[cfg(feature = "parquet")]
mod rows;

#[cfg(feature = "parquet")]
pub(crate) use self::rows::read;

/// The bytes with which a file begins and ends.
const MAGIC: &[u8] = b"PAR1";

/// Whether a line could begin a file.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    line.starts_with(MAGIC)
}

/// Says how to get a program that reads the file.
#[cfg(not(feature = "parquet"))]
pub(crate) fn read(
    _: &mut crate::source::Source,
    context: &mut crate::input::InputContext<'_>,
) -> undust_util::error::Result<()> {
    Err(context.unusable(crate::error::CrawlReason::NoParquet))
}
