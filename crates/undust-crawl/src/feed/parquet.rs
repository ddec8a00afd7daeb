//! Parquet files: Common Crawl's columnar index, FineWeb, C4, and whatever keeps items in columns.
//!
//! The reader is a feature: whoever builds a small program leaves it out.

#[cfg(feature = "parquet")]
mod budget;
#[cfg(feature = "parquet")]
mod delta;
#[cfg(feature = "parquet")]
mod footer;
#[cfg(feature = "parquet")]
mod guarded;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(all(test, feature = "parquet"))]
mod tests;
#[cfg(feature = "parquet")]
mod thrift;

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
