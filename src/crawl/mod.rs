//! The readers: WARC files, crawl manifests, access logs and lists of URLs become a stream of
//! [`Response`](response::Response)s, and these the [`Pages`](pages::Pages) of a crawl.
//!
//! [`read_all`](pipeline::read_all) opens each input (`source`), undoes its
//! compression (`members`), sees what it is (`kind`), and hands it to the reader of
//! that kind (`warc`, `manifest`, `access_log`, `url_list`). The text work on the
//! pages of a WARC (`capture`) runs on all cores, and the responses come out in
//! crawl order (`pipeline`). Pages pass through in small batches, and no more of one
//! is held than [`max_body`](options::ReadOptions::max_body).

mod access_log;
mod capture;
mod device;
mod http;
mod intake;
mod kind;
mod lines;
pub mod manifest;
mod members;
pub mod options;
pub mod pages;
pub mod pipeline;
mod record;
pub mod report;
pub mod response;
pub mod source;
mod url_list;
mod url_text;
mod warc;
mod window;

// for rules/, goes when it names the real path
#[cfg(test)]
pub(crate) use options::ReadOptions;
// for rules/, goes when it names the real path
#[cfg(test)]
pub(crate) use pages::Pages;

#[cfg(test)]
mod tests;
