//! From the responses of a crawl to its pages: the vocabulary between the readers, which give
//! [`Response`]s, and learning, which takes [`Page`]s.
//!
//! ```
//! use undust_pages::{PagesBuilder, Response};
//!
//! let mut crawl = PagesBuilder::new();
//! for url in ["http://a.test/story/1", "http://a.test/story/1/print"] {
//!     let digest = Some("the same body".into());
//!     crawl.push(Response { url: url.into(), status: 200, digest, ..Response::default() });
//! }
//! let pages = crawl.finish().pages;
//! assert_eq!(pages.len(), 2);
//! assert_eq!(pages[0].digest, pages[1].digest);
//! ```

pub mod agent;
mod hex64;
pub mod labels;
pub mod page;
pub mod pages;
pub mod response;
pub mod simhash;
pub mod text_hash;
pub mod url_text;

pub use agent::AgentClass;
pub use page::{Importance, Page};
pub use pages::{LeftOut, Pages, PagesBuilder, pages_by_site};
pub use response::Response;
pub use simhash::Simhash;
pub use text_hash::TextHash;
