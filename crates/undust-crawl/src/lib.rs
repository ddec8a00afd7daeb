//! The readers: archives, crawl manifests, indexes, feeds, logs, tables and lists of URLs become a
//! stream of [`Response`](undust_pages::Response)s ([`read_all`]), and these the pages of a crawl
//! ([`read_pages`]).
//!
//! [`read_all`](pipeline::read_all) opens each input (`source`), undoes its
//! compression (`members`), sees what it is (`kind`, a table of all kinds), and hands it to the
//! reader of that kind. The text work on pages (`capture`) runs on all cores, and the responses come out in
//! crawl order (`pipeline`). Pages pass through in small batches, and no more of one
//! is held than [`max_body`](options::ReadOptions::max_body).

mod access_log;
mod arc;
mod block;
mod capture;
mod cdx;
mod cells;
pub mod compressed_writer;
pub mod content;
mod crawl_log;
mod device;
mod digest;
mod feed;
mod http;
mod intake;
pub mod kind;
pub mod lines;
pub mod manifest;
mod members;
mod multiline_csv;
pub mod options;
mod peek_reader;
pub mod pipeline;
mod read_pages;
mod record;
mod records;
pub mod report;
mod revisit;
pub mod source;
mod spreadsheet;
mod stamp;
mod url_list;
mod warc;

pub use capture::response_of_page;
pub use options::ReadOptions;
pub use pipeline::read_all;
pub use read_pages::{read_pages, read_pages_of};
pub use report::ReadReport;

#[cfg(test)]
mod tests;
