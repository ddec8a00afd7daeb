//! The readers. [`read_all`] turns archives, crawl manifests, indexes, feeds, logs, tables and
//! lists of URLs into a stream of [`Response`](undust_pages::Response)s. [`read_pages`] also turns
//! these into the pages of a crawl.
//!
//! | module | what it gives |
//! |---|---|
//! | [`pipeline`] | reading on several threads; responses come out in crawl order |
//! | [`kind`] | the kind of an input, recognised by its content |
//! | [`options`], [`report`] | options for reading, and the counts of what was read and skipped |
//! | [`content`] | the title and the fingerprint of a page |
//! | [`manifest`] | crawl manifests, read and written |
//! | [`LiveEvent`] | what a crawler says while it crawls |
//! | [`source`], [`lines`], [`output_file`] | files and pipes, compressed or not |
//!
//! Pages are processed in small batches. At most [`max_body`](options::ReadOptions::max_body) bytes
//! of each page are held in memory.
//!
//! ```
//! use undust_crawl::{ReadOptions, read_pages};
//!
//! let folder = tempfile::tempdir()?;
//! let crawl = folder.path().join("crawl.jsonl");
//! std::fs::write(&crawl, r#"{"url": "http://a.test/1", "status": 200, "digest": "x"}"#)?;
//! let (pages, report) = read_pages(&[crawl], &ReadOptions::default())?;
//! assert_eq!((pages.pages.len(), report.responses), (1, 1));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod access_log;
mod arc;
mod block;
mod capture;
mod cdx;
mod cells;
pub mod content;
mod crawl_log;
mod device;
mod digest;
pub mod error;
mod feed;
mod fields;
mod growth;
mod http;
mod input;
mod item;
pub mod kind;
pub mod lines;
mod live_event;
pub mod manifest;
mod member_signals;
mod members;
mod multiline_csv;
mod no_vary_search;
pub mod options;
pub mod output_file;
mod peek_reader;
pub mod pipeline;
mod read_pages;
mod read_sitemaps;
mod record;
mod records;
pub mod report;
mod revisit;
mod server_log;
mod sitemap;
pub mod source;
mod stamp;
mod took;
mod url_list;
mod utf16;
mod w3c_log;
mod wacz;
mod warc;

pub use capture::response_of_page;
pub use live_event::LiveEvent;
pub use options::{FieldNames, ReadOptions};
pub use pipeline::read_all;
pub use read_pages::{read_pages, read_pages_into};
pub use read_sitemaps::read_sitemaps;
pub use report::ReadReport;

#[cfg(test)]
mod tests;
