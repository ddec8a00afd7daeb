//! What a page says: visible text and its fingerprint. Knows nothing of URLs.
//!
//! Bytes of a body become text ([`decode`]), text becomes a title and visible
//! words ([`HtmlPage::parse`]), and words become a 64-bit [`Simhash`].

mod charset;
mod html;
mod simhash;
mod tags;

pub use charset::decode;
pub use html::HtmlPage;
pub use simhash::{Shingles, Simhash, simhash};
