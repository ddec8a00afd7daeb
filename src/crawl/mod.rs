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
mod block;
mod capture;
mod device;
mod http;
mod intake;
mod kind;
mod lines;
pub(crate) mod manifest;
mod members;
pub(crate) mod options;
pub(crate) mod pages;
pub(crate) mod pipeline;
mod record;
pub(crate) mod report;
pub(crate) mod response;
pub(crate) mod source;
mod url_list;
mod url_text;
mod warc;
mod window;

#[cfg(test)]
mod tests;
