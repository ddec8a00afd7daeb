//! The readers: archives, crawl manifests, indexes, feeds, logs, tables and lists of URLs become a
//! stream of [`Response`](response::Response)s, and these the [`Pages`](pages::Pages) of a crawl.
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
mod crawl_log;
mod device;
mod digest;
mod feed;
mod http;
mod intake;
mod joined;
pub(crate) mod kind;
pub(crate) mod lines;
pub(crate) mod manifest;
mod members;
pub(crate) mod options;
pub(crate) mod pages;
pub(crate) mod pipeline;
mod record;
mod records;
pub(crate) mod report;
pub(crate) mod response;
mod revisit;
pub(crate) mod source;
mod spreadsheet;
mod stamp;
mod url_list;
pub(crate) mod url_text;
mod warc;
mod window;

#[cfg(test)]
mod tests;
