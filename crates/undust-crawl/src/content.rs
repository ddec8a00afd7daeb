//! The content of a page: visible text and its fingerprint. This module knows nothing about URLs.
//!
//! Bytes of a body become text ([`charset`]), text becomes a title
//! and visible words ([`HtmlPage::parse`](html::HtmlPage::parse)), and words become
//! a 64-bit [`Simhash`](undust_pages::Simhash).

pub mod charset;
pub mod html;
mod tags;
